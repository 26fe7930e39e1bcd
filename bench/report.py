"""Figures with their goals, and the text that shows them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

_HEADER = ("figure", "goal", "reached", "verdict")
_JUST = 0.005


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: `reached` in `unit` ("" for a ratio), held against `goal`, which is a least or a most."""

    name: str
    reached: float
    goal_is: Literal["at least", "at most"]
    goal: float
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.reached >= self.goal if self.goal_is == "at least" else self.reached <= self.goal

    @property
    def verdict(self) -> str:
        """In words, with how far away the goal is."""
        distance = abs(self.reached - self.goal) / self.goal
        if distance < _JUST:
            return "just reached" if self.met else "just missed"
        return f"{'reached, with' if self.met else 'short by'} {distance:.0%}{' to spare' if self.met else ''}"

    @property
    def row(self) -> tuple[str, str, str, str]:
        return self.name, f"{self.goal_is} {self._text(self.goal)}", self._text(self.reached), self.verdict

    def _text(self, value: float) -> str:
        return f"{value:.2f} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Section:
    """One measurement: its figures, how they were taken, and what else was seen while taking them."""

    title: str
    figures: tuple[Figure, ...]
    method: str
    seen: tuple[str, ...] = field(default=())


def render(sections: Sequence[Section]) -> str:
    """A table of all figures, then the method and the observations of each section."""
    rows = [_HEADER, *(figure.row for section in sections for figure in section.figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    for section in sections:
        lines += ["", section.title, f"  Method: {section.method}", *(f"  {line}" for line in section.seen)]
    return "\n".join(lines)

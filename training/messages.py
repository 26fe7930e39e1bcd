"""Messages that people wrote for training and for exams, as JSON lines.

v: the vertical. t: the message. i: its kind (`gendei.ear.model.MessageKind`); also: further kinds. near: harmless,
though it sounds like danger. s: the service's id; p: the professional; d: the day wanted, ISO, or two of them; h: the
hour, "HH:MM", a part of the day, or a bound (">17:00"); from_d, from_h: of what is to be moved or cancelled. The day on
which all are written is Monday, 2 March 2026, 10:00 in São Paulo.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gendei.ear.model import DANGERS, MessageKind

FOLDER = Path(__file__).parent / "messages"
EXAMS = Path(__file__).parent / "exams"


@dataclass(frozen=True, slots=True)
class Message:
    """`writer`: the file's name."""

    writer: str
    text: str
    kind: MessageKind
    also: tuple[MessageKind, ...]
    near: bool
    facts: dict[str, object]

    @property
    def is_danger(self) -> bool:
        return self.kind in DANGERS


def read(files: Sequence[Path]) -> list[Message]:
    """All messages of these files, in order. Raises ValueError for a line that is none."""
    messages = []
    for file in files:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                also = tuple(map(MessageKind, row.pop("also", ())))
                kind, text, near = MessageKind(row.pop("i")), row.pop("t"), bool(row.pop("near", False))
            except (KeyError, ValueError, AttributeError) as error:
                raise ValueError(f"{file.name}, line {number}: no message") from error
            messages.append(Message(file.stem, text, kind, also, near, row))
    return messages

"""What the agenda's page shows: which days, of whom, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Self, TypeVar

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.web.pages.agenda.geometry import nearest_day
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

E = TypeVar("E", bound=StrEnum)
EVERYBODY = "*"
"""In place of a professional's id, which is no such thing."""
WEEKS_OF_MONTH = 6


class Period(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class Colours(StrEnum):
    """What the colour of a card tells."""

    STATE = "state"
    PROFESSIONAL = "professional"
    SERVICE = "service"


class Zoom(StrEnum):
    """How high a minute is drawn."""

    COMPACT = "compact"
    NORMAL = "normal"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Showing:
    """`who`: the professional whose week or month it is, or whose day stays where there is room for one; EVERYBODY.
    `only`: of several professionals these; none: all."""

    period: Period
    day: date
    who: str
    only: frozenset[str] = frozenset()
    cancelled: bool = False
    colours: Colours = Colours.STATE
    zoom: Zoom = Zoom.NORMAL

    @property
    def everybody(self) -> bool:
        """Whether several professionals are seen side by side."""
        return self.period is Period.DAY or self.who == EVERYBODY

    @property
    def days(self) -> tuple[date, int]:
        """The first of the days that are shown, and how many they are."""
        if self.period is Period.DAY:
            return self.day, 1
        if self.period is Period.WEEK:
            return self.day - timedelta(days=self.day.weekday()), 7
        first = self.day.replace(day=1)
        return first - timedelta(days=first.weekday()), 7 * WEEKS_OF_MONTH

    @property
    def title(self) -> str:
        """ "segunda-feira, 23/11", "23/11 – 29/11", "novembro de 2026"."""
        first, days = self.days
        if self.period is Period.DAY:
            return f"{WEEKDAY_NAMES[first.weekday()]}, {first:%d/%m}"
        if self.period is Period.WEEK:
            return f"{first:%d/%m} – {first + timedelta(days=days - 1):%d/%m}"
        return TEXTS("month_title", month=TEXTS[f"month_{self.day.month}"], year=self.day.year)

    @property
    def address(self) -> Mapping[str, str]:
        """The parameters of the page's address."""
        return {"day": self.day.isoformat(), "view": str(self.period), "professional": self.who}

    def stepped(self, steps: int) -> Self:
        """So many days, weeks or months later."""
        if self.period is Period.MONTH:
            count = self.day.year * 12 + self.day.month - 1 + steps
            return replace(self, day=nearest_day(_month(count)))
        return replace(self, day=nearest_day(self.day + timedelta(days=steps * self.days[1])))

    def shows(self, professional_id: str) -> bool:
        return not self.only or professional_id in self.only

    def kept(self) -> dict[str, Any]:
        """What the browser remembers."""
        return {"only": sorted(self.only), "colours": str(self.colours), "zoom": str(self.zoom)}

    def remembering(self, kept: object, clinic: Clinic) -> Self:
        """As the browser remembers it; what makes no sense at this clinic is left out."""
        if not isinstance(kept, dict):
            return self
        known, only = {professional.id for professional in clinic.professionals}, kept.get("only")
        return replace(
            self,
            only=frozenset(known.intersection(map(str, only))) if isinstance(only, list) else self.only,
            colours=_one_of(Colours, kept.get("colours"), self.colours),
            zoom=_one_of(Zoom, kept.get("zoom"), self.zoom),
        )


def _month(count: int) -> date:
    """The first of a month, counted from the year 0; the calendar's end where it has none."""
    year, month = divmod(count, 12)
    return date(min(max(year, date.min.year), date.max.year), month + 1, 1)


def _one_of(kind: type[E], value: object, other: E) -> E:
    return next((member for member in kind if member == value), other)

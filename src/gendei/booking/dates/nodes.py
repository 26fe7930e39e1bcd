"""The trees that the grammar builds: what was said, before the calendar gives it a date."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal

Unit = Literal["day", "week", "month", "year"]


class Which(Enum):
    """The word that picks one of several days of the same name."""

    COMING = auto()  # sexta
    THIS = auto()  # essa sexta, sexta agora
    NEXT = auto()  # sexta que vem, próxima sexta
    OTHER = auto()  # a outra sexta
    NOT_THIS = auto()  # sexta sem ser essa
    LAST = auto()  # sexta passada


class Slice(Enum):
    """A stretch of a week, a month or a year."""

    BEGINNING = auto()
    MIDDLE = auto()
    END = auto()
    FIRST_HALF = auto()
    SECOND_HALF = auto()
    WEEKEND = auto()


class Edge(Enum):
    """How an expression bounds the days or hours that are wanted."""

    ON = auto()
    FROM = auto()  # a partir de
    AFTER = auto()  # depois de
    SINCE = auto()  # desde: how long something lasts already
    UNTIL = auto()  # até
    BEFORE = auto()  # antes de
    WEEK_OF = auto()  # na semana do dia 15


class Counted(Enum):
    """What an ordinal counts inside a week, month or year."""

    DAY = auto()  # último dia do mês
    WORKING_DAY = auto()  # quinto dia útil


class Part(Enum):
    """Parts of the day as minutes after midnight, [start, end)."""

    DAWN = (0, 6 * 60)
    MORNING = (6 * 60, 12 * 60)
    AFTERNOON = (12 * 60, 18 * 60)
    NIGHT = (18 * 60, 23 * 60)


@dataclass(frozen=True, slots=True)
class Day:
    """A partly filled frame: "dia 15" fills `day`, "do mês que vem" `month_shift`; together they are one day.

    `shift` counts units from today; `week`, `month_shift` and `year_shift` count whole periods from the present one.
    `nudge` adds days to what the rest means ("véspera" is -1). `until` closes a range, `others` are further days of a
    list. `counted` is what `nth` counts where it is no weekday. `anchor` places a weekday: "a segunda depois do
    feriado". `echo` stands for "a outra": the same as the day before it in the message, one period on.
    """

    shift: tuple[int, Unit] | None = None
    span: tuple[int, Unit] | None = None
    weekday: int | None = None
    which: Which = Which.COMING
    nth: int | None = None
    counted: Counted | None = None
    week: int | None = None
    week_disputed: bool = False
    day: int | None = None
    month: int | None = None
    year: int | None = None
    month_shift: int | None = None
    year_shift: int | None = None
    feast: str | None = None
    slice: Slice | None = None
    nudge: int = 0
    edge: Edge = Edge.ON
    until: "Day | None" = None
    others: tuple["Day", ...] = ()
    anchor: "Day | None" = None
    echo: bool = False
    impossible: bool = False

    @property
    def is_calendar_period(self) -> bool:
        """Whether it is a week, month or year that other words may narrow to a day."""
        whole = self.week is not None or self.has_month or self.year is not None or self.year_shift is not None
        narrowed = self.weekday is not None or self.day is not None or self.slice or self.counted
        return whole and not narrowed and self.is_plain

    @property
    def is_mere_weekday(self) -> bool:
        """Whether it names a weekday and no more."""
        return self.weekday is not None and self == Day(weekday=self.weekday)

    @property
    def has_month(self) -> bool:
        return self.month is not None or self.month_shift is not None

    @property
    def is_plain(self) -> bool:
        """Whether nothing bounds or repeats it, so that it can still be merged with its neighbour."""
        settled = self.until or self.others or self.anchor or self.echo or self.impossible or self.span or self.nudge
        return self.edge is Edge.ON and not settled


@dataclass(frozen=True, slots=True)
class Hours:
    """An hour, a part of the day or a bound on the hours. Windows and delays are in minutes.

    `literal`: the hour is on the 24-hour clock for sure; `bare`: it is a number without "h" or minutes. `or_day`: it
    may be the number of the weekday before it ("sexta 13"). `delay` counts from now ("daqui a duas horas").
    """

    hour: int | None = None
    minute: int = 0
    literal: bool = False
    bare: bool = False
    or_day: bool = False
    part: Part | None = None
    window: tuple[int | None, int | None] | None = None
    edge: Edge = Edge.ON
    until: "Hours | None" = None
    slot: Literal["first", "last"] | None = None
    delay: int | None = None
    impossible: bool = False

"""What a phrase about dates and times means, once it is resolved."""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The days and hours that a text names, in the clinic's local calendar (no zone: it is `now`'s).

    `date` alone is one day; `date`..`end_date`, both inclusive, is a range; `open_end` means "from `date` on".
    `time` is an exact hour; otherwise `time_from`..`time_to` bound the hours, and either may be None (open).
    `slot` is "first" or "last" for "primeiro horário" and "último horário".
    `busy` are hours between which the patient cannot come ("das 14 às 16 não posso").
    `excluded` are days that the patient ruled out. `alternatives` are the days between which the text does not
    decide ("quinta que vem", "terça ou quarta"), in order; `date` is then the likelier or the first of them.
    `time_alternatives` are the hours of "15h ou 16h".
    `past`: what was said lies before now. `over`: the day that was named without a year, where the last one is nearer
    than the next one, which `date` is. `impossible`: a day or hour that does not exist was named (31/02, 25h), and the
    field that it would have filled is None.
    `spans` are the [start, end) characters of the text that were understood, so that the rest can be searched for
    other things.
    """

    date: dt.date | None = None
    end_date: dt.date | None = None
    open_end: bool = False
    time: dt.time | None = None
    time_from: dt.time | None = None
    time_to: dt.time | None = None
    slot: Literal["first", "last"] | None = None
    busy: tuple[tuple[dt.time, dt.time], ...] = ()
    excluded: tuple[dt.date, ...] = ()
    alternatives: tuple[dt.date, ...] = ()
    time_alternatives: tuple[dt.time, ...] = ()
    past: bool = False
    over: dt.date | None = None
    impossible: bool = False
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def days(self) -> tuple[dt.date, ...]:
        """The day, or those between which the text does not decide, each once; of a range the first."""
        return tuple(dict.fromkeys(day for day in (self.date, *self.alternatives) if day))

    def blanked(self, text: str) -> str:
        """The text that was resolved, with a blank for every character of `spans`."""
        kept, at = [], 0
        for start, end in self.spans:
            kept += [text[at:start], " " * (end - start)]
            at = end
        return "".join([*kept, text[at:]])

    def beside(self, before: "Resolution") -> "Resolution":
        """This with what was said `before` of the day, or of the hour, where it says nothing of it."""
        says_day, says_hour = self.date or self.alternatives, self.time or self.time_from or self.time_to
        day, hour = self if says_day else before, self if says_hour else before
        return replace(
            self,
            date=day.date,
            end_date=day.end_date,
            alternatives=day.alternatives,
            time=hour.time,
            time_from=hour.time_from,
            time_to=hour.time_to,
        )

"""Gives a `Day` tree its dates, seen from a given today."""

from dataclasses import dataclass, replace
from datetime import MAXYEAR, date, timedelta

from gendei.booking.dates.calendar import (
    SATURDAY,
    add_months,
    coming,
    exact,
    feast_in,
    is_working_day,
    just_over,
    last_occurrence,
    monday_of,
    month_end,
    moved,
    next_day_month,
    next_feast,
    next_holiday,
    nth_weekday,
    occurrences,
    with_century,
)
from gendei.booking.dates.nodes import Counted, Day, Edge, Slice, Which

_FARTHEST_YEAR = MAXYEAR - 50


@dataclass(frozen=True, slots=True)
class Days:
    """What a tree means: `start`..`end` inclusive (`end` None for one day), or nothing when it is `impossible`."""

    start: date | None
    end: date | None = None
    open_end: bool = False
    alternatives: tuple[date, ...] = ()
    excluded: tuple[date, ...] = ()
    impossible: bool = False
    over: date | None = None

    @property
    def last(self) -> date | None:
        return self.end or self.start

    def is_past(self, today: date) -> bool:
        return self.last is not None and self.last < today and not self.open_end

    def moved(self, days: int) -> "Days":
        step = timedelta(days=days)
        return replace(
            self,
            start=self.start and self.start + step,
            end=self.end and self.end + step,
            alternatives=tuple(day + step for day in self.alternatives),
            over=self.over and self.over + step,
        )


_NOWHERE = Days(None, impossible=True)


def read(day: Day, today: date, *, today_counts: bool, marked: bool = False) -> Days:
    """The dates of `day`. `today_counts`: whether a day named like today still may be today, because the hour said
    with it lies ahead; `marked`: that hour was said, so that today is no mere guess."""
    if day.year is not None and 0 < day.year < 100:
        day = replace(day, year=with_century(day.year, today))
    try:
        found = _bounded(day, today, today_counts=today_counts, marked=marked)
        return found.moved(day.nudge) if day.nudge else found
    except (OverflowError, ValueError):
        return _NOWHERE


def _bounded(day: Day, today: date, *, today_counts: bool, marked: bool) -> Days:
    if day.anchor is not None:
        return _beside_anchor(day.weekday or 0, day.anchor, today)
    if day.until is not None:
        return _range(day, day.until, today, today_counts=today_counts)
    if day.edge is Edge.SINCE:
        return _since(day, today)
    found = _point(day, today, today_counts=today_counts, marked=marked)
    if found.start is None or day.edge is Edge.ON:
        return found
    last, over = found.end or found.start, found.over
    if day.edge is Edge.FROM:
        return Days(found.start, open_end=True, over=over)
    if day.edge is Edge.AFTER:
        return Days(last + timedelta(days=1), open_end=True, over=over)
    if day.edge is Edge.WEEK_OF:
        monday = monday_of(found.start)
        return Days(monday, monday + timedelta(days=6), over=over)
    until = last if day.edge is Edge.UNTIL else found.start - timedelta(days=1)
    return Days(min(today, until), until, over=over)


def _since(day: Day, today: date) -> Days:
    """ "com dor desde segunda": the last one; what can only lie ahead begins there."""
    settled = day.shift is not None or day.week is not None or (day.day is None and day.month == today.month)
    named = replace(day, edge=Edge.ON, which=day.which if settled else Which.LAST)
    found = _point(named, today, today_counts=True, marked=False)
    if found.start is None or found.start <= today:
        return replace(found, end=None)
    return Days(found.start, open_end=True)


def _beside_anchor(weekday: int, anchor: Day, today: date) -> Days:
    """ "a segunda depois do feriado", "a sexta antes do natal", "a quarta da semana do dia 15"."""
    found = read(replace(anchor, edge=Edge.ON), today, today_counts=True)
    if found.start is None or found.last is None:
        return _NOWHERE
    if anchor.edge is Edge.WEEK_OF:
        return Days(monday_of(found.start) + timedelta(days=weekday))
    if anchor.edge is Edge.AFTER:
        return Days(coming(found.last + timedelta(days=1), weekday))
    return Days(coming(found.start - timedelta(days=7), weekday))


def _range(first: Day, last: Day, today: date, *, today_counts: bool) -> Days:
    start = _in_course(first, last, today) or read(replace(first, until=None), today, today_counts=today_counts)
    if start.start is None:
        return _NOWHERE
    counted = last.year or last.shift or last.month_shift is not None or last.year_shift is not None
    end = read(last, today if counted else max(start.start, today), today_counts=True)
    if end.last is None:
        return _NOWHERE
    if first.weekday is not None and last.weekday is not None and last.week is None and last.day is None:
        return Days(start.start, coming(start.start, last.weekday))
    return Days(start.start, end.last, over=start.over) if end.last >= start.start else _NOWHERE


def _in_course(first: Day, last: Day, today: date) -> Days | None:
    """The beginning of a range of dates without a year that has begun and is not over."""
    if first.day is None or first.month is None or last.day is None or last.month is None:
        return None
    if first.year or last.year or first.year_shift is not None or last.year_shift is not None:
        return None
    years = (exact(today.year - back, first.month, first.day) for back in (0, 1))
    begun = next((day for day in years if day and day < today), None)
    end = next_day_month(begun, last.month, last.day) if begun else None
    return Days(begun) if begun and end and end >= today else None


def _point(day: Day, today: date, *, today_counts: bool, marked: bool) -> Days:  # noqa: PLR0911 - one return a kind
    if day.impossible or (day.year is not None and not 1 < day.year < _FARTHEST_YEAR):
        return _NOWHERE
    if day.others:
        return _several(day, today, today_counts=today_counts)
    if day.shift is not None:
        return _shifted(day, today)
    if day.span is not None:
        return _spanned(day, today)
    if day.feast is not None:
        return _feast(day, today)
    if day.day is not None:
        return _numbered(day, today, today_counts=today_counts)
    if day.counted is not None:
        return _counted(day, today)
    if day.slice is Slice.WEEKEND:
        return _weekend(day, today)
    if day.week is not None:
        return _week(day, today)
    if day.has_month:
        return _month(day, today)
    if day.weekday is not None:
        return _weekday(day, today, today_counts=today_counts, marked=marked)
    return _year(day, today)


def _several(day: Day, today: date, *, today_counts: bool) -> Days:
    each = [read(named, today, today_counts=today_counts) for named in (replace(day, others=()), *day.others)]
    each = [days for days in each if days.over is None] or each
    starts = tuple(days.start for days in each if days.start is not None)
    if len(starts) < len(each):
        return _NOWHERE
    return Days(starts[0], alternatives=starts if len(starts) > 1 else (), over=each[0].over)


def _shifted(day: Day, today: date) -> Days:
    amount, unit = day.shift or (0, "day")
    start = moved(today, amount, unit)
    other = _named_beside(day, today) or start
    return Days(start, alternatives=tuple(sorted((start, other))) if other != start else ())


def _named_beside(day: Day, today: date) -> date | None:
    """The day by its number or weekday where it was said beside "hoje" or "amanhã"."""
    if day.day is not None:
        return _numbered(replace(day, weekday=None, shift=None), today, today_counts=True).start
    return coming(today, day.weekday) if day.weekday is not None else None


def _spanned(day: Day, today: date) -> Days:
    """ "os próximos três dias", and the first or last days, weeks or months of a month or year."""
    amount, unit = day.span or (0, "day")
    if not day.has_month and day.year is None and day.year_shift is None:
        edge = moved(today, amount, unit)
        return Days(edge, today - timedelta(days=1)) if amount < 0 else Days(today, edge)
    whole = read(replace(day, span=None), today, today_counts=True)
    if whole.start is None or whole.last is None:
        return _NOWHERE
    if amount < 0:
        return Days(max(moved(whole.last + timedelta(days=1), amount, unit), whole.start), whole.last)
    return Days(whole.start, min(moved(whole.start, amount, unit) - timedelta(days=1), whole.last))


def _feast(day: Day, today: date) -> Days:
    name = day.feast or ""
    if name == "dia util":
        return Days(next(found for days in range(1, 15) if is_working_day(found := today + timedelta(days=days))))
    if name == "feriado":
        # The eve of today's holiday is gone, so "véspera de feriado" looks at the next one.
        return Days(next_holiday(today + timedelta(days=1) if day.nudge < 0 else today))
    if day.year is not None or day.year_shift is not None:
        found = feast_in(name, day.year or today.year + (day.year_shift or 0))
    elif day.which is Which.LAST:
        found = next(feast for year in (0, 1, 2) if (feast := feast_in(name, today.year - year)) < today)
    else:
        found = next_feast(name, today - timedelta(days=day.nudge))
    if name == "carnaval" and day.weekday is not None:
        found = coming(found - timedelta(days=5), day.weekday)
    return Days(found)


def _numbered(day: Day, today: date, *, today_counts: bool) -> Days:
    found = _date_of(day, today, today_counts=today_counts)
    if found is None:
        return _NOWHERE
    over = just_over(found, today) if day.month and not (day.year or day.year_shift) else None
    if day.weekday in {None, (over or found).weekday()}:
        return Days(found, over=over)
    if not day.has_month:
        agreeing = next((near for near in occurrences(today, day.day or 0) if near.weekday() == day.weekday), None)
        if agreeing and (agreeing - found).days <= 93:
            return Days(agreeing)
    beside = coming(today + timedelta(days=1), day.weekday)
    return Days(found, alternatives=tuple(sorted((found, beside))))


def _date_of(day: Day, today: date, *, today_counts: bool) -> date | None:
    number = day.day or 0
    if day.month_shift is not None:
        month = add_months(today.replace(day=1), day.month_shift)
        return exact(month.year, month.month, number)
    if day.month is not None:
        if day.year is not None or day.year_shift is not None:
            return exact(day.year or today.year + (day.year_shift or 0), day.month, number)
        if day.which is Which.LAST:
            years = range(today.year, today.year - 9, -1)
            return next((one for year in years if (one := exact(year, day.month, number)) and one < today), None)
        return next_day_month(today, day.month, number)
    if day.which is Which.LAST:
        return last_occurrence(today, number)
    first = today if today_counts else today + timedelta(days=1)
    return next(occurrences(first, number), None)


def _weekend(day: Day, today: date) -> Days:
    saturday = monday_of(today) + timedelta(days=SATURDAY)
    if day.week is not None:
        saturday += timedelta(weeks=day.week)
    elif day.which is Which.LAST:
        saturday -= timedelta(weeks=1)
    elif day.which in (Which.OTHER, Which.NOT_THIS) or (day.which is Which.NEXT and today >= saturday):
        saturday += timedelta(weeks=1)
    elif day.which is Which.NEXT:
        start = saturday + timedelta(weeks=1 if (saturday - today).days == 1 else 0)
        both = (saturday, saturday + timedelta(weeks=1))
        return Days(start, start + timedelta(days=1), alternatives=both)
    return Days(saturday, saturday + timedelta(days=1))


def _week(day: Day, today: date) -> Days:
    monday = monday_of(today, day.week or 0)
    if day.weekday is not None:
        start = monday + timedelta(days=day.weekday)
        other = (start, start + timedelta(weeks=1)) if day.week_disputed else ()
        return Days(start, alternatives=other)
    first, last = {
        None: (0, 6),
        Slice.BEGINNING: (0, 1),
        Slice.MIDDLE: (1, 3),
        Slice.END: (3, 4),
    }[day.slice]
    start, end = monday + timedelta(days=first), monday + timedelta(days=last)
    if _is_over(day, end, today):
        start, end = start + timedelta(weeks=1), end + timedelta(weeks=1)
    other = (start, start + timedelta(weeks=1)) if day.week_disputed else ()
    return Days(start, end, alternatives=other)


def _month(day: Day, today: date) -> Days:
    first = _first_of_month(day, today)
    if day.weekday is not None:
        return _weekday_of_month(day, first, today)
    if day.nth is not None:
        # The first week has a working day of the month, the last one more than a Monday.
        near = first + timedelta(days=2) if day.nth > 0 else month_end(first) - timedelta(days=1)
        monday = monday_of(near, day.nth - 1 if day.nth > 0 else day.nth + 1)
        return Days(max(monday, first), min(monday + timedelta(days=6), month_end(first)))
    last = month_end(first).day
    begin, end = {
        None: (1, last),
        Slice.BEGINNING: (1, 10),
        Slice.MIDDLE: (11, 20),
        Slice.END: (21, last),
        Slice.FIRST_HALF: (1, 15),
        Slice.SECOND_HALF: (16, last),
    }[day.slice]
    if _is_over(day, first.replace(day=end), today):
        return _month(replace(day, month_shift=1, which=Which.THIS), today)
    return Days(first.replace(day=begin), first.replace(day=end))


def _counted(day: Day, today: date) -> Days:
    """ "o último dia do mês", "o quinto dia útil de maio"; what is over in this period means the next one's."""
    found = _nth_day(day, today)
    if found.start is None or found.start >= today or day.which is Which.LAST or day.year is not None:
        return found
    if day.month is not None:
        return _nth_day(replace(day, year_shift=(day.year_shift or 0) + 1), today)
    if day.week == 0:
        return _nth_day(replace(day, week=1), today)
    if day.month_shift == 0:
        return _nth_day(replace(day, month_shift=1), today)
    return _nth_day(replace(day, year_shift=1), today) if day.year_shift == 0 else found


def _nth_day(day: Day, today: date) -> Days:
    whole = read(replace(day, nth=None, counted=None), today, today_counts=True)
    if whole.start is None or whole.last is None or day.nth is None:
        return _NOWHERE
    step = timedelta(days=1 if day.nth > 0 else -1)
    at, left = (whole.start if day.nth > 0 else whole.last), abs(day.nth)
    while whole.start <= at <= whole.last:
        left -= day.counted is Counted.DAY or is_working_day(at)
        if left == 0:
            return Days(at)
        at += step
    return _NOWHERE


def _is_over(day: Day, end: date, today: date) -> bool:
    """Whether "o começo do mês", said without "deste", is the next one, because this one's is gone."""
    present = 0 in (day.week, day.month_shift, day.year_shift)
    return present and day.slice is not None and day.which is Which.COMING and end < today


def _first_of_month(day: Day, today: date) -> date:
    this_month = today.replace(day=1)
    if day.month is None:
        return add_months(this_month, day.month_shift or 0)
    if day.year is not None or day.year_shift is not None:
        return date(day.year or today.year + (day.year_shift or 0), day.month, 1)
    named = date(today.year, day.month, 1)
    if day.which is Which.THIS:
        return named
    if day.which is Which.LAST:
        return named if named < this_month else add_months(named, -12)
    return named if named >= this_month else add_months(named, 12)


def _weekday_of_month(day: Day, first: date, today: date) -> Days:
    weekday = day.weekday or 0
    if day.nth is None:
        return Days(coming(max(first, today), weekday))
    found = nth_weekday(first.year, first.month, weekday, day.nth)
    if found and found < today and day.month is not None and day.year is None and day.year_shift is None:
        found = nth_weekday(first.year + 1, first.month, weekday, day.nth)
    return Days(found) if found else _NOWHERE


def _weekday(day: Day, today: date, *, today_counts: bool, marked: bool) -> Days:
    nearest = coming(today, day.weekday or 0)
    week_on = nearest + timedelta(weeks=1)
    if day.which is Which.LAST:
        return Days(nearest - timedelta(weeks=1))
    if day.which is Which.NOT_THIS:
        return Days(week_on, excluded=(nearest,))
    if day.which is Which.OTHER:
        return Days(week_on)
    if day.which is Which.THIS:
        return Days(nearest)
    if nearest == today:
        if day.which is Which.NEXT or not today_counts:
            return Days(week_on)
        return Days(today if marked else week_on, alternatives=(today, week_on))
    if day.which is Which.NEXT and monday_of(nearest) == monday_of(today):
        tomorrow = (nearest - today).days == 1
        return Days(week_on if tomorrow else nearest, alternatives=(nearest, week_on))
    return Days(nearest)


def _year(day: Day, today: date) -> Days:
    year = day.year or today.year + (day.year_shift or 0)
    months = {None: (1, 12), Slice.BEGINNING: (1, 2), Slice.MIDDLE: (6, 7), Slice.END: (12, 12)}
    first, last = months.get(day.slice, (1, 12))
    if _is_over(day, month_end(date(year, last, 1)), today):
        year += 1
    return Days(date(year, first, 1), month_end(date(year, last, 1)))

"""Gives a `Day` tree its dates, seen from a given today."""

from dataclasses import dataclass, replace
from datetime import MAXYEAR, date, timedelta

from gendei.booking.dates.calendar import (
    SATURDAY,
    add_months,
    coming,
    days_numbered,
    exact,
    feast_in,
    is_working_day,
    just_over,
    monday_of,
    month_end,
    moved,
    next_feast,
    next_holiday,
    nth_weekday,
    with_century,
)
from gendei.booking.dates.nodes import Counted, Day, Edge, Slice, Which

_FARTHEST_YEAR = MAXYEAR - 50
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_DAYS_OF_WEEK = {None: (0, 6), Slice.BEGINNING: (0, 1), Slice.MIDDLE: (1, 3), Slice.END: (3, 4)}
_DAYS_OF_MONTH = {
    None: (1, 31),
    Slice.BEGINNING: (1, 10),
    Slice.MIDDLE: (11, 20),
    Slice.END: (21, 31),
    Slice.FIRST_HALF: (1, 15),
    Slice.SECOND_HALF: (16, 31),
}
_MONTHS_OF_YEAR = {Slice.BEGINNING: (1, 2), Slice.MIDDLE: (6, 7), Slice.END: (12, 12)}


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


def read(day: Day, today: date, *, today_counts: bool = True, marked: bool = False) -> Days:
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
    if found.start is None or found.last is None or day.edge is Edge.ON:
        return found
    if day.edge in (Edge.FROM, Edge.AFTER):
        return Days(found.start if day.edge is Edge.FROM else found.last + _DAY, open_end=True, over=found.over)
    if day.edge is Edge.WEEK_OF:
        return Days(monday_of(found.start), monday_of(found.start) + 6 * _DAY, over=found.over)
    until = found.last if day.edge is Edge.UNTIL else found.start - _DAY
    return Days(min(today, until), until, over=found.over)


def _since(day: Day, today: date) -> Days:
    """ "com dor desde segunda": the last one; what can only lie ahead begins there."""
    settled = day.shift is not None or day.week is not None or (day.day is None and day.month == today.month)
    found = read(replace(day, edge=Edge.ON, which=day.which if settled else Which.LAST, nudge=0), today)
    if found.start is None or found.start <= today:
        return replace(found, end=None)
    return Days(found.start, open_end=True)


def _beside_anchor(weekday: int, anchor: Day, today: date) -> Days:
    """ "a segunda depois do feriado", "a sexta antes do natal", "a quarta da semana do dia 15"."""
    found = read(replace(anchor, edge=Edge.ON), today)
    if found.start is None or found.last is None:
        return _NOWHERE
    if anchor.edge is Edge.WEEK_OF:
        return Days(monday_of(found.start) + timedelta(days=weekday))
    return Days(coming(found.last + _DAY if anchor.edge is Edge.AFTER else found.start - _WEEK, weekday))


def _range(first: Day, last: Day, today: date, *, today_counts: bool) -> Days:
    start = _in_course(first, last, today) or read(replace(first, until=None), today, today_counts=today_counts)
    if start.start is None:
        return _NOWHERE
    counted = last.year or last.shift or last.month_shift is not None or last.year_shift is not None
    end = read(last, today if counted else max(start.start, today))
    if end.last is None:
        return _NOWHERE
    if first.weekday is not None and last.weekday is not None and last.week is None and last.day is None:
        return Days(start.start, coming(start.start, last.weekday))
    return Days(start.start, end.last, over=start.over) if end.last >= start.start else _NOWHERE


def _in_course(first: Day, last: Day, today: date) -> Days | None:
    """The beginning of a range of dates without a year that has begun and is not over."""
    dated = first.day and first.month and last.day and last.month
    if not dated or any(day.year or day.year_shift is not None for day in (first, last)):
        return None
    begun = next(days_numbered(today, first.day or 0, first.month, back=True), None)
    end = next(days_numbered(begun, last.day or 0, last.month), None) if begun else None
    return Days(begun) if begun and end and end >= today else None


def _point(day: Day, today: date, *, today_counts: bool, marked: bool) -> Days:
    if day.impossible or (day.year is not None and not 1 < day.year < _FARTHEST_YEAR):
        return _NOWHERE
    if day.others:
        return _several(day, today, today_counts=today_counts)
    if day.shift is not None:
        return _shifted(day, today)
    if day.span is not None:
        return _spanned(day, today)
    if day.feast is not None:
        return Days(_feast(day, day.feast, today))
    if day.day is not None:
        return _numbered(day, day.day, today, today_counts=today_counts)
    if day.counted is not None:
        return _counted(day, today)
    if day.slice is Slice.WEEKEND:
        return _weekend(day, today)
    if day.week is None and day.weekday is not None:
        named = day.has_month
        return _weekday_of_month(day, day.weekday, today) if named else _weekday(day, today, today_counts, marked)
    found = _period(day, today)
    present = day.month is None and 0 in (day.week, day.month_shift, day.year_shift)
    # "O começo do mês", said without "deste", is the next one where this one's is gone.
    gone = day.slice is not None and day.which is Which.COMING and found.is_past(today)
    return _period(_of_next_period(day), today) if present and gone else found


def _several(day: Day, today: date, *, today_counts: bool) -> Days:
    each = [read(named, today, today_counts=today_counts) for named in (replace(day, others=()), *day.others)]
    each = [days for days in each if days.over is None] or each
    starts = tuple(days.start for days in each if days.start is not None)
    if len(starts) < len(each):
        return _NOWHERE
    return Days(starts[0], alternatives=starts if len(starts) > 1 else (), over=each[0].over)


def _in_dispute(*days: date) -> tuple[date, ...]:
    """The days between which the text does not decide, in order; none where they are one."""
    return tuple(sorted(days)) if len(set(days)) > 1 else ()


def _shifted(day: Day, today: date) -> Days:
    """Counted from today; its number or weekday may have been said beside it ("amanhã, terça")."""
    start = moved(today, *day.shift) if day.shift else today
    beside: date | None = start
    if day.day is not None:
        beside = _numbered(replace(day, weekday=None, shift=None), day.day, today, today_counts=True).start
    elif day.weekday is not None:
        beside = coming(today, day.weekday)
    return Days(start, alternatives=_in_dispute(start, beside or start))


def _spanned(day: Day, today: date) -> Days:
    """ "os próximos três dias", and the first or last days, weeks or months of a month or year."""
    amount, unit = day.span or (0, "day")
    if not day.has_month and day.year is None and day.year_shift is None:
        edge = moved(today, amount, unit)
        return Days(edge, today - _DAY) if amount < 0 else Days(today, edge)
    whole = read(replace(day, span=None), today)
    if whole.start is None or whole.last is None:
        return _NOWHERE
    if amount < 0:
        return Days(max(moved(whole.last + _DAY, amount, unit), whole.start), whole.last)
    return Days(whole.start, min(moved(whole.start, amount, unit) - _DAY, whole.last))


def _feast(day: Day, name: str, today: date) -> date:
    if name == "dia util":
        return next(found for days in range(1, 15) if is_working_day(found := today + days * _DAY))
    if name == "feriado":
        # The eve of today's holiday is gone, so "véspera de feriado" looks at the next one.
        return next_holiday(today + _DAY if day.nudge < 0 else today)
    if day.year is not None or day.year_shift is not None:
        found = feast_in(name, _year_of(day, today))
    elif day.which is Which.LAST:
        found = next(feast for year in (0, 1, 2) if (feast := feast_in(name, today.year - year)) < today)
    else:
        found = next_feast(name, today - day.nudge * _DAY)
    if name == "carnaval" and day.weekday is not None:
        found = coming(found - 5 * _DAY, day.weekday)
    return found


def _year_of(day: Day, today: date) -> int:
    return day.year or today.year + (day.year_shift or 0)


def _numbered(day: Day, number: int, today: date, *, today_counts: bool) -> Days:
    last = day.which is Which.LAST
    if day.month_shift is not None:
        month = add_months(today.replace(day=1), day.month_shift)
        found = exact(month.year, month.month, number)
    elif day.month is not None and (day.year is not None or day.year_shift is not None):
        found = exact(_year_of(day, today), day.month, number)
    else:
        first = today if today_counts or last or day.month else today + _DAY
        found = next(days_numbered(first, number, day.month, back=last), None)
    if found is None:
        return _NOWHERE
    over = just_over(found, today) if day.month and not (day.year or day.year_shift) else None
    if day.weekday in {None, (over or found).weekday()}:
        return Days(found, over=over)
    if not day.has_month:
        agreeing = next(near for near in days_numbered(today, number) if near.weekday() == day.weekday)
        if (agreeing - found).days <= 93:
            return Days(agreeing)
    return Days(found, alternatives=_in_dispute(found, coming(today + _DAY, day.weekday or 0)))


def _weekend(day: Day, today: date) -> Days:
    saturday = monday_of(today, day.week or 0) + timedelta(days=SATURDAY)
    later = saturday + _WEEK
    if day.week is not None or day.which in (Which.COMING, Which.THIS):
        return Days(saturday, saturday + _DAY)
    if day.which is Which.LAST:
        return Days(saturday - _WEEK, saturday - 6 * _DAY)
    if day.which is not Which.NEXT or today >= saturday:
        return Days(later, later + _DAY)
    start = later if saturday - today == _DAY else saturday
    return Days(start, start + _DAY, alternatives=(saturday, later))


def _period(day: Day, today: date) -> Days:
    """A week, month or year, or a part of one."""
    if day.week is not None:
        return _week(day, today)
    if day.has_month:
        return _month(day, _first_of_month(day, today))
    first, last = _MONTHS_OF_YEAR.get(day.slice, (1, 12)) if day.slice else (1, 12)
    year = _year_of(day, today)
    return Days(date(year, first, 1), month_end(date(year, last, 1)))


def _week(day: Day, today: date) -> Days:
    monday = monday_of(today, day.week or 0)
    if day.weekday is not None:
        start, end = monday + timedelta(days=day.weekday), None
    else:
        first, last = _DAYS_OF_WEEK[day.slice]
        start, end = monday + first * _DAY, monday + last * _DAY
    return Days(start, end, alternatives=(start, start + _WEEK) if day.week_disputed else ())


def _month(day: Day, first: date) -> Days:
    end = month_end(first)
    if day.nth is None:
        begins, ends = _DAYS_OF_MONTH[day.slice]
        return Days(first.replace(day=begins), first.replace(day=min(ends, end.day)))
    # The first week has a working day of the month, the last one more than a Monday.
    near = first + 2 * _DAY if day.nth > 0 else end - _DAY
    monday = monday_of(near, day.nth - 1 if day.nth > 0 else day.nth + 1)
    return Days(max(monday, first), min(monday + 6 * _DAY, end))


def _of_next_period(day: Day) -> Day:
    """The same in the next week, month or year."""
    if day.month is not None:
        return replace(day, year_shift=(day.year_shift or 0) + 1)
    week, month, year = (1 if shift == 0 else shift for shift in (day.week, day.month_shift, day.year_shift))
    return replace(day, week=week, month_shift=month, year_shift=year)


def _counted(day: Day, today: date) -> Days:
    """ "o último dia do mês", "o quinto dia útil de maio"; what is over in this period means the next one's."""
    found = _nth_day(day, today)
    settled = day.which is Which.LAST or day.year is not None
    return found if settled or not found.is_past(today) else _nth_day(_of_next_period(day), today)


def _nth_day(day: Day, today: date) -> Days:
    whole, nth = read(replace(day, nth=None, counted=None), today), day.nth or 1
    if whole.start is None or whole.last is None:
        return _NOWHERE
    days = [whole.start + number * _DAY for number in range((whole.last - whole.start).days + 1)]
    days = [at for at in days if day.counted is Counted.DAY or is_working_day(at)]
    return Days(days[nth - (nth > 0)]) if abs(nth) <= len(days) else _NOWHERE


def _first_of_month(day: Day, today: date) -> date:
    this_month = today.replace(day=1)
    if day.month is None:
        return add_months(this_month, day.month_shift or 0)
    named = date(_year_of(day, today), day.month, 1)
    if day.year is not None or day.year_shift is not None or day.which is Which.THIS:
        return named
    if day.which is Which.LAST:
        return named if named < this_month else add_months(named, -12)
    return named if named >= this_month else add_months(named, 12)


def _weekday_of_month(day: Day, weekday: int, today: date) -> Days:
    first = _first_of_month(day, today)
    if day.nth is None:
        return Days(coming(max(first, today), weekday))
    found = nth_weekday(first.year, first.month, weekday, day.nth)
    if found and found < today and day.month is not None and day.year is None and day.year_shift is None:
        found = nth_weekday(first.year + 1, first.month, weekday, day.nth)
    return Days(found) if found else _NOWHERE


def _weekday(day: Day, today: date, today_counts: bool, marked: bool) -> Days:
    nearest = coming(today, day.weekday or 0)
    week_on = nearest + _WEEK
    if day.which is Which.LAST:
        return Days(nearest - _WEEK)
    if day.which is Which.THIS:
        return Days(nearest)
    if day.which in (Which.NOT_THIS, Which.OTHER):
        return Days(week_on, excluded=(nearest,) if day.which is Which.NOT_THIS else ())
    if nearest == today:
        if day.which is Which.NEXT or not today_counts:
            return Days(week_on)
        return Days(today if marked else week_on, alternatives=(today, week_on))
    if day.which is Which.NEXT and monday_of(nearest) == monday_of(today):
        return Days(week_on if nearest - today == _DAY else nearest, alternatives=(nearest, week_on))
    return Days(nearest)

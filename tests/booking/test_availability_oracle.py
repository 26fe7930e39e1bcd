"""Availability against an oracle that looks at every minute and knows no arithmetic."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.booking.builders import make_clinic

from gendei.booking.agenda import Block, obeying
from gendei.booking.availability import free_slots, refusal, why_none
from gendei.booking.slots import Slot
from gendei.booking.wallclock import Interval
from gendei.clinic import BookingPolicy, Clinic, Professional, Service, TimeOff, TimeRange

PLACES = [
    ("America/Sao_Paulo", date(2026, 12, 30)),
    ("America/Sao_Paulo", date(2018, 11, 3)),
    ("America/Sao_Paulo", date(2019, 2, 15)),
    ("America/New_York", date(2026, 3, 7)),
    ("America/New_York", date(2026, 10, 31)),
    ("Europe/Lisbon", date(2026, 3, 28)),
    ("America/Santiago", date(2026, 9, 5)),
    ("Australia/Lord_Howe", date(2026, 4, 4)),
]
"""A zone and a first day: within three days the year ends, or the clocks change."""


@st.composite
def day_ranges(draw: st.DrawFn) -> tuple[TimeRange, ...]:
    cuts = draw(st.lists(st.integers(0, 96), max_size=4, unique=True).map(sorted))
    return tuple(TimeRange(cuts[n] * 15, cuts[n + 1] * 15) for n in range(0, len(cuts) - 1, 2))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Clinic, Service, Professional, list[Interval], date, datetime]:
    name, first = draw(st.sampled_from(PLACES))
    zone = ZoneInfo(name)
    begin = int(datetime.combine(first, time(), zone).timestamp()) // 60
    minute = st.integers(begin - 60, begin + 3 * 1440)
    busy = draw(st.lists(st.tuples(minute, st.integers(5, 120)), max_size=6))
    weekly = st.dictionaries(st.integers(0, 6), day_ranges(), min_size=4)
    away = [
        TimeOff(datetime.fromtimestamp(at * 60 + 30, zone), datetime.fromtimestamp((at + length) * 60 + 30, zone))
        for at, length in draw(st.lists(st.tuples(minute, st.integers(5, 900)), max_size=2))
    ]
    own = Professional("ana", "Ana", ("s",), hours=draw(st.none() | weekly), time_off=tuple(away))
    policy = BookingPolicy(
        lead_minutes=draw(st.sampled_from([0, 45, 600])),
        horizon_days=draw(st.integers(0, 3)),
        buffer_minutes=draw(st.sampled_from([0, 10])),
        step_minutes=draw(st.sampled_from([None, 15, 40])),
    )
    clinic = make_clinic(
        timezone=zone,
        hours=draw(weekly),
        closed=frozenset(draw(st.sets(st.sampled_from([first, first + timedelta(days=1)])))),
        booking=policy,
    )
    service = Service("s", "S", draw(st.sampled_from([15, 25, 45, 90])))
    now = datetime.fromtimestamp(draw(st.integers((begin - 600) * 60, (begin + 1440) * 60)), zone)
    return clinic, service, own, [(at, at + length) for at, length in busy], first, now


@cache
def shown_at(zone: ZoneInfo, day: date) -> list[tuple[datetime, int, int]]:
    """Each minute at which the wall shows `day`: the moment, its second of the epoch, the minute of the day shown."""
    noon = int(datetime.combine(day, time(12), zone).timestamp())
    moments = [(datetime.fromtimestamp(noon + 60 * n, zone), noon + 60 * n) for n in range(-900, 901)]
    return [(moment, second, moment.hour * 60 + moment.minute) for moment, second in moments if moment.date() == day]


class Oracle:
    """Reads the wall clock at every minute of the days in question."""

    def __init__(self, clinic: Clinic, service: Service, own: Professional, busy: list[Interval], now: datetime):
        self.clinic, self.service, self.own, self.busy, self.now = clinic, service, own, busy, now

    def slots(self, first: date, days: int) -> list[Slot]:
        found: list[Slot] = []
        for number in range(days):
            day = first + timedelta(days=number)
            ranges = () if day in self.clinic.closed else self.clinic.hours_of(self.own).get(day.weekday(), ())
            shown = shown_at(self.clinic.timezone, day)
            for part in ranges:
                found += [slot for slot in self._starts(part, shown) if self._free(slot)]
            found.sort(key=lambda slot: slot.start.timestamp())
        return found

    def _starts(self, part: TimeRange, shown: list[tuple[datetime, int, int]]) -> list[Slot]:
        policy, duration = self.clinic.booking, self.service.duration_minutes
        step = policy.step_minutes or duration + policy.buffer_minutes
        open_at = {second for _, second, minute in shown if part.start <= minute < part.end}
        accepted: list[Slot] = []
        wanted = set(range(part.start, part.end, step))
        for start, second in [(moment, second) for moment, second, minute in shown if minute in wanted]:
            if any(second + 60 * n not in open_at for n in range(duration)):
                continue
            if accepted and start.timestamp() - accepted[-1].start.timestamp() < step * 60:
                continue
            end = datetime.fromtimestamp(start.timestamp() + duration * 60, self.clinic.timezone)
            accepted.append(Slot("ana", start, end))
        return accepted

    def _free(self, slot: Slot) -> bool:
        policy = self.clinic.booking
        begin, end = int(slot.start.timestamp()) // 60, int(slot.end.timestamp()) // 60
        taken = {minute for start, stop in self.busy for minute in range(start, stop)}
        away = any(
            absence.start.timestamp() < slot.end.timestamp() and slot.start.timestamp() < absence.end.timestamp()
            for absence in self.own.time_off
        )
        last_day = self.clinic.local(self.now).date() + timedelta(days=policy.horizon_days)
        return (
            not away
            and not taken.intersection(range(begin - policy.buffer_minutes, end + policy.buffer_minutes))
            and slot.start.timestamp() >= self.now.timestamp() + policy.lead_minutes * 60
            and slot.start.date() <= last_day
        )


@settings(max_examples=120, deadline=None)
@given(cases())
def test_free_slots_are_what_the_oracle_finds(case):
    clinic, service, own, busy, first, now = case
    found = free_slots(clinic, service, [own], {"ana": busy}, (first, first + timedelta(days=2)), now)["ana"]
    expected = Oracle(clinic, service, own, busy, now).slots(first, 3)
    assert [(*slot, slot.start.fold, slot.end.fold) for slot in expected] == [
        (*slot, slot.start.fold, slot.end.fold) for slot in found
    ]


def test_a_slot_before_a_midnight_that_the_clocks_skip_ends_at_one():
    zone, late = ZoneInfo("America/Sao_Paulo"), TimeRange(1380, 1440)
    clinic = make_clinic(timezone=zone, hours={5: (late,)}, booking=BookingPolicy(lead_minutes=0))
    ana, service = Professional("ana", "Ana", ("s",)), Service("s", "S", 60)
    day, now = date(2018, 11, 3), datetime(2018, 11, 3, 12, tzinfo=zone)
    [slot] = free_slots(clinic, service, [ana], {}, (day, day), now)["ana"]
    assert (slot.start.isoformat(), slot.end.isoformat()) == ("2018-11-03T23:00:00-03:00", "2018-11-04T01:00:00-02:00")


@settings(max_examples=50, deadline=None)
@given(cases())
def test_exactly_the_free_slots_can_be_booked(case):
    clinic, service, own, busy, first, now = case
    found = free_slots(clinic, service, [own], {"ana": busy}, (first, first), now)["ana"]
    free = {int(slot.start.timestamp()) for slot in found}
    noon = int(datetime.combine(first, time(12), clinic.timezone).timestamp())
    moments = [datetime.fromtimestamp(noon + 300 * n, clinic.timezone) for n in range(-170, 171)]
    bookable = {
        int(moment.timestamp())
        for moment in moments
        if moment.date() == first and refusal(clinic, service, own, busy, moment, now) is None
    }
    assert {moment for moment in free if moment % 300 == 0} == bookable


@settings(max_examples=50, deadline=None)
@given(cases())
def test_slots_of_a_step_never_overlap_in_real_time(case):
    clinic, service, own, busy, first, now = case
    if (clinic.booking.step_minutes or service.duration_minutes) < service.duration_minutes:
        return
    found = free_slots(clinic, service, [own], {"ana": busy}, (first, first + timedelta(days=2)), now)["ana"]
    assert all(item.end.timestamp() <= other.start.timestamp() for item, other in pairwise(found))


@settings(max_examples=50, deadline=None)
@given(cases())
def test_a_day_without_slots_always_has_a_reason(case):
    clinic, service, own, busy, first, now = case
    if not free_slots(clinic, service, [own], {"ana": busy}, (first, first), now)["ana"]:
        assert why_none(clinic, service, [own], {"ana": busy}, first, now)


@settings(max_examples=50, deadline=None)
@given(cases(), st.lists(st.tuples(st.integers(-60, 3 * 1440), st.integers(1, 2000), st.booleans()), max_size=3))
def test_what_is_blocked_is_what_the_oracle_finds_for_time_off(case, wanted):
    clinic, service, own, busy, first, now = case
    begin = int(datetime.combine(first, time(), clinic.timezone).timestamp()) // 60
    blocks = [Block(begin + at, begin + at + length, everybody) for at, length, everybody in wanted]
    obeyed, (away,) = obeying(clinic, [own], {"ana": blocks})
    found = free_slots(obeyed, service, [away], {"ana": busy}, (first, first + timedelta(days=2)), now)["ana"]
    off = tuple(TimeOff(*(datetime.fromtimestamp(at * 60, clinic.timezone) for at in block[:2])) for block in blocks)
    expected = Oracle(clinic, service, replace(own, time_off=own.time_off + off), busy, now).slots(first, 3)
    assert expected == found

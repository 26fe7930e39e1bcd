"""Words that point at the times which are shown: "o mais cedo", "qualquer um", "mais tarde"."""

from datetime import datetime, timedelta

from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided import slot_reference as tapping
from gendei.receptionist.guided.actions import Dialogue
from gendei.receptionist.guided.confirming import chosen_start
from gendei.receptionist.guided.guided_turn import Talk
from gendei.receptionist.offers.choices import SLOTS, Choice, Kind, parse_choice, start_from
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

WIDE = timedelta(hours=4)
"""Times that are further apart are a whole day's: "mais cedo" then means its first half."""


def pointed(talk: Talk, heard: Understanding) -> Dialogue | None:
    """What the words mean for the times that are shown or asked about; None when they point at none."""
    state = talk.state
    if state.goal is Goal.CANCEL or heard.says_when or heard.services:
        return None
    times = _shown(talk)
    if heard.professional and len({start for start, _ in times}) == 1:
        with_them = [one for _, one in times if one.args[1] == heard.professional.id]
        return tapping.choose_slot(talk, with_them[0]) if with_them else None
    if (hour := _bare_hour(talk, heard)) is not None:
        within = [(start.minute, one) for start, one in times if start.hour == hour]
        at = [one for minute, one in within if minute == 0] or ([within[0][1]] if len(within) == 1 else [])
        return tapping.choose_slot(talk, at[0]) if at else None
    if heard.wants("earliest", "any_time") and times:
        return tapping.choose_slot(talk, times[0][1])
    if heard.wants("latest") and times:
        return tapping.choose_slot(talk, times[-1][1])
    if heard.wants("any_time") and state.state is SchedulingState.SELECTING_DATE:
        return scheduling.offer(talk)
    chosen = chosen_start(talk) if state.state is SchedulingState.CONFIRMING else None
    starts = [chosen] if chosen else [start for start, _ in times]
    if heard.wants("earlier", "later_time") and starts:
        return _shifted(talk, starts, earlier=heard.wants("earlier"))
    return this_one(talk) if heard.wants("this_one") and times else None


def _bare_hour(talk: Talk, heard: Understanding) -> int | None:
    """The 9 of "9 tá bom"."""
    numbers = [word for word in heard.said if word.isascii() and word.isdigit() and len(word) <= 2]
    rest = talk.vocabulary.beyond("courtesy", talk.vocabulary.beyond("yes", heard.said))
    return int(numbers[0]) if len(numbers) == 1 and rest == numbers else None


def this_one(talk: Talk) -> Dialogue:
    """ "Esse", "sim": the only time that is shown, with whomever it is; of several times or days it is asked which."""
    times, shown = _shown(talk), [option["id"] for option in talk.state.shown]
    days = [id_ for id_ in shown if (one := parse_choice(id_)) and one.kind is Kind.DAY]
    if len({start for start, _ in times}) == 1:
        yield from tapping.choose_slot(talk, times[0][1])
    elif days and days == shown:
        yield from talk.ask(talk.phrase("which_day"), days)
    else:
        yield from scheduling.resume(talk, talk.phrase("which_time") if times else "")


def _shown(talk: Talk) -> list[tuple[datetime, Choice]]:
    """The times of the last message, by start."""
    found = []
    for option in talk.state.shown:
        one = parse_choice(option["id"])
        start = start_from(one.args[2], talk.runtime.clinic) if one and one.kind in SLOTS else None
        if one and start:
            found.append((start, one))
    return sorted(found, key=lambda pair: pair[0])


def _shifted(talk: Talk, starts: list[datetime], *, earlier: bool) -> Dialogue:
    """Times before the earliest of these, or after the latest."""
    state, clocks = talk.state, sorted(timedelta(hours=one.hour, minutes=one.minute) for one in starts)
    middle = (clocks[0] + clocks[-1]) / 2 if clocks[-1] - clocks[0] > WIDE else None
    edge = middle or (clocks[0] if earlier else clocks[-1] + timedelta(minutes=1))
    minutes = int(edge.total_seconds()) // 60
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}"
    state.select_date(None, None, None if earlier else clock, clock if earlier else None)
    if state.selected_date is None and len({one.date() for one in starts}) == 1:
        state.selected_date = starts[0].date().isoformat()
    yield from talk.go("payment" if state.goal is Goal.MOVE else "sales_closer")
    yield from scheduling.offer(talk)

"""Free times as a guided conversation shows them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time

from gendei.booking.dates import Resolution, describe
from gendei.booking.slots import Slot
from gendei.messages.replies import MAX_BUTTONS
from gendei.receptionist.guided.draft_update import OPEN_END
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, joined
from gendei.receptionist.offers.choices import SLOTS, Choice, Kind, choice, parse_choice, start_from
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.rendering import capital, professional_name, slot_line, spoken_day
from gendei.receptionist.offers.slot_options import slot_menu, spread
from gendei.receptionist.state import Goal

DAYS_SHOWN = 3
MAX_SLOTS_SHOWN = 8
"""Of the ten rows of a list, two are kept for "outro dia" and "escolher profissional"."""


def slots_of(turn: GuidedTurn, rows: Iterable[Mapping[str, str]]) -> list[Slot]:
    """The slots in a tool's answer; their ends are the desk's business."""
    starts = [(row["professional_id"], start_from(f"{row['date']}T{row['time']}", turn.runtime.clinic)) for row in rows]
    return [Slot(who, start, start) for who, start in starts if start is not None]


def show_times(turn: GuidedTurn, slots: Sequence[Slot], lead: str) -> Dialogue:
    """Up to eight of the free times, spread over what was asked, and the ways to something else."""
    state, clinic = turn.state, turn.runtime.clinic
    hours = hours_asked(turn)
    key = "offer_slots_hours" if hours else "offer_slots"
    if state.selected_date:
        key = "offer_slots_range" if state.selected_until else "offer_slots_day"
    day = spoken_day(slots[0].start.date(), turn.runtime)
    text = turn.phrase(key, service=state.selected_service_name or "", weekday_date=day, hours=capital(hours))
    others = [Wish.OTHER_DAY]
    if len(clinic.professionals_for(state.selected_service_id or "")) > 1 and state.goal is Goal.BOOK:
        others.append(Wish.PROFESSIONALS)
    days = MAX_SLOTS_SHOWN if state.selected_time else DAYS_SHOWN
    yield from _show(turn, joined(lead, text), spread(_over(turn, slots), MAX_SLOTS_SHOWN, days), others)


def _over(turn: GuidedTurn, slots: Sequence[Slot]) -> Sequence[Slot]:
    """Of days with an end ("no fim do mês") the first, the middle and the last that have times."""
    state, days = turn.state, sorted({slot.start.date() for slot in slots})
    if not state.selected_date or not state.selected_until or len(days) <= DAYS_SHOWN:
        return slots
    if date.fromisoformat(state.selected_until) - date.fromisoformat(state.selected_date) >= OPEN_END:
        return slots
    shown = {days[0], days[len(days) // 2], days[-1]}
    return [slot for slot in slots if slot.start.date() in shown]


def show_nearest(turn: GuidedTurn, why: str, nearest: Sequence[Slot], told: str = "") -> Dialogue:
    """Nothing at the time asked for: why, and the nearest times that are free. told: what there is, in words."""
    if nearest:
        text = joined(why, told or turn.phrase("nearest_times"))
        yield from _show(turn, text, nearest[:MAX_SLOTS_SHOWN], [Wish.OTHER_DAY, *_wait(turn)])
    else:
        others = [Wish.OTHER_DAY, *_wait(turn), Wish.PERSON]
        yield from turn.ask(why, [choice(Kind.ACTION, wish) for wish in others])


def _wait(turn: GuidedTurn) -> list[Wish]:
    """To be told of a time that becomes free, where the clinic has a waiting list."""
    return [Wish.WAIT] if turn.runtime.clinic.waiting_list is not None else []


def shown_times(turn: GuidedTurn) -> list[tuple[datetime, Choice]]:
    """The times of the last message, by start."""
    found = []
    for option in turn.state.shown:
        chosen = parse_choice(option["id"])
        start = start_from(chosen.args[2], turn.runtime.clinic) if chosen and chosen.kind in SLOTS else None
        if chosen and start:
            found.append((start, chosen))
    return sorted(found, key=lambda pair: pair[0])


def hours_asked(turn: GuidedTurn) -> str:
    """ "às 15h", "à tarde"; "" for any hour."""
    state = turn.state
    at, since, until = (
        time.fromisoformat(hour) if hour else None for hour in (state.selected_time, state.time_from, state.time_to)
    )
    return describe(Resolution(time=at, time_from=since, time_to=until), turn.runtime.now)


def _show(turn: GuidedTurn, text: str, slots: Sequence[Slot], others: Sequence[Wish]) -> Dialogue:
    """As buttons, whose titles have no room to say with whom, the text says it; a list has room for other wishes."""
    menu = slot_menu(slots, turn.state.selected_service_id or "", turn.runtime)
    waits = [choice(Kind.ACTION, wish) for wish in others if wish is Wish.WAIT]
    if len(slots) <= MAX_BUTTONS - len(waits):
        clinic = turn.runtime.clinic
        lines = [slot_line(slot.start, professional_name(clinic, slot.professional_id)) for slot in slots]
        text = joined(text, "\n".join(lines), "\n")
        menu = menu.with_more(turn.phrase("heading_others"), waits) if waits else menu
    else:
        menu = menu.with_more(turn.phrase("heading_others"), [choice(Kind.ACTION, wish) for wish in others])
    yield from turn.show(text, menu, "list_label_times")

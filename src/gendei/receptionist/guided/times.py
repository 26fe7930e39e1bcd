"""Free times as a guided conversation shows them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from gendei.booking.slots import Slot
from gendei.clock import instant
from gendei.receptionist.guided.draft_update import OPEN_END
from gendei.receptionist.guided.guided_turn import Dialogue, Talk, joined
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice, start_from
from gendei.receptionist.offers.rendering import professional_name, slot_line, spoken_day
from gendei.receptionist.offers.slot_options import slot_menu, spread
from gendei.receptionist.replies import MAX_BUTTONS
from gendei.receptionist.state import Goal

DAYS_SHOWN = 3
MAX_SLOTS_SHOWN = 8
"""Of the ten rows of a list, two are kept for "outro dia" and "escolher profissional"."""


def slots_of(talk: Talk, rows: Iterable[Mapping[str, str]]) -> list[Slot]:
    """The slots in a tool's answer; their ends are the desk's business."""
    starts = [(row["professional_id"], start_from(f"{row['date']}T{row['time']}", talk.runtime.clinic)) for row in rows]
    return [Slot(who, start, start) for who, start in starts if start is not None]


def show_times(talk: Talk, slots: Sequence[Slot], lead: str) -> Dialogue:
    """Up to eight of the free times, spread over what was asked, and the ways to something else."""
    state, clinic = talk.state, talk.runtime.clinic
    key = "offer_slots"
    if state.selected_date:
        key = "offer_slots_range" if state.selected_until else "offer_slots_day"
    day = spoken_day(slots[0].start.date(), talk.runtime)
    text = talk.phrase(key, service=state.selected_service_name or "", weekday_date=day)
    others = [Wish.OTHER_DAY]
    if len(clinic.professionals_for(state.selected_service_id or "")) > 1 and state.goal is Goal.BOOK:
        others.append(Wish.PROFESSIONALS)
    yield from _show(talk, joined(lead, text), spread(_over(talk, slots), MAX_SLOTS_SHOWN), others)


def _over(talk: Talk, slots: Sequence[Slot]) -> Sequence[Slot]:
    """Of days with an end ("no fim do mês") the first, the middle and the last that have times."""
    state, days = talk.state, sorted({one.start.date() for one in slots})
    if not state.selected_date or not state.selected_until or len(days) <= DAYS_SHOWN:
        return slots
    if date.fromisoformat(state.selected_until) - date.fromisoformat(state.selected_date) >= OPEN_END:
        return slots
    shown = {days[0], days[len(days) // 2], days[-1]}
    return [one for one in slots if one.start.date() in shown]


def show_nearest(talk: Talk, text: str, nearest: Sequence[Slot]) -> Dialogue:
    """Nothing at the time asked for: why, and the nearest times that are free."""
    if nearest:
        text = joined(text, talk.phrase("nearest_times"))
        yield from _show(talk, text, nearest[:MAX_SLOTS_SHOWN], [Wish.OTHER_DAY])
    else:
        yield from talk.ask(text, [choice(Kind.ACTION, Wish.OTHER_DAY), choice(Kind.ACTION, Wish.PERSON)])


def show_with_others(talk: Talk, text: str, slots: Sequence[Slot]) -> Dialogue:
    """Times with several of the team, in order; `text` says why."""
    different = {(instant(slot.start), slot.professional_id): slot for slot in slots}
    ordered = [different[key] for key in sorted(different)]
    yield from _show(talk, text, ordered, [Wish.OTHER_DAY])


def _show(talk: Talk, text: str, slots: Sequence[Slot], others: Sequence[Wish]) -> Dialogue:
    """As buttons, whose titles have no room to say with whom, the text says it; a list has room for other wishes."""
    menu = slot_menu(slots, talk.state.selected_service_id or "", talk.runtime)
    if len(slots) <= MAX_BUTTONS:
        clinic = talk.runtime.clinic
        lines = [slot_line(one.start, professional_name(clinic, one.professional_id)) for one in slots]
        text = joined(text, "\n".join(lines), "\n")
    else:
        menu = menu.with_more(talk.phrase("heading_others"), [choice(Kind.ACTION, one) for one in others])
    yield from talk.show(text, menu, "list_label_times")

"""Free times as a guided conversation shows them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from gendei.booking.slots import Slot
from gendei.clock import instant
from gendei.messages.replies import MAX_BUTTONS
from gendei.receptionist.guided.draft_update import OPEN_END
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, joined
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice, start_from
from gendei.receptionist.offers.rendering import professional_name, slot_line, spoken_day
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
    key = "offer_slots"
    if state.selected_date:
        key = "offer_slots_range" if state.selected_until else "offer_slots_day"
    day = spoken_day(slots[0].start.date(), turn.runtime)
    text = turn.phrase(key, service=state.selected_service_name or "", weekday_date=day)
    others = [Wish.OTHER_DAY]
    if len(clinic.professionals_for(state.selected_service_id or "")) > 1 and state.goal is Goal.BOOK:
        others.append(Wish.PROFESSIONALS)
    yield from _show(turn, joined(lead, text), spread(_over(turn, slots), MAX_SLOTS_SHOWN), others)


def _over(turn: GuidedTurn, slots: Sequence[Slot]) -> Sequence[Slot]:
    """Of days with an end ("no fim do mês") the first, the middle and the last that have times."""
    state, days = turn.state, sorted({slot.start.date() for slot in slots})
    if not state.selected_date or not state.selected_until or len(days) <= DAYS_SHOWN:
        return slots
    if date.fromisoformat(state.selected_until) - date.fromisoformat(state.selected_date) >= OPEN_END:
        return slots
    shown = {days[0], days[len(days) // 2], days[-1]}
    return [slot for slot in slots if slot.start.date() in shown]


def show_nearest(turn: GuidedTurn, text: str, nearest: Sequence[Slot]) -> Dialogue:
    """Nothing at the time asked for: why, and the nearest times that are free."""
    if nearest:
        text = joined(text, turn.phrase("nearest_times"))
        yield from _show(turn, text, nearest[:MAX_SLOTS_SHOWN], [Wish.OTHER_DAY])
    else:
        yield from turn.ask(text, [choice(Kind.ACTION, Wish.OTHER_DAY), choice(Kind.ACTION, Wish.PERSON)])


def show_with_others(turn: GuidedTurn, text: str, slots: Sequence[Slot]) -> Dialogue:
    """Times with several of the team, in order; `text` says why."""
    different = {(instant(slot.start), slot.professional_id): slot for slot in slots}
    ordered = [different[key] for key in sorted(different)]
    yield from _show(turn, text, ordered, [Wish.OTHER_DAY])


def _show(turn: GuidedTurn, text: str, slots: Sequence[Slot], others: Sequence[Wish]) -> Dialogue:
    """As buttons, whose titles have no room to say with whom, the text says it; a list has room for other wishes."""
    menu = slot_menu(slots, turn.state.selected_service_id or "", turn.runtime)
    if len(slots) <= MAX_BUTTONS:
        clinic = turn.runtime.clinic
        lines = [slot_line(slot.start, professional_name(clinic, slot.professional_id)) for slot in slots]
        text = joined(text, "\n".join(lines), "\n")
    else:
        menu = menu.with_more(turn.phrase("heading_others"), [choice(Kind.ACTION, wish) for wish in others])
    yield from turn.show(text, menu, "list_label_times")

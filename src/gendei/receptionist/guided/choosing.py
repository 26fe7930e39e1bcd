"""What is done about an option that was chosen."""

from gendei.receptionist.capabilities import knowing, waiting
from gendei.receptionist.guided import appointments, danger, finishing, resuming, scheduling, slot_reference, wishes
from gendei.receptionist.guided.guided_turn import MENU, Dialogue, GuidedTurn
from gendei.receptionist.offers.choices import WAITING, Choice, Kind, day_from
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.patient_message import Understanding


def chosen(turn: GuidedTurn, tapped: Choice, heard: Understanding) -> Dialogue:
    """What was tapped, or taken by a bare yes."""
    if tapped.kind is Kind.KNOWLEDGE:
        return knowing.chosen(turn, tapped.args[0])
    of_waiting = tapped.kind in WAITING or str(tapped) in waiting.WISHES
    return waiting.chosen(turn, tapped, heard) if of_waiting else _chosen(turn, tapped, heard)


def _chosen(turn: GuidedTurn, tapped: Choice, heard: Understanding) -> Dialogue:
    match tapped.kind:
        case Kind.SERVICE:
            yield from _choose_service(turn, tapped.args[0], heard)
        case Kind.PROFESSIONAL:
            professional = turn.runtime.clinic.professional(tapped.args[0])
            turn.state.want_professional(*((professional.id, professional.name) if professional else (None, None)))
            yield from scheduling.resume(turn)
        case Kind.DAY:
            day = day_from(tapped.args[0])
            yield from turn.go_to_scheduler()
            yield from scheduling.choose_day(turn, day) if day else scheduling.next_question(turn)
        case Kind.SLOT | Kind.BOOK | Kind.MOVE_TO | Kind.MOVE_NOW:
            yield from slot_reference.choose_slot(turn, tapped)
        case Kind.PLAN:
            yield from scheduling.choose_plan(turn, tapped.args[0], heard)
        case Kind.CONFIRM_PRESENCE:
            yield from appointments.confirm_presence(turn, *tapped.args)
        case Kind.MOVE | Kind.CANCEL:
            change = appointments.move if tapped.kind is Kind.MOVE else appointments.cancel
            yield from change(turn, heard, tapped.args[0])
        case Kind.CANCEL_NOW:
            yield from finishing.cancel_now(turn, heard, str(tapped), tapped.args[0])
        case Kind.ACTION if str(tapped) in danger.YES_OR_NO:  # of an old message: what may be danger was seen to
            yield from turn.ask(turn.phrase("which_wish"), MENU)
        case Kind.ACTION if str(tapped) == resuming.GO_ON:
            yield from resuming.go_on(turn, heard, MENU)
        case Kind.ACTION:
            yield from wishes.fulfil(turn, Wish(tapped.args[0]), heard)


def _choose_service(turn: GuidedTurn, service_id: str, heard: Understanding) -> Dialogue:
    service = turn.runtime.clinic.service(service_id)
    if turn.state.waits and service is not None:
        turn.state.waits = False
        turn.state.select_service(service.id, service.name)
        yield from waiting.join(turn, heard)
        return
    if turn.state.goal is not Goal.BOOK or not turn.state.in_progress:
        turn.state = turn.state.begun(Goal.BOOK)
    if service is not None:
        turn.state.select_service(service.id, service.name)
    yield from scheduling.book(turn, heard)

"""The guided receptionist's policy: what to do with one turn of a patient's messages."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gendei.ear.kinds import MessageKind
from gendei.messages.turns import Danger
from gendei.receptionist.guided import (
    answers,
    appointments,
    confirming,
    danger,
    finishing,
    information,
    one_more,
    plan_notes,
    received,
    resuming,
    scheduling,
    slot_reference,
    wishes,
)
from gendei.receptionist.guided.bare_yes import acknowledges, only_shown
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.guided.repetition import unrepeated
from gendei.receptionist.guided.wishes import MENU
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Choice, Kind, day_from
from gendei.receptionist.offers.costs import keep_plan
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding, typed_in

MAX_WORDS_BESIDE = 3
"""A greeting with more words beside it ("oi, vocês atendem criança?") asks something; "fui" with more is no goodbye."""
WORDS_OF_A_STORY = 6
_COMPLAINS = ("complains", "handover_complaint")


def converse(turn: GuidedTurn) -> Dialogue:
    """One whole turn."""
    yield from unrepeated(turn, _converse(turn))


def _converse(turn: GuidedTurn) -> Dialogue:
    """Safety first, then a wish for a person or for no more messages, then what was tapped, then what
    was written, then what was sent besides words."""
    runtime, tapped = turn.runtime, turn.runtime.tapped
    typed = typed_in(runtime.inputs)
    if (waiting := one_more.decided(turn, tapped, typed)) is not None:
        typed = joined(waiting, typed)
    heard = _understood(turn, typed)
    doubted, turn.state.in_doubt = turn.state.in_doubt, None
    if doubted and danger.denied(turn, heard, doubted):
        typed, tapped, heard, runtime.danger = doubted, None, _understood(turn, doubted), Danger.DENIED
    elif (alarm := danger.alarm(turn, heard, typed, doubted)) is not None:
        yield from alarm
        return
    if heard.wants("person") and not tapped:
        of_complaint = heard.kind is MessageKind.COMPLAIN
        reason, phrase = _COMPLAINS if of_complaint else ("asked_for_person", "handover_started")
        yield from wishes.hand_over(turn, reason, phrase)
    elif heard.wants("opt_out", "opt_in") and not tapped:
        yield from _about_messages(turn, heard)
    elif tapped:
        turn.state.misunderstood = 0
        resuming.tapped_on(turn, tapped)
        yield from _chosen(turn, tapped, heard)
    elif not any(word.isalnum() for word in heard.said) and not heard.only_yes and not heard.only_no:
        yield from (
            resuming.greet(turn, MENU) if "?" in typed and not turn.state.in_progress else _without_words(turn, heard)
        )
    else:
        yield from received.acknowledge(turn)
        yield from _written(turn, heard, typed)


def _understood(turn: GuidedTurn, typed: str) -> Understanding:
    runtime = turn.runtime
    runtime.heard = hear(
        typed,
        clinic=runtime.clinic,
        vocabulary=turn.vocabulary,
        vertical=runtime.vertical,
        now=runtime.now,
        in_progress=turn.state.in_progress,
    )
    return runtime.heard


def _about_messages(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Messages that we start are wanted no more, or again. A bare "sair" while a booking is open means the booking."""
    if turn.state.in_progress and len(heard.said) == 1:
        yield from wishes.give_up(turn)
        return
    yield from turn.go("greeter")
    turn.runtime.opt_out = heard.wants("opt_out")
    yield Say(turn.phrase("opted_out" if turn.runtime.opt_out else "opted_in"))


def _without_words(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Only a picture, a place, a card, a voice: said what becomes of it, and on with what was open."""
    notice, state = received.notice(turn), turn.state
    if not state.in_progress:
        yield from turn.go("greeter")
        yield from turn.ask(notice or turn.phrase("sticker_received"), MENU if notice else [])
    elif state.goal is Goal.CANCEL:
        yield from appointments.cancel(turn, heard, state.appointment_id, notice)
    elif state.goal is Goal.BOOK and received.is_contact_card(turn):
        yield from turn.go_to_scheduler()
        yield from confirming.ask_name(turn, notice)
    else:
        yield from scheduling.resume(turn, notice)


def _chosen(turn: GuidedTurn, chosen: Choice, heard: Understanding) -> Dialogue:
    match chosen.kind:
        case Kind.SERVICE:
            yield from _choose_service(turn, chosen.args[0], heard)
        case Kind.PROFESSIONAL:
            professional = turn.runtime.clinic.professional(chosen.args[0])
            turn.state.want_professional(*((professional.id, professional.name) if professional else (None, None)))
            yield from scheduling.resume(turn)
        case Kind.DAY:
            day = day_from(chosen.args[0])
            yield from turn.go_to_scheduler()
            yield from scheduling.choose_day(turn, day) if day else scheduling.next_question(turn)
        case Kind.SLOT | Kind.BOOK | Kind.MOVE_TO | Kind.MOVE_NOW:
            yield from slot_reference.choose_slot(turn, chosen)
        case Kind.PLAN:
            yield from scheduling.choose_plan(turn, chosen.args[0], heard)
        case Kind.CONFIRM_PRESENCE:
            yield from appointments.confirm_presence(turn, chosen.args[0])
        case Kind.MOVE | Kind.CANCEL:
            change = appointments.move if chosen.kind is Kind.MOVE else appointments.cancel
            yield from change(turn, heard, chosen.args[0])
        case Kind.CANCEL_NOW:
            yield from appointments.cancel_now(turn, heard, str(chosen), chosen.args[0])
        case Kind.ACTION if str(chosen) in danger.YES_OR_NO:  # of an old message: what may be danger was seen to
            yield from turn.ask(turn.phrase("which_wish"), MENU)
        case Kind.ACTION if str(chosen) == resuming.GO_ON:
            yield from resuming.go_on(turn, heard, MENU)
        case Kind.ACTION:
            yield from wishes.fulfil(turn, Wish(chosen.args[0]), heard)


def _choose_service(turn: GuidedTurn, service_id: str, heard: Understanding) -> Dialogue:
    service = turn.runtime.clinic.service(service_id)
    if turn.state.goal is not Goal.BOOK or not turn.state.in_progress:
        turn.state = turn.state.begun(Goal.BOOK)
    if service is not None:
        turn.state.select_service(service.id, service.name)
    yield from scheduling.book(turn, heard)


def _written(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """Words: an answer to what was asked, or a new wish."""
    if resuming.goes_on(turn, heard):
        turn.state = turn.state.taken_up()
        heard = _understood(turn, typed)
    keep_plan(turn.runtime)
    if heard.wants("others_data"):
        yield from turn.ask(turn.phrase("others_data"), (MENU[0], MENU[2]))
        return
    card = plan_notes.card(turn, typed)
    wish = wishes.left_for_team(turn) if danger.is_open(turn, heard) else card or _foreign(turn, heard, typed)
    if wish is None and turn.state.in_progress:
        wish = answers.answer(turn, heard, typed)
    wish = wish or _new_wish(turn, heard, typed) or answers.nameless(turn, heard, typed)
    wish = wish or _unknown_wish(turn, heard) or _as_heard(turn, heard, typed)
    if wish is None:
        yield from _not_understood(turn, heard)
        return
    turn.state.misunderstood = 0
    yield from wish


def _foreign(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """Another language than Portuguese, where it is more than a greeting or a yes."""
    language = received.language_of(turn, heard, typed)
    if language is None or heard.only_yes or heard.only_no or turn.vocabulary.is_only("greeting", heard.said):
        return None
    return received.answer_foreign(turn, language)


def _new_wish(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What a message asks for when nothing is open, or when it is about something else."""
    if heard.kind is MessageKind.CONFIRM and "?" in typed:
        return appointments.show(turn)
    return _about_booked(turn, heard) or _about_clinic(turn, heard, typed) or _small_talk(turn, heard)


def _unknown_wish(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """Something is wanted that nothing here is called like: what there is, and a person."""
    if turn.state.in_progress or not heard.wants("wishes") or heard.kind is MessageKind.OTHER:
        return None
    if turn.vocabulary.is_only("wishes", heard.said):
        return turn.ask(turn.phrase("ask_away"), ())
    if turn.state.about:
        return turn.ask(turn.phrase("info_unknown"), (MENU[0], MENU[2]))
    if turn.runtime.awaited is not None:
        return None
    turn.state = turn.state.begun(Goal.BOOK)
    return answers.unsure(turn, "service_not_found")


def _comes(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    asked = only_shown(turn)
    is_reminder = asked is not None and asked.kind is Kind.CONFIRM_PRESENCE
    return _chosen(turn, asked, heard) if asked and is_reminder else appointments.comes(turn)


_OF_THE_AGENDA: Mapping[MessageKind | None, Callable[[GuidedTurn, Understanding], Dialogue]] = {
    MessageKind.CHANGE: appointments.move,
    MessageKind.CANCEL: appointments.cancel,
    MessageKind.SEE: lambda turn, _heard: appointments.show(turn),
    MessageKind.CONFIRM: _comes,
}
"""What the ear hears without a word that the rules know. Nothing is changed before the patient's yes."""


def _as_heard(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What the ear heard where the rules heard nothing. What asks for nothing is not asked what it wants."""
    if turn.state.in_progress:
        return None
    match heard.kind:
        case MessageKind.BOOK:
            return one_more.book(turn, heard, typed)
        case MessageKind.ASK:
            return turn.ask(turn.phrase("info_unknown"), (MENU[0], MENU[2]))
        case MessageKind.GREET:
            return resuming.greet(turn, MENU)
        case MessageKind.OTHER if turn.runtime.awaited is None:
            return turn.ask(turn.phrase("not_for_us"), ())
    if turn.runtime.awaited or not heard.in_doubt or turn.state.misunderstood:
        return None
    return turn.ask(joined(turn.phrase("which_wish"), _if_urgent(turn, heard)), MENU)


def _about_booked(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """Something that has to do with what stands in the agenda."""
    if (told := plan_notes.told(turn, heard)) is not None:
        return told
    if heard.wants("policy"):
        return wishes.inform(turn, heard)
    if (
        heard.wants("late")
        and not wishes.gives_up(heard)
        and not heard.wants("address", "price", "insurance", "payment", "phone")
    ):
        return wishes.late(turn, heard)
    if heard.wants("move", "cancel"):
        return (appointments.move if heard.wants("move") else appointments.cancel)(turn, heard)
    if heard.wants("past_appointments"):
        return appointments.show_past(turn)
    if heard.wants("appointments"):
        return appointments.show(turn)
    is_booking = heard.wants("book", "another", "someone_else") or (heard.services and heard.says_when)
    if heard.kind in _OF_THE_AGENDA and not is_booking and not heard.wants(*information.TOPICS):
        return _OF_THE_AGENDA[heard.kind](turn, heard)
    if turn.state.last and (heard.says_when or heard.professional) and not heard.services and _corrects(turn, heard):
        return appointments.move(turn, heard)
    asks = heard.wants("question", *information.TOPICS - {"companion"})
    one_more = heard.wants("another", "after_mine", "before_mine") or (
        heard.wants("someone_else") and not heard.wants("book", "companion")
    )
    return finishing.another(turn, heard, "") if one_more and not asks and turn.state.last else None


def _corrects(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what was booked is to be another time: "na verdade quarta", "amanhã não dá, tem quarta?"."""
    ruled_out = heard.when.excluded if heard.when and heard.when.date else ()
    booked_on = turn.state.last.get("date")
    other_day = any(day.isoformat() == booked_on for day in ruled_out) and not heard.wants("book", "another")
    return heard.wants("correction") or other_day


def _about_clinic(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """A question, something that only staff can do, or a booking."""
    if heard.wants("pain") and not heard.services and not heard.wants("book"):
        _remember_whom(turn, heard)
        return _comfort(turn, heard)
    if heard.wants("medicine") and not heard.wants("book"):
        return wishes.hand_over(turn, "staff_matter", "handover_staff_matter")
    heard, turn.state.topic = _asked_on(turn, heard), None
    topics = heard.intents & information.TOPICS
    booking = heard.wants("book") or (heard.mentioned and heard.says_when)
    of_staff = heard.wants("staff_matter") and topics <= information.AROUND_BOOKING
    if topics and not of_staff and not (booking and topics <= information.AROUND_BOOKING):
        _remember_whom(turn, heard)
        for_sure = heard.kind is MessageKind.BOOK and heard.is_sentence
        at_once = for_sure or (booking and heard.says_when) or (heard.services and topics <= {"offered", "children"})
        return _inform_and_book(turn, heard, typed) if at_once else wishes.inform(turn, heard)
    if heard.wants("staff_matter"):
        return wishes.hand_over(turn, "staff_matter", "handover_staff_matter")
    greets = heard.wants("greeting") and not heard.is_sentence  # "oi de novo"
    few_facts = heard.has_booking_facts and not heard.is_sentence  # "consulta daqui a 15 dias"
    if heard.kind is MessageKind.COMPLAIN and not greets and not few_facts and not heard.wants("book", "robot"):
        return wishes.hand_over(turn, *_COMPLAINS)
    if heard.kind is MessageKind.OTHER and not heard.wants("book") and not heard.says_when:
        return None
    if heard.wants("unsure") and not heard.services:
        return answers.unsure(turn)
    wanted = heard.wants("book") or heard.has_booking_facts or heard.then
    return one_more.book(turn, heard, typed, _sympathy(turn, heard)) if wanted else None


def _sympathy(turn: GuidedTurn, heard: Understanding) -> str:
    return turn.phrase("pain_first") if heard.wants("pain") else ""


def _comfort(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Somebody is unwell, and perhaps asks something too."""
    text = turn.phrase("pain_other" if turn.state.about_other else "pain")
    if heard.wants(*information.TOPICS - {"hours", "attends"}):
        text = joined(text, (yield from information.answer(turn, heard)))
    yield from turn.ask(text, (MENU[0], MENU[2]))


def _remember_whom(turn: GuidedTurn, heard: Understanding) -> None:
    """Somebody else's trouble that comes with a question: a booking that follows is theirs."""
    turn.state.about_other = heard.wants("someone_else") or turn.state.about_other


def _small_talk(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """What asks for nothing of the agenda. A bare yes takes the one thing that was offered, or agrees to what is
    done."""
    if heard.only_yes and (only := only_shown(turn)) is not None and not acknowledges(turn, heard):
        return _chosen(turn, only, heard)
    if heard.only_yes and turn.state.state is SchedulingState.COMPLETED:
        return _say(turn, "agreed")
    if heard.only_yes and acknowledges(turn, heard):
        return _say(turn, "no_hurry")
    if heard.phone and not heard.has_booking_facts and not heard.intents - answers.MAYBE_NAMES - {"someone_else"}:
        return _say(turn, "phone_told")
    if heard.wants("robot"):
        return turn.ask(turn.phrase("i_am_assistant"), (MENU[0], MENU[2]))
    if heard.wants("question"):
        return turn.ask(turn.phrase("ask_away"), ())
    if heard.wants("thanks") or (heard.wants("bye") and _is_short(turn, "bye", heard)):
        return _say(turn, "you_are_welcome" if heard.wants("thanks") else "goodbye")
    if heard.wants("later"):
        return turn.ask(turn.phrase("no_hurry"), ())
    if (heard.wants("greeting") and _is_short(turn, "greeting", heard)) or heard.only_yes:
        return resuming.greet(turn, MENU)
    return _say(turn, "goodbye") if heard.only_no else None


def _asked_on(turn: GuidedTurn, heard: Understanding) -> Understanding:
    """ "E o clareamento?" asks what was asked of the service before."""
    topic = turn.state.topic
    same = heard.said[:1] == ("e",) and not heard.says_when and not heard.wants("book", "move")
    of_another = same and (heard.services or heard.plans.any_named)
    return replace(heard, intents=heard.intents | {topic}) if topic and of_another else heard


def _is_short(turn: GuidedTurn, intent: str, heard: Understanding) -> bool:
    """Whether little more was said than this, and the clinic's name."""
    beyond, named = turn.vocabulary.beyond(intent, heard.said), {*words(turn.runtime.clinic.name)}
    return sum(word not in named for word in beyond) <= MAX_WORDS_BESIDE


def _inform_and_book(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    text = yield from information.answer(turn, heard)
    yield from one_more.book(turn, heard, typed, joined(_sympathy(turn, heard), text))


def _say(turn: GuidedTurn, phrase: str) -> Dialogue:
    yield from turn.go("greeter")
    yield Say(turn.phrase(phrase))


def _if_urgent(turn: GuidedTurn, heard: Understanding) -> str:
    return turn.phrase("if_urgent") if len(heard.said) >= WORDS_OF_A_STORY else ""


def _not_understood(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """One clarification, then options, then a person. Who told a story may have told of an emergency."""
    state, urgent = turn.state, _if_urgent(turn, heard)
    state.misunderstood += 1
    if state.misunderstood == 1 and heard.wants("greeting") and not state.in_progress:
        yield from resuming.greet(turn, MENU)
    elif turn.runtime.awaited is not None and not state.in_progress:
        yield from wishes.left_for_team(turn, urgent if state.misunderstood == 1 else "")
    elif state.misunderstood > 2:
        state.misunderstood = 0
        yield from wishes.hand_over(turn, "not_understood", "handover_not_understood")
    elif state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(turn, turn.phrase("not_understood_again"))
    elif state.misunderstood == 1:
        yield from turn.go("support")
        yield Say(joined(turn.phrase("not_understood"), urgent))
    else:
        yield from turn.go("support")
        yield from turn.ask(joined(turn.phrase("not_understood_menu"), urgent), MENU)

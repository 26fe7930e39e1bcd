"""The guided receptionist's policy: what to do with one turn of a patient's messages."""

from dataclasses import replace

from gendei.receptionist.guided import (
    answers,
    appointments,
    confirming,
    finishing,
    information,
    received,
    scheduling,
    slot_reference,
    wishes,
)
from gendei.receptionist.guided.guided_turn import Dialogue, Say, Talk, joined
from gendei.receptionist.guided.wishes import MENU
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Choice, Kind, day_from, parse_choice
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.language import first_name, words
from gendei.receptionist.understanding.patient_message import Understanding, understand, words_of

MAX_WORDS_BESIDE = 3
"""A greeting with more words beside it ("oi, vocês atendem criança?") asks something; "fui" with more is no goodbye."""
WORDS_OF_A_STORY = 6


def converse(talk: Talk) -> Dialogue:
    """One whole turn. Safety first, then a wish for a person or for no more messages, then what was tapped, then what
    was written, then what was sent besides words."""
    runtime, tapped = talk.runtime, talk.runtime.tapped
    typed = "\n".join(found for one in runtime.inputs if (found := words_of(one)))
    heard = understand(
        typed, clinic=runtime.clinic, vocabulary=talk.vocabulary, vertical=runtime.vertical, now=runtime.now
    )
    if heard.wants("crisis", "urgent"):
        yield from _urgent(talk, "crisis" if heard.wants("crisis") else "urgent")
    elif heard.wants("person") and not tapped:
        yield from wishes.hand_over(talk, "asked_for_person", "handover_started")
    elif heard.wants("opt_out", "opt_in") and not tapped:
        yield from _about_messages(talk, heard)
    elif tapped:
        talk.state.misunderstood = 0
        yield from _chosen(talk, tapped, heard)
    elif not any(word.isalnum() for word in heard.said) and not heard.only_yes and not heard.only_no:
        yield from _greet(talk) if "?" in typed and not talk.state.in_progress else _without_words(talk, heard)
    else:
        yield from received.acknowledge(talk)
        yield from _written(talk, heard, typed)


def _about_messages(talk: Talk, heard: Understanding) -> Dialogue:
    """Messages that we start are wanted no more, or again. A bare "sair" while a booking is open means the booking."""
    if talk.state.in_progress and len(heard.said) == 1:
        yield from wishes.give_up(talk)
        return
    yield from talk.go("greeter")
    talk.runtime.opt_out = heard.wants("opt_out")
    yield Say(talk.phrase("opted_out" if talk.runtime.opt_out else "opted_in"))


def _without_words(talk: Talk, heard: Understanding) -> Dialogue:
    """Only a picture, a place, a card, a voice: said what becomes of it, and on with what was open."""
    notice, state = received.notice(talk), talk.state
    if not state.in_progress:
        yield from talk.go("greeter")
        yield from talk.ask(notice or talk.phrase("sticker_received"), MENU if notice else [])
    elif state.goal is Goal.CANCEL:
        yield from appointments.cancel(talk, heard, state.appointment_id, notice)
    elif state.goal is Goal.BOOK and received.is_contact_card(talk):
        yield from wishes.to_scheduler(talk)
        yield from confirming.ask_name(talk, notice)
    else:
        yield from scheduling.resume(talk, notice)


def _chosen(talk: Talk, chosen: Choice, heard: Understanding) -> Dialogue:
    match chosen.kind:
        case Kind.SERVICE:
            yield from _choose_service(talk, chosen.args[0], heard)
        case Kind.PROFESSIONAL:
            professional = talk.runtime.clinic.professional(chosen.args[0])
            talk.state.want_professional(*((professional.id, professional.name) if professional else (None, None)))
            yield from scheduling.resume(talk)
        case Kind.DAY:
            day = day_from(chosen.args[0])
            yield from talk.go("payment" if talk.state.goal is Goal.MOVE else "sales_closer")
            yield from scheduling.choose_day(talk, day) if day else scheduling.next_question(talk)
        case Kind.SLOT | Kind.BOOK | Kind.MOVE_TO | Kind.MOVE_NOW:
            yield from slot_reference.choose_slot(talk, chosen)
        case Kind.CONFIRM_PRESENCE:
            yield from appointments.confirm_presence(talk, chosen.args[0])
        case Kind.MOVE:
            yield from appointments.move(talk, heard, chosen.args[0])
        case Kind.CANCEL:
            yield from appointments.cancel(talk, heard, chosen.args[0])
        case Kind.CANCEL_NOW:
            yield from appointments.cancel_now(talk, heard, str(chosen), chosen.args[0])
        case Kind.ACTION:
            yield from wishes.fulfil(talk, Wish(chosen.args[0]), heard)


def _choose_service(talk: Talk, service_id: str, heard: Understanding) -> Dialogue:
    service = talk.runtime.clinic.service(service_id)
    if talk.state.goal is not Goal.BOOK or not talk.state.in_progress:
        talk.state = talk.state.begun(Goal.BOOK)
    if service is not None:
        talk.state.select_service(service.id, service.name)
    yield from scheduling.book(talk, heard)


def _written(talk: Talk, heard: Understanding, typed: str) -> Dialogue:
    """Words: an answer to what was asked, or a new wish."""
    state = talk.state
    if heard.wants("others_data"):
        yield from talk.ask(talk.phrase("others_data"), (MENU[0], MENU[2]))
        return
    wish = _foreign(talk, heard, typed)
    if wish is None and state.in_progress:
        wish = answers.answer(talk, heard, typed)
    wish = wish or _new_wish(talk, heard) or answers.nameless(talk, heard, typed) or _unknown_wish(talk, heard)
    if wish is None:
        yield from _not_understood(talk, heard)
        return
    state.misunderstood = 0
    yield from wish


def _foreign(talk: Talk, heard: Understanding, typed: str) -> Dialogue | None:
    """Another language than Portuguese, where it is more than a greeting or a yes."""
    language = received.language_of(talk, heard, typed)
    if language is None or heard.only_yes or heard.only_no or talk.vocabulary.is_only("greeting", heard.said):
        return None
    return received.answer_foreign(talk, language)


def _new_wish(talk: Talk, heard: Understanding) -> Dialogue | None:
    """What a message asks for when nothing is open, or when it is about something else."""
    return _about_booked(talk, heard) or _about_clinic(talk, heard) or _small_talk(talk, heard)


def _unknown_wish(talk: Talk, heard: Understanding) -> Dialogue | None:
    """Something is wanted that nothing here is called like: what there is, and a person."""
    if talk.state.in_progress or not heard.wants("wishes"):
        return None
    if talk.vocabulary.is_only("wishes", heard.said):
        return talk.ask(talk.phrase("ask_away"), ())
    if talk.state.about:
        return talk.ask(talk.phrase("info_unknown"), (MENU[0], MENU[2]))
    talk.state = talk.state.begun(Goal.BOOK)
    return answers.unsure(talk, "service_not_found")


def _about_booked(talk: Talk, heard: Understanding) -> Dialogue | None:
    """Something that has to do with what stands in the agenda."""
    if heard.wants("policy"):
        return wishes.inform(talk, heard)
    if heard.wants("late"):
        return wishes.late(talk)
    if heard.wants("move"):
        return appointments.move(talk, heard)
    if heard.wants("cancel"):
        return appointments.cancel(talk, heard)
    if heard.wants("appointments"):
        return appointments.show(talk)
    if talk.state.last and heard.says_when and not heard.services and _corrects(talk, heard):
        return appointments.move(talk, heard)
    asks = heard.wants("question", *information.TOPICS - {"companion"})
    one_more = heard.wants("another", "after_mine", "before_mine") or (
        heard.wants("someone_else") and not heard.wants("book", "companion")
    )
    return finishing.another(talk, heard, "") if one_more and not asks and talk.state.last else None


def _corrects(talk: Talk, heard: Understanding) -> bool:
    """Whether what was booked is to be another time: "na verdade quarta", "amanhã não dá, tem quarta?"."""
    ruled_out = heard.when.excluded if heard.when and heard.when.date else ()
    booked_on = talk.state.last.get("date")
    other_day = any(one.isoformat() == booked_on for one in ruled_out) and not heard.wants("book", "another")
    return heard.wants("correction") or other_day


def _about_clinic(talk: Talk, heard: Understanding) -> Dialogue | None:
    """A question, something that only staff can do, or a booking."""
    if heard.wants("pain") and not heard.services and not heard.wants("book"):
        _remember_whom(talk, heard)
        return _comfort(talk, heard)
    if heard.wants("medicine") and not heard.wants("book"):
        return wishes.hand_over(talk, "staff_matter", "handover_staff_matter")
    heard, talk.state.topic = _asked_on(talk, heard), None
    topics = heard.intents & information.TOPICS
    booking = heard.wants("book") or (heard.mentioned and heard.says_when)
    of_staff = heard.wants("staff_matter") and topics <= information.AROUND_BOOKING
    if topics and not of_staff and not (booking and topics <= information.AROUND_BOOKING):
        _remember_whom(talk, heard)
        at_once = (booking and heard.says_when) or (heard.services and topics <= {"offered", "children"})
        return _inform_and_book(talk, heard) if at_once else wishes.inform(talk, heard)
    if heard.wants("staff_matter"):
        return wishes.hand_over(talk, "staff_matter", "handover_staff_matter")
    if heard.wants("unsure") and not heard.services:
        return answers.unsure(talk)
    wanted = heard.wants("book") or heard.has_booking_facts or heard.then
    return scheduling.book(talk, heard, _sympathy(talk, heard)) if wanted else None


def _sympathy(talk: Talk, heard: Understanding) -> str:
    return talk.phrase("pain_first") if heard.wants("pain") else ""


def _comfort(talk: Talk, heard: Understanding) -> Dialogue:
    """Somebody is unwell, and perhaps asks something too."""
    text = talk.phrase("pain_other" if talk.state.about_other else "pain")
    if heard.wants(*information.TOPICS - {"hours", "attends"}):
        text = joined(text, (yield from information.answer(talk, heard)))
    yield from talk.ask(text, (MENU[0], MENU[2]))


def _remember_whom(talk: Talk, heard: Understanding) -> None:
    """Somebody else's trouble that comes with a question: a booking that follows is theirs."""
    talk.state.about_other = heard.wants("someone_else") or talk.state.about_other


def _small_talk(talk: Talk, heard: Understanding) -> Dialogue | None:
    """What asks for nothing of the agenda. A bare yes takes the one thing that was offered, or agrees to what is
    done."""
    if heard.only_yes and (only := _only_shown(talk)) is not None:
        return _chosen(talk, only, heard)
    if heard.only_yes and talk.state.state is SchedulingState.COMPLETED and not talk.state.shown:
        return _agree(talk)
    if heard.wants("robot"):
        return talk.ask(talk.phrase("i_am_assistant"), (MENU[0], MENU[2]))
    if heard.wants("question"):
        return talk.ask(talk.phrase("ask_away"), ())
    if heard.wants("thanks") or (heard.wants("bye") and _is_short(talk, "bye", heard)):
        return _farewell(talk, heard)
    if heard.wants("later"):
        return talk.ask(talk.phrase("no_hurry"), ())
    if (heard.wants("greeting") and _is_short(talk, "greeting", heard)) or heard.only_yes:
        return _greet(talk)
    return _farewell(talk, heard) if heard.only_no else None


def _asked_on(talk: Talk, heard: Understanding) -> Understanding:
    """ "E o clareamento?" asks what was asked of the service before."""
    topic = talk.state.topic
    same = topic and heard.services and heard.said[0] == "e" and not heard.says_when and not heard.wants("book", "move")
    return replace(heard, intents=heard.intents | {topic}) if topic and same else heard


def _is_short(talk: Talk, intent: str, heard: Understanding) -> bool:
    """Whether little more was said than this, and the clinic's name."""
    named = {*words(talk.runtime.clinic.name)}
    return len([word for word in talk.vocabulary.beyond(intent, heard.said) if word not in named]) <= MAX_WORDS_BESIDE


def _only_shown(talk: Talk) -> Choice | None:
    """What a bare yes takes: the only option, or to book where that was offered beside one other thing."""
    shown = [option["id"] for option in talk.state.shown]
    return parse_choice(shown[0]) if len(shown) == 1 or shown in (list(MENU[:2]), [MENU[0], MENU[2]]) else None


def _agree(talk: Talk) -> Dialogue:
    yield from talk.go("greeter")
    yield Say(talk.phrase("agreed"))


def _inform_and_book(talk: Talk, heard: Understanding) -> Dialogue:
    text = yield from information.answer(talk, heard)
    yield from scheduling.book(talk, heard, joined(_sympathy(talk, heard), text))


def _greet(talk: Talk) -> Dialogue:
    yield from talk.go("greeter")
    name = first_name(talk.runtime.user_name or "")
    text = talk.phrase("greeting_named", name=name) if name else talk.phrase("greeting")
    yield from talk.ask(text, MENU)


def _farewell(talk: Talk, heard: Understanding) -> Dialogue:
    yield from talk.go("greeter")
    yield Say(talk.phrase("you_are_welcome" if heard.wants("thanks") else "goodbye"))


def _urgent(talk: Talk, phrase: str) -> Dialogue:
    yield from wishes.hand_over(talk, phrase, phrase, urgent=True)


def _not_understood(talk: Talk, heard: Understanding) -> Dialogue:
    """One clarification, then options, then a person. Who told a story may have told of an emergency."""
    state = talk.state
    urgent = talk.phrase("if_urgent") if len(heard.said) >= WORDS_OF_A_STORY else ""
    state.misunderstood += 1
    if state.misunderstood == 1 and heard.wants("greeting") and not state.in_progress:
        yield from _greet(talk)
    elif state.misunderstood > 2:
        state.misunderstood = 0
        yield from wishes.hand_over(talk, "not_understood", "handover_not_understood")
    elif state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(talk, talk.phrase("not_understood_again"))
    elif state.misunderstood == 1:
        yield from talk.go("support")
        yield Say(joined(talk.phrase("not_understood"), urgent))
    else:
        yield from talk.go("support")
        yield from talk.ask(joined(talk.phrase("not_understood_menu"), urgent), MENU)

"""The guided receptionist's policy: what to do with one turn of a patient's messages."""

from gendei.receptionist.choices import SLOTS, Choice, Kind, choice, day_from, parse_choice
from gendei.receptionist.choices import Action as Wish
from gendei.receptionist.guided import appointments, confirming, information, received, scheduling, tapping
from gendei.receptionist.guided.actions import Dialogue, Say
from gendei.receptionist.guided.talk import Talk
from gendei.receptionist.guided.understanding import Understanding, understand
from gendei.receptionist.state import Goal, SchedulingState

MENU = (choice(Kind.ACTION, Wish.BOOK), choice(Kind.ACTION, Wish.APPOINTMENTS), choice(Kind.ACTION, Wish.PERSON))
MAX_NAME_WORDS = 6
MAYBE_NAMES = {"yes", "no", "no_service"}
"""Intents whose words are also parts of people's names ("Ana Claro"): an answer with them is a name all the same."""
MAX_WORDS_OF_GREETING = 3
"""A greeting with more words beside it ("oi, vocês atendem criança?") asks something."""
AROUND_BOOKING = {"professionals", "services", "hours"}
"""Topics that a wish to book often touches without asking about them ("preciso de um dentista")."""


def converse(talk: Talk) -> Dialogue:
    """One whole turn. Safety first, then a wish for a person or for no more messages, then what was tapped, then what
    was written, then what was sent besides words."""
    runtime, tapped = talk.runtime, talk.runtime.tapped
    typed = "\n".join(words for one in runtime.inputs if (words := received.words_of(one)))
    heard = understand(
        typed, clinic=runtime.clinic, vocabulary=talk.vocabulary, vertical=runtime.vertical, now=runtime.now
    )
    if heard.wants("crisis", "urgent"):
        yield from _urgent(talk, "crisis" if heard.wants("crisis") else "urgent")
    elif heard.wants("person") and not tapped:
        yield from hand_over(talk, "asked_for_person", "handover_started")
    elif heard.wants("opt_out", "opt_in") and not tapped:
        yield from _about_messages(talk, heard)
    elif tapped:
        talk.state.misunderstood = 0
        yield from _chosen(talk, tapped, heard)
    elif not heard.said:
        yield from _without_words(talk, heard)
    else:
        yield from received.acknowledge(talk)
        yield from _written(talk, heard, typed)


def _about_messages(talk: Talk, heard: Understanding) -> Dialogue:
    """Messages that we start are wanted no more, or again. A bare "sair" while a booking is open means the booking."""
    if talk.state.in_progress and len(heard.said) == 1:
        yield from _give_up(talk)
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
        yield from _to_scheduler(talk)
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
            yield from tapping.choose_slot(talk, chosen)
        case Kind.CONFIRM_PRESENCE:
            yield from appointments.confirm_presence(talk, chosen.args[0])
        case Kind.MOVE:
            yield from appointments.move(talk, heard, chosen.args[0])
        case Kind.CANCEL:
            yield from appointments.cancel(talk, heard, chosen.args[0])
        case Kind.CANCEL_NOW:
            yield from appointments.cancel_now(talk, heard, str(chosen), chosen.args[0])
        case Kind.ACTION:
            yield from _wish(talk, Wish(chosen.args[0]), heard)


def _choose_service(talk: Talk, service_id: str, heard: Understanding) -> Dialogue:
    service = talk.runtime.clinic.service(service_id)
    if talk.state.goal is not Goal.BOOK or not talk.state.in_progress:
        talk.state = talk.state.begun(Goal.BOOK)
    if service is not None:
        talk.state.select_service(service.id, service.name)
    yield from scheduling.book(talk, heard)


def _wish(talk: Talk, wish: Wish, heard: Understanding) -> Dialogue:
    if wish in {Wish.OTHER_DAY, Wish.OTHER_TIME, Wish.PROFESSIONALS} and not talk.state.selected_service_id:
        wish = Wish.BOOK
    match wish:
        case Wish.BOOK:
            talk.state = talk.state.begun(Goal.BOOK)
            yield from scheduling.book(talk, heard)
        case Wish.APPOINTMENTS:
            yield from appointments.show(talk)
        case Wish.PERSON:
            yield from hand_over(talk, "asked_for_person", "handover_started")
        case Wish.SERVICES:
            yield from talk.go("product_info")
            yield from talk.ask((yield from information.answer(talk, _asking("services"))), MENU)
        case Wish.OTHER_DAY:
            yield from _to_scheduler(talk)
            yield from scheduling.ask_day(talk)
        case Wish.OTHER_TIME:
            yield from _to_scheduler(talk)
            yield from scheduling.offer_others(talk)
        case Wish.PROFESSIONALS:
            yield from _to_scheduler(talk)
            yield from scheduling.ask_professional(talk)
        case Wish.KEEP:
            yield from appointments.keep(talk)
        case Wish.GIVE_UP:
            yield from _give_up(talk)


def _asking(topic: str) -> Understanding:
    return Understanding((), frozenset({topic}))


def _to_scheduler(talk: Talk) -> Dialogue:
    yield from talk.go("payment" if talk.state.goal is Goal.MOVE else "sales_closer")


def _give_up(talk: Talk, phrase: str = "gave_up") -> Dialogue:
    """Nothing is booked, and what was held for the question is free for others at once."""
    if talk.state.state is SchedulingState.CONFIRMING:
        yield from _to_scheduler(talk)
        yield from talk.call("release_slot")
    talk.state = talk.state.finished()
    yield from talk.ask(talk.phrase(phrase), MENU[:2])


def _written(talk: Talk, heard: Understanding, typed: str) -> Dialogue:
    """Words: an answer to what was asked, or a new wish."""
    state = talk.state
    if state.in_progress and (answered := _answer(talk, heard, typed)) is not None:
        state.misunderstood = 0
        yield from answered
        return
    wish = _new_wish(talk, heard)
    if wish is None:
        yield from _not_understood(talk)
    else:
        state.misunderstood = 0
        yield from wish


def _answer(talk: Talk, heard: Understanding, typed: str) -> Dialogue | None:
    """What the words mean for the open question; None when they do not answer it."""
    state = talk.state
    asked_name, state.name_asked = state.name_asked, False
    if appointments.picking(state):
        return _picked(talk, heard)
    if asked_name and not heard.wants(*information.TOPICS, "cancel", "move", "appointments", "no"):
        return _named(talk, heard, typed)
    if heard.wants("later"):
        return _give_up(talk, "later")
    if state.state is SchedulingState.CONFIRMING and (heard.only_yes or heard.only_no):
        return _decided(talk, heard)
    if heard.only_yes:
        return _yes_to_shown(talk)
    if heard.wants("cancel") and state.goal is Goal.BOOK and not heard.wants("policy", "appointments"):
        return _give_up(talk)
    if heard.wants("policy"):
        return _answer_and_resume(talk, heard)
    if heard.wants("cancel", "appointments") or (heard.wants("move") and state.goal is not Goal.BOOK):
        return None
    return _detour(talk, heard) or (_give_up(talk) if heard.only_no else None)


def _picked(talk: Talk, heard: Understanding) -> Dialogue | None:
    """What the words mean for "which one?"; None for another wish."""
    if heard.only_no or heard.wants("later"):
        return appointments.keep(talk)
    if heard.wants("cancel", "move", "appointments") or heard.wants(*information.TOPICS):
        return None
    return appointments.pick(talk, heard)


def _detour(talk: Talk, heard: Understanding) -> Dialogue | None:
    """A question in between, another day or hour, or one more fact for the draft."""
    asks = heard.wants(*information.TOPICS) and not (heard.says_when and heard.wants("hours"))
    if asks and not heard.wants("any_professional"):
        return _answer_and_resume(talk, heard)
    if heard.wants("other_day") and not heard.when:
        return _wish(talk, Wish.OTHER_DAY, heard)
    if heard.wants("other_time", "move") and not heard.when:
        return _wish(talk, Wish.OTHER_TIME, heard)
    if heard.wants("pain") and not heard.has_booking_facts:
        return scheduling.resume(talk, talk.phrase("pain"))
    told = heard.has_booking_facts or heard.name or heard.wants("any_professional", "someone_else", "myself")
    return _continue(talk, heard) if told and talk.state.goal is not Goal.CANCEL else None


def _yes_to_shown(talk: Talk) -> Dialogue:
    """ "Sim" where a choice was asked for: the only time shown is meant, several are shown again."""
    shown = [found for option in talk.state.shown if (found := parse_choice(option["id"]))]
    times = [one for one in shown if one.kind in SLOTS]
    if len(times) == 1:
        yield from tapping.choose_slot(talk, times[0])
    else:
        yield from scheduling.resume(talk)


def _continue(talk: Talk, heard: Understanding) -> Dialogue:
    """A fact for the open draft, or a correction of it."""
    yield from _to_scheduler(talk)
    yield from scheduling.proceed(talk, heard)


def _named(talk: Talk, heard: Understanding, typed: str) -> Dialogue:
    """The answer to "em nome de quem?"."""
    state = talk.state
    if heard.wants("myself") and not heard.name:
        state.patient_name, state.awaiting_name = talk.runtime.user_name, False
        yield from scheduling.resume(talk)
        return
    name = heard.name or ("" if heard.intents - MAYBE_NAMES or heard.only_yes else " ".join(typed.split()))
    if not name or len(name.split()) > MAX_NAME_WORDS or not any(letter.isalpha() for letter in name):
        yield from confirming.ask_name(talk)
        return
    state.patient_name, state.awaiting_name = name.title() if name.islower() else name, False
    yield from scheduling.resume(talk)


def _decided(talk: Talk, heard: Understanding) -> Dialogue:
    """A plain yes or no to the last question."""
    state = talk.state
    if state.goal is Goal.CANCEL and state.appointment_id:
        if heard.only_yes:
            yield from appointments.cancel_now(talk, heard, state.question or "", state.appointment_id)
        else:
            yield from appointments.keep(talk)
    elif heard.only_yes:
        yield from _to_scheduler(talk)
        yield from confirming.said_yes(talk)
    else:
        wishes = (Wish.OTHER_TIME, Wish.OTHER_DAY, Wish.GIVE_UP)
        yield from talk.ask(talk.phrase("what_to_change"), [choice(Kind.ACTION, wish) for wish in wishes])


def _answer_and_resume(talk: Talk, heard: Understanding) -> Dialogue:
    """A question in the middle of a booking: answered, and back to where we were."""
    text = yield from information.answer(talk, heard)
    if talk.state.goal is Goal.CANCEL:
        yield Say(text)
    else:
        yield from scheduling.resume(talk, text)


def _new_wish(talk: Talk, heard: Understanding) -> Dialogue | None:
    """What a message asks for when nothing is open, or when it is about something else."""
    if heard.wants("policy"):
        return _inform(talk, heard)
    if heard.wants("move"):
        return appointments.move(talk, heard)
    if heard.wants("cancel"):
        return appointments.cancel(talk, heard)
    if heard.wants("appointments"):
        return appointments.show(talk)
    topics = heard.intents & set(information.TOPICS)
    booking = heard.wants("book") or (heard.mentioned and heard.says_when)
    if topics and not (booking and topics <= AROUND_BOOKING):
        return _inform_and_book(talk, heard) if heard.wants("book") and heard.says_when else _inform(talk, heard)
    if heard.wants("book") or heard.has_booking_facts:
        return scheduling.book(talk, heard)
    if heard.wants("robot", "pain"):
        return talk.ask(talk.phrase("pain" if heard.wants("pain") else "i_am_assistant"), (MENU[0], MENU[2]))
    if heard.wants("thanks", "bye"):
        return _farewell(talk, heard)
    beyond = talk.vocabulary.beyond("greeting", heard.said)
    if (heard.wants("greeting") and len(beyond) <= MAX_WORDS_OF_GREETING) or heard.only_yes:
        return _greet(talk)
    return _farewell(talk, heard) if heard.only_no else None


def _inform(talk: Talk, heard: Understanding) -> Dialogue:
    text = yield from information.answer(talk, heard)
    yield from talk.ask(text, [MENU[0], MENU[2]])


def _inform_and_book(talk: Talk, heard: Understanding) -> Dialogue:
    text = yield from information.answer(talk, heard)
    yield from scheduling.book(talk, heard, text)


def _greet(talk: Talk) -> Dialogue:
    yield from talk.go("greeter")
    name = (talk.runtime.user_name or "").split(" ")[0]
    text = talk.phrase("greeting_named", name=name) if name.isalpha() else talk.phrase("greeting")
    yield from talk.ask(text, MENU)


def _farewell(talk: Talk, heard: Understanding) -> Dialogue:
    yield from talk.go("greeter")
    yield Say(talk.phrase("you_are_welcome" if heard.wants("thanks") else "goodbye"))


def _urgent(talk: Talk, phrase: str) -> Dialogue:
    yield from hand_over(talk, phrase, phrase, urgent=True)


def hand_over(talk: Talk, reason: str, phrase: str, *, urgent: bool = False) -> Dialogue:
    """Give the conversation to a person; `reason` names the phrase that staff read."""
    yield from talk.go("support")
    yield from talk.call("send_text_message", text=talk.phrase(phrase))
    yield from talk.call("enable_human_takeover", reason=talk.phrase(f"reason_{reason}"), urgent=urgent)
    yield Say()


def _not_understood(talk: Talk) -> Dialogue:
    """One clarification, then options, then a person."""
    state = talk.state
    state.misunderstood += 1
    if state.misunderstood > 2:
        state.misunderstood = 0
        yield from hand_over(talk, "not_understood", "handover_not_understood")
    elif state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(talk, talk.phrase("not_understood_again"))
    elif state.misunderstood == 1:
        yield from talk.go("support")
        yield Say(talk.phrase("not_understood"))
    else:
        yield from talk.go("support")
        yield from talk.ask(talk.phrase("not_understood_menu"), MENU)

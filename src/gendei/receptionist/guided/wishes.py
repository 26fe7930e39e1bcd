"""What can be wished for without any fact: the buttons of a menu, giving up, a person."""

from gendei.receptionist.guided import appointments, information, own_appointments, scheduling
from gendei.receptionist.guided.guided_turn import Dialogue, Say, Talk
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

MENU = (choice(Kind.ACTION, Wish.BOOK), choice(Kind.ACTION, Wish.APPOINTMENTS), choice(Kind.ACTION, Wish.PERSON))
OF_A_SERVICE = ("price", "duration", "preparation")
"""What may be asked of one service after another: "quanto é a limpeza?", "e o clareamento?"."""
ABOUT_DRAFT = {Wish.OTHER_DAY, Wish.OTHER_TIME, Wish.PROFESSIONALS}


def fulfil(talk: Talk, wish: Wish, heard: Understanding) -> Dialogue:
    if wish in ABOUT_DRAFT and not talk.state.selected_service_id:
        if talk.state.in_progress and talk.state.goal is Goal.BOOK:
            yield from scheduling.resume(talk)
            return
        wish = Wish.BOOK
    match wish:
        case Wish.BOOK:
            before, talk.state = talk.state, talk.state.finished()
            talk.state.about, talk.state.about_professional = before.about, before.about_professional
            talk.state.about_other = before.about_other
            yield from scheduling.book(talk, heard)
        case Wish.APPOINTMENTS:
            yield from appointments.show(talk)
        case Wish.PERSON:
            yield from hand_over(talk, "asked_for_person", "handover_started")
        case Wish.SERVICES:
            yield from talk.go("product_info")
            asked = Understanding((), frozenset({"services"}))
            yield from talk.ask((yield from information.answer(talk, asked)), MENU)
        case Wish.OTHER_DAY:
            yield from to_scheduler(talk)
            yield from scheduling.ask_day(talk)
        case Wish.OTHER_TIME:
            yield from to_scheduler(talk)
            yield from scheduling.offer_others(talk)
        case Wish.PROFESSIONALS:
            yield from to_scheduler(talk)
            yield from scheduling.ask_professional(talk)
        case Wish.KEEP:
            yield from appointments.keep(talk)
        case Wish.GIVE_UP:
            yield from give_up(talk)


def to_scheduler(talk: Talk) -> Dialogue:
    yield from talk.go("payment" if talk.state.goal is Goal.MOVE else "sales_closer")


def give_up(talk: Talk, phrase: str = "gave_up") -> Dialogue:
    """Nothing is booked, and what was held for the question is free for others at once."""
    yield from let_go(talk)
    service = talk.state.selected_service_id if talk.state.goal is Goal.BOOK else None
    talk.state = talk.state.finished()
    talk.state.about = service if phrase == "later" else None
    yield from talk.ask(talk.phrase(phrase), MENU[:2])


def let_go(talk: Talk) -> Dialogue:
    """Free what is held for the question that is open."""
    if talk.state.state is SchedulingState.CONFIRMING and talk.state.goal is not Goal.CANCEL:
        yield from to_scheduler(talk)
        yield from talk.call("release_slot")


def hand_over(talk: Talk, reason: str, phrase: str, *, urgent: bool = False, **values: str) -> Dialogue:
    """Give the conversation to a person; `reason` names the phrase that staff read."""
    yield from talk.go("support")
    yield from talk.call("send_text_message", text=talk.phrase(phrase, **values))
    yield from talk.call("enable_human_takeover", reason=talk.phrase(f"reason_{reason}"), urgent=urgent)
    yield Say()


def inform(talk: Talk, heard: Understanding) -> Dialogue:
    """A question, outside of any booking. Where the clinic is goes as a pin or, where its coordinates
    are not known, with a button that opens the map."""
    clinic = talk.runtime.clinic
    if heard.wants("address") and clinic.address and not heard.wants(*information.TOPICS - {"address"}):
        yield from talk.go("product_info")
        if clinic.location:
            yield from talk.call("enviar_localizacao")
        else:
            yield from talk.call("enviar_cta", **information.map_link(talk))
        yield Say()
        return
    talk.state.about = heard.service.id if heard.service else talk.state.about
    talk.state.about_professional = heard.professional.id if heard.professional else talk.state.about_professional
    talk.state.topic = next((one for one in OF_A_SERVICE if one in heard.intents), None)
    text = yield from information.answer(talk, heard)
    yield from talk.ask(text, [MENU[0], MENU[2]])


def late(talk: Talk) -> Dialogue:
    """Somebody is on the way: staff hear of it, and the patient what stands and what the clinic says of being late."""
    today = talk.runtime.now.date().isoformat()
    found = [one["line"] for one in (yield from own_appointments.mine(talk)) if one["date"] == today]
    lines = [*found, *(yield from information.noted(talk, "late"))]
    if found:
        yield from hand_over(talk, "late", "late_today", lines="\n".join(lines))
    else:
        yield from hand_over(talk, "late", "late_unknown")

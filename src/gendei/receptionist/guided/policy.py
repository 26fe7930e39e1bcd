"""What is done about a message that answers no open question: a dialogue for each meaning of the rules."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gendei.ear.kinds import MessageKind
from gendei.receptionist.capabilities import knowing, plan_notes
from gendei.receptionist.guided import (
    appointments,
    asked_appointments,
    finishing,
    information,
    one_more,
    resuming,
    scheduling,
    several_questions,
    wishes,
)
from gendei.receptionist.guided.choosing import chosen
from gendei.receptionist.guided.guided_turn import BOOK_OR_PERSON, MENU, Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.guided.mentions import mentions_of, only_shown
from gendei.receptionist.guided.politeness import sympathy
from gendei.receptionist.guided.rules import Meaning, rules
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.ranked_rules import first_of

WORDS_OF_A_STORY = 6
Policy = Callable[[GuidedTurn, Understanding, str], Dialogue]


def meant(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What the first rule that fits says is to be done; None where none does."""
    heard, turn.state.topic = _asked_on(turn, heard), None
    rule = first_of(rules(), mentions_of(turn, heard, typed))
    if rule is None:
        return None
    turn.runtime.rule = rule.rule
    return POLICY[rule.means](turn, heard, typed)


def if_urgent(turn: GuidedTurn, heard: Understanding) -> str:
    """Whom to call in an emergency, said to who told a story that was not understood."""
    told = [word for word in heard.said if word.isalpha()]
    return turn.phrase("if_urgent") if len(told) >= WORDS_OF_A_STORY else ""


def _asked_on(turn: GuidedTurn, heard: Understanding) -> Understanding:
    """ "E o clareamento?" asks what was asked of the service before."""
    topic = turn.state.topic
    same = heard.said[:1] == ("e",) and not heard.says_when and not heard.wants("book", "move")
    of_another = same and (heard.services or heard.plans.any_named)
    return replace(heard, intents=heard.intents | {topic}) if topic and of_another else heard


def _said(phrase: str) -> Policy:
    def say(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
        yield from turn.go("greeter")
        yield Say(turn.phrase(phrase))

    return say


def _asked(phrase: str, *choices: str) -> Policy:
    return lambda turn, _heard, _typed: turn.ask(turn.phrase(phrase), choices)


def _handed_over(reason: str, phrase: str) -> Policy:
    return lambda turn, _heard, _typed: wishes.hand_over(turn, reason, phrase)


def _come(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    asked = only_shown(turn)
    is_reminder = asked is not None and asked.kind is Kind.CONFIRM_PRESENCE
    return chosen(turn, asked, heard) if asked and is_reminder else appointments.comes(turn)


def _answer(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """A question; or what only sounds like one, and tells of what stands ("o Otávio me atende na sexta?")."""
    _remember_whom(turn, heard)
    around = heard.intents & information.TOPICS <= information.AROUND_BOOKING
    tells = one_more.may_change(heard) if around else heard.likeliest in one_more.CHANGES
    if tells and not heard.wants("keeps") and (standing := (yield from one_more.told_of(turn, heard))):
        text = yield from information.answer(turn, heard)
        yield from one_more.ask_about(turn, standing, typed, text)
    else:
        yield from wishes.inform(turn, heard)


def _tell_about(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    """Something is asked of a service in words that no topic has: all that the clinic says of it, by the plan that is
    named too, and that the team knows more."""
    _remember_whom(turn, heard)
    turn.state.about = heard.service.id if heard.service else turn.state.about
    topics = {"about"} | ({"insurance"} if heard.plans.any_named else set())
    topics |= {"preparation"} if any(service.preparation for service in heard.services) else set()
    text = yield from information.answer(turn, replace(heard, intents=heard.intents | topics))
    unknown = "" if heard.plans.any_named else turn.unknown()
    yield from turn.ask(joined(unknown, text), BOOK_OR_PERSON)


def _unless_told_of(policy: Policy) -> Policy:
    """`policy`, which is little more than a guess, but where the message tells of what stands, and asks nothing."""

    def decide(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
        tells = heard.likeliest is not MessageKind.ASK or one_more.may_change(heard)
        standing = (yield from one_more.told_of(turn, heard)) if tells else []
        yield from one_more.ask_about(turn, standing, typed) if standing else policy(turn, heard, typed)

    return decide


OF_SERVICES = frozenset(wishes.OF_A_SERVICE)
"""As information.SOFT, where no service is spoken of ("em quanto tempo sai o resultado?")."""


def _unless_known(policy: Policy, *, sure: bool = False) -> Policy:
    """`policy`, but where the clinic's knowledge answers the question. sure: not where the patient would have to
    choose, and not as a gap."""

    def decide(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
        return knowing.told(turn, typed, lambda: policy(turn, heard, typed), sure=sure)

    return decide


def _unless_known_better(policy: Policy) -> Policy:
    """`policy`, but where all that is asked is a topic of which the clinic's knowledge surely says more. What the
    clinic's data do not say either is a gap."""

    def decide(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
        topics = heard.intents & information.TOPICS
        of_service = heard.services or turn.state.about
        if not topics <= (information.SOFT if of_service else information.SOFT | OF_SERVICES):
            return policy(turn, heard, typed)
        sure = not information.lacks(turn, heard)
        return knowing.told(turn, typed, lambda: policy(turn, heard, typed), sure=sure)

    return decide


def _unless_several(policy: Policy) -> Policy:
    """`policy`, but where several questions are asked that have answers."""

    def decide(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
        text = yield from several_questions.answer(turn, heard, typed)
        if text:
            _remember_whom(turn, heard)
            turn.state.about = heard.service.id if heard.service else turn.state.about
        yield from turn.ask(text, BOOK_OR_PERSON) if text else policy(turn, heard, typed)

    return decide


def _change(carry_out: Callable[[GuidedTurn, Understanding], Dialogue]) -> Policy:
    """`carry_out`, behind the answers to what is asked beside it."""

    def decide(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
        turn.lead = yield from several_questions.beside(turn, heard, typed)
        yield from carry_out(turn, heard)

    return decide


def _answer_and_book(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    _remember_whom(turn, heard)
    text = yield from several_questions.answer(turn, heard, typed)
    text = text or (yield from information.answer(turn, heard))
    yield from one_more.book(turn, heard, typed, joined(sympathy(turn, heard, before_times=True), text))


def _book(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    return one_more.book(turn, heard, typed, sympathy(turn, heard, before_times=True))


def _comfort(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    """Somebody is unwell, and perhaps asks something too."""
    _remember_whom(turn, heard)
    text = sympathy(turn, heard)
    if heard.wants(*information.TOPICS - {"hours", "attends"}):
        text = joined(text, (yield from information.answer(turn, heard)))
    yield from turn.ask(text, BOOK_OR_PERSON)


def _remember_whom(turn: GuidedTurn, heard: Understanding) -> None:
    """Somebody else's trouble that comes with a question: a booking that follows is theirs."""
    turn.state.about_other = heard.wants("someone_else") or turn.state.about_other


def _take_offer(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    offered = only_shown(turn)
    return chosen(turn, offered, heard) if offered else resuming.greet(turn, MENU)


def _service_not_found(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    """Something is wanted that nothing here is called like: what there is, and a person."""
    turn.state = turn.state.begun(Goal.BOOK)
    return scheduling.unsure(turn, "service_not_found")


def _not_known(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    return turn.ask(turn.unknown(), BOOK_OR_PERSON)


def _ask_wish(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    return turn.ask(joined(turn.phrase("which_wish"), if_urgent(turn, heard)), MENU)


POLICY: Mapping[Meaning, Policy] = {
    Meaning.SHOW_APPOINTMENTS: lambda turn, heard, _typed: appointments.show(turn, heard),
    Meaning.SHOW_PAST: lambda turn, _heard, _typed: appointments.show_past(turn),
    Meaning.SHOW_BOOKED: lambda turn, heard, _typed: asked_appointments.of_booked(turn, heard),
    Meaning.SHOW_TOLD_OF: lambda turn, heard, _typed: asked_appointments.told_of(turn, heard),
    Meaning.NOTE_PLAN: lambda turn, heard, _typed: plan_notes.note(turn, heard.plans.plan or ""),
    Meaning.NOTE_LATE: lambda turn, heard, _typed: wishes.late(turn, heard),
    Meaning.MOVE: _change(appointments.move),
    Meaning.CANCEL: _change(appointments.cancel),
    Meaning.COME: _come,
    Meaning.BOOK_ANOTHER: lambda turn, heard, _typed: finishing.another(turn, heard, ""),
    Meaning.ANSWER: _unless_several(_unless_known_better(_answer)),
    Meaning.ASK_TEAM: _unless_known(_not_known),
    Meaning.ANSWER_AND_BOOK: _answer_and_book,
    Meaning.BOOK: _book,
    Meaning.ADVISE: lambda turn, _heard, _typed: scheduling.unsure(turn),
    Meaning.SERVICE_NOT_FOUND: _unless_told_of(_unless_known(_service_not_found, sure=True)),
    Meaning.COMFORT: _comfort,
    Meaning.STAFF_MATTER: _unless_known(_handed_over("staff_matter", "handover_staff_matter"), sure=True),
    Meaning.ARRIVED: _handed_over(*wishes.ARRIVED),
    Meaning.COMPLAINT: _handed_over(*wishes.COMPLAINS),
    Meaning.TAKE_OFFER: _take_offer,
    Meaning.AGREED: _said("agreed"),
    Meaning.NO_HURRY: _said("no_hurry"),
    Meaning.NUMBER_TOLD: _said("number_told"),
    Meaning.I_AM_ASSISTANT: _asked("i_am_assistant", *BOOK_OR_PERSON),
    Meaning.ASK_AWAY: _asked("ask_away"),
    Meaning.YOU_ARE_WELCOME: _said("you_are_welcome"),
    Meaning.GOODBYE: _said("goodbye"),
    Meaning.GREET: lambda turn, _heard, _typed: resuming.greet(turn, MENU),
    Meaning.TELL_ABOUT: _unless_several(_unless_known(_tell_about, sure=True)),
    Meaning.NOT_KNOWN: _unless_several(_unless_told_of(_unless_known(_not_known))),
    Meaning.NOT_FOR_US: _unless_told_of(_unless_known(_asked("not_for_us"), sure=True)),
    Meaning.NOT_THIS: lambda turn, _heard, _typed: appointments.other_than_shown(turn),
    Meaning.ASK_WISH: _unless_told_of(_unless_known(_ask_wish, sure=True)),
}

"""What a patient's words mean while something is open: an answer, one more fact, a correction, a question between."""

import re
from dataclasses import replace
from itertools import pairwise

from gendei.ear.answers import Asked, share_of_yes, sure_yes
from gendei.ear.kinds import MessageKind
from gendei.health_plan import PRIVATE
from gendei.kinship import KIN
from gendei.receptionist.guided import appointments, confirming, finishing, plans, scheduling, slot_reference, wishes
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS, asks_about_clinic
from gendei.receptionist.guided.information import answer as inform
from gendei.receptionist.guided.naming import (
    MAX_NAME_WORDS,
    MAYBE_NAMES,
    PARTICLES,
    bare_name,
    capitalised,
    is_small_talk,
    name_part,
)
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.questions import further_wish
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.receptionist.understanding.language import contains, name_in, words
from gendei.receptionist.understanding.names_told import undressed
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.service_names import EMPTY, TITLES

MAX_PLAN_WORDS = 3
_MORE_THAN_A_PLAN = frozenset({"move", "other_day", "other_time", "another", "also"}) | TOPICS - {"insurance"}
_FOR_SOMEBODY = re.compile(r"(?:(?:não|na verdade|ah)[, ]+)?[eé]\s+(?:pr[ao]|para)\s+(?:[ao]\s+)?(.+)", re.IGNORECASE)
_AGE = re.compile(r"\b(?:tem|faz|fez|com|de|tenho) \d{1,2} (?:ano|aninho|mes)")
_OWN = frozenset({"minha", "meu"})
_OF_SOMEBODY = frozenset({"mim", "nossa", "nosso", *_OWN})
DAS_DORES = ("das", "dores")
"""A name that is no complaint."""


def answer(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What the words mean for the open question; None when they do not answer it."""
    state = turn.state
    asked_name, state.name_asked = state.name_asked, False
    if appointments.picking(state):
        return _picked(turn, heard)
    says_else = heard.wants(*TOPICS, "cancel", "move", "appointments", "no", "wait", "another", "also")
    if (asked_name and not says_else) or (state.awaiting_name and _is_name_of_another(state, heard, typed)):
        return _named(turn, heard, typed)
    if (name := _name_of_who_comes(turn, heard, typed)) is not None:
        return _named(turn, replace(heard, name=name), typed)
    if (told := _plan_told(turn, heard, typed)) is not None or (heard.wants("later") and not asks_about_clinic(heard)):
        return told or wishes.give_up(turn, "later")
    if heard.wants("wait") and _only_waits(turn, heard):
        return _wait(turn)
    stands = state.stands(state.question, turn.runtime.now)
    agreed = bool(turn.runtime.agreed) and "?" not in typed if stands else heard.only_yes
    if state.state is SchedulingState.CONFIRMING and (agreed or heard.only_no):
        return _decided(turn, heard, typed, agreed=agreed)
    if _books_nothing(turn, heard):
        return _asked_again(turn)
    if heard.only_yes or (_offers_times(turn) and _agrees_alone(turn, heard, typed)):
        return slot_reference.this_one(turn)
    if heard.wants("policy"):
        return _answer_and_resume(turn, heard)
    other = _instead_of_cancelling(turn, heard) if state.goal is Goal.CANCEL else None
    return other or _correction(turn, heard)


def _books_nothing(turn: GuidedTurn, heard: Understanding) -> bool:
    """ "Marca aí", asked whether to move or to cancel: no wish for another appointment."""
    asked = turn.state.state is SchedulingState.CONFIRMING and turn.state.goal is not Goal.BOOK
    says_more = heard.has_booking_facts or heard.wants(*TOPICS, "another", "also", "cancel", "appointments")
    return asked and (heard.wants("book") or heard.only_yes) and not says_more


def _asked_again(turn: GuidedTurn) -> Dialogue:
    again, asked = turn.phrase("ask_again"), Understanding((), frozenset())
    if turn.state.goal is Goal.MOVE:
        return scheduling.resume(turn, again)
    return appointments.cancel(turn, asked, turn.state.appointment_id, again)


def _plan_told(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """By which health plan they come, told in a booking: in any words where that was asked, else by its name."""
    state, named, asked = turn.state, heard.plans, plans.was_asked(turn)
    if state.goal is not Goal.BOOK or named.asks:
        return None
    if asked and heard.only_no:
        state.tell_plan(PRIVATE)
        return scheduling.resume(turn)
    if named.plan is None and not named.other:
        if asked and (named.generic or len(named.taken) > 1):
            return plans.ask(turn)
        is_name = len(heard.said) <= MAX_PLAN_WORDS and EMPTY.isdisjoint(heard.said) and "?" not in typed
        unheard = asked and is_name and not heard.has_booking_facts and not heard.intents
        few = len(heard.said) <= MAX_PLAN_WORDS and not heard.has_booking_facts
        if asked and few and heard.wants("any_time", "any_professional"):
            return scheduling.resume(turn)  # "tanto faz"
        name = typed.strip(" .!")
        return plans.unknown(turn, capitalised(name) if name.islower() else name) if unheard else None
    if named.other:
        return plans.unknown(turn, named.other)
    if heard.has_booking_facts or heard.wants(*_MORE_THAN_A_PLAN):
        return None  # kept already, and there is more to it
    open_ = state.state is SchedulingState.CONFIRMING
    noted = "plan_noted_private" if named.plan == PRIVATE else "plan_noted"
    return scheduling.resume(turn, "" if open_ else turn.phrase(noted, plan=named.plan or ""))


def _offers_times(turn: GuidedTurn) -> bool:
    return turn.state.state is SchedulingState.SELECTING_TIME


def _agrees_alone(turn: GuidedTurn, heard: Understanding, typed: str) -> bool:
    """Whether it is a yes in words that no list has, and nothing else ("uai, confirma logo")."""
    told = heard.has_booking_facts or heard.name or heard.wants(*TOPICS, "no", "wait", "later", "another", "also")
    told = told or any(word.isdigit() for word in heard.said)
    return not told and "?" not in typed and share_of_yes(typed, Asked.BOOK) >= sure_yes()


def _instead_of_cancelling(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """Who is asked about a cancellation wants none, another time instead, or only some of them cancelled."""
    if any(first == "nao" and turn.vocabulary.hears([second], "cancel") for first, second in pairwise(heard.said)):
        return appointments.keep(turn)
    if turn.state.together:
        names_some = heard.has_booking_facts or not set(heard.said).isdisjoint(KIN | {"minha", "meu"})
        return appointments.cancel_some(turn, heard) if names_some else None
    if turn.state.appointment_id is None or heard.wants("cancel", "appointments", "policy"):
        return None
    if heard.kind is MessageKind.CANCEL:
        return _asked_again(turn)
    if heard.wants("no") and heard.when and str(heard.when.date) == turn.state.selected_date:
        return appointments.keep(turn)  # "não, deixa a de quinta"
    if heard.wants("no") and not heard.says_when:
        return None
    other_time = heard.wants("move", "changes", "other_day", "other_time", "earlier", "later_time")
    return appointments.move(turn, heard, turn.state.appointment_id) if heard.says_when or other_time else None


def _only_waits(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether nothing else is wanted, or nothing that can be done meanwhile ("não sei se ela vai querer, peraí")."""
    rest = list(heard.said)
    for intent in ("courtesy", "wait", "no"):
        rest = turn.vocabulary.beyond(intent, rest)
    told = heard.has_booking_facts or heard.name or "?" in heard.said
    return not rest or not (told or heard.intents - {"wait", "courtesy", "no", "no_service", "someone_else", "unsure"})


def nameless(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """Words that mean nothing else, while it is open who comes, or written as names are before the yes to a booking:
    they are the name."""
    state = turn.state
    told_early = state.in_progress and state.goal is Goal.BOOK and _written_as_name(typed)
    if heard.intents - MAYBE_NAMES or not 2 <= len(heard.said) <= MAX_NAME_WORDS:
        return None
    if not state.awaiting_name and not told_early:
        return None
    likely = all(word.isalpha() and word not in EMPTY for word in heard.said)
    return _named(turn, heard, typed) if likely else None


def _name_of_who_comes(turn: GuidedTurn, heard: Understanding, typed: str) -> str | None:
    """The name in "é para ana prado", before the yes to a booking, in capitals or without."""
    state, found = turn.state, _FOR_SOMEBODY.fullmatch(typed.strip(" .!"))
    if found is None or state.state is not SchedulingState.CONFIRMING or state.goal is not Goal.BOOK:
        return None
    said, no_names = words(found[1]), EMPTY | KIN | _OF_SOMEBODY
    named = 2 <= len(said) <= MAX_NAME_WORDS and all(word.isalpha() and word not in no_names for word in said)
    theirs = heard.professional is not None and {*words(heard.professional.name), *TITLES}.issuperset(said)
    facts = heard.services or heard.says_when or theirs
    return found[1] if named and not facts and not heard.intents - MAYBE_NAMES else None


def _is_name_of_another(state: SchedulingAgentState, heard: Understanding, typed: str) -> bool:
    """Whether it is a name of which a professional bears only a part ("Miguel Souza", where Dra. Ana Souza works), or
    that of a professional who does something else."""
    if heard.professional is None or heard.says_when or heard.services or heard.intents - MAYBE_NAMES:
        return False
    theirs = {*words(heard.professional.name), *TITLES}
    if state.selected_service_id and state.selected_service_id not in heard.professional.service_ids:
        return TITLES.isdisjoint(heard.said) and _written_as_name(typed)
    return 2 <= len(heard.said) <= MAX_NAME_WORDS and _written_as_name(typed) and not theirs.issuperset(heard.said)


def _written_as_name(typed: str) -> bool:
    return all(word[0].isupper() or word in PARTICLES for word in typed.split())


def _correction(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """Words that say more than yes or no."""
    state = turn.state
    if heard.wants("cancel") and state.goal is Goal.BOOK and not heard.wants("appointments"):
        return wishes.give_up(turn) if not _of_another(turn, heard) else None
    of_staff = heard.wants("staff_matter") and heard.intents & TOPICS <= AROUND_BOOKING
    if heard.wants("cancel", "appointments", "late", "medicine") or of_staff:
        return None
    if heard.wants("move") and state.goal is not Goal.BOOK:
        return None
    if heard.wants("same_time") and heard.wants("other_day") and not heard.says_when and state.selected_service_id:
        return scheduling.same_hour(turn)
    return _detour(turn, heard) or _farewell(turn, heard) or (wishes.give_up(turn) if heard.only_no else None)


def _of_another(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what is to be cancelled is not the draft: another day or another service was named."""
    state, day = turn.state, heard.when.date if heard.when else None
    other_day = day is not None and day.isoformat() != state.selected_date
    return other_day or (heard.service is not None and heard.service.id != state.selected_service_id)


def _picked(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """What the words mean for "which one?"; None for another wish."""
    if heard.only_no or heard.wants("later"):
        return appointments.keep(turn)
    if heard.wants("cancel", "move", "appointments") or heard.wants(*TOPICS):
        return None
    return appointments.pick(turn, heard)


def _detour(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """A question in between, another day or hour, or one more fact for the draft."""
    if heard.wants("another") and turn.state.goal is Goal.BOOK and not heard.has_booking_facts:
        return _one_more(turn, heard)
    if asks_about_clinic(heard):
        return _answer_and_resume(turn, heard)
    if turn.state.selected_service_id and turn.state.goal is Goal.BOOK and _says_one_more(turn, heard):
        return _one_more(turn, heard)
    if (found := slot_reference.pointed(turn, heard)) is not None:
        return found
    if heard.wants("other_professional") and turn.state.selected_service_id and turn.state.goal is Goal.BOOK:
        return _somebody_else(turn)
    if heard.wants("other_day") and not heard.says_when:
        return wishes.fulfil(turn, Wish.OTHER_DAY, heard)
    if heard.wants("other_time", "move", "earlier", "later_time") and not heard.says_when:
        return wishes.fulfil(turn, Wish.OTHER_TIME, heard)
    if (phrase := _told_by_the_way(turn, heard)) is not None:
        return scheduling.resume(turn, turn.phrase(phrase))
    if heard.wants("unsure") and turn.state.state is SchedulingState.SELECTING_SERVICE:
        return scheduling.unsure(turn)
    wanted = heard.wants("any_professional", "someone_else", "myself", "after_mine", "before_mine")
    told = heard.has_booking_facts or heard.name or wanted
    return _continue(turn, heard) if told and turn.state.goal is not Goal.CANCEL else None


def _told_by_the_way(turn: GuidedTurn, heard: Understanding) -> str | None:
    """What is said of what was told and is no fact of the draft: that something hurts, how old
    who comes is, a telephone number, or a question that nobody noted an answer to."""
    if _asks_of_another(turn, heard):
        return "info_unknown"
    if heard.has_booking_facts:
        return None
    if heard.wants("pain"):
        return "pain"
    if _AGE.search(" ".join(heard.said)) and not heard.wants(*TOPICS):
        return "noted"
    if not heard.phone or heard.name or turn.state.goal is not Goal.BOOK:
        return None
    turn.state.patient_phone = heard.phone
    return "noted"


def _asks_of_another(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether a question that nothing here answers names another service than the draft's ("o clareamento dói?")."""
    chosen = turn.state.selected_service_id
    other = chosen is not None and heard.service is not None and heard.service.id != chosen
    tells_more = heard.says_when or heard.wants("book", "correction", "no")
    return other and heard.kind is MessageKind.ASK and not tells_more


def _says_one_more(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether another service is wanted beside the one that waits for a yes: it is added to it ("e a limpeza?"), or it
    is the speaker's own while somebody else is the one that comes ("e a minha limpeza?")."""
    state = turn.state
    if heard.wants("also"):
        return True
    other = heard.service is not None and heard.service.id != state.selected_service_id
    if not other or state.state is not SchedulingState.CONFIRMING or heard.wants("correction", "no"):
        return False
    for_other = state.patient_name not in (None, turn.runtime.user_name)
    own = heard.wants("myself") or (_OWN & set(heard.said) and not heard.wants("someone_else"))
    return heard.said[0] == "e" or (for_other and bool(own))


def _one_more(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Another booking is wanted before this one is done: this one first."""
    turn.state.then.append(" ".join(heard.said) if heard.name is None else f"outra para {heard.name}")
    yield from scheduling.resume(turn, turn.phrase("one_by_one"))


def _somebody_else(turn: GuidedTurn) -> Dialogue:
    """With another professional than the one so far: the only other one, or whoever is chosen."""
    state = turn.state
    others = [
        professional
        for professional in turn.runtime.clinic.professionals_for(state.selected_service_id or "")
        if professional.id != state.selected_professional_id
    ]
    if len(others) != 1:
        yield from wishes.fulfil(turn, Wish.PROFESSIONALS, Understanding((), frozenset()))
        return
    state.want_professional(others[0].id, others[0].name)
    yield from turn.go_to_scheduler()
    yield from scheduling.offer(turn)


def _continue(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """A fact for the open draft, or a correction of it. Who comes, put right before the yes, leaves the rest."""
    state = turn.state
    yield from turn.go_to_scheduler()
    if heard.name and not heard.has_booking_facts and state.state is SchedulingState.CONFIRMING:
        state.patient_name, state.awaiting_name = heard.name, False
        yield from scheduling.resume(turn)
    else:
        yield from scheduling.proceed(turn, heard)


def _named(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """The answer to "em nome de quem?"."""
    state = turn.state
    if heard.wants("myself") and not heard.name:
        state.patient_name, state.awaiting_name = turn.runtime.user_name, False
        yield from scheduling.resume(turn)
        return
    part = name_part(turn, typed)
    wished = turn.vocabulary.heard_in(words(part)) - MAYBE_NAMES - {"greeting", "robot"}
    wished -= {"pain"} if contains(heard.said, DAS_DORES) else set()
    no_name = wished or heard.only_yes or is_small_talk(turn, part)
    name = heard.name or ("" if no_name else undressed(bare_name(part), turn.vocabulary))
    name = name_in(name) or ""
    if not name or len(name.split()) > MAX_NAME_WORDS:
        yield from confirming.ask_name(turn)
        return
    state.patient_name, state.awaiting_name = capitalised(name) if name.islower() else name, False
    yield from scheduling.resume(turn, "" if state.state is SchedulingState.CONFIRMING else turn.phrase("noted"))


def _decided(turn: GuidedTurn, heard: Understanding, typed: str, *, agreed: bool) -> Dialogue:
    """A plain yes or no to the last question."""
    state = turn.state
    if state.goal is Goal.CANCEL and state.appointment_id:
        if agreed:
            yield from appointments.cancel_now(turn, heard, state.question or "", state.appointment_id)
        else:
            yield from appointments.keep(turn)
    elif agreed:
        further = further_wish(typed, turn.runtime, turn.vocabulary)
        if further or heard.wants("another", "also"):
            state.then.append(further or typed)
        yield from turn.go_to_scheduler()
        yield from finishing.said_yes(turn)
    elif heard.wants("give_up"):
        yield from wishes.give_up(turn)
    else:
        others = (Wish.OTHER_TIME, Wish.OTHER_DAY, Wish.GIVE_UP)
        yield from turn.ask(turn.phrase("what_to_change"), [choice(Kind.ACTION, wish) for wish in others])


def _wait(turn: GuidedTurn) -> Dialogue:
    """The patient needs a moment: the question stays as it is."""
    yield Say(turn.phrase("take_your_time"))


def _farewell(turn: GuidedTurn, heard: Understanding) -> Dialogue | None:
    """Thanks or a goodbye before the yes: the one reminds of it, the other leaves it."""
    rest = turn.vocabulary.beyond("courtesy", turn.vocabulary.beyond("bye", heard.said))
    leaves = heard.wants("bye") and not rest
    if turn.state.state is not SchedulingState.CONFIRMING or not (leaves or heard.wants("thanks")):
        return None
    if turn.state.goal is Goal.CANCEL:
        return appointments.keep(turn) if leaves else None
    return wishes.give_up(turn, "later") if leaves else scheduling.resume(turn, turn.phrase("still_open"))


def _answer_and_resume(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """A question in the middle of a booking: answered, and back to where we were, or on with the day that was said."""
    asked_plan = plans.was_asked(turn)
    text = yield from inform(turn, heard)
    if asked_plan and not turn.state.plan and not heard.says_when:
        yield from turn.go_to_scheduler()
        yield from plans.ask(turn, text)
    elif turn.state.goal is Goal.CANCEL:
        yield Say(text)
    elif heard.says_when and not heard.services and not heard.wants("hours", "attends"):
        yield from turn.go_to_scheduler()
        yield from scheduling.proceed(turn, heard, text)
    else:
        yield from scheduling.resume(turn, text)

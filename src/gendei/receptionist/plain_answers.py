"""What needs no language model: a tap, and a plain yes or no to the question that stands.

The policy's own code does it, also where a model asked. Left to the model is what says more, what only it can know (an
option in its own words, for whom a booking is that it asked about), and what no question stands for."""

from collections.abc import Iterable
from dataclasses import replace

from gendei.kinship import KIN
from gendei.messages.turns import Hearing
from gendei.receptionist.llm.facts_in_text import sentences
from gendei.receptionist.llm.summaries import Messages
from gendei.receptionist.offers.choices import SLOTS, WAITING, YESES, Action, Choice, Kind, choice, parse_choice
from gendei.receptionist.offers.costs import matters
from gendei.receptionist.offers.rendering import WEEKDAYS
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.patient_message import typed_in, understand

OF_ITSELF = (
    SLOTS | YESES | WAITING | {Kind.CANCEL, Kind.MOVE, Kind.CONFIRM_PRESENCE, Kind.SURVEY, Kind.ACTION, Kind.KNOWLEDGE}
)
"""Kinds whose ids say all that is wished. A service or a day that a model shows may be asked about for anything."""
_TITLES = frozenset("dr dra doutor doutora sr sra whatsapp".split())


def is_plain(runtime: Runtime, vocabulary: Vocabulary, told: Messages | None) -> bool:
    """Whether guided takes this turn. `told`: what a model was told and said since the last change, where it answered
    last; None where guided did. A plain answer to a model's question becomes the tap that it means."""
    if runtime.inputs and all(parse_choice(message.choice) for message in runtime.inputs):
        tapped = runtime.tapped
        return tapped is not None and (told is None or _of_itself(tapped, runtime, vocabulary, told))
    state = runtime.state
    question = parse_choice(state.question) if state.stands(state.question, runtime.now) else None
    if question is None or question.kind not in YESES or not _only_words(runtime):
        return False
    heard = understand(
        typed_in(runtime.inputs),
        clinic=runtime.clinic,
        vocabulary=vocabulary,
        vertical=runtime.vertical,
        now=runtime.now,
    )
    if told is None and state.state is SchedulingState.CONFIRMING:
        return (heard.only_yes and bool(runtime.agreed)) or heard.only_no
    if heard.only_yes and runtime.agreed and _of_itself(question, runtime, vocabulary, told or ()):
        _answer_by_tap(runtime, state.question or "")
        return True
    if heard.only_no and question.kind is Kind.CANCEL_NOW:
        _answer_by_tap(runtime, choice(Kind.ACTION, Action.KEEP))
        return True
    return heard.only_no and state.state is SchedulingState.CONFIRMING and state.goal is Goal.BOOK


def _only_words(runtime: Runtime) -> bool:
    """Whether nothing came but words, heard surely where they were spoken."""
    return all(
        message.kind in {"text", "audio"} and message.hearing in {None, Hearing.SURE} and message.choice is None
        for message in runtime.inputs
    )


def _answer_by_tap(runtime: Runtime, id_: str) -> None:
    *before, last = runtime.inputs
    runtime.inputs = (*before, replace(last, choice=id_))
    runtime.tap_stands = runtime.state.stands(id_, runtime.now)


def _of_itself(chosen: Choice, runtime: Runtime, vocabulary: Vocabulary, told: Messages) -> bool:
    """Whether an answer to a model's question says by itself what is to be done: of a booking, also for whom and by
    which health plan."""
    if chosen.kind not in {Kind.SLOT, Kind.BOOK}:
        return chosen.kind in OF_ITSELF
    told_plan = runtime.state.plan or runtime.state.plan_asked
    if chosen.kind is Kind.BOOK and not told_plan and matters(runtime, chosen.args[0]):
        return False
    if runtime.state.patient_name is not None:
        return True
    return runtime.user_name is not None and not of_somebody(runtime, vocabulary, told)


def of_somebody(runtime: Runtime, vocabulary: Vocabulary, told: Messages) -> bool:
    """Whether anybody else than who writes may have been spoken of, as who comes: a relative, a name, or words of the
    patient's that mean nothing else."""
    known = _known_names(runtime)
    for message in told:
        heard = understand(
            message["content"],
            clinic=runtime.clinic,
            vocabulary=vocabulary,
            vertical=runtime.vertical,
            now=runtime.now,
        )
        explained = heard.intents or heard.has_booking_facts or heard.plans.any_named or heard.only_yes or heard.only_no
        if heard.name or heard.wants("someone_else") or not KIN.isdisjoint(heard.said):
            return True
        if message["role"] == "user" and heard.said and not explained:
            return True
        if any(word not in known for word in _in_capitals(message["content"])):
            return True
    return False


def _known_names(runtime: Runtime) -> set[str]:
    """What is written in capitals and is nobody who could come."""
    clinic = runtime.clinic
    named = [clinic.name, runtime.user_name or "", runtime.vertical.name, *clinic.insurance, *WEEKDAYS]
    named += [name for service in clinic.services for name in (service.name, *service.aliases)]
    named += [name for professional in clinic.professionals for name in (professional.name, *professional.aliases)]
    return {word for name in named for word in words(name)} | _TITLES


def _in_capitals(text: str) -> Iterable[str]:
    """Words that begin with a capital inside of a sentence."""
    for sentence in sentences(text):
        inside = [word.strip("*_.,;:!?()\"'“”") for word in sentence.split()][1:]
        yield from (found for word in inside if word[:1].isupper() and word.isalpha() for found in words(word))

"""The answers to a survey: the score, and why it is low. Danger comes first, as always, and a score is kept anyway."""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum

from gendei.ear.kinds import MessageKind
from gendei.errors import NotFound
from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided.danger import YES_OR_NO, Judgement, judge
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say
from gendei.receptionist.offers.choices import Kind, choice, parse_choice
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal
from gendei.receptionist.survey_taps import score_of
from gendei.receptionist.understanding.patient_message import Understanding, typed_in
from gendei.receptionist.understanding.scores import declines
from gendei.surveys.survey import MOST_REASON, SCORES

Hear = Callable[[str], Understanding]
WAITED_FOR = timedelta(days=2)
"""So long after the question words are taken for the reason."""
FEWEST_WORDS = 2
_SAYS_NOTHING = ("no", "thanks", "bye", "courtesy", "give_up", "greeting", "yes")
_ELSE = (
    "book",
    "another",
    "move",
    "cancel",
    "appointments",
    "past_appointments",
    "late",
    "arrived",
    "address",
    "directions",
    "prices",
)
_COMPLAINS = ("indignant", "mishap", "wait")


class SurveyAnswer(StrEnum):
    """What became of an answer. The values name the phrases that tell the patient."""

    THANKED = "survey_thanked"
    WHY = "survey_why"
    NOTED = "survey_noted"
    DECLINED = "survey_declined"
    UNKNOWN = "survey_unknown"
    AGAIN = "survey_again"


def is_answer(runtime: Runtime, hear: Hear) -> bool:
    """Whether something in this turn is an answer, which no model is asked about."""
    if any(_is_score(message.choice) for message in runtime.inputs):
        return True
    typed = typed_in(runtime.inputs)
    return _awaited(runtime) is not None and bool(typed) and _reads(hear(typed), typed) is not None


async def take_survey(runtime: Runtime, hear: Hear) -> None:
    """Keep what the turn says as an answer; `runtime.surveyed` says what became of it. Raises StoreError."""
    taps = [message.choice for message in runtime.inputs if _is_score(message.choice)]
    if runtime.survey_taps is None:
        return
    if taps:
        await _score(runtime, taps[-1] or "", hear)
    elif (appointment_id := _awaited(runtime)) is not None:
        await _explain(runtime, appointment_id, hear)


def told(turn: GuidedTurn) -> Dialogue:
    """Say what became of it, and go on with what is open."""
    runtime = turn.runtime
    text = turn.phrase(runtime.surveyed)
    if runtime.surveyed == SurveyAnswer.AGAIN:
        yield from turn.ask(text, [choice(Kind.SURVEY, runtime.survey_of, str(score)) for score in SCORES])
    elif turn.state.in_progress and turn.state.goal is Goal.BOOK:
        yield from scheduling.resume(turn, text)
    else:
        yield from turn.go("greeter")
        yield Say(text)


def asks_for_person(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether who says why a score is low wants a person too; a complaint alone is what was asked for."""
    return (
        not turn.runtime.surveyed or heard.kind is MessageKind.PERSON or turn.vocabulary.insists("person", heard.said)
    )


def _is_score(id_: str | None) -> bool:
    chosen = parse_choice(id_)
    return chosen is not None and chosen.kind is Kind.SURVEY


def _awaited(runtime: Runtime) -> str | None:
    """The appointment whose low score is to be explained, unless it was asked too long ago."""
    appointment_id, _, since = (runtime.state.survey or "").partition("|")
    fresh = since and runtime.now - datetime.fromisoformat(since) < WAITED_FOR
    return appointment_id if fresh else None


async def _score(runtime: Runtime, tapped: str, hear: Hear) -> None:
    chosen, taps = parse_choice(tapped), runtime.survey_taps
    if chosen is None or taps is None:
        return
    runtime.survey_of, score, clinic = chosen.args[0], score_of(chosen), runtime.clinic
    typed = typed_in(runtime.inputs)
    if typed:  # what was written beside it is heard as ever, danger too
        runtime.inputs = tuple(message for message in runtime.inputs if not _is_score(message.choice))
    try:
        survey, appointment = await taps.find(clinic, runtime.contact, runtime.survey_of)
    except NotFound:
        runtime.surveyed = SurveyAnswer.UNKNOWN
        return
    if score is None:
        runtime.surveyed = SurveyAnswer.AGAIN
        return
    await taps.surveys.score(clinic, appointment.id, score)
    runtime.surveyed, runtime.state.survey = SurveyAnswer.THANKED, None
    if not taps.is_low(clinic, score):
        return
    known = survey.reason if survey.score == score else ""
    runtime.low_score = None if known else taps.told(clinic, appointment, score)
    if typed and _reads(hear(typed), typed):
        await _keep(runtime, appointment.id, typed)
    elif not known and not runtime.state.in_progress:
        runtime.state.survey = f"{appointment.id}|{runtime.now.isoformat()}"
        runtime.surveyed = SurveyAnswer.WHY


async def _explain(runtime: Runtime, appointment_id: str, hear: Hear) -> None:
    typed, doubted = typed_in(runtime.inputs), runtime.state.in_doubt
    heard = hear(typed)
    if doubted:  # it was asked whether somebody is in danger
        if heard.only_no or str(runtime.tapped) == YES_OR_NO[1]:
            await _keep(runtime, appointment_id, doubted)
        else:
            runtime.state.survey = None
        return
    if not typed and runtime.tapped is None:
        return
    judged = judge(heard)
    if judged is Judgement.ASK:
        return
    read = _reads(heard, typed) if runtime.tapped is None else None
    runtime.state.survey = None
    if read or (judged is Judgement.CALL and typed):
        await _keep(runtime, appointment_id, typed)
    elif read is not None:
        runtime.surveyed = SurveyAnswer.DECLINED


async def _keep(runtime: Runtime, appointment_id: str, reason: str) -> None:
    taps = runtime.survey_taps
    runtime.state.survey = None
    if taps is None:
        return
    try:
        survey, appointment = await taps.find(runtime.clinic, runtime.contact, appointment_id)
    except NotFound:
        return
    await taps.surveys.explain(runtime.clinic, appointment_id, reason)
    runtime.survey_of, runtime.surveyed = appointment_id, SurveyAnswer.NOTED
    runtime.low_score = taps.told(runtime.clinic, appointment, survey.score or 0, reason.strip()[:MOST_REASON])


def _reads(heard: Understanding, typed: str) -> bool | None:
    """Whether words say why (True), or that nothing will be said (False); None for something else."""
    if heard.wants("opt_out", "opt_in"):
        return None
    complains = heard.kind is MessageKind.COMPLAIN or heard.wants(*_COMPLAINS)
    if not complains and (heard.wants(*_ELSE) or heard.kind in {MessageKind.BOOK, MessageKind.CANCEL}):
        return None
    if not complains and "?" in typed:
        return None
    if heard.only_no or heard.only_yes or declines(typed):
        return False
    few = len([word for word in heard.said if word.isalnum()]) <= FEWEST_WORDS
    return not (few and heard.wants(*_SAYS_NOTHING)) and any(word.isalnum() for word in heard.said)

"""What is done where somebody may be in danger: rules that are sure, the ear beside them, and a question in between."""

from enum import Enum

from gendei.ear.model import own_ear
from gendei.receptionist.guided import wishes
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.understanding.patient_message import Understanding


class Judgement(Enum):
    """Of danger in a message."""

    NOTHING, ASK, CALL = range(3)


FEW_WORDS, WORDS_OF_A_SENTENCE = 6, 10
HARMLESS_BELOW = 0.2
"""Of the ear's share of danger: what only sounds so to the rules mostly lies below."""
YES_OR_NO = (choice(Kind.ACTION, Wish.DANGER), choice(Kind.ACTION, Wish.NO_DANGER))


def denied(turn: GuidedTurn, heard: Understanding, doubted: str | None) -> bool:
    """Whether it is answered that nobody is in danger. doubted: the words that it was asked of."""
    return doubted is not None and (heard.only_no or str(turn.runtime.tapped) == YES_OR_NO[1])


def alarm(turn: GuidedTurn, heard: Understanding, typed: str, doubted: str | None) -> Dialogue | None:
    """What to do where this turn tells of danger, or may; None where it does not. In doubt a second time, a person is
    called."""
    tapped = turn.runtime.tapped
    if str(tapped) == YES_OR_NO[0] or (doubted is not None and heard.only_yes):
        return _call(turn, despair=own_ear().hear(doubted or "").is_despair)
    judged = judge(heard)
    despair = heard.wants("crisis") or (heard.belief and heard.belief.is_despair and not heard.wants("urgent"))
    if judged is Judgement.CALL or (judged is Judgement.ASK and doubted is not None):
        return _call(turn, despair=bool(despair))
    return _ask(turn, typed, despair=bool(despair)) if judged is Judgement.ASK and not tapped else None


def judge(heard: Understanding) -> Judgement:
    """The rules are in charge, but where a whole sentence sounds harmless to the ear, it is asked. The ear alone calls
    a person where it is sure of a whole sentence, and asks otherwise; few words it takes for danger only where it would
    be sure. Who asks for a person gets one anyway."""
    by_rules, length, of_ear = heard.wants("crisis", "urgent"), len(heard.said), heard.belief
    if of_ear is None:
        return Judgement.CALL if by_rules else Judgement.NOTHING
    if by_rules and (length < WORDS_OF_A_SENTENCE or of_ear.danger >= HARMLESS_BELOW):
        return Judgement.CALL
    if of_ear.alarms and length >= WORDS_OF_A_SENTENCE:
        return Judgement.CALL
    hears = of_ear.asks if length >= FEW_WORDS else of_ear.alarms
    if by_rules or (hears and not heard.wants("opt_out", "opt_in", "person")):
        return Judgement.ASK
    return Judgement.NOTHING


def _call(turn: GuidedTurn, *, despair: bool) -> Dialogue:
    phrase = "crisis" if despair else "urgent"
    yield from wishes.hand_over(turn, phrase, phrase, urgent=True)


def _ask(turn: GuidedTurn, typed: str, *, despair: bool) -> Dialogue:
    """What was wished beside it waits for the answer."""
    turn.state.in_doubt = typed
    yield from turn.ask(turn.phrase("ask_crisis" if despair else "ask_urgent"), YES_OR_NO)

"""What is done where somebody may be in danger: rules that are sure, the ear beside them, and a question in between."""

from gendei.ear.model import own_ear
from gendei.receptionist.guided import wishes
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.understanding.patient_message import Understanding

YES_OR_NO = (choice(Kind.ACTION, Wish.DANGER), choice(Kind.ACTION, Wish.NO_DANGER))


def denied(turn: GuidedTurn, heard: Understanding, doubted: str | None) -> bool:
    """Whether it is answered that nobody is in danger. doubted: the words that it was asked of."""
    return doubted is not None and (heard.only_no or str(turn.runtime.tapped) == YES_OR_NO[1])


def alarm(turn: GuidedTurn, heard: Understanding, typed: str, doubted: str | None) -> Dialogue | None:
    """What to do where this turn tells of danger, or may; None where it does not. Words come from whoever types: in
    doubt a second time, a person is called."""
    if heard.wants("crisis", "urgent"):
        return _call(turn, despair=heard.wants("crisis"))
    tapped = turn.runtime.tapped
    if str(tapped) == YES_OR_NO[0] or (doubted is not None and heard.only_yes):
        return _call(turn, despair=own_ear().hear(doubted or "").is_despair)
    if tapped or not typed.strip():
        return None
    of_ear = own_ear().hear(typed)
    if of_ear.alarms or (of_ear.asks and doubted is not None):
        return _call(turn, despair=of_ear.is_despair)
    return _ask(turn, typed, despair=of_ear.is_despair) if of_ear.asks else None


def _call(turn: GuidedTurn, *, despair: bool) -> Dialogue:
    phrase = "crisis" if despair else "urgent"
    yield from wishes.hand_over(turn, phrase, phrase, urgent=True)


def _ask(turn: GuidedTurn, typed: str, *, despair: bool) -> Dialogue:
    """What was wished beside it waits for the answer."""
    turn.state.in_doubt = typed
    yield from turn.ask(turn.phrase("ask_crisis" if despair else "ask_urgent"), YES_OR_NO)

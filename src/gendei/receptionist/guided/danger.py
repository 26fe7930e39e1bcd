"""What is done where somebody may be in danger: rules that are sure, the ear beside them, and a question in between."""

from enum import Enum

from gendei.ear.model import own_ear
from gendei.messages.turns import Danger
from gendei.receptionist.guided import wishes
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn
from gendei.receptionist.guided.information import TOPICS
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.understanding.alarms import alarm_of
from gendei.receptionist.understanding.language import ALARMS, words
from gendei.receptionist.understanding.patient_message import Understanding


class Judgement(Enum):
    """Of danger in a message."""

    NOTHING, ASK, CALL = range(3)


FEW_WORDS, WORDS_OF_A_SENTENCE = 6, 10
DOUBT_IN_A_FEW, DOUBT_BESIDE_A_TOPIC = 0.65, 0.8
"""Shares of danger from which on fewer words than a sentence are asked about, alone and beside a word that asks about
the clinic: who falls down the stairs asks for no stairs. In very few words it has to be an alarm."""
DANGER_WITH_RULES, DOUBT_WITH_RULES = 0.7, 0.05
"""Shares of danger from which on a whole sentence is dangerous, and is asked about, where the rules hear danger too."""
YES_OR_NO = (choice(Kind.ACTION, Wish.DANGER), choice(Kind.ACTION, Wish.NO_DANGER))


def denied(turn: GuidedTurn, heard: Understanding, doubted: str | None) -> bool:
    """Whether it is answered that nobody is in danger. doubted: the words that it was asked of."""
    return doubted is not None and (heard.only_no or str(turn.runtime.tapped) == YES_OR_NO[1])


def alarm(turn: GuidedTurn, heard: Understanding, typed: str, doubted: str | None) -> Dialogue | None:
    """What to do where this turn tells of danger, or may; None where it does not. In doubt a second time, a person is
    called, unless the second message only goes on with what is wished."""
    tapped = turn.runtime.tapped
    if str(tapped) == YES_OR_NO[0] or (doubted is not None and heard.only_yes):
        by_rules = turn.vocabulary.heard_in(words(doubted or ""))
        return _call(turn, alarm_of(by_rules, own_ear().hear(doubted or "").danger_kind))
    judged = judge(heard)
    if judged is Judgement.ASK and doubted is not None and _goes_on(heard):
        return None
    kind = alarm_of(heard.intents, heard.belief.danger_kind if heard.belief else None)
    if judged is Judgement.CALL or (judged is Judgement.ASK and doubted is not None):
        return _call(turn, kind)
    return _ask(turn, typed, kind) if judged is Judgement.ASK and not tapped else None


def _goes_on(heard: Understanding) -> bool:
    """Whether the rules hear no danger in it, but a wish or a fact of a booking. A day alone is told of danger too."""
    wishes = heard.wants("book", "move", "changes", "cancel", "appointments", "correction", *TOPICS)
    told = heard.services or heard.professional or heard.name or (heard.when and heard.when.time)
    return not heard.wants(*ALARMS) and (wishes or bool(told))


def is_open(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether a person was called for somebody in danger, and nothing else is plainly wished: such words are no small
    talk, and begin no booking."""
    called = turn.runtime.awaited is not None and turn.state.alarmed is not None
    wishes_else = (
        heard.wants(*TOPICS, "book", "move", "cancel", "appointments", "past_appointments", "late", "policy")
        or heard.services
    )
    return called and not turn.state.in_progress and not wishes_else


def judge(heard: Understanding) -> Judgement:
    """Of a few words the rules are in charge: what they hear is danger, or is asked about where the ear hears nothing
    of it, and what the ear alone hears is asked about. A whole sentence may name a danger that is none (a film, last
    year, somebody's joke), and there the ear is. What the rules hear of violence is asked about at least, and no more
    than asked about where it is called play. Who asks for a person gets one anyway."""
    by_rules, belief, length = heard.wants(*ALARMS), heard.belief, len(heard.said)
    if belief is None:
        return Judgement.CALL if by_rules else Judgement.NOTHING
    if heard.wants("violence"):
        doubtful = belief.danger < DOUBT_WITH_RULES or heard.wants("unmeant")
        return Judgement.ASK if doubtful else Judgement.CALL
    is_sentence = length >= WORDS_OF_A_SENTENCE
    if by_rules and belief.danger >= (DANGER_WITH_RULES if is_sentence else DOUBT_WITH_RULES):
        return Judgement.CALL
    if is_sentence and belief.alarms:
        return Judgement.CALL
    if by_rules and (belief.danger >= DOUBT_WITH_RULES or not is_sentence):
        return Judgement.ASK
    hears = belief.asks
    if not is_sentence:
        enough = DOUBT_BESIDE_A_TOPIC if heard.wants(*TOPICS) else DOUBT_IN_A_FEW
        hears = (length >= FEW_WORDS and belief.danger >= enough) or belief.alarms
        hears = hears and not heard.wants("cancel", "move", "book", "appointments", "another")
    hears = hears and not heard.wants("policy", "others_data")
    return Judgement.ASK if hears and not heard.wants("opt_out", "opt_in", "person") else Judgement.NOTHING


def _call(turn: GuidedTurn, kind: str) -> Dialogue:
    turn.runtime.danger = Danger.CALLED
    turn.state.alarmed, turn.state.alarm_repeated = kind, 0
    yield from wishes.hand_over(turn, kind, kind, urgent=True)


def _ask(turn: GuidedTurn, typed: str, kind: str) -> Dialogue:
    """What was wished beside it waits for the answer."""
    turn.state.in_doubt, turn.runtime.danger = typed, Danger.ASKED
    yield from turn.ask(turn.phrase(f"ask_{kind}"), YES_OR_NO)

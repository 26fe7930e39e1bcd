"""A kind word to who is unwell, and what is asked beside thanks: nobody who thanks first and asks then is only told
that they are welcome."""

import re

from gendei.ear.kinds import MessageKind
from gendei.ear.model import own_ear
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.information import TOPICS
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import WORDS_OF_A_MESSAGE, Understanding

_CLAUSES = re.compile(r"[^,.;!?\n…]+[,.;!?\n…]*")
_SMALL_TALK = ("greeting", "courtesy", "acknowledges", "bye", "yes", "thanks")
_SOCIABLE = {MessageKind.GREET, MessageKind.ANSWER}


def sympathy(turn: GuidedTurn, heard: Understanding, *, before_times: bool = False) -> str:
    """A kind word to who is unwell, with whom to call if it is grave, or whose tooth or denture broke; "" where neither
    is told. before_times: times follow."""
    if heard.wants("pain"):
        of_other = turn.state.about_other and not before_times
        return turn.phrase("pain_first" if before_times else "pain_other" if of_other else "pain")
    return turn.phrase("broken_first" if before_times else "broken") if heard.wants("broken") else ""


def beside_thanks(turn: GuidedTurn, heard: Understanding, typed: str) -> str:
    """The clauses of a message of thanks that ask something, with all that is said beside it but the thanks; "" where
    nothing is asked ("obrigada, viu?")."""
    clauses = _CLAUSES.findall(typed)
    others = [clause for clause in clauses if not _thanks(turn, clause)]
    rest = "".join(others).strip()
    said = words(rest)
    for intent in _SMALL_TALK:
        said = turn.vocabulary.beyond(intent, said)
    if not said:
        return ""
    by_ear = own_ear().hear(rest).kind
    by_sign = "?" in rest and len(others) < len(clauses) and by_ear not in _SOCIABLE
    tells_enough = heard.intents & TOPICS or heard.services or len(said) >= WORDS_OF_A_MESSAGE
    return rest if tells_enough and (by_sign or by_ear is MessageKind.ASK) else ""


def _thanks(turn: GuidedTurn, clause: str) -> bool:
    """Whether hardly more than thanks is said in a clause ("obrigada pela atenção", "muito obrigada viu")."""
    said = words(clause)
    if "thanks" not in turn.vocabulary.heard_in(said):
        return False
    beyond = turn.vocabulary.beyond("courtesy", turn.vocabulary.beyond("thanks", said))
    return len(beyond) < WORDS_OF_A_MESSAGE

"""What a message wishes, as the ear and the rules hear it together."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from gendei.clinic import Clinic
from gendei.ear.kinds import MessageKind
from gendei.ear.model import Belief, own_ear
from gendei.receptionist.understanding.inferred_service import inferred
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.patient_message import SURE, UNLIKELY, Understanding, understand
from gendei.receptionist.understanding.refusing import refuses, wishes
from gendei.verticals import Vertical

_WISHES: Mapping[MessageKind, str | None] = {
    MessageKind.CHANGE: "move",
    MessageKind.CANCEL: "cancel",
    MessageKind.SEE: "appointments",
    MessageKind.BOOK: "book",
    MessageKind.PERSON: "person",
    MessageKind.CONFIRM: None,
    MessageKind.ASK: None,
    MessageKind.COMPLAIN: "person",
}
"""What is wished is one of these, each with the rules' intent for it. Where the ear is sure which one, single words for
another only tell the circumstances ("sou secretária do João, quero marcar", "cancelei a viagem, consigo ir antes?")."""


_CLAUSE = re.compile(r"(?:(?! e )[^,.;!?\n])+", re.IGNORECASE)
_OPENING = re.compile(
    r"\s*(?:(?:(?:[ée]h?|h[ãu]m+|ah+)\s*(?:\.\.+|…)|(?:ent[ãa]o|bom|bem|assim|tipo|seguinte|olh[ae]|olha (?:s[óo]|aqui)"
    r"|escut[ae]|vej[ae](?: bem| s[óo])?|(?:(?:bom|bem|ent[ãa]o|olha)\s*,?\s*)?(?:[ée]|o neg[óo]cio [ée]) o seguinte"
    r"|sabe o que (?:[ée]|aconteceu)|(?:deix[ae]|posso) (?:eu )?(?:te |lhe )?(?:falar|contar|dizer|explicar)"
    r"(?: uma coisa)?)\s*(?:[,:;.…]|-(?=\s))+)\s*)+(?=.*\w)",
    re.IGNORECASE | re.DOTALL,
)
"""How people begin to speak; it says nothing of what follows ("olha só, ", "deixa eu te falar, ")."""
_OTHER_WISHES = frozenset(filter(None, _WISHES.values())) - {"person"}


def hear(
    text: str,
    *,
    clinic: Clinic,
    vocabulary: Vocabulary,
    vertical: Vertical,
    now: datetime,
    open_service: str | None = None,
    safe: bool = False,
) -> Understanding:
    """What `text` means, rules and ear together. open_service: the service that is being booked, "" where something
    else is open, which the text may answer; None where nothing is. safe: it was said that nobody is in danger. `now`:
    aware, in the clinic's zone."""
    text = text[opening.end() :] if (opening := _OPENING.match(text)) else text
    heard = understand(text, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=now, chosen=open_service)
    heard = _listened(heard, text, vocabulary, safe=safe, answers=open_service is not None)
    if heard.then and heard.wants("cancel"):  # and a booking beside it, which were told apart by their words
        return heard
    heard = _settled(heard, text, vocabulary) if open_service is None else heard
    return inferred(heard, text, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=now)


def _listened(heard: Understanding, typed: str, vocabulary: Vocabulary, *, safe: bool, answers: bool) -> Understanding:
    """With what the ear believes of the text, and without a wish for a person that only tells who writes, or what
    for. A question answers nothing, where nothing is open (not `answers`)."""
    if not typed.strip():
        return heard
    belief = own_ear().hear("\n".join(dict.fromkeys(typed.splitlines())))
    belief = belief.without_danger if safe else _beside_mishaps(belief, typed, vocabulary)
    belief = belief.without(MessageKind.ANSWER) if not answers and typed.rstrip().endswith("?") else belief
    for_a_person = belief.wished[MessageKind.PERSON] + belief.wished[MessageKind.COMPLAIN]
    others = heard.intents & _OTHER_WISHES
    other_wish = _WISHES.get(belief.kind) in others or (others and for_a_person < SURE)
    heard = replace(heard, belief=belief)
    told_by_the_way = heard.is_sentence and (for_a_person < UNLIKELY or other_wish)
    return replace(heard, intents=heard.intents - {"person"}) if told_by_the_way else heard


def _beside_mishaps(belief: Belief, typed: str, vocabulary: Vocabulary) -> Belief:
    """Without the danger that only a burst pipe, a flat tyre or a refusal ("não precisa cancelar") sounds like: what
    is told beside it has to sound so too. Where nothing is, it is asked about at the most."""
    clauses = _CLAUSE.findall(typed) if belief.alarms or belief.asks else []
    danger_in = [clause for clause in clauses if not refuses(clause, "cancel", vocabulary)]
    others = [clause for clause in danger_in if not vocabulary.says("mishap", words(clause))]
    if len(others) == len(clauses):
        return belief
    rest = own_ear().hear(", ".join(others)) if others else None
    alarms, asks = rest is not None and rest.alarms, rest is None or rest.asks or rest.alarms
    danger = min(belief.danger, rest.danger) if rest else belief.danger
    return replace(belief, danger=danger, alarms=belief.alarms and alarms, asks=asks)


def _settled(heard: Understanding, text: str, vocabulary: Vocabulary) -> Understanding:
    """With the one wish of which the ear is sure in a sentence, in place of what the rules take for others. Few words
    mean what they say, and there the rules are exact."""
    if heard.kind is None or heard.kind not in _WISHES or not heard.is_sentence:
        return heard
    if heard.kind is MessageKind.CHANGE and heard.wants("another") and not heard.wants("move"):
        return heard  # "marca de novo, mesmo horário"
    wish = _WISHES[heard.kind]
    if heard.kind is MessageKind.ASK and any(wishes(text, each, vocabulary) for each in ("move", "cancel")):
        return heard  # "quero cancelar, e saber onde fica"
    if wish == "cancel" and heard.wants("keeps"):
        return heard  # "não quero cancelar a de amanhã, só saber a hora"
    others = {*filter(None, _WISHES.values()), "late"} - {
        "book" if heard.kind is MessageKind.ASK else "late" if heard.kind is MessageKind.CONFIRM else ""
    }
    return replace(heard, intents=heard.intents - others | ({wish} if wish else frozenset()))

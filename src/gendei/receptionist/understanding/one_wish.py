"""What a message wishes, as the ear and the rules hear it together."""

from collections.abc import Mapping
from dataclasses import replace

from gendei.ear.model import MessageKind, own_ear
from gendei.receptionist.understanding.patient_message import UNLIKELY, Understanding

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


def listened(heard: Understanding, typed: str) -> Understanding:
    """With what the ear believes of the text, and without a wish for a person that only tells who writes, or what
    for."""
    if not typed.strip():
        return heard
    belief = own_ear().hear("\n".join(dict.fromkeys(typed.splitlines())))
    for_a_person = belief.shares[MessageKind.PERSON] + belief.shares[MessageKind.COMPLAIN]
    other_wish = _WISHES.get(belief.kind) in heard.intents - {"person"}
    heard = replace(heard, belief=belief)
    told_by_the_way = heard.is_sentence and (for_a_person < UNLIKELY or other_wish)
    return replace(heard, intents=heard.intents - {"person"}) if told_by_the_way else heard


def settled(heard: Understanding) -> Understanding:
    """With the one wish of which the ear is sure in a sentence, in place of what the rules take for others. Few words
    mean what they say, and there the rules are exact."""
    if heard.kind is None or heard.kind not in _WISHES or not heard.is_sentence:
        return heard
    wish = _WISHES[heard.kind]
    others = {*filter(None, _WISHES.values()), "late"} - ({"book"} if heard.kind is MessageKind.ASK else set())
    return replace(heard, intents=heard.intents - others | ({wish} if wish else frozenset()))

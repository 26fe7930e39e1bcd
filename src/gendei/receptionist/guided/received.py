"""What patients send besides words: each kind gets a sentence, a caption counts as words, and nothing of it books."""

from gendei.receptionist.contract import PatientInput
from gendei.receptionist.guided.actions import Dialogue
from gendei.receptionist.guided.guided_turn import Talk
from gendei.receptionist.offers.choices import parse_choice

_WORDS = frozenset({"text", "interactive", "button"})
_CARD = "contacts"
_PHRASES = {
    "image": "media_received",
    "video": "media_received",
    "document": "media_received",
    "audio": "audio_please_write",
    "location": "location_received",
    "contacts": "contacts_received",
    "order": "order_received",
    "sticker": "",
}
"""Kind to what is said of it; a sticker asks for no answer of its own. Any other kind cannot be read."""


def words_of(one: PatientInput) -> str:
    """The words of one message: what was typed, or the caption. What chose an option of ours says nothing more; a
    button of somebody else's template is read like typed words."""
    if one.kind in _WORDS:
        return "" if parse_choice(one.choice) else one.text
    return one.text.removeprefix(f"[{one.kind}]").strip()


def notice(talk: Talk) -> str:
    """What to say of everything in this turn that is no words, each thing once; "" for nothing."""
    kinds = dict.fromkeys(one.kind for one in talk.runtime.inputs if one.kind not in _WORDS)
    address = talk.runtime.clinic.address
    names = (_PHRASES.get(kind, "media_not_understood") for kind in kinds)
    phrases = dict.fromkeys(f"{one}_only" if one == "location_received" and not address else one for one in names)
    return "\n\n".join(talk.phrase(key, address=address) for key in phrases if key)


def is_contact_card(talk: Talk) -> bool:
    return any(one.kind == _CARD for one in talk.runtime.inputs)


def acknowledge(talk: Talk) -> Dialogue:
    """Say it before the answer to the words that came along, in the same message."""
    if text := notice(talk):
        if talk.agent == "triage":
            yield from talk.go("greeter")
        yield from talk.call("send_text_message", text=text)

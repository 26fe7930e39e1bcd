"""What patients send besides Portuguese words. Each kind gets a sentence, a caption counts as words, and nothing of it
books. What a caption only says of its file is for the team, who see the file. Who writes another language gets a short
answer in it, and a person."""

import unicodedata
from enum import StrEnum

from gendei.receptionist.asked_data import CPF
from gendei.receptionist.guided.guided_turn import CALL_PERSON, Dialogue, GuidedTurn
from gendei.receptionist.understanding.patient_message import WORDS, Understanding

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


def notice(turn: GuidedTurn) -> str:
    """What to say of everything in this turn that is no words, each thing once; "" for nothing."""
    kinds = dict.fromkeys(message.kind for message in turn.runtime.inputs if message.kind not in WORDS)
    address = turn.runtime.clinic.address
    names = (_PHRASES.get(kind, "media_not_understood") for kind in kinds)
    phrases = dict.fromkeys(f"{name}_only" if name == "location_received" and not address else name for name in names)
    return "\n\n".join(turn.phrase(key, address=address) for key in phrases if key)


def is_contact_card(turn: GuidedTurn) -> bool:
    return any(message.kind == _CARD for message in turn.runtime.inputs)


def acknowledge(turn: GuidedTurn) -> Dialogue:
    """Say it before the answer to the words that came along, in the same message."""
    if text := notice(turn):
        if turn.agent == "triage":
            yield from turn.go("greeter")
        yield from turn.call("send_text_message", text=text)


_FILES = frozenset({"image", "video", "document"})
_ASKS_FOR = ("book", "another", "move", "cancel", "appointments", "past_appointments", "late", "indignant")
"""With one of these the words say more than what a file is."""


class OfFile(StrEnum):
    """What words say of a file: what it is, or a question that only who sees it can answer."""

    DESCRIBED = "described"
    ASKED = "asked"


def of_file(turn: GuidedTurn, heard: Understanding, typed: str) -> OfFile | None:
    """What the words say of the file that came with them, or that they announce; None where they say anything else."""
    came = any(message.kind in _FILES for message in turn.runtime.inputs)
    written = CPF.search(typed) is not None  # a number, and not in a file
    if written or not turn.vocabulary.says("papers", heard.said) or heard.wants(*_ASKS_FOR) or heard.says_when:
        return None
    if "?" in typed or heard.wants("price", "offers", "offered", "preparation", "question"):
        return OfFile.ASKED if came and turn.vocabulary.says("points", heard.said) else None
    if heard.wants("wishes"):
        return None
    return OfFile.DESCRIBED if came or turn.vocabulary.says("sends", heard.said) else None


LANGUAGES = ("english", "spanish")
"""Lists of words in prompts/intents.yaml; each has a phrase, "foreign_" and its name."""
MINWORDS = 2
MIN_SHARE = 0.4
MOSTLY = 0.5


def language_of(turn: GuidedTurn, heard: Understanding, typed: str) -> str | None:
    """One of LANGUAGES, "other" for letters that are not ours, None for what may be Portuguese."""
    letters = [letter for letter in typed if letter.isalpha()]
    ours = [letter for letter in letters if unicodedata.name(letter, "").startswith("LATIN")]
    if letters and len(ours) < len(letters) * MOSTLY:
        return "other"
    counts = {name: sum(turn.vocabulary.has(name, word) for word in heard.said) for name in LANGUAGES}
    likely = max(counts, key=lambda name: counts[name])
    return likely if counts[likely] >= max(MINWORDS, MIN_SHARE * len(heard.said)) else None


def answer_foreign(turn: GuidedTurn, language: str) -> Dialogue:
    """What was open stays open; a yes calls a person, where nobody was called yet."""
    if turn.runtime.awaited is not None:
        yield from turn.ask(turn.runtime.reassure("foreign_awaited"), ())
        return
    yield from turn.ask(turn.phrase(f"foreign_{language}"), [CALL_PERSON])

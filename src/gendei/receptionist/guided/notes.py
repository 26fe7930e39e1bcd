"""What a clinic has written in its notes: the sentences that answer a question."""

import re
from collections.abc import Generator

from gendei.receptionist.guided.actions import Action, Result
from gendei.receptionist.guided.guided_turn import Talk
from gendei.receptionist.understanding.language import words

NOTED = ("parking", "children", "companion", "access", "discount", "home", "wifi")
"""The intents whose words are looked for in the notes, as they are: what is not there is not known."""
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


def parted(text: str) -> list[str]:
    """The sentences of `text`."""
    return [one for found in _SENTENCE.findall(text) if (one := found.strip())]


def sentences(talk: Talk, text: str, intent: str) -> list[str]:
    """The sentences of `text` that speak of `intent`."""
    return [one for one in parted(text) if intent in talk.vocabulary.heard_in(words(one))]


def noted(talk: Talk, intent: str) -> Generator[Action, Result, list[str]]:
    """What the clinic's notes and its cancellation policy say of `intent`."""
    yield from talk.go("product_info")
    facts = (yield from talk.call("get_clinic_info")).get("data") or {}
    return sentences(talk, f"{facts.get('notes') or ''}\n{facts.get('cancellation_policy') or ''}", intent)

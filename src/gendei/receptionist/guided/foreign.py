"""Patients who do not write Portuguese: a short answer in their language, and a person."""

import unicodedata

from gendei.receptionist.guided.actions import Dialogue
from gendei.receptionist.guided.guided_turn import Talk
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.understanding.patient_message import Understanding

LANGUAGES = ("english", "spanish")
"""Lists of words in prompts/intents.yaml; each has a phrase, "foreign_" and its name."""
MIN_WORDS = 2
MIN_SHARE = 0.4
MOSTLY = 0.5


def language_of(talk: Talk, heard: Understanding, typed: str) -> str | None:
    """One of LANGUAGES, "other" for letters that are not ours, None for what may be Portuguese."""
    letters = [one for one in typed if one.isalpha()]
    ours = [one for one in letters if unicodedata.name(one, "").startswith("LATIN")]
    if letters and len(ours) < len(letters) * MOSTLY:
        return "other"
    counts = {name: sum(talk.vocabulary.has(name, word) for word in heard.said) for name in LANGUAGES}
    likely = max(counts, key=lambda name: counts[name])
    return likely if counts[likely] >= max(MIN_WORDS, MIN_SHARE * len(heard.said)) else None


def answer(talk: Talk, language: str) -> Dialogue:
    """What was open stays open; a yes calls a person."""
    yield from talk.ask(talk.phrase(f"foreign_{language}"), [choice(Kind.ACTION, Wish.PERSON)])

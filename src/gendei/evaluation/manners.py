"""How a persona writes what it has to say: without accents, in fragments, with typing errors."""

import random
import re
import unicodedata

from gendei.evaluation.tasks import Habits

_SHORT = {
    "você": "vc",
    "vocês": "vcs",
    "para": "pra",
    "por favor": "pfv",
    "obrigada": "obg",
    "também": "tb",
    "não": "n",
    "hoje": "hj",
    "quanto": "qto",
    "horário": "horario",
}
_KEPT = re.compile(r"[\d:/,]")


def written(text: str, habits: Habits, chance: random.Random) -> list[str]:
    """`text` as this persona sends it: one message, or several where it writes in fragments ("|" parts them)."""
    parts = [part.strip() for part in text.split("|")]
    parts = [part for part in parts if part]
    if not habits.fragments:
        parts = [" ".join(parts)]
    return [_mannered(part, habits, chance) for part in parts]


def _mannered(text: str, habits: Habits, chance: random.Random) -> str:
    if habits.lower:
        text = text.lower()
    if habits.abbreviate:
        for long, short in _SHORT.items():
            text = re.sub(rf"\b{long}\b", short, text) if chance.random() < 0.5 else text
    if habits.typos:
        text = " ".join(_mistyped(word, chance) if chance.random() < habits.typos else word for word in text.split(" "))
    if habits.no_accents:
        text = "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))
    if habits.no_punctuation:
        text = re.sub(r"[.!?;]+", "", text)
    return text.strip() or "oi"


def _mistyped(word: str, chance: random.Random) -> str:
    """One slip of the thumb in a word of five letters or more; numbers are typed with care."""
    if len(word) < 5 or _KEPT.search(word):
        return word
    at = chance.randrange(1, len(word) - 2)
    slip = chance.choice(["swap", "drop", "double"])
    if slip == "swap":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if slip == "drop":
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at] + word[at:]

"""Whether something is said to be wished, or not to be."""

import re
from itertools import pairwise

from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.word_lists import LISTS

_CLAUSES = re.compile(r"[,.;:!?\n]+")
_WORDS_BETWEEN = 3
"""From a "não" to the verb that it belongs to, at the most."""
_UNWILLING, _WANTING = LISTS["unwilling"], LISTS["wanting"]
_SMALL = frozenset({"me", "mais", "nem"})


def wishes(text: str, intent: str, vocabulary: Vocabulary) -> bool:
    """Whether who writes wants just this: "quero cancelar", not "quero saber se posso cancelar"."""
    for clause in _CLAUSES.split(text):
        said = [word for word in words(clause) if word not in _SMALL and word != "de"]
        pairs = pairwise(said)
        if any(first in _WANTING and vocabulary.hears([second], intent) for first, second in pairs):
            return not refuses(text, intent, vocabulary)
    return False


def refuses(text: str, intent: str, vocabulary: Vocabulary) -> bool:
    """Whether a "não" is before a word of this intent in its clause: "não quero marcar", not "não, quero marcar"; nor
    "não consigo marcar", nor "não vou mais cancela", where something else is refused."""
    return any(_refused(words(clause), intent, vocabulary) for clause in _CLAUSES.split(text))


def only_refuses(text: str, intent: str, vocabulary: Vocabulary) -> bool:
    """Whether all that is said of this intent is that it is not wished."""
    clauses = [words(clause) for clause in _CLAUSES.split(text)]
    others = [clause for clause in clauses if not _refused(clause, intent, vocabulary)]
    return len(others) < len(clauses) and not any(vocabulary.hears(clause, intent) for clause in others)


def _refused(said: list[str], intent: str, vocabulary: Vocabulary) -> bool:
    for place in (place for place, word in enumerate(said) if word in {"nao", "n"}):
        behind = said[place + 1 : place + 2 + _WORDS_BETWEEN]
        for number, word in enumerate(behind):
            between = {*behind[:number]}
            fits = between <= _SMALL or (between <= _UNWILLING and (word.endswith("r") or "que" in between))
            if fits and vocabulary.hears([word], intent):
                return True
    return False

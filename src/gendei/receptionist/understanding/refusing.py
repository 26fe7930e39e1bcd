"""Whether something is said not to be wished."""

import re

from gendei.receptionist.understanding.language import Vocabulary, words

_CLAUSES = re.compile(r"[,.;:!?\n]+")
_WORDS_BETWEEN = 3
"""From a "não" to the verb that it belongs to, at the most."""


def refuses(text: str, intent: str, vocabulary: Vocabulary) -> bool:
    """Whether a "não" is before a word of this intent in its clause: "não quero marcar", not "não, quero marcar"."""
    for said in map(words, _CLAUSES.split(text)):
        for place in (place for place, word in enumerate(said) if word in {"nao", "n"}):
            behind = said[place + 1 : place + 1 + _WORDS_BETWEEN]
            if any(vocabulary.hears([word], intent) for word in behind):
                return True
    return False

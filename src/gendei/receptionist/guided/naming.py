"""The name in an answer to who comes, without what is said around it."""

import re

from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.service_names import EMPTY

MAX_NAME_WORDS = 6
MAYBE_NAMES = {"yes", "no", "no_service", "courtesy", "later", "bye", "thanks", "english", "spanish"}
"""Intents whose words are also parts of people's names ("Ana Claro"): an answer with them is a name all the same."""
PARTICLES = frozenset({"da", "das", "de", "do", "dos", "e"})
_SMALL_TALK = ("courtesy", "greeting", "thanks", "bye", "wait", "question")
_BREAK = re.compile(r"[.,!?:;…\n]+")
_TITLES_OF_PEOPLE = {"dona", "seu", "sr", "sra", "senhor", "senhora", "e", "é", "o", "a", "nome", "dela", "dele"}


def name_part(turn: GuidedTurn, typed: str) -> str:
    """Of an answer with something beside the name ("oi, bom dia! Rosa Lima") the part that may be one."""
    parts = [part.strip() for part in _BREAK.split(typed)]
    likely = [
        part
        for part in parts
        if 2 <= len(words(part)) <= MAX_NAME_WORDS
        and EMPTY.isdisjoint(words(part))
        and not turn.vocabulary.heard_in(words(part)) - MAYBE_NAMES
        and not is_small_talk(turn, part)
    ]
    return likely[-1] if len(parts) > 1 and likely else typed


def is_small_talk(turn: GuidedTurn, part: str) -> bool:
    """Whether it is only a greeting, thanks or the like, and nobody's name."""
    return any(turn.vocabulary.is_only(intent, words(part)) for intent in _SMALL_TALK)


def capitalised(name: str) -> str:
    return " ".join(word if word in PARTICLES else word.title() for word in name.split())


def bare_name(typed: str) -> str:
    """A name without what is said before it ("é a dona Rosa Lima")."""
    names = typed.split()
    while len(names) > 1 and names[0].lower().strip(".,:") in _TITLES_OF_PEOPLE:
        names = names[1:]
    return " ".join(names).rstrip(".,!")

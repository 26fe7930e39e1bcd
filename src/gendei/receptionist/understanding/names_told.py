"""The name that a message tells, of who comes or of who writes, without what is said around it."""

import re

from gendei.clinic import Clinic
from gendei.kinship import RELATIVE
from gendei.receptionist.understanding.language import Vocabulary, plain, words
from gendei.receptionist.understanding.service_names import EMPTY, TITLES, professional_named, scores_of
from gendei.verticals import Vertical

MAX_NAME_WORDS = 6
NAME = r"[A-ZÀ-Ý][\wÀ-ÿ']+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ']+)*"
"""A name as it is written: "Ana da Silva". Who ignores case says so around it."""
SHORT_NAME = NAME.removesuffix("*") + "{0,5}"
"""The same of six words at the most, for where more must follow: each further word would be tried anew."""
MAYBE_NAMES = {"yes", "no", "no_service", "courtesy", "later", "bye", "thanks", "english", "spanish"}
"""Intents whose words are also parts of people's names ("Ana Claro"): an answer with them is a name all the same."""
PARTICLES = frozenset({"da", "das", "de", "do", "dos", "e"})
_SMALL_TALK = ("courtesy", "greeting", "thanks", "bye", "wait", "question")
_BREAK = re.compile(r"[.,!?:;…\n]+")
_TITLES_OF_PEOPLE = {"dona", "seu", "sr", "sra", "senhor", "senhora", "e", "é", "o", "a", "nome", "dela", "dele"}
_NAME = re.compile(
    r"\b(?i:meu nome (?:é|e)|me chamo|o nome (?:dele|dela) (?:é|e)|nome:?|(?:é|e) (?:pr[ao]|para(?: [ao])?)"
    r"|nome (?:(?:t[áa]|est[áa]|ficou) )?(?:errado|certo|correto)[,.;:]?(?: (?:é|e))?"
    r"|o nome[,.;:]? (?:é|e)|(?:n[ãa]o|na verdade|quis dizer|ops)[,.]? (?:é|e)"
    rf"|(?:em|no) nome d[eao]|(?:meu|minha) {RELATIVE},?"
    r"|(?:outr[oa]|mais um[a]?|tamb[eé]m|agora|e) (?:pr[ao]|para(?: [ao])?))\s+"
    rf"({NAME})"
)

_FOR_NAME = re.compile(rf"\b(?i:pr[ao]|para)(?: (?i:[ao]))?\s+({NAME})")
_A_RELATIVE = re.compile(rf",?\s+(?:[ée]\s+)?(?:(?:a|o)\s+)?(?:minha|meu)\s+{RELATIVE}\b", re.IGNORECASE)
"""Who bears the name before it."""


def name_told(text: str, blanked: str, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical) -> str | None:
    """How the patient says that somebody is called. blanked: `text` without its days and hours."""
    return undressed(_name(text) or _for_name(blanked, clinic, vertical) or "", vocabulary) or None


def undressed(name: str, vocabulary: Vocabulary) -> str:
    """A name without the thanks, courtesy or greeting that stand around it ("Rosa Lima Obrigada"); "" where nothing
    else is left."""
    parts = name.split()
    while parts and _is_small_talk(parts[-1], vocabulary) and not (len(parts) > 1 and parts[-2].lower() in TITLES):
        parts.pop()
    while len(parts) > 1 and _is_small_talk(parts[0], vocabulary):
        parts.pop(0)
    return " ".join(parts)


def _is_small_talk(word: str, vocabulary: Vocabulary) -> bool:
    said = words(word)
    return not said or not vocabulary.heard_in(said).isdisjoint({"thanks", "greeting"})


def _name(text: str) -> str | None:
    found = _NAME.search(text)
    return found[1].strip() if found and plain(found[1].split()[0]) not in TITLES else None


def _for_name(text: str, clinic: Clinic, vertical: Vertical) -> str | None:
    """The name in "para o João", which is no professional's and no service's, and in "pra Paula Lima, minha sogra"."""
    found = _FOR_NAME.search(text)
    said = words(found[1]) if found else []
    if found is None or not said or said[0] in TITLES:
        return None
    if _A_RELATIVE.match(text, found.end()):
        return found[1]
    professional = professional_named(said, clinic, vertical)
    theirs = professional is not None and (len(said) == 1 or set(said) <= set(words(professional.name)))
    return None if theirs or scores_of(said, clinic, vertical) else found[1]


def name_part(typed: str, vocabulary: Vocabulary) -> str:
    """Of an answer with something beside the name ("oi, bom dia! Rosa Lima") the part that may be one."""
    parts = [part.strip() for part in _BREAK.split(typed)]
    likely = [
        part
        for part in parts
        if 2 <= len(words(part)) <= MAX_NAME_WORDS
        and EMPTY.isdisjoint(words(part))
        and not vocabulary.heard_in(words(part)) - MAYBE_NAMES
        and not is_small_talk(part, vocabulary)
    ]
    return likely[-1] if len(parts) > 1 and likely else typed


def is_small_talk(part: str, vocabulary: Vocabulary) -> bool:
    """Whether it is only a greeting, thanks or the like, and nobody's name."""
    return any(vocabulary.is_only(intent, words(part)) for intent in _SMALL_TALK)


def capitalised(name: str) -> str:
    return " ".join(word if word in PARTICLES else word.title() for word in name.split())


def bare_name(typed: str) -> str:
    """A name without what is said before it ("é a dona Rosa Lima")."""
    names = typed.split()
    while len(names) > 1 and names[0].lower().strip(".,:") in _TITLES_OF_PEOPLE:
        names = names[1:]
    return " ".join(names).rstrip(".,!")

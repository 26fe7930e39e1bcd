"""The name that a message tells: of who comes, or of who writes."""

import re

from gendei.clinic import Clinic
from gendei.kinship import RELATIVE
from gendei.receptionist.understanding.language import Vocabulary, plain, words
from gendei.receptionist.understanding.service_names import TITLES, professional_named, scores_of
from gendei.verticals import Vertical

_NAME = re.compile(
    r"\b(?i:meu nome (?:é|e)|me chamo|o nome (?:dele|dela) (?:é|e)|nome:?|(?:é|e) (?:pr[ao]|para(?: [ao])?)"
    r"|nome (?:(?:t[áa]|est[áa]|ficou) )?(?:errado|certo|correto)[,.;:]?(?: (?:é|e))?"
    r"|o nome[,.;:]? (?:é|e)|(?:n[ãa]o|na verdade|quis dizer|ops)[,.]? (?:é|e)"
    rf"|(?:em|no) nome d[eao]|(?:meu|minha) {RELATIVE},?"
    r"|(?:outr[oa]|mais um[a]?|tamb[eé]m|agora|e) (?:pr[ao]|para(?: [ao])?))\s+"
    r"([A-ZÀ-Ý][\wÀ-ÿ']+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ']+)*)"
)

_FOR_NAME = re.compile(
    r"\b(?i:pr[ao]|para)(?: (?i:[ao]))?\s+([A-ZÀ-Ý][\wÀ-ÿ']+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ']+)*)"
)
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

"""Somebody else whose appointment or telephone is asked for."""

import re

from gendei.clinic import Clinic
from gendei.kinship import RELATIVE
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.names_told import SHORT_NAME
from gendei.receptionist.understanding.plan_names import plans_named
from gendei.receptionist.understanding.service_names import EMPTY, TITLES, professional_named, scores_of
from gendei.receptionist.understanding.word_lists import LISTS
from gendei.verticals import Vertical

_NAME = rf"(?-i:{SHORT_NAME})"
_TITLED = r"(?:dona|seu|sr|sra|senhora?)\.? (?P<{0}>[\wÀ-ÿ']+)"
_KIN = rf"(?:meu|minha) {RELATIVE}\b"
_VISIT = r"(?:consulta|hor[aá]rio|sess[aã]o|retorno|atendimento|agendamento)s?"
_CONTACT = re.compile(
    rf"\b(?:telefone|celular|whats\w*|zap|contato|n[uú]mero|endere[cç]o|e-?mail|cpf) d[aeo] "
    rf"(?:{_TITLED.format('titled')}|(?P<name>[\wÀ-ÿ']+))",
    re.IGNORECASE,
)
_APPOINTMENT = re.compile(
    rf"\b{_VISIT} d[aeo] (?:{_TITLED.format('titled')}|(?P<name>{_NAME})|(?P<kin>{_KIN}))"
    rf"|(?:^|[,.;:!?\n] ?|\b(?:se|que) )(?:[oa] )?"
    rf"(?:{_TITLED.format('titled_first')}|(?P<first>{_NAME})|(?P<kin_first>{_KIN})) "
    rf"(?:tem|t[aá]|est[aá]|tinha|vai ter|ficou) (?:\w+ ){{0,2}}(?:{_VISIT}|marcad[oa]|agendad[oa])\b",
    re.IGNORECASE,
)
_NOBODY = LISTS["nobody"] | LISTS["of_the_clinic"] | LISTS["of_time"] | EMPTY


def contact_of(text: str, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical) -> str | None:
    """Whose telephone or the like is asked for, where they are nobody who works here."""
    return _person(_CONTACT, text, clinic, vocabulary, vertical)


def appointment_of(text: str, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical) -> str | None:
    """Whose appointment is asked about: a name, or a relative as they are called ("minha mãe")."""
    return _person(_APPOINTMENT, text, clinic, vocabulary, vertical)


def _person(
    pattern: re.Pattern[str], text: str, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical
) -> str | None:
    for found in pattern.finditer(text):
        parts = {group: said for group, said in found.groupdict().items() if said}
        told = next((said for group, said in parts.items() if group.startswith(("kin", "titled"))), "")
        if told or not text.isupper():
            person = told or next(iter(parts.values()))
            if told or _is_name(words(person), clinic, vocabulary, vertical):
                return person
    return None


def _is_name(said: list[str], clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical) -> bool:
    """Whether these words name neither a thing nor anybody of the clinic."""
    known = _NOBODY | TITLES | {*words(clinic.name)}
    named_here = professional_named(said, clinic, vertical) or scores_of(said, clinic, vertical)
    return (
        not named_here
        and not any(word in known or vocabulary.means_something(word) for word in said)
        and not plans_named(" ".join(said), clinic, vertical).any_named
    )

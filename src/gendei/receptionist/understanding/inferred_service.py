"""Which service is meant where none is named: by whom it is for, by a professional's specialty, by a story."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from gendei.booking.dates import resolve
from gendei.clinic import Clinic, Professional, Service
from gendei.ear.kinds import MessageKind
from gendei.kinship import CHILDREN
from gendei.receptionist.understanding.language import Vocabulary, plain, words, words_known
from gendei.receptionist.understanding.parting import without
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.service_names import EMPTY, scores_of
from gendei.verticals import Vertical

GROWN_UP = 18
WORDS_OF_A_STORY, SHORT = 3, 3
"""That tell something else than a wish, and letters of a word that hardly tells anything."""
STEM = 6
"""Letters by which a specialty is told in a service's name: "Cardiologia", "cardiologista"."""
_AGE = re.compile(r"\b(\d{1,3}) ?an(?:o|inho)s?\b")
_THEIR_AGE = re.compile(r"\bel[ea]s? (?:so |ja )?(?:tem|fez|faz|completou) \d{1,2} an(?:o|inho)s?\b(?! que)")
_OF_CHILD = re.compile(rf"\b(?:d[oa]s?|pr[oa]s?|para)(?: (?:[oa]s?|meus?|minhas?))* (?:{'|'.join(CHILDREN)})\b")
_NEVER = re.compile(r"\bnunca (?:\w+ )?(?:fui|foi|fiz|fez|fomos|passei|passou|estive)\b")
_CALLED_SO = re.compile(r"(?:^|[,.!?]|\b(?:dia|tarde|noite|oi|ola)\b) ?(?:minha|meu) fi\w+ ?(?:$|[,.!?\n])")
"""The clinic, by who is older: "bom dia, minha filha"."""
_KINDS = frozenset(
    {MessageKind.BOOK, MessageKind.CHANGE, MessageKind.CANCEL, MessageKind.SEE, MessageKind.CONFIRM, MessageKind.ASK}
)


def inferred(
    heard: Understanding, text: str, *, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical, now: datetime
) -> Understanding:
    """With the service that is meant, where several fit as well or none is named, and one follows from the rest."""
    not_theirs = heard.service is not None and not _does(heard.professional, heard.service)
    if heard.unknown_service or not (not_theirs or heard.wants("book") or heard.kind in _KINDS):
        return heard
    child = for_child(text)
    if len(heard.services) == 1:
        left = _instead(heard, plain(text), clinic, vertical, child=child)
    elif heard.services:
        left = _of_age(heard.services, vertical, child=child)
    else:
        left = _unnamed(heard, clinic, vertical, child=child)
        if not left and _tells_story(heard, without(text, resolve(text, now)), vocabulary):
            left = _first_visit([each for each in clinic.services if _does(heard.professional, each)], vertical)
    return replace(heard, services=left) if len(left) == 1 else heard


def _instead(
    heard: Understanding, said: str, clinic: Clinic, vertical: Vertical, *, child: bool
) -> tuple[Service, ...]:
    """For the one service that is named: the same for children ("a terapia do meu filho"); the first visit of who never
    had what the whole clinic is called by ("nunca fiz fisioterapia"); the specialty of a professional who does not do
    what is named ("o médico quer que eu passe com o doutor Caio"), or of whom only a visit is wished ("uma consulta
    com o doutor Caio")."""
    if child and _OF_CHILD.search(said):
        return _of_age(heard.mentioned, vertical, child=True)
    if heard.professional:
        named = _called_by_more(words(said), heard.services[0], clinic, vertical)
        theirs = _of_specialty(heard.professional, clinic.services, vertical)
        if theirs and not (named and _does(heard.professional, heard.services[0])):
            return theirs
    if _NEVER.search(said) and _called(heard.services, [vertical.professional.singular]):
        return _first_visit(clinic.services, vertical)
    return ()


def _called_by_more(said: Sequence[str], service: Service, clinic: Clinic, vertical: Vertical) -> bool:
    """Whether a service is named by more than the vertical's words for an appointment."""
    visits = {*words_known(vertical.appointment.singular), *words_known(vertical.appointment.plural)}
    return service in [each for each, _ in scores_of([word for word in said if word not in visits], clinic, vertical)]


def for_child(text: str) -> bool:
    """Whether it is told of a child, by the word or by the age."""
    said = _CALLED_SO.sub(" ", plain(text))
    if any(int(age) >= GROWN_UP for age in _AGE.findall(said)):
        return False
    return _THEIR_AGE.search(said) is not None or not CHILDREN.isdisjoint(re.findall(r"\w+", said))


def _of_age(services: Sequence[Service], vertical: Vertical, *, child: bool) -> tuple[Service, ...]:
    """Those for children where a child comes, else the others."""
    return tuple(service for service in services if _is_called(service.name, tuple(vertical.for_children)) is child)


def _unnamed(heard: Understanding, clinic: Clinic, vertical: Vertical, *, child: bool) -> tuple[Service, ...]:
    offered = [service for service in clinic.services if _does(heard.professional, service)]
    if child and (of_age := _of_age(offered, vertical, child=True)):
        return of_age
    return _of_specialty(heard.professional, offered, vertical) if heard.professional else ()


def _of_specialty(professional: Professional, services: Sequence[Service], vertical: Vertical) -> tuple[Service, ...]:
    """The appointment of theirs that is called by their specialty."""
    visits = {*words_known(vertical.appointment.singular), *words_known(vertical.appointment.plural)}
    theirs = [each for each in services if _does(professional, each) and visits & {*words_known(each.name)}]
    return _called(theirs, [professional.specialty]) if professional.specialty else ()


def _does(professional: Professional | None, service: Service) -> bool:
    return professional is None or service.id in professional.service_ids


def _called(services: Iterable[Service], names: Iterable[str]) -> tuple[Service, ...]:
    return tuple(service for service in services if _is_called(service.name, tuple(names)))


@lru_cache(maxsize=5_000)
def _is_called(name: str, others: tuple[str, ...]) -> bool:
    """Whether a service's name holds one of these words, in any form; neither is a patient's."""
    begins = {word[:STEM] for other in others for word in words_known(other)}
    return any(word[:STEM] in begins for word in words_known(name))


def _first_visit(offered: Sequence[Service], vertical: Vertical) -> tuple[Service, ...]:
    named = (_called(offered, [name]) for name in vertical.first_visit)
    return next((found for found in named if found), ())


def _tells_story(heard: Understanding, told: str, vocabulary: Vocabulary) -> bool:
    """Whether a booking is wished, and besides it is told what for. told: the words without days and hours."""
    if heard.kind is not MessageKind.BOOK or not heard.is_sentence or heard.wants("another", "unsure"):
        return False
    telling = (word for word in words(told) if len(word) > SHORT and word not in EMPTY)
    return sum(not vocabulary.means_something(word) for word in telling) >= WORDS_OF_A_STORY

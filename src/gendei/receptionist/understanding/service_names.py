"""Which service and which professional a message names: by name, by nickname, and by what a description says.

A name counts with typing errors, and where none is found the nearest one does, measured by rapidfuzz. A description
counts only in what asks for something ("aquele que limpa os dentes"), and never against a name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler

from gendei.clinic import Clinic, Professional, Service
from gendei.receptionist.understanding.language import Places, Vocabulary, contains, words_known
from gendei.receptionist.understanding.word_lists import LISTS
from gendei.verticals import Vertical

HALF = 0.5
GENERIC = 0.1
"""The score of a service that is called like every appointment: too little to tell one appointment from another."""
VERTICALS = 0.002
"""More than how completely a name was said counts for, and less than one word more."""
TITLES = LISTS["titles"]
LONG = 6
"""Letters from which a word is long enough to be known by its looks, or by its beginning."""
BEGINNING, SHORTENED, LONG_NAME = 5, 4, 8
"""Letters that stand for a word, for one of so many letters at least, and how many those are."""
ALIKE = 86
"""How like a name (0 to 100) what was written must be, where no name was written as it is."""
WORDS_OF_A_NAME = 4
"""Who says no more than so many has named a thing rather than told of it."""
SAME_STEM = 0.88
"""How like a word of a description (0 to 1): "limpa" and "limpeza", "dentes" and "dente"."""
_CUES = {"dr", "dra", "doutor", "doutora", "com"}
"""After one of these stands a name."""
_ORDINAL_WORDS = frozenset({"primeira", "primeiro", "segunda", "segundo"})
_PLURALS = (("ao", "oes"), ("m", "ns"), ("l", "is"), ("r", "res"))
"""Endings of one and of several, where not only an "s" is added."""
_DIMINUTIVE = re.compile(r"(\w{4,}?)(?:z?inh[oa]s?|z?im)")
ENDING = 2
"""Letters that a diminutive may have taken from a word: "consult(a)", "dent(es)"."""
SHORT = 4
"""A word of fewer letters, alone of a name's words, is not the name: the "pé" of "fazer o pé"."""
_LIGHT_VERBS = LISTS["light_verbs"]
EMPTY = LISTS["empty"]


def scores_of(said: Sequence[str], clinic: Clinic, vertical: Vertical) -> list[tuple[Service, float]]:
    """The services that were named and how well, best first. The vertical's word for an appointment says nothing
    about which: "quero uma consulta" names no service unless one is called just that."""
    generic = frozenset(words_known(f"{vertical.appointment.singular} {vertical.appointment.plural}"))
    names = {service.id: [words_known(name) for name in names_of(service, vertical)] for service in clinic.services}
    said = _as_named(said, frozenset(word for of_service in names.values() for name in of_service for word in name))
    shared, places = _shared(names.values()), Places(said)
    scored = [
        (service, _best_name(places, names[service.id], 1 + len(service.aliases), generic, shared))
        for service in clinic.services
    ]
    found = sorted((pair for pair in scored if pair[1] > 0), key=lambda pair: -pair[1])
    return found or _alike(said, clinic, names)


def _as_named(said: Sequence[str], known: frozenset[str]) -> list[str]:
    """Plurals and diminutives of words that are part of a name, as the name has them ("massagens", "consultinha")."""
    bent = _plurals(known)
    return [word if word in known else bent.get(word) or _undiminished(word, known) or word for word in said]


@lru_cache(maxsize=500)
def _plurals(known: frozenset[str]) -> Mapping[str, str]:
    return {
        word.removesuffix(single) + many: word for word in known for single, many in _PLURALS if word.endswith(single)
    }


def _undiminished(word: str, known: frozenset[str]) -> str | None:
    """The one word of `known` of which this is a diminutive."""
    found = _DIMINUTIVE.fullmatch(word)
    if found is None:
        return None
    stem = found[1][:-1] + "m" if found[1].endswith("n") else found[1]
    like = [other for other in known if other.startswith(stem) and len(other) - len(stem) <= ENDING]
    return like[0] if len(like) == 1 else None


def best_of(scores: Sequence[tuple[Service, float]]) -> tuple[Service, ...]:
    """Those named best. Half of a name that several services share ("dente") names none of them."""
    best = tuple(service for service, score in scores if score == scores[0][1])
    return () if len(best) > 1 and scores[0][1] <= HALF else best


def meant_of(said: Sequence[str], named: Sequence[Service], vertical: Vertical) -> tuple[Service, ...]:
    """Of the services that were named at all those that a question is about: not one of which less was said than of
    another ("terapia", where "terapia de casal" was)."""
    places = Places(said)
    said_of = {service.id: _said_of(places, service, vertical) for service in named}
    return tuple(service for service in named if not any(said_of[service.id] < others for others in said_of.values()))


def _said_of(places: Places, service: Service, vertical: Vertical) -> frozenset[str]:
    parts = {part for name in names_of(service, vertical) for part in words_known(name) if part not in TITLES}
    return places.words_of(parts)


def names_of(service: Service, vertical: Vertical) -> list[str]:
    """What patients may call a service: its name, the clinic's aliases, and the vertical's other words for it."""
    others = (other for word, them in vertical.service_words.items() if _in_name(service.name, word) for other in them)
    return [service.name, *service.aliases, *others]


@lru_cache(maxsize=20_000)
def _in_name(name: str, word: str) -> bool:
    """Whether a service's name holds a vertical's word for it. Remembered: neither is a patient's."""
    return contains(words_known(name), words_known(word))


def named_elsewhere(said: Sequence[str], vertical: Vertical) -> bool:
    """Whether hardly more was said than the name of a service that other clinics of the vertical have."""
    names = (name for word, others in vertical.service_words.items() for name in (word, *others))
    generic = words_known(f"{vertical.appointment.singular} {vertical.appointment.plural}")
    telling = (words_known(name) for name in names)
    return len(said) <= WORDS_OF_A_NAME and any(
        name and not set(name) <= {*generic, *EMPTY} and contains(said, name) for name in telling
    )


def names_something(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether "um" or "uma" stands before a word that could be a service ("quero marcar um implante")."""
    nouns = (after for article, after in pairwise(said) if article in {"um", "uma"} and len(after) > 3)
    no_services = vocabulary.single_words("no_service")
    return any(not vocabulary.is_only("no_service", [noun]) and not _undiminished(noun, no_services) for noun in nouns)


def described(said: Sequence[str], clinic: Clinic, vocabulary: Vocabulary, least: int) -> tuple[Service, ...]:
    """The services whose description says most of what these words say, `least` of them; several where they say as
    much, none where a single word that many of them have is all."""
    asked = [word for word in said if word not in EMPTY and len(word) > 3 and not vocabulary.means_something(word)]
    texts = {service.id: set(words_known(service.description)) for service in clinic.services if service.description}
    weight = {word: sum(_tells(word, text) for text in texts.values()) for word in asked}
    scores = {
        service.id: sum(1 / weight[word] for word in set(asked) if _tells(word, texts[service.id]))
        for service in clinic.services
        if service.id in texts and sum(_tells(word, texts[service.id]) for word in set(asked)) >= least
    }
    best = max(scores.values(), default=0.0)
    if best < 1:  # nothing that is said of one service alone, nor enough of what is said of a few
        return ()
    return tuple(service for service in clinic.services if scores.get(service.id) == best)


def professional_named(said: Sequence[str], clinic: Clinic, vertical: Vertical) -> Professional | None:
    """The one professional who is meant; None when nobody or more than one fits."""
    scored, places = [], Places(said)
    for professional in clinic.professionals:
        names = [
            [word for word in words_known(name) if word not in TITLES]
            for name in (professional.name, *professional.aliases)
        ]
        score = max((sum(bool(places.of(part)) for part in name) for name in names), default=0)
        if score:
            scored.append((score, professional))
    scored.sort(key=lambda pair: -pair[0])
    if not scored:
        return _nearly_named(said, clinic) or _by_specialty(said, clinic, vertical)
    return None if len(scored) > 1 and scored[0][0] == scored[1][0] else scored[0][1]


def _best_name(
    said: Places, names: Sequence[tuple[str, ...]], own: int, generic: frozenset[str], shared: frozenset[str]
) -> float:
    """How well a service was named. The `own` first names are the clinic's; the vertical's other words stand behind
    them, and count only as a whole: "eu e minha esposa" is not said with "esposa"."""
    scores = (
        (
            _service_score(said, name, generic, shared, whole=place >= own),
            VERTICALS if place >= own else _behind(name, names[0]),
        )
        for place, name in enumerate(names)
    )
    return max((score - behind for score, behind in scores if score), default=0.0)


@lru_cache(maxsize=5_000)
def _behind(alias: tuple[str, ...], name: tuple[str, ...]) -> float:
    """A nickname that is no form of the name tells rather what somebody has ("coração", beside "eletro")."""
    begins = {word[:BEGINNING] for word in name if word not in TITLES}
    return 0.0 if any(word[:BEGINNING] in begins for word in alias) else VERTICALS / 2


def _shared(names: Iterable[list[tuple[str, ...]]]) -> frozenset[str]:
    """Words, without an "s" at the end, of several services: half of a name may not rest on one of these."""
    each = [{_singular(word) for name in of_service for word in name} for of_service in names]
    counted = Counter(word for of_service in each for word in of_service)
    return frozenset(word for word, times in counted.items() if times > 1)


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _coverage(said: Places, wanted: Sequence[str]) -> float:
    return sum(bool(said.of(word)) for word in wanted) / len(wanted)


def _service_score(
    said: Places, name: tuple[str, ...], generic_words: frozenset[str], shared: frozenset[str], *, whole: bool
) -> float:
    """0 (not named) to about 2: full matches beat partial ones, longer names beat shorter ones. whole: a part of it
    names nothing."""
    significant, telling, own = _parts(name, generic_words, shared)
    if len(telling) == 1 and len(telling[0]) < SHORT and significant != telling:
        return 1.0 if _coverage(said, significant) == 1 else 0.0
    if not telling:
        return GENERIC if significant and _coverage(said, significant) == 1 else 0.0
    if _ORDINAL_WORDS.issuperset(telling):  # "primeira consulta" is not meant by "a primeira"
        return 1.0 if _coverage(said, significant) == 1 else 0.0
    covered = _coverage(said, telling)
    if covered == 1:
        return 1 + len(telling) / 100 + _coverage(said, significant) / 1000
    if whole:
        return 0.0
    return covered if covered >= HALF and own and _coverage(said, own) else _begun(said, telling)


@lru_cache(maxsize=5_000)
def _parts(
    name: tuple[str, ...], generic_words: frozenset[str], shared: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Of a service's name: what is no title, what of it tells one service from others, and what of that is its own."""
    significant = tuple(word for word in name if word not in TITLES)
    telling = tuple(word for word in significant if word not in generic_words and word not in EMPTY)
    own = tuple(word for word in telling if _singular(word) not in shared and word not in _LIGHT_VERBS)
    return significant, telling, own


def _begun(said: Places, telling: Sequence[str]) -> float:
    """A name of one word by its beginning ("cardio", "podo")."""
    begins = len(telling) == 1 and any(
        len(word) >= (BEGINNING if len(telling[0]) < LONG_NAME else SHORTENED) and telling[0].startswith(word)
        for word in said.begun_by(telling[0][0])
    )
    return 1.0 if begins else 0.0


def _alike(said: Sequence[str], clinic: Clinic, names: dict[str, list[tuple[str, ...]]]) -> list[tuple[Service, float]]:
    """The one service with a name most like some words that follow each other; nothing where two are as like."""
    likeness, runs = {}, _runs(said)
    for service in clinic.services:
        whole = ["".join(word for word in name if word not in TITLES) for name in names[service.id]]
        near = (
            process.extractOne(name, runs[length], scorer=fuzz.ratio, score_cutoff=ALIKE)
            for name in whole
            if len(name) >= LONG
            for length in range(len(name) - 2, len(name) + 3)
            if length in runs
        )
        likeness[service.id] = max((best[1] for best in near if best), default=0.0)
    ordered = sorted(clinic.services, key=lambda service: -likeness[service.id])
    if not ordered or likeness[ordered[0].id] < ALIKE:
        return []
    if len(ordered) > 1 and likeness[ordered[1].id] >= ALIKE:
        return []
    return [(ordered[0], 1.0)]


def _runs(said: Sequence[str]) -> dict[int, set[str]]:
    """One to three words written as one, by their length: "bio impedancia"."""
    runs: dict[int, set[str]] = {}
    for count in (1, 2, 3):
        for at in range(len(said) - count + 1):
            joined = "".join(said[at : at + count])
            if len(joined) >= LONG:
                runs.setdefault(len(joined), set()).add(joined)
    return runs


def _nearly_named(said: Sequence[str], clinic: Clinic) -> Professional | None:
    """A first or last name that was misspelt after "com" or a title ("com a Elena")."""
    after = {word for at, word in enumerate(said) if len(word) >= 4 and not _CUES.isdisjoint(said[max(0, at - 2) : at])}
    like = [
        professional
        for professional in clinic.professionals
        if any(
            fuzz.ratio(word, part) >= ALIKE - 2
            for word in after
            for part in words_known(professional.name)
            if part not in TITLES
        )
    ]
    return like[0] if len(like) == 1 else None


def _by_specialty(said: Sequence[str], clinic: Clinic, vertical: Vertical) -> Professional | None:
    """The only one with the specialty that was asked for ("o endodontista"), which is not everybody's there."""
    everybodys = words_known(f"{vertical.professional.singular} {vertical.name} {vertical.appointment.singular}")
    asked = {word[:LONG] for word in said if len(word) > LONG} - {word[:LONG] for word in everybodys}
    able = [
        professional
        for professional in clinic.professionals
        if asked & {word[:LONG] for word in words_known(professional.specialty)}
    ]
    return able[0] if len(able) == 1 else None


GENERIC_LETTERS = 4
"""In more letters the beginning of a word stands for it ("eletro")."""


def _tells(word: str, text: set[str]) -> bool:
    """Whether a description has this word, in any of its forms."""
    return any(
        word == other
        or (len(word) > GENERIC_LETTERS and other.startswith(word))
        or (len(other) > 3 and word[:4] == other[:4] and JaroWinkler.similarity(word, other) >= SAME_STEM)
        for other in text
    )

"""What a patient's message means for this clinic: intents, service, professional, date, a name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from gendei.booking.dates import Resolution, resolve
from gendei.clinic import Clinic, Professional, Service
from gendei.receptionist.guided.several import for_kin, parted
from gendei.receptionist.language import Vocabulary, contains, same_word, words
from gendei.verticals import Vertical

HALF = 0.5
LONG = 300
"""In more characters than this nobody lists bookings, and looking for them would cost time."""
GENERIC = 0.1
"""The score of a service that is called like every appointment: too little to tell one appointment from another."""
_ORDINAL_WORDS = frozenset({"primeira", "primeiro", "segunda", "segundo"})
_TITLES = {"dr", "dra", "doutor", "doutora", "prof", "de", "da", "do", "das", "dos", "e", "com", "a", "o", "para", "em"}
_RELATIVES = r"filh[oa]|m[ãa]e|pai|espos[oa]|marido|mulher|av[óôo]|irm[ãa]o?|net[oa]|ti[oa]|sogr[oa]"
_NAME = re.compile(
    r"\b(?i:meu nome (?:é|e)|me chamo|o nome (?:dele|dela) (?:é|e)|nome:?|(?:é|e) (?:pr[ao]|para(?: [ao])?)"
    r"|nome (?:(?:t[áa]|est[áa]|ficou) )?(?:errado|certo|correto)[,.;:]?(?: (?:é|e))?"
    rf"|em nome d[eao]|(?:meu|minha) (?:{_RELATIVES})"
    r"|(?:outr[oa]|mais um[a]?|tamb[eé]m|agora|e) (?:pr[ao]|para(?: [ao])?))\s+"
    r"([A-ZÀ-Ý][\wÀ-ÿ']+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ']+)*)"
)

_FOR_NAME = re.compile(
    r"\b(?i:pr[ao]|para)(?: (?i:[ao]))?\s+([A-ZÀ-Ý][\wÀ-ÿ']+(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][\wÀ-ÿ']+)*)"
)
_SHORT_FOR = re.compile(r"(?<!\S)p/?(?=\s)", re.IGNORECASE)
"""How hurried people write "pra"."""
_OTHER_QUESTIONS = frozenset({"insurance", "specialist", "children", "price", "payment", "late", "appointments"})
"""With one of these "atendem?" asks for no hours."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """One turn's words, understood.

    services: those that fit equally well: one is a match, several are a question. mentioned: all that were named at
    all, best first. unknown_service: one was asked for that the clinic does not have. only_yes, only_no: nothing else
    was said. name: how the patient says that somebody is called. then: what else is to be booked after this, in the
    patient's words.
    """

    said: tuple[str, ...]
    intents: frozenset[str]
    services: tuple[Service, ...] = ()
    mentioned: tuple[Service, ...] = ()
    professional: Professional | None = None
    when: Resolution | None = None
    unknown_service: bool = False
    name: str | None = None
    only_yes: bool = False
    only_no: bool = False
    then: tuple[str, ...] = ()

    def wants(self, *intents: str) -> bool:
        return not self.intents.isdisjoint(intents)

    @property
    def service(self) -> Service | None:
        return self.services[0] if len(self.services) == 1 else None

    @property
    def has_booking_facts(self) -> bool:
        return bool(self.services or self.professional or self.says_when)

    @property
    def says_when(self) -> bool:
        when = self.when
        return when is not None and any(
            (when.date, when.time, when.time_from, when.time_to, when.slot, when.excluded, when.impossible)
        )


def understand(
    text: str, *, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical, now: datetime
) -> Understanding:
    """`text`: what was typed in this turn, but for what chose a shown option. `now`: aware, in the clinic's zone."""
    text, then = _parted(_SHORT_FOR.sub("pra", text), clinic, vertical, now)
    said = tuple(words(text))
    when = resolve(text, now)
    about = tuple(words(without(text, when)))
    scores = _scores(about, clinic, vertical)
    services, professional = _best(scores), _professional(about, clinic)
    plainly = bool(services) and scores[0][1] >= 1
    heard = _intents(said, vocabulary) - ({"staff_matter"} if plainly else set()) | (
        {"someone_else"} if for_kin(text) else set()
    )
    if any(contains(said, words(name)[:1]) for name in clinic.insurance):
        heard |= {"insurance"}
    return Understanding(
        said=said,
        intents=_meant(heard, bool(services), professional is not None),
        services=services,
        mentioned=tuple(service for service, score in scores if score > GENERIC),
        professional=professional,
        when=when,
        unknown_service=not scores and _names_something(about, vocabulary),
        name=_name(text) or _for_name(without(text, when), clinic, vertical),
        only_yes=_is_only("yes", said, vocabulary),
        only_no=_is_only("no", said, vocabulary),
        then=then,
    )


def _is_only(name: str, said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether nothing but this was said, courtesies aside ("sim, minha querida")."""
    return vocabulary.is_only(name, said) or vocabulary.is_only(name, vocabulary.beyond("courtesy", said))


def _parted(text: str, clinic: Clinic, vertical: Vertical, now: datetime) -> tuple[str, tuple[str, ...]]:
    """The words of the first booking, and those of what is to be booked after it. A day that is said once is meant
    for both."""
    if len(text) > LONG:
        return text, ()
    generic = {*words(vertical.appointment.plural), "horarios", "vagas", "consultas", "sessoes", "atendimentos"}
    services = {word for one in clinic.services for name in _names(one, vertical) for word in words(name)}

    def names_service(part: str) -> str | None:
        scores = _scores(words(without(part, resolve(part, now))), clinic, vertical)
        best = _best(scores)
        return best[0].id if len(best) == 1 and scores[0][1] >= 1 else None

    def bookable(noun: str) -> bool:
        plural = "".join(words(noun))
        return (
            plural in generic or plural.removesuffix("s") in services or plural.removesuffix("oes") + "ao" in services
        )

    parts = parted(text, without(text, resolve(text, now)), names_service, bookable)
    if parts.then and names_service(parts.then[0]) and resolve(parts.first, now) is None:
        dated = resolve(parts.then[0], now)
        spans = dated.spans if dated else ()
        return " ".join([parts.first, *(parts.then[0][start:end] for start, end in spans)]), parts.then
    return parts.first, parts.then


def _intents(said: Sequence[str], vocabulary: Vocabulary) -> frozenset[str]:
    """What is wanted. "Sair" and "parar" stop our messages only where nothing else is said ("saio às 18h")."""
    heard = vocabulary.heard_in(said)
    return heard if vocabulary.insists("opt_out", said) else heard - {"opt_out"}


def _meant(heard: frozenset[str], names_service: bool, names_professional: bool) -> frozenset[str]:
    """What is left of words that mean something only beside others, or nothing beside them."""
    plain = not names_service and "book" not in heard
    if "attends" in heard and plain and not names_professional and heard.isdisjoint(_OTHER_QUESTIONS):
        heard |= {"hours"}
    if not plain or not heard.isdisjoint(_OTHER_QUESTIONS | {"services", "professionals", "hours"}):
        heard -= {"offers"}
    if not names_professional or "book" in heard:
        heard -= {"attends"}
    elif "attends" in heard:
        heard -= {"hours"}
    if names_service or "book" in heard:
        heard -= {"specialist"}
    return heard - {"late"} if "book" in heard else heard


def _names_something(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether "um" or "uma" stands before a word that could be a service ("quero marcar um implante")."""
    nouns = (after for article, after in pairwise(said) if article in {"um", "uma"} and len(after) > 3)
    return any(not vocabulary.is_only("no_service", [noun]) for noun in nouns)


def without(text: str, when: Resolution | None) -> str:
    """The text with its date words blanked: "segunda" must not look like a name or a service."""
    for start, end in when.spans if when else ():
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _coverage(said: Sequence[str], wanted: Sequence[str]) -> float:
    return sum(any(same_word(word, one) for word in said) for one in wanted) / len(wanted)


def _scores(said: Sequence[str], clinic: Clinic, vertical: Vertical) -> list[tuple[Service, float]]:
    """The services that were named and how well, best first. The vertical's word for an appointment says nothing
    about which: "quero uma consulta" names no service unless one is called just that."""
    generic = frozenset(words(f"{vertical.appointment.singular} {vertical.appointment.plural}"))
    scored = [
        (service, max(_service_score(said, words(one), generic) for one in _names(service, vertical)))
        for service in clinic.services
    ]
    return sorted((pair for pair in scored if pair[1]), key=lambda pair: -pair[1])


def _best(scores: Sequence[tuple[Service, float]]) -> tuple[Service, ...]:
    """Those named best. Half of a name that several services share ("dente") names none of them."""
    best = tuple(service for service, score in scores if score == scores[0][1])
    return () if len(best) > 1 and scores[0][1] <= HALF else best


def _names(service: Service, vertical: Vertical) -> list[str]:
    """What patients may call a service: its name, the clinic's aliases, and the vertical's other words for it."""
    own = words(service.name)
    others = (other for word, them in vertical.service_words.items() if contains(own, words(word)) for other in them)
    return [service.name, *service.aliases, *others]


def _service_score(said: Sequence[str], name: Sequence[str], generic_words: frozenset[str]) -> float:
    """0 (not named) to about 2: full matches beat partial ones, longer names beat shorter ones."""
    significant = [word for word in name if word not in _TITLES]
    telling = [word for word in significant if word not in generic_words]
    if not telling:
        return GENERIC if significant and _coverage(said, significant) == 1 else 0.0
    if _ORDINAL_WORDS.issuperset(telling):  # "primeira consulta" is not meant by "a primeira"
        return 1.0 if _coverage(said, significant) == 1 else 0.0
    covered = _coverage(said, telling)
    if covered == 1:
        return 1 + len(telling) / 100 + _coverage(said, significant) / 1000
    return covered if covered >= HALF else 0.0


def _professional(said: Sequence[str], clinic: Clinic) -> Professional | None:
    """The one professional who is meant; None when nobody or more than one fits."""
    scored = []
    for one in clinic.professionals:
        names = [[word for word in words(name) if word not in _TITLES] for name in (one.name, *one.aliases)]
        score = max((sum(any(same_word(word, part) for word in said) for part in name) for name in names), default=0)
        if score:
            scored.append((score, one))
    scored.sort(key=lambda pair: -pair[0])
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1]


def _name(text: str) -> str | None:
    found = _NAME.search(text)
    return found[1].strip() if found else None


def _for_name(text: str, clinic: Clinic, vertical: Vertical) -> str | None:
    """The name in "para o João", which is no professional's and no service's."""
    found = _FOR_NAME.search(text)
    said = words(found[1]) if found else []
    if not said or said[0] in _TITLES or _professional(said, clinic) or _scores(said, clinic, vertical):
        return None
    return found[1] if found else None

"""The first booking of a message, or what is cancelled, and what is to be booked after it."""

import re
from collections.abc import Callable
from datetime import datetime

from gendei.booking.dates import Resolution, resolve
from gendei.clinic import Clinic
from gendei.receptionist.understanding.language import Vocabulary, contains, words, words_known
from gendei.receptionist.understanding.multi_booking import Parts, instead_of_cancelled, parted
from gendei.receptionist.understanding.refusing import refuses
from gendei.receptionist.understanding.service_names import best_of, names_of, scores_of
from gendei.receptionist.understanding.word_lists import LISTS
from gendei.verticals import Vertical

LONG = 300
"""In more characters than this nobody lists bookings, and looking for them would cost time."""
_TOGETHER = LISTS["together"]
_WISHES = frozenset({"book", "wishes"})
_ASKS = frozenset({"cancel", "question", "price", "payment", "duration", "preparation", "policy", "insurance"})
"""Who says one of these beside a wish does not wish to book."""
_WAS_CANCELLED = re.compile(r"\b(?:cancel|desmar[cq])\w*(?:ei|ou|aram)\b", re.IGNORECASE)
_OF_VISITS = frozenset({"horarios", "vagas", "consultas", "sessoes", "atendimentos"})


def parts_of(
    text: str, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical, now: datetime, chosen: str | None
) -> Parts:
    """The first booking, and what is to be booked after it. A day that is said once is meant for both."""
    if len(text) > LONG:
        return Parts(text)
    said = words(text)

    by_own_names = vertical.model_copy(update={"service_words": {}})  # what hurts is told beside what is wished

    def names_service(part: str) -> str | None:
        scores = scores_of(words(part), clinic, by_own_names)
        best = best_of(scores)
        return best[0].id if len(best) == 1 and scores[0][1] >= 1 else None

    def bookable(noun: str) -> bool:
        plural = "".join(words(noun))
        if plural == "pessoas":
            return "casal" not in said
        services = {word for name in named for word in name}
        singular = {plural.removesuffix("s"), plural.removesuffix("oes") + "ao"}
        return plural in {*words_known(vertical.appointment.plural), *_OF_VISITS} or not services.isdisjoint(singular)

    def cancels(part: str) -> bool:
        hears = vocabulary.hears(words(part), "cancel") and not refuses(part, "cancel", vocabulary)
        return hears and not _WAS_CANCELLED.search(part)

    def books(part: str) -> bool:
        heard = vocabulary.heard_in(words(part))
        return not heard.isdisjoint(_WISHES) and heard.isdisjoint(_ASKS) and not refuses(part, "book", vocabulary)

    def books_from(at: int) -> bool:
        """A service that is named, or the same at another time ("cancela e marca na quinta")."""
        told = blanked[at:] != text[at:] or scores_of(words(blanked[at:]), clinic, by_own_names)
        same = told and vocabulary.hears(words(text[at:]), "book")
        return books(text[at:]) and bool(same or names_service(blanked[at:]))

    blanked = without(text, resolve(text, now))
    if vocabulary.hears(said, "cancel"):
        instead = instead_of_cancelled(text, cancels, books, books_from)
        if instead is not None:
            cancelled = parts_of(instead.first, clinic, vocabulary, vertical, now, chosen)
            return cancelled._replace(then=(*cancelled.then, *instead.then))
    named = [words_known(name) for service in clinic.services for name in names_of(service, vertical)]
    if any(("e" in name or not _TOGETHER.isdisjoint(name)) and contains(said, name) for name in named):
        return Parts(text)  # "eu e meu marido" come to it together
    parts = parted(text, blanked, names_service, bookable, chosen)
    if parts.then and cancels(parts.first):  # nothing of it is booked
        return parts._replace(then=tuple(wish.as_cancelled for wish in parts.then if wish.words))
    return _with_day_of_both(parts, names_service, now)


def _with_day_of_both(parts: Parts, names_service: Callable[[str], str | None], now: datetime) -> Parts:
    """A day that is said once, with the second of two services, is meant for the first too."""
    behind = parts.then[0].words if parts.then else ""
    dated = resolve(behind, now) if behind else None
    if behind and names_service(without(behind, dated)) and resolve(parts.first, now) is None:
        spans = dated.spans if dated else ()
        return parts._replace(first=" ".join([parts.first, *(behind[start:end] for start, end in spans)]))
    return parts


def without(text: str, when: Resolution | None) -> str:
    """The text with its date words blanked: "segunda" must not look like a name or a service."""
    return when.blanked(text) if when else text

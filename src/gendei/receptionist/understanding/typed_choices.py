"""What was typed, as one of the options that were shown: "2", "a segunda", "14h", or a title with small errors.

Only what is plain counts. What could mean two options, or a weekday as well as a place, chooses nothing, and is then
read like any other message.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise

from rapidfuzz.distance import OSA

from gendei.booking.dates import Resolution, resolve
from gendei.clinic import Clinic
from gendei.clock import instant
from gendei.messages.turns import PatientInput
from gendei.receptionist.offers.choices import ANSWERS_OFFER, SLOTS, Choice, Kind, day_from, parse_choice, start_from
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.word_lists import FILE, LISTS

Shown = Sequence[Mapping[str, str]]
"""The options of the last message, each with "id" and "title"."""

_FIRST = FILE.places
_WEEKDAY_OR_PLACE = {"segunda": (0, 2), "terca": (1, 3), "quarta": (2, 4), "quinta": (3, 5), "sexta": (4, 6)}
"""Words that name a weekday (0 = Monday) and a place. "Terça" is never the third, which is "terceira"."""
_ARTICLES = {"a", "o", "opcao", "numero", "item", "n"}
_FILLER = LISTS["around_a_choice"]
_YES = LISTS["takes_offer"]
_NO = LISTS["declines_offer"]
_SAME_HOUR = {("mesmo", "horario"), ("esse", "horario"), ("nesse", "horario"), ("mesma", "hora"), ("nessa", "hora")}
_YESES = {Kind.BOOK, Kind.MOVE_NOW, Kind.CANCEL_NOW}
_ARTICLES_TOO = {"um", "uma"}
"""Numbers that begin many a sentence ("quero uma"): they are a place only by themselves or after "opção"."""
SHOWN = 12
"""A button's title is cut at 20 characters, a row's at 24; what is typed of it counts from this length on."""
_TOLERANCE = ((9, 2), (5, 1))
"""A title of this many letters may have this many typing errors."""


def resolve_typed(
    inputs: Sequence[PatientInput], shown: Shown, clinic: Clinic, now: datetime
) -> tuple[PatientInput, ...]:
    """The messages of a turn with `choice` filled where a text plainly means a shown option. Where that option carries
    words alone, they take the place of the text. `now`: aware, in the clinic's zone."""
    return tuple(_resolved(message, shown, clinic, now) for message in inputs)


def typed_choice(text: str, shown: Shown, clinic: Clinic, now: datetime) -> str | None:
    """The id of the one shown option that `text` means, or None."""
    said = words(text)
    if not said or not shown:
        return None
    ways: tuple[Callable[[], list[str]], ...] = (
        lambda: _by_title(said, shown),
        lambda: _by_answer(said, shown),
        lambda: _by_place(said, shown, clinic),
        lambda: _by_time(text, shown, clinic, now),
        lambda: _by_beginning(said, shown),
        lambda: _by_misspelt_title(said, shown),
    )
    for way in ways:
        if found := way():
            return found[0] if len(found) == 1 else None
    return None


def _resolved(message: PatientInput, shown: Shown, clinic: Clinic, now: datetime) -> PatientInput:
    if message.choice or message.kind != "text":
        return message
    chosen = typed_choice(message.text, shown, clinic, now)
    if chosen is None:
        return message
    title = next(option["title"] for option in shown if option["id"] == chosen)
    return replace(message, choice=chosen, text=message.text if parse_choice(chosen) else title)


def _by_title(said: Sequence[str], shown: Shown) -> list[str]:
    """ "Outro dia", also as "quero outro dia"."""
    rest = [word for word in said if word not in _FILLER]
    titles = [(option["id"], words(option["title"])) for option in shown]
    if exactly := [id_ for id_, title in titles if title == list(said)]:
        return exactly
    same_hour = any(pair in _SAME_HOUR for pair in pairwise(said))  # "no mesmo horário em outro dia" says more
    return [] if same_hour else [id_ for id_, title in titles if title == rest]


def _by_answer(said: Sequence[str], shown: Shown) -> list[str]:
    """A bare yes or no to what is offered to who waits."""
    kinds = {chosen.kind: option["id"] for option in shown if (chosen := parse_choice(option["id"]))}
    offer = [kinds[kind] for kind in (Kind.WAITING_TAKE, Kind.WAITING_DECLINE) if kind in kinds]
    if len(offer) < len(ANSWERS_OFFER):
        return []
    if not set(said) - _FILLER - _YES and not _YES.isdisjoint(said):
        return offer[:1]
    return offer[1:] if not set(said) - _NO and "nao" in said else []


def _by_place(said: Sequence[str], shown: Shown, clinic: Clinic) -> list[str]:
    """ "2", "opção 2", "a segunda". A weekday's name without an article is a weekday (but "segunda" where no days and
    no mere actions are shown), and with one too where that weekday is one of those that are shown."""
    rest = [word for word in said if word not in _FILLER] or list(said)
    if len(rest) != 1:
        return []
    [word] = rest
    place = place_said(rest)
    if word in _WEEKDAY_OR_PLACE:
        weekday, place = _WEEKDAY_OR_PLACE[word]
        days = [day for option in shown if (day := _day_of(parse_choice(option["id"]), clinic))]
        named = {day.weekday() == weekday for day in days}
        if word == "terca" or named == {True, False}:
            return []
        acts = any(chosen and chosen.kind is Kind.ACTION for option in shown if (chosen := parse_choice(option["id"])))
        if _ARTICLES.isdisjoint(said) and (days or acts or place > 2):
            return []
    asks_yes = not {option["id"].partition("|")[0] for option in shown}.isdisjoint(_YESES)
    if asks_yes and not word.isdigit() and _ARTICLES.isdisjoint(said):
        return []  # "três então" is an hour
    if word in _ARTICLES_TOO and set(said) - {word} - _ARTICLES:
        return []
    if place == -1:
        return [_last(shown, clinic)]
    if place and 1 <= place <= len(shown):
        return [shown[place - 1]["id"]]
    return []


def place_said(said: Sequence[str]) -> int | None:
    """The place that is all of what was said, counted from 1 ("2", "a terceira"; "a última" is -1); None for none."""
    rest = [word for word in said if word not in _FILLER]
    if len(rest) != 1:
        return None
    return int(rest[0]) if rest[0].isascii() and rest[0].isdigit() and len(rest[0]) <= 2 else _FIRST.get(rest[0])


def hour_alone(said: Sequence[str], vocabulary: Vocabulary, now: datetime) -> Resolution | None:
    """The 9 of "9 tá bom", the 15 of "na verdade 15", the three of "três então"."""
    rest = list(said)
    for intent in ("yes", "courtesy", "correction"):
        rest = vocabulary.beyond(intent, rest)
    rest = [word for word in rest if word not in _FILLER]
    when = resolve(f"às {rest[0]}", now) if len(rest) == 1 else None
    return when if when and when.time and not when.date else None


def _last(shown: Shown, clinic: Clinic) -> str:
    """The latest time where times are shown, else the last day, else the last option."""
    starts = [(start, option["id"]) for option in shown if (start := _start_of(parse_choice(option["id"]), clinic))]
    if starts:
        return max(starts, key=lambda pair: instant(pair[0]))[1]
    dated = [option["id"] for option in shown if _day_of(parse_choice(option["id"]), clinic)]
    return dated[-1] if dated else shown[-1]["id"]


def _by_time(text: str, shown: Shown, clinic: Clinic, now: datetime) -> list[str]:
    """The shown times that begin at the hour which was said, on the day that was said, if any; nothing where more
    than that was said."""
    when = resolve(text, now)
    if when is None or when.time is None or _more_than_when(text, when):
        return []
    if (
        when.past
        or when.over
        or when.impossible
        or when.excluded
        or when.alternatives
        or when.time_alternatives
        or when.end_date
    ):
        return []
    starts = [(option["id"], _start_of(parse_choice(option["id"]), clinic)) for option in shown]
    return [id_ for id_, start in starts if start and start.time() == when.time and when.date in {None, start.date()}]


def _more_than_when(text: str, when: Resolution) -> bool:
    return any(word not in _FILLER for word in words(when.blanked(text)))


def _by_beginning(said: Sequence[str], shown: Shown) -> list[str]:
    """A title as far as WhatsApp shows it."""
    typed = " ".join(said)
    return [
        option["id"] for option in shown if len(typed) >= SHOWN and " ".join(words(option["title"])).startswith(typed)
    ]


def _by_misspelt_title(said: Sequence[str], shown: Shown) -> list[str]:
    """Titles that are as good as typed: letters may be wrong or swapped, digits never."""
    typed = " ".join(said)
    near = []
    for option in shown:
        for title in _forms(option["title"]):
            allowed = next((errors for length, errors in _TOLERANCE if len(title) >= length), 0)
            same_digits = [character for character in title if character.isdigit()] == [
                character for character in typed if character.isdigit()
            ]
            if allowed and same_digits and OSA.distance(typed, title, score_cutoff=allowed) <= allowed:
                near.append(option["id"])
                break
    return near


def _forms(title: str) -> list[str]:
    """A title as it may be typed: whole, and without what stands in brackets."""
    return list(dict.fromkeys(" ".join(words(form)) for form in (title, title.partition("(")[0])))


def _start_of(chosen: Choice | None, clinic: Clinic) -> datetime | None:
    return start_from(chosen.args[2], clinic) if chosen and chosen.kind in SLOTS else None


def _day_of(chosen: Choice | None, clinic: Clinic) -> date | None:
    if chosen and chosen.kind is Kind.DAY:
        return day_from(chosen.args[0])
    start = _start_of(chosen, clinic)
    return start.date() if start else None

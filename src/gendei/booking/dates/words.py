"""The closed vocabulary of dates and times in Brazilian Portuguese, without accents and in lower case; most of it
stands in words.yaml, with what each list is."""

import re
from pathlib import Path

from gendei.booking.dates.nodes import Part
from gendei.datafile import StrictModel, read_yaml


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


class _File(StrictModel):
    numbers: dict[str, int]
    ordinals: dict[str, int]
    diminutives: dict[str, list[int]]
    aliases: dict[str, str]
    feasts: dict[str, list[str]]
    lists: dict[str, str]


_FILE = read_yaml(Path(__file__).with_name("words.yaml")).into(_File)
WEEKDAYS = {"segunda": 0, "terca": 1, "quarta": 2, "quinta": 3, "sexta": 4, "sabado": 5, "domingo": 6}
WEEKDAY_PLURALS = {f"{name}s": number for name, number in WEEKDAYS.items()}
WEEKDAY_SHORT = {name[:3]: number for name, number in WEEKDAYS.items()}
_MONTHS = "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro"
MONTHS = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
MONTHS_SHORT = {name[:3]: number for name, number in MONTHS.items()}
NUMBERS = _FILE.numbers
ORDINALS = _FILE.ordinals
PARTS = {"manha": Part.MORNING, "tarde": Part.AFTERNOON, "noite": Part.NIGHT, "madrugada": Part.DAWN}
DIMINUTIVES = {name: (since, until) for name, (since, until) in _FILE.diminutives.items()}
ALIASES = {alias: word for word, others in _FILE.aliases.items() for alias in others.split()}
SPELLABLE = (frozenset({*WEEKDAYS, *MONTHS}) - {"marco"}) | words(_FILE.lists["spellable"])
FALSE_FRIENDS = words(_FILE.lists["false_friends"])
ORDINAL_HEADS = words(_FILE.lists["ordinal_heads"])
GREETING_ADJECTIVES = words(_FILE.lists["greeting_adjectives"])
GREETED = words(_FILE.lists["greeted"])
FAREWELLS = words(_FILE.lists["farewells"])
PLACES = words(_FILE.lists["places"])
BIRTHS = words(_FILE.lists["births"])
A_BIT = words(_FILE.lists["a_bit"])
TITLES = words(_FILE.lists["titles"])
NOT_A_PART_AFTER = words(_FILE.lists["not_a_part_after"])
PAST_VERBS = words(_FILE.lists["past_verbs"])
DURATION_BEFORE = words(_FILE.lists["duration_before"])
DURATION_AFTER = words(_FILE.lists["duration_after"])
FEASTS = {tuple(phrase.split()): name for name, phrases in _FILE.feasts.items() for phrase in phrases}
FEAST_STARTS = frozenset(phrase[0] for phrase in FEASTS)
COMMERCIAL_FEASTS = words(_FILE.lists["commercial_feasts"])
HAS_A_HINT = re.compile(r"\d|[^\W\d_]{2}")
"""A text without this holds no date."""
STARTERS = words(_FILE.lists["starters"]).union(
    *(WEEKDAYS, WEEKDAY_PLURALS, WEEKDAY_SHORT, MONTHS, MONTHS_SHORT, NUMBERS, ORDINALS, DIMINUTIVES, FEAST_STARTS),
    *(PARTS, {f"{part}s" for part in PARTS}),
)

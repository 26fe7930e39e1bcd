"""The closed vocabulary of dates and times in Brazilian Portuguese, without accents and in lower case; most of it
stands in words.yaml, with what each list is."""

import re
from pathlib import Path
from typing import Any

from gendei.booking.dates.nodes import Part
from gendei.datafile import StrictModel, read_yaml
from gendei.kinship import KIN


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


class _File(StrictModel):
    numbers: dict[str, int]
    ordinals: dict[str, int]
    diminutives: dict[str, list[int]]
    stretches: dict[str, dict[str, list[int]]]
    aliases: dict[str, str]
    feasts: dict[str, list[str]]
    feast_days: dict[str, list[int]]
    easter_feasts: dict[str, int]
    second_sundays: dict[str, int]
    public_holidays: list[str]
    lists: dict[str, str]


_FILE = read_yaml(Path(__file__).with_name("words.yaml")).into(_File)
LISTS = {name: words(listed) for name, listed in _FILE.lists.items()}
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
STRETCHES = {
    (part, of): (since, until)
    for part, stretches in _FILE.stretches.items()
    for of, (since, until) in stretches.items()
}
ALIASES = {alias: word for word, others in _FILE.aliases.items() for alias in others.split()}
SPELLABLE = (frozenset({*WEEKDAYS, *MONTHS}) - {"marco"}) | LISTS["spellable"]
FALSE_FRIENDS = LISTS["false_friends"]
TITLES = LISTS["titles"]
FEASTS = {tuple(phrase.split()): name for name, phrases in _FILE.feasts.items() for phrase in phrases}
FIXED_FEASTS = {name: (month, day) for name, (month, day) in _FILE.feast_days.items()}
EASTER_FEASTS, SECOND_SUNDAYS, PUBLIC_HOLIDAYS = _FILE.easter_feasts, _FILE.second_sundays, _FILE.public_holidays
_TABLES: dict[str, dict[str, Any]] = {
    "WEEKDAYS": WEEKDAYS,
    "WEEKDAY_PLURALS": WEEKDAY_PLURALS,
    "WEEKDAY_SHORT": WEEKDAY_SHORT,
    "MONTHS": MONTHS,
    "SHORT_MONTHS": MONTHS_SHORT,
    "NUMBERS": NUMBERS,
    "ORDINALS": ORDINALS,
    "PARTS": PARTS,
    "DIMINUTIVES": DIMINUTIVES,
}
GROUPS = {
    **{name.upper(): listed for name, listed in LISTS.items()},
    **{name: frozenset(table) for name, table in _TABLES.items()},
    "FEAST_STARTS": frozenset(phrase[0] for phrase in FEASTS),
    "SUBJECTS": words("eu ela ele que") | KIN,
    "TELLING": words("eu ele ela gente nos meu minha") | LISTS["busy_verbs"],
    "DIGITS": frozenset({""}),
    "NOTHING": frozenset(),
}
"""The groups of words that patterns name; DIGITS are what is written in digits."""
HAS_A_HINT = re.compile(r"\d|[^\W\d_]{2}")
"""A text without this holds no date."""
STARTERS = LISTS["starters"].union(*_TABLES.values(), GROUPS["FEAST_STARTS"], {f"{part}s" for part in PARTS})

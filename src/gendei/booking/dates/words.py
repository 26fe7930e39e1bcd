"""The closed vocabulary of dates and times in Brazilian Portuguese, without accents and in lower case; most of it
stands in words.yaml, with what each list is."""

import re
from pathlib import Path

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
ALIASES = {alias: word for word, others in _FILE.aliases.items() for alias in others.split()}
SPELLABLE = (frozenset({*WEEKDAYS, *MONTHS}) - {"marco"}) | LISTS["spellable"]
FALSE_FRIENDS = LISTS["false_friends"]
ORDINAL_HEADS = LISTS["ordinal_heads"]
GREETING_ADJECTIVES = LISTS["greeting_adjectives"]
GREETED = LISTS["greeted"]
FAREWELLS = LISTS["farewells"]
PLACES = LISTS["places"]
BIRTHS = LISTS["births"]
A_BIT = LISTS["a_bit"]
TITLES = LISTS["titles"]
NOT_A_PART_AFTER = LISTS["not_a_part_after"]
PAST_VERBS = LISTS["past_verbs"]
DURATION_BEFORE = LISTS["duration_before"]
DURATION_AFTER = LISTS["duration_after"]
FEASTS = {tuple(phrase.split()): name for name, phrases in _FILE.feasts.items() for phrase in phrases}
FEAST_STARTS = frozenset(phrase[0] for phrase in FEASTS)
FIXED_FEASTS = {name: (month, day) for name, (month, day) in _FILE.feast_days.items()}
EASTER_FEASTS, SECOND_SUNDAYS, PUBLIC_HOLIDAYS = _FILE.easter_feasts, _FILE.second_sundays, _FILE.public_holidays
COMMERCIAL_FEASTS = LISTS["commercial_feasts"]
GROUPS = {
    **{name.upper(): listed for name, listed in LISTS.items()},
    "WEEKDAYS": frozenset(WEEKDAYS),
    "WEEKDAY_PLURALS": frozenset(WEEKDAY_PLURALS),
    "WEEKDAY_SHORT": frozenset(WEEKDAY_SHORT),
    "MONTHS": frozenset(MONTHS),
    "SHORT_MONTHS": frozenset(MONTHS_SHORT),
    "NUMBERS": frozenset(NUMBERS),
    "ORDINALS": frozenset(ORDINALS),
    "PARTS": frozenset(PARTS),
    "DIMINUTIVES": frozenset(DIMINUTIVES),
    "FEAST_STARTS": FEAST_STARTS,
    "SUBJECTS": words("eu ela ele que") | KIN,
    "TELLING": words("eu ele ela gente nos meu minha") | LISTS["busy_verbs"],
    "DIGITS": frozenset({""}),
    "NOTHING": frozenset(),
}
"""The groups of words that patterns name; DIGITS are what is written in digits."""
HAS_A_HINT = re.compile(r"\d|[^\W\d_]{2}")
"""A text without this holds no date."""
STARTERS = LISTS["starters"].union(
    *(WEEKDAYS, WEEKDAY_PLURALS, WEEKDAY_SHORT, MONTHS, MONTHS_SHORT, NUMBERS, ORDINALS, DIMINUTIVES, FEAST_STARTS),
    *(PARTS, {f"{part}s" for part in PARTS}),
)

"""Decides what of a public collection is in scope, by kind; docs/dates.md lists the kinds."""

import datetime as dt
import re

_BY_WORDS = {
    "a quarter, a decade, a school or fiscal year": re.compile(r"trimestr|semestr|d[ée]cada|letivo|fiscal|civil", re.I),
    "a season": re.compile(r"\bver[aã]o\b|\binverno\b|\bprimavera\b|\boutono\b", re.I),
    "a time zone": re.compile(r"\b(?:CET|UTC|GMT|[A-Z]ST)\b"),
    "seconds": re.compile(r"\bsegundos?\b(?!\s(?:de|m[eê]s)\b)|\d:\d\d:\d\d", re.I),
    "no Portuguese": re.compile(r"\bsept\b|\byuandan\b", re.I),
    "the order of day, month and year of another country": re.compile(
        r"[a-z]{3,}-\d\d-\d{4}|[a-z]{3,}-\d{4}-\d\d|\d{4}/\d\d/[a-z]|\d\d-\d{4}-[a-z]", re.I
    ),
}
_UNIT_OF_CLOCK = re.compile(r"\b(?:horas?|h|min\w*)\b", re.I)
_COUNTED = re.compile(r"pr[óo]xim|[úu]ltim|atr[aá]s|dentro|futuro|anterior|passad|retroceder", re.I)
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})(?!\d)")
_PART_SAID = re.compile(
    r"\bmanh[aã]|tarde|noite|madrugada|\d\s?[ap]\.?m\b|\b[ap]m\b|\b[ap]\.m|\b0\d[:h.]|meio\s?-?dia|meia\s?-?noite", re.I
)
_DELAY = re.compile(r"\b(?:em|fazem|faz|daqui|dentro)\b.*\b(?:horas?|min\w*)\b", re.I)


_ABSENT = re.compile(r"\b(est(?:arei|ive)) fora\b", re.I)
_TELLS_WHICH = re.compile(
    r"\d{4}|[/.-]\d\d|ontem|passad|[úu]ltim|atr[aá]s|\bantes\b|\b(?:3[2-9]|[4-9]\d)$|\bh[aá]\b|de[sn]t[ea]", re.I
)
_NUMBERED_WEEKDAY = re.compile(r"(?:feira|segunda|ter[cç]a|quarta|quinta|sexta|s[aá]bado|domingo)\s(\d+)$", re.I)


def measured(text: str) -> str:
    """The text that is read: "estarei fora" rules the time out for a booking, and the collection means the time."""
    return _ABSENT.sub(r"\1", text)


def says_which_past(text: str) -> bool:
    """Whether the text itself says that it lies in the past, by a year or a word."""
    return _TELLS_WHICH.search(text) is not None


def is_hour_by_clinic(text: str) -> bool:
    """Whether a number stands alone behind a weekday whose nearest days do not have it ("sexta 13")."""
    numbered = _NUMBERED_WEEKDAY.search(text)
    return numbered is not None and 7 <= int(numbered[1]) <= 20


def out_by_words(text: str) -> str:
    """The reason why words of that kind are out of scope, "" where they are not."""
    return next((reason for reason, pattern in _BY_WORDS.items() if pattern.search(text)), "")


def is_stretch_of_hours(text: str) -> bool:
    """Whether the text counts hours or minutes on or back from now ("próximas 3 horas", "últimos 3 minutos")."""
    return bool(_UNIT_OF_CLOCK.search(text) and _COUNTED.search(text))


def has_month_first(text: str, day: dt.date) -> bool:
    """Whether `day` is written with its month first and could not be read otherwise ("4/22")."""
    return any(
        (int(month), int(number)) == (day.month, day.day) and day.day > 12 for month, number in _NUMERIC.findall(text)
    )


def by_clinic(text: str, hour: dt.time, *others: dt.time) -> tuple[dt.time, ...]:
    """The hours by this project's convention: from 1 to 6 without a part of the day they are the afternoon, and a range
    that begins from 1 to 5 lies there as a whole."""
    undecided = not _PART_SAID.search(text) and not _DELAY.search(text)
    latest = 6 if not others or others[0].hour <= 6 else 5
    if not undecided or not 1 <= hour.hour <= latest:
        return hour, *others
    return tuple(said.replace(hour=said.hour + 12 if said.hour < 12 else said.hour) for said in (hour, *others))

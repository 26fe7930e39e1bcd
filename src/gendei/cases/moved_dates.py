"""Dates in a patient's words, moved by whole weeks so that they keep their weekday and their distance."""

import re
from datetime import date, timedelta

from gendei.cases.vocabulary import folded

MONTHS = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)
_BY_NAME = {name: number for number, name in enumerate(map(folded, MONTHS), 1)}
_BY_NAME |= {name[:3]: number for name, number in _BY_NAME.items()}
_UNITS = "um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete"
_NUMBERS = {word: number for number, word in enumerate(f"{_UNITS} dezoito dezenove vinte".split(), 1)}
_NUMBERS |= {"primeiro": 1, "catorze": 14, "trinta": 30}
_SPELLED = rf"(?:(?:vinte|trinta)\s+e\s+)?(?:{'|'.join(sorted((*_NUMBERS, 'três'), key=len, reverse=True))})"
_MONTH = "|".join((*MONTHS, "marco", *(name[:3] for name in MONTHS)))
_DATE = re.compile(
    rf"""(?<![\w/])(?:
    (?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?!\d))
    |(?P<numeric>(?P<d2>\d{{1,2}})\s?(?P<sep>[/.-])\s?(?P<m2>\d{{1,2}})(?:\s?(?P=sep)\s?(?P<y2>\d{{4}}|\d{{2}}))?(?![\d/]))
    |(?P<named>(?P<d3>\d{{1,2}}|{_SPELLED})\s*(?:º|o)?\s*(?:de\s+)?(?P<m3>{_MONTH})\b
        (?:\s+(?:de\s+|do\s+)?(?P<y3>\d{{4}}|\d{{2}})\b)?)
    |(?P<day>(?P<lead>dias?\s+)(?P<d4>\d{{1,2}}|{_SPELLED})\b(?!\s*(?:h\b|hs\b|horas|:\d|[/.-]\s?\d|(?:º|o)?\s*(?:de\s+)?(?:{_MONTH})\b))
        (?P<more>(?:\s*(?:,|\be\b|\bou\b|\ba\b)\s*\d{{1,2}}\b(?!\s*(?:h|:\d)))*))
    |(?P<month>(?P<before>(?:em|de|para|pra|m[eê]s\s+de|at[eé])\s+)(?P<m5>{"|".join(MONTHS)}|marco)\b)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
LONG_AGO = "01/01/1980"
"""Stands for a day that is more than a year off: somebody's birth, or a day of their life."""
_FAR = timedelta(days=366)


def moved(text: str, today: date, shift: timedelta) -> str:
    """`text` with its dates moved. `today`: the day on which it was written. A year is left out: it would only tell
    when that was."""
    return _DATE.sub(lambda found: _moved(found, today, shift), text)


def _moved(found: re.Match[str], today: date, shift: timedelta) -> str:
    match found.lastgroup and next(name for name in ("iso", "numeric", "named", "day", "month") if found[name]):
        case "iso":
            return _told(_date(found["d1"], int(found["m1"]), found["y1"], today), today, shift)
        case "numeric" if found["y2"] or found["sep"] == "/":
            return _told(_date(found["d2"], int(found["m2"]), found["y2"], today), today, shift)
        case "named":
            day = _date(found["d3"], _BY_NAME[folded(found["m3"])], found["y3"], today)
            if day is None or abs(day - today) > _FAR:
                return LONG_AGO
            return f"{(day + shift).day} de {MONTHS[(day + shift).month - 1]}"
        case "day":
            day = _day_of_month(found["d4"], today)
            if day is None:
                return found[0]
            more = re.sub(r"\d+", lambda other: _other_day(other[0], today, shift), found["more"])
            return f"{found['lead']}{(day + shift).day}{more}"
        case "month":
            month = _BY_NAME[folded(found["m5"])]
            later = date(today.year + (month < today.month), month, 15) + shift
            return f"{found['before']}{MONTHS[later.month - 1]}"
    return found[0]


def _told(day: date | None, today: date, shift: timedelta) -> str:
    return LONG_AGO if day is None or abs(day - today) > _FAR else f"{day + shift:%d/%m}"


def _day_of_month(written: str, today: date) -> date | None:
    """The next such day; None for a number that is none of a month."""
    number = _number(written)
    return next((each for days in range(62) if (each := today + timedelta(days=days)).day == number), None)


def _other_day(written: str, today: date, shift: timedelta) -> str:
    day = _day_of_month(written, today)
    return written if day is None else str((day + shift).day)


def _number(written: str) -> int:
    if written.isdigit():
        return int(written)
    *tens, unit = folded(written).split()
    return _NUMBERS[unit] + (_NUMBERS[tens[0]] if tens else 0)


def _date(written: str, month: int, year: str | None, today: date) -> date | None:
    """The day; without a year, the nearest one. None for a day that there is not."""
    known = None if year is None else int(year) + (2000 if len(year) == 2 else 0)
    if known is not None and known > today.year + 5:
        known -= 100
    found = []
    for each in (today.year, today.year + 1, today.year - 1) if known is None else (known,):
        try:
            found.append(date(each, month, _number(written)))
        except ValueError:
            continue
    return min(found, key=lambda near: abs(near - today), default=None)

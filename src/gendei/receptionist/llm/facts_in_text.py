"""What a text names: amounts of money, times, dates, numbers of people. Found generously, for texts of a model."""

import re
from datetime import date

from gendei.receptionist.understanding.language import plain

_PICTURES = "\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d"
_BETWEEN_SENTENCES = re.compile(rf"(?<=[.!?;])\s+|\n+|[{_PICTURES}]+")
_TAG = re.compile(
    r"[,\s]+(?:ok|okay|ta|tá|ta bom|tá bom|tudo bem|certo|combinado|viu|beleza|ne|né)\s*\?\s*$", re.IGNORECASE
)
_NUMBER = r"(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?"
_MONEY = re.compile(rf"r\$\s*{_NUMBER}|\b{_NUMBER}\s*(?:reais|real|conto)\b")
_PERCENT = re.compile(r"\b\d+(?:,\d+)?\s*(?:%|por cento)")
_HOUR = r"([01]?\d|2[0-3])"
_TIME = re.compile(
    rf"\b{_HOUR}(?::([0-5]\d)(?!\d)|\s?h(?:s|rs)?\s?([0-5]\d)?\b(?!\w))|\bas {_HOUR}\b(?![/:,.]\d|\s?(?:h|reais|%))"
    rf"|\b(?:as|das|ate as|a partir das|depois das|antes das) {_HOUR} horas\b"
)
_AFTERNOON = re.compile(r"\s*(?:horas?\s*)?(?:e meia\s*)?da (?:tarde|noite)")
_LASTING_BEFORE = (
    "jejum de", "antecedencia de", "cerca de", "dentro de", "em ate", "por", "durante", "duracao de", "dura"
)  # fmt: skip
_NEAR = 32
"""Characters before a time in which one of these ends."""
_LASTING_AFTER = re.compile(
    r"\s*(?:oras?\s*)?(?:antes|depois|de antecedencia|de jejum|de duracao|por dia|seguidas|por semana)\b"
)
_NOON = re.compile(r"\bmeio[- ]dia( e meia)?\b")
_DAY = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?![\d/])")
_ISO_DAY = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MONTHS = ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez")
_SPELT_DAY = re.compile(rf"\b(\d{{1,2}})o? de ({'|'.join(_MONTHS)})[a-z]*(?: de (\d{{4}}))?\b")
_WEEKDAYS = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_WEEKDAY_AND_DAY = re.compile(
    rf"\b({'|'.join(_WEEKDAYS)})(?:-feira)?,?\s*\(?(?:dia\s+)?(\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|\d{{1,2}} de [a-z]+)"
)
_LONG_NUMBER = re.compile(r"\+?\d(?:[\s().-]{0,2}\d){7,}")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+|\b[\w.+-]{1,64}@[\w-]+\.\w[\w.]*")


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text; the points inside "R$ 1.250,00" part nothing, and emoji do."""
    return [sentence for sentence in _BETWEEN_SENTENCES.split(text) if sentence.strip()]


def asks(sentence: str) -> bool:
    """Whether it asks something: not where only a word behind it does ("agendei para amanhã, ok?")."""
    return sentence.rstrip().endswith("?") and not _TAG.search(sentence)


def amounts(text: str) -> list[int]:
    """Every amount of money, in centavos: "R$ 1.250,00", "180 reais"."""
    found = []
    for match in _MONEY.finditer(plain(text)):
        whole, cents = (match[1], match[2]) if match[1] else (match[3], match[4])
        found.append(int(whole.replace(".", "")) * 100 + int((cents or "0").ljust(2, "0")))
    return found


def percentages(text: str) -> list[str]:
    """Every "20%" and "20 por cento", without blanks; "%" in an address of the web is no percentage."""
    return [found.replace(" ", "") for found in _PERCENT.findall(plain(_ADDRESS.sub(" ", text)))]


def times(text: str) -> list[int]:
    """Every time of the day, in minutes: "14h30", "às 15", "3 da tarde" after "às", "meio-dia". How long something
    lasts ("12h de antecedência") is no time."""
    said, found = plain(text), []
    for match in _TIME.finditer(said):
        before = said[max(0, match.start() - _NEAR) : match.start()].rstrip()
        if before.endswith(_LASTING_BEFORE) or _LASTING_AFTER.match(said, match.end()):
            continue
        hour = int(match[1] or match[4] or match[5])
        if hour < 12 and _AFTERNOON.match(said, match.end()):
            hour += 12
        found.append(hour * 60 + int(match[2] or match[3] or 0))
    return found + [12 * 60 + (30 if match[1] else 0) for match in _NOON.finditer(said)]


def dates(text: str, today: date) -> list[date]:
    """Every date: "24/11", "24/11/2026", "2026-11-24", "24 de novembro". Without a year it is the one that is nearest
    to today. What the calendar does not have is left out."""
    said = plain(text)
    parts = [(match[1], match[2], match[3]) for match in _DAY.finditer(said)]
    parts += [(match[3], match[2], match[1]) for match in _ISO_DAY.finditer(said)]
    parts += [(match[1], str(_MONTHS.index(match[2]) + 1), match[3]) for match in _SPELT_DAY.finditer(said)]
    return [day for part in parts if (day := _date(*part, today)) is not None]


def wrong_weekdays(text: str, today: date) -> list[date]:
    """Dates that the text puts on a weekday which is not theirs ("segunda, 24/11" of a Tuesday)."""
    return [
        day
        for match in _WEEKDAY_AND_DAY.finditer(plain(text))
        for day in dates(match[2], today)
        if day.weekday() != _WEEKDAYS.index(match[1])
    ]


def identifying(text: str) -> list[str]:
    """Numbers of eight digits or more as their digits (phones, documents), and addresses of mail and the web."""
    text = _ISO_DAY.sub(" ", text)
    numbers = ["".join(character for character in found if character.isdigit()) for found in _LONG_NUMBER.findall(text)]
    return [*numbers, *(address.lower().rstrip(".,;:!?)") for address in _ADDRESS.findall(text))]


def _date(day: str, month: str, year: str | None, today: date) -> date | None:
    try:
        if year:
            return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
        near = (date(today.year + offset, int(month), int(day)) for offset in (-1, 0, 1))
        return min(near, key=lambda day: abs(day - today))
    except ValueError:
        return None

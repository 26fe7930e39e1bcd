"""Cuts a message into tokens: words as the vocabulary spells them, numbers, clock times and numeric dates."""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache

from gendei.booking.dates.spelling import canonical
from gendei.booking.dates.words import LISTS, MONTHS_SHORT, TITLES, WEEKDAY_SHORT, WEEKDAYS

LONGEST_NUMBER = 4


class TokenKind(Enum):
    WORD = auto()
    NUMBER = auto()
    ORDINAL = auto()
    CLOCK = auto()
    DATE = auto()
    MARK = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class TextToken:
    """`text` is canonical; `numbers` are those of a NUMBER or ORDINAL (value), CLOCK (hour, minute) or DATE (day,
    month, year as written or 0; a whole month has no day). `literal`: a clock time that can only be on the 24-hour
    clock. [start, end) in the message."""

    kind: TokenKind
    text: str
    start: int
    end: int
    numbers: tuple[int, ...] = ()
    literal: bool = False
    raw: str = ""


_HOURS = r"(?:horas|hora|hrs|hr|hs|h)\b"
_MINUTES = r"(?:minutos|minuto|mins|min|m)\b"
_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)"
_PATTERN = re.compile(
    rf"""
    (?P<junk>https?://\S+|(?<!\S)\S+@\S+|r\$\s*\d[\d.,]*|\d{{3}}\.\d{{3}}\.\d{{3}}-\d\d|\d{{5}}-\d{{3,4}}\b|\d+%)
  | (?<![\w.,/-])(?P<iso>(?P<iy>\d{{4}})(?P<isep>\s?-\s?|[/.])(?P<im>\d{{1,2}}|{_MONTH}[a-zç]*)(?P=isep)
        (?P<id>\d{{1,2}}))(?:t(?=\d)|(?![\w-]))
  | (?<![\w.,/-])(?P<month>(?P<mm>\d{{1,2}})/(?P<my>{_YEAR})|(?P<ym>{_YEAR})[/.-](?P<yn>\d{{1,2}}))(?![\w]|[/.,:-]\d)
  | (?<![\w.,/])(?P<date>(?P<d>\d{{1,2}})(?:(?P<sep>[/.-])|\s/\s)(?P<m>\d{{1,2}})
        (?:(?:(?P=sep)|\s?/\s?)(?P<y>\d{{4}}|\d\d)|,\s?(?P<cy>{_YEAR}))?)(?![\w]|[/.,:]\d|-\d(?!\d?/\d))
  | (?<![\d.,/])(?P<clock>(?P<ch>\d{{1,2}})\s?
        (?:(?:h|hs|hrs)\s?(?P<hm>\d{{2}})(?:\s?{_MINUTES})?(?!\w|\s?{_HOURS}|[/.:-]\d)
         |{_HOURS}
         |:\s?(?P<cm>\d{{2}})(?::\d\d)?(?:\s?{_HOURS})?(?=[ap]\.?m\b|\W|$)))
  | (?<![\d.,/])(?P<ordinal>(?P<o>\d{{1,2}})(?:\s?[ºª°]|[ao]\b))
  | (?P<decimal>\d+(?:[.,]\d+)+)
  | (?P<number>\d+)
  | (?<![^\W\d_])(?P<meridiem>[ap])\.\s?m\b\.?
  | (?P<word>[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*)
  | (?P<mark>[,.;:?!/()\n–—-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATE_INTRODUCTIONS = frozenset({"dia", "no", "em", "data", "para", "do", "ao", "ate", "desde"})
_HOUR_INTRODUCTIONS = frozenset({"as", "das", "entre", "a", "pelas", "uns", "ate"})
_ALWAYS_OPEN = LISTS["always_open"]
_DOSED = LISTS["dosed"]
_PART_OF = re.compile(
    r"\s*(?:d[aeo]s?\s+)?(?:(?:minha|meu|seu|sua|[oa])\s+)?(?:comprimid|c[aá]psul|dos[ea]|colher|x[ií]cara|copo|pastilha"
    r"|ampola|sach|drag|frasco|tablete|litro|hora|por[cç]|rem[eé]d|medica[cçm]|prato|refei|dieta|pacote|valor|total"
    r"|conta|caixa|cartela|leite|[aá]gua|tempo|tratamento)",
    re.IGNORECASE,
)
"""What follows "1/3" where it is no date."""
_MONTH_BEHIND = re.compile(rf"\s?(?:d[eo]\s)?(?:{_MONTH}|pr[óo]ximo\sm|m[eê]s\b)", re.IGNORECASE)
"""What follows "10-12" where both are days."""
_SAYS_DAY = frozenset({"hoje", "amanha", "feira", *WEEKDAYS, *WEEKDAY_SHORT})
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SHORTENED = frozenset({*WEEKDAY_SHORT, *MONTHS_SHORT, "prox", "sem"})


def fold(text: str) -> str:
    """Lower case, compatibility forms reduced, accents and other marks removed."""
    low = text.lower()
    return low if low.isascii() else _NOT_ASCII.sub(_bare, low)


def _bare(found: re.Match[str]) -> str:
    """One character at a time: a whole text would have its marks put in order, which takes quadratic time."""
    return "".join(char for char in unicodedata.normalize("NFKD", found[0]) if not unicodedata.combining(char))


def tokens_of(text: str) -> list[TextToken]:
    """The tokens of `text` in order. Hyphens inside words and dots of abbreviations are gone."""
    found: list[TextToken] = []
    for match in _PATTERN.finditer(text):
        token = _token(match, found)
        if token is None or _is_glue(token, found, text):
            continue
        found.append(token)
    return found


def _token(match: re.Match[str], before: list[TextToken]) -> TextToken | None:  # noqa: PLR0911 - one return a kind
    start, end = match.span()
    raw = match.group()
    previous = before[-1].text if before else ""
    if match.lastgroup == "word":
        return TextToken(TokenKind.WORD, _spelt(fold(raw), before), start, end, raw=raw)
    blank = TextToken(TokenKind.OTHER, "", start, end, raw=raw)
    match match.lastgroup:
        case "meridiem":
            return TextToken(TokenKind.WORD, f"{match['meridiem'].lower()}m", start, end, raw=raw)
        case "iso":
            month = int(match["im"]) if match["im"].isdigit() else MONTHS_SHORT[fold(match["im"])[:3]]
            return replace(blank, kind=TokenKind.DATE, numbers=(int(match["id"]), month, int(match["iy"])))
        case "month":
            month, year = int(match["mm"] or match["yn"]), int(match["my"] or match["ym"])
            return replace(blank, kind=TokenKind.DATE, numbers=(month, year)) if 1 <= month <= 12 else blank
        case "date":
            return _numeric_date(match, blank, previous if before else None)
        case "clock":
            hour, minute = int(match["ch"]), int(match["hm"] or match["cm"] or 0)
            literal = match["ch"].startswith("0") and match["cm"] is not None
            return replace(blank, kind=TokenKind.CLOCK, numbers=(hour, minute), literal=literal)
        case "ordinal":
            return replace(blank, kind=TokenKind.ORDINAL, numbers=(int(match["o"]),))
        case "decimal":
            return _decimal(blank, previous)
        case "number" if len(raw) <= LONGEST_NUMBER:
            return replace(blank, kind=TokenKind.NUMBER, numbers=(int(raw),))
        case "mark":
            return replace(blank, kind=TokenKind.MARK, text="-" if raw in "–—" else raw)
    return blank


def _spelt(word: str, before: list[TextToken]) -> str:
    after_title = any(token.text in TITLES for token in before[-2:])
    if after_title and word not in _SHORTENED:
        mended = canonical(word)
        return word if len(word) > 3 and mended[:4] != word[:4] else mended
    return canonical(word)


def _numeric_date(match: re.Match[str], blank: TextToken, previous: str | None) -> TextToken:
    """A date, unless the context says clock ("às 15.30") or score ("12/8 de pressão"). `previous` is the word
    before it, None at the beginning of the message."""
    day, month = int(match["d"]), int(match["m"])
    if previous not in ("dia", "data") and not match["y"] and not match["cy"] and _is_fraction(match, previous):
        return blank
    year = 2000 if match["y"] == "00" else int(match["y"] or match["cy"] or 0)
    separator = match["sep"] or "/"
    date = replace(blank, kind=TokenKind.DATE, numbers=(day, month, year))
    if year or previous in _DATE_INTRODUCTIONS - _HOUR_INTRODUCTIONS:
        return date
    if separator == "." and (previous in _HOUR_INTRODUCTIONS or _followed_by_hours(match)) and month < 60 and day < 24:
        return replace(blank, kind=TokenKind.CLOCK, numbers=(day, month))
    if separator == "." and not 1 <= day <= 31:
        return blank
    on_clock = day < 24 and len(match["m"]) == 2 and month % 5 == 0 and (month == 0 or 12 < month < 60)
    if separator == "." and on_clock and _is_whole(match, previous):
        return replace(blank, kind=TokenKind.CLOCK, numbers=(day, month))
    if separator == "-":
        return _hyphenated(match, date)
    if previous == "pressao" or "pressao" in match.string[max(0, match.start() - 16) : match.start()].lower():
        return blank
    if (day, month) == (24, 7) and _is_always_open(match.string):
        return blank
    plausible = day <= 39 and 1 <= month <= 19 and not _followed_by_hours(match)
    return date if plausible and (separator != "." or month <= 12) else blank


@lru_cache(maxsize=1)
def _is_always_open(text: str) -> bool:
    """Whether "24/7" is no date in this message. Remembered: the message that is read may say it many times."""
    said = text.lower()
    return any(stem in said for stem in _ALWAYS_OPEN)


def _is_fraction(match: re.Match[str], previous: str | None) -> bool:
    """ "1/3 da dose", "tomo 1/2 de manhã"; but "1/3 de manhã" is a day."""
    simple = (
        match["sep"] == "/" and int(match["d"]) < int(match["m"]) <= 10 and "0" not in (match["d"][0], match["m"][0])
    )
    return simple and (previous in _DOSED or _PART_OF.match(match.string, match.end()) is not None)


def _is_whole(match: re.Match[str], previous: str | None) -> bool:
    """Whether the number is all that is said, or all that is said beside a day: "15.30", "amanhã 15.30"."""
    behind = match.string[match.end() : match.end() + 2].strip()
    return (previous is None or previous in _SAYS_DAY) and not behind.isalnum()


def _hyphenated(match: re.Match[str], date: TextToken) -> TextToken:
    padded = len(match["d"]) == len(match["m"]) == 2
    two_days = _MONTH_BEHIND.match(match.string, match.end())
    if padded and not two_days and 1 <= date.numbers[1] <= 12 and not _followed_by_hours(match):
        return date
    return replace(date, kind=TokenKind.OTHER, text="hours-range", numbers=date.numbers[:2])


def _followed_by_hours(match: re.Match[str]) -> bool:
    return re.match(rf"\s?{_HOURS}", match.string[match.end() : match.end() + 8], re.IGNORECASE) is not None


def _decimal(blank: TextToken, previous: str) -> TextToken:
    parts = re.split(r"[.,]", blank.raw)
    if previous in _HOUR_INTRODUCTIONS and len(parts) == 2 and len(parts[1]) == 2 and len(parts[0]) <= 2:
        hour, minute = map(int, parts)
        return replace(blank, kind=TokenKind.CLOCK, numbers=(hour, minute))
    return blank


def _is_glue(token: TextToken, before: list[TextToken], text: str) -> bool:
    """A mark that only joins ("terça-feira") or shortens ("seg.", "p/")."""
    if token.kind is not TokenKind.MARK or not before or before[-1].end != token.start:
        return False
    last = before[-1]
    following = text[token.end : token.end + 1]
    if token.text == "-":
        names_a_day = last.text in WEEKDAYS or last.text in WEEKDAY_SHORT
        return last.kind in (TokenKind.WORD, TokenKind.ORDINAL) and (
            following in "fF" if names_a_day else following.isalpha()
        )
    if token.text == ".":
        return last.kind is TokenKind.WORD and fold(last.raw) in _SHORTENED
    return token.text == "/" and last.kind is TokenKind.WORD and len(last.raw) == 1

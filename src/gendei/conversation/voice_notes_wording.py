"""A written answer as it is read aloud in Portuguese: money, times, dates, phones and numbers as words. Pure."""

import re
from collections.abc import Callable
from re import Match

from num2words import num2words

MONTHS = (
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
)  # fmt: skip
_HOURS = "doze uma duas três quatro cinco seis sete oito nove dez onze".split()
_PARTS_OF_DAY = ((6, "madrugada"), (12, "manhã"), (19, "tarde"), (24, "noite"))
_DIGITS = "zero um dois três quatro cinco seis sete oito nove".split()
_WEEKDAYS = {
    "seg": "segunda-feira", "ter": "terça-feira", "qua": "quarta-feira", "qui": "quinta-feira", "sex": "sexta-feira",
    "sáb": "sábado", "dom": "domingo",
}  # fmt: skip
_ABBREVIATIONS = (
    (re.compile(r"\bDra\.?(?=\s)"), "doutora"),
    (re.compile(r"\bDr\.?(?=\s)"), "doutor"),
    (re.compile(r"\bProfa\.(?=\s)"), "professora"),
    (re.compile(r"\bProf\.(?=\s)"), "professor"),
    (re.compile(r"\bAv\.(?=\s)"), "avenida"),
    (re.compile(r"\bR\.(?=\s)"), "rua"),
    (re.compile(r"\bn[º°]\s?(?=\d)"), "número "),
    (re.compile(r"\b(seg|ter|qua|qui|sex|sáb|dom)(?=,?\s\d{1,2}/\d)"), lambda found: _WEEKDAYS[found[1]]),
)
_ADDRESS = re.compile(r"\bhttps?://\S+|\bwww\.\S+|\S+@\S+\.\w+")
_MARKUP = re.compile(r"(?<!\w)([*_~])(\S(?:.*?\S)?)\1(?!\w)")
_NOT_SPOKEN = re.compile("[\U0001f000-\U0001faff\u2190-\u2bff\u200d\ufe0f•·▪`]+")
_FEMININE = (
    r"horas?|consultas?|sess(?:ão|ões)|vez(?:es)?|pessoas?|semanas?|opç(?:ão|ões)|vagas?|parcelas?|avaliaç(?:ão|ões)"
)


def has_address(text: str) -> bool:
    """Whether it names something to be typed or tapped: a page, an e-mail."""
    return _ADDRESS.search(text) is not None


def spoken(text: str) -> str:
    """`text` as somebody would read it aloud; "" where there is nothing to say. Addresses are left out."""
    text = _MARKUP.sub(r"\2", _ADDRESS.sub("", text))
    for pattern, said in _ABBREVIATIONS:
        text = pattern.sub(said, text)
    for pattern, word in _RULES:
        text = pattern.sub(word, text)
    lines = (" ".join(_NOT_SPOKEN.sub(" ", line).split()).strip(" -–—") for line in text.splitlines())
    return " ".join(_ended(line) for line in lines if any(one.isalpha() for one in line))


def _ended(line: str) -> str:
    """A line's end is heard as one."""
    return line if line[-1] in ".!?:;," else f"{line}."


def number(value: float) -> str:
    """ "cento e oitenta", "mil duzentos e cinquenta", "dois vírgula cinco"."""
    return str(num2words(value, lang="pt_BR")).replace(", ", " ")


def _whole(text: str) -> int:
    return int(text.replace(".", ""))


def _money(found: Match[str]) -> str:
    reais, cents = _whole(found[1]), int((found[2] or "0").ljust(2, "0"))
    unit = "real" if reais == 1 else "de reais" if reais >= 1_000_000 and reais % 1_000_000 == 0 else "reais"
    parts = [f"{number(reais)} {unit}"] if reais or not cents else []
    parts += [f"{number(cents)} centavo{'s' if cents > 1 else ''}"] if cents else []
    return " e ".join(parts)


def _date(found: Match[str]) -> str:
    return _day_of(found, int(found[1]), int(found[2]), found[3])


def _iso_date(found: Match[str]) -> str:
    return _day_of(found, int(found[3]), int(found[2]), found[1])


def _day_of(found: Match[str], day: int, month: int, year: str | None) -> str:
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return found[0]
    words = f"{'primeiro' if day == 1 else number(day)} de {MONTHS[month - 1]}"
    return f"{words} de {number(int(year) if len(year) == 4 else 2000 + int(year))}" if year else words


def _time(found: Match[str]) -> str:
    """ "às 15h30" is "às três e meia da tarde"; what stands before it agrees with it."""
    hour, minute = int(found[2]), int(found[3] or found[4] or 0)
    named = {0: "meia-noite", 12: "meio-dia"}.get(hour)
    words = named or _HOURS[hour % 12]
    if minute:
        words += " e meia" if minute == 30 else f" e {number(minute)}"
    if named is None:
        words += (
            " da madrugada" if hour < 6 else " da manhã" if hour < 12 else " da tarde" if hour < 19 else " da noite"
        )
    before = (found[1] or "").lower()
    if not before:
        return words
    if before.startswith("das"):
        return f"{'do' if hour == 12 else 'da' if hour in {0, 1, 13} else 'das'} {words}"
    article = "ao" if hour == 12 else "à" if hour in {0, 1, 13} else "às"
    return f"{'até ' if before.startswith('até') else ''}{article} {words}"


def _digit_by_digit(found: Match[str]) -> str:
    """Digits, with a pause where the number has one."""
    groups = re.findall(r"\d+", found[0])
    return ", ".join(" ".join(_DIGITS[int(one)] for one in group) for group in groups)


def _emergency(found: Match[str]) -> str:
    """ "SAMU, 192" is dialled digit by digit."""
    return f"{found[1]}{found[2]}{' '.join(_DIGITS[int(one)] for one in found[3])}"


def _ordinal(found: Match[str]) -> str:
    words = str(num2words(int(found[1]), lang="pt_BR", to="ordinal"))
    return " ".join(f"{one[:-1]}a" for one in words.split()) if found[2] == "ª" else words


def _feminine(found: Match[str]) -> str:
    words = re.sub(r"\bum$", "uma", number(_whole(found[1])))
    return re.sub(r"entos\b", "entas", re.sub(r"\bdois$", "duas", words)) + f" {found[2]}"


def _minutes(found: Match[str]) -> str:
    return f"{number(int(found[1]))} minuto{'' if found[1] == '1' else 's'}"


def _number(found: Match[str]) -> str:
    if re.fullmatch(r"\d{5,}|0\d+", found[0]):
        return _digit_by_digit(found)
    whole, _, rest = found[0].partition(",")
    return number(float(f"{_whole(whole)}.{rest}")) if rest else number(_whole(whole))


_PHONE = r"(?:\+\s?)?(?:\b55\s?)?\(?\b\d{2}\)?\s?9?\d{4}[-\s]\d{4}\b|\b9?\d{4}-\d{4}\b"
_INTEGER = r"\d{1,3}(?:\.\d{3})+|\d{1,4}"
_Rule = tuple[re.Pattern[str], Callable[[Match[str]], str]]
_RULES: tuple[_Rule, ...] = (
    (re.compile(r"R\$\s?(\d{1,3}(?:\.\d{3})+|\d{1,12})(?:,(\d{1,2}))?(?!\d)"), _money),
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), _iso_date),
    (re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?![\d/])"), _date),
    (re.compile(r"(?i)\b(?:(às|à|as|das|até\s+[aà]s)\s+)?([01]?\d|2[0-3])(?:h([0-5]\d)?|:([0-5]\d))(?:min)?\b"), _time),
    (re.compile(rf"{_PHONE}|\b\d{{5}}-\d{{3}}\b"), _digit_by_digit),
    (re.compile(r"(?i)\b(samu|cvv|telefone|ligue|disque|ligar)\b(\D{1,20})\b(1\d\d)\b"), _emergency),
    (re.compile(r"\b(\d{1,3})([ºª])"), _ordinal),
    (re.compile(rf"\b({_INTEGER})\s+({_FEMININE})\b"), _feminine),
    (re.compile(rf"\b({_INTEGER})()\s?h\b"), lambda found: f"{_feminine(found)}horas"),
    (re.compile(r"\b(\d{1,4})\s?min(?:utos?)?\b"), _minutes),
    (re.compile(r"(?<=\d)\s?%"), lambda _: " por cento"),
    (re.compile(r"(?<![\w,.])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,3})?(?![\w])"), _number),
    (re.compile(r"\d+"), lambda found: f" {_digit_by_digit(found)} "),
)

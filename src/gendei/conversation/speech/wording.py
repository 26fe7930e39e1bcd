"""A written answer as it is read aloud in Portuguese: numbers, marks, abbreviations and addresses. Pure."""

import re
from collections.abc import Callable, Sequence
from re import Match

from num2words import num2words

MONTHS = (
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
)  # fmt: skip
_MONTHS = {month[:3]: month for month in MONTHS}
_HOURS = "doze uma duas três quatro cinco seis sete oito nove dez onze".split()
_PARTS_OF_DAY = ((6, "madrugada"), (12, "manhã"), (19, "tarde"), (24, "noite"))
_DIGITS = "zero um dois três quatro cinco seis sete oito nove".split()
_LONGEST_VALUE = 20
"""Characters of a number that is still said as one: num2words counts to 10**18."""
_SCHOOL_DAYS = dict(zip("23456", "segunda terça quarta quinta sexta".split(), strict=True))
_UNITS = {
    "kg": "quilos", "g": "gramas", "mg": "miligramas", "mcg": "microgramas", "ml": "mililitros", "l": "litros",
    "km": "quilômetros", "m": "metros", "cm": "centímetros", "mm": "milímetros", "°c": "graus", "ºc": "graus",
    "min": "minutos", "mins": "minutos", "minutos": "minutos", "minuto": "minutos", "seg": "segundos", "h": "horas",
}  # fmt: skip
_FEMININE = (
    r"horas?|consultas?|sess(?:ão|ões)|vez(?:es)?|pessoas?|semanas?|opç(?:ão|ões)|vagas?|parcelas?|"
    r"avaliaç(?:ão|ões)|aplicaç(?:ão|ões)|doses?|gotas?|unidades?|crianças?|etapas?|fases?|imagens|radiografias?|"
    r"mensagens|fotos?|vacinas?|manhãs?|noites?"
)


def number(value: float) -> str:
    """ "cento e oitenta", "mil duzentos e cinquenta"."""
    return str(num2words(value, lang="pt_BR")).replace(", ", " ")


def digits(text: str) -> str:
    """The digits of `text` one by one, with a pause wherever anything stands between them."""
    return ", ".join(" ".join(_DIGITS[int(digit)] for digit in group) for group in re.findall(r"\d+", text))


def numbers_spoken(text: str) -> str:
    """`text` without a digit."""
    for pattern, word in _NUMBER_RULES:
        text = pattern.sub(word, text)
    return text


def _whole(text: str) -> int:
    return int(text.replace(".", ""))


def _feminine(value: int) -> str:
    words = re.sub(r"\bum$", "uma", number(value))
    return re.sub(r"entos\b", "entas", re.sub(r"\bdois(?=$| mil)", "duas", words))


def _money(found: Match[str]) -> str:
    reais, cents = _whole(found[1]), int((found[2] or "0").ljust(2, "0"))
    unit = "real" if reais == 1 else "de reais" if reais >= 1_000_000 and reais % 1_000_000 == 0 else "reais"
    parts = [f"{number(reais)} {unit}"] if reais or not cents else []
    parts += [f"{number(cents)} centavo{'s' if cents > 1 else ''}"] if cents else []
    return " e ".join(parts)


def _large_money(found: Match[str]) -> str:
    """ "R$ 2,5 mil"."""
    return f"{_decimal(found[1])} {found[2]} {'' if found[2] == 'mil' else 'de '}reais"


def _decimal(text: str) -> str:
    """ "dois", "dois vírgula cinco", "um vírgula setenta e cinco"."""
    whole, _, rest = text.partition(",")
    rest = rest.rstrip("0")
    if not rest:
        return number(_whole(whole))
    part = digits(rest) if rest.startswith("0") or len(rest) > 2 else number(int(rest))
    return f"{number(_whole(whole))} vírgula {part}"


def _day_of(found: Match[str], day: int, month: int, year: str | None) -> str:
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return found[0]
    words = f"{'primeiro' if day == 1 else number(day)} de {MONTHS[month - 1]}"
    return f"{words} de {_year(year)}" if year else words


def _year(text: str) -> str:
    return number(int(text) if len(text) == 4 else 2000 + int(text))


def _date(found: Match[str]) -> str:
    return _day_of(found, int(found[1]), int(found[2]), found[3])


def _iso_date(found: Match[str]) -> str:
    return _day_of(found, int(found[3]), int(found[2]), found[1])


def _month_of_year(found: Match[str]) -> str:
    month = int(found[1])
    return f"{MONTHS[month - 1]} de {_year(found[2])}" if 1 <= month <= 12 else found[0]


def _named_month(found: Match[str]) -> str:
    """ "23/nov", "nov/2026"."""
    month = _MONTHS[(found[2] or found[3]).lower()]
    return f"{'primeiro' if found[1] == '1' else number(int(found[1]))} de {month}" if found[1] else f"{month} de "


def _hour(hour: int, minute: int) -> str:
    """ "três e meia da tarde"."""
    named = {0: "meia-noite", 12: "meio-dia"}.get(hour)
    words = named or _HOURS[hour % 12]
    if minute:
        words += " e meia" if minute == 30 else f" e {number(minute)}"
    return words if named else f"{words} da {next(part for end, part in _PARTS_OF_DAY if hour < end)}"


def _time(found: Match[str]) -> str:
    """ "às 15h30" is "às três e meia da tarde"; what stands before it agrees with it."""
    hour, words = int(found[2]), _hour(int(found[2]), int(found[3] or found[4] or 0))
    if found[5]:  # it says the part of the day itself
        words = words.partition(" da ")[0]
    before = (found[1] or "").lower()
    is_noon, is_one = hour == 12, hour in {0, 1, 13}
    if not before:
        return words
    if before.startswith("das"):
        return f"{'do' if is_noon else 'da' if is_one else 'das'} {words}"
    if before.startswith(("até", "entre", "e")):
        return f"{before.split()[0]} {'o' if is_noon else 'a' if is_one else 'as'} {words}"
    return f"{'ao' if is_noon else 'à' if is_one else 'às'} {words}"


def _duration(found: Match[str]) -> str:
    """ "duração de 1h30" is "duração de uma hora e meia"."""
    hours, minutes = int(found[2]), int(found[3] or 0)
    words = f"{found[1] or ''}{_feminine(hours)} hora{'' if hours == 1 else 's'}"
    if not minutes:
        return words
    return f"{words} e meia" if minutes == 30 else f"{words} e {number(minutes)} minuto{'' if minutes == 1 else 's'}"


def _half(found: Match[str]) -> str:
    return f"mei{'a' if found[1] in {'hora', 'dose'} else 'o'} {found[1]}"


def _digit_by_digit(found: Match[str]) -> str:
    return digits(found[0])


def _long_number(found: Match[str]) -> str:
    """A telephone in its parts, anything else in threes."""
    phone = re.fullmatch(r"(55)?(\d\d)(9?\d{4})(\d{4})", found[1])
    groups = phone.groups(default="") if phone else re.findall(r"\d{1,3}", found[1])
    return digits(" ".join(groups))


def _register(found: Match[str]) -> str:
    """ "CRM-SP 12.345"."""
    return found[1] + digits(found[2].replace(".", ""))


def _emergency(found: Match[str]) -> str:
    """ "SAMU, 192" is dialled digit by digit."""
    return f"{found[1]}{found[2]}{digits(' '.join(found[3])).replace(',', '')}"


def _ordinal(found: Match[str]) -> str:
    words = str(num2words(int(found[1]), lang="pt_BR", to="ordinal"))
    return " ".join(f"{word[:-1]}a" for word in words.split()) if found[2] in "ªa" else words


def _counted(found: Match[str]) -> str:
    """ "2 a 3 sessões" are "duas a três sessões"."""
    first = f"{_feminine(_whole(found[1]))} {found[2] if found[2].isalpha() else 'a'} " if found[1] else ""
    return f"{first}{_feminine(_whole(found[3]))} {found[4]}"


def _measured(found: Match[str]) -> str:
    unit = _UNITS[found[2].lower()]
    return f"{_decimal(found[1])} {unit[:-1] if found[1] == '1' else unit}"


def _number(found: Match[str]) -> str:
    is_code = re.fullmatch(r"\d{5,}|0\d+", found[0]) or len(found[0]) > _LONGEST_VALUE
    return digits(found[0]) if is_code else _decimal(found[0])


def _left_over(found: Match[str]) -> str:
    """Digits that touch letters, as in "B12"."""
    is_code = len(found[0]) > 3 or found[0].startswith("0")
    return f" {digits(found[0]) if is_code else number(int(found[0]))} "


_INTEGER = r"\d{1,3}(?:\.\d{3}){1,4}|\d{1,4}"
_DECIMAL = rf"(?:{_INTEGER})(?:,\d{{1,3}})?"
_HOUR = r"(?:[01]?\d|2[0-3])"
_CLOCK = rf"(?<![\d:,.]){_HOUR}(?:\s?h(?:rs?|s)?(?![a-zà-ú])(?:[0-5]\d)?|h[0-5]\d|:[0-5]\d)"
_DATE_SPOKEN = rf"(?:{'|'.join(MONTHS)})(?: de (?:mil|dois mil)[a-zê ]{{0,40}})?"
_NAMED = rf"({'|'.join(_MONTHS)})"
_LASTS = (
    r"\b(?:dur(?:a|am|ação)|leva|levam|demora|durante|jejum|antecedência|intervalo|atraso|mais|menos|cerca)"
    r"(?: (?:de|em torno de|cerca de|até|aproximadamente|em média))?:? |\b(?:em até|em|há|por) "
)
_Rule = tuple[re.Pattern[str], Callable[[Match[str]], str]]
_NUMBER_RULES: tuple[_Rule, ...] = (
    (re.compile(rf"R\$\s?({_DECIMAL})\s(mil|milhão|milhões)\b"), _large_money),
    (re.compile(r"R\$\s?(\d{1,3}(?:\.\d{3}){1,4}|\d{1,12})(?:,(\d{1,2}))?(?!\d)"), _money),
    (re.compile(r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b|\b\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}\b"), _digit_by_digit),
    (re.compile(r"\b\d{1,2}\.\d{3}\.\d{3}-\d\b"), _digit_by_digit),
    (re.compile(r"((?:CRM|CRO|CRP|CRN|CRF|CREFITO|COREN|CREF)[-/ ]?(?:[A-Z]{2}|\d)?[ :]+)(\d[\d.]*\d)"), _register),
    (re.compile(r"\b0[389]00[-\s]?\d{3}[-\s]?\d{4}\b"), lambda found: digits(re.sub(r"^(0.00)", r"\1 ", found[0]))),
    (re.compile(r"(?:\+\s?)?(?:\b55\s?)?\(?\b\d{2}\)?\s?9?\d{4}[-\s]\d{4}\b|\b9?\d{4}-\d{4}\b"), _digit_by_digit),
    (re.compile(r"\b\d{5}-\d{3}\b"), _digit_by_digit),
    (re.compile(r"\+?\b(\d{7,})\b"), _long_number),
    (re.compile(r"(?i)\b(samu|cvv|telefone|ligue|disque|ligar)\b(\D{1,20})\b(1\d\d)\b"), _emergency),
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), _iso_date),
    (re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"), _date),
    (re.compile(r"\b(?:de )?(\d{1,2})/\1(?= (?:dias|horas|minutos))"), lambda found: f"de {found[1]} em {found[1]}"),
    (re.compile(r"\b(?:de )?(\d{1,2})/\1 ?h\b"), lambda found: f"de {found[1]} em {found[1]} horas"),
    (re.compile(r"\b1º(?=/\d)"), lambda _: "1"),
    (re.compile(r"\b1/2 (comprimido|copo|período|dia|hora|dose)\b"), _half),
    (re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?![\d/])"), _date),
    (re.compile(r"(?<![\d/])(\d{1,2})/(\d{4})(?![\d/])"), _month_of_year),
    (re.compile(rf"(?i)\b(\d{{1,2}})(?:/| de ){_NAMED}\b\.?(?!\w)|\b{_NAMED}/(?=\d{{4}}\b)"), _named_month),
    (re.compile(rf"(?i)({_DATE_SPOKEN}),? (?={_CLOCK})"), lambda found: f"{found[1]}, às "),
    (re.compile(r"(?i)\b((?:das|de|entre) \d{1,2})(?= (?:às|a|e) \d{1,2}\s?h)"), lambda found: f"{found[1]}h"),
    (re.compile(r"(?<![\d,.])(\d{1,2})(?=(?: às |\s?[-–]\s?)\d{1,2}h)"), lambda found: f"{found[1]}h"),
    (re.compile(rf"(?i)\b(?:d[ae]s? )?({_CLOCK})\s?[-–—]\s?(?={_CLOCK})"), lambda found: f"das {found[1]} às "),
    (re.compile(rf"(?i)\bde ({_CLOCK}) (?:a|às) (?={_CLOCK})"), lambda found: f"das {found[1]} às "),
    (re.compile(rf"(?i)\bentre ({_CLOCK}) e (?={_CLOCK})"), lambda found: f"entre as {found[1]} e as "),
    (re.compile(r"(?i)(?<!às )(?<!as )(?<!\d)()(\d{1,2})h\s?([0-5]\d)\s?min\b"), _duration),
    (re.compile(rf"(?i)({_LASTS})(\d{{1,2}})\s?h([0-5]\d)?\b(?!:)"), _duration),
    (re.compile(r"(?i)\b((?:consultas?|sess(?:ão|ões)) de )([1-3])h([0-5]\d)?\b"), _duration),
    (
        re.compile(r"(?i)()\b(\d{1,2})\s?h([0-5]\d)?(?= (?:de (?:duração|jejum|antecedência|atraso)|antes|depois)\b)"),
        _duration,
    ),
    (
        re.compile(
            rf"(?i)(?<![\d:,.])(?:\b(às|à|as|das|até(?:\s+[aà]s)?|entre\s+as|e\s+as)\s+)?({_HOUR})"
            r"(?:(?:h|(?<=\bàs \d)\s?h|(?<=\bàs \d\d)\s?h)(?:rs?|s)?([0-5]\d)?|:([0-5]\d)(?:\s?h(?:rs?|s)?)?)(?:min)?\b"
            r"(?=( da (?:manhã|tarde|noite|madrugada)))?"
        ),
        _time,
    ),
    (re.compile(r"\b([2-6])ª(?=[\s-]feira| (?:a|à|e) [2-6]ª|\s?[-–]\s?[2-6]ª)"), lambda found: _SCHOOL_DAYS[found[1]]),
    (re.compile(r"\b(\d{1,3})\.?([ºª])(?![cC])"), _ordinal),
    (re.compile(r"\b(\d{1,2})([oa])\b(?= [a-zà-ú])"), _ordinal),
    (re.compile(r"\bdia 1\b(?![\d/,.])"), lambda _: "dia primeiro"),
    (re.compile(r"(?i)\b(\d{1,2})()\s?x\b"), lambda found: f"{found[1]} vez{'' if found[1] == '1' else 'es'}"),
    (re.compile(rf"\b(?:({_INTEGER})\s?(a|ou|e|-|–)\s?)?\b({_INTEGER})\s+({_FEMININE})\b"), _counted),
    (re.compile(rf"(?<![\d,.])()()({_INTEGER})\s?(h)(?:rs?|s)?\b"), lambda found: _counted(found)[:-1] + "horas"),
    (re.compile(r"(?<=\d)\s?[-–]\s?(?=\d{1,3}\b)"), lambda _: " a "),
    (re.compile(rf"(?i)(?<![\w.,])({_DECIMAL})\s?({'|'.join(_UNITS)})\b"), _measured),
    (re.compile(r"(?<=\d)\s?%"), lambda _: " por cento"),
    (re.compile(r"(?<=\d)\s?\+\s?(?=\d)"), lambda _: " mais "),
    (re.compile(r"(?<![\w,.])(\d+)\.(\d{1,2})(?![\w.,])"), lambda found: f"{found[1]} ponto {found[2]}"),
    (re.compile(r"(?<![\w,.])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,3})?(?![\w])"), _number),
    (re.compile(r"\d+"), _left_over),
)


ADDRESS_SPOKEN = "o endereço escrito aqui"
"""In place of what no ear can take down; it is always written too."""
_ADDRESS = re.compile(
    r"(?:\bhttps?://|\bwww\.)\S*[^\s.,;:!?)]|[^\s@(]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|"
    r"\b(?:[\w-]{1,63}\.){1,4}(?:com|net|org|med|me|app|br)(?:\.br)?\b(?:/\S*[^\s.,;:!?)])?"
)
_CONTRACTIONS = {"em": "no", "de": "do", "a": "ao", "por": "pelo"}
_MARKUP = re.compile(r"(?<!\w)([*_~])(\S(?:.{0,500}?\S)?)\1(?!\w)")
_NOT_SPOKEN = re.compile("[\U0001f000-\U0001faff\u2190-\u2bff\u200d\ufe0f\u20e3•·▪`\\[\\]]+")
_DAYS = {
    "seg": "segunda-feira", "ter": "terça-feira", "qua": "quarta-feira", "qui": "quinta-feira", "sex": "sexta-feira",
    "sáb": "sábado", "dom": "domingo",
}  # fmt: skip
_DAY = rf"\b({'|'.join(_DAYS)})\b\.?"
_OF_DAY = re.compile(rf"(?i){_DAY},? \d{{1,2}}/\d{{1,2}},? (?=\d)")
_SHORT = {
    "Dra": "doutora", "Drª": "doutora", "Dr": "doutor", "Drs": "doutores", "Profa": "professora",
    "Profª": "professora", "Prof": "professor", "Sr": "senhor", "Sra": "senhora", "Srª": "senhora",
    "Srta": "senhorita", "Sto": "Santo", "Sta": "Santa", "Pe": "padre", "Cel": "coronel", "Gen": "general",
    "Mal": "marechal", "Pres": "presidente", "Gov": "governador", "Eng": "engenheiro",
    "Av": "avenida", "R": "rua", "Al": "alameda", "Pça": "praça", "Pc": "praça", "Rod": "rodovia", "Estr": "estrada",
    "Trav": "travessa", "Tv": "travessa", "Jd": "jardim", "Vl": "vila", "Pq": "parque", "Ed": "edifício",
    "apto": "apartamento", "ap": "apartamento", "cj": "conjunto", "conj": "conjunto", "bl": "bloco", "sl": "sala",
    "lj": "loja", "qd": "quadra", "lt": "lote", "esq": "esquina",
    "tel": "telefone", "cel": "celular", "obs": "observação", "ex": "por exemplo", "aprox": "aproximadamente",
    "máx": "máximo", "mín": "mínimo", "pág": "página", "ref": "referência",
}  # fmt: skip
"""Abbreviations with a full stop after them."""
_SHORT |= {short.capitalize(): said for short, said in _SHORT.items() if short.capitalize() not in _SHORT}
_WITHOUT_STOP = "Dra|Drª|Dr|Drs|Profa|Profª|Prof|Sra|Srª|Sr"
_SHORTENED = "|".join(sorted(_SHORT, key=len, reverse=True))
_WORD_RULES = (
    (re.compile(r"([\d*#])\ufe0f?\u20e3"), r"\1. "),
    (re.compile(r"(?m)^[^\S\n]*\[?(\d{1,2})\s*(?:[)\]]|\.(?=\s))[ \t]*"), r"\1, "),
    (re.compile(r"(?<=\w)\((?:a|s|as|es|ões)\)"), ""),
    (re.compile(r"\bp\. ?ex\.:?"), "por exemplo"),
    (re.compile(r"\bs/n[º°]?"), "sem número"),
    (re.compile(r"\be/ou\b"), "e ou"),
    (re.compile(r"\bc/ ?(?=\w)"), "com "),
    (re.compile(r"\bp/ ?(?=\w)"), "para "),
    (re.compile(r"(?i)(?<=[\w,])\s?/\s?(?=(?:mês|dia|semana|ano|hora|sessão|pessoa|consulta)\b)"), " por "),
    (re.compile(r"(?i)\bn(?:[º°]|(?:o|ro|um)?\.)\s?(?=\d)"), "número "),
    (re.compile(r"\bkm (?=\d)"), "quilômetro "),
    (re.compile(r"\b(apto|ap|cj|conj|bl|sl|lj|qd|lt) (?=\d)"), lambda found: f"{_SHORT[found[1]]} "),
    (re.compile(rf"\b({_WITHOUT_STOP})(?=\s[A-ZÀ-Ú])"), lambda found: _SHORT[found[1]]),
    (re.compile(r"(?i)\b(tel|cel|obs|ex|ref)\.?(?=:|\s\()"), lambda found: _SHORT[found[1].lower()]),
    (re.compile(rf"\b({_SHORTENED})\.(?=[\s:,])"), lambda found: _SHORT[found[1]]),
    (
        re.compile(rf"(?i){_DAY}\s?(a|à|e|ou|[-–])\s?{_DAY}"),
        lambda found: f"{_DAYS[found[1].lower()]} {found[2] if found[2].isalpha() else 'a'} {_DAYS[found[3].lower()]}",
    ),
    (re.compile(rf"(?i){_DAY}(?=:?,?\s\d{{1,2}}(?:/\d|h|:\d))"), lambda found: _DAYS[found[1].lower()]),
    (re.compile(r"@(?=\w)"), "arroba "),
    (re.compile(r"\s&\s"), " e "),
    (re.compile(r"±\s?"), "mais ou menos "),
    (re.compile(r"(?<![\dh])\s[|–—-]+\s|\s[|–—-]+\s(?!\d)"), ", "),
)


def has_address(text: str) -> bool:
    """Whether it names something to be typed or tapped: a page, an e-mail."""
    return _ADDRESS.search(text) is not None


def spoken(text: str) -> str:
    """`text` as somebody would read it aloud; "" where there is nothing to say."""
    text = _MARKUP.sub(r"\2", "\n".join(_without_addresses(line) for line in text.splitlines()))
    for pattern, said in _WORD_RULES:
        text = pattern.sub(said, text)
    text = re.sub(r"\s[–—-]\s", ", ", numbers_spoken(text))
    lines = (" ".join(_NOT_SPOKEN.sub(" ", line).split()).strip(" -–—") for line in text.splitlines())
    return " ".join(_ended(line) for line in lines if any(letter.isalpha() for letter in line))


def one_of(options: Sequence[str]) -> str:
    """ "Limpeza, Canal ou Clareamento", as they are read aloud; of times of one day, the day is named once."""
    said: list[str] = []
    day = ""
    for option in options:
        of_day = _OF_DAY.match(option)
        is_same = of_day is not None and of_day[0] == day
        said.append(spoken(option.removeprefix(day) if is_same else option).rstrip("."))
        day = of_day[0] if of_day else ""
    said = [part for part in said if part]
    return " ou ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _without_addresses(line: str) -> str:
    """A line that is nothing else is not read at all."""
    if not any(letter.isalpha() for letter in _ADDRESS.sub("", line)):
        return _ADDRESS.sub("", line)
    line = _ADDRESS.sub(ADDRESS_SPOKEN, line)
    return re.sub(
        rf"\b({'|'.join(_CONTRACTIONS)}) o(?={ADDRESS_SPOKEN[1:]})", lambda found: _CONTRACTIONS[found[1]], line
    )


def _ended(line: str) -> str:
    """A line's end is heard as one."""
    line = re.sub(r"\s+([.,;:!?])", r"\1", line)
    return line if line[-1] in ".!?:;," else f"{line}."


SHORTEST_PIECE = 20
"""Characters; what is shorter is said with what follows it."""


def sentences(text: str) -> list[str]:
    """What `spoken` made, in pieces that can be read aloud one after the other."""
    pieces: list[str] = []
    for sentence in re.split(r"(?<=[.!?…])\s+", text.strip()):
        if pieces and len(pieces[-1]) < SHORTEST_PIECE:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        elif sentence:
            pieces.append(sentence)
    return pieces

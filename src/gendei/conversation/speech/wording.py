"""A written answer as it is read aloud in Portuguese: marks, abbreviations and addresses; numbers are
wording_of_numbers'. Pure."""

import re
from collections.abc import Sequence

from gendei.conversation.speech.wording_of_numbers import numbers_spoken

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
_RULES = (
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
    for pattern, said in _RULES:
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

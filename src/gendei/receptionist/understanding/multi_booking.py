"""Several bookings in one message, parted into the first and what is to be booked after it.

"Limpeza pra mim e minha filha", "2 limpezas", "avaliação na quinta e limpeza na sexta": one is booked after the
other, each with what was said of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from gendei.kinship import RELATIVE
from gendei.receptionist.understanding.names_told import NAME, SHORT_NAME

MOST = 4
"""More at once are for a person to arrange."""
MOST_CUTS = 12
"""So many "e" and commas are tried; both sides of each are read."""

_KIN = (
    rf"(?:os\s+|as\s+|o\s+|a\s+)?(?:meus?|minhas?)\s+(?:(?:outr[oa]|mais\s+nov[oa]|mais\s+velh[oa])\s+)?"
    rf"(?:{RELATIVE}|amig[oa]|velh[oa]|coroa|chefe|vizinh[oa]|colega)"
)
_SOMEBODY = rf"(?:[oa]\s+)?(?-i:{NAME})"
_NAMED = rf"(?:[oa]\s+)?(?-i:{SHORT_NAME})"
_FOR = r"(?:pr[ao]s?|para|p/)"
_PERSON = rf"(?:mim|eu|{_KIN}(?:\s+{_SOMEBODY})?|{_SOMEBODY})"
_PEOPLE = re.compile(
    rf"\b(?:{_FOR}\s+(?P<first>{_PERSON})|(?P<me>eu))(?P<others>(?:\s*(?:,|\be\b|\+|\bmais\b)\s*"
    rf"(?:tamb[eé]m\s+|outr[oa]\s+|um[a]?\s+)?(?:{_FOR}\s+)?(?:mim|{_KIN}(?:\s+{_SOMEBODY})?|{_SOMEBODY})\b)+)",
    re.IGNORECASE,
)
_OF_SEVERAL = re.compile(
    rf"\b{_FOR}\s+(?:os\s+|as\s+)?(?:(?:meus?|minhas?|nossos?|nossas?)\s+)?(?:(?P<number>[23]|dois|duas|tr[eê]s)\s+)?"
    rf"(?P<kin>{RELATIVE}s?)\b(?P<names>\s*[,:(-]?\s*(?:[oa]\s+)?{_NAMED}(?:\s*,\s*(?:[oa]\s+)?{_NAMED}){{0,3}}"
    rf"\s+e\s+(?:[oa]\s+)?{_NAMED})?",
    re.IGNORECASE,
)
""" "Pros meus filhos Ana e Pedro", "para minhas duas filhas"."""
_BETWEEN = re.compile(r"\s*(?:,|\be\b|\+|\bmais\b)\s*", re.IGNORECASE)
_APPOSED = re.compile(rf",\s*(?:{_KIN}|{_SOMEBODY})", re.IGNORECASE)
"""The relative and their name, one behind the other: one person."""
_LEADING_ARTICLE = re.compile(r"^[oa]\s+", re.IGNORECASE)
_LEADING = re.compile(rf"^(?:tamb[eé]m\s+|outr[oa]\s+|um[a]?\s+)?(?:{_FOR}\s+)?", re.IGNORECASE)
_FOR_KIN = re.compile(rf"\b{_FOR}\s+(?:{_KIN}|(?:[oa]s?\s+)?{RELATIVE})\b", re.IGNORECASE)
_KIN_NEEDS = re.compile(
    rf"\b{_KIN}(?:\s+de\s+\w+\s+(?:m[eê]s|meses|an\w+)|\s+{_NAMED})?,?\s+(?:que\s+|j[aá]\s+|s[oó]\s+|n[aã]o\s+)?"
    r"(?:t[aá]|est[aá]|anda|sent\w+|tem|quer|queria|gostaria|precis\w+|quebrou|caiu|torceu|travou|(?:se\s+)?machucou"
    r"|acordou|n[aã]o\s+consegue|vai\s+precisar)\b(?!\s+(?:ir|vir)\s+(?:comigo|junto)|\s+(?:marcad|consulta))",
    re.IGNORECASE,
)
"""A relative who is ill, or wants something: "minha mãe tá com dor de dente"."""
_THEY_ARE = re.compile(
    r"\bel[ea]s?\s+(?:j[aá]\s+|s[oó]\s+|n[aã]o\s+)?(?:t[aá]|est[aá]|anda|sent\w+|tem\s+(?:dor|febre|tosse)|acordou"
    r"|caiu|torceu|travou|quebrou|(?:se\s+)?machucou|vomit\w+)\b",
    re.IGNORECASE,
)
"""Somebody who was not named is ill: "ele tá com febre"."""
_KIN_TOO = re.compile(
    rf"(?:^|[,.;!?\n]|\be\b)\s*(?:{_FOR}\s+)?({_KIN}(?:\s+{_SOMEBODY})?),?\s+(?:tamb[eé]m|tbm?)"
    r"(?:\s+(?:quer|queria|precisa|vai\s+(?:querer|precisar)))?\s*(?:$|[.,;!?\n]|n[ao]\b|[aà]s\b|de\b|com\b)",
    re.IGNORECASE,
)
""" "E a minha filha também": one more, for her; "a minha filha também tem dor" wishes nothing yet."""
_TAKING_KIN = re.compile(rf"\b(?:levar|trazer)\s+{_KIN}\b(?!\s+(?:junto|comigo))", re.IGNORECASE)
_WHOM = re.compile(rf"\b{_FOR}\s+({_PERSON})", re.IGNORECASE)
_NAME_OF = re.compile(rf"(?:{_KIN})?\s*(?:[oa]\s+)?(?P<name>(?-i:[A-ZÀ-Ý]).*)", re.IGNORECASE)
_BESIDE_OWN = re.compile(
    r"\b(?:(?:(?P<before>antes)|depois|dps|ap[oó]s|seguid[oa]|em\s+seguida|na\s+sequ[eê]ncia)\s+(?:d[aeo]\s+|[aào]\s+)?"
    r"(?:mim|(?:minha|meu)(?:\s+(?:consulta|sess[aã]o|hor[aá]rio|atendimento|vez|hora))?)"
    r"|logo\s+(?:depois|ap[oó]s|em\s+seguida)|em\s+seguida|na\s+sequ[eê]ncia)"
    r"(?=\s*(?:$|[.,;!?\n)]|(?:mesmo|tamb[eé]m|tb|tbm|por|pf|pfv|se|pode|no|na|com|pra|para|e|ou|ent[aã]o|ai|a[ií])\b))",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:meus?|minhas?|mim)\b", re.IGNORECASE)
_YOURS = {"meu": "seu", "minha": "sua", "meus": "seus", "minhas": "suas", "mim": "você"}
_NUMBERS = {"2": 2, "dois": 2, "duas": 2, "3": 3, "tres": 3, "três": 3}
_COUNT = re.compile(
    r"\b(?P<number>[23]|dois|duas|tr[eê]s)\s+(?:(?:meus|minhas)\s+)?(?P<noun>[\wÀ-ÿ]{4,}s|vagas)\b", re.IGNORECASE
)
_ONLY_ONE = re.compile(
    r"\b(?:fiz|j[aá]|fizemos|tive|passei|n[aã]o|n|ou|verdade|vez|melhor|troc\w*|quanto|qual|quais|errei|menos)\b",
    re.IGNORECASE,
)
"""With one of these the other service was had before, is ruled out, asked about or corrected."""
_AND = re.compile(r"\s*,\s*(?:e\s+)?(?:depois\s+)?|\s+e\s+(?:depois\s+|tamb[eé]m\s+)?|\s*\+\s*|\s+mais\s+", re.I)

_ONE_MORE = re.compile(
    r"(?:\s*[,.;]\s*|\s+)e\s+(?=(?:tamb[eé]m\s+|(?:quero|queria|marca|agenda)\s+)?(?:[ao]s?|uma?)\s)", re.I
)
""" "E a da derma", "e quero uma limpeza"."""
_WISH = re.compile(r"\s*[,.;\n]\s*(?:e\s+)?|\s+e\s+", re.I)


class WhoComes(NamedTuple):
    """Who comes, as the patient speaks of them: "mim", "minha filha", "minha filha Ana", "Ana"."""

    said: str

    @property
    def is_speaker(self) -> bool:
        return self.said.lower() in {"mim", "eu"}

    @property
    def name(self) -> str:
        """ "" where nobody said one."""
        found = _NAME_OF.fullmatch(self.said)
        return found["name"] if found else ""

    @property
    def said_back(self) -> str:
        """ "Sua filha" for "minha filha"."""
        return _MINE.sub(lambda match: _YOURS[match[0].lower()], self.said)


class FurtherWish(NamedTuple):
    """What is to be booked, or cancelled, after the first: in the patient's `words`; or like the first, for `person`;
    or, with neither, only once more."""

    words: str = ""
    person: WhoComes | None = None

    @classmethod
    def of(cls, stored: Mapping[str, str] | str) -> "FurtherWish":
        """The inverse of `stored`; earlier versions kept words alone."""
        if isinstance(stored, str):
            return cls(stored)
        return cls(stored.get("words", ""), WhoComes(stored["person"]) if "person" in stored else None)

    def stored(self) -> dict[str, str]:
        person = {"person": self.person.said} if self.person else {}
        return person | ({"words": self.words} if self.words else {})

    @property
    def as_cancelled(self) -> "FurtherWish":
        """That this is to be cancelled, as what was said before it is: "o clareamento" of "cancela a limpeza e o
        clareamento"."""
        return self._replace(words=f"cancelar {self.words}")

    @property
    def for_whom(self) -> str:
        """Whom it is for, as it is said back; "" for nobody who was named."""
        found = _WHOM.search(self.words) or _KIN_TOO.search(self.words)
        person = WhoComes(found[1]) if found else self.person
        return person.said_back if person else ""


class Parts(NamedTuple):
    """The words of the first booking, for whom it is where they do not tell, and what follows."""

    first: str
    person: WhoComes | None = None
    then: tuple[FurtherWish, ...] = ()


def parted(
    text: str,
    blanked: str,
    names_service: Callable[[str], str | None],
    bookable: Callable[[str], bool],
    chosen: str | None = None,
) -> Parts:
    """`blanked`: the text with blanks for what names days and hours, which are nobody's name. names_service: the id
    of the one service that a text names plainly. bookable: whether a plural noun can be booked ("limpezas",
    "horários"; not "dias"). chosen: the service that is being booked."""
    return (
        _by_relatives(text, blanked)
        or _by_people(text, blanked)
        or _by_number(text, blanked, bookable)
        or _by_service(text, blanked, names_service)
        or _by_kin_too(text, blanked, names_service, chosen)
        or _beside_chosen(text, blanked, names_service, chosen)
        or Parts(text)
    )


def instead_of_cancelled(
    text: str, cancels: Callable[[str], bool], books: Callable[[str], bool], books_from: Callable[[int], bool]
) -> Parts | None:
    """A cancellation, and the booking that is wished beside it: "cancela a de sexta e marca cardiologista". books:
    whether a part wishes to book; books_from: whether all the text from here on does, and names a service or a time."""
    for cut, following in _cuts(_WISH, text):
        if books(text[cut.end() : following]) and books_from(cut.end()) and cancels(text[: cut.start()]):
            return Parts(text[: cut.start()], then=(FurtherWish(text[cut.end() :]),))
    return None


def _cuts(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Where the text may be cut, each with where the part behind it ends."""
    cuts = [*islice(pattern.finditer(text), MOST_CUTS)]
    return zip(cuts, [*(cut.start() for cut in cuts[1:]), len(text)], strict=False)


def _by_people(text: str, blanked: str) -> Parts | None:
    found = _PEOPLE.search(blanked)
    if found is None or (
        _APPOSED.fullmatch(found["others"]) and _is_kin(found["first"] or "") != _is_kin(found["others"])
    ):
        return None
    others = [person for part in _BETWEEN.split(found["others"]) if (person := _LEADING.sub("", part).strip())]
    return Parts(
        text[: found.start("others")] + text[found.end() :],
        WhoComes(found["me"]) if found["me"] else None,
        tuple(FurtherWish(person=WhoComes(person)) for person in others[: MOST - 1]),
    )


def _by_relatives(text: str, blanked: str) -> Parts | None:
    """Several relatives of a kind, each by their name or by their number alone."""
    found = next((match for match in _OF_SEVERAL.finditer(blanked) if match["number"] or match["names"]), None)
    if found is None:
        return None
    if found["names"]:
        names = [
            _LEADING_ARTICLE.sub("", name.strip(" ,:(-")) for name in _BETWEEN.split(found["names"].strip(" ,:(-"))
        ]
        people = [WhoComes(name) for name in names if name]
    else:
        kin = found["kin"].lower().removesuffix("s")
        people = [WhoComes(f"{'minha' if kin.endswith('a') else 'meu'} {kin}")] * _NUMBERS[found["number"].lower()]
    without = text[: found.start()] + text[found.end() :]
    return Parts(without, people[0], tuple(FurtherWish(person=person) for person in people[1:MOST]))


def _is_kin(person: str) -> bool:
    return re.search(_KIN, person, re.IGNORECASE) is not None


def _by_number(text: str, blanked: str, bookable: Callable[[str], bool]) -> Parts | None:
    found = next((match for match in _COUNT.finditer(blanked) if bookable(match["noun"])), None)
    if found is None:
        return None
    number = _NUMBERS[found["number"].lower()]
    once = f"{text[: found.start()]}{found['noun']}{text[found.end() :]}"
    return Parts(once, then=(FurtherWish(),) * (number - 1))


def _by_service(text: str, blanked: str, names_service: Callable[[str], str | None]) -> Parts | None:
    """Cut at an "e" or a comma with another service on either side."""
    if _ONLY_ONE.search(text):
        return None
    for cut, following in _cuts(_AND, text):
        first = names_service(blanked[: cut.start()])
        if first and (names_service(blanked[cut.end() :]) or names_service(blanked[cut.end() : following])) not in (
            None,
            first,
        ):
            return Parts(text[: cut.start()], then=(FurtherWish(text[cut.end() :]),))
    return None


def _by_kin_too(
    text: str, blanked: str, names_service: Callable[[str], str | None], chosen: str | None
) -> Parts | None:
    """One more for a relative, behind what is told of the first: "limpeza na quarta, minha filha também"."""
    found = _KIN_TOO.search(blanked)
    if found is None or not text[: found.start()].strip() or not (chosen or names_service(blanked[: found.start()])):
        return None
    return Parts(text[: found.start()], then=(FurtherWish(text[found.start(1) :]),))


def _beside_chosen(
    text: str, blanked: str, names_service: Callable[[str], str | None], chosen: str | None
) -> Parts | None:
    """One more behind what is told of the booking that is open: "na verdade quinta às 9h, e a da derma na sexta"."""
    for cut in islice(_ONE_MORE.finditer(text), MOST_CUTS if chosen else 0):
        first, rest = text[: cut.start()], text[cut.end() :]
        before, other = names_service(blanked[: cut.start()]), names_service(blanked[cut.end() :])
        if first.strip() and before in (None, chosen) and other not in (None, chosen) and not _ONLY_ONE.search(rest):
            return Parts(first, then=(FurtherWish(rest),))
    return None


def of_kin(text: str) -> frozenset[str]:
    """ "someone_else" where it is for somebody else than who writes ("pra minha vó", "meu filho tá com febre", "ele
    caiu"), and "another" where they come beside who was told of before ("e a minha filha também")."""
    if _KIN_TOO.search(text):
        return frozenset({"someone_else", "another"})
    for_other = any(pattern.search(text) for pattern in (_FOR_KIN, _KIN_NEEDS, _THEY_ARE, _TAKING_KIN))
    return frozenset({"someone_else"} if for_other else ())


def beside_own(text: str) -> str | None:
    """ "after_mine" for "depois da minha", "before_mine" for "antes do meu horário": where the speaker's own
    appointment is meant; else None ("depois do meu trabalho")."""
    found = _BESIDE_OWN.search(text)
    return None if found is None else "before_mine" if found["before"] else "after_mine"

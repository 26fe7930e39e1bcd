"""Whether what a model says of the clinic is carried: by the clinic's own data, by what its tools and people said, or
by an approved answer that the model names.

A sentence claims something where it says what there is, what is done, what may and what must be, and is no question and
no "não sei". Its telling words have to stand in what carries it. An approved answer that is said in other words must
also be meant: with its yes or no, and with whatever limits it ("só", "até 3x", "a primeira hora"). Said as it was
approved, it needs no name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gendei.knowledge.everyday_words import folded, stem
from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.facts_in_text import amounts, asks, sentences, times
from gendei.receptionist.sources import Source
from gendei.receptionist.understanding.language import plain

_NAMED = re.compile(r"\s*\[\s*fontes?\s*:?\s*([^\]\n]{0,400})\]", re.IGNORECASE)
_ID = re.compile(r"[^\s,;]+")
_HAS = (
    r"temos|tem|tenho|possui\w*|ha|existe|existem|conta(?:mos)? com|dispo(?:mos|e|nibiliza\w*)|oferece\w*|fornece\w*"
    r"|inclui\w*|inclus[oa]s?|funciona\w*|fica|ficam|ficamos|vale|valem|dura|duram|leva|levam|sai|saem"
)
_DOES = (
    r"fa(?:zemos|z|zem|co)|realiza\w*|atende\w*|aceit(?:a|am|amos|o)|trabalha\w*|parcel(?:a|am|amos)|divid(?:e|em|imos)"
    r"|emit(?:e|em|imos)|envi(?:a|am|amos)|cobr(?:a|am|amos|e|imos)|us(?:a|amos)|utiliza\w*|vend(?:e|emos)"
    r"|entreg(?:a|am|amos)|garant(?:e|imos)|da(?:mos)|reembols(?:a|amos)|abr(?:e|em|imos)|recebe(?:mos|m)?"
    r"|busca(?:mos|m)|aplica(?:mos|m)|vacina(?:mos|m)|compra(?:mos)|troca(?:mos|m)"
)
_MAY = (
    r"pode|podem|da para|e possivel|permit\w+|liberad[oa]s?|proibid[oa]s?|obrigatori[oa]s?|precisa|precisam|e preciso"
    r"|necessari[oa]s?|deve|devem|basta|necessidade|exig\w+|recomend\w+|aconselh\w+|evite|venha|traga|tome|coma|beba"
)
_WE = r"\w{2,}(?:amos|emos|imos)"
_IS = r"e|eh|sao|gratis|gratuit[oa]s?|desconto\w*|cortesia|consiste|serve|significa|esta|estao"
_CLAIMS = re.compile(rf"\b(?:{_HAS}|{_DOES}|{_MAY}|{_WE}|{_IS})\b")
_SHORT_YES = re.compile(r"^(?:sim|claro|com certeza|certamente|isso|nao|pode|temos|tem|fazemos|aceitamos)\b")
_OPEN = re.compile(
    r"\bnao (?:sei|tenho (?:\w+ )?(?:informac\w+|resposta|certeza|como)|conseg\w+|posso|pude|encontr\w+|ach(?:o|ei)|vi"
    r"|consta|entendi)\b"
    r"|\b(?:vou|posso|preciso|deixa eu|deixe|quer que eu|gostaria|prefere|se (?:voce )?(?:quiser|preferir|precisar))\b"
    r"|\b(?:com|chamar|chamo|para) a equipe\b|\bequipe (?:pode|sabe|vai|te|ja|segue|confirma|responde|informa|ajuda)\b"
    r"|\bvoce (?:quer|deseja|prefere|gostaria|disse|pediu|tem|ja tem|esta)\b"
)
_NEGATED = re.compile(r"\b(?:nao|nem|sem|nunca|nenhum\w*|infelizmente|proibid\w+)\b")
_CLOSED = re.compile(r"\b(?:aceit\w+|faz\w+|realiz\w+|trabalh\w+ com)\b|\batend\w+ (?:\w+ ){0,2}(?:plano|convenio)")
"""Of what the clinic's data list whole (services, plans, ways to pay), what is not listed is not done."""
_LIMIT = re.compile(
    r"\b(?:so|somente|apenas|exceto|menos|ate|partir|desde que|mediante|primeir[oa]s?|minim[oa]|maxim[oa]|acima|abaixo"
    r"|caso|conforme|dependendo|depende)\b|\d+"
)
_TURN = re.compile(r";|\bmas\b|\bporém\b")
_HOUR = re.compile(r"\d+h\d*|r")
"""What a time and an amount leave behind; they are checked by themselves."""
_PART = re.compile(r"[,;:.!?]\s|\s(?:e|mas|porem|porque|pois)\s")
_DIGITS = re.compile(r"\d+")
_MARKS = " .,!?¡¿*_-–—\"'"
MANY = 3
MOST_SHORT = 4
"""Words of an answer that only says yes or no to what was asked."""
WHOLE = 0.5
"""Of the telling words of what limits an answer, how many have to be said with it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What carries claims in one turn. known: what the clinic's data, tools and people say. sources: the answers that
    the model names. asked: what the patient asked. ordinary: what tells nothing. tolerated: so many telling words need
    not be carried, where a server of the clinic's own answered in data."""

    known: frozenset[str] = frozenset()
    sources: Sequence[Source] = ()
    asked: str = ""
    ordinary: frozenset[str] = frozenset()
    tolerated: int = 0


def named_in(text: str) -> tuple[str, tuple[str, ...]]:
    """A model's text without the names of its sources, and these: "Temos elevador. [fonte: elevador]"."""
    if "[" not in text:
        return text, ()
    ids = tuple(id_.strip("\"'`") for found in _NAMED.findall(text) for id_ in _ID.findall(found))
    return _NAMED.sub("", text).strip(), tuple(dict.fromkeys(ids))


def evidence(
    known: Iterable[str],
    sources: Sequence[Source],
    asked: str,
    names: Iterable[str],
    words: GuardrailWords,
    tolerated: int = 0,
) -> Evidence:
    """known: texts of the clinic, its tools and its people."""
    stems = frozenset(found for text in known for found in _stems(text))
    addressed = frozenset(found for name in names for found in _stems(name))
    return Evidence(stems, sources, asked, _ordinary(tuple(words.ordinary)) | addressed, tolerated)


def uncarried(text: str, evidence: Evidence, whole: str = "") -> list[str]:
    """The sentences of a model's text, without answers in their approved words, that claim what nothing carries.
    whole: the text with them, where it held any."""
    whole = whole or text
    return [said for said in _stated(text) if _is_claim(said, evidence) and not _is_carried(said, whole, evidence)]


def _stated(text: str) -> Iterator[str]:
    """The statements of a text, but for those that say that something is not known, or speak of the patient."""
    for sentence in sentences(text):
        if not asks(sentence):
            yield from (part for part in _TURN.split(sentence) if not _OPEN.search(plain(part)))


def _is_claim(said: str, evidence: Evidence) -> bool:
    """Whether it says something of the clinic, or several things that neither its data nor the patient named."""
    words = plain(said).strip(_MARKS)
    if _CLAIMS.search(words) or (_SHORT_YES.match(words) and len(words.split()) <= MOST_SHORT):
        return True
    return len(_telling(said, evidence) - evidence.known - _stems(evidence.asked)) >= MANY


def _is_carried(said: str, whole: str, evidence: Evidence) -> bool:
    telling = _telling(said, evidence)
    if not telling:
        return not _affirms(said, evidence)
    left = telling - evidence.known
    if len(left) <= evidence.tolerated:
        return True
    if _NEGATED.search(plain(said)) and _CLOSED.search(plain(said)):
        return True
    return any(_carries(source, said, telling, whole, evidence) for source in evidence.sources)


def _affirms(said: str, evidence: Evidence) -> bool:
    """Whether a sentence without telling words says yes or no to a question that the clinic's data do not answer, and
    that no named answer was found for."""
    short = plain(said).strip(" .,!")
    if not _SHORT_YES.match(short) or "?" not in evidence.asked:
        return False
    asked = frozenset(_stems(evidence.asked)) - evidence.ordinary
    found = [source for source in evidence.sources if source.asked]
    if any(bool(_NEGATED.search(plain(source.answer))) == bool(_NEGATED.search(short)) for source in found):
        return False
    return bool(asked - evidence.known)


def _carries(source: Source, said: str, telling: frozenset[str], whole: str, evidence: Evidence) -> bool:
    """Whether an approved answer says this, too: nothing beside it, its yes or no, and what limits it."""
    told = _stems(source.answer)
    about = {found for text in (*source.questions, source.asked) for found in _stems(text)}
    if telling - told - about - evidence.known:
        return False
    if set(_DIGITS.findall(said)) - set(_DIGITS.findall(source.answer)) - _written(said):
        return False
    negated = bool(_NEGATED.search(plain(said)))
    parts = [part for sentence in sentences(source.answer) for part in _TURN.split(sentence)]
    near = [part for part in parts if _stems(part) & telling] or parts[:1]
    if not any(bool(_NEGATED.search(plain(part))) == negated for part in near):
        return False
    spoken = frozenset(_stems(whole))
    return all(_limits_said(part, spoken, whole, evidence) for part in near)


def _written(said: str) -> set[str]:
    """Digits of prices, times and dates, which are checked by themselves."""
    return set(_DIGITS.findall(said)) if amounts(said) or times(said) else set()


def _limits_said(part: str, spoken: frozenset[str], whole: str, evidence: Evidence) -> bool:
    for clause in _PART.split(part):
        if not _LIMIT.search(plain(clause)):
            continue
        needed = _stems(clause) - evidence.ordinary
        if set(_DIGITS.findall(clause)) - set(_DIGITS.findall(whole)):
            return False
        if needed and len(needed & spoken) < WHOLE * len(needed):
            return False
        if {stem(word) for word in _LIMIT.findall(plain(clause)) if not word.isdigit()} - spoken:
            return False
    return True


def _telling(said: str, evidence: Evidence) -> frozenset[str]:
    return _stems(said) - evidence.ordinary


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """The stems of words that tell something; numbers are compared by themselves."""
    return frozenset(stem(word) for word in folded(text).split() if not (word.isdigit() or _HOUR.fullmatch(word)))


@lru_cache(maxsize=8)
def _ordinary(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for expression in words for word in folded(expression).split())

"""Advice on health that only a professional gives: a medicine to take, a dose, a diagnosis, how grave something is.

One set of rules for what a language model says and for what a clinic's own answers say. The words are in
`prompts/guardrails.yaml`; the patterns are here."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from gendei.datafile import data_dir
from gendei.knowledge.everyday_words import folded
from gendei.prompts import GuardrailWords

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_DOSE = re.compile(
    r"\b\d+ ?(?:mg|mcg|ml|gotas?|comprimidos?|capsulas?|drageas?|ampolas?)\b"
    r"|\b(?:uma?|dois|duas|meio|tres) (?:comprimidos?|gotas?|capsulas?|dose)\b"
    r"|\b(?:de|a cada) \d+ (?:em \d+ )?horas\b"
)
_UNITS = re.compile(r"\b(?:mg|mcg|gotas?|comprimidos?|capsulas?|drageas?|ampolas?|dose)\b")
_REASSURING = re.compile(
    r"\bnao (?:e|eh|sao|costuma ser|deve ser|seria) (?:nada |muito |tao )?"
    r"(?:grave|graves|serio|serios|perigoso|preocupante|motivo)"
    r"|\bnao (?:precisa|ha|tem)(?: \w+){0,3} (?:preocupar|preocupacao|perigo)"
    r"|\bnada (?:grave|serio|demais)\b|\bpassa sozinh"
    r"|\b(?:fique|ficar|fica) tranquil\w* .{0,60}\b(?:dor|sintoma|mancha|febre|sangr\w+|inchac\w+|coceira|normal)\b"
    r"|\bnao precisa (?:de medico|ir ao medico|procurar)"
)
_DIAGNOSIS = re.compile(
    r"\b(?:voce|o senhor|a senhora) (?:tem|esta com|deve ter|provavelmente tem|pode ter) "
    r"(?:\w+ ){0,2}(?:\w*ite|cancer|tumor|infeccao|depressao|ansiedade|diabetes|hipertensao|alergia|anemia|"
    r"dengue|covid|gripe|virose|tdah|autismo|carie|hernia)\b"
    r"|\bisso (?:e|eh) (?:sinal|sintoma) de\b|\bsignifica que voce (?:tem|esta)\b"
)
_TAKEN_ALREADY = re.compile(
    r"\b(?:que|quais|se) (?:voce |o senhor |a senhora |ele |ela |o paciente |a paciente )?(?:ja |esta |estiver "
    r"|costuma |faz uso |vem )*(?:toma|tome|tomar|tomando|usa|use|usar|usando)\b|\bem uso\b"
)
"""What somebody takes as it is ("traga a lista dos remédios que toma") is no advice to take it."""


class HealthAdvice(StrEnum):
    """What kind of advice."""

    MEDICINE = "medicine"
    DOSE = "dose"
    DIAGNOSIS = "diagnosis"
    NOT_GRAVE = "not_grave"


@cache
def shipped_words() -> GuardrailWords:
    """The words of the deployment's own prompts, read once."""
    return GuardrailWords.load(data_dir("prompts"))


def advice_in(text: str, words: GuardrailWords | None = None) -> HealthAdvice | None:
    """The first advice that a text gives; None for none. words: those that are shipped unless given."""
    return _in_answer(text) if words is None else _first(text, words)


@lru_cache(maxsize=20_000)
def _in_answer(text: str) -> HealthAdvice | None:
    """Remembered, for all answers of a clinic are looked at again with each that changes."""
    return _first(text, shipped_words())


def _first(text: str, words: GuardrailWords) -> HealthAdvice | None:
    return next((found for said in _SENTENCE.split(text) for found in _of_sentence(said, words)), None)


def _of_sentence(sentence: str, words: GuardrailWords) -> Iterator[HealthAdvice]:
    said = f" {folded(sentence)} "
    if _holds(said, words.declining):
        return
    asks = sentence.rstrip().endswith("?")
    told = _TAKEN_ALREADY.sub(" ", said)
    takes, dose = _holds(told, words.taking), _DOSE.search(told)
    if dose and (takes or _UNITS.search(told)):
        yield HealthAdvice.DOSE
    if asks:
        return
    if _holds(told, words.medicines) and (takes or dose):
        yield HealthAdvice.MEDICINE
    if _DIAGNOSIS.search(said) or (_holds(said, words.diagnosing) and _holds(said, words.conditions)):
        yield HealthAdvice.DIAGNOSIS
    if _REASSURING.search(said) or _holds(said, words.reassuring):
        yield HealthAdvice.NOT_GRAVE


def _holds(said: str, expressions: Sequence[str]) -> bool:
    return any(_known(expression) in said for expression in expressions)


@lru_cache(maxsize=5000)
def _known(expression: str) -> str:
    return f" {folded(expression)} "

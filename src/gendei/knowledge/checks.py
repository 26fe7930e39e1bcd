"""What no answer may say, and what it may not contradict."""

import re
from collections.abc import Sequence
from enum import StrEnum

from gendei.clinic import Clinic
from gendei.knowledge.everyday_words import folded
from gendei.knowledge.health import HealthAdvice, advice_in
from gendei.messages.limits import units

MOST_ENTRIES, MOST_QUESTIONS, MOST_OF_QUESTION, MOST_OF_ANSWER = 5000, 20, 200, 1000


class EntryFault(StrEnum):
    """Why an entry is refused."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"
    MEDICINE = "medicine"
    DIAGNOSIS = "diagnosis"
    DOSE = "dose"
    NOT_GRAVE = "not_grave"
    PRICE = "price"
    MARKUP = "markup"
    INSTRUCTION = "instruction"
    CHANGED = "changed"
    CONTRADICTS = "contradicts"


_INSTRUCTION = re.compile(
    r"\b(?:ignore|desconsidere|esqueca) (?:as |todas |todas as |suas )?(?:instruc|regras|orientac)"
    r"|\bsystem prompt\b|\bvoce e (?:um|uma) (?:assistente|modelo|ia|robo)\b|\bignore (?:all|previous)\b"
)
_OF_ADVICE = {
    HealthAdvice.MEDICINE: EntryFault.MEDICINE,
    HealthAdvice.DOSE: EntryFault.DOSE,
    HealthAdvice.DIAGNOSIS: EntryFault.DIAGNOSIS,
    HealthAdvice.NOT_GRAVE: EntryFault.NOT_GRAVE,
}
_MARKUP = re.compile(r"<\s*/?[a-zA-Z!][^>]*>|```|\]\(|\{\{|<\|")
_MONEY = re.compile(r"R\$ ?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?")


def fault_of(questions: Sequence[str], answer: str, clinic: Clinic) -> EntryFault | None:
    """The first reason why this cannot be an entry of the clinic; None where there is none."""
    texts = (*questions, answer)
    if not questions or not all(text.strip() for text in texts):
        return EntryFault.EMPTY
    long = units(answer) > MOST_OF_ANSWER or any(units(text) > MOST_OF_QUESTION for text in questions)
    if long or len(questions) > MOST_QUESTIONS:
        return EntryFault.TOO_LONG
    if any(_MARKUP.search(text) for text in texts):
        return EntryFault.MARKUP
    if (advice := advice_in(answer)) is not None:
        return _OF_ADVICE[advice]
    if _INSTRUCTION.search(folded(answer)):
        return EntryFault.INSTRUCTION
    return EntryFault.PRICE if _other_price(texts, answer, clinic) else None


def _other_price(texts: Sequence[str], answer: str, clinic: Clinic) -> bool:
    """Whether a price is told of a service that costs something else at the clinic."""
    told = {int(whole.replace(".", "")) * 100 + int(cents or 0) for whole, cents in _MONEY.findall(answer)}
    said = f" {folded(' '.join(texts))} "
    named = [service for service in clinic.services if f" {folded(service.name)} " in said]
    known = {price for service in named for price in (service.price_cents, service.deposit_cents) if price is not None}
    return bool(told and named) and not told <= known

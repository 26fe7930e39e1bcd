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
    BLANK = "blank"


_INSTRUCTION = re.compile(
    r"\b(?:ignore|ignorem|desconsidere|esqueca|despreze)\b(?: \w+){0,4} "
    r"(?:instruc\w*|regras|orientac\w*|comandos|prompts?)\b"
    r"|\b(?:ignore|disregard|forget)\b(?: \w+){0,4} (?:instructions?|rules|previous|prompts?)\b|\bignore all\b"
    r"|\bsystem prompt\b|\bprompt (?:do|de) sistema\b"
    r"|\bnovas? instruc\w+ (?:para|ao?) (?:o |a )?(?:modelo|assistente|ia)\b"
    r"|\b(?:voce|tu) (?:e|eh|es) (?:agora )?(?:uma? )?(?:assistente|modelo|ia|robo|chatbot|inteligencia artificial)\b"
    r"|\baja como (?:um |uma )?(?:\w+ )?(?:assistente|modelo|ia|robo|chatbot)\b"
    r"|\b(?:you are|act as) (?:now )?(?:an? )?(?:\w+ )?(?:assistant|model|ai|chatbot)\b"
)
"""To a language model, in whatever part of an entry it stands: a model reads all of it."""
_OF_ADVICE = {
    HealthAdvice.MEDICINE: EntryFault.MEDICINE,
    HealthAdvice.DOSE: EntryFault.DOSE,
    HealthAdvice.DIAGNOSIS: EntryFault.DIAGNOSIS,
    HealthAdvice.NOT_GRAVE: EntryFault.NOT_GRAVE,
}
_MARKUP = re.compile(r"<\s*/?[a-zA-Z!][^>]*>|```|\]\(|\{\{|<\||\[/?INST\]")
_BLANK = re.compile(r"\[complete\b[^\]]*\]", re.IGNORECASE)
_MONEY = re.compile(r"R\$ ?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?")


def blanks_in(answer: str) -> list[str]:
    """The places of an answer that somebody at the clinic has to fill in: "[complete: onde fica]"."""
    return _BLANK.findall(answer)


def fault_of(questions: Sequence[str], answer: str, clinic: Clinic) -> EntryFault | None:
    """The first reason why this cannot be an entry of the clinic; None where there is none."""
    if (fault := general_fault(questions, answer)) is not None:
        return fault
    return EntryFault.PRICE if _other_price((*questions, answer), answer, clinic) else None


def general_fault(questions: Sequence[str], answer: str) -> EntryFault | None:
    """The first reason why this can be no clinic's entry; None where there is none."""
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
    return EntryFault.INSTRUCTION if any(_INSTRUCTION.search(folded(text)) for text in texts) else None


def _other_price(texts: Sequence[str], answer: str, clinic: Clinic) -> bool:
    """Whether a price is told of a service that costs something else at the clinic."""
    told = {int(whole.replace(".", "")) * 100 + int(cents or 0) for whole, cents in _MONEY.findall(answer)}
    said = f" {folded(' '.join(texts))} "
    named = [service for service in clinic.services if f" {folded(service.name)} " in said]
    known = {price for service in named for price in (service.price_cents, service.deposit_cents) if price is not None}
    return bool(told and named) and not told <= known

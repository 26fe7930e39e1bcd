"""What some clinics keep of their patients beside name and phone: the birth date, the CPF, and the number of the health
plan's card.

It stands in the patient's document alone, never with appointments, so that it goes when that goes; and in no log,
audit or prompt.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated

from gendei.booking.slots import BookingRefused, Refusal
from gendei.clinic import Clinic, PersonalDatum
from gendei.records import ABSENT_WHEN_NONE, Day
from gendei.tax_ids import cpf_digits

OLDEST = 130
"""Years that nobody lives longer."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """`cpf`: its eleven digits. `plan_card`: as it is written on the card, without blanks."""

    birth_date: Annotated[Day | None, ABSENT_WHEN_NONE] = None
    cpf: Annotated[str | None, ABSENT_WHEN_NONE] = None
    plan_card: Annotated[str | None, ABSENT_WHEN_NONE] = None

    def __repr__(self) -> str:
        """Without what it holds: it may come into a log."""
        return "PersonalData(...)"

    @property
    def given(self) -> list[str]:
        """The names of what is known."""
        return [datum.value for datum in PersonalDatum if getattr(self, datum) is not None]

    def over(self, before: "PersonalData") -> "PersonalData":
        """`before`, with what stands here in its place."""
        return PersonalData(**{datum: getattr(self, datum) or getattr(before, datum) for datum in PersonalDatum})

    def checked(self, clinic: Clinic, today: date) -> "PersonalData":
        """Raises BookingRefused: INVALID_BIRTH_DATE for a day that is still to come or that nobody remembers,
        INVALID_CPF for what is no CPF, INVALID_PLAN_CARD for what is no number of a card, NOT_KEPT for what the clinic
        does not keep."""
        if not set(self.given) <= set(clinic.kept_data):
            raise BookingRefused(Refusal.NOT_KEPT)
        if self.birth_date is not None and not today.year - OLDEST <= self.birth_date.year <= today.year:
            raise BookingRefused(Refusal.INVALID_BIRTH_DATE)
        if self.birth_date is not None and self.birth_date > today:
            raise BookingRefused(Refusal.INVALID_BIRTH_DATE)
        return replace(
            self,
            cpf=None if self.cpf is None else clean_cpf(self.cpf),
            plan_card=None if self.plan_card is None else clean_plan_card(self.plan_card),
        )


UNKNOWN = PersonalData()


def clean_cpf(text: str) -> str:
    """The eleven digits of a CPF, written with or without its punctuation. Raises BookingRefused(INVALID_CPF) where the
    check digits do not fit, and for one digit eleven times, which nobody is given."""
    digits = cpf_digits(text)
    if digits is None:
        raise BookingRefused(Refusal.INVALID_CPF)
    return digits


def clean_plan_card(text: str) -> str:
    """The number of a health plan's card without blanks and punctuation: 5 to 25 letters and digits, most of them
    digits. Raises BookingRefused(INVALID_PLAN_CARD) for anything else."""
    number = re.sub(r"[\s.\-/]", "", text)
    if not re.fullmatch("[0-9A-Za-z]{5,25}", number) or 2 * sum(map(str.isdigit, number)) < len(number):
        raise BookingRefused(Refusal.INVALID_PLAN_CARD)
    return number.upper()


def cpf_text(digits: str) -> str:
    """ "529.982.247-25"."""
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


def age(birth_date: date, today: date) -> int:
    """In whole years."""
    return today.year - birth_date.year - ((today.month, today.day) < (birth_date.month, birth_date.day))

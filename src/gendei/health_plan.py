"""A health plan (convênio) as one clinic takes it: for which services, with whom, and what the patient pays."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE

PRIVATE = "particular"
"""Stands in place of a plan's name: the patient pays by themselves."""


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """How a plan is taken for a service. covered: the patient pays nothing. price_cents: what the patient pays. With
    neither, the clinic does not say. authorization: the plan has to allow it before. card_number: patients are asked
    for the number of their card. waiting_days: the plan's waiting time (carência); None where the clinic does not say.
    deposit: the service's deposit is asked for of these patients too. professionals: ids of who takes the plan; empty
    for everybody."""

    covered: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    price_cents: Annotated[int | None, ABSENT_WHEN_NONE] = None
    authorization: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    card_number: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    waiting_days: Annotated[int | None, ABSENT_WHEN_NONE] = None
    deposit: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    professionals: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()

    def __post_init__(self) -> None:
        if self.covered and self.price_cents is not None:
            raise ValueError("what is covered has no price")


NOTHING_SAID = PlanTerms()


@dataclass(frozen=True, slots=True)
class HealthPlan:
    """terms: of every service, where `services` is None; else it is taken for those alone that `services` has, by id,
    with the terms there."""

    name: str
    aliases: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    terms: PlanTerms = NOTHING_SAID
    services: Annotated[Mapping[str, PlanTerms] | None, ABSENT_WHEN_NONE] = None

    @property
    def says_terms(self) -> bool:
        """Whether more is known than that it is taken."""
        return self.services is not None or self.terms != NOTHING_SAID

    @property
    def all_terms(self) -> tuple[PlanTerms, ...]:
        return (self.terms,) if self.services is None else tuple(self.services.values())

    def terms_for(self, service_id: str, professional_id: str | None = None) -> PlanTerms | None:
        """The terms of a service with this professional, or with anybody where none is named; None where the plan is
        not taken for it."""
        terms = self.terms if self.services is None else self.services.get(service_id)
        if terms is None or (professional_id and terms.professionals and professional_id not in terms.professionals):
            return None
        return terms


@lru_cache(maxsize=2_000)
def plan_key(name: str) -> str:
    """By which names of plans are compared, and which choices carry: "Bradesco Saúde" is "bradesco-saude"."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    spaced = "".join(char if char.isalnum() else " " for char in letters if not unicodedata.combining(char))
    return "-".join(spaced.split())[:80]

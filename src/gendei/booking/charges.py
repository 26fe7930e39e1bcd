"""What a visit costs who comes, by their health plan: the one place that decides it."""

from dataclasses import dataclass, replace

from gendei.clinic import Clinic, Professional, Service
from gendei.health_plan import NOTHING_SAID, PRIVATE, HealthPlan, PlanTerms, plan_key


@dataclass(frozen=True, slots=True)
class Charge:
    """plan: its name as the clinic has it, PRIVATE, or "" where nobody said. covered: the plan pays all. price_cents:
    what the patient pays; None where nothing is known of it, and where it is covered. terms: those of the plan; None
    without one."""

    plan: str
    price_cents: int | None
    deposit_cents: int
    covered: bool = False
    terms: PlanTerms | None = None


def plan_of(clinic: Clinic, name: str) -> HealthPlan | None:
    """The plan that the clinic takes under this very name, capitals and accents aside."""
    key = plan_key(name)
    return next((plan for plan in clinic.health_plans if plan_key(plan.name) == key), None)


def plan_name(clinic: Clinic, text: str) -> str | None:
    """A plan as somebody wrote it, as appointments hold it: the clinic's name for it, PRIVATE, or "" for none; None for
    what the clinic does not take."""
    key = plan_key(text)
    if key in {"", PRIVATE}:
        return key
    found = plan_of(clinic, text)
    return found.name if found else None


def plans_for(clinic: Clinic, service_id: str, professional_id: str | None = None) -> tuple[HealthPlan, ...]:
    """The plans that are taken for a service with this professional, or with anybody where none is named."""
    return tuple(plan for plan in clinic.health_plans if plan.terms_for(service_id, professional_id) is not None)


def plan_matters(clinic: Clinic, service_id: str) -> bool:
    """Whether it has to be known by which plan somebody comes: terms of one are known for the service."""
    return any(plan.terms_for(service_id) not in (None, NOTHING_SAID) for plan in clinic.health_plans)


def prices_of(clinic: Clinic, service: Service) -> frozenset[int]:
    """What the service may cost: its price and deposit, and its prices by health plans."""
    by_plan = (terms.price_cents for plan in clinic.plans if (terms := plan.terms_for(service.id)))
    return frozenset(cents for cents in (service.price_cents, service.deposit_cents, *by_plan) if cents)


def takers(clinic: Clinic, plan: str, service_id: str) -> frozenset[str]:
    """The ids of the professionals with whom the service can be booked by this plan; everybody without one."""
    able = clinic.professionals_for(service_id)
    service = clinic.service(service_id)
    return frozenset(who.id for who in able if service and charge(clinic, plan, service, who.id) is not None)


def taking(clinic: Clinic, plan: str, service_id: str) -> Clinic:
    """The clinic, in which the service is done by those alone who take the plan: for looking for times."""
    if plan in {"", PRIVATE}:
        return clinic
    able = takers(clinic, plan, service_id)

    def left(who: Professional) -> Professional:
        services = tuple(found for found in who.service_ids if found != service_id)
        return who if who.id in able else replace(who, service_ids=services)

    return replace(clinic, professionals=tuple(map(left, clinic.professionals)))


def private_amounts(clinic: Clinic, plan: str) -> frozenset[int]:
    """The private prices and deposits, in centavos, which nobody pays who comes by this plan."""
    amounts, by_plan = set[int](), set[int]()
    for service in clinic.services:
        found = charge(clinic, plan, service)
        if found is not None and found.terms is not None:
            amounts |= {cents for cents in (service.price_cents, service.deposit_cents) if cents}
            by_plan |= {cents for cents in (found.price_cents, found.deposit_cents) if cents}
        else:
            by_plan |= {cents for cents in (service.price_cents, service.deposit_cents) if cents}
    return frozenset(amounts - by_plan)


def charge(clinic: Clinic, plan: str, service: Service, professional_id: str | None = None) -> Charge | None:
    """What the service costs by `plan` (as Charge.plan) with this professional, or with anybody who takes the plan
    where none is named. None where it is not taken for that."""
    if plan in {"", PRIVATE}:
        return Charge(plan, service.price_cents, service.deposit_cents)
    found = plan_of(clinic, plan)
    terms = found.terms_for(service.id, professional_id) if found else None
    if found is None or terms is None:
        return None
    deposit = service.deposit_cents if terms.deposit else 0
    return Charge(found.name, terms.price_cents, deposit, terms.covered, terms)

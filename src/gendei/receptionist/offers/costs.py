"""What a visit costs by the patient's health plan, in words: decided by gendei.booking.charges alone."""

from gendei.booking.charges import Charge, charge, plan_matters, plan_of, plans_for
from gendei.clinic import Service, money
from gendei.health_plan import PRIVATE, HealthPlan
from gendei.receptionist.offers.rendering import plan_notes, price, professional_name
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.plan_names import plans_taken


def keep_plan(runtime: Runtime) -> None:
    """Keep the plan that this turn's words name. Another one than was asked about takes the yes back: it was to another
    price."""
    told = runtime.heard.plans.plan if runtime.heard else None
    if told is not None and told != runtime.state.plan:
        runtime.agreed = frozenset()
    if told is not None:
        runtime.state.tell_plan(told)


def matters(runtime: Runtime, service_id: str) -> bool:
    """Whether the patient has to be asked by which plan they come."""
    return runtime.vertical.convenio and plan_matters(runtime.clinic, service_id)


def plans_of(runtime: Runtime, service_id: str, professional_id: str | None = None) -> tuple[HealthPlan, ...]:
    """The plans that are taken for this."""
    return plans_for(runtime.clinic, service_id, professional_id) if runtime.vertical.convenio else ()


def plan_keyed(runtime: Runtime, name: str) -> HealthPlan | None:
    """The plan of a choice, or by its name."""
    return plan_of(runtime.clinic, name) if plans_taken(runtime.clinic, runtime.vertical) else None


def cost_text(service: Service, runtime: Runtime, professional_id: str | None = None) -> str:
    """What it costs the patient of the draft, as a line that may end in what else the plan asks for."""
    state = runtime.state
    found = charge(runtime.clinic, state.plan, service, professional_id)
    if found is None or found.plan in {"", PRIVATE}:
        told = price(service, runtime)
        if found is None or found.plan == PRIVATE:
            return runtime.say("price_private", price=told)
        return runtime.say("price_plan_open", price=told) if matters(runtime, service.id) else told
    return "\n".join([_of_plan(found, runtime), *plan_notes(found.terms, runtime)])


def price_by(plan: str, service: Service, runtime: Runtime, professional_id: str | None = None) -> str:
    """What it costs by this plan, on one line; by one that is not taken for it, that, and the price without."""
    found = charge(runtime.clinic, plan, service, professional_id)
    if found is None:
        return runtime.say("price_not_by_plan", plan=plan, price=price(service, runtime))
    if found.plan in {"", PRIVATE}:
        return runtime.say("price_private", price=price(service, runtime))
    return _of_plan(found, runtime)


def short_price(plan: str, service: Service, runtime: Runtime, professional_id: str | None = None) -> str:
    """The same without the plan's name, for a line below it; "" for what is not known."""
    found = charge(runtime.clinic, plan, service, professional_id)
    if found is None or (found.terms and not found.covered and found.price_cents is None):
        return ""
    if found.terms is None:
        return price(service, runtime)
    return runtime.say("plan_covered") if found.covered else money(found.price_cents or 0)


def _of_plan(found: Charge, runtime: Runtime) -> str:
    if found.covered:
        text = runtime.say("price_covered", plan=found.plan)
    elif found.price_cents is None:
        text = runtime.say("price_plan_unknown", plan=found.plan)
    else:
        text = runtime.say("price_by_plan", plan=found.plan, price=money(found.price_cents))
    if found.deposit_cents and runtime.vertical.deposit:
        text += " " + runtime.say("price_deposit", deposit=money(found.deposit_cents))
    return text


def list_price(service: Service, runtime: Runtime) -> str:
    """The price on a list; where plans have others, it says whose it is."""
    told = price(service, runtime)
    return runtime.say("price_private", price=told) if matters(runtime, service.id) else told


def prices_by_plan(service: Service, runtime: Runtime) -> dict[str, str]:
    """What the patient pays by each plan of which that is known."""
    plans = (plan for plan in plans_of(runtime, service.id) if plan.says_terms)
    return {plan.name: _of_plan(found, runtime) for plan in plans if (found := _charge(plan, service, runtime))}


def _charge(plan: HealthPlan, service: Service, runtime: Runtime) -> Charge | None:
    return charge(runtime.clinic, plan.name, service)


def plan_facts(runtime: Runtime) -> list[str]:
    """A line for each plan of which more is known than the name: services with what is paid, and what it asks for. The
    same for every patient."""
    return [_fact(plan, runtime) for plan in plans_taken(runtime.clinic, runtime.vertical) if plan.says_terms]


def _fact(plan: HealthPlan, runtime: Runtime) -> str:
    parts = []
    for service in runtime.clinic.services:
        terms, found = plan.terms_for(service.id), _charge(plan, service, runtime)
        if terms is None or found is None:
            continue
        who = [professional_name(runtime.clinic, who) for who in terms.professionals]
        notes = plan_notes(terms, runtime, for_all=True)
        told = [_of_plan(found, runtime), *(["com " + ", ".join(who)] if who else []), *notes]
        parts.append(f"{service.name}: {'; '.join(told)}")
    return f"{plan.name} — " + " / ".join(parts)

"""Questions about health plans: whether one is taken, what is paid by it, and its waiting time."""

from collections.abc import Sequence

from gendei.booking.charges import charge
from gendei.clinic import Service
from gendei.health_plan import PRIVATE, HealthPlan
from gendei.receptionist.capabilities.plans import not_taken, was_asked
from gendei.receptionist.guided.guided_turn import GuidedTurn, joined
from gendei.receptionist.offers.costs import plan_keyed, plans_of, price_by, short_price
from gendei.receptionist.offers.rendering import plan_notes, price
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.plan_names import plans_taken

AUTHORIZATION = frozenset("autorizacao autorizacoes autorizar autoriza autorizado autorizada guia guias".split())
WAITING = frozenset({"carencia", "carencias"})
_ABOUT_MONEY = frozenset({"price", "payment"})
_TO_PAY = frozenset("pagar pago paga pagam pagamos cobra cobram cobrado gratis custo".split())
_MEANS = frozenset("pix cartao credito debito dinheiro boleto parcela parcelar parcelado pagamento".split())


def by_plan(turn: GuidedTurn, heard: Understanding, topics: list[str]) -> list[str]:
    """The topics of a question, with what is paid by a plan asked as a price alone, once."""
    said = set(heard.said)
    asks_money = "price" in topics or ("payment" in topics and said & _TO_PAY and not said & _MEANS)
    if not asks_money or not (_named(turn, heard) or heard.plans.any_named or heard.plans.generic):
        return topics
    rest = [topic for topic in topics if topic not in {*_ABOUT_MONEY, "insurance"}]
    return [*rest, "price"]


def _named(turn: GuidedTurn, heard: Understanding) -> Sequence[HealthPlan]:
    """The plans that a question is about: those it names, or that of the draft where it names no other way to pay."""
    if heard.plans.taken or heard.plans.other or heard.plans.private:
        return heard.plans.taken
    known = turn.state.plan
    plan = plan_keyed(turn.runtime, known) if known not in {"", PRIVATE} else None
    return (plan,) if plan else ()


def prices(turn: GuidedTurn, heard: Understanding, services: Sequence[Service]) -> str | None:
    """What `services` cost by the plan that the question is about; None where it is about none."""
    if was_asked(turn) and len(services) == 1 and not heard.plans.any_named:
        return _each(turn, services[0])
    if named := _named(turn, heard):
        parts = [_costs(turn, plan, services, heard) for plan in named]
        parts += [not_taken(turn, heard.plans.other)] if heard.plans.other else []
        parts += [private_prices(turn, services)] if heard.plans.private else []
        return "\n\n".join(parts)
    if heard.plans.other:
        return joined(not_taken(turn, heard.plans.other), private_prices(turn, services))
    taken = plans_taken(turn.runtime.clinic, turn.runtime.vertical)
    if heard.plans.generic and not heard.plans.private and taken:
        return turn.phrase("plan_which", value=", ".join(plan.name for plan in taken))
    return None


def _each(turn: GuidedTurn, service: Service) -> str:
    """What the service costs privately and by each plan, to who was asked by which one they come."""
    plans = plans_of(turn.runtime, service.id, turn.state.selected_professional_id)
    costs = [(turn.phrase("button_private"), price(service, turn.runtime))]
    costs += [(plan.name, short_price(plan.name, service, turn.runtime)) for plan in plans]
    told = (turn.phrase("plan_line" if cost else "plan_line_unknown", service=name, value=cost) for name, cost in costs)
    return turn.phrase("info_prices", lines="\n".join(told))


def private_prices(turn: GuidedTurn, services: Sequence[Service]) -> str:
    costs = (turn.phrase("price_private", price=price(service, turn.runtime)) for service in services)
    pairs = zip(services, costs, strict=True)
    return "\n".join(turn.phrase("plan_line", service=service.name, value=cost) for service, cost in pairs)


def _costs(turn: GuidedTurn, plan: HealthPlan, services: Sequence[Service], heard: Understanding) -> str:
    """A line for each service; of those that nobody asked for, only where the plan is taken."""
    who = heard.professional.id if heard.professional else None
    shown = [service for service in services if plan.terms_for(service.id, who)] or services
    notes = plan_notes(plan.terms_for(shown[0].id, who), turn.runtime) if len(shown) == 1 else []
    return "\n".join([turn.phrase("plan_prices", plan=plan.name, lines=_lines(turn, plan, shown, who)), *notes])


def _lines(turn: GuidedTurn, plan: HealthPlan, services: Sequence[Service], who: str | None) -> str:
    return "\n".join(_line(turn, plan, service, who) for service in services)


def _line(turn: GuidedTurn, plan: HealthPlan, service: Service, who: str | None) -> str:
    found = charge(turn.runtime.clinic, plan.name, service, who)
    if found is None:
        return turn.phrase("plan_line", service=service.name, value=price_by(plan.name, service, turn.runtime, who))
    told = short_price(plan.name, service, turn.runtime, who)
    return turn.phrase("plan_line" if told else "plan_line_unknown", service=service.name, value=told)


def accepted(turn: GuidedTurn, heard: Understanding, services: Sequence[Service]) -> str:
    """Whether a plan is taken, or which are; services: those that are meant, where any is."""
    runtime = turn.runtime
    plans = plans_taken(runtime.clinic, runtime.vertical)
    if not WAITING.isdisjoint(heard.said):
        return _waiting(turn, heard, services)
    if plans and not AUTHORIZATION.isdisjoint(heard.said):
        return _authorization(turn, heard, services)
    other = heard.plans.other
    if not plans:
        return not_taken(turn, other) if other else turn.phrase("info_private_only")
    if named := heard.plans.taken:
        told = "\n\n".join(_taken(turn, plan, services, heard) for plan in named)
        return joined(told, not_taken(turn, other) if other else "")
    if other:
        return not_taken(turn, other)
    names = ", ".join(plan.name for plan in plans)
    private = "particular" in heard.said and any(service.price_cents for service in runtime.clinic.services)
    return turn.phrase("info_insurance_and_private" if private else "info_insurance", value=names)


def _taken(turn: GuidedTurn, plan: HealthPlan, services: Sequence[Service], heard: Understanding) -> str:
    """A plan that is taken: what it is worth for the services that are meant, or with whom."""
    clinic, who = turn.runtime.clinic, heard.professional.id if heard.professional else None
    taken = any(plan.terms_for(service.id, who) for service in services)
    if taken or (services and heard.mentioned):
        if not taken:
            return _lines(turn, plan, services, who)
        if not plan.says_terms:
            return turn.phrase("info_insurance_yes", value=plan.name)
        return turn.phrase("plan_yes_costs", plan=plan.name, lines=_costs_alone(turn, plan, services, who))
    done = [each for each in clinic.services if who is None or clinic_does(turn, each, who)]
    able = [service.name for service in done if plan.terms_for(service.id, who)]
    if not able and heard.professional:
        return turn.phrase("plan_not_with_at_all", the_name=heard.professional.name, plan=plan.name)
    if plan.services is None and who is None:
        return turn.phrase("info_insurance_yes", value=plan.name)
    return turn.phrase("plan_only_for", plan=plan.name, value=", ".join(able))


def clinic_does(turn: GuidedTurn, service: Service, professional_id: str) -> bool:
    return any(who.id == professional_id for who in turn.runtime.clinic.professionals_for(service.id))


def _costs_alone(turn: GuidedTurn, plan: HealthPlan, services: Sequence[Service], who: str | None) -> str:
    notes = plan_notes(plan.terms_for(services[0].id, who), turn.runtime) if len(services) == 1 else []
    return "\n".join([_lines(turn, plan, services, who), *notes])


def _authorization(turn: GuidedTurn, heard: Understanding, services: Sequence[Service]) -> str:
    """Whether the plan has to agree before; where the clinic does not say so, the team knows."""
    plans = _named(turn, heard) or plans_taken(turn.runtime.clinic, turn.runtime.vertical)
    known = [terms for plan in plans for service in services if (terms := plan.terms_for(service.id)) is not None]
    if any(terms.authorization for terms in known):
        return turn.phrase("plan_authorization")
    return turn.unknown()


def _waiting(turn: GuidedTurn, heard: Understanding, services: Sequence[Service]) -> str:
    """The waiting times that the clinic gives; else that the operator of the plan knows."""
    clinic = turn.runtime.clinic
    plans = _named(turn, heard) or plans_taken(clinic, turn.runtime.vertical)
    told = [text for plan in plans if (text := _waiting_of(turn, plan, services or clinic.services))]
    if heard.plans.other:
        told.append(not_taken(turn, heard.plans.other))
    return "\n\n".join(told) or turn.phrase("plan_waiting_unknown")


def _waiting_of(turn: GuidedTurn, plan: HealthPlan, services: Sequence[Service]) -> str:
    lines = []
    for service in services:
        terms = plan.terms_for(service.id)
        if terms is not None and terms.waiting_days is not None:
            key = "plan_waiting_days" if terms.waiting_days else "plan_waiting_none"
            lines.append(turn.phrase(key, service=service.name, days=str(terms.waiting_days)))
    return turn.phrase("plan_waiting", plan=plan.name, lines="\n".join(lines)) if lines else ""

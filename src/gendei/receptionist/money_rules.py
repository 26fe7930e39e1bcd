"""The rules of a turn that are about money: turn_rules.py holds every turn to them."""

import re

from gendei.receptionist.llm.facts_in_text import amounts
from gendei.receptionist.llm.guardrails import claims_booking, claims_money
from gendei.receptionist.rule_book import Cases, service_texts, turn_rule
from gendei.receptionist.runtime import Change
from gendei.receptionist.turn_trace import TurnTrace
from gendei.receptionist.understanding.language import first_name

_NUMBER = re.compile(r"\b\d{1,6}(?:\.\d{1,2})?\b")


@turn_rule("A patient would pay what the clinic does not ask.")
def a_booking_costs_what_the_clinic_says(trace: TurnTrace) -> Cases:
    for change, booked in trace.changes:
        service = trace.clinic.service(booked.service_id)
        if change is Change.BOOKED and service is not None:
            terms = [found for plan in trace.clinic.health_plans if (found := plan.terms_for(service.id))]
            yield booked.price_cents in {service.price_cents, None, *(found.price_cents for found in terms)}
            rules = trace.clinic.deposits
            after_no_shows = rules.cents(0, booked.price_cents, rules.after_no_shows) if rules else 0
            yield booked.deposit_cents in {0, service.deposit_cents, after_no_shows}


@turn_rule("A model's price would be read that the clinic does not have.")
def prices_are_the_clinics(trace: TurnTrace) -> Cases:
    named = [cents for reply in trace.own for cents in amounts(reply.text)] if trace.by_model else []
    if not named:
        return
    clinic = trace.clinic
    known = {cents for service in clinic.services for cents in (service.price_cents, service.deposit_cents) if cents}
    known |= {found.price_cents for plan in clinic.health_plans for found in plan.all_terms if found.price_cents}
    known |= {cents for booked in trace.seen for cents in (booked.price_cents, booked.deposit_cents) if cents}
    texts = (clinic.notes, clinic.cancellation_policy, trace.clinic_texts, *service_texts(trace), *trace.history)
    known |= {cents for text in texts if text for cents in amounts(str(text))}
    known |= {cents for message in trace.inputs for cents in amounts(message.text)}
    known |= {round(float(number) * 100) for number in _NUMBER.findall(trace.clinic_texts)}
    for cents in named:
        yield cents in known


@turn_rule("A patient would take a time for theirs whose deposit is not paid.")
def unpaid_is_not_confirmed(trace: TurnTrace) -> Cases:
    live = [found for found in trace.seen if found.status.live]
    waits = bool(live) and all(found.awaits_deposit for found in live)
    for reply in trace.own if waits and trace.by_model else ():
        yield not claims_booking(reply.text, first_name(trace.user_name or ""))


@turn_rule("A patient would read that money came of which the store knows nothing.")
def money_came_only_by_the_ledger(trace: TurnTrace) -> Cases:
    for reply in trace.own if trace.by_model and trace.clinic.deposits is not None else ():
        yield not claims_money(reply.text) or trace.money_came


MONEY_RULES = (
    a_booking_costs_what_the_clinic_says,
    prices_are_the_clinics,
    unpaid_is_not_confirmed,
    money_came_only_by_the_ledger,
)

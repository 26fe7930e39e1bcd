"""By which health plan somebody comes: asked once, where it matters, and what there is where a plan is not taken."""

from collections.abc import Sequence

from gendei.booking.charges import takers
from gendei.clinic import Service
from gendei.health_plan import PRIVATE, HealthPlan, plan_key
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, joined
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.costs import matters, plan_keyed, plans_of
from gendei.receptionist.offers.rendering import and_then, capital, price, professional_name, titled
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.plan_names import plans_taken

MOST_PLANS = 8
"""In a list of ten rows, beside "particular" and giving up."""
_BY_PRIVATE = choice(Kind.PLAN, PRIVATE)


def to_ask(turn: GuidedTurn) -> bool:
    """Whether the draft, whose time is chosen, lacks the plan."""
    state = turn.state
    return (
        state.goal is Goal.BOOK
        and not state.plan
        and not state.plan_asked
        and matters(turn.runtime, state.selected_service_id or "")
    )


def ask(turn: GuidedTurn, lead: str = "") -> Dialogue:
    """Private, or by one of the plans that are taken for what is chosen."""
    state = turn.state
    state.plan_asked, state.question = True, None
    offered = plans_of(turn.runtime, state.selected_service_id or "", state.selected_professional_id)
    text = joined(lead, turn.phrase("ask_plan"))
    if len(offered) > MOST_PLANS:
        text = joined(text, "\n".join(f"• {plan.name}" for plan in offered))
    yield from turn.ask(text, [_BY_PRIVATE, *_choices(offered)], "list_label_plans")


def was_asked(turn: GuidedTurn) -> bool:
    """Whether that was the last question."""
    first = [option["id"] for option in turn.state.shown[:1]]
    return turn.state.state is SchedulingState.CONFIRMING and first == [_BY_PRIVATE]


def choose(turn: GuidedTurn, key: str) -> None:
    """What was tapped. A plan that is not taken any more is none."""
    plan = plan_keyed(turn.runtime, key)
    turn.state.tell_plan(plan.name if plan else PRIVATE if key == PRIVATE else "")


def problem(turn: GuidedTurn, professional_id: str | None, lead: str = "") -> Dialogue | None:
    """What to say where the plan of the draft is not taken for its service, or not with this professional. `lead`: text
    to say first."""
    state, clinic = turn.state, turn.runtime.clinic
    service = clinic.service(state.selected_service_id or "")
    if state.goal is not Goal.BOOK or service is None or state.plan in {"", PRIVATE}:
        return None
    able = takers(clinic, state.plan, service.id)
    if able and (professional_id is None or professional_id in able):
        return None
    if not state.plan_told:
        state.plan = ""
        return None
    if not able:
        text = turn.phrase("plan_not_for_service", plan=state.plan, service=service.name)
        return _instead(turn, service, joined(lead, text), _choices(plans_of(turn.runtime, service.id)))
    who, people = titled(professional_name(clinic, professional_id or "")), sorted(able)
    text = capital(turn.phrase("plan_not_with", the_name=who, plan=state.plan, service=service.name))
    names = and_then([titled(professional_name(clinic, other)) for other in people])
    text = joined(text, turn.phrase("plan_with_others", plan=state.plan, names=names), "\n")
    state.want_professional(professional_id, professional_name(clinic, professional_id or ""))
    others = [choice(Kind.PROFESSIONAL, other) for other in people[:MOST_PLANS]]
    return _instead(turn, service, joined(lead, text), others)


def unknown(turn: GuidedTurn, name: str, lead: str = "") -> Dialogue:
    """A plan that the clinic does not take, named for a booking."""
    service = turn.runtime.clinic.service(turn.state.selected_service_id or "")
    offered = plans_of(turn.runtime, service.id) if service else plans_taken(turn.runtime.clinic, turn.runtime.vertical)
    yield from _instead(turn, service, joined(lead, not_taken(turn, name)), _choices(offered))


def not_taken(turn: GuidedTurn, name: str) -> str:
    """That a plan is not taken, and which are."""
    plans = ", ".join(plan.name for plan in plans_taken(turn.runtime.clinic, turn.runtime.vertical))
    if not plans:
        return turn.phrase("plan_unknown_private_only", plan=name)
    return turn.phrase("plan_unknown", plan=name, value=plans)


def _instead(turn: GuidedTurn, service: Service | None, text: str, choices: Sequence[str]) -> Dialogue:
    """What there is in place of it: private with its price, and `choices`."""
    state = turn.state
    state.state = SchedulingState.SELECTING_SERVICE if service is None else SchedulingState.SELECTING_TIME
    state.question = None
    if service is not None:
        costs = turn.phrase("plan_private_costs", service=service.name, price=price(service, turn.runtime))
        text = joined(text, costs, "\n")
    yield from turn.go_to_scheduler()
    yield from turn.ask(text, [_BY_PRIVATE, *choices, choice(Kind.ACTION, Wish.GIVE_UP)], "list_label_plans")


def _choices(plans: Sequence[HealthPlan]) -> list[str]:
    return [choice(Kind.PLAN, plan_key(plan.name)) for plan in plans[:MOST_PLANS]]

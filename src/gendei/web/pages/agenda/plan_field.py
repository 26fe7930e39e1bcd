"""The health plan on the agenda's sheets: a choice among those that are taken, and what it means, in words."""

from nicegui import ui

from gendei.booking.appointment import Appointment
from gendei.booking.charges import charge, plan_of, plans_for
from gendei.clinic import Clinic, Service, money
from gendei.health_plan import PRIVATE, PlanTerms
from gendei.web.pages.agenda.sheet import FIELD, fact
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")


class PlanField:
    """By which plan somebody comes to a service with a professional; not there in a clinic that takes none. Who was
    known under a plan that is not taken for this keeps none."""

    def __init__(self, clinic: Clinic, known: str = "") -> None:
        self._clinic, self._wanted = clinic, known
        self.field: ui.select | None = None
        if clinic.health_plans or known:
            self.field = ui.select({"": ""}, label=TEXTS["plan"], value="", on_change=self._chosen).props(FIELD)

    def follow(self, service_id: str, professional_id: str) -> None:
        """Another service or professional: what is taken there, and what it costs."""
        service = self._clinic.service(service_id)
        if self.field is None or service is None:
            return
        wanted, taken = self._wanted, plans_for(self._clinic, service_id, professional_id)
        names = ["", PRIVATE, *(plan.name for plan in taken)]
        options = {name: self._told(name, service, professional_id) for name in names}
        self.field.set_options(options, value=wanted if wanted in options else "")
        self._wanted = wanted

    def choose(self, plan: str) -> None:
        """A plan that is known of who comes."""
        self._wanted = plan
        if self.field is not None:
            self.field.value = plan if plan in (self.field.options or {}) else ""
            self._wanted = plan

    @property
    def plan(self) -> str:
        """As appointments have it."""
        return str(self.field.value or "") if self.field is not None else ""

    def _chosen(self) -> None:
        self._wanted = self.plan

    def _told(self, name: str, service: Service, professional_id: str) -> str:
        if not name:
            return TEXTS["plan_unknown"]
        found = charge(self._clinic, name, service, professional_id)
        costs = plan_costs(found.price_cents, covered=found.covered) if found else ""
        return " · ".join(part for part in (plan_title(name), costs) if part)


def plan_title(plan: str) -> str:
    """The plan of an appointment, or that it is private; "" where nobody said."""
    return TEXTS["plan_private"] if plan == PRIVATE else plan


def plan_costs(cents: int | None, *, covered: bool) -> str:
    return TEXTS["plan_covered"] if covered else money(cents) if cents is not None else ""


def show_plan(clinic: Clinic, shown: Appointment) -> None:
    """The facts of an appointment that has one."""
    if not shown.plan:
        return
    told = (plan_title(shown.plan), plan_costs(shown.price_cents, covered=shown.covered))
    fact(TEXTS["plan"], " · ".join(part for part in told if part))
    plan = plan_of(clinic, shown.plan)
    terms = plan.terms_for(shown.service_id, shown.professional_id) if plan else None
    if terms is not None and (asked := ", ".join(plan_asks(terms))):
        fact(TEXTS["plan_asks"], asked)


def plan_asks(terms: PlanTerms) -> list[str]:
    """What the plan asks for, and its waiting time."""
    asked = [TEXTS["plan_authorization"]] if terms.authorization else []
    asked += [TEXTS["plan_card"]] if terms.card_number else []
    return asked + ([TEXTS("plan_waiting", days=terms.waiting_days)] if terms.waiting_days else [])

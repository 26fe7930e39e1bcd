"""/new-clinic: clinics that are being prepared, each step by step; for operators, and for who was invited."""

from urllib.parse import urlencode

from nicegui import ui

from gendei.commands.definition import Given
from gendei.commands.new_clinics import BEGIN_DRAFT, CREATE_CLINIC, DROP_DRAFT, INVITE_CLINIC, BeginDraft, OfDraft
from gendei.staff.actors import Right
from gendei.staff.clinic_drafts.drafts import ClinicDraft, ClinicDrafts
from gendei.web.pages.acting import Acting, Problem, operate, operating
from gendei.web.pages.clinic_settings.words import label_of
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.new_clinic.draft_phone import DraftPhone
from gendei.web.pages.new_clinic.steps import STEPS, StepForm
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, entry, moment, office, panel, text, zone_of
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext
from gendei.web.sessions import FORM_FIELD, csrf_token
from gendei.web.sign_up import invitation_link

TEXTS = page_texts("new_clinic")
PATH = "/new-clinic"


@staff_page(PATH, title="new_clinic", right=None)
async def new_clinic(context: PageContext, draft: str = "", step: str = "clinic", made: str = "") -> None:
    operates, drafts = context.actor.may(Right.OPERATE), context.gendei.drafts
    if not operates and not context.actor.may(Right.MANAGE):
        empty(TEXTS["none"])
        return
    for style in ("settings.css", "new_clinic.css"):
        ui.add_head_html(f'<link rel="stylesheet" href="{asset(style)}">')
    column = office(TEXTS["title"], TEXTS["hint"])
    with column:
        if made or (not operates and context.clinic is not None):
            _made(context, made)
            return
        found = await drafts.found(draft or ("" if operates else context.actor.clinic_id))
        if found is None and operates:
            await NewClinics(context, drafts).show()
        elif found is None or not (operates or found.id == context.actor.clinic_id):
            empty(TEXTS["gone"])
        else:
            Wizard(context, drafts, found, step if step in STEPS else STEPS[0])


class NewClinics:
    """An operator's list: what is in preparation, a new one, and invitations."""

    def __init__(self, context: PageContext, drafts: ClinicDrafts) -> None:
        self._context, self._drafts = context, drafts

    async def show(self) -> None:
        found = await self._drafts.all(self._context.actor)
        with panel(TEXTS["drafts"]), ui.element("div").classes("o-list"):
            for draft in found:
                self._row(draft)
            if not found:
                empty(TEXTS["none"])
        self._begin()
        if self._context.gendei.settings.sign_up_by_invitation:
            self._invite()

    def _row(self, draft: ClinicDraft) -> None:
        at = moment(draft.created_at.astimezone(zone_of(self._context)))
        name = str(draft.content.get("name", draft.id))
        with entry(name, TEXTS("begun_by", id=draft.id, name=draft.name, at=at)):
            ui.link(TEXTS["go_on"], _address(draft.id, STEPS[0])).classes("o-link")
            drop = operating(self._context, DROP_DRAFT, OfDraft(draft_id=draft.id))
            act = ask_first(TEXTS["drop_question"], TEXTS["drop"], drop)
            button(TEXTS["drop"], act, kind="flat color=negative", label=f"{TEXTS['drop']}: {name}")

    def _begin(self) -> None:
        acting = acting_of(self._context)
        kinds = dict(self._context.gendei.desks.clinic_changes.kinds_of_clinic)
        with panel(TEXTS["begin"], TEXTS["begin_hint"]):
            with ui.element("div").classes("o-fields"):
                name = ui.input(TEXTS["name"]).props("outlined dense maxlength=80")
                kind = ui.select(kinds, label=TEXTS["vertical"], value=next(iter(kinds))).props("outlined dense")

            async def begin() -> None:
                given = BeginDraft(vertical=str(kind.value), name=name.value or "")
                draft = await acting.told(lambda actor: operate(actor, acting.gendei, BEGIN_DRAFT, given))
                if not isinstance(draft, Problem):
                    ui.navigate.to(_address(draft.id, STEPS[0]))

            with ui.element("div").classes("o-actions"):
                button(TEXTS["start"], begin, kind="unelevated color=primary")

    def _invite(self) -> None:
        acting = acting_of(self._context)
        with panel(TEXTS["invite"], TEXTS["invite_hint"]):
            place = ui.element("div").classes("o-stack")

            async def make() -> None:
                token = await acting.told(lambda actor: operate(actor, acting.gendei, INVITE_CLINIC, Given()))
                if isinstance(token, Problem):
                    return
                place.clear()
                request = ui.context.client.request
                base = self._context.gendei.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
                with place:
                    text("p", TEXTS["link"], "g-soft")
                    text("code", invitation_link(base, token), "o-mono o-box")

            with ui.element("div").classes("o-actions"):
                button(TEXTS["make_link"], make)


class Wizard:
    """One step of a draft beside the phone."""

    def __init__(self, context: PageContext, drafts: ClinicDrafts, draft: ClinicDraft, step: str) -> None:
        self._acting, self._drafts, self._draft_id, self._step = acting_of(context), drafts, draft.id, step
        with ui.element("nav").classes("o-tabs").props(f'aria-label="{TEXTS["steps"]}"'):
            for each in STEPS:
                here = each == step
                link = ui.link(TEXTS[f"step_{each}"], _address(draft.id, each)).classes("g-here" if here else "")
                link.props('aria-current="step"' * here)
        with ui.element("div").classes("o-columns"):
            self._form = ui.element("div").classes("o-stack")
            DraftPhone(self._acting, drafts, draft.id)
        self._show(draft)

    def _show(self, draft: ClinicDraft) -> None:
        self._form.clear()
        with self._form:
            if self._step == STEPS[-1]:
                self._finish(draft)
                return
            StepForm(self._acting, self._drafts, draft, self._step, self._again)
            following = STEPS[STEPS.index(self._step) + 1]
            with ui.element("div").classes("o-actions"):
                ui.link(TEXTS["next"], _address(draft.id, following)).classes("o-button-link")

    async def _again(self) -> None:
        draft = await self._acting.told(lambda actor: self._drafts.get(actor, self._draft_id))
        if not isinstance(draft, Problem):
            self._show(draft)

    def _finish(self, draft: ClinicDraft) -> None:
        problems = self._drafts.problems(draft)
        with panel(TEXTS["step_finish"]):
            text("p", TEXTS["missing" if problems else "ready"])
            for problem in problems:
                text("p", f"{label_of(problem.field)}: {problem.text}" if problem.field else problem.text, "o-fault")
            with ui.element("div").classes("o-actions"):
                if not problems:
                    button(TEXTS["create"], self._create, kind="unelevated color=primary")

    async def _create(self) -> None:
        given, gendei = OfDraft(draft_id=self._draft_id), self._acting.gendei
        clinic = await self._acting.told(lambda actor: operate(actor, gendei, CREATE_CLINIC, given))
        if not isinstance(clinic, Problem):
            ui.navigate.to(f"{PATH}?{urlencode({'made': clinic.id})}")


def acting_of(context: PageContext) -> Acting:
    """For who perhaps belongs to no clinic yet."""
    return Acting(context, context.clinic)  # type: ignore[arg-type]  # none of its moments is asked


def _made(context: PageContext, made: str) -> None:
    """Where to go on: the number, then the people."""
    with panel(TEXTS["made"], TEXTS["made_hint"]), ui.element("div").classes("o-actions o-actions-start"):
        if context.clinic is not None and made in {"", context.clinic.id}:
            ui.link(TEXTS["connect"], "/connect").classes("o-button-link")
            ui.link(TEXTS["team"], "/account/team").classes("o-button-link")
            return
        fields = {FORM_FIELD: csrf_token(ui.context.client.request, context.session), "clinic": made}
        with ui.element("form").props('method="post" action="/session/clinic"'):
            for field, value in {**fields, "next": "/connect"}.items():
                hidden = ui.element("input").props('type="hidden"')
                hidden.props["name"], hidden.props["value"] = field, value
            text("button", TEXTS["act_for"], "o-button-link").props('type="submit"')


def _address(draft_id: str, step: str) -> str:
    return f"{PATH}?{urlencode({'draft': draft_id, 'step': step})}"

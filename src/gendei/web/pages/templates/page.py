"""/templates: the clinic's templates at WhatsApp by purpose, what is wrong with them, and making new ones. For who
manages the clinic."""

from functools import partial

from nicegui import ui

from gendei.commands.command import Command
from gendei.commands.message_templates import (
    CREATE_TEMPLATE,
    LIST_TEMPLATES,
    LOOK_UP_TEMPLATES,
    SET_UP_TEMPLATES,
    CreateTemplate,
    NoTemplates,
    SetUpTemplates,
)
from gendei.conversation.outbound.account_notices import AccountState
from gendei.conversation.outbound.template_troubles import Trouble
from gendei.conversation.outbound.templates import APPROVED
from gendei.staff.actors import Right
from gendei.staff.templates.clinic_templates import ClinicTemplatesState, PurposeState
from gendei.staff.templates.standard import values_of
from gendei.staff.templates.wording import LONGEST_BODY
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, moment, office, panel, tag, text
from gendei.web.pages.sheets import Sheet
from gendei.web.pages.site import PageContext
from gendei.web.pages.templates.staged_meta import rehearse

TEXTS = page_texts("templates")
_WARNING = frozenset({Trouble.MARKETING_SOON, Trouble.MARKETING, Trouble.POOR_QUALITY})
"""Troubles with which a template still leaves."""


@staff_page("/templates", title="templates", right=Right.MANAGE)
async def templates(context: PageContext) -> None:
    if context.clinic is not None:
        with office(TEXTS["title"], TEXTS["hint"]):
            await TemplatesPage(Acting(context, context.clinic)).begin()


class TemplatesPage:
    """All purposes, drawn anew after each thing that is done."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS["set_up"], partial(self._set_up, []), kind="unelevated color=primary")
            button(TEXTS["look_up"], partial(self._show, LOOK_UP_TEMPLATES))
        self._made = ui.element("div").classes("o-stack").props('role="status"')
        self._all = ui.element("div").classes("o-stack")

    async def begin(self) -> None:
        await self._show(LIST_TEMPLATES)

    async def _show(self, command: Command[NoTemplates, ClinicTemplatesState]) -> None:
        state = await self._acting.do(command, NoTemplates())
        if isinstance(state, Problem):
            self._acting.tell(state.text, good=False)
            return
        self._all.clear()
        with self._all:
            for account in state.accounts:
                self._account(account)
            with panel(TEXTS["purposes"]), ui.element("div").classes("o-list"):
                for purpose in state.purposes:
                    self._purpose(purpose)
            if demo := self._acting.context.site.demo:
                rehearse(self._acting, demo, state, self.begin)

    def _account(self, account: AccountState) -> None:
        at = moment(self._acting.clinic.local(account.at))
        with ui.element("p").classes("o-box"):
            text("span", TEXTS("account", account=account.account, what=TEXTS[f"event_{account.event}"], at=at))

    def _purpose(self, state: PurposeState) -> None:
        with ui.element("article").classes("o-row").props(f'aria-label="{_name(state.purpose)}"'):
            with ui.element("div").classes("o-main o-grow"):
                with ui.element("div").classes("o-head"):
                    text("span", _name(state.purpose), "o-name")
                    _tags(state)
                _told(state)
            with ui.element("div").classes("o-actions"):
                if state.standard is not None and state.report is None:
                    label = f"{TEXTS['make']}: {_name(state.purpose)}"
                    button(TEXTS["make"], partial(self._set_up, [state.purpose]), label=label)
                if state.standard is not None:
                    label = f"{TEXTS['write']}: {_name(state.purpose)}"
                    button(TEXTS["write"], partial(self._write, state), label=label)

    async def _set_up(self, purposes: list[str]) -> None:
        given = SetUpTemplates(purposes=purposes)
        made = await proven(self._acting, lambda: self._acting.do(SET_UP_TEMPLATES, given))
        if isinstance(made, Problem):
            self._acting.tell(made.text, good=False)
            return
        self._made.clear()
        with self._made:
            for each in made:
                if each.fault is not None:
                    text("p", TEXTS("not_made", purpose=_name(each.purpose), why=each.text), "o-box")
        done = sum(each.fault is None for each in made)
        self._acting.tell(TEXTS("made", count=done) if made else TEXTS["all_there"], good=done > 0 or not made)
        await self.begin()

    async def _write(self, state: PurposeState) -> None:
        sheet = Sheet(TEXTS("write_of", purpose=_name(state.purpose)))
        with sheet.body:
            values = ", ".join(f"{{{name}}}" for name in sorted(values_of(state.purpose)))
            text("p", TEXTS("write_hint", values=values), "g-soft g-small")
            body = ui.textarea(TEXTS["body"], value=state.standard.body if state.standard else "")
            body.props(f"outlined autogrow autofocus maxlength={LONGEST_BODY}")
        sheet.ask_before_closing(body)

        async def create() -> None:
            given = CreateTemplate(purpose=state.purpose, body=body.value or "")
            made = await proven(self._acting, lambda: self._acting.do(CREATE_TEMPLATE, given))
            if isinstance(made, Problem):
                sheet.say(made.text)
                return
            sheet.close()
            self._acting.tell(TEXTS("made", count=1))
            await self.begin()

        sheet.leave_button()
        sheet.button(TEXTS["send_to_meta"], create)


def _name(purpose: str) -> str:
    base, _, rule = purpose.partition("/")
    name = TEXTS.get(f"purpose_{base}", base)
    return f"{name} ({rule.partition('/')[0]} h)" if rule else name


def _tags(state: PurposeState) -> None:
    report = state.report
    if report is None:
        tag(TEXTS["none"])
        return
    found = report.found
    if found is None or found.status_only:
        tag(TEXTS["unknown"], "warn")
    else:
        kind = "good" if not report.problem else "warn" if found.status == "PENDING" else "bad"
        unfit = found.status == APPROVED and report.problem
        tag(TEXTS["unfit"] if unfit else TEXTS.get(f"status_{found.status}", found.status), kind)
    for trouble in state.troubles:
        if trouble in _WARNING:
            tag(TEXTS[f"trouble_{trouble}"], "warn")


def _told(state: PurposeState) -> None:
    """Its name and category, and what patients read of it, or would."""
    report, standard = state.report, state.standard
    if report is None:
        if standard is not None:
            text("span", standard.body, "g-soft g-small")
        return
    found = report.found
    category = TEXTS.get(f"category_{found.category}", "") if found else ""
    text("span", " · ".join(filter(None, (report.wanted.name, report.wanted.language, category))), "g-soft g-small")
    if found and found.text:
        text("span", found.filled([f"{{{name}}}" for name in report.wanted.parameters]), "g-small")
    if found and found.reason:
        text("span", TEXTS("reason", reason=found.reason), "g-small")

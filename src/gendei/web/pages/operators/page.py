"""/operator: the clinics of the deployment, their numbers' health, and which of them one acts for."""

from nicegui import ui

from gendei.clinic import Channel, ClinicId
from gendei.conversation.outbound.channel_states import Scope
from gendei.conversation.outbound.templates import APPROVED, TemplateReport
from gendei.errors import SecretUnreadable
from gendei.secrets import SecretBox
from gendei.staff.actors import NO_CLINIC, Right
from gendei.staff.operation import ChannelHealth, ClinicHealth
from gendei.web.pages.acting import then_reload
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.panels import Subpage, button, empty, moment, office, panel, subpages, tag, text
from gendei.web.pages.site import PageContext
from gendei.web.sessions import FORM_FIELD, csrf_token

TEXTS = page_texts("operator")

OPERATOR_PAGES: tuple[Subpage, ...] = (
    ("clinics", "/operator", Right.OPERATE),
    ("queue", "/operator/queue", Right.OPERATE),
    ("system", "/operator/system", Right.OPERATE),
    ("users", "/operator/users", Right.OPERATE),
)


def operator_office(context: PageContext, path: str) -> ui.element:
    """The column of one of the operator's pages, with the ways to the others; what is built inside stands below."""
    column = office(TEXTS["title"])
    with column:
        subpages(context.actor, path, OPERATOR_PAGES, TEXTS)
    return column


@staff_page("/operator", title="operator", right=Right.OPERATE)
async def operator(context: PageContext) -> None:
    clinics = await context.gendei.operation.clinics(context.actor)
    with operator_office(context, "/operator"):
        if context.clinic:
            with ui.element("div").classes("g-card o-head"):
                text("p", TEXTS("acting_for", clinic=context.clinic.name), "o-grow")
                _choose(context, NO_CLINIC, TEXTS["leave_clinic"])
        for one in clinics:
            _clinic(context, one)
        if not clinics:
            empty(TEXTS["no_clinics"])


def _choose(context: PageContext, clinic_id: ClinicId, name: str) -> None:
    """A form, since the choice is kept in the session."""
    fields = {FORM_FIELD: csrf_token(ui.context.client.request, context.session), "clinic": clinic_id}
    with ui.element("form").props('method="post" action="/session/clinic"'):
        for field, value in fields.items():
            hidden = ui.element("input").props('type="hidden"')
            hidden.props["name"], hidden.props["value"] = field, value
        text("button", name, "o-button-link").props('type="submit"')


def _clinic(context: PageContext, health: ClinicHealth) -> None:
    clinic = health.clinic
    with panel(clinic.name):
        with ui.element("div").classes("o-head"):
            told = TEXTS(
                "clinic_facts",
                id=clinic.id,
                vertical=clinic.vertical,
                professionals=len(clinic.professionals),
                services=len(clinic.services),
            )
            text("p", told, "g-soft g-small o-grow")
            if context.actor.clinic_id == clinic.id:
                tag(TEXTS["chosen"], "good")
            else:
                _choose(context, clinic.id, TEXTS["act_for"])
        with ui.element("div").classes("o-list"):
            for one in health.channels:
                _channel(context, health, one)
            for report in health.templates:
                _template(report)
        if not health.channels:
            empty(TEXTS["no_channels"])
        if not health.templates:
            text("p", TEXTS["no_templates"], "g-soft g-small")


def _channel(context: PageContext, health: ClinicHealth, one: ChannelHealth) -> None:
    local, stop = health.clinic.local, one.stop
    readable = opens(context.gendei.secrets, one.channel)

    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", f"{channel_name(one.channel.provider)} {one.channel.external_id}", "o-name")
            seen = moment(local(one.last_inbound_at)) if one.last_inbound_at else TEXTS["never"]
            text("span", TEXTS("last_inbound", at=seen), "g-soft g-small")
            if stop:
                told = TEXTS("stopped_since", at=moment(local(stop.since)), reason=stop.reason)
                text("span", told, "g-small")
            if not readable:
                text("span", TEXTS["unreadable"], "g-small")
        if not readable:
            tag(TEXTS["no_credentials"], "bad")
        if stop is None:
            tag(TEXTS["sends"], "good")
        else:
            everything = stop.scope is Scope.ALL
            tag(TEXTS["stopped" if everything else "only_answers"], "bad" if everything else "warn")
            resume = then_reload(context.gendei.operation.resume, one.channel.external_id)
            button(TEXTS["resume"], resume, label=f"{TEXTS['resume']}: {one.channel.external_id}")


def opens(secrets: SecretBox, channel: Channel) -> bool:
    """Whether the credentials of `channel` can be read with the key of now."""
    try:
        for field in channel.sealed:
            secrets.open_channel(channel, field)
    except SecretUnreadable:
        return False
    return True


def _misfit(report: TemplateReport) -> str:
    """Why a template cannot be used, and what to do."""
    found, wanted = report.found, report.wanted
    if found is None:
        return TEXTS["sync_templates"]
    if found.status != APPROVED:
        return TEXTS("template_status", status=found.status)
    if found.beyond:
        return TEXTS("template_beyond", beyond=found.beyond)
    return TEXTS(
        "template_misfit",
        parameters=found.parameters,
        wanted_parameters=len(wanted.parameters),
        replies=found.quick_replies,
        wanted_replies=wanted.quick_replies,
    )


def _template(report: TemplateReport) -> None:
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", TEXTS("template", name=report.wanted.name, language=report.wanted.language), "o-name")
            found = report.found
            quality = TEXTS("quality", quality=found.quality) if found and found.quality else ""
            purpose = TEXTS[f"purpose_{report.purpose}"]
            text("span", " · ".join(filter(None, [purpose, quality])), "g-soft g-small")
            if report.problem:
                text("span", _misfit(report), "g-small")
        if report.found is None:
            tag(TEXTS["not_looked_up"], "warn")
        else:
            tag(*((TEXTS["unusable"], "bad") if report.problem else (TEXTS["usable"], "good")))

"""/operator: the clinics of the deployment, their numbers' health, and which of them one acts for."""

from nicegui import ui

from gendei.clinic import Channel, ClinicId
from gendei.conversation.outbound.channel_states import Scope
from gendei.conversation.outbound.templates import APPROVED, TemplateReport
from gendei.errors import SecretUnreadable
from gendei.secrets import SecretBox
from gendei.staff.actors import NO_CLINIC, Actor, Right
from gendei.staff.operation import ChannelHealth, ClinicHealth
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import PageContext, staff_page
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.panels import Subpage, button, empty, moment, office, panel, subpages, tag, text
from gendei.web.sessions import FORM_FIELD, csrf_token

OPERATOR_PAGES: tuple[Subpage, ...] = (
    ("clinics", "/operator", Right.OPERATE),
    ("queue", "/operator/queue", Right.OPERATE),
    ("system", "/operator/system", Right.OPERATE),
    ("users", "/operator/users", Right.OPERATE),
)


@staff_page("/operator", title="operator", right=Right.OPERATE)
async def operator(context: PageContext) -> None:
    words = page_texts("operator")
    clinics = await context.site.gendei.operation.clinics(context.actor)
    with office(words["title"]):
        subpages(context.actor, "/operator", OPERATOR_PAGES, "operator")
        if context.clinic:
            with ui.element("div").classes("g-card o-head"):
                text("p", words["acting_for"].format(clinic=context.clinic.name), "o-grow")
                _choose(context, NO_CLINIC, words["leave_clinic"])
        for one in clinics:
            _clinic(context, one)
        if not clinics:
            empty(words["no_clinics"])


def _choose(context: PageContext, clinic_id: ClinicId, name: str) -> None:
    """A form, since the choice is kept in the session."""
    fields = {FORM_FIELD: csrf_token(ui.context.client.request, context.session), "clinic": clinic_id}
    with ui.element("form").props('method="post" action="/session/clinic"'):
        for field, value in fields.items():
            hidden = ui.element("input").props('type="hidden"')
            hidden.props["name"], hidden.props["value"] = field, value
        text("button", name, "o-button-link").props('type="submit"')


def _clinic(context: PageContext, health: ClinicHealth) -> None:
    words, clinic = page_texts("operator"), health.clinic
    with panel(clinic.name):
        with ui.element("div").classes("o-head"):
            told = words["clinic_facts"].format(
                id=clinic.id,
                vertical=clinic.vertical,
                professionals=len(clinic.professionals),
                services=len(clinic.services),
            )
            text("p", told, "g-soft g-small o-grow")
            if context.actor.clinic_id == clinic.id:
                tag(words["chosen"], "good")
            else:
                _choose(context, clinic.id, words["act_for"])
        with ui.element("div").classes("o-list"):
            for one in health.channels:
                _channel(context, health, one)
            for report in health.templates:
                _template(report)
        if not health.channels:
            empty(words["no_channels"])
        if not health.templates:
            text("p", words["no_templates"], "g-soft g-small")


def _channel(context: PageContext, health: ClinicHealth, one: ChannelHealth) -> None:
    words, local, stop = page_texts("operator"), health.clinic.local, one.stop
    readable = opens(context.site.gendei.secrets, one.channel)

    async def resume(actor: Actor) -> None:
        await context.site.gendei.operation.resume(actor, one.channel.external_id)
        ui.navigate.reload()

    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", f"{channel_name(one.channel.provider)} {one.channel.external_id}", "o-name")
            seen = moment(local(one.last_inbound_at)) if one.last_inbound_at else words["never"]
            text("span", words["last_inbound"].format(at=seen), "g-soft g-small")
            if stop:
                told = words["stopped_since"].format(at=moment(local(stop.since)), reason=stop.reason)
                text("span", told, "g-small")
            if not readable:
                text("span", words["unreadable"], "g-small")
        if not readable:
            tag(words["no_credentials"], "bad")
        if stop is None:
            tag(words["sends"], "good")
        else:
            everything = stop.scope is Scope.ALL
            tag(words["stopped" if everything else "only_answers"], "bad" if everything else "warn")
            button(words["resume"], acting(resume), label=f"{words['resume']}: {one.channel.external_id}")


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
    words, found, wanted = page_texts("operator"), report.found, report.wanted
    if found is None:
        return words["sync_templates"]
    if found.status != APPROVED:
        return words["template_status"].format(status=found.status)
    if found.beyond:
        return words["template_beyond"].format(beyond=found.beyond)
    return words["template_misfit"].format(
        parameters=found.parameters,
        wanted_parameters=len(wanted.parameters),
        replies=found.quick_replies,
        wanted_replies=wanted.quick_replies,
    )


def _template(report: TemplateReport) -> None:
    words = page_texts("operator")
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", words["template"].format(name=report.wanted.name, language=report.wanted.language), "o-name")
            found = report.found
            quality = words["quality"].format(quality=found.quality) if found and found.quality else ""
            purpose = words[f"purpose_{report.purpose}"]
            text("span", " · ".join(filter(None, [purpose, quality])), "g-soft g-small")
            if report.problem:
                text("span", _misfit(report), "g-small")
        if report.found is None:
            tag(words["not_looked_up"], "warn")
        else:
            tag(*((words["unusable"], "bad") if report.problem else (words["usable"], "good")))

"""/operator: the clinics of the deployment and which of them one acts for; what waits or failed; the system."""

import asyncio
from datetime import datetime

from nicegui import ui

from gendei.app import Gendei
from gendei.attached.servers import ServerReport, State
from gendei.checking import check_files
from gendei.clinic import Channel, ClinicId
from gendei.commands import operation
from gendei.conversation.backlog import MOST_COUNTED, Item, Trouble
from gendei.conversation.outbound.channel_states import Scope
from gendei.conversation.outbound.templates import APPROVED, TemplateReport
from gendei.conversation.stored.conversation import FailureReason
from gendei.datafile import data_dir
from gendei.errors import SecretUnreadable
from gendei.portuguese import explained
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.tools.attached import AttachedTool
from gendei.secrets import SecretBox
from gendei.staff.actors import NO_CLINIC, Right
from gendei.staff.operation import ChannelHealth, ClinicHealth
from gendei.store.schema import MIGRATIONS, version_of
from gendei.verticals import load_verticals
from gendei.web.pages.acting import failure_texts, operating
from gendei.web.pages.frame import staff_page
from gendei.web.pages.numbers_tables import duration
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.panels import (
    Subpage,
    button,
    empty,
    entry,
    facts,
    moment,
    office,
    panel,
    subpages,
    tag,
    text,
    zone_of,
)
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import ask_first
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
        for health in clinics:
            _clinic(context, health)
        if not clinics:
            empty(TEXTS["no_clinics"])
        with ui.element("div").classes("o-actions o-actions-start"):
            ui.link(TEXTS["new_clinic"], "/new-clinic").classes("o-button-link")


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
            for channel in health.channels:
                _channel(context, health, channel)
            for report in health.templates:
                _template(report)
        if not health.channels:
            empty(TEXTS["no_channels"])
        if not health.templates:
            text("p", TEXTS["no_templates"], "g-soft g-small")


def _channel(context: PageContext, health: ClinicHealth, number: ChannelHealth) -> None:
    local, stop = health.clinic.local, number.stop
    readable = opens(context.gendei.secrets, number.channel)
    name = f"{channel_name(number.channel.provider)} {number.channel.external_id}"
    seen = moment(local(number.last_inbound_at)) if number.last_inbound_at else TEXTS["never"]
    stopped = TEXTS("stopped_since", at=moment(local(stop.since)), reason=stop.reason) if stop else ""
    unreadable = "" if readable else TEXTS["unreadable"]
    with entry(name, TEXTS("last_inbound", at=seen), plain=[stopped, unreadable]):
        if not readable:
            tag(TEXTS["no_credentials"], "bad")
        if stop is None:
            tag(TEXTS["sends"], "good")
        else:
            everything = stop.scope is Scope.ALL
            tag(TEXTS["stopped" if everything else "only_answers"], "bad" if everything else "warn")
            its = number.channel.external_id
            resume = operating(context, operation.RESUME_NUMBERS, operation.ResumeNumbers(number=its))
            button(TEXTS["resume"], resume, label=f"{TEXTS['resume']}: {its}")


def opens(secrets: SecretBox, channel: Channel) -> bool:
    """Tell whether the credentials of `channel` can be read with the present key."""
    try:
        for field in channel.sealed:
            secrets.open_channel(channel, field)
    except SecretUnreadable:
        return False
    return True


def _misfit(report: TemplateReport) -> str:
    """Say why a template cannot be used, and what to do."""
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
    found, name = report.found, TEXTS("template", name=report.wanted.name, language=report.wanted.language)
    quality = TEXTS("quality", quality=found.quality) if found and found.quality else ""
    known = " · ".join(filter(None, [TEXTS[f"purpose_{report.purpose.partition('/')[0]}"], quality]))
    with entry(name, known, plain=[_misfit(report) if report.problem else ""]):
        if report.found is None:
            tag(TEXTS["not_looked_up"], "warn")
        else:
            tag(*((TEXTS["unusable"], "bad") if report.problem else (TEXTS["usable"], "good")))


SHOWN = 200
TROUBLE_KINDS = {Trouble.WAITING: "", Trouble.IN_DOUBT: "warn", Trouble.FAILED: "bad", Trouble.PARKED: "bad"}


@staff_page("/operator/queue", title="operator", right=Right.OPERATE)
async def queue(context: PageContext) -> None:
    found, actor = context.gendei.operation, context.actor
    items, levels = await found.queue(actor), await found.levels(actor)
    with operator_office(context, "/operator/queue"):
        with panel(TEXTS["levels"], TEXTS["levels_hint"]):
            most = f"{MOST_COUNTED}+"
            facts(
                [
                    (TEXTS["waiting"], str(levels.waiting) if levels.waiting < MOST_COUNTED else most),
                    (TEXTS["waiting_seconds"], duration(levels.waiting_seconds).text),
                    (TEXTS["outbox_seconds"], duration(levels.outbox_seconds).text),
                    (TEXTS["parked"], str(levels.parked) if levels.parked < MOST_COUNTED else most),
                ]
            )
        with panel(TEXTS["queue"], TEXTS["queue_hint"]):
            with ui.element("div").classes("o-list"):
                for item in items[:SHOWN]:
                    _item(context, item)
            if len(items) > SHOWN:
                text("p", TEXTS("queue_more", count=len(items) - SHOWN), "g-soft g-small")
            if not items:
                empty(TEXTS["queue_empty"])


def _item(context: PageContext, item: Item) -> None:
    since = moment(item.since.astimezone(zone_of(context)))
    tried = TEXTS("attempts_one" if item.attempts == 1 else "attempts_many", count=item.attempts)
    told = TEXTS("item_facts", since=since, attempts=tried, id=item.id)
    failed = item.trouble is Trouble.FAILED
    why = failure_texts(context.site).explain(FailureReason.SEND_FAILED, item.reason) if failed else ""
    whose = f"{item.conversation.clinic_id} · {address_text(item.conversation.contact)}"
    with entry(whose, told, item.reason or "", plain=[why]) as place:
        place.props["role"], place.props["aria-label"] = "group", item.id
        tag(TEXTS[f"trouble_{item.trouble}"], TROUBLE_KINDS[item.trouble])
        with ui.element("div").classes("o-actions"):
            if item.trouble.failed:
                again = operating(context, operation.REPLAY_MESSAGES, operation.ReplayMessages(ids=[item.id]))
                button(TEXTS["replay"], again)
            drop = operating(context, operation.DROP_MESSAGES, operation.DropMessages(ids=[item.id]))
            button(TEXTS["drop"], ask_first(TEXTS["drop_question"], TEXTS["drop"], drop))


@staff_page("/operator/system", title="operator", right=Right.OPERATE)
async def system(context: PageContext) -> None:
    with operator_office(context, "/operator/system"):
        _model(context)
        attached_panel(context)
        await _configuration(context)
        await _store(context)


def _model(context: PageContext) -> None:
    gendei = context.gendei
    done = gendei.messaging.activity
    pairs = _api(gendei, gendei.models) if gendei.models else [(TEXTS["answers"], TEXTS["by_guided"])]
    pairs += [
        (TEXTS["turns"], str(sum(timed.count for timed in done.turns.by_result.values()))),
        (TEXTS["apologies"], str(done.apologies)),
        (TEXTS["parked_here"], str(done.parked)),
    ]
    with panel(TEXTS["models"], TEXTS["models_hint"]):
        facts(pairs)


def _api(gendei: Gendei, models: ApiModels) -> list[tuple[str, str]]:
    view, settings = models.breaker.view, gendei.settings
    state = TEXTS(f"breaker_{view.state}", seconds=duration(view.retry_in).text, reason=view.reason or "")
    calls = ", ".join(f"{name}: {timed.count}" for name, timed in sorted(models.calls.by_result.items()))
    fallbacks = ", ".join(f"{reason}: {count}" for reason, count in models.figures.fallbacks.most_common())
    return [
        (TEXTS["answers"], TEXTS["by_api"]),
        (TEXTS["model"], settings.api_model or TEXTS["model_of_prompts"]),
        (TEXTS["address"], settings.openai_base_url or TEXTS["openai"]),
        (TEXTS["api_now"], state),
        (TEXTS["calls"], calls or TEXTS["none_yet"]),
        (TEXTS["fallback"], fallbacks or TEXTS["none_yet"]),
    ]


async def _configuration(context: PageContext) -> None:
    gendei = context.gendei
    problems = await asyncio.to_thread(lambda: [explained(found) for found in check_files(gendei.settings)])
    if not problems:
        problems = await asyncio.to_thread(_of_clinics, gendei)
    with panel(TEXTS["configuration"], TEXTS["configuration_hint"]):
        for problem in problems:
            text("p", problem, "o-mono o-box")
        with ui.element("div").classes("o-head"):
            tag(TEXTS("problems", count=len(problems)), "bad") if problems else tag(TEXTS["all_well"], "good")


def _of_clinics(gendei: Gendei) -> list[str]:
    """List the problems of the clinics in the store, where all files are well."""
    problems = list[str]()
    verticals = load_verticals(data_dir("verticals", gendei.settings.verticals_dir))
    for clinic in gendei.directory.all():
        if clinic.vertical not in verticals:
            problems.append(TEXTS("no_vertical", clinic=clinic.id, vertical=clinic.vertical))
        unreadable = [channel.external_id for channel in clinic.channels if not opens(gendei.secrets, channel)]
        problems += [TEXTS("unreadable_of", clinic=clinic.id, number=number) for number in unreadable]
    return problems


async def _store(context: PageContext) -> None:
    gendei = context.gendei
    version = await version_of(gendei.documents)
    with panel(TEXTS["store"]):
        facts(
            [
                (TEXTS["database"], gendei.settings.database),
                (TEXTS["media"], gendei.settings.media),
                (TEXTS["schema"], TEXTS("schema_of", found=version, newest=MIGRATIONS[-1].to)),
                (TEXTS["process"], TEXTS[f"process_{gendei.role}"]),
                (TEXTS["clock"], moment(gendei.clock().astimezone(zone_of(context)))),
            ]
        )


STATE_KINDS = {State.LOADING: "warn", State.AVAILABLE: "good", State.UNAVAILABLE: "bad"}


def attached_panel(context: PageContext) -> None:
    reports = context.gendei.attached.report()
    with panel(TEXTS["attached"], TEXTS["attached_hint"]):
        if not reports:
            empty(TEXTS["attached_none"])
        for report in reports:
            _server(context, report)


def _server(context: PageContext, report: ServerReport) -> None:
    server = report.server
    with ui.element("div").classes("o-head"):
        with ui.element("div").classes("o-main o-grow"):
            text("h3", f"{report.clinic_id} · {server.name}", "o-h2")
            text("span", server.url, "o-wrap g-small")
            limits = TEXTS("attached_by", agents=", ".join(server.agents), seconds=f"{server.timeout_seconds:g}")
            read = TEXTS("attached_read", at=_shown(context, report.loaded_at)) if report.loaded_at else ""
            text("span", " · ".join(filter(None, [limits, read])), "g-soft g-small")
            if report.why:
                text("span", TEXTS[f"why_{report.why}"], "g-small")
        tag(TEXTS[f"state_{report.state}"], STATE_KINDS[report.state])
    with ui.element("div").classes("o-list"):
        for tool in report.tools:
            _tool(context, tool, report.state)
        for name, why in report.unusable.items():
            with entry(name, plain=[TEXTS[f"why_{why}"]]):
                tag(TEXTS["tool_left_out"], "bad")


def _tool(context: PageContext, tool: AttachedTool, state: State) -> None:
    health = tool.health
    rests = health.is_resting(context.gendei.clock())
    told = TEXTS("tool_calls", calls=health.calls, failures=health.failures)
    if health.failed_at:
        why = TEXTS[f"why_{health.last_error}"]
        told += f"; {TEXTS('tool_failed_last', at=_shown(context, health.failed_at), why=why)}"
    if rests and health.rests_until:
        told += f"; {TEXTS('tool_rests_until', at=_shown(context, health.rests_until))}"
    seconds = f"{tool.limit(context.gendei.settings.tool_seconds):g}".replace(".", ",")
    limit = TEXTS("tool_limit", seconds=seconds)
    with entry(tool.name, f"{limit}; {told}"):
        if state is State.AVAILABLE:
            tag(*((TEXTS["tool_rests"], "warn") if rests else (TEXTS["tool_usable"], "good")))


def _shown(context: PageContext, at: datetime) -> str:
    return moment(at.astimezone(zone_of(context)))

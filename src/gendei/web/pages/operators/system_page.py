"""/operator/system: which models answer, what is wrong with the configuration, and what the store is."""

import asyncio
from datetime import datetime

from nicegui import ui

from gendei.app import Gendei
from gendei.attached.schemas import Unfit
from gendei.attached.servers import ServerReport, State
from gendei.checking import check_files
from gendei.datafile import data_dir
from gendei.receptionist.models import ApiModels
from gendei.receptionist.tools.attached import AttachedTool
from gendei.receptionist.tools.registry import Availability
from gendei.staff.actors import Right
from gendei.store.schema import MIGRATIONS, version_of
from gendei.verticals import load_verticals
from gendei.web.pages.frame import staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.page import opens, operator_office
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import empty, facts, moment, panel, tag, text, zone_of
from gendei.web.pages.site import PageContext

TEXTS = page_texts("operator")


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
        (TEXTS["turns"], str(sum(one.count for one in done.turns.by_result.values()))),
        (TEXTS["apologies"], str(done.apologies)),
        (TEXTS["parked_here"], str(done.parked)),
    ]
    with panel(TEXTS["models"], TEXTS["models_hint"]):
        facts(pairs)


def _api(gendei: Gendei, models: ApiModels) -> list[tuple[str, str]]:
    view, settings = models.breaker.view, gendei.settings
    state = TEXTS(f"breaker_{view.state}", seconds=duration(view.retry_in), reason=view.reason or "")
    calls = ", ".join(f"{name}: {one.count}" for name, one in sorted(models.calls.by_result.items()))
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
    problems = [str(one) for one in await asyncio.to_thread(check_files, gendei.settings)]
    if not problems:
        problems = await asyncio.to_thread(_of_clinics, gendei)
    with panel(TEXTS["configuration"], TEXTS["configuration_hint"]):
        for problem in problems:
            text("p", problem, "o-mono o-box")
        with ui.element("div").classes("o-head"):
            tag(TEXTS("problems", count=len(problems)), "bad") if problems else tag(TEXTS["all_well"], "good")


def _of_clinics(gendei: Gendei) -> list[str]:
    """What is wrong with the clinics in the store, by files that are all well."""
    problems = list[str]()
    verticals = load_verticals(data_dir("verticals", gendei.settings.verticals_dir))
    for clinic in gendei.directory.all():
        if clinic.vertical not in verticals:
            problems.append(TEXTS("no_vertical", clinic=clinic.id, vertical=clinic.vertical))
        unreadable = [one.external_id for one in clinic.channels if not opens(gendei.secrets, one)]
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


KINDS = {State.LOADING: "warn", State.AVAILABLE: "good", State.UNAVAILABLE: "bad"}


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
        tag(TEXTS[f"state_{report.state}"], KINDS[report.state])
    with ui.element("div").classes("o-list"):
        for tool in report.tools:
            _tool(context, tool, report.state)
        for name, why in report.unusable.items():
            _left_out(name, why)


def _tool(context: PageContext, tool: AttachedTool, state: State) -> None:
    health = tool.health
    ready = health.availability is Availability.AVAILABLE
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", tool.name, "o-name")
            told = TEXTS("tool_calls", calls=health.calls, failures=health.failures)
            if health.failed_at:
                why = TEXTS[f"why_{health.last_error}"]
                told += f"; {TEXTS('tool_failed_last', at=_shown(context, health.failed_at), why=why)}"
            text("span", told, "g-soft g-small")
        if state is State.AVAILABLE:
            tag(*((TEXTS["tool_usable"], "good") if ready else (TEXTS["tool_rests"], "warn")))


def _left_out(name: str, why: Unfit) -> None:
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", name, "o-name")
            text("span", TEXTS[f"why_{why}"], "g-small")
        tag(TEXTS["tool_left_out"], "bad")


def _shown(context: PageContext, at: datetime) -> str:
    return moment(at.astimezone(zone_of(context)))

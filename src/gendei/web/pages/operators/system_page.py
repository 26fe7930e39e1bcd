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
from gendei.web.pages.frame import PageContext, staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.page import OPERATOR_PAGES, opens
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import empty, facts, moment, office, panel, subpages, tag, text, zone_of


@staff_page("/operator/system", title="operator", right=Right.OPERATE)
async def system(context: PageContext) -> None:
    words = page_texts("operator")
    with office(words["title"]):
        subpages(context.actor, "/operator/system", OPERATOR_PAGES, "operator")
        _model(context)
        attached_panel(context)
        await _configuration(context)
        await _store(context)


def _model(context: PageContext) -> None:
    words, gendei = page_texts("operator"), context.site.gendei
    done = gendei.messaging.activity
    pairs = _api(gendei, gendei.models) if gendei.models else [(words["answers"], words["by_guided"])]
    pairs += [
        (words["turns"], str(sum(one.count for one in done.turns.by_result.values()))),
        (words["apologies"], str(done.apologies)),
        (words["parked_here"], str(done.parked)),
    ]
    with panel(words["models"], words["models_hint"]):
        facts(pairs)


def _api(gendei: Gendei, models: ApiModels) -> list[tuple[str, str]]:
    words, view, settings = page_texts("operator"), models.breaker.view, gendei.settings
    state = words[f"breaker_{view.state}"].format(seconds=duration(view.retry_in), reason=view.reason or "")
    calls = ", ".join(f"{name}: {one.count}" for name, one in sorted(models.calls.by_result.items()))
    fallbacks = ", ".join(f"{reason}: {count}" for reason, count in models.figures.fallbacks.most_common())
    return [
        (words["answers"], words["by_api"]),
        (words["model"], settings.api_model or words["model_of_prompts"]),
        (words["address"], settings.openai_base_url or words["openai"]),
        (words["api_now"], state),
        (words["calls"], calls or words["none_yet"]),
        (words["fallback"], fallbacks or words["none_yet"]),
    ]


async def _configuration(context: PageContext) -> None:
    words, gendei = page_texts("operator"), context.site.gendei
    problems = [str(one) for one in await asyncio.to_thread(check_files, gendei.settings)]
    if not problems:
        problems = await asyncio.to_thread(_of_clinics, gendei)
    with panel(words["configuration"], words["configuration_hint"]):
        for problem in problems:
            text("p", problem, "o-mono o-box")
        with ui.element("div").classes("o-head"):
            tag(words["problems"].format(count=len(problems)), "bad") if problems else tag(words["all_well"], "good")


def _of_clinics(gendei: Gendei) -> list[str]:
    """What is wrong with the clinics in the store, by files that are all well."""
    words, problems = page_texts("operator"), list[str]()
    verticals = load_verticals(data_dir("verticals", gendei.settings.verticals_dir))
    for clinic in gendei.directory.all():
        if clinic.vertical not in verticals:
            problems.append(words["no_vertical"].format(clinic=clinic.id, vertical=clinic.vertical))
        unreadable = [one.external_id for one in clinic.channels if not opens(gendei.secrets, one)]
        problems += [words["unreadable_of"].format(clinic=clinic.id, number=number) for number in unreadable]
    return problems


async def _store(context: PageContext) -> None:
    words, gendei = page_texts("operator"), context.site.gendei
    version = await version_of(gendei.documents)
    with panel(words["store"]):
        facts(
            [
                (words["database"], gendei.settings.database),
                (words["media"], gendei.settings.media),
                (words["schema"], words["schema_of"].format(found=version, newest=MIGRATIONS[-1].to)),
                (words["process"], words[f"process_{gendei.role}"]),
                (words["clock"], moment(gendei.clock().astimezone(zone_of(context)))),
            ]
        )


KINDS = {State.LOADING: "warn", State.AVAILABLE: "good", State.UNAVAILABLE: "bad"}


def attached_panel(context: PageContext) -> None:
    words, reports = page_texts("operator"), context.site.gendei.attached.report()
    with panel(words["attached"], words["attached_hint"]):
        if not reports:
            empty(words["attached_none"])
        for report in reports:
            _server(context, report)


def _server(context: PageContext, report: ServerReport) -> None:
    words, server = page_texts("operator"), report.server
    with ui.element("div").classes("o-head"):
        with ui.element("div").classes("o-main o-grow"):
            text("h3", f"{report.clinic_id} · {server.name}", "o-h2")
            text("span", server.url, "o-wrap g-small")
            limits = words["attached_by"].format(agents=", ".join(server.agents), seconds=f"{server.timeout_seconds:g}")
            read = words["attached_read"].format(at=_shown(context, report.loaded_at)) if report.loaded_at else ""
            text("span", " · ".join(filter(None, [limits, read])), "g-soft g-small")
            if report.why:
                text("span", words[f"why_{report.why}"], "g-small")
        tag(words[f"state_{report.state}"], KINDS[report.state])
    with ui.element("div").classes("o-list"):
        for tool in report.tools:
            _tool(context, tool, report.state)
        for name, why in report.unusable.items():
            _left_out(name, why)


def _tool(context: PageContext, tool: AttachedTool, state: State) -> None:
    words, health = page_texts("operator"), tool.health
    ready = health.availability is Availability.AVAILABLE
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", tool.name, "o-name")
            told = words["tool_calls"].format(calls=health.calls, failures=health.failures)
            if health.failed_at:
                why = words[f"why_{health.last_error}"]
                told += f"; {words['tool_failed_last'].format(at=_shown(context, health.failed_at), why=why)}"
            text("span", told, "g-soft g-small")
        if state is State.AVAILABLE:
            tag(*((words["tool_usable"], "good") if ready else (words["tool_rests"], "warn")))


def _left_out(name: str, why: Unfit) -> None:
    words = page_texts("operator")
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", name, "o-name")
            text("span", words[f"why_{why}"], "g-small")
        tag(words["tool_left_out"], "bad")


def _shown(context: PageContext, at: datetime) -> str:
    return moment(at.astimezone(zone_of(context)))

"""The part of /operator/system about the clinics' own servers: what can be called, what is wrong, and how it went."""

from datetime import datetime

from nicegui import ui

from gendei.attached.schemas import Unfit
from gendei.attached.servers import ServerReport, State
from gendei.receptionist.tools.attached import AttachedTool
from gendei.receptionist.tools.registry import Availability
from gendei.web.pages.frame import Visit
from gendei.web.pages.panels import empty, moment, panel, tag, text, zone_of
from gendei.web.pages.texts import page_texts

KINDS = {State.LOADING: "warn", State.AVAILABLE: "good", State.UNAVAILABLE: "bad"}


def attached_panel(visit: Visit) -> None:
    words, reports = page_texts("operator"), visit.site.gendei.attached.report()
    with panel(words["attached"], words["attached_hint"]):
        if not reports:
            empty(words["attached_none"])
        for report in reports:
            _server(visit, report)


def _server(visit: Visit, report: ServerReport) -> None:
    words, server = page_texts("operator"), report.server
    with ui.element("div").classes("o-head"):
        with ui.element("div").classes("o-main o-grow"):
            text("h3", f"{report.clinic_id} · {server.name}", "o-h2")
            text("span", server.url, "o-wrap g-small")
            limits = words["attached_by"].format(agents=", ".join(server.agents), seconds=f"{server.timeout_seconds:g}")
            read = words["attached_read"].format(at=_shown(visit, report.loaded_at)) if report.loaded_at else ""
            text("span", " · ".join(filter(None, [limits, read])), "g-soft g-small")
            if report.why:
                text("span", words[f"why_{report.why}"], "g-small")
        tag(words[f"state_{report.state}"], KINDS[report.state])
    with ui.element("div").classes("o-list"):
        for tool in report.tools:
            _tool(visit, tool, report.state)
        for name, why in report.unusable.items():
            _left_out(name, why)


def _tool(visit: Visit, tool: AttachedTool, state: State) -> None:
    words, health = page_texts("operator"), tool.health
    ready = health.availability is Availability.AVAILABLE
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", tool.name, "o-name")
            told = words["tool_calls"].format(calls=health.calls, failures=health.failures)
            if health.failed_at:
                why = words[f"why_{health.last_error}"]
                told += f"; {words['tool_failed_last'].format(at=_shown(visit, health.failed_at), why=why)}"
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


def _shown(visit: Visit, at: datetime) -> str:
    return moment(at.astimezone(zone_of(visit)))

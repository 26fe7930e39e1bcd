"""`gendei tools`: what the receptionist may call, also of the clinics' own servers."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any

import typer

from gendei.attached.servers import AttachedServers, ServerReport, State
from gendei.cli.language import worded
from gendei.cli.running import counted, run
from gendei.cli.stored import Stored, opened
from gendei.datafile import data_dir
from gendei.errors import StoreError
from gendei.receptionist.tools.descriptions import ToolDescriptions
from gendei.receptionist.tools.registry import Availability, ToolEntry, all_tools
from gendei.secrets import SecretBox
from gendei.settings import Settings

Row = dict[str, Any]
WITHOUT_STORE = frozenset({"handover", "information", "interactive", "messaging"})
"""Categories whose tools need nothing that could be away."""


def tools(
    as_json: Annotated[bool, typer.Option("--json", help="An array with each tool's schema, for scripts.")] = False,
) -> None:
    """List every tool with its category, whether what it needs is there, when that was looked at, and its limits;
    clinics' own servers are asked."""
    settings = Settings.load()
    checked = settings.start_clock()().isoformat(timespec="seconds")
    reachable, attached = run(_looked(settings))
    shown = all_tools().told(ToolDescriptions.load(data_dir("prompts", settings.prompts_dir)))
    ours = [
        _row(entry, settings.tool_seconds, shown[entry.name].params_json_schema, reachable=reachable)
        for entry in all_tools().entries()
    ]
    rows = [*({**row, "checkedAt": checked} for row in ours), *attached]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        limits = f"{row['timeoutSeconds']:g} s, {counted(row['retries'], 'retry', 'retries')}"
        checked = (row["checkedAt"] or "-")[:19]
        until = f"{worded('until')} {row['restsUntil'][:19]}: " if row.get("restsUntil") else ""
        told = f"{until}{row.get('why') or row['description']}"
        print(f"{row['category']:<13} {row['name']:<31} {row['status']:<12} {checked:<19} {limits:<17} {told}")


async def _looked(settings: Settings) -> tuple[bool, list[Row]]:
    """Whether the store is reachable, and the tools of the clinics in it."""
    try:
        async with opened(settings) as stored:
            return True, await attached_rows(stored)
    except StoreError:
        return False, []


def _row(entry: ToolEntry, seconds: float, parameters: Mapping[str, Any], *, reachable: bool) -> Row:
    there = reachable or entry.category in WITHOUT_STORE
    return {
        "name": entry.name,
        "category": entry.category,
        "status": str(Availability.AVAILABLE if there else Availability.UNAVAILABLE),
        "description": entry.description,
        "timeoutSeconds": seconds,
        "retries": entry.retries,
        "parameters": parameters,
    }


async def attached_rows(stored: Stored) -> list[Row]:
    """A row for each tool that a clinic's file names, after its server was asked. Raises ConfigurationError without
    GENDEI_SECRET_KEY where there is any."""
    if not any(clinic.mcp_servers for clinic in stored.directory.all()):
        return []
    secrets, private = SecretBox(stored.settings.key), stored.settings.private_networks
    names, documents = all_tools().tools, stored.documents
    async with AttachedServers(stored.directory, secrets, stored.clock, names, private, documents=documents) as servers:
        await servers.refresh()
        now, seconds = stored.clock(), stored.settings.tool_seconds
        return [row for report in servers.report() for row in _rows(report, now, seconds)]


def _rows(report: ServerReport, now: datetime, seconds: float) -> Iterator[Row]:
    """seconds: what the deployment gives a tool at the most."""
    server = report.server
    shared: Row = {
        "category": f"mcp:{report.clinic_id}",
        "server": server.name,
        "agents": list(server.agents),
        "checkedAt": now.isoformat(timespec="seconds"),
    }
    away = report.state is not State.AVAILABLE
    for tool in () if away else report.tools:
        health, rests = tool.health, tool.health.is_resting(now)
        status = Availability.RESTING if rests else Availability.AVAILABLE
        there = {"status": str(status), "timeoutSeconds": tool.limit(seconds), "retries": tool.retries}
        told: Row = {"description": tool.description, "parameters": tool.parameters}
        if rests and health.rests_until is not None:
            told |= {"restsUntil": health.rests_until.isoformat(timespec="seconds"), "why": health.last_error}
        yield {"name": tool.name, **shared, **there, **told}
    for name in server.tools if away else report.unusable:
        why = str(report.why if away else report.unusable[name])
        limit = min(seconds, server.limits.get(name, server.timeout_seconds))
        left_out = {"status": str(Availability.UNAVAILABLE), "timeoutSeconds": limit, "retries": 0}
        left_out |= {"description": "", "why": why}
        yield {"name": f"{server.name}_{name}", **shared, **left_out}

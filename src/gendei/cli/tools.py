"""`gendei tools`: what the receptionist may call, also of the clinics' own servers."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from gendei.attached.servers import AttachedServers, ServerReport, State
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
    """List every tool with its category, limits and whether what it needs is there; clinics' own servers are asked."""
    settings = Settings.load()
    reachable, attached = run(_looked(settings))
    told = all_tools().told(ToolDescriptions.load(data_dir("prompts", settings.prompts_dir)))
    own = [_row(entry, told[entry.name].params_json_schema, reachable=reachable) for entry in all_tools().entries()]
    rows = [*own, *attached]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        limits = f"{row['timeoutSeconds']:g} s, {counted(row['retries'], 'retry', 'retries')}"
        told = row.get("why") or row["description"]
        print(f"{row['category']:<13} {row['name']:<31} {row['status']:<12} {limits:<17} {told}")


async def _looked(settings: Settings) -> tuple[bool, list[Row]]:
    """Whether the store is reachable, and the tools of the clinics in it."""
    try:
        async with opened(settings) as stored:
            return True, await attached_rows(stored)
    except StoreError:
        return False, []


def _row(entry: ToolEntry, parameters: Mapping[str, Any], *, reachable: bool) -> Row:
    there = reachable or entry.category in WITHOUT_STORE
    return {
        "name": entry.name,
        "category": entry.category,
        "status": str(Availability.AVAILABLE if there else Availability.UNAVAILABLE),
        "description": entry.description,
        "timeoutSeconds": entry.timeout_seconds,
        "retries": entry.retries,
        "parameters": parameters,
    }


async def attached_rows(stored: Stored) -> list[Row]:
    """A row for each tool that a clinic's file names, after its server was asked. Raises ConfigurationError without
    GENDEI_SECRET_KEY where there is any."""
    if not any(clinic.mcp_servers for clinic in stored.directory.all()):
        return []
    secrets, private = SecretBox(stored.settings.key), stored.settings.private_networks
    async with AttachedServers(stored.directory, secrets, stored.clock, all_tools().tools, private) as servers:
        await servers.refresh()
        return [row for report in servers.report() for row in _rows(report)]


def _rows(report: ServerReport) -> Iterator[Row]:
    server = report.server
    shared: Row = {
        "category": f"mcp:{report.clinic_id}",
        "server": server.name,
        "agents": list(server.agents),
        "timeoutSeconds": server.timeout_seconds,
    }
    away = report.state is not State.AVAILABLE
    for tool in () if away else report.tools:
        there = {"status": str(Availability.AVAILABLE), "retries": tool.retries, "description": tool.description}
        yield {"name": tool.name, **shared, **there, "parameters": tool.parameters}
    for name in server.tools if away else report.unusable:
        why = str(report.why if away else report.unusable[name])
        left_out = {"status": str(Availability.UNAVAILABLE), "retries": 0, "description": "", "why": why}
        yield {"name": f"{server.name}_{name}", **shared, **left_out}

"""The tools of the clinics' own servers, as `gendei tools` lists them."""

from collections.abc import Iterator
from typing import Any

from gendei.attached.servers import AttachedServers, ServerReport, State
from gendei.cli.stored import Stored
from gendei.receptionist.tools.registry import Availability, all_tools
from gendei.secrets import SecretBox

Row = dict[str, Any]


async def attached_rows(stored: Stored) -> list[Row]:
    """A row for each tool that a clinic's file names, after its server was asked. Raises ConfigurationError without
    GENDEI_SECRET_KEY where there is any."""
    if not any(clinic.mcp_servers for clinic in stored.directory.all()):
        return []
    key, private = stored.settings.secret_key, stored.settings.private_networks
    secrets = SecretBox(key.get_secret_value() if key else None)
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

"""`gendei tools`: what the receptionist may call, also of the clinics' own servers."""

import json
from typing import Annotated

import typer

from gendei.cli.attached import Row, attached_rows
from gendei.cli.counting import counted
from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.errors import StoreError
from gendei.receptionist.tools import all_tools
from gendei.receptionist.tools.registry import Availability, ToolEntry
from gendei.settings import Settings

WITHOUT_STORE = frozenset({"handover", "information", "interactive", "messaging"})
"""Categories whose tools need nothing that could be away."""


def tools(
    as_json: Annotated[bool, typer.Option("--json", help="An array with each tool's schema, for scripts.")] = False,
) -> None:
    """List every tool with its category, limits and whether what it needs is there; clinics' own servers are asked."""
    reachable, attached = run(_looked(Settings.load()))
    rows = [*(_row(entry, reachable=reachable) for entry in all_tools().entries()), *attached]
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


def _row(entry: ToolEntry, *, reachable: bool) -> Row:
    there = reachable or entry.category in WITHOUT_STORE
    return {
        "name": entry.name,
        "category": entry.category,
        "status": str(Availability.AVAILABLE if there else Availability.UNAVAILABLE),
        "description": entry.description,
        "timeoutSeconds": entry.timeout_seconds,
        "retries": entry.retries,
        "parameters": entry.parameters,
    }

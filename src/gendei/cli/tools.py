"""`gendei tools`: what the receptionist may call, also of the clinics' own servers. `gendei speech`: what a clinic's
voice notes cost."""

import json
import sys
from datetime import timedelta
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
from gendei.voice.usage import MICRO, SPEECH_SPENT, SpeechSpent, speech_usage

WITHOUT_STORE = frozenset({"handover", "information", "interactive", "messaging"})
"""Categories whose tools need nothing that could be away."""
DAYS = 31


def tools(
    as_json: Annotated[bool, typer.Option("--json", help="An array with each tool's schema, for scripts.")] = False,
) -> None:
    """List every tool with its category, limits and whether what it needs is there; clinics' own servers are asked."""
    reachable, attached = run(_looked(Settings.load()))
    rows = [*(_row(one, reachable=reachable) for one in all_tools().entries()), *attached]
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


def speech(
    clinic: Annotated[str, typer.Option(help="The clinic's id.")],
    as_json: Annotated[bool, typer.Option("--json", help="An array of objects, for scripts.")] = False,
) -> None:
    """List what a clinic's voice notes cost, by day, for the last month."""
    rows = run(_spent(Settings.load(), clinic))
    if as_json:
        print(json.dumps([{"day": day, **SPEECH_SPENT.write(spent)} for day, spent in rows], indent=2))
        return
    for day, spent in rows:
        heard, spoken = f"{spent.heard} heard ({spent.heard_ms / 60_000:.1f} min)", f"{spent.spoken} spoken"
        characters = counted(spent.spoken_characters, "character")
        print(f"{day}  {heard}, {spoken} ({characters}), {spent.failed} failed, US$ {spent.cost_micros / MICRO:.4f}")
    if not rows:
        print("The clinic's voice notes cost nothing in the last month.", file=sys.stderr)


async def _spent(settings: Settings, clinic_id: str) -> list[tuple[str, SpeechSpent]]:
    async with opened(settings) as stored:
        clinic = await stored.clinic(clinic_id)
        today = clinic.local(stored.clock()).date()
        days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
        found = await speech_usage(stored.documents, clinic.id, days)
        return [(f"{day}", spent) for day, spent in zip(days, found, strict=True) if spent != SpeechSpent()]

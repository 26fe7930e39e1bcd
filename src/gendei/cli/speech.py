"""`gendei speech`: what a clinic's voice notes cost."""

import json
import sys
from datetime import timedelta
from typing import Annotated

import typer

from gendei.cli.running import counted
from gendei.cli.stored import AsJson, Stored, in_store
from gendei.costs.ledger import MICRO
from gendei.voice.usage import SPEECH_SPENT, SpeechSpent, speech_ledger

DAYS = 31


def speech(
    clinic: Annotated[str, typer.Option(help="The clinic's id.")],
    as_json: AsJson = False,
) -> None:
    """List what a clinic's voice notes cost, by day, for the last month."""
    rows = _spent(clinic)
    if as_json:
        print(json.dumps([{"day": day, **SPEECH_SPENT.write(spent)} for day, spent in rows], indent=2))
        return
    for day, spent in rows:
        heard, spoken = f"{spent.heard} heard ({spent.heard_ms / 60_000:.1f} min)", f"{spent.spoken} spoken"
        characters = counted(spent.spoken_characters, "character")
        print(f"{day}  {heard}, {spoken} ({characters}), {spent.failed} failed, US$ {spent.cost_micros / MICRO:.4f}")
    if not rows:
        print("The clinic's voice notes cost nothing in the last month.", file=sys.stderr)


@in_store
async def _spent(stored: Stored, clinic_id: str) -> list[tuple[str, SpeechSpent]]:
    clinic = await stored.clinic(clinic_id)
    today = clinic.local(stored.clock()).date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    found = await speech_ledger(stored.documents).stored(clinic.id, days)
    return [(f"{day}", spent) for day, spent in zip(days, found, strict=True) if spent != SpeechSpent()]

"""`gendei speech`: what a clinic's voice notes cost."""

from datetime import timedelta

from gendei.cli.language import worded
from gendei.cli.running import counted
from gendei.cli.stored import AsJson, ClinicOption, Stored, in_store, print_list
from gendei.costs.ledger import MICRO
from gendei.voice.usage import SPEECH_SPENT, SpeechSpent, speech_ledger

DAYS = 31


def speech(clinic: ClinicOption, as_json: AsJson = False) -> None:
    """List what a clinic's voice notes cost, by day, for the last month."""
    nothing = "The clinic's voice notes cost nothing in the last month."
    print_list(_spent(clinic), _line, nothing, aside=True, row=_row if as_json else None)


def _line(of_day: tuple[str, SpeechSpent]) -> str:
    day, spent = of_day
    heard = f"{spent.heard} {worded('heard')} ({spent.heard_ms / 60_000:.1f} min)"
    spoken, failed = f"{spent.spoken} {worded('spoken')}", f"{spent.failed} {worded('failed')}"
    characters = counted(spent.spoken_characters, "character")
    return f"{day}  {heard}, {spoken} ({characters}), {failed}, US$ {spent.cost_micros / MICRO:.4f}"


def _row(of_day: tuple[str, SpeechSpent]) -> dict[str, object]:
    return {"day": of_day[0], **SPEECH_SPENT.write(of_day[1])}


@in_store
async def _spent(stored: Stored, clinic_id: str) -> list[tuple[str, SpeechSpent]]:
    clinic = await stored.clinic(clinic_id)
    today = clinic.local(stored.clock()).date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    found = await speech_ledger(stored.documents).stored(clinic.id, days)
    return [(f"{day}", spent) for day, spent in zip(days, found, strict=True) if spent != SpeechSpent()]

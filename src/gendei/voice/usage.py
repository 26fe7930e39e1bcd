"""What each clinic's speech cost, by day."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date

from gendei.clinic import ClinicId
from gendei.costs.ledger import EVERY_SECONDS, CostBook, CostLedger
from gendei.documents import Documents
from gendei.records import Record

MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class SpeechSpent:
    """Sums. `heard_ms`: of notes that a service transcribed; `spoken_characters`: that one read aloud; `failed`: calls
    that came to nothing. `cost_micros`: millionths of a US dollar, by the prices of the settings."""

    heard: int = 0
    heard_ms: int = 0
    spoken: int = 0
    spoken_characters: int = 0
    failed: int = 0
    cost_micros: int = 0

    def __add__(self, other: "SpeechSpent") -> "SpeechSpent":
        return SpeechSpent(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


SPEECH_SPENT = Record(SpeechSpent, "gendei_clinics/{clinicId}/speech_usage/{yyyy-mm-dd}")


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars: for a minute that is transcribed, and for a million characters that are spoken."""

    minute: float
    million_characters: float

    def of_hearing(self, seconds: float) -> SpeechSpent:
        return SpeechSpent(
            heard=1, heard_ms=round(seconds * 1000), cost_micros=round(seconds / 60 * self.minute * MICRO)
        )

    def of_speaking(self, text: str) -> SpeechSpent:
        return SpeechSpent(
            spoken=1, spoken_characters=len(text), cost_micros=round(len(text) * self.million_characters)
        )


class SpeechLedger(CostLedger[SpeechSpent]):
    """In `speech_usage`; days are of the clinic's zone."""

    def __init__(self, documents: Documents, every: float = EVERY_SECONDS) -> None:
        super().__init__(_book(documents), SpeechSpent(), every)


async def speech_usage(documents: Documents, clinic_id: ClinicId, days: Sequence[date]) -> list[SpeechSpent]:
    """What each of `days` (of the clinic's zone) cost, as it is stored."""
    return await _book(documents).of(clinic_id, days)


def _book(documents: Documents) -> CostBook[SpeechSpent]:
    return CostBook(documents, "speech_usage", SPEECH_SPENT, SpeechSpent())

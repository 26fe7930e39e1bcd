"""What each clinic's speech cost, by day."""

from dataclasses import dataclass

from gendei.costs.ledger import MICRO, Cost, CostLedger
from gendei.documents import Documents
from gendei.records import Record


@dataclass(frozen=True, slots=True)
class SpeechSpent(Cost):
    """Sums. `heard_ms`: of notes that a service transcribed; `spoken_characters`: that one read aloud; `failed`: calls
    that came to nothing. `cost_micros`: millionths of a US dollar, by the prices of the settings."""

    heard: int = 0
    heard_ms: int = 0
    spoken: int = 0
    spoken_characters: int = 0
    failed: int = 0
    cost_micros: int = 0


SPEECH_SPENT = Record(SpeechSpent, "gendei_clinics/{clinicId}/speech_usage/{yyyy-mm-dd}")
SpeechLedger = CostLedger[SpeechSpent]


def speech_ledger(documents: Documents) -> SpeechLedger:
    """What each clinic's speech cost, by day of its zone."""
    return CostLedger(documents, SPEECH_SPENT)


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

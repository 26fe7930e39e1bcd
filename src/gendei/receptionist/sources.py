"""The approved answers of a clinic's knowledge that a turn reads or says."""

from collections.abc import Iterable
from dataclasses import dataclass

from gendei.knowledge.knowledge_base import ClinicKnowledge


@dataclass(frozen=True, slots=True)
class Source:
    """An approved answer as it is said now. asked: the patient's words that the search found it by; "" for none."""

    entry_id: str
    version: int
    questions: tuple[str, ...]
    answer: str
    asked: str = ""

    @property
    def line(self) -> str:
        """For staff."""
        return f"{self.entry_id} (v{self.version})"


def source_of(known: ClinicKnowledge, entry_id: str, asked: str = "") -> Source | None:
    """The answer of an entry that patients may be told now; None for one that is retired, over, unsaid or of another
    clinic."""
    entry = known.entries.get(entry_id)
    if entry is None or entry.live is None or all(said.id != entry_id for said in known.index.entries):
        return None
    return Source(entry_id, entry.live.version, entry.live.questions, entry.live.answer, asked)


def without_approved(text: str, sources: Iterable[Source]) -> str:
    """What is left of a text beside answers in their approved words, which are the clinic's own."""
    for source in sources:
        text = text.replace(source.answer, " ")
    return text if text.strip() else ""

"""Where entries may be brought from: a file that staff have, and what the clinic's vertical begins with."""

import asyncio
from dataclasses import dataclass, field

from gendei.clinic import Clinic
from gendei.knowledge.proposing import Proposal
from gendei.knowledge.sources.found_entries import entries_in
from gendei.knowledge.sources.reading_apart import SourceReader
from gendei.knowledge.starter import StarterSets


@dataclass(frozen=True, slots=True)
class KnowledgeSources:
    """What is brought is proposed, and said to nobody before it is approved."""

    starters: StarterSets
    reader: SourceReader = field(default_factory=SourceReader)

    async def in_file(self, content: bytes, name: str) -> list[Proposal]:
        """The entries that a file would make; none where it has no question or heading. Raises UnreadableSource."""
        blocks = await self.reader.read(content, name)
        found = await asyncio.to_thread(entries_in, blocks)
        return [Proposal(entry.id, entry.questions, entry.answer) for entry in found]

    def starter(self, clinic: Clinic) -> list[Proposal]:
        """What a new clinic of the same vertical begins with."""
        return self.starters.for_clinic(clinic)

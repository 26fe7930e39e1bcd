"""The entries of the clinics: written, approved, retired, searched; and questions that nothing answered."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING

from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Query, Transaction, Write, document_id, transact
from gendei.errors import GendeiError, NotFound
from gendei.knowledge.checks import MOST_ENTRIES, EntryFault, blanks_in, fault_of
from gendei.knowledge.entry import (
    ENTRY,
    GAP,
    REVISION,
    KnowledgeEntry,
    KnowledgeGap,
    KnowledgeRevision,
    entries_path,
    gaps_path,
    revision_path,
)
from gendei.knowledge.entry_trial import contradicting
from gendei.knowledge.health import advice_in
from gendei.knowledge.outcome import WhatAnswers
from gendei.knowledge.searchable import Searchable
from gendei.off_loop import off_loop

if TYPE_CHECKING:
    from gendei.knowledge.search import SearchIndex

LOOK_SECONDS = 1.0
"""How long what was read is believed to be what stands, so that what is approved is said everywhere soon."""
MOST_GAPS, MOST_WORDS = 500, 30
"""Gaps that are compared with each other, and questions that one keeps."""
LONGEST_GAP = 300
_NUMBER = re.compile(r"\+?\d[\d .()/-]{5,}\d|\S+@\S+")


class KnowledgeRefused(GendeiError):
    """Nothing was written. `fault` says why; `ids`: the entries that it is about."""

    def __init__(self, fault: EntryFault, ids: Sequence[str] = ()) -> None:
        self.fault, self.ids = fault, tuple(ids)
        super().__init__(f"the entry is refused: {fault}")


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """What somebody writes of an entry. version: of the entry that they saw; 0 of a new one."""

    questions: tuple[str, ...]
    answer: str
    owner: str = ""
    source: str = ""
    valid_until: date | None = None
    version: int = 0
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClinicKnowledge:
    """A clinic's entries as they stood at a revision, and what is searched of them on a day: never an answer that gives
    advice on health, whoever approved it."""

    revision: int
    day: date
    entries: dict[str, KnowledgeEntry]
    index: "SearchIndex"
    read_at: float

    @classmethod
    def of(cls, entries: Sequence[KnowledgeEntry], revision: int, day: date) -> "ClinicKnowledge":
        from gendei.knowledge.search import SearchIndex  # noqa: PLC0415  # numpy is for who searches

        may_be = (found for entry in entries if (found := entry.searchable(day)) is not None)
        said = [found for found in may_be if advice_in(found.answer) is None]
        return cls(revision, day, {entry.id: entry for entry in entries}, SearchIndex(said), monotonic())

    def find(self, question: str) -> WhatAnswers:
        """What answers a question."""
        from gendei.knowledge.finding import find  # noqa: PLC0415  # numpy is for who searches

        return find(self.index, question)

    def failing(self) -> list[tuple[str, str]]:
        """The questions of entries that would be answered otherwise now, or not at all: entry, question."""
        said = {entry.id for entry in self.index.entries}
        return [
            (entry.id, question)
            for entry in self.entries.values()
            if entry.id in said and entry.live is not None
            for question in (*entry.live.questions, *entry.cases)
            if entry.id not in self.find(question).ids
        ]


Beside = Callable[[KnowledgeEntry], Sequence[Write]]
"""New documents of the same commit."""


@dataclass(slots=True)
class KnowledgeBase:
    """Of all clinics; every call takes the clinic. What was read is kept in memory until its revision changes."""

    documents: Documents
    clock: Clock
    look_seconds: float = LOOK_SECONDS
    _known: dict[ClinicId, ClinicKnowledge] = field(default_factory=dict)
    _locks: dict[ClinicId, asyncio.Lock] = field(default_factory=dict)

    async def of(self, clinic: Clinic) -> ClinicKnowledge:
        """What the clinic knows now."""
        today = clinic.local(self.clock()).date()
        known = self._known.get(clinic.id)
        if known is not None and known.day == today and monotonic() - known.read_at < self.look_seconds:
            return known
        async with self._locks.setdefault(clinic.id, asyncio.Lock()):
            head = REVISION.found(await self.documents.get(revision_path(clinic.id))) or KnowledgeRevision()
            known = self._known.get(clinic.id)
            if known is not None and (known.day, known.revision) == (today, head.revision):
                known = replace(known, read_at=monotonic())
            else:
                entries = await self.all(clinic.id) if head.revision else []
                known = await asyncio.to_thread(ClinicKnowledge.of, entries, head.revision, today)
            self._known[clinic.id] = known
            return known

    async def all(self, clinic_id: ClinicId) -> list[KnowledgeEntry]:
        """All entries, by id."""
        found = await self.documents.query(Query(entries_path(clinic_id)))
        entries = [ENTRY.read(each.data, id=each.id) for each in found]
        return sorted(entries, key=lambda entry: entry.id)

    async def get(self, clinic_id: ClinicId, entry_id: str) -> KnowledgeEntry:
        """Raises NotFound."""
        found = await self.documents.get(f"{entries_path(clinic_id)}/{document_id(entry_id)}")
        entry = ENTRY.found(found, id=entry_id)
        if entry is None:
            raise NotFound
        return entry

    async def write(
        self, clinic: Clinic, entry_id: str, draft: EntryDraft, by: str, beside: Beside = lambda _: ()
    ) -> KnowledgeEntry:
        """Propose an entry, new or in place of what was written of it. Raises KnowledgeRefused: for what no answer may
        say, and CHANGED where somebody else wrote meanwhile."""
        fault = fault_of(draft.questions, draft.answer, clinic)
        if fault is not None:
            raise KnowledgeRefused(fault, [entry_id])

        def change(before: KnowledgeEntry | None, head: KnowledgeRevision) -> KnowledgeEntry:
            _same_version(before, entry_id, draft.version)
            if before is None and head.entries >= MOST_ENTRIES:
                raise KnowledgeRefused(EntryFault.TOO_MANY)
            return KnowledgeEntry(
                *(entry_id, draft.questions, draft.answer),
                draft.owner or (before.owner if before else by),
                draft.source or (before.source if before else ""),
                draft.version + 1,
                by,
                self.clock(),
                valid_until=draft.valid_until,
                live=before.live if before else None,
                cases=tuple(dict.fromkeys((*(before.cases if before else ()), *draft.cases))),
                past_told=before.past_told if before else None,
            )

        return await self._change(clinic.id, entry_id, change, beside)

    async def approve(
        self,
        clinic: Clinic,
        entry_id: str,
        version: int,
        by: str,
        beside: Beside = lambda _: (),
        *,
        despite: Sequence[str] = (),
    ) -> KnowledgeEntry:
        """Let patients be told what is written. despite: entries that answer the same otherwise, and that were looked
        at. Raises NotFound and KnowledgeRefused: CONTRADICTS with the entries that were not looked at."""
        entry = await self.get(clinic.id, entry_id)
        if (fault := fault_of(entry.questions, entry.answer, clinic)) is not None:
            raise KnowledgeRefused(fault, [entry_id])
        if blanks_in(entry.answer):
            raise KnowledgeRefused(EntryFault.BLANK, [entry_id])
        if against := set(await self.contradicting(clinic, entry)) - set(despite):
            raise KnowledgeRefused(EntryFault.CONTRADICTS, sorted(against))

        def change(before: KnowledgeEntry | None, _head: KnowledgeRevision) -> KnowledgeEntry:
            _same_version(before, entry_id, version)
            if before is None:
                raise NotFound
            return before.approved(by, self.clock())

        return await self._change(clinic.id, entry_id, change, beside)

    async def retire(
        self, clinic: Clinic, entry_id: str, version: int, beside: Beside = lambda _: ()
    ) -> KnowledgeEntry:
        """Say it no more. Its version counts on, so that who had it open before reads it again. Raises NotFound and
        KnowledgeRefused."""

        def change(before: KnowledgeEntry | None, _head: KnowledgeRevision) -> KnowledgeEntry:
            if before is None:
                raise NotFound
            _same_version(before, entry_id, version)
            return replace(before, retired=True, live=None, version=version + 1)

        return await self._change(clinic.id, entry_id, change, beside)

    async def contradicting(self, clinic: Clinic, entry: KnowledgeEntry) -> list[str]:
        """The entries in use that answer one of its questions, in other words."""
        known, written = await self.of(clinic), Searchable(entry.id, entry.questions, entry.answer)
        return await asyncio.to_thread(contradicting, known.index, written)

    async def _change(
        self,
        clinic_id: ClinicId,
        entry_id: str,
        decide: Callable[[KnowledgeEntry | None, KnowledgeRevision], KnowledgeEntry],
        beside: Beside,
    ) -> KnowledgeEntry:
        async def attempt(transaction: Transaction) -> KnowledgeEntry:
            stood = await transaction.get(f"{entries_path(clinic_id)}/{document_id(entry_id)}")
            counted = await transaction.get(revision_path(clinic_id))
            head = REVISION.found(counted) or KnowledgeRevision()
            made = decide(ENTRY.found(stood, id=entry_id), head)
            transaction.put(stood.path, ENTRY.write(made))
            entries = head.entries + (not stood.exists)
            transaction.put(counted.path, REVISION.write(KnowledgeRevision(head.revision + 1, entries)))
            for write in beside(made):
                transaction.create(write.path, write.data or {})
            return made

        made = await transact(self.documents, attempt)
        self._known.pop(clinic_id, None)
        return made

    async def gaps(self, clinic_id: ClinicId) -> list[KnowledgeGap]:
        """The questions without an answer that staff have not seen to, as one gap where they mean the same; the most
        asked first."""
        return sorted(map(joined, await self._groups(clinic_id)), key=lambda gap: (-gap.count, gap.id))

    async def _open(self, clinic_id: ClinicId) -> list[KnowledgeGap]:
        """Each as it is kept, the last asked at the end."""
        found = await self.documents.query(Query(gaps_path(clinic_id)))
        every = [gap for each in found if (gap := GAP.read(each.data, id=each.id)).is_open]
        return sorted(every, key=lambda gap: (gap.last_at, gap.id))

    async def _groups(self, clinic_id: ClinicId) -> list[list[KnowledgeGap]]:
        """Those that mean the same, the oldest first. Only the MOST_GAPS newest are compared with each other."""
        from gendei.knowledge.grouping import grouped  # noqa: PLC0415  # as above

        kept = await self._open(clinic_id)
        alone, compared = kept[:-MOST_GAPS], kept[-MOST_GAPS:]
        asked = [gap.questions[0] for gap in compared]
        groups = await off_loop(sum(map(len, asked)), lambda: grouped(asked))
        together = [sorted((compared[n] for n in group), key=lambda gap: (gap.first_at, gap.id)) for group in groups]
        return [*together, *([gap] for gap in alone)]

    async def note(self, clinic_id: ClinicId, question: str) -> str:
        """Keep a question that nothing answered, with one that says the same; returns the id of what is kept."""
        from gendei.knowledge.grouping import SAME, meaning  # noqa: PLC0415  # as above

        words = " ".join(_NUMBER.sub("…", question).split())[:LONGEST_GAP]
        asked = meaning(words)
        same, gap_id = SAME, sha256(words.casefold().encode()).hexdigest()[:12]
        for gap in (await self._open(clinic_id))[-MOST_GAPS:]:
            if (like := float(meaning(gap.questions[0]) @ asked)) >= same:
                same, gap_id = like, gap.id
        now = self.clock()

        async def attempt(transaction: Transaction) -> str:
            stood = await transaction.get(f"{gaps_path(clinic_id)}/{document_id(gap_id)}")
            gap = GAP.found(stood, id=gap_id) or KnowledgeGap(gap_id, (), 0, now, now)
            kept = tuple(dict.fromkeys((*gap.questions, words)))[:MOST_WORDS]
            transaction.put(stood.path, GAP.write(replace(gap, questions=kept, count=gap.count + 1, last_at=now)))
            return gap_id

        return await transact(self.documents, attempt)

    async def settle(
        self, clinic_id: ClinicId, gap_id: str, entry_id: str | None, beside: Sequence[Write] = ()
    ) -> KnowledgeGap:
        """Staff wrote the entry that answers it and what means the same, or want no answer. beside: new documents of
        the same commit. Raises NotFound."""
        groups = [[gap.id for gap in group] for group in await self._groups(clinic_id)]
        ids = next((group for group in groups if gap_id in group), [gap_id])

        async def attempt(transaction: Transaction) -> KnowledgeGap:
            settled = []
            for each in ids:
                stood = await transaction.get(f"{gaps_path(clinic_id)}/{document_id(each)}")
                gap = GAP.found(stood, id=each)
                if gap is None:
                    raise NotFound
                settled.append(replace(gap, dismissed=entry_id is None, entry_id=entry_id))
                transaction.put(stood.path, GAP.write(settled[-1]))
            for write in beside:
                transaction.create(write.path, write.data or {})
            return joined(settled)

        return await transact(self.documents, attempt)


def joined(gaps: Sequence[KnowledgeGap]) -> KnowledgeGap:
    """Those that mean the same as one, by the oldest's id."""
    questions = dict.fromkeys(question for gap in gaps for question in gap.questions)
    return replace(
        gaps[0],
        questions=tuple(questions)[:MOST_WORDS],
        count=sum(gap.count for gap in gaps),
        last_at=max(gap.last_at for gap in gaps),
    )


def _same_version(before: KnowledgeEntry | None, entry_id: str, version: int) -> None:
    """Raise KnowledgeRefused where somebody else wrote what this does not know of."""
    if (before.version if before else 0) != version:
        raise KnowledgeRefused(EntryFault.CHANGED, [entry_id])

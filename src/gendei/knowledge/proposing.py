"""Many entries proposed at once: out of a file, or a starter set. What stands already is never written over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.documents import Documents, Transaction, Write, document_id, transact
from gendei.knowledge.checks import MOST_ENTRIES, EntryFault, fault_of
from gendei.knowledge.entry import ENTRY, REVISION, KnowledgeEntry, KnowledgeRevision, entries_path, revision_path

MOST_AT_ONCE = 200
"""In one commit."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry that somebody may want."""

    id: str
    questions: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class RefusedProposal:
    """`fault`: why nothing of it was kept."""

    proposal: Proposal
    fault: EntryFault


@dataclass(frozen=True, slots=True)
class Proposed:
    """`made`: the new entries; `same`: those that stand already as they were proposed; `standing`: those that stand
    under the same id with other words, untouched."""

    made: tuple[KnowledgeEntry, ...] = ()
    same: tuple[KnowledgeEntry, ...] = ()
    standing: tuple[KnowledgeEntry, ...] = ()
    refused: tuple[RefusedProposal, ...] = ()


BesideMany = Callable[[Sequence[KnowledgeEntry]], Sequence[Write]]
"""New documents of the same commit."""


async def propose(  # what an entry has beside its words
    documents: Documents,
    clock: Clock,
    clinic: Clinic,
    proposals: Sequence[Proposal],
    by: str,
    source: str,
    beside: BesideMany = lambda _: (),
) -> Proposed:
    """Keep as proposed what no entry stands for, in one commit. by: who sees to them; source: where they are from."""
    faults = [(each, fault_of(each.questions, each.answer, clinic)) for each in proposals]
    refused = [RefusedProposal(each, fault) for each, fault in faults if fault is not None]
    fit = {each.id: each for each, fault in faults if fault is None}
    refused += [RefusedProposal(each, EntryFault.TOO_MANY) for each in list(fit.values())[MOST_AT_ONCE:]]
    wanted = list(fit.values())[:MOST_AT_ONCE]

    async def attempt(transaction: Transaction) -> Proposed:
        counted = await transaction.get(revision_path(clinic.id))
        head = REVISION.found(counted) or KnowledgeRevision()
        made: list[KnowledgeEntry] = []
        stand: list[KnowledgeEntry] = []
        too_many: list[RefusedProposal] = []
        for each in wanted:
            found = await transaction.get(f"{entries_path(clinic.id)}/{document_id(each.id)}")
            if (there := ENTRY.found(found, id=each.id)) is not None:
                stand.append(there)
            elif head.entries + len(made) >= MOST_ENTRIES:
                too_many.append(RefusedProposal(each, EntryFault.TOO_MANY))
            else:
                entry = KnowledgeEntry(each.id, each.questions, each.answer, by, source, 1, by, clock())
                transaction.put(found.path, ENTRY.write(entry))
                made.append(entry)
        if made:
            after = replace(head, revision=head.revision + 1, entries=head.entries + len(made))
            transaction.put(counted.path, REVISION.write(after))
            for write in beside(made):
                transaction.create(write.path, write.data or {})
        same = [each for each in stand if (each.questions, each.answer) == _words(fit[each.id])]
        others = [each for each in stand if each not in same]
        return Proposed(tuple(made), tuple(same), tuple(others), (*refused, *too_many))

    return await transact(documents, attempt)


def _words(proposal: Proposal) -> tuple[tuple[str, ...], str]:
    return proposal.questions, proposal.answer

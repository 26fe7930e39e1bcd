"""What a clinic knows, brought from elsewhere and tried before it is approved."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from gendei.commands.clinic import Nothing
from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Id
from gendei.commands.knowledge import PROBLEMS, Answer, KnowledgeOut, Questions
from gendei.commands.refusals import CommandRefused, Reason
from gendei.commands.shapes import Shape
from gendei.documents import Write
from gendei.knowledge.checks import EntryFault
from gendei.knowledge.entry import KnowledgeEntry
from gendei.knowledge.entry_trial import EntryTrial, TriedQuestion, trial_of
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.knowledge.outcome import SearchOutcome
from gendei.knowledge.proposing import Proposal, Proposed, RefusedProposal, propose
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.sources.blocks import SourceFault, UnreadableSource
from gendei.staff.actors import Right
from gendei.staff.audit import Action, audit_write

MOST_TRIED = 60
LONGEST_NAME = 200
UNREADABLE = {
    SourceFault.EMPTY: "is empty",
    SourceFault.TOO_LARGE: "is larger than 10 MB",
    SourceFault.UNKNOWN_TYPE: "is no PDF, web page, or text of UTF-8 or Windows",
    SourceFault.BROKEN: "cannot be read: the PDF is broken",
    SourceFault.ENCRYPTED: "opens by a password alone; save it without one",
    SourceFault.NO_TEXT: "holds no text: pages that are pictures have none",
    SourceFault.TOO_LONG: "is too long: at most 200 pages and 500,000 characters",
    SourceFault.TOO_MUCH_WORK: "takes too much time or memory to read; make it smaller, or save its text",
}
NOTHING_FOUND = "has no question or heading with text below it"
NO_STARTER = "there is no starter set for the clinic's vertical; write verticals/starter/{slug}.yaml"


class TryKnowledge(Arguments):
    """`asked`: in patients' words."""

    entry_id: Id
    questions: Questions
    answer: Answer
    asked: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...], Field(max_length=MOST_TRIED)
    ] = ()


class ReadKnowledge(Arguments):
    """`file_name`: as the sender's computer has it."""

    file_name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    content: bytes


class TriedQuestionOut(Shape):
    """`byIt`: the entry answers it, at once or as one of those to choose from. `ids`: of all that would be said."""

    question: str
    outcome: SearchOutcome
    by_it: bool
    ids: list[str]

    @classmethod
    def told_of(cls, tried: TriedQuestion) -> "TriedQuestionOut":
        return cls(question=tried.question, outcome=tried.outcome, by_it=tried.by_it, ids=list(tried.ids))


@dataclass(frozen=True, slots=True)
class KnowledgeTrial:
    """`trial`, and the entries that contradict this one as they stand."""

    trial: EntryTrial
    contradicting: tuple[KnowledgeEntry, ...]


class KnowledgeTrialOut(Shape):
    """`contradicting`: entries that answer one of its question forms in other words."""

    tried: list[TriedQuestionOut]
    contradicting: list[KnowledgeOut]

    @classmethod
    def told_of(cls, found: KnowledgeTrial) -> "KnowledgeTrialOut":
        return cls(
            tried=[TriedQuestionOut.told_of(each) for each in found.trial.tried],
            contradicting=[KnowledgeOut.told_of(entry) for entry in found.contradicting],
        )


class RefusedKnowledgeOut(Shape):
    """What was not kept, and why."""

    questions: list[str]
    answer: str
    fault: EntryFault
    problem: str

    @classmethod
    def told_of(cls, refused: RefusedProposal) -> "RefusedKnowledgeOut":
        proposal = refused.proposal
        return cls(
            questions=list(proposal.questions),
            answer=proposal.answer,
            fault=refused.fault,
            problem=PROBLEMS[refused.fault],
        )


class ProposedKnowledgeOut(Shape):
    """`same`: ids of entries that stand already as they were proposed; `standing`: those that stand under the same id
    with other words, and stay so."""

    made: list[KnowledgeOut]
    same: list[str]
    standing: list[KnowledgeOut]
    refused: list[RefusedKnowledgeOut]

    @classmethod
    def told_of(cls, proposed: Proposed) -> "ProposedKnowledgeOut":
        return cls(
            made=[KnowledgeOut.told_of(entry) for entry in proposed.made],
            same=[entry.id for entry in proposed.same],
            standing=[KnowledgeOut.told_of(entry) for entry in proposed.standing],
            refused=[RefusedKnowledgeOut.told_of(each) for each in proposed.refused],
        )


async def try_knowledge(call: Call, given: TryKnowledge) -> KnowledgeTrial:
    """Try an entry before it is written or approved: which of these questions it would answer, and which entries in
    use say otherwise. Nothing is kept."""
    known = await KnowledgeBase(call.desks.documents, call.desks.clock).of(call.clinic)
    written = Searchable(given.entry_id, tuple(given.questions), given.answer)
    trial = await asyncio.to_thread(trial_of, known.index, written, given.asked)
    return KnowledgeTrial(trial, tuple(known.entries[each] for each in trial.contradicting))


async def read_knowledge(call: Call, given: ReadKnowledge) -> Proposed:
    """Read a PDF, a web page as a file, or a text, and propose an entry for each question or heading with text below
    it. Patients are told none of it before it is approved; what stands already is not written over."""
    try:
        found = await call.desks.knowledge_sources.in_file(given.content, given.file_name)
    except UnreadableSource as unreadable:
        raise _unfit(UNREADABLE[unreadable.fault], f"source_{unreadable.fault}") from None
    if not found:
        raise _unfit(NOTHING_FOUND, "source_nothing_found")
    return await _proposed(call, found, given.file_name)


async def propose_starter_knowledge(call: Call, given: Nothing) -> Proposed:
    """Propose the questions that patients of the clinic's vertical usually ask, with answers that the clinic completes.
    What stands already is not written over."""
    found = call.desks.knowledge_sources.starter(call.clinic)
    if not found:
        problem = NO_STARTER.format(slug=call.clinic.vertical)
        raise CommandRefused(Reason.INVALID, problem=problem, cause="source_no_starter")
    return await _proposed(call, found, "starter")


def _unfit(problem: str, cause: str) -> CommandRefused:
    return CommandRefused(Reason.INVALID, "content", problem=problem, cause=cause)


async def _proposed(call: Call, found: Sequence[Proposal], source: str) -> Proposed:
    def beside(made: Sequence[KnowledgeEntry]) -> Sequence[Write]:
        entry = audit_write(call.actor, Action.SETTING_CHANGED, "knowledge", call.desks.clock(), proposed=len(made))
        return [entry]

    return await propose(
        call.desks.documents, call.desks.clock, call.clinic, found, call.actor.name, source, beside=beside
    )


TRY_KNOWLEDGE = Command(try_knowledge, right=Right.WRITE)
READ_KNOWLEDGE = Command(read_knowledge, right=Right.WRITE)
PROPOSE_STARTER_KNOWLEDGE = Command(propose_starter_knowledge, right=Right.WRITE)

"""What a clinic answers its patients' questions with: entries, and questions that nothing answered."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.clinic import Clinic
from gendei.commands.clinic import Nothing
from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Id
from gendei.commands.refusals import CommandRefused, Reason
from gendei.commands.shapes import Shape
from gendei.documents import Write
from gendei.errors import NotFound
from gendei.knowledge.checks import MOST_OF_ANSWER, MOST_OF_QUESTION, MOST_QUESTIONS, EntryFault
from gendei.knowledge.entry import EntryState, KnowledgeEntry, KnowledgeGap
from gendei.knowledge.knowledge_base import Beside, EntryDraft, KnowledgeBase, KnowledgeRefused
from gendei.knowledge.outcome import SearchOutcome
from gendei.portuguese import in_portuguese
from gendei.staff.actors import Right
from gendei.staff.audit import Action, audit_write

Question = Annotated[str, Field(min_length=1, max_length=MOST_OF_QUESTION, examples=["tem estacionamento?"])]
Questions = Annotated[list[Question], Field(min_length=1, max_length=MOST_QUESTIONS)]
Answer = Annotated[str, Field(min_length=1, max_length=MOST_OF_ANSWER, examples=["Temos estacionamento conveniado."])]
Version = Annotated[int, Field(ge=0, description="Of the entry as it was read; 0 for a new one.", examples=[1])]
PROBLEMS = {
    EntryFault.EMPTY: "has no question or no answer",
    EntryFault.TOO_LONG: "is too long, or has too many questions",
    EntryFault.TOO_MANY: "would be one entry more than a clinic may have",
    EntryFault.MEDICINE: "advises on a medicine, which only a professional may",
    EntryFault.DIAGNOSIS: "gives a diagnosis, which only a professional may",
    EntryFault.DOSE: "tells a dose, which only a professional may",
    EntryFault.NOT_GRAVE: "says that something is not grave, which only a professional may",
    EntryFault.PRICE: "tells another price than the clinic's for a service that it names",
    EntryFault.MARKUP: "holds HTML or other markup",
    EntryFault.INSTRUCTION: "holds instructions to a language model",
    EntryFault.CHANGED: "was written by somebody else meanwhile; read it again",
    EntryFault.BLANK: "has a place that is still to be filled in: [complete: ...]",
    EntryFault.CONTRADICTS: "is answered otherwise by {ids}; compare them, and name them in `despite`",
}


class WriteKnowledge(Arguments):
    """Left out, `owner` and `source` stay."""

    entry_id: Id
    questions: Questions
    answer: Answer
    version: Version = 0
    owner: Annotated[str, Field(max_length=254, description="Who sees to it.")] = ""
    source: Annotated[str, Field(max_length=500, description="Where it is from.")] = ""
    valid_until: Annotated[date | None, Field(description="The last day on which it is said.")] = None


class ApproveKnowledge(Arguments):
    entry_id: Id
    version: Version
    despite: Annotated[
        tuple[Id, ...], Field(max_length=50, description="Entries that answer the same otherwise, and were looked at.")
    ] = ()


class RetireKnowledge(Arguments):
    entry_id: Id
    version: Version


class AskKnowledge(Arguments):
    question: Annotated[str, Field(min_length=1, max_length=1000)]


class OfGap(Arguments):
    gap_id: Id


class AnswerGap(OfGap):
    answer: Answer
    questions: Annotated[
        tuple[Question, ...], Field(max_length=MOST_QUESTIONS, description="Empty: as it was asked.")
    ] = ()


class KnowledgeOut(Shape):
    """`state`: proposed, approved or retired, of what is written. `saidVersion`: what patients are told, null where
    nothing was approved. `cases`: patients' questions that it has to answer."""

    id: str
    questions: list[str]
    answer: str
    owner: str
    source: str
    valid_until: date | None
    version: int
    state: EntryState
    by: str
    at: AwareDatetime
    said_version: int | None
    said_answer: str | None
    approved_by: str | None
    cases: list[str]

    @classmethod
    def told_of(cls, entry: KnowledgeEntry) -> "KnowledgeOut":
        live = entry.live
        return cls(
            id=entry.id,
            questions=list(entry.questions),
            answer=entry.answer,
            owner=entry.owner,
            source=entry.source,
            valid_until=entry.valid_until,
            version=entry.version,
            state=entry.state,
            by=entry.by,
            at=entry.at,
            said_version=live.version if live else None,
            said_answer=live.answer if live else None,
            approved_by=live.by if live else None,
            cases=list(entry.cases),
        )


class KnowledgeFoundOut(Shape):
    """`outcome`: answered by the one entry, asked which of several is meant, or unknown."""

    outcome: SearchOutcome
    entries: list[KnowledgeOut]


class KnowledgeGapOut(Shape):
    """`questions`: in patients' words. `count`: how often they were asked."""

    id: str
    questions: list[str]
    count: int
    first_at: AwareDatetime
    last_at: AwareDatetime
    entry_id: str | None

    @classmethod
    def told_of(cls, gap: KnowledgeGap) -> "KnowledgeGapOut":
        return cls(
            id=gap.id,
            questions=list(gap.questions),
            count=gap.count,
            first_at=gap.first_at,
            last_at=gap.last_at,
            entry_id=gap.entry_id,
        )


def base_of(call: Call) -> KnowledgeBase:
    """The clinic's knowledge, as a command works on it."""
    return KnowledgeBase(call.desks.documents, call.desks.clock)


def refusal_of(refused: KnowledgeRefused) -> CommandRefused:
    """What every surface tells of it."""
    arguments = ("version",) if refused.fault is EntryFault.CHANGED else ("despite", "answer")
    problem = PROBLEMS[refused.fault].format(ids=", ".join(refused.ids))
    words, cause = in_portuguese(problem), f"knowledge_{refused.fault}"
    return CommandRefused(Reason.ENTRY_REFUSED, *arguments, problem=problem, words=words, cause=cause)


async def list_knowledge(call: Call, given: Nothing) -> list[KnowledgeEntry]:
    """All entries, by id: what is written, and what patients are told."""
    return await base_of(call).all(call.clinic.id)


async def write_knowledge(call: Call, given: WriteKnowledge) -> KnowledgeEntry:
    """Propose an entry, new or changed. Patients are told it once it is approved; until then, what was approved
    before. Refused: a diagnosis, a dose, that something is not grave, another price than the clinic's, markup, and a
    change of what somebody else changed meanwhile."""
    draft = EntryDraft(
        tuple(given.questions), given.answer, given.owner, given.source, given.valid_until, version=given.version
    )
    return await _written(call, call.clinic, given.entry_id, draft)


async def approve_knowledge(call: Call, given: ApproveKnowledge) -> KnowledgeEntry:
    """Let patients be told what is written. Refused where another entry answers the same otherwise, until it is named
    in `despite`."""
    try:
        return await base_of(call).approve(
            call.clinic, given.entry_id, given.version, call.actor.name, _audit(call), despite=given.despite
        )
    except KnowledgeRefused as refused:
        raise refusal_of(refused) from None


async def retire_knowledge(call: Call, given: RetireKnowledge) -> KnowledgeEntry:
    """Tell patients an entry no more. It stays written, and can be approved again."""
    try:
        return await base_of(call).retire(call.clinic, given.entry_id, given.version, _audit(call))
    except KnowledgeRefused as refused:
        raise refusal_of(refused) from None


async def ask_knowledge(call: Call, given: AskKnowledge) -> KnowledgeFoundOut:
    """Try what a question would be answered by. Nothing is kept of it."""
    known = await base_of(call).of(call.clinic)
    found = known.find(given.question)
    entries = [KnowledgeOut.told_of(known.entries[entry_id]) for entry_id in found.ids]
    return KnowledgeFoundOut(outcome=found.outcome, entries=entries)


async def list_knowledge_gaps(call: Call, given: Nothing) -> list[KnowledgeGap]:
    """Questions that nothing answered, grouped by what they mean, the most asked first."""
    return await base_of(call).gaps(call.clinic.id)


async def answer_knowledge_gap(call: Call, given: AnswerGap) -> KnowledgeEntry:
    """Write what answers a group of questions, as a proposed entry that has to answer them from then on."""
    gap = await gap_of(call, given.gap_id)
    entry_id = f"q-{sha256(gap.id.encode()).hexdigest()[:8]}"
    questions = tuple(given.questions) or gap.questions[:MOST_QUESTIONS]
    asked = tuple(question[:MOST_OF_QUESTION] for question in questions)
    draft = EntryDraft(asked, given.answer, call.actor.name, "", cases=gap.questions)
    made = await _written(call, call.clinic, entry_id, draft)
    await base_of(call).settle(call.clinic.id, gap.id, made.id)
    return made


async def dismiss_knowledge_gap(call: Call, given: OfGap) -> KnowledgeGap:
    """Want no answer for a group of questions."""
    gap = await gap_of(call, given.gap_id)
    return await base_of(call).settle(call.clinic.id, gap.id, None, [_entry(call, gapId=gap.id)])


async def gap_of(call: Call, gap_id: str) -> KnowledgeGap:
    """A gap that staff have not seen to. Raises NotFound."""
    found = next((gap for gap in await base_of(call).gaps(call.clinic.id) if gap.id == gap_id), None)
    if found is None:
        raise NotFound
    return found


async def _written(call: Call, clinic: Clinic, entry_id: str, draft: EntryDraft) -> KnowledgeEntry:
    try:
        return await base_of(call).write(clinic, entry_id, draft, call.actor.name, _audit(call))
    except KnowledgeRefused as refused:
        raise refusal_of(refused) from None


def _audit(call: Call) -> Beside:
    def beside(entry: KnowledgeEntry) -> Sequence[Write]:
        return [_entry(call, entryId=entry.id, version=entry.version)]

    return beside


def _entry(call: Call, **detail: object) -> Write:
    return audit_write(call.actor, Action.SETTING_CHANGED, "knowledge", call.desks.clock(), **detail)


LIST_KNOWLEDGE = Command(list_knowledge)
WRITE_KNOWLEDGE = Command(write_knowledge, right=Right.WRITE)
APPROVE_KNOWLEDGE = Command(approve_knowledge, right=Right.MANAGE)
RETIRE_KNOWLEDGE = Command(retire_knowledge, right=Right.MANAGE)
ASK_KNOWLEDGE = Command(ask_knowledge)
LIST_KNOWLEDGE_GAPS = Command(list_knowledge_gaps)
ANSWER_KNOWLEDGE_GAP = Command(answer_knowledge_gap, right=Right.WRITE)
DISMISS_KNOWLEDGE_GAP = Command(dismiss_knowledge_gap, right=Right.WRITE)

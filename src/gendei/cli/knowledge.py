"""`gendei knowledge`: what a clinic answers its patients' questions with."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from pydantic import Field

from gendei.cli.language import say, worded
from gendei.cli.offers import do
from gendei.cli.stored import AsJson, ClinicOption, Stored, in_store, print_list
from gendei.commands import knowledge as commands
from gendei.commands import knowledge_sources as sources
from gendei.commands.clinic import Nothing
from gendei.commands.fields import Id
from gendei.commands.refusals import CommandRefused
from gendei.datafile import StrictModel, read_yaml
from gendei.knowledge.checks import MOST_ENTRIES
from gendei.knowledge.entry import EntryState, KnowledgeEntry, KnowledgeGap
from gendei.knowledge.entry_trial import trial_of
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.knowledge.proposing import Proposed
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.sources.blocks import MOST_BYTES
from gendei.observing.logs import escaped

EntryId = Annotated[str, typer.Argument(help="The entry's id.")]


class EntryInFile(StrictModel):
    """An entry as a file has it."""

    id: Id
    questions: commands.Questions
    answer: commands.Answer
    owner: str = ""
    source: str = ""
    valid_until: date | None = None


class KnowledgeFile(StrictModel):
    """knowledge.yaml."""

    entries: Annotated[list[EntryInFile], Field(max_length=MOST_ENTRIES)]


def list_knowledge(clinic: ClinicOption, json: AsJson = False) -> None:
    """List the entries: what is written, and what patients are told."""
    entries = do(commands.LIST_KNOWLEDGE, Nothing(), clinic)
    print_list(entries, _line, "There are no entries.", row=_row if json else None)


def import_knowledge(
    clinic: ClinicOption,
    file: Annotated[Path, typer.Argument(help="As `gendei knowledge export` prints.")],
    approve: Annotated[bool, typer.Option("--approve", help="Let patients be told it, too.")] = False,
) -> None:
    """Propose the entries of a file; what stands already as it is there stays untouched."""
    read = read_yaml(file).into(KnowledgeFile)
    stand = {entry.id: entry for entry in do(commands.LIST_KNOWLEDGE, Nothing(), clinic)}
    for written in read.entries:
        entry = stand.get(written.id)
        if entry is None or _as_in_file(entry) != _as_in_file(entry) | _given(written):
            values = written.model_dump(exclude={"id"}) | {"entry_id": written.id}
            given = commands.WriteKnowledge(**values, version=entry.version if entry else 0)
            entry = _tried(commands.WRITE_KNOWLEDGE, given, clinic, written.id)
        if approve and entry.state is not EntryState.APPROVED:
            yes = commands.ApproveKnowledge(entry_id=entry.id, version=entry.version)
            entry = _tried(commands.APPROVE_KNOWLEDGE, yes, clinic, entry.id)
        print(escaped(_line(entry)))


def export(clinic: ClinicOption) -> None:
    """Print the entries as a file."""
    entries = do(commands.LIST_KNOWLEDGE, Nothing(), clinic)
    rows = [{name: value for name, value in _as_in_file(entry).items() if value} for entry in entries]
    print(yaml.safe_dump({"entries": rows}, allow_unicode=True, sort_keys=False), end="")


def approve(clinic: ClinicOption, entry: EntryId) -> None:
    """Let patients be told what is written."""
    given = commands.ApproveKnowledge(entry_id=entry, version=_version(clinic, entry))
    print(escaped(_line(_tried(commands.APPROVE_KNOWLEDGE, given, clinic, entry))))


def retire(clinic: ClinicOption, entry: EntryId) -> None:
    """Tell patients an entry no more."""
    given = commands.RetireKnowledge(entry_id=entry, version=_version(clinic, entry))
    print(escaped(_line(_tried(commands.RETIRE_KNOWLEDGE, given, clinic, entry))))


def ask(clinic: ClinicOption, question: Annotated[str, typer.Argument(help="As a patient would write it.")]) -> None:
    """Try what a question would be answered by."""
    found = do(commands.ASK_KNOWLEDGE, commands.AskKnowledge(question=question), clinic)
    print(found.outcome)
    for entry in found.entries:
        print(escaped(f"{entry.id} v{entry.said_version}: {entry.said_answer}"))


def gaps(clinic: ClinicOption) -> None:
    """List the questions that nothing answered, the most asked first."""
    found: list[KnowledgeGap] = do(commands.LIST_KNOWLEDGE_GAPS, Nothing(), clinic)
    print_list(found, lambda gap: f"{gap.count:4} {gap.id}: {' | '.join(gap.questions[:3])}", "There are no gaps.")


def answer(
    clinic: ClinicOption,
    gap: Annotated[str, typer.Argument(help="The id, as `gendei knowledge gaps` prints it.")],
    text: Annotated[str, typer.Argument(help="What patients are told, once it is approved.")],
) -> None:
    """Propose what answers a group of questions, and list those that it would not answer."""
    entry = _tried(commands.ANSWER_KNOWLEDGE_GAP, commands.AnswerGap(gap_id=gap, answer=text), clinic, gap)
    print(escaped(_line(entry)))
    left = _would_leave(clinic, entry.id)
    print_list(left, lambda question: question, "It would answer all of them.")


def dismiss(
    clinic: ClinicOption,
    gap: Annotated[str, typer.Argument(help="The id, as `gendei knowledge gaps` prints it.")],
) -> None:
    """Want no answer for a group of questions."""
    found: KnowledgeGap = do(commands.DISMISS_KNOWLEDGE_GAP, commands.OfGap(gap_id=gap), clinic)
    print(escaped(found.questions[0]))


def test(clinic: ClinicOption) -> None:
    """Ask every question form and every kept question again. Ends with status 1 where an entry does not answer one."""
    failing = _failing(clinic)
    print_list(failing, lambda miss: f"{miss[0]}: {miss[1]}", "Every entry answers its questions.")
    if failing:
        raise typer.Exit(1)


def read(
    clinic: ClinicOption,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A PDF, a web page, or a text.")],
) -> None:
    """Propose an entry for each question, and each heading with text below it, of a file. Nobody is told it before
    somebody approves it."""
    with file.open("rb") as opened:
        given = sources.ReadKnowledge(file_name=file.name[: sources.LONGEST_NAME], content=opened.read(MOST_BYTES + 1))
    _print_proposed(_brought(sources.READ_KNOWLEDGE, given, clinic, file.name))


def starter(clinic: ClinicOption) -> None:
    """Propose what patients of the clinic's vertical usually ask, with answers that the clinic completes."""
    _print_proposed(_brought(sources.PROPOSE_STARTER_KNOWLEDGE, Nothing(), clinic, clinic))


def _brought(command: Any, given: Any, clinic: str, name: str) -> Proposed:
    """What a command answers; what it refuses ends with status 1, and why."""
    try:
        proposed: Proposed = do(command, given, clinic)
    except CommandRefused as refused:
        say(f"{escaped(name)}: {worded(refused.problem)}", aside=True)
        raise typer.Exit(1) from None
    return proposed


def _print_proposed(proposed: Proposed) -> None:
    """A line an entry. What stands already with other words, or is refused, is told aside."""
    for entry in proposed.made:
        print(escaped(_line(entry)))
    for entry in proposed.standing:
        say(f"{entry.id}: {worded('stands already with other words, and stays so')}", aside=True)
    for each in proposed.refused:
        question = escaped(each.proposal.questions[0][:80])
        say(f"{question}: {worded(commands.PROBLEMS[each.fault])}", aside=True)
    if not proposed.made:
        say("There is nothing new.")


def _tried(command: Any, given: Any, clinic: str, entry_id: str) -> KnowledgeEntry:
    """What a command answers; what it refuses ends with status 1, and why."""
    try:
        entry: KnowledgeEntry = do(command, given, clinic)
    except CommandRefused as refused:
        say(f"{entry_id}: {worded(refused.problem)}", aside=True)
        raise typer.Exit(1) from None
    return entry


def _version(clinic: str, entry_id: str) -> int:
    found = {entry.id: entry.version for entry in do(commands.LIST_KNOWLEDGE, Nothing(), clinic)}
    return found.get(entry_id, 0)


def _as_in_file(entry: KnowledgeEntry) -> dict[str, Any]:
    fields = EntryInFile.model_fields
    return {name: getattr(entry, name) for name in fields} | {"questions": list(entry.questions)}


def _given(written: EntryInFile) -> dict[str, Any]:
    """What a file says; left out, owner and source stay."""
    stays = {name for name in ("owner", "source") if not getattr(written, name)}
    return written.model_dump(exclude=stays)


def _line(entry: KnowledgeEntry) -> str:
    said = f" (v{entry.live.version})" if entry.live else ""
    return f"{entry.id} v{entry.version} {entry.state}{said}: {entry.questions[0]}"


def _row(entry: KnowledgeEntry) -> dict[str, Any]:
    return commands.KnowledgeOut.told_of(entry).model_dump(mode="json", by_alias=True)


@in_store
async def _would_leave(stored: Stored, clinic_id: str, entry_id: str) -> list[str]:
    """The kept questions of an entry that it would not answer if it were approved as it is written."""
    clinic = await stored.clinic(clinic_id)
    base = KnowledgeBase(stored.documents, stored.clock)
    entry, known = await base.get(clinic.id, entry_id), await base.of(clinic)
    trial = trial_of(known.index, Searchable(entry_id, entry.questions, entry.answer), entry.cases)
    return [asked.question for asked in trial.tried if not asked.by_it]


@in_store
async def _failing(stored: Stored, clinic_id: str) -> list[tuple[str, str]]:
    known = await KnowledgeBase(stored.documents, stored.clock).of(await stored.clinic(clinic_id))
    return known.failing()

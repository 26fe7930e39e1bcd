"""Changes of a clinic's data, raced on every store that processes share: nothing is lost, nothing is half done."""

import asyncio
from collections.abc import Awaitable

import pytest
from tests.contracts.conftest import Engine
from tests.journeys.town import AURORA, SECRET_KEY, clinics

from gendei.clinics.directory import Directory
from gendei.clinics.field_paths import as_file
from gendei.clinics.written import written
from gendei.clock import system_clock
from gendei.datafile import data_dir
from gendei.documents import Documents
from gendei.secrets import SecretBox
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.editing import ClinicCheck, Edit
from gendei.staff.clinic_changes.file_import import FileImports, Keep, StaffChanged
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.clinic_changes.texts import ChangeFault, ChangeTexts
from gendei.verticals import load_verticals

ANA, BIA = (Actor(AURORA, name, name.title(), RIGHTS[Role.GESTOR]) for name in ("ana", "bia"))
CHECK = ClinicCheck(load_verticals(data_dir("verticals")), lambda: SecretBox(SECRET_KEY))
TEXTS = ChangeTexts.load(data_dir("prompts"))


class Process:
    """One process: its own connection to the store, and its own memory of the clinics."""

    def __init__(self, documents: Documents) -> None:
        self.documents, self.directory = documents, Directory(documents)
        self.changes = ClinicChanges(documents, self.directory, system_clock, CHECK, TEXTS)
        self.imports = FileImports(documents, self.directory, system_clock, CHECK)

    async def save(self, actor: Actor, version: int, **fields: object) -> object:
        """The version that stands then, or why not."""
        edits = [Edit(name.replace("__", "."), value) for name, value in fields.items()]
        try:
            return (await self.changes.save(actor, version, edits, source="api")).version
        except ChangeRefused as refused:
            return refused.reason

    async def content(self) -> dict:
        return (await self.changes.read(ANA)).content


@pytest.fixture
async def processes(shared_engine: Engine):
    opened = [Process(await shared_engine.open()) for _ in range(2)]
    await opened[0].directory.import_clinic(clinics()[0])
    yield opened
    for process in opened:
        await process.documents.close()


async def test_ten_changes_of_ten_fields_by_two_editors_at_once_all_stand(processes: list[Process]) -> None:
    fields = ["name", "address", "phone", "notes", "cancellation_policy"]
    limits = ["lead_minutes", "horizon_days", "buffer_minutes", "hold_minutes", "most_ahead"]
    saves: list[Awaitable[object]] = [processes[0].save(ANA, 1, **{name: f"novo {name}"}) for name in fields] + [
        processes[1].save(BIA, 1, **{f"booking__{name}": 11}) for name in limits
    ]

    versions = await asyncio.gather(*saves)

    content = await processes[1].content()
    history = await processes[0].changes.history(ANA)
    assert sorted(versions, key=str) == sorted(range(2, 12), key=str)
    assert {name: content[name] for name in fields} == {name: f"novo {name}" for name in fields}
    assert content["booking"] == dict.fromkeys(limits, 11)
    assert [change.revision for change in history] == list(range(11, 1, -1))
    assert sorted(field.field for change in history for field in change.fields) == sorted(
        [*fields, *(f"booking.{name}" for name in limits)]
    )


async def test_of_ten_that_change_one_field_at_once_one_does_and_nine_are_told(processes: list[Process]) -> None:
    saves = [processes[number % 2].save((ANA, BIA)[number % 2], 1, name=f"Nome {number}") for number in range(10)]

    answers = await asyncio.gather(*saves)

    [change] = await processes[0].changes.history(ANA)
    assert sorted(map(str, answers)) == sorted(["2", *[str(ChangeFault.EDITED)] * 9])
    assert (await processes[1].content())["name"] == change.fields[0].new == f"Nome {answers.index(2)}"


async def test_an_undo_and_a_change_of_the_same_field_at_once_leave_no_lost_value(processes: list[Process]) -> None:
    await processes[0].save(ANA, 1, name="Primeiro")

    async def undo() -> object:
        try:
            return (await processes[1].changes.undo(BIA, 2, source="api")).version
        except ChangeRefused as refused:
            return refused.reason

    undone, saved = await asyncio.gather(undo(), processes[0].save(ANA, 2, name="Segundo"))

    name = (await processes[0].content())["name"]
    assert (name, undone, saved) in [
        ("Segundo", ChangeFault.CHANGED_SINCE, 3),
        ("Clínica Aurora", 3, ChangeFault.EDITED),
    ]


async def test_a_file_and_a_change_at_once_never_take_the_change_back_unsaid(processes: list[Process]) -> None:
    file = clinics()[0]

    async def bring() -> object:
        try:
            return (await processes[1].imports.bring(ANA, file)).revision
        except StaffChanged as changed:
            return [conflict.field for conflict in changed.conflicts]

    brought, saved = await asyncio.gather(bring(), processes[0].save(ANA, 1, notes="Há vagas"))

    assert (brought, saved) in [(["notes"], 2), (2, 3)]
    assert (await processes[0].content())["notes"] == "Há vagas"


async def test_a_change_is_seen_by_another_process_that_follows(processes: list[Process]) -> None:
    seen, name = asyncio.Event(), "Aurora Nova"
    async with processes[1].directory as following:

        def heard() -> None:
            if any(clinic.name == name for clinic in following.all()):
                seen.set()

        following.on_refresh(heard)
        await processes[0].save(ANA, 1, name=name)
        await asyncio.wait_for(seen.wait(), 30)


async def test_ours_keeps_what_staff_changed_and_asks_again_the_next_time(processes: list[Process]) -> None:
    process, file = processes[0], clinics()[0]
    await process.imports.bring(ANA, file)
    await process.save(BIA, 2, notes="Há vagas", booking__lead_minutes=5)

    first = await process.imports.bring(ANA, file, Keep.OURS)
    disputed = (await process.imports.compare(file)).disputed
    again = await process.imports.bring(ANA, file, Keep.OURS)
    kept = await process.content()
    taken = await process.imports.bring(ANA, file, Keep.THEIRS)

    assert (kept["notes"], kept["booking"]["lead_minutes"], first.fields, again.fields) == ("Há vagas", 5, (), ())
    assert sorted(conflict.field for conflict in disputed) == ["booking.lead_minutes", "notes"]
    assert sorted(field.field for field in taken.fields) == ["booking.lead_minutes", "notes"]
    assert (await process.content()) == as_file(written(file))
    assert (await process.imports.compare(file)).disputed == ()

"""What the commands about one store need: the store, its clinics, and who acts in the terminal."""

import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from gendei.cli.language import say
from gendei.cli.running import run
from gendei.clinic import Clinic, ClinicId
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.documents import Documents
from gendei.errors import NotFound
from gendei.observing.logs import escaped
from gendei.settings import Settings
from gendei.store.opening import open_documents

if TYPE_CHECKING:  # who only reads appointments or clinics need not wait for them
    from gendei.staff.clinic_changes.editing import ClinicCheck
    from gendei.staff.clinic_changes.file_import import FileImports
    from gendei.staff.clinic_drafts.drafts import ClinicDrafts
    from gendei.staff.clinic_drafts.invitations import Invitations
    from gendei.staff.operation import Operation
    from gendei.staff.staff import Staff

P = ParamSpec("P")
T = TypeVar("T")
ClinicOption = Annotated[str, typer.Option("--clinic", help="The clinic's id.")]
OnlyClinic = Annotated[str, typer.Option("--clinic", help="Only this clinic's, by its id.")]
AsJson = Annotated[bool, typer.Option("--json", help="An array of objects, for scripts.")]


@dataclass(frozen=True, slots=True)
class Stored:
    settings: Settings
    documents: Documents
    directory: Directory
    clock: Clock

    @property
    def staff(self) -> "Staff":
        """Raises ConfigurationError without GENDEI_SECRET_KEY."""
        from gendei.secrets import SecretBox  # noqa: PLC0415
        from gendei.staff.staff import open_staff  # noqa: PLC0415

        return open_staff(self.documents, SecretBox(self.settings.key), self.clock)

    @property
    def operation(self) -> "Operation":
        from gendei.staff.operation import Operation  # noqa: PLC0415

        return Operation(self.documents, self.directory, self.clock)

    @property
    def check(self) -> "ClinicCheck":
        """The check of clinic files, for changes of single fields."""
        from gendei.datafile import data_dir  # noqa: PLC0415
        from gendei.secrets import SecretBox  # noqa: PLC0415
        from gendei.staff.clinic_changes.editing import ClinicCheck  # noqa: PLC0415
        from gendei.verticals import load_verticals  # noqa: PLC0415

        verticals = load_verticals(data_dir("verticals", self.settings.verticals_dir))
        return ClinicCheck(verticals, lambda: SecretBox(self.settings.key), self.settings.private_networks)

    @property
    def telling_directory(self) -> Directory:
        """One that tells what a change frees of the agenda; a running service knows who follows."""
        from gendei.booking.events import telling_imports  # noqa: PLC0415
        from gendei.conversation.work.following import Following  # noqa: PLC0415

        following = Following(self.documents, self.clock, tells_all=True)
        return Directory(self.documents, self.clock, telling_imports(following.tell, self.clock))

    @property
    def file_imports(self) -> "FileImports":
        from gendei.staff.clinic_changes.file_import import FileImports  # noqa: PLC0415

        return FileImports(self.documents, self.telling_directory, self.clock, self.check)

    @property
    def drafts(self) -> "ClinicDrafts":
        from gendei.staff.clinic_drafts.drafts import ClinicDrafts  # noqa: PLC0415

        return ClinicDrafts(self.documents, self.telling_directory, self.clock, self.check)

    @property
    def invitations(self) -> "Invitations":
        from gendei.staff.clinic_drafts.invitations import Invitations  # noqa: PLC0415

        return Invitations(self.documents, self.drafts, self.staff.accounts, self.clock)

    async def clinic(self, clinic_id: str) -> Clinic:
        """Raises NotFound."""
        clinic = await self.directory.get(ClinicId(clinic_id))
        if clinic is None:
            raise NotFound(f"there is no clinic {clinic_id}; `gendei clinics list` shows those there are")
        return clinic


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Stored]:
    """The store that the settings name, closed on leaving."""
    documents, clock = await open_documents(settings), settings.start_clock()
    try:
        async with Directory(documents, clock) as directory:
            yield Stored(settings, documents, directory, clock)
    finally:
        await documents.close()


def in_store(work: Callable[Concatenate[Stored, P], Awaitable[T]]) -> Callable[P, T]:
    """`work` as a plain function, on the store that the settings name, which is opened for it."""

    async def open_and_work(*args: P.args, **kwargs: P.kwargs) -> T:
        async with opened(Settings.load()) as stored:
            return await work(stored, *args, **kwargs)

    @functools.wraps(work)
    def run_in_store(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(open_and_work(*args, **kwargs))

    return run_in_store


def print_list(
    found: Sequence[T],
    line: Callable[[T], str],
    nothing: str,
    *,
    aside: bool = False,
    row: Callable[[T], dict[str, Any]] | None = None,
) -> None:
    """A line for each, or `nothing`, which goes to standard error with `aside`. row: of an array of JSON instead."""
    if row:
        print(json.dumps([row(item) for item in found], default=str, ensure_ascii=False, indent=2))
        return
    for item in found:
        print(escaped(line(item)))
    if not found:
        say(nothing, aside=aside)

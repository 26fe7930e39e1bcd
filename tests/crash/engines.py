"""The stores that the rig's processes share."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from uuid import uuid4

from tests.emulator import GIVEN, emulator
from tests.journeys.town import APP_SECRET, SECRET_KEY

from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.clinics.file import load_clinics
from gendei.datafile import data_dir
from gendei.documents import Documents
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.store.opening import open_documents
from gendei.verticals import load_verticals

RIG_TOKEN = "EAAG-token-of-the-rig"
NAMES = ("sqlite", "firestore")


@dataclass(frozen=True)
class Engine:
    """One fresh database: `variables` is what a process needs in its environment to work on it."""

    name: str
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def server(self) -> str | None:
        """The "host:port" that processes reach the store at; None for a file."""
        return self.variables.get(GIVEN)

    @asynccontextmanager
    async def documents(self) -> AsyncIterator[Documents]:
        """The store, beside the processes that use it."""
        settings = Settings.load(
            _env_file=None,
            database=self.variables["GENDEI_DATABASE"],
            firestore_emulator_host=self.server,
        )
        documents = await open_documents(settings)
        try:
            yield documents
        finally:
            await documents.close()


def sqlite_in(folder: Path) -> Engine:
    return Engine("sqlite", {"GENDEI_DATABASE": f"sqlite:///{folder / 'rig.db'}"})


def firestore_at(address: str) -> Engine:
    """A project of its own on the emulator at "host:port"."""
    project = f"rig-{uuid4().hex[:20]}"
    return Engine("firestore", {"GENDEI_DATABASE": f"firestore://{project}", GIVEN: address})


@contextmanager
def engine_named(name: str, folder: Path) -> Iterator[Engine]:
    """For Firestore with an emulator, started here unless FIRESTORE_EMULATOR_HOST names one. Raises NoEmulator."""
    if name == "sqlite":
        yield sqlite_in(folder)
        return
    with emulator(folder) as address:
        yield firestore_at(address)


@cache
def clinic() -> Clinic:
    """The rig's clinic, through the import's own code."""
    path = Path(__file__).with_name("clinic.yaml")
    verticals = load_verticals(data_dir("verticals"))
    [loaded] = load_clinics([path], {"RIG_TOKEN": RIG_TOKEN}, verticals, SecretBox(SECRET_KEY))
    return loaded


def maker() -> WebhookMaker:
    """Of the webhooks for the clinic's number, by the machine's clock."""
    [channel] = clinic().channels
    return WebhookMaker(APP_SECRET.encode(), channel.external_id)


async def import_clinic(documents: Documents) -> None:
    async with Directory(documents) as directory:
        await directory.import_clinic(clinic())

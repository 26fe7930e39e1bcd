"""What the commands about one clinic need: its store and the clinic itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gendei.clinic import Clinic, ClinicId
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.documents import Documents
from gendei.errors import NotFound
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.operation import Operation
from gendei.staff.staff import Staff, open_staff
from gendei.store.opening import open_documents


@dataclass(frozen=True, slots=True)
class Stored:
    settings: Settings
    documents: Documents
    directory: Directory
    clock: Clock

    @property
    def staff(self) -> Staff:
        """Raises ConfigurationError without GENDEI_SECRET_KEY."""
        key = self.settings.secret_key
        return open_staff(self.documents, SecretBox(key.get_secret_value() if key else None), self.clock)

    @property
    def operation(self) -> Operation:
        return Operation(self.documents, self.directory, self.clock)

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

"""Bia at Aurora's desk with the assistant of the real service, and who must see nothing of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.journeys.town import AURORA, BROMELIA, NOW, clinics, settings_for
from tests.web.api.conftest import NOBODY_SENDS, Api, gestor, moment

from gendei.app import Gendei, open_gendei
from gendei.assistant.assistant import Answer
from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, ClinicId
from gendei.receptionist.llm.models import ApiModels
from gendei.staff.actors import Actor, Right

BOTH = frozenset({Right.READ, Right.WRITE})
MARIA = "+5511999990001"


def person(user_id: str = "bia", clinic_id: ClinicId = AURORA, rights: frozenset[Right] = BOTH) -> Actor:
    address = f"{user_id}@clinica.example"
    return Actor(clinic_id, address, user_id.capitalize(), rights, address)


BIA, RUI, OLGA = person(), person("rui"), person("olga", BROMELIA)
MANAGER = person("gil", rights=BOTH | {Right.MANAGE})
"""Rui works with Bia and Gil manages there; Olga works elsewhere."""


@dataclass
class Clock:
    """Stands still until it is moved."""

    now: datetime = field(default=NOW)

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True)
class Desk:
    gendei: Gendei
    clock: Clock

    async def say(self, *messages: str, actor: Actor = BIA) -> Answer:
        """The answer to the last of the messages."""
        for message in messages:
            answer = await self.gendei.assistant.say(actor, message)
        return answer

    async def share_work(self) -> None:
        """Let every professional of Aurora do every service whenever the clinic is open."""
        clinic = await self.gendei.directory.get(AURORA)
        assert clinic is not None
        does = tuple(service.id for service in clinic.services)
        everybody = tuple(replace(who, service_ids=does, hours=None) for who in clinic.professionals)
        await self.gendei.directory.import_clinic(replace(clinic, professionals=everybody))

    async def clinic(self) -> Clinic:
        found = await self.gendei.directory.get(AURORA)
        assert found is not None
        return found

    async def book(self, name: str, clock: str, day: int = 23, phone: str = MARIA) -> Appointment:
        wish = BookingRequest("limpeza", "paula", datetime.fromisoformat(moment(clock, day)), name, phone)
        return (await self.gendei.agenda_desk.agenda.book(RUI, wish)).appointment

    async def missed(self, name: str, clock: str, phone: str, day: int = 23) -> None:
        booked = await self.book(name, clock, day, phone)
        await self.gendei.agenda_desk.agenda.set_status(RUI, booked.id, AppointmentStatus.NO_SHOW)

    async def converse(self, contact: str = MARIA) -> None:
        await Api(self.gendei, None, {}, {}).converse(contact)  # type: ignore[arg-type]

    async def agenda(self) -> list[tuple[str, str, str]]:
        """(patient, local start, status) of the three days from the service's Monday on."""
        view = await self.gendei.agenda_desk.agenda.page(BIA, (NOW.date(), NOW.date() + timedelta(2)), 50)
        return [
            (appointment.patient_name, f"{appointment.start:%d %H:%M}", str(appointment.status)) for appointment in view
        ]

    async def tasks(self) -> list[tuple[str, str]]:
        found = (await self.gendei.tasks.list(BIA)).tasks
        return [(entry.title, str(entry.status)) for entry in found]

    async def audited(self) -> list[tuple[str, str]]:
        """(who, what) of Bia's, the newest first."""
        found = await self.gendei.staff.audit.search(gestor(), user_id=BIA.user_id)
        return [(entry.name, entry.action) for entry in found]


@asynccontextmanager
async def open_desk(folder: Path, models: ApiModels | None = None) -> AsyncIterator[Desk]:
    settings = settings_for(folder, NOBODY_SENDS).model_copy(update={"database": "sqlite:///:memory:"})
    clock = Clock()
    async with open_gendei(settings, models=models, clock=clock) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(clinic)
        yield Desk(gendei, clock)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened

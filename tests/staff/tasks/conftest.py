"""Two clinics' staff with tasks, on a Monday at 10:00."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from tests.staff.agenda.office import ATENDENTE, GESTOR, Office, open_office, wish

from gendei.booking.appointment import Appointment
from gendei.datafile import data_dir
from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Actor, Role
from gendei.staff.tasks.stored import Task
from gendei.staff.tasks.tasks import Tasks
from gendei.staff.tasks.texts import TaskTexts

TEXTS = TaskTexts.load(data_dir("prompts"))


@dataclass
class Board:
    office: Office
    tasks: Tasks

    async def add(self, title: str, actor: Actor = ATENDENTE, **more: str) -> Task:
        return await self.tasks.add(actor, title, **more)  # type: ignore[arg-type]

    async def titles(self, actor: Actor = ATENDENTE) -> list[str]:
        return [task.title for task in (await self.tasks.list(actor)).tasks]

    async def employ(self, actor: Actor) -> str:
        user = User(actor.user_id, actor.name, Role.ATENDENTE, actor.clinic_id, self.office.clock(), "-")
        await self.office.documents.commit([put(user_path(user.id), USER.write(user))])
        return user.id

    async def book(self) -> Appointment:
        return (await self.office.agenda.book(ATENDENTE, wish("10:00"))).appointment

    async def actions(self) -> list[str]:
        """What the clinic's audit has, by name: the clock stands still."""
        return sorted(entry.action for entry in await self.office.audit.search(GESTOR))


@pytest.fixture
async def board() -> AsyncIterator[Board]:
    async with open_office() as office:
        yield Board(office, Tasks(office.documents, office.clinics, office.clock, TEXTS))

"""The real service in this process, and programs that ask it: one of Aurora, one that may only read, and Bromélia's."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.journeys.town import AURORA, BROMELIA, NOW, NUMBERS, SAO_PAULO, clinics, settings_for

from gendei.app import Gendei, open_gendei
from gendei.channel_kinds import WEB
from gendei.clinic import Channel, Clinic, ClinicId, Contact
from gendei.clock import MovableClock, clock_from
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import create
from gendei.messages.channels import SERVICE_WINDOW
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import RIGHTS, Actor, Right, Role
from gendei.web.app import app_for

NOBODY_SENDS = "http://127.0.0.1:9"
ORIGINS = {AURORA: "https://www.aurora.test", BROMELIA: "https://www.bromelia.test"}


def gestor(clinic_id: ClinicId = AURORA) -> Actor:
    return Actor(clinic_id, "u1", "Carla", RIGHTS[Role.GESTOR])


def with_site(clinic: Clinic) -> Clinic:
    """The clinic with a chat on its own web site, whose name is the clinic's id."""
    site = Channel(WEB, clinic.id, {}, clinic.id, {"origins": ORIGINS[clinic.id]})
    return replace(clinic, channels=(*clinic.channels, site))


def moment(clock: str, day: int = 24) -> str:
    """A local time of November 2026, as the API takes it; the 24th is the Tuesday after the service's Monday."""
    hour, minute = map(int, clock.split(":"))
    return datetime(2026, 11, day, hour, minute, tzinfo=SAO_PAULO).isoformat()


@dataclass(frozen=True)
class Api:
    """`client` asks as a program of Aurora's with both scopes; `as_` gives another token's headers."""

    gendei: Gendei
    client: httpx.AsyncClient
    outsider: dict[str, str]
    reader: dict[str, str]

    async def converse(self, contact: str) -> None:
        """A conversation of Aurora's in which the patient wrote just now."""
        now = self.gendei.clock()
        key = ConversationKey(AURORA, Contact(contact))
        said = Conversation(AURORA, key.contact, now, now, user_name="Maria Silva", phone=contact)
        here = replace(said, provider="meta", external_id=NUMBERS[AURORA], window_ends_at=now + SERVICE_WINDOW)
        await self.gendei.documents.commit([create(key.path, CONVERSATION.write(here))])

    async def book(self, clock: str = "14:00", **changes: Any) -> dict[str, Any]:
        answer = await self.client.post("/appointments", json=wish(clock, **changes))
        assert answer.status_code == 201, answer.text
        return answer.json()


def wish(clock: str = "14:00", **changes: Any) -> dict[str, Any]:
    return {
        "serviceId": "limpeza",
        "professionalId": "paula",
        "start": moment(clock),
        "patientName": "Maria Silva",
        "phone": "(11) 99999-0001",
    } | changes


async def bearer(gendei: Gendei, clinic_id: ClinicId, *rights: Right) -> dict[str, str]:
    _, text = await gendei.staff.tokens.add(gestor(clinic_id), "programa", rights)
    return {"Authorization": f"Bearer {text}"}


@asynccontextmanager
async def api_over(folder: Path, database: str = "sqlite:///:memory:") -> AsyncIterator[Api]:
    """The service on `database`, with the clinics of the journeys, each with a site."""
    settings = settings_for(folder, NOBODY_SENDS).model_copy(update={"database": database})
    async with open_gendei(settings, clock=MovableClock(clock_from(NOW))) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(with_site(clinic))
        own = await bearer(gendei, AURORA, Right.READ, Right.WRITE)
        transport = httpx.ASGITransport(app_for(gendei), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/api/v1", headers=own) as client:
            yield Api(
                gendei,
                client,
                outsider=await bearer(gendei, BROMELIA, Right.READ, Right.WRITE),
                reader=await bearer(gendei, AURORA, Right.READ),
            )


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_over(tmp_path) as opened:
        yield opened

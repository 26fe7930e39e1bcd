"""Live calls: strangers do not use up the day's seconds of a clinic, and no contact those of others."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.journeys.town import AURORA, BROMELIA, Town, open_town
from tests.voice.live_client import SILENCE, calling
from tests.voice.studio import Studio

from gendei.clinic import ClinicId, Contact
from gendei.conversation.site.live_line import Caller
from gendei.conversation.site.web_channel import Visitor
from gendei.providers.stand_in.local_server import serve
from gendei.voice.live.call import nobody_else
from gendei.voice.live.seats import LiveLimits

MARIA, JOAO = "+5511999990001", "+5511999990002"
BUSY = (4429, "busy")


@pytest.fixture
async def town(tmp_path) -> AsyncIterator[Town]:
    """The town with speech. A caller's token is the contact, after the clinic."""
    studio = Studio()
    async with serve(studio.app) as url, open_town(tmp_path, speech_url=f"{url}/v1") as town:

        async def known(token: str):
            clinic_id, _, contact = token.partition(" ")
            phone = contact if contact.startswith("+") else None
            visitor = Visitor(ClinicId(clinic_id), Contact(contact), phone, "Maria Silva")
            clinic = await town.gendei.directory.get(visitor.clinic_id)
            assert clinic is not None
            return Caller(visitor, clinic.channels[0].provider, clinic.channels[0].external_id), nobody_else

        town.gendei.live.known.append(known)
        yield town


def call(town: Town, contact: str, clinic: str = AURORA):
    return calling(str(town.client.base_url).rstrip("/"), f"{clinic} {contact}")


def limit(town: Town, **limits: float) -> None:
    town.gendei.live.limits = replace(LiveLimits(), **limits)


async def test_strangers_leave_half_of_the_days_seconds_to_patients(town: Town):
    limit(town, daily_seconds=4, contact_seconds=100)
    async with call(town, "web:stranger") as stranger:
        await stranger.play(SILENCE * 4)
        assert await stranger.until_closed() == BUSY
    async with call(town, "web:another") as another, call(town, "web:another", BROMELIA) as elsewhere:
        assert await another.until_closed() == BUSY
        assert elsewhere.of("ready") != []
    async with call(town, MARIA) as patient:
        assert patient.of("ready") != []


async def test_one_contact_uses_its_own_seconds_and_no_more(town: Town):
    limit(town, daily_seconds=100, contact_seconds=2)
    async with call(town, MARIA) as client:
        await client.play(SILENCE * 4)
        assert await client.until_closed() == BUSY
    async with call(town, MARIA) as again, call(town, JOAO) as other:
        assert await again.until_closed() == BUSY
        assert other.of("ready") != []

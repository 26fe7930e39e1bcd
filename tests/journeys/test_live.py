"""Speaking live over a real WebSocket: real sound, the real service, and a stand-in of the audio API."""

from dataclasses import dataclass

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import NUMBERS, Town, open_town
from tests.voice.live_client import LiveClient, calling
from tests.voice.studio import Studio

from gendei.clinic import Contact
from gendei.conversation.live_line import Caller
from gendei.conversation.web_channel import Visitor
from gendei.providers.local_server import serve
from gendei.voice.live.call import nobody_else


@dataclass
class Line:
    """The town with speech, and who may speak live with it: everybody whose token is their phone."""

    town: Town
    studio: Studio

    @property
    def url(self) -> str:
        return str(self.town.client.base_url).rstrip("/")

    def calling(self, phone: Phone, **start: str):
        return calling(self.url, phone.number, **start)

    async def said(self, client: LiveClient, words: object) -> dict:
        """Speak, and have it heard as `words`; what the clinic says first after it."""
        before = len(client.of("message"))
        self.studio.says.append(words)
        await client.say()
        return await client.told(before + 1)


@pytest.fixture
async def line(tmp_path):
    studio = Studio()
    async with serve(studio.app) as url, open_town(tmp_path, speech_url=f"{url}/v1") as town:
        yield Line(town, studio)


@pytest.fixture
def town(line) -> Town:
    return line.town


@pytest.fixture(autouse=True)
def tokens(line, maria, joao, dalva) -> None:
    people = {one.number: one for one in (maria, joao, dalva)}

    async def known(token: str):
        if token not in people:
            return None
        phone = people[token]
        visitor = Visitor(phone.clinic_id, Contact(phone.number), phone.number, phone.name)
        return Caller(visitor, "meta", NUMBERS[phone.clinic_id]), nobody_else

    line.town.gendei.live.known.append(known)


async def test_an_appointment_is_booked_by_voice_alone(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        asked = await line.said(client, "quero marcar uma limpeza amanhã às 15h")
        assert "Confirmar" in [one["title"] for one in asked["options"]]
        confirmed = await line.said(client, "sim")
        await client.until(lambda: bool(client.sound))
    assert "confirmad" in confirmed["text"]
    assert await line.town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]
    assert "às três da tarde" in line.studio.spoken[-1]["input"]

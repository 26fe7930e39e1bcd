"""Voice notes over Evolution API and Z-API: heard, answered by voice, and what was booked also in writing."""

import base64
from hashlib import sha256

import pytest
from tests.journeys.channels import CRAVO, Caller, open_square
from tests.voice.studio import OUT_OF_QUOTA, Studio, ogg, read, tone

from gendei.providers.stand_in.local_server import serve

MARIA, JOAO = "+5511999990001", "+5511999990002"
HELLO = ogg(tone(2))


@pytest.fixture
def studio() -> Studio:
    return Studio()


@pytest.fixture
async def square(tmp_path, studio: Studio):
    async with serve(studio.app) as url, open_square(tmp_path, speech_url=f"{url}/v1") as opened:
        yield opened


@pytest.fixture(params=["evolution", "zapi"])
def maria(square, request) -> Caller:
    return Caller(square, square.lines[request.param], MARIA)


async def send_note(maria: Caller, message_id: str = "3EB0NOTE") -> dict:
    """What the history keeps of a note, once it was answered."""
    maria.line.provider.files[message_id] = HELLO
    clinic = await maria.square.gendei.directory.get(CRAVO)
    base = next(channel for channel in clinic.channels if channel.provider == "zapi").settings["base_url"]
    digest = base64.b64encode(sha256(HELLO).digest()).decode()
    content = {"audioMessage": {"mimetype": "audio/ogg; codecs=opus", "ptt": True, "fileSha256": digest}}
    if "zapi" in maria.line.path:
        content = {"audio": {"audioUrl": f"{base}/files/{message_id}", "mimeType": "audio/ogg", "ptt": True}}
    assert await maria.deliver(maria.line.maker.message(MARIA, content, message_id=message_id)) == 200
    return next(
        message for message in await maria.square.history_of(MARIA) if message["providerMessageId"] == message_id
    )


def spoken(maria: Caller) -> list[bytes]:
    """The voice notes that arrived."""
    sent = (request.payload.get("audio") for request in maria.line.provider.sent_to(MARIA))
    return [base64.b64decode(item.removeprefix("data:audio/ogg;base64,")) for item in sent if item]


async def test_a_note_is_heard_and_answered_by_voice(maria: Caller, studio: Studio):
    studio.says.append("onde fica a clínica?")
    kept = await send_note(maria)
    assert (kept["note"]["transcript"], kept["media"]["state"], studio.heard) == (
        "onde fica a clínica?",
        "stored",
        [HELLO],
    )
    assert [read(utterance)[:3] for utterance in spoken(maria)] == [("OGG", "OPUS", 1)]


async def test_where_the_service_fails_the_patient_is_asked_to_write(maria: Caller, studio: Studio):
    studio.says.append(OUT_OF_QUOTA)
    studio.speaks.append(OUT_OF_QUOTA)
    kept = await send_note(maria)
    assert (kept["note"]["hearing"], maria.texts) == (
        "unheard",
        ["Não consegui ouvir o áudio agora. Pode escrever para mim, por favor?"],
    )


async def test_another_patient_gets_nothing_of_it(maria: Caller, studio: Studio):
    studio.says.append("onde fica a clínica?")
    await send_note(maria)
    assert (maria.line.provider.sent_to(JOAO), await maria.square.conversation(JOAO)) == ([], None)

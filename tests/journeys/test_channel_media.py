"""Files over Evolution API and Z-API: webhook in, the answer out, the file fetched from the stand-in."""

import base64
from hashlib import sha256

import pytest
from tests.journeys.channels import CRAVO, Caller, open_square

from gendei.clinic import ClinicId
from gendei.conversation.files.media import MediaName
from gendei.errors import NotFound
from gendei.store.opening import open_media

MARIA = "+5511999990001"
PHOTO = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40


@pytest.fixture
async def square(tmp_path):
    async with open_square(tmp_path) as opened:
        yield opened


@pytest.fixture(params=["evolution", "zapi"])
def maria(square, request) -> Caller:
    square.lines[request.param].provider.files["3EB0PHOTO"] = PHOTO
    return Caller(square, square.lines[request.param], MARIA)


async def send_photo(maria: Caller, message_id: str = "3EB0PHOTO") -> dict:
    """The message in the history, once the file was fetched or given up."""
    clinic = await maria.square.gendei.directory.get(CRAVO)
    base = next(channel for channel in clinic.channels if channel.provider == "zapi").settings["base_url"]
    content = {
        "imageMessage": {"mimetype": "image/jpeg", "fileSha256": base64.b64encode(sha256(PHOTO).digest()).decode()}
    }
    if "zapi" in maria.line.path:
        content = {"image": {"imageUrl": f"{base}/files/{message_id}", "mimeType": "image/jpeg"}}
    assert await maria.deliver(maria.line.maker.message(MARIA, content, message_id=message_id)) == 200
    return next(message for message in await maria.square.history_of(MARIA) if message["type"] == "image")


async def stored(maria: Caller, media: dict, clinic_id: ClinicId = CRAVO) -> bytes:
    name = MediaName(clinic_id, media["folder"], media["file"])
    async with open_media(maria.square.gendei.settings).reading(name) as chunks:
        return b"".join([chunk async for chunk in chunks])


async def test_a_photo_is_answered_and_kept_for_staff(maria):
    media = (await send_photo(maria))["media"]
    assert (media["contentType"], await stored(maria, media), len(maria.texts)) == ("image/jpeg", PHOTO, 1)


async def test_another_clinic_has_no_file_of_it(maria):
    media = (await send_photo(maria))["media"]
    with pytest.raises(NotFound):
        await stored(maria, media, ClinicId("aurora"))


async def test_what_is_no_photo_is_not_kept_and_books_nothing(square, maria):
    maria.line.provider.files["3EB0PHOTO"] = b"<html>oi</html>"
    media = (await send_photo(maria))["media"]
    assert (media["state"], len(maria.texts), await square.agenda_of(MARIA)) == ("failed", 1, [])


async def test_a_file_that_is_not_there_costs_nothing_but_the_file(maria):
    kept = await send_photo(maria, "3EB0GONE")
    assert kept.get("media", {}).get("state") != "stored"
    assert "Rua" in await maria.say("onde fica?")

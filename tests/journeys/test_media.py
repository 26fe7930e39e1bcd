"""Files over HTTP: webhook in, the answer out, the file fetched in two steps from the stand-in of Meta."""

import base64
from hashlib import sha256

import pytest
from starlette.responses import JSONResponse, RedirectResponse, Response
from tests.journeys.town import AURORA, BROMELIA

from gendei.clinic import ClinicId, Contact
from gendei.conversation.files.media import MediaName
from gendei.conversation.stored.follow_ups import Occasion
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import terminal
from gendei.store.opening import open_media

PHOTO = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40


class Shelf:
    """GET /v26.0/{media id} and /v26.0/files/{media id} beside the stand-in's own paths; only with the token."""

    def __init__(self, graph_app, url: str) -> None:
        self._graph, self._url = graph_app, url
        self.files = {"555": PHOTO}
        self.redirects: dict[str, str] = {}
        self.tokens: list[str] = []

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and scope["method"] == "GET":
            headers = dict(scope["headers"])
            self.tokens.append(headers.get(b"authorization", b"").decode())
            await self._answer(scope["path"])(scope, receive, send)
        else:
            await self._graph(scope, receive, send)

    def _answer(self, path: str) -> Response:
        *_, folder, media_id = path.split("/")
        if media_id in self.redirects and folder == "files":
            return RedirectResponse(self.redirects[media_id])
        if media_id not in self.files:
            return Response(status_code=404)
        if folder == "files":
            return Response(self.files[media_id], media_type="image/jpeg")
        told = {"id": media_id, "mime_type": "image/jpeg", "file_size": str(len(self.files[media_id]))}
        return JSONResponse(told | {"url": f"{self._url}/v26.0/files/{media_id}"})


@pytest.fixture
def shelf(town) -> Shelf:
    town.graph.app = Shelf(town.graph.app, town.gendei.settings.graph_url)
    return town.graph.app


def photo(media_id: str = "555", **fields) -> dict:
    digest = base64.b64encode(sha256(PHOTO).digest()).decode()
    return {"type": "image", "image": {"id": media_id, "mime_type": "image/jpeg", "sha256": digest, **fields}}


async def send(town, phone, content: dict, message_id: str = "wamid.photo") -> None:
    assert await town.post(town.maker(phone.clinic_id).message(phone.number, content, message_id=message_id)) == 200
    await town.idle()


async def message(town, phone, message_id: str = "wamid.photo") -> dict:
    key = ConversationKey(phone.clinic_id, Contact(phone.number))
    return (await town.gendei.documents.get(key.message_path(message_id))).data


async def stored(town, phone) -> bytes:
    media = (await message(town, phone))["media"]
    name = MediaName(phone.clinic_id, media["folder"], media["file"])
    async with open_media(town.gendei.settings).reading(name) as chunks:
        return b"".join([chunk async for chunk in chunks])


async def test_a_photo_is_answered_and_kept_for_staff(town, maria, shelf):
    await send(town, maria, photo())
    assert (await stored(town, maria), len(maria.messages)) == (PHOTO, 1)
    assert shelf.tokens == ["Bearer EAAG-token-of-aurora"] * 2


async def test_the_address_in_the_webhook_saves_a_step(town, maria, shelf):
    await send(town, maria, photo(url=f"{town.gendei.settings.graph_url}/v26.0/files/555"))
    assert (await stored(town, maria), len(shelf.tokens)) == (PHOTO, 1)


async def test_a_redirect_to_a_foreign_host_is_not_followed(town, maria, shelf):
    shelf.redirects["555"] = "http://localhost:9/steal"
    await send(town, maria, photo())
    media = (await message(town, maria))["media"]
    assert (media["state"], media["reason"]) == (
        "failed",
        "the file is not at Meta: its address names another host",
    )


@pytest.mark.parametrize("content", [b"<html></html>", PHOTO[:-1]])
async def test_another_file_than_was_announced_is_not_kept(town, maria, shelf, content):
    shelf.files["555"] = content
    await send(town, maria, photo())
    assert (await message(town, maria))["media"]["state"] == "failed"
    assert len(maria.messages) == 1


async def test_a_file_that_is_gone_costs_nothing_but_the_file(town, maria, shelf):
    await send(town, maria, photo("777"))
    assert (await message(town, maria))["media"]["state"] == "failed"
    assert await maria.say("onde fica?") == "📍 Rua do Sol, 12, Campinas"


async def test_a_caption_is_read_as_words(town, maria, shelf):
    await send(town, maria, photo(caption="onde fica?"))
    assert maria.last.text.splitlines()[-1] == "📍 Rua do Sol, 12, Campinas"


@pytest.mark.parametrize(
    "caption",
    ["olha o pedido do médico", "segue o exame que o Dr. Bruno pediu", "minha carteirinha", "esse é o encaminhamento"],
)
async def test_what_a_caption_says_of_its_file_is_for_the_team_and_the_open_question_stays(
    town, maria, dalva, shelf, caption
):
    await maria.say("quero marcar uma limpeza amanhã")
    times = maria.options
    await send(town, maria, photo(caption=caption))
    assert ("obrigada" in maria.last.text, maria.options) == (True, times)
    await dalva.say("oi")
    assert await file_tasks(town) == {AURORA: 1, BROMELIA: 0}
    assert "Posso marcar assim?" in await maria.tap(times[0])


async def test_a_question_about_a_file_is_answered_by_a_person_who_sees_it(town, maria, shelf):
    await send(town, maria, photo(caption="vocês fazem esse exame?"))
    assert ("Limpeza" in maria.last.text, "Já chamei alguém" in maria.last.text) == (False, True)
    [told] = (await town.gendei.front_desk.inbox.list(terminal(AURORA))).rows
    assert told.takeover_reason == "perguntou sobre um arquivo que mandou"


async def file_tasks(town) -> dict[ClinicId, int]:
    """How many tasks a sent file made at each clinic."""
    lists = {clinic: await town.gendei.tasks.list(terminal(clinic)) for clinic in (AURORA, BROMELIA)}
    return {clinic: sum(task.occasion is Occasion.FILE for task in found.tasks) for clinic, found in lists.items()}


PLACE = {"type": "location", "location": {"latitude": -22.9, "longitude": -47.0, "name": "amanhã às 15h"}}
CARD = {"type": "contacts", "contacts": [{"name": {"formatted_name": "limpeza amanhã 15h"}, "phones": []}]}
BASKET = {"type": "order", "order": {"catalog_id": "1", "product_items": [{"product_retailer_id": "limpeza"}]}}
STICKER = {"type": "sticker", "sticker": {"id": "555", "mime_type": "image/webp"}}


@pytest.mark.parametrize("content", [PLACE, CARD, BASKET, STICKER], ids=lambda item: item["type"])
async def test_what_has_no_words_books_nothing_and_is_answered(town, maria, shelf, content):
    await maria.say("limpeza amanhã às 15h")
    await send(town, maria, content)
    kept = await message(town, maria)
    assert (len(maria.messages), await town.agenda_of(maria.number), kept["type"]) == (2, [], content["type"])


@pytest.mark.parametrize(
    "content",
    [
        {"type": "reaction", "reaction": {"message_id": "wamid.1", "emoji": "👍"}},
        {"type": "reaction", "reaction": {"message_id": "wamid.1"}},
        {"type": "revoke", "revoke": {"original_message_id": "wamid.1"}},
        {"type": "unsupported", "unsupported": {"type": "poll_update"}, "errors": [{"code": 131051}]},
    ],
    ids=str,
)
async def test_what_only_concerns_an_earlier_message_is_kept_in_silence(town, maria, content):
    await maria.write("limpeza amanhã às 15h", message_id="wamid.1")
    await town.idle()
    await send(town, maria, content, "wamid.later")
    assert (len(maria.messages), await town.agenda_of(maria.number)) == (1, [])
    assert (await message(town, maria, "wamid.later"))["role"] == "user"


async def test_the_other_clinic_has_no_file_of_it(town, maria, dalva, shelf):
    await send(town, maria, photo())
    await send(town, dalva, photo("777"), "wamid.other")
    assert (await message(town, dalva, "wamid.other"))["media"]["state"] == "failed"
    assert shelf.tokens[-1] == "Bearer EAAG-token-of-bromelia"

"""Files that staff send to a visitor of the clinic's web site."""

from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from tests.journeys.town import BROMELIA
from tests.web.api.conftest import ORIGINS, Api
from tests.web.api.test_chat import headers_of, listening, say, visit
from tests.web.api.test_files import JPEG, PDF, upload

THERE = {"Origin": ORIGINS[BROMELIA]}


@pytest.fixture
async def ana(api: Api) -> dict[str, str]:
    """The headers of a visitor of Aurora's site."""
    return headers_of(await visit(api))


async def sent(api: Api, ana: dict[str, str], content: bytes, name: str, text: str = "") -> dict[str, Any]:
    """The message that Ana got, as the stream of her page has it."""
    await say(api, ana, "oi")
    [row] = (await api.client.get("/conversations")).json()["items"]
    kept = (await upload(api, content, name)).json()
    async with listening(api, ana) as events:
        await anext(events)
        path = f"/conversations/{row['contact']}/messages"
        assert (await api.client.post(path, json={"fileId": kept["id"], "text": text})).status_code == 201
        [message] = (await anext(events))[1]["items"]
    told: dict[str, Any] = message
    return told


async def test_a_pdf_reaches_the_visitor_and_is_kept_under_its_name(api: Api, ana: dict[str, str]) -> None:
    message = await sent(api, ana, PDF, "preparo é.pdf", "Leia antes.")
    assert (message["text"], message["by"], message["file"]) == (
        "Leia antes.",
        "programa",
        {"name": "preparo é.pdf", "type": "application/pdf", "size": len(PDF)},
    )
    answer = await api.client.get(f"/chat/messages/{message['id']}/file", headers=ana)
    assert (answer.content, answer.headers["content-disposition"], answer.headers["content-type"]) == (
        PDF,
        "attachment; filename*=UTF-8''preparo%20%C3%A9.pdf",
        "application/octet-stream",
    )
    listed = (await api.client.get("/chat/messages", headers=ana)).json()["items"]
    assert [bool(item["file"]) for item in listed] == [False, False, True]


async def test_without_words_its_name_says_what_it_is(api: Api, ana: dict[str, str]) -> None:
    message = await sent(api, ana, JPEG, "fachada.jpg")
    assert (message["text"], message["file"]["type"]) == ("fachada.jpg", "image/jpeg")


async def test_nobody_else_has_it_and_other_messages_have_none(api: Api, ana: dict[str, str]) -> None:
    message = await sent(api, ana, PDF, "preparo.pdf")
    path = f"/chat/messages/{message['id']}/file"
    first = (await api.client.get("/chat/messages", headers=ana)).json()["items"][1]
    others = [headers_of(await visit(api)), headers_of(await visit(api, site="bromelia", headers=THERE)) | THERE]
    answers = [await api.client.get(path, headers=who) for who in (*others, {}, api.outsider)]
    answers.append(await api.client.get(f"/chat/messages/{first['id']}/file", headers=ana))
    assert [answer.status_code for answer in answers] == [404] * 5
    assert (await api.client.get(path, headers={"Authorization": "Bearer gdv_no"})).status_code == 401


async def test_one_that_is_not_kept_any_more_is_not_found(api: Api, ana: dict[str, str], tmp_path: Path) -> None:
    message = await sent(api, ana, PDF, "preparo.pdf")
    rmtree(tmp_path / "media")
    assert (await api.client.get(f"/chat/messages/{message['id']}/file", headers=ana)).status_code == 404

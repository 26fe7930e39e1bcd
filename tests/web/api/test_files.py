"""Files over the API: uploaded, then sent in a conversation."""

import zipfile
from io import BytesIO
from typing import Any

import pytest
from tests.web.api.conftest import Api
from tests.web.api.test_conversations import MARIA, PATH

from gendei.conversation.files.clinic_files import MEGABYTE

JPEG, PDF = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 300, b"%PDF-1.7\n" + b"preparo " * 100
ZIP = BytesIO()
with zipfile.ZipFile(ZIP, "w") as packed:
    packed.writestr("foto.exe", "MZ")


async def upload(api: Api, content: bytes, name: str = "", **headers: str) -> Any:
    return await api.client.post("/files", params={"fileName": name}, content=content, headers=headers)


async def test_a_file_goes_with_its_caption_and_stands_in_the_conversation(api: Api) -> None:
    await api.converse(MARIA)
    kept = (await upload(api, PDF, "C:\\exames\\prepa\u202ero.PDF")).json()
    sent = await api.client.post(f"{PATH}/messages", json={"fileId": kept["id"], "text": "Leia antes."})
    [message] = [item for item in await messages(api) if item["kind"] == "message"]
    assert (kept["kind"], kept["mimeType"], kept["size"], kept["fileName"]) == (
        "document",
        "application/pdf",
        len(PDF),
        "prepa ro.pdf",
    )
    assert (sent.status_code, message["id"], message["type"]) == (201, sent.json()["id"], "document")
    assert (message["text"], message["fileName"]) == ("Leia antes.", "prepa ro.pdf")


async def test_the_same_file_is_kept_once_and_sent_once_for_one_key(api: Api) -> None:
    await api.converse(MARIA)
    ids = {(await upload(api, JPEG, "foto.jpg", **{"Idempotency-Key": key})).json()["id"] for key in ("a", "a", "b")}
    [file_id] = ids
    for _ in range(2):
        sent = await api.client.post(
            f"{PATH}/messages", json={"fileId": file_id}, headers={"Idempotency-Key": "send-it"}
        )
        assert sent.status_code == 201
    assert [message["type"] for message in await messages(api) if message["kind"] == "message"] == ["image"]


@pytest.mark.parametrize(
    ("content", "name", "fault"),
    [
        (b"", "vazio.pdf", "is empty"),
        (ZIP.getvalue(), "foto.jpg", "is no JPEG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "logo.svg", "is no JPEG"),
        (b"OggS" + bytes(100), "video.ogg", "is no JPEG"),
        (JPEG + bytes(5 * MEGABYTE), "foto.jpg", "is larger"),
    ],
    ids=["empty", "a zip named .jpg", "svg with a script", "ogg without opus", "a photo of more than 5 MB"],
)
async def test_what_cannot_be_sent_is_refused_with_the_reason(api: Api, content: bytes, name: str, fault: str) -> None:
    answer = await upload(api, content, name)
    assert (answer.status_code, answer.json()["errors"][0]["problem"][: len(fault)]) == (422, fault)


async def test_what_is_larger_than_anything_is_not_read_to_its_end(api: Api) -> None:
    known = await upload(api, JPEG + bytes(17 * MEGABYTE), "foto.jpg")
    unknown = await upload(api, JPEG + bytes(MEGABYTE), "foto.jpg", Authorization="Bearer gdt_nobody")
    assert (known.status_code, unknown.status_code) == (413, 413)


async def test_another_clinic_cannot_send_the_file_and_who_may_only_read_cannot_upload(api: Api) -> None:
    await api.converse(MARIA)
    kept = (await upload(api, JPEG, "foto.jpg")).json()
    theirs = (await upload(api, PDF, "deles.pdf", **api.outsider)).json()
    sent = await api.client.post(f"{PATH}/messages", json={"fileId": theirs["id"]})
    by_them = await api.client.post(f"{PATH}/messages", json={"fileId": kept["id"]}, headers=api.outsider)
    reader = await upload(api, JPEG, "foto.jpg", **api.reader)
    assert [response.status_code for response in (sent, by_them, reader)] == [404, 404, 403]
    assert await messages(api) == []


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({}, "body.text"),
        ({"text": "x" * 4097}, "body.text"),
        ({"text": "oi", "fileId": "0" * 32, "options": [{"title": "Sim"}]}, "body.options"),
        ({"text": "oi", "fileId": "0" * 32, "template": True}, "body.template"),
    ],
)
async def test_a_message_that_cannot_be_is_refused_with_its_field(api: Api, asked: dict[str, Any], where: str) -> None:
    await api.converse(MARIA)
    answer = await api.client.post(f"{PATH}/messages", json=asked)
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, where)


async def test_a_list_goes_with_titles_and_descriptions_within_whatsapps_limits(api: Api) -> None:
    await api.converse(MARIA)
    options = [{"title": "Manhã", "description": "8h às 12h"}, {"title": "Tarde", "description": "13h às 18h"}]
    asked = {"text": "Quando prefere?", "options": options, "listLabel": "Ver turnos"}
    sent = await api.client.post(f"{PATH}/messages", json=asked)
    queued = (await api.gendei.documents.get(f"gendei_outbox/{sent.json()['id']}")).data
    assert queued is not None
    assert (queued["reply"]["asList"], queued["reply"]["listLabel"]) == (True, "Ver turnos")
    assert [(option["title"], option["description"]) for option in queued["reply"]["options"]] == [
        ("Manhã", "8h às 12h"),
        ("Tarde", "13h às 18h"),
    ]


async def messages(api: Api) -> list[dict[str, Any]]:
    return (await api.client.get(f"{PATH}/messages")).json()["items"]

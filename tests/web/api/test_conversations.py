"""Conversations over the API."""

from datetime import timedelta

import pytest
from tests.web.api.conftest import Api, gestor

from gendei.documents import put
from gendei.staff.audit import Action

MARIA = "+5511999990001"
PATH = f"/conversations/{MARIA}"


async def test_a_conversation_is_found_by_name_and_read(api: Api) -> None:
    await api.converse(MARIA)
    listed = (await api.client.get("/conversations", params={"search": "maria"})).json()["items"]
    one = (await api.client.get(PATH)).json()
    assert [(found["contact"], found["state"]) for found in listed] == [(MARIA, "bot")]
    assert one == listed[0] | {"freeText": True, "template": False, "session": None, "summary": ""}


async def test_who_sends_takes_over_and_hands_back(api: Api) -> None:
    await api.converse(MARIA)
    sent = await api.client.post(f"{PATH}/messages", json={"text": "Bom dia!"})
    taken = (await api.client.get(PATH)).json()
    back = (await api.client.post(f"{PATH}/hand-back", json={"note": "Resolvido."})).json()
    again = (await api.client.post(f"{PATH}/take-over", json={"reason": "ligou"})).json()
    messages = (await api.client.get(f"{PATH}/messages")).json()["items"]
    assert sent.status_code == 201
    assert [(conversation["state"], conversation["takenOverBy"]) for conversation in (taken, back, again)] == [
        ("person", "programa"),
        ("bot", None),
        ("person", "programa"),
    ]
    assert [
        (message["who"], message["name"], message["text"]) for message in messages if message["kind"] == "message"
    ] == [("person", "programa", "Bom dia!")]


@pytest.mark.parametrize("where", ["messages", "notes"])
async def test_a_blank_text_is_refused_by_its_field_and_nothing_is_sent(api: Api, where: str) -> None:
    await api.converse(MARIA)
    refused = await api.client.post(f"{PATH}/{where}", json={"text": " \n "})
    read = (await api.client.get(f"{PATH}/messages")).json()["items"]
    assert (refused.status_code, [wrong["where"] for wrong in refused.json()["errors"]]) == (422, ["body.text"])
    assert not [message for message in read if message["who"] == "person"]


async def test_what_needs_no_words_needs_no_body(api: Api) -> None:
    await api.converse(MARIA)
    booked = await api.book()
    paths = (f"{PATH}/take-over", f"{PATH}/hand-back", f"/appointments/{booked['id']}/cancel")
    answers = [await api.client.post(path) for path in paths]
    taken, back, cancelled = (answer.json() for answer in answers)
    assert (taken["state"], back["state"], cancelled["appointment"]["status"]) == ("person", "bot", "cancelled")


async def test_only_a_channel_that_has_a_service_window_tells_its_end(api: Api) -> None:
    await api.converse(MARIA)
    official = (await api.client.get(PATH)).json()
    key = f"gendei_clinics/aurora/conversations/{MARIA}"
    stored = (await api.gendei.documents.get(key)).data
    assert stored is not None
    await api.gendei.documents.commit(
        [put(key, {**stored, "channel": {"provider": "evolution", "externalId": "aurora"}})]
    )
    other = (await api.client.get(PATH)).json()
    assert (official["windowEndsAt"] is None, other["windowEndsAt"], other["freeText"]) == (False, None, True)


@pytest.mark.parametrize("text", ["", "  \n", "\x1c", "x" * 4097])
async def test_a_note_without_a_word_or_too_long_is_refused(api: Api, text: str) -> None:
    await api.converse(MARIA)
    assert (await api.client.post(f"{PATH}/notes", json={"text": text})).status_code == 422


async def test_a_note_is_kept_and_who_read_is_in_the_audit(api: Api) -> None:
    await api.converse(MARIA)
    assert (await api.client.post(f"{PATH}/notes", json={"text": "Prefere manhãs."})).status_code == 201
    messages = (await api.client.get(f"{PATH}/messages")).json()["items"]
    audited = await api.gendei.staff.audit.search(gestor(), action=Action.CONVERSATION_READ)
    assert [(message["kind"], message["text"]) for message in messages] == [("note", "Prefere manhãs.")]
    assert [(entry.name, entry.subject) for entry in audited] == [("programa", MARIA)]


async def test_outside_of_the_window_text_is_refused_and_so_is_a_template_that_there_is_not(api: Api) -> None:
    await api.converse(MARIA)
    key = f"gendei_clinics/aurora/conversations/{MARIA}"
    stored = (await api.gendei.documents.get(key)).data
    assert stored is not None
    closed = {**stored, "windowEndsAt": api.gendei.clock() - timedelta(minutes=1)}
    await api.gendei.documents.commit([put(key, closed)])
    text = await api.client.post(f"{PATH}/messages", json={"text": "Bom dia!"})
    template = await api.client.post(f"{PATH}/messages", json={"text": "Bom dia!", "template": True})
    assert (text.status_code, text.json()["reason"]) == (409, "window_closed")
    assert (template.status_code, template.json()["reason"]) == (409, "no_template")


async def test_who_never_wrote_is_not_found(api: Api) -> None:
    answer = await api.client.post(f"{PATH}/messages", json={"text": "Bom dia!", "template": True})
    assert (answer.status_code, answer.json()["title"]) == (404, "Not Found")

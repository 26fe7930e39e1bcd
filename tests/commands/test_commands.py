"""Each command is defined once: every surface offers it, and tells its refusals in the same words."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError
from tests.mcp.conftest import Office, office
from tests.mcp.test_outsiders import PHONE
from tests.web.api.conftest import Api, api, gestor, moment, wish

from gendei.booking.slots import Refusal
from gendei.commands.command import Command
from gendei.commands.conversations import ADD_FILE, CLOSE_CONVERSATION, AddNote
from gendei.commands.refusals import TABLE, CommandRefused, MessageDeclined, Reason, explained
from gendei.commands.running import COMMANDS, KEY, tool_schema
from gendei.commands.settings import change_of
from gendei.conversation.outbound.proactive import Decline
from gendei.errors import DocumentTooLarge, NaiveTime, NotFound, StoreUnavailable
from gendei.staff.actors import Forbidden, Right
from gendei.staff.agenda.agenda import AgendaRefused
from gendei.staff.clinic_changes.file_import import StaffChanged
from gendei.staff.clinic_drafts.drafts import DraftFault, DraftRefused
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.inbox.canned import CANNED, BadCanned
from gendei.web.pages.acting import refusal
from gendei.web.pages.page_texts import page_texts

__all__ = ["api", "office"]
WRITING = [command for command in COMMANDS.values() if command.writes]


async def test_every_command_that_changes_something_is_a_route_of_the_api(api: Api) -> None:
    schema = (await api.client.get("/openapi.json")).json()
    described = {value.get("description") for methods in schema["paths"].values() for value in methods.values()}
    assert [command.name for command in WRITING if command.description not in described] == []


def test_a_tool_has_what_its_command_takes_and_a_key_where_it_changes_something() -> None:
    for command in COMMANDS.values():
        takes = command.arguments.model_fields.keys() - command.hidden
        assert tool_schema(command.name)["properties"].keys() == takes | ({KEY} if command.writes else set())


@pytest.mark.parametrize(
    ("command", "right"),
    [(CLOSE_CONVERSATION, Right.WRITE), (ADD_FILE, Right.WRITE), (change_of(CANNED), Right.MANAGE)],
)
async def test_a_command_that_is_no_tool_is_refused_without_the_right_that_it_names(
    api: Api, command: Command[Any, Any], right: Right
) -> None:
    reader = replace(gestor(), rights=gestor().rights - {right})
    call = await api.gendei.desks.call(reader, "staff")

    with pytest.raises(Forbidden):
        await command.do(call, command.arguments.model_construct())
    assert command.name not in COMMANDS


@pytest.mark.parametrize("decline", list(Decline))
def test_a_page_says_why_the_clinic_may_not_begin_a_message(decline: Decline) -> None:
    assert refusal(MessageDeclined(decline)) == page_texts("acting")[decline]


def test_a_page_has_a_sentence_for_whatever_any_command_may_refuse_with() -> None:
    reasons = {why.cause or why.reason for _, why in TABLE} - {
        Reason.KEY_REUSED,
        Reason.IN_PROGRESS,
    }  # pages give no keys
    asked = {Reason.INVALID, Reason.WHOSE, Reason.TOO_LONG, Reason.FAILED}  # no page gives days, moments or names
    assert [reason for reason in reasons | asked if reason not in page_texts("acting")] == []


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (BadCanned("x"), "bad_canned"),
        (StaffChanged([]), "staff_changed"),
        *((DraftRefused(fault), f"draft_{fault}") for fault in DraftFault),
        (TooMuch("x"), "too_long"),
        (ValueError("x"), "invalid"),
        (NotFound(), "not_found"),
        (DocumentTooLarge("x"), "unavailable"),
        (NaiveTime(), "failed"),
    ],
)
def test_a_page_says_of_each_refusal_what_to_do(error: Exception, key: str) -> None:
    assert refusal(error) == page_texts("acting")[key]


def test_a_page_says_what_is_too_long() -> None:
    with pytest.raises(ValidationError) as caught:
        AddNote(contact=PHONE, text="x" * 4001)
    assert refusal(caught.value) == page_texts("acting")["too_long"]


@pytest.mark.parametrize(
    ("error", "reason", "status"),
    [
        (Forbidden(), "forbidden", 403),
        (NotFound(), "not_found", 404),
        (StoreUnavailable(), "unavailable", 503),
        (AgendaRefused(Refusal.TAKEN, "Ocupado."), "taken", 409),
        (AgendaRefused(Refusal.INVALID_NAME, "Sem nome."), "invalid_name", 422),
        (CommandRefused(Reason.WHOSE, "phone"), "whose", 422),
        (CommandRefused(Reason.PAST), "past", 409),
        (RuntimeError(), "failed", 500),
    ],
)
def test_a_refusal_has_one_reason_and_one_status(error: Exception, reason: str, status: int) -> None:
    why = explained(error)
    assert (why.reason, why.status) == (reason, status)


async def test_a_reply_and_a_note_that_are_too_long_name_the_argument(api: Api) -> None:
    booked = await api.book()
    await api.converse(booked["contact"])
    path, longest = f"/conversations/{booked['contact']}", "😀" * 2049
    answers = [
        await api.client.post(f"{path}/messages", json={"text": longest}),
        await api.client.post(f"{path}/hand-back", json={"note": longest}),
    ]
    told = [(answer.status_code, answer.json()["errors"][0]["where"], answer.json()["reason"]) for answer in answers]
    assert told == [(422, "body.text", "too_long"), (422, "body.note", "too_long")]


async def test_a_program_names_a_task_by_its_id_alone(api: Api) -> None:
    task = (await api.client.post("/tasks", json={"title": "Ligar"})).json()
    for path in ("/tasks/Ligar", f"/tasks/{'0' * 300}"):
        assert (await api.client.delete(path)).status_code == 404
        assert (await api.client.post(f"{path}/complete", json={})).status_code == 404
    assert (await api.client.get(f"/tasks/{task['id']}")).json() == task


async def test_a_program_says_no_moment_in_words(api: Api) -> None:
    answer = await api.client.post("/appointments", json=wish() | {"start": "terça às 14h"})
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.start")


async def test_what_stands_in_the_address_does_not_stand_in_the_body(api: Api) -> None:
    booked = await api.book()
    given = {"appointmentId": booked["id"], "start": moment("16:00")}
    answer = await api.client.post(f"/appointments/{booked['id']}/move", json=given)
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.appointmentId")


async def test_a_tool_does_not_take_what_no_preview_shows(office: Office) -> None:
    await office.converse(PHONE)
    refused = await office.bia.refused("reply_to_conversation", contact=PHONE, text="oi", file_id="0" * 32)
    assert refused == "invalid"


async def test_a_task_that_was_named_by_words_and_is_gone_is_deleted_once_by_its_key(office: Office) -> None:
    await office.bia.did("add_task", title="Ligar para Maria")
    first = await office.bia.did("delete_task", task="ligar", idempotency_key="k1")
    assert await office.bia.did("delete_task", task="ligar", idempotency_key="k1") == {**first, "repeated": True}


async def test_a_tool_that_books_can_have_the_patient_told(office: Office) -> None:
    told = await office.bia.did(
        "book_appointment",
        service_id="limpeza",
        professional_id="paula",
        start=moment("14:00"),
        patient_name="Maria Silva",
        phone=PHONE,
        notify=True,
    )
    assert told["notice"]["queued"] is False
    assert told["notice"]["text"].startswith("Não avisado")


async def test_an_outsider_notes_nothing(office: Office) -> None:
    await office.converse(PHONE)
    assert await office.olga.refused("add_note", contact=PHONE, text="oi") == "not_found"
    assert (await office.bia.did("read_conversation", contact=PHONE))["messages"] == []

"""Every tool that writes: what it does stands in the audit under the token's name, and the same call again, as clients
make it after a lost answer, does nothing more."""

import json
from typing import Any

import pytest
from tests.journeys.town import AURORA
from tests.mcp.conftest import Assistant, Office
from tests.mcp.test_outsiders import PHONE, scene, seen
from tests.web.api.conftest import moment

from gendei.clinic import Contact
from gendei.commands.running import COMMANDS
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import put
from gendei.messages.keys import ConversationKey
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Right, Role

SETTING = "clinic.setting_changed"
WRITES: dict[str, tuple[dict[str, Any], str]] = {
    "book_appointment": (
        {
            "service_id": "limpeza",
            "professional_id": "paula",
            "start": moment("16:00"),
            "patient_name": "Rita Melo",
            "phone": "+5511977776666",
        },
        "appointment.booked",
    ),
    "move_appointment": ({"start": moment("15:00")}, "appointment.moved"),
    "cancel_appointment": ({"reason": "viajou"}, "appointment.cancelled"),
    "set_appointment_status": ({"status": "confirmed_presence"}, "appointment.status_set"),
    "set_attendance": ({"attendance": "arrived"}, "appointment.attendance_set"),
    "update_appointment": ({"note": "Traz os exames."}, "appointment.noted"),
    "set_appointment_plan": ({"plan": "Odontoprev"}, "appointment.plan_set"),
    "block_time": (
        {"start": moment("14:00", 25), "end": moment("16:00", 25), "reason": "reunião"},
        "agenda.blocked",
    ),
    "free_time": ({}, "agenda.freed"),
    "add_to_waiting_list": (
        {"service_id": "limpeza", "patient_name": "Rita Melo", "phone": "+5511977776666"},
        "agenda.wait_added",
    ),
    "remove_from_waiting_list": ({}, "agenda.wait_removed"),
    "write_knowledge": ({"questions": ["tem sauna?"], "answer": "Não temos sauna.", "version": 1}, SETTING),
    "approve_knowledge": ({"version": 1}, SETTING),
    "retire_knowledge": ({"version": 1}, SETTING),
    "answer_knowledge_gap": ({"answer": "Não temos piscina."}, SETTING),
    "dismiss_knowledge_gap": ({}, SETTING),
    "merge_patients": ({}, "patient.merged"),
    "take_over_conversation": ({"reason": "exame"}, "conversation.taken_over"),
    "reply_to_conversation": ({"text": "Bom dia, Maria!"}, "conversation.message_sent"),
    "hand_back_conversation": ({"note": "resolvido"}, "conversation.handed_back"),
    "snooze_conversation": ({"until": moment("08:00", 25)}, "conversation.snoozed"),
    "see_to_danger": ({}, "conversation.danger_seen"),
    "close_conversations": ({"contacts": [PHONE]}, "conversation.closed"),
    "assign_conversations": ({"contacts": [PHONE], "assigned_to": "Bia"}, "conversation.assigned"),
    "begin_conversation": ({"text": "Bom dia, Maria!"}, "conversation.message_sent"),
    "add_note": ({"text": "Prefere a manhã"}, "conversation.note_added"),
    "add_task": ({"title": "Ligar para o laboratório"}, "task.added"),
    "complete_task": ({}, "task.completed"),
    "update_task": ({"title": "Ligar para Maria Silva"}, "task.changed"),
    "delete_task": ({}, "task.deleted"),
}


async def state(office: Office) -> tuple[list[str], str]:
    read = await office.bia.did("read_conversation", contact=PHONE)
    return await seen(office), json.dumps(read["messages"])


async def managing(office: Office) -> Assistant:
    return await office.assistant(Right.READ, Right.WRITE, Right.MANAGE)


async def prepare(office: Office, name: str) -> None:
    """What has to be so before."""
    documents, clock = office.gendei.documents, office.gendei.clock
    if name == "hand_back_conversation":
        await office.bia.did("take_over_conversation", contact=PHONE)
    if name == "assign_conversations":
        bia = User("bia@aurora.test", "Bia", Role.ATENDENTE, AURORA, clock(), "-")
        await documents.commit([put(user_path(bia.id), USER.write(bia))])
    if name == "see_to_danger":
        key = ConversationKey(AURORA, Contact(PHONE))
        found = CONVERSATION.read((await documents.get(key.path)).data)
        await documents.commit([put(key.path, CONVERSATION.write(found.alarmed(clock())))])


def test_every_tool_that_writes_is_tried_here() -> None:
    assert set(WRITES) == {name for name, tool in COMMANDS.items() if tool.writes}


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_is_audited_and_done_once(office: Office, name: str) -> None:
    ids = await scene(office)
    await prepare(office, name)
    given, action = WRITES[name]
    arguments = given | {field: ids[field] for field in COMMANDS[name].schema["required"] if field in ids}
    before = await state(office)
    caller = office.bia if Right.MANAGE not in COMMANDS[name].rights else await managing(office)
    await caller.did(name, **arguments)
    after, audited = await state(office), [entry for entry in await office.audited() if entry[1] == action]
    await caller.call(name, **arguments)
    assert (after != before, await state(office)) == (True, after)
    assert [entry for entry in await office.audited() if entry[1] == action] == audited
    assert audited[0] == ("programa", action)

"""On every tool: an assistant of another clinic finds and changes nothing, and no schema asks who one is."""

import json
from dataclasses import replace
from typing import Any

from tests.journeys.town import AURORA, BROMELIA
from tests.mcp.conftest import Office
from tests.web.api.conftest import moment

from gendei.app import Gendei
from gendei.clinic_initiatives import WaitingListPolicy
from gendei.commands.running import COMMANDS
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.staff.actors import Right

PHONE = "+5511999990001"


async def scene(office: Office) -> dict[str, Any]:
    """Everything of Aurora's that the tools can name, as arguments."""
    await office.converse(PHONE)
    booked = await office.bia.did(
        "book_appointment",
        service_id="limpeza",
        professional_id="paula",
        start=moment("14:00", 23),
        patient_name="Maria Silva",
        phone=PHONE,
    )
    appointment = booked["appointment"]
    block = await office.bia.did(
        "block_time", professional_id="paula", start=moment("09:00", 26), end=moment("10:00", 26), reason="Maria"
    )
    other = await office.bia.did(
        "book_appointment",
        service_id="limpeza",
        professional_id="paula",
        start=moment("17:00"),
        patient_name="Maria da Silva",
        phone=PHONE,
    )
    await with_waiting_list(office.gendei)
    waits = await office.bia.did("add_to_waiting_list", service_id="canal", patient_name="Maria Silva", phone=PHONE)
    task = await office.bia.did("add_task", title="Ligar para Maria", patient_id=appointment["patientId"])
    await office.bia.did("write_knowledge", entry_id=waits["id"], questions=["tem jardim?"], answer="Maria cuida dele.")
    gap = await KnowledgeBase(office.gendei.documents, office.gendei.clock).note(AURORA, "Maria pode nadar na piscina?")
    return {
        "appointment_id": appointment["id"],
        "patient_id": appointment["patientId"],
        "other_id": other["appointment"]["patientId"],
        "contact": PHONE,
        "task": task["id"],
        "block_id": block["id"],
        "entry_id": waits["id"],
        "gap_id": gap,
    }


async def with_waiting_list(gendei: Gendei) -> None:
    """Aurora has a waiting list from now on."""
    clinic = await gendei.directory.get(AURORA)
    assert clinic is not None
    await gendei.directory.import_clinic(replace(clinic, waiting_list=WaitingListPolicy()))


OTHERS: dict[str, Any] = {
    "service_id": "limpeza",
    "professional_id": "paula",
    "days": "2026-11-23/2026-11-30",
    "start": moment("16:00"),
    "end": moment("17:00"),
    "patient_name": "Maria Silva",
    "phone": PHONE,
    "status": "no_show",
    "attendance": "arrived",
    "text": "Maria",
    "note": "Traz exames",
    "plan": "Odontoprev",
    "search": "Maria",
    "title": "Ligar",
    "contacts": [PHONE],
    "until": moment("08:00", 25),
    "first_day": "2026-11-24",
    "last_day": "2026-11-30",
    "question": "tem jardim?",
    "questions": ["tem jardim?"],
    "answer": "Maria",
}
HARMLESS = {"limit", "unread", "state", "notify", "reason", "note", "version", "idempotency_key", "template"} | {
    "description",
    "due",
    "done",
    "to_do",
    "assigned_to",
    "despite_appointments",
    "minutes",
    "override",
    "personal",
    "snoozed",
    "weekdays",
    "part_of_day",
    "notice_minutes",
    "owner",
    "source",
    "valid_until",
    "despite",
}
"""Arguments that name nothing of the clinic's."""
SEEN = (
    "list_knowledge",
    "list_knowledge_gaps",
    "list_appointments",
    "list_blocks",
    "list_waiting",
    "list_conversations",
    "list_tasks",
    "search_patients",
)


async def seen(office: Office) -> list[str]:
    days = {tool: {"days": OTHERS["days"]} for tool in ("list_appointments", "list_blocks")}
    return [json.dumps(await office.bia.did(tool, **days.get(tool, {})), sort_keys=True) for tool in SEEN]


async def test_an_outsider_finds_and_changes_nothing_with_any_tool(office: Office) -> None:
    ids = await scene(office)
    before = await seen(office)
    secrets = [*ids.values(), "Maria", "Aurora", "Paula Lins", "999990001"]
    olga = await office.assistant(Right.READ, Right.WRITE, Right.MANAGE, clinic_id=BROMELIA)
    async with olga.connected() as client:
        for name, tool in COMMANDS.items():
            known = {**OTHERS, **ids}
            assert (name, tool.schema["properties"].keys() - known.keys() - HARMLESS) == (name, set())
            if name in {"list_tasks", "list_conversations"}:
                known.pop("status")
            arguments = {field: known[field] for field in tool.schema["properties"] if field in known}
            arguments |= (
                {"version": 1} if name.endswith("_knowledge") and "version" in tool.schema["properties"] else {}
            )
            result = await client.call_tool(name, arguments)
            told = json.dumps(result.structured_content, ensure_ascii=False)
            leaked = [secret for secret in secrets if secret in told and secret not in json.dumps(arguments)]
            assert (name, leaked) == (name, [])
            if ids.keys() & arguments.keys():
                assert (name, result.is_error) == (name, True)
                assert (name, result.structured_content["error"]) in {
                    (name, "not_found"),
                    (name, "none_found"),
                    (name, "unknown_service"),
                    (name, "unknown_professional"),
                    ("write_knowledge", "entry_refused"),  # it was not read in that version, as there is none
                    ("begin_conversation", "declined"),  # a phone may be a patient of both; theirs has no template
                }
    assert await seen(office) == before


async def test_a_reader_changes_nothing_with_any_tool(office: Office) -> None:
    ids = await scene(office)
    before = await seen(office)
    async with office.panel.connected() as client:
        for name in (name for name, tool in COMMANDS.items() if tool.writes):
            known = {**OTHERS, **ids}
            arguments = {field: known[field] for field in COMMANDS[name].schema["properties"] if field in known}
            result = await client.call_tool(name, arguments)
            assert (name, result.is_error, result.structured_content["error"]) == (name, True, "forbidden")
    assert await seen(office) == before


async def test_the_agenda_of_another_clinic_is_not_read_as_a_resource(office: Office) -> None:
    await scene(office)
    async with office.olga.connected() as client:
        [content] = (await client.read_resource("gendei://agenda/2026-11-24")).contents
    assert json.loads(content.text)["appointments"] == []


async def test_no_schema_asks_for_the_clinic_or_for_who_calls(office: Office) -> None:
    names = {name for tool in COMMANDS.values() for name in tool.schema["properties"]}
    assert [value for value in names if any(word in value for word in ("clinic", "user", "actor", "token"))] == []


async def test_an_argument_that_names_a_clinic_is_refused(office: Office) -> None:
    assert await office.olga.refused("list_tasks", clinic_id="aurora") == "invalid"

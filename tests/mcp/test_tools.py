"""What the tools do, what they refuse, and that nothing is done twice."""

import json
from urllib.parse import quote

import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp.conftest import Office
from tests.mcp.test_outsiders import PHONE
from tests.web.api.conftest import moment

from gendei.commands.running import COMMANDS
from gendei.datafile import data_dir
from gendei.mcp.texts import McpTexts

WISH = {"service_id": "limpeza", "professional_id": "paula", "patient_name": "Maria Silva", "phone": PHONE}


async def test_an_appointment_is_found_booked_moved_and_cancelled(office: Office) -> None:
    bia = office.bia
    [day] = (await bia.did("find_free_slots", service_id="limpeza", days="amanhã"))["days"]
    start = day["slots"][0]["start"]
    booked = (await bia.did("book_appointment", start=start, **WISH))["appointment"]
    moved = (await bia.did("move_appointment", appointment_id=booked["id"], start="terça às 16h"))["appointment"]
    listed = (await bia.did("list_appointments", days="amanhã"))["appointments"]
    gone = (await bia.did("cancel_appointment", appointment_id=booked["id"], reason="viajou"))["appointment"]
    assert (booked["start"], moved["start"]) == (start, "2026-11-24T16:00-03:00")
    assert (listed, gone["status"], gone["cancelReason"]) == ([moved], "cancelled", "viajou")
    assert [action for _, action in await office.audited()] == [
        "appointment.cancelled",
        "appointment.moved",
        "appointment.booked",
    ]


async def test_a_taken_time_is_refused_in_portuguese_with_free_ones(office: Office) -> None:
    await office.bia.did("book_appointment", start=moment("14:00"), **WISH)
    result = await office.bia.call("book_appointment", start=moment("14:00"), **{**WISH, "phone": "+5511999990002"})
    told = result.structured_content
    assert (told["error"], bool(told["message"]), bool(told["alternatives"])) == ("taken", True, True)


async def test_a_changed_appointment_is_not_moved_by_who_saw_it_before(office: Office) -> None:
    booked = (await office.bia.did("book_appointment", start=moment("14:00"), **WISH))["appointment"]
    move = {"appointment_id": booked["id"], "version": booked["version"]}
    await office.bia.did("move_appointment", start=moment("15:00"), **move)
    assert await office.bia.refused("move_appointment", start=moment("16:00"), **move) == "changed"


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("list_appointments", {"days": "qualquer dia"}, "days_unclear"),
        ("list_appointments", {"days": "2026-11-31"}, "days_unclear"),
        ("list_appointments", {"days": "2026-11-01/2026-12-31"}, "too_many_days"),
        ("find_free_slots", {"service_id": "nada", "days": "amanhã"}, "unknown_service"),
        ("book_appointment", {**WISH, "start": "2026-11-24T14:00:00"}, "no_offset"),
        ("book_appointment", {**WISH, "start": "terça"}, "start_unclear"),
        ("book_appointment", {**WISH, "start": "terça ou quarta às 14h"}, "start_unclear"),
        ("book_appointment", {**WISH, "start": "terça às 14h", "phone": None}, "whose"),
        ("get_patient", {"patient_id": "../../x"}, "not_found"),
        ("read_conversation", {"contact": "\x00"}, "invalid"),
        ("add_task", {"title": "x" * 201}, "title_too_long"),
        ("add_task", {"title": " "}, "title_blank"),
        ("add_task", {"title": "x", "description": "x" * 1001}, "description_too_long"),
        ("update_task", {"task": "nada disso", "title": "x" * 4097}, "invalid"),
        ("block_time", {"start": "terça às 16h", "end": "terça às 14h"}, "no_time"),
        ("block_time", {"start": "terça", "end": "terça às 14h"}, "start_unclear"),
        ("free_time", {"block_id": "../../x"}, "not_found"),
        ("add_task", {"title": "x", "due": "31/02"}, "due_unclear"),
        ("add_task", {"title": "x", "assigned_to": "Ninguém"}, "which_colleague"),
        ("delete_task", {"task": "tudo"}, "one_at_a_time"),
        ("complete_task", {"task": "nada disso"}, "none_found"),
        ("add_task", {"título": "x"}, "invalid"),
        ("search_patients", {"limit": 0}, "invalid"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_what_to_do(
    office: Office, tool: str, arguments: dict[str, object], reason: str
) -> None:
    result = await office.bia.call(tool, **arguments)
    told = result.structured_content
    assert (result.is_error, told["error"], told["message"].endswith((".", "?"))) == (True, reason, True)
    assert json.loads(result.content[0].text) == told


async def test_an_update_that_changes_nothing_is_refused(office: Office) -> None:
    await office.bia.did("add_task", title="Ligar")
    told = [await office.bia.refused("update_task", task="Ligar", **same) for same in ({}, {"title": "Ligar"})]
    assert told == ["nothing_changed"] * 2


async def test_time_is_blocked_listed_and_given_back(office: Office) -> None:
    bia, hours = office.bia, {"start": moment("14:00"), "end": moment("16:00")}
    booked = (await bia.did("book_appointment", start=moment("15:00"), **WISH))["appointment"]
    told = (await bia.call("block_time", professional_id="paula", **hours)).structured_content
    block = await bia.did("block_time", professional_id="paula", despite_appointments=True, **hours)
    listed = (await bia.did("list_blocks", days="amanhã"))["blocks"]
    taken = await bia.refused("book_appointment", start=moment("14:00"), **{**WISH, "phone": "+5511999990002"})
    gone = await bia.did("free_time", block_id=block["id"])
    assert (told["error"], [entry["id"] for entry in told["standing"]]) == ("appointments", [booked["id"]])
    assert (block["professional"], block["when"]) == ("Dra. Paula Lins", "amanhã, terça-feira, 24/11, das 14h às 16h")
    assert (listed, taken, gone) == ([block], "professional_off", block)
    assert (await bia.did("list_blocks", days="amanhã"))["blocks"] == []


async def test_what_the_clinic_accepts_is_told(office: Office) -> None:
    told = await office.bia.did("get_clinic")
    assert (told["insurance"], told["paymentMethods"]) == (["Odontoprev"], ["Pix", "dinheiro"])
    assert told["cancellationPolicy"] == "Avise com 12 horas de antecedência."


async def test_a_conversation_is_read_taken_over_answered_and_handed_back(office: Office) -> None:
    await office.converse(PHONE)
    bia = office.bia
    taken = await bia.did("take_over_conversation", contact=PHONE, reason="exame")
    await bia.did("reply_to_conversation", contact=PHONE, text="Bom dia, Maria!")
    read = await bia.did("read_conversation", contact=PHONE)
    back = await bia.did("hand_back_conversation", contact=PHONE, note="resolvido")
    said = [
        (message["who"], message["name"], message["text"])
        for message in read["messages"]
        if message["kind"] == "message"
    ]
    assert (taken["state"], back["state"]) == ("person", "bot")
    assert said == [("person", "programa", "Bom dia, Maria!")]
    assert [action for _, action in await office.audited()] == [
        "conversation.handed_back",
        "conversation.read",
        "conversation.message_sent",
        "conversation.taken_over",
    ]


async def test_the_same_reply_again_is_one_message(office: Office) -> None:
    await office.converse(PHONE)
    first = await office.bia.did("reply_to_conversation", contact=PHONE, text="Bom dia!")
    again = await office.bia.did("reply_to_conversation", contact=PHONE, text="Bom dia!")
    other = await office.bia.did("reply_to_conversation", contact=PHONE, text="Bom dia!", idempotency_key="k2")
    assert (again, other["id"] != first["id"]) == ({**first, "repeated": True}, True)


async def test_a_key_stands_for_one_call(office: Office) -> None:
    first = await office.bia.did("add_task", title="Ligar", idempotency_key="k1")
    again = await office.bia.did("add_task", title="Ligar", idempotency_key="k1")
    assert again == {**first, "repeated": True}
    assert await office.bia.refused("add_task", title="Outra", idempotency_key="k1") == "key_reused"
    assert (await office.bia.did("list_tasks"))["pending"] == 1


async def test_a_task_is_completed_by_a_rough_title_and_taken_up_again(office: Office) -> None:
    await office.bia.did("add_task", title="Ligar para Maria sobre o exame")
    done = await office.bia.did("complete_task", task="exame maria")
    back = await office.bia.did("complete_task", task="exame", done=False)
    changed = await office.bia.did("update_task", task="exame", due="sexta às 15h")
    gone = await office.bia.did("delete_task", task="exame")
    assert (done["status"], back["status"], changed["due"]) == ("completed", "pending", "sexta-feira, 27/11, às 15h")
    assert (gone["deleted"], (await office.bia.did("list_tasks"))["tasks"]) == (changed, [])


async def test_several_tasks_that_fit_are_named(office: Office) -> None:
    titles = ["Ligar para Maria", "Ligar para João"]
    for title in titles:
        await office.bia.did("add_task", title=title)
    told = (await office.bia.call("delete_task", task="ligar")).structured_content
    assert (told["error"], sorted(candidate["title"] for candidate in told["candidates"])) == (
        "several_found",
        sorted(titles),
    )


async def test_a_card_shows_what_is_booked_and_that_it_was_read(office: Office) -> None:
    booked = (await office.bia.did("book_appointment", start=moment("14:00"), **WISH))["appointment"]
    [found] = (await office.bia.did("search_patients", text="maria"))["patients"]
    card = await office.bia.did("get_patient", patient_id=found["id"])
    assert (card["coming"], (await office.audited())[0]) == ([booked], ("programa", "patient.read"))


async def test_an_unknown_tool_is_a_protocol_error(office: Office) -> None:
    async with office.bia.connected() as client:
        with pytest.raises(MCPError, match="no such tool"):
            await client.call_tool("drop_everything", {})


@pytest.mark.parametrize("days", ["0001-01-01", "9999-12-31", "9999-12-01/9999-12-31", "2026-11-31", "\u200b"])
async def test_a_day_that_no_calendar_of_ours_has_is_refused_in_words(office: Office, days: str) -> None:
    asked = {"list_appointments": {}, "find_free_slots": {"service_id": "limpeza"}}
    refused = [await office.bia.refused(tool, days=days, **more) for tool, more in asked.items()]
    assert set(refused) <= {"days_unclear", "invalid"}
    async with office.bia.connected() as client:
        with pytest.raises(MCPError, match=r"Não entendi|não servem"):
            await client.read_resource(f"gendei://agenda/{quote(days, safe='')}")


@pytest.mark.parametrize(
    ("tool", "arguments", "wrong"),
    [
        (
            "find_free_slots",
            {"service": "limpeza", "day": "hoje"},
            "service_id: falta; days: falta; service: não existe; o nome é service_id; day: não existe; o nome é days",
        ),
        ("list_tasks", {"clinica": "bromelia"}, "clinica: não existe"),
        ("search_patients", {"limit": 0}, "limit: tem de ser 1 ou mais"),
        ("search_patients", {"limit": 51}, "limit: tem de ser 50 ou menos"),
        ("search_patients", {"limit": "dez"}, "limit: tem de ser um número inteiro"),
        ("search_patients", {"text": "x" * 101}, "text: tem mais de 100 caracteres"),
        ("search_patients", {"text": 7}, "text: tem de ser um texto"),
        ("get_patient", {"patient_id": ""}, "patient_id: tem de ter 1 ou mais caracteres"),
        ("read_conversation", {"contact": "\x00"}, "contact: tem caracteres que não são texto"),
        ("list_conversations", {"unread": "talvez"}, "unread: tem de ser true ou false"),
        ("list_conversations", {"state": "x"}, "state: tem de ser um destes: waiting, person, bot, closed"),
    ],
)
async def test_what_is_wrong_with_an_argument_is_told_in_portuguese(
    office: Office, tool: str, arguments: dict[str, object], wrong: str
) -> None:
    told = (await office.bia.call(tool, **arguments)).structured_content
    said = f"Há argumentos que não servem: {wrong}. Corrija e chame de novo."
    assert told == {"error": "invalid", "message": said}


async def test_what_is_no_text_is_no_argument(office: Office) -> None:
    await office.converse(PHONE)
    assert [
        await office.bia.refused("add_task", title="\x00\x01"),
        await office.bia.refused("add_task", title="Ligar", description="PK\x03\x04"),
        await office.bia.refused("reply_to_conversation", contact=PHONE, text="\x00"),
    ] == ["invalid"] * 3
    assert (await office.bia.did("list_tasks"))["tasks"] == []


async def test_the_agenda_of_a_day_is_a_resource(office: Office) -> None:
    booked = (await office.bia.did("book_appointment", start=moment("14:00"), **WISH))["appointment"]
    async with office.bia.connected() as client:
        days = [str(resource.uri) for resource in (await client.list_resources()).resources]
        [template] = (await client.list_resource_templates()).resource_templates
        [content] = (await client.read_resource("gendei://agenda/amanh%C3%A3")).contents
        with pytest.raises(MCPError, match="Não entendi"):
            await client.read_resource("gendei://agenda/xyz")
    assert (days, template.uri_template) == (
        ["gendei://agenda/hoje", "gendei://agenda/amanha"],
        "gendei://agenda/{dia}",
    )
    assert json.loads(content.text)["appointments"] == [booked]


async def test_errands_are_prompts_with_what_the_person_fills_in(office: Office) -> None:
    async with office.bia.connected() as client:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        got = await client.get_prompt("remarcar", {"paciente": "Maria", "quando": "sexta"})
        with pytest.raises(MCPError, match="paciente"):
            await client.get_prompt("remarcar", {})
    assert names == ["meu_dia", "remarcar", "faltas", "responder", "pendencias"]
    assert "consulta de Maria (sexta)" in got.messages[0].content.text


def test_every_tool_has_a_title_for_people_and_no_other_has() -> None:
    assert set(McpTexts.load(data_dir("prompts")).of_tools.tools) == set(COMMANDS)


async def test_what_destroys_or_reaches_a_patient_says_so(office: Office) -> None:
    async with office.bia.connected() as client:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    reading = {name for name, hint in hints.items() if hint.read_only_hint}
    read_only = ("get_", "list_", "find_", "search_", "read_", "ask_")
    assert reading == {name for name in hints if name.startswith(read_only)}
    assert {name for name, item in hints.items() if item.destructive_hint} == {
        "move_appointment",
        "merge_patients",
        "cancel_appointment",
        "set_appointment_status",
        "update_appointment",
        "set_appointment_plan",
        "free_time",
        "remove_from_waiting_list",
        "close_conversations",
        "update_task",
        "delete_task",
        "dismiss_knowledge_gap",
    }
    assert {name for name, item in hints.items() if not item.idempotent_hint} == {
        "reply_to_conversation",
        "begin_conversation",
        "take_over_conversation",
        "add_note",
        "add_task",
        "block_time",
        "add_to_waiting_list",
    }

"""What is recorded of tool calls, and how a tool's health is counted."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from agents import RunContextWrapper
from agents.testing import assistant_message
from tests.receptionist.front_desk import NOW, FrontDesk
from tests.receptionist.scripted import UNDERSTOOD, call, outcome_of, scripted

from gendei.errors import StoreUnavailable
from gendei.messages.turns import ToolStatus
from gendei.receptionist.runtime import Runtime, ToolResult
from gendei.receptionist.tools import CATEGORY_OF
from gendei.receptionist.tools.calls import MAX_RECORDED, without_secrets
from gendei.receptionist.tools.registry import FAILURES_IN_A_ROW, RETRIES, Availability, Health, Registry, all_tools


async def test_a_call_that_worked_is_recorded_whole(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto="Qual?", opcoes=["Manhã", "Tarde"])
    [step] = outcome.steps
    assert (step.id, step.tool, step.status, step.error) == ("call-2", "enviar_opcoes", ToolStatus.COMPLETED, None)
    assert step.result == '{"success": true, "data": {"queued": true}}'
    assert NOW <= step.started_at <= step.completed_at < NOW + timedelta(minutes=1)


async def test_the_clinics_information_has_its_services(front_desk: FrontDesk):
    steps = [call(1, "transfer_to_product_info"), call(2, "get_clinic_info"), [assistant_message(UNDERSTOOD)]]
    visitor, _ = scripted(front_desk, steps)
    result = json.loads((await visitor.say("oi")).steps[-1].result or "")
    shown = [(service["service_id"], service["name"]) for service in result["data"]["services"]]
    assert shown == [(service.id, service.name) for service in visitor.clinic.services]


def test_the_schemas_of_lists_tell_how_many_they_take():
    def limits(schema: dict[str, Any]) -> tuple[int, int]:
        return schema["minItems"], schema["maxItems"]

    options, rows = (all_tools().tools[name].params_json_schema for name in ("enviar_opcoes", "enviar_lista"))
    assert limits(options["properties"]["opcoes"]) == (1, 3)
    sections = rows["properties"]["secoes"]
    assert limits(sections) == limits(sections["items"]["properties"]["itens"]) == (1, 10)


async def test_a_refusal_is_recorded_as_failed_with_its_reason(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", refused=True, texto="Qual?", opcoes=[])
    [step] = outcome.steps
    assert (step.status, step.error) == (
        ToolStatus.FAILED,
        "São 0 opções, e botões levam de 1 a 3. Para mais, use enviar_lista.",
    )


async def test_a_tool_that_hangs_is_recorded_as_timed_out(front_desk: FrontDesk, monkeypatch: pytest.MonkeyPatch):
    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    steps = [call(1, "transfer_to_sales_closer"), call(2, "release_slot"), [assistant_message(UNDERSTOOD)]]
    visitor, model = scripted(front_desk, steps)
    tools = visitor.receptionist.team["sales_closer"].tools
    monkeypatch.setattr(front_desk.desk, "release", hang)
    monkeypatch.setattr(next(tool for tool in tools if tool.name == "release_slot"), "timeout_seconds", 0.01)
    outcome = await visitor.say("oi")
    model.assert_complete()
    assert [(step.status, step.error) for step in outcome.steps] == [(ToolStatus.TIMEOUT, "ToolTimeoutError")]


async def test_a_question_is_asked_again_where_the_store_did_not_answer(
    front_desk: FrontDesk, monkeypatch: pytest.MonkeyPatch
):
    asked, ask = [], front_desk.desk.appointments_of

    async def flaky(*args: object, **kwargs: object) -> object:
        asked.append(args)
        if len(asked) == 2:  # the first is the turn's own question
            raise StoreUnavailable
        return await ask(*args, **kwargs)

    monkeypatch.setattr(front_desk.desk, "appointments_of", flaky)
    steps = [call(1, "transfer_to_payment"), call(2, "get_patient_appointments"), [assistant_message(UNDERSTOOD)]]
    visitor, model = scripted(front_desk, steps)
    outcome = await visitor.say("oi")
    model.assert_complete()
    assert (len(asked), [step.status for step in outcome.steps]) == (3, [ToolStatus.COMPLETED])


def test_what_changes_the_agenda_is_never_repeated():
    repeated = {entry.name for entry in all_tools().entries() if entry.retries}
    assert (repeated, RETRIES.keys() <= repeated) == ({"get_available_slots", "get_patient_appointments"}, True)


def test_every_tool_that_files_may_name_is_registered_and_no_other():
    assert sorted(all_tools().tools) == sorted(CATEGORY_OF)


def test_a_tool_without_a_category_cannot_be_registered():
    async def unnamed(context: RunContextWrapper[Runtime]) -> ToolResult:
        raise NotImplementedError

    with pytest.raises(ValueError, match=r"unnamed has no category"):
        Registry().add(unnamed)


def test_every_tool_has_a_schema_and_a_description():
    entries = all_tools().entries()
    bare = [entry.name for entry in entries if entry.parameters.get("type") != "object" or not entry.description]
    assert (len(entries) > 10, bare) == (True, [])


def test_a_tool_that_keeps_breaking_is_unavailable_until_it_works_again():
    health = Health()
    seen = []
    for error in (*["StoreUnavailable"] * FAILURES_IN_A_ROW, None):
        health.count(NOW, error)
        seen.append(health.availability)
    assert seen[-2:] == [Availability.UNAVAILABLE, Availability.AVAILABLE]
    assert (health.calls, health.failures, health.last_error) == (4, 3, "StoreUnavailable")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ('{"api_key": "sk-abcdefgh1234", "day": "hoje"}', '{"api_key": "…", "day": "hoje"}'),
        ('{"text": "Bearer abc.def"}', '{"text": "…"}'),
        ('{"senha": [1, {"x": 2}]}', '{"senha": "…"}'),
        ('{"token": ', "…"),
        ('{"name": "Ana"}', '{"name": "Ana"}'),
    ],
)
def test_no_secret_stands_in_a_record(given, kept):
    assert without_secrets(given) == kept


def test_a_record_is_cut():
    assert len(without_secrets("x" * 10_000)) == MAX_RECORDED

"""What an API is sent: the same from turn to turn of a clinic but for what is new, in one language, with its limits."""

import json
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.receptionist.front_desk import JOAO, MARIA, NOW, ROOT, FrontDesk, Visitor, demo_clinic
from tests.receptionist.openai_server import OpenAiServer, Say, call, hand_off, last_output

from gendei.booking.appointment import Appointment
from gendei.booking.time_wish import TimeWish
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic
from gendei.errors import ConfigurationError
from gendei.messages.turns import PatientInput, TurnInput
from gendei.prompts import AGENTS
from gendei.receptionist.llm.models import ModelLimits, api_models
from gendei.receptionist.team import facts
from gendei.receptionist.tools.descriptions import ToolDescriptions
from gendei.receptionist.tools.registry import all_tools

SNAPSHOT = Path(__file__).parent / "snapshots" / "tools.json"
TEXTS = ToolDescriptions.load(ROOT / "prompts")
TOOLS = all_tools().told(TEXTS)
SHARE = 0.9
SEARCH = call("get_available_slots", service_id="profilaxia", date="próximos")
CHANGING = ("now", "patient_name", "patient_appointments", "appointment_count", "booking_draft", "thread", "left_open")
VERTICALS = {"med": "boa-vida", "dental": "sorriso", **{name: name for name in ("fisio", "geral", "nutri", "psi")}}


@pytest.fixture(params=["chat", "responses"])
async def maria(front_desk: FrontDesk, server: OpenAiServer, request: pytest.FixtureRequest) -> AsyncIterator[Visitor]:
    limits = ModelLimits(retries=0)
    front_desk.models = models = api_models("key", server.url, "gpt-4.1-mini", limits=limits, protocol=request.param)
    yield front_desk.visitor("sorriso")
    await models.close()


def instructions(asked: Mapping[str, Any]) -> str:
    return str(asked["instructions"] if "instructions" in asked else asked["messages"][0]["content"])


def functions(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [tool.get("function", tool) for tool in asked["tools"]]


def rendered(front_desk: FrontDesk, clinic: Clinic, agent: str, who: Mapping[str, Any], has: list[Appointment]) -> str:
    receptionist = front_desk.visitor().receptionist
    said = {"inputs": (PatientInput("oi"),), "history": (), "agent": "triage", "state": {}, "now": NOW, **who}
    return receptionist.prompts[agent].render(facts(receptionist.begun(TurnInput(clinic=clinic, **said)), has))


def same_beginning(one: bytes, other: bytes) -> int:
    return next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))


@pytest.mark.parametrize("vertical", VERTICALS)
async def test_nine_tenths_of_the_instructions_are_equal_for_all_patients_of_a_clinic(
    front_desk: FrontDesk, vertical: str
):
    clinic = demo_clinic(VERTICALS[vertical])
    guided = front_desk.visitor(VERTICALS[vertical], contact=JOAO, name="João Pedro Alves")
    service, tomorrow = clinic.services[0], clinic.local(NOW).replace(day=24).date()
    found = await front_desk.desk.find(clinic, service.id, TimeWish(tomorrow, tomorrow), contact=JOAO)
    slot = found.slots[0]
    wanted = BookingRequest(service.id, slot.professional_id, slot.start, "João Pedro Alves")
    await front_desk.desk.book(clinic, JOAO, wanted)
    await guided.say(f"quero marcar mais um horário para {service.name}")
    booked = await front_desk.desk.appointments_of(clinic, JOAO)
    new = {"contact": MARIA, "phone": MARIA, "user_name": "Maria Silva"}
    known = {
        "contact": JOAO,
        "phone": JOAO,
        "user_name": "João Pedro Alves",
        "state": guided.state,
        "now": NOW.replace(day=26, hour=17, minute=45),
    }
    shares = {}
    for agent in AGENTS:
        one = rendered(front_desk, clinic, agent, new, [])
        other = rendered(front_desk, clinic, agent, known, booked)
        shares[agent] = same_beginning(one.encode(), other.encode()) / max(len(one.encode()), len(other.encode()))
    assert (len(booked), {agent: share for agent, share in shares.items() if not SHARE <= share < 1}) == (1, {})


def test_what_changes_stands_behind_all_that_does_not(front_desk: FrontDesk):
    for prompt in front_desk.visitor().receptionist.prompts:
        _, first, changing = re.split(r"(\{(?:" + "|".join(CHANGING) + r")\})", prompt.text, maxsplit=1)
        assert set(re.findall(r"\{(\w+)\}", first + changing)) <= set(CHANGING)


async def test_tools_and_instructions_of_a_turn_stay_as_they_are_while_it_goes_on(maria: Visitor, server: OpenAiServer):
    server.will(hand_off("sales_closer"), SEARCH, call("get_services"), Say("Qual horário você prefere?"))
    await maria.say("quero uma limpeza")
    _, *closer = server.requests
    assert len({(instructions(asked), json.dumps(asked["tools"])) for asked in closer}) == 1


async def test_tools_are_the_same_byte_by_byte_for_everybody(
    maria: Visitor, server: OpenAiServer, front_desk: FrontDesk
):
    joao = front_desk.visitor("boa-vida", contact=JOAO, name="João", now=NOW.replace(day=25, hour=16))
    for who in (maria, joao):
        server.will(hand_off("sales_closer"), Say("Para qual dia?"))
        await who.say("quero marcar")
    sent = [json.dumps(asked["tools"], ensure_ascii=False) for asked in server.requests]
    assert (sent[0] == sent[2], sent[1] == sent[3], sent[0] == sent[1]) == (True, True, False)


async def test_triage_has_to_pass_on_and_nobody_else_has_to_call(maria: Visitor, server: OpenAiServer):
    server.will(hand_off("sales_closer"), SEARCH, Say("Qual horário você prefere?"))
    await maria.say("quero uma limpeza")
    assert [asked.get("tool_choice", "auto") for asked in server.requests] == ["required", "auto", "auto"]


async def test_each_slot_stands_once_in_a_result(maria: Visitor, server: OpenAiServer):
    server.will(hand_off("sales_closer"), SEARCH, Say("Qual horário você prefere?"))
    await maria.say("quero uma limpeza")
    found = last_output(server.requests[-1])["data"]
    suggested = re.findall(r"\|(\w+)\|(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", json.dumps(found["suggestion"]))
    others = [
        (line.split(": ")[0].rpartition(", ")[2], line.partition("(")[2][:10], time)
        for line in found["more"]
        for time in line.split(": ")[1].split(", ")
    ]
    offered = {tuple(key.split("|")[1:3]) for key in maria.state["available_slots"]}
    both = [(who, f"{day}T{time}") for who, day, time in (*suggested, *others)]
    assert (len(suggested), len(both), set(both)) == (10, len(set(both)), offered)


@pytest.mark.parametrize("address", [None, "https://api.openai.com/v1"])
async def test_openai_is_told_whose_requests_begin_alike(front_desk: FrontDesk, server: OpenAiServer, address):
    keyed = api_models("key", address, "gpt-4.1-mini")
    assert keyed.cache_keys
    reached = api_models("key", server.url, "gpt-4.1-mini", limits=ModelLimits(retries=0))
    front_desk.models = replace(reached, cache_keys=True)
    for clinic, contact in (("sorriso", MARIA), ("sorriso", JOAO), ("boa-vida", MARIA)):
        server.will(hand_off("sales_closer"), Say("Para qual dia?"))
        await front_desk.visitor(clinic, contact=contact, name=None).say("quero marcar")
    keys = [asked["prompt_cache_key"] for asked in server.requests]
    assert (keys[:2], len(set(keys)), max(map(len, keys)) <= 64) == (keys[2:4], 4, True)
    assert all(name not in json.dumps(asked) for asked in server.requests for name in ("gendei_agent", "gendei_clinic"))
    await reached.close()
    await keyed.close()


async def test_who_may_not_know_such_a_key_is_sent_none(maria: Visitor, server: OpenAiServer):
    server.will(hand_off("sales_closer"), Say("Para qual dia?"))
    await maria.say("quero marcar")
    assert [name for asked in server.requests for name in asked if "cache" in name or "gendei" in name] == []


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and all that stands in it."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from parts(inner)
    if "items" in schema:
        yield from parts(schema["items"])


@pytest.mark.parametrize("name", TOOLS)
def test_a_schema_is_whole_and_its_example_fits(name: str):
    tool, text = TOOLS[name], TEXTS.tools[name]
    Draft202012Validator.check_schema(tool.params_json_schema)
    Draft202012Validator(tool.params_json_schema).validate(text.example)
    found = list(parts(tool.params_json_schema))
    assert [part for part in found if {"title", "default", "$ref", "$defs"} & part.keys()] == []
    described = [part["description"] for part in found[1:] if "description" in part]
    assert sorted(described) == sorted(text.arguments.values())
    assert (json.dumps(text.example, ensure_ascii=False) in tool.description) == bool(text.example)
    assert [part for part in found if part.get("type") == "array" and not {"minItems", "maxItems"} <= part.keys()] == []


def test_models_read_of_tools_what_was_last_read(pytestconfig: pytest.Config):
    now = {name: {"description": tool.description, **tool.params_json_schema} for name, tool in TOOLS.items()}
    if pytestconfig.getoption("--renew-snapshots"):
        SNAPSHOT.write_text(json.dumps(now, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert json.dumps(now, ensure_ascii=False, indent=1) + "\n" == SNAPSHOT.read_text(encoding="utf-8")


def test_an_operators_own_texts_are_completed_and_held_to_the_tools_arguments(tmp_path: Path):
    folder = shutil.copytree(ROOT / "prompts", tmp_path / "prompts")
    file = folder / "tools.yaml"
    own = {"description": "Procura.", "arguments": dict(TEXTS.tools["get_available_slots"].arguments), "example": {}}
    file.write_text(json.dumps({"tools": {"get_available_slots": own}}), encoding="utf-8")
    told = all_tools().told(ToolDescriptions.load(folder))
    assert told["get_available_slots"].description.startswith("Procura.\nExemplo: ")
    assert told["hold_slot"].description == TOOLS["hold_slot"].description
    own["arguments"]["day"] = "O dia."
    file.write_text(json.dumps({"tools": {"get_available_slots": own}}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"get_available_slots\.arguments\.day: texts and arguments"):
        all_tools().told(ToolDescriptions.load(folder))

"""Servers of the clinics' own, over real sockets: what is loaded, what is offered to whom, and what goes wrong."""

import asyncio

import pytest
from mcp.types import Tool
from tests.attached.conftest import OUTSIDER, OWNER, House, server_at
from tests.attached.records import TOKEN, Records, exams, records_server, said, schema
from tests.receptionist.front_desk import demo_clinic

from gendei.attached.exchange import MOST_PAGES
from gendei.attached.schemas import Unfit
from gendei.attached.servers import State
from gendei.clinic_services import ToldFact
from gendei.receptionist.tools.attached import Answer, AttachedFailed
from gendei.receptionist.tools.refusals import Why

TOLD = {ToldFact.CLINIC_ID: OWNER, ToldFact.PATIENT_PHONE: "+5511999990001"}


@pytest.mark.parametrize("stateless", [True, False])
async def test_a_tool_is_called_with_the_clinics_secret_and_what_the_file_lets_it_be_told(house: House, stateless):
    async with records_server(stateless=stateless) as records:
        clinic = await house.attach(server_at(records.url, tells=(ToldFact.PATIENT_PHONE,)))
        [tool] = house.tools(clinic)
        answer = await tool.call({"exame": "hemograma"}, TOLD)
        again = await tool.call({"exame": "glicose"}, {})
        assert (tool.name, answer, again.refused) == (
            "prontuario_ver_exame",
            Answer("O hemograma ficou pronto."),
            False,
        )
        assert records.calls == [
            ("ver_exame", {"exame": "hemograma"}, {"gendei/patient_phone": "+5511999990001"}),
            ("ver_exame", {"exame": "glicose"}, {}),
        ]
        assert records.authorizations == {f"Bearer {TOKEN}"}


async def test_only_agents_and_the_clinic_that_the_file_names_have_it(house: House, records: Records):
    clinic = await house.attach(server_at(records.url))
    seen = [len(house.tools(clinic, agent)) for agent in ("support", "triage", "payment")]
    assert (seen, house.tools(demo_clinic(OUTSIDER)), house.tools(demo_clinic(OWNER))) == ([1, 1, 0], (), ())


async def test_tools_that_the_file_does_not_allow_are_not_offered(house: House, records: Records):
    records.tools = [exams(), exams().model_copy(update={"name": "apagar_tudo"})]
    clinic = await house.attach(server_at(records.url, tools=("ver_exame", "sumido")))
    assert [tool.name for tool in house.tools(clinic)] == ["prontuario_ver_exame"]
    assert house.report().unusable == {"sumido": Unfit.NOT_LISTED}


async def test_a_changed_schema_is_taken_in_and_a_tool_that_is_gone_goes(house: House, records: Records):
    clinic = await house.attach(server_at(records.url))
    records.tools = [exams("Outro texto.", input_schema=schema(numero={"type": "integer"}))]
    await house.servers.refresh()
    [tool] = house.tools(clinic)
    assert (tool.description, tool.check({"exame": "x"}) is None, tool.check({"numero": 3})) == (
        "Outro texto.",
        False,
        None,
    )
    records.tools = []
    await house.servers.refresh()
    assert house.tools(clinic) == ()


async def test_a_server_that_is_taken_out_of_the_file_is_left_at_once(house: House, records: Records):
    await house.attach(server_at(records.url))
    clinic = await house.attach()
    assert (house.tools(clinic), house.servers.report()) == ((), ())


async def test_a_server_that_is_gone_costs_its_own_tools_alone(house: House, records: Records):
    async with records_server() as other:
        gone = server_at(other.url, name="laboratorio", sealed_headers={})
        clinic = await house.attach(server_at(records.url), gone)
        assert len(house.tools(clinic)) == 2
    await house.servers.refresh()
    assert [tool.server for tool in house.tools(clinic)] == ["prontuario"]
    reports = {server.server.name: (server.state, server.why) for server in house.servers.report()}
    assert reports == {
        "laboratorio": (State.UNAVAILABLE, Why.UNREACHABLE),
        "prontuario": (State.AVAILABLE, None),
    }


async def test_while_one_server_keeps_silent_all_go_on_with_what_is_known(house: House, records: Records):
    async with records_server() as silent:
        clinic = await house.attach(server_at(silent.url))
        other = await house.attach(server_at(records.url, sealed_headers={}), clinic=OUTSIDER)
        silent.open.clear()
        silent.listing.clear()
        refreshing = asyncio.create_task(house.servers.refresh())
        await silent.listing.wait()
        [tool] = house.tools(other)
        answer = await tool.call({"exame": "hemograma"}, {})
        assert (answer.content, len(house.tools(clinic)), refreshing.done()) == ("O hemograma ficou pronto.", 1, False)
        silent.open.set()
        await refreshing


@pytest.mark.parametrize(
    ("strange", "why"),
    [
        (exams(input_schema={"type": "object", "properties": {"a": {"type": "text"}}}), Unfit.SCHEMA),
        (exams(input_schema=schema(a={"$ref": "http://127.0.0.1/other.json"})), Unfit.SCHEMA_ELSEWHERE),
        (exams(input_schema=schema(a={"$ref": "#"})), Unfit.SCHEMA_ELSEWHERE),
        (
            exams(input_schema=schema(**{f"a{n}": {"type": "string", "description": "x" * 99} for n in range(99)})),
            Unfit.SCHEMA_LARGE,
        ),
        (exams(input_schema=schema(a={"enum": ["sim\u200b"]})), Unfit.SCHEMA_HIDES),
        (exams(input_schema=schema(a={"type": "string", "minLength": -1})), Unfit.SCHEMA),
    ],
)
async def test_a_schema_that_cannot_be_taken_costs_that_tool_alone(house: House, records: Records, strange: Tool, why):
    records.tools = [strange, exams().model_copy(update={"name": "bom"})]
    clinic = await house.attach(server_at(records.url, tools=("ver_exame", "bom")))
    assert [tool.name for tool in house.tools(clinic)] == ["prontuario_bom"]
    assert house.report().unusable == {"ver_exame": why}


async def test_a_schema_that_grows_without_end_is_refused(house: House, records: Records):
    twice = {f"d{n}": schema(a={"$ref": f"#/$defs/d{n + 1}"}, b={"$ref": f"#/$defs/d{n + 1}"}) for n in range(30)}
    records.tools = [exams(input_schema={**twice["d0"], "$defs": twice})]
    await house.attach(server_at(records.url))
    assert house.report().unusable == {"ver_exame": Unfit.SCHEMA_LARGE}


async def test_a_listing_without_end_is_left_after_some_pages(house: House, records: Records):
    records.more = "again"
    await house.attach(server_at(records.url))
    before = records.listings
    await house.servers.refresh()
    assert (records.listings - before, house.report().unusable) == (MOST_PAGES, {"ver_exame": Unfit.TWICE})


async def test_names_of_ours_are_taken(house: House, records: Records):
    tools = ("services", "to_payment")
    records.tools = [exams().model_copy(update={"name": name}) for name in tools]
    servers = [server_at(records.url, name=name, tools=tools, sealed_headers={}) for name in ("get", "transfer")]
    clinic = await house.attach(*servers)
    assert [tool.name for tool in house.tools(clinic)] == ["get_to_payment", "transfer_services"]


async def test_a_description_is_cleaned_and_cut(house: House, records: Records):
    records.tools = [exams(f"Vê\u202e exames.\n»\U000e0041 {'x' * 5000}")]
    clinic = await house.attach(server_at(records.url))
    [tool] = house.tools(clinic)
    assert (tool.description.startswith('Vê exames. " xxx'), len(tool.description)) == (True, 600)


@pytest.mark.parametrize("size", [20_000, 2_000_000])
async def test_an_answer_that_is_too_large_is_cut_or_given_up(house: House, records: Records, size: int):
    clinic = await house.attach(server_at(records.url))
    records.answers = [said("x" * size)]
    [tool] = house.tools(clinic)
    try:
        got = len((await tool.call({"exame": "x"}, {})).content)
    except AttachedFailed:
        got = 0
    assert got == (8_000 if size < 1_000_000 else 0)


async def test_an_answer_that_breaks_the_servers_own_promise_is_a_failure(house: House, records: Records):
    records.tools = [exams(output_schema=schema(pronto={"type": "boolean"}))]
    clinic = await house.attach(server_at(records.url))
    [tool] = house.tools(clinic)
    records.answers = [said("", structured_content={"pronto": "talvez"}), said("", structured_content={"pronto": True})]
    with pytest.raises(AttachedFailed, match=Why.NONSENSE):
        await tool.call({"exame": "x"}, {})
    assert (await tool.call({"exame": "x"}, {})).content == {"pronto": True}


async def test_arguments_that_the_file_fills_are_no_models_to_give(house: House, records: Records):
    records.tools = [exams(input_schema=schema(exame={"type": "string"}, telefone={"type": "string"}))]
    clinic = await house.attach(server_at(records.url, fills={"telefone": ToldFact.PATIENT_PHONE}))
    [tool] = house.tools(clinic)
    given = tool.check({"exame": "x", "telefone": "+5511000000000"})
    assert (list(tool.parameters["properties"]), given is None) == (["exame"], False)


async def test_a_server_that_drops_what_the_file_fills_loses_the_tool(house: House, records: Records):
    await house.attach(server_at(records.url, fills={"telefone": ToldFact.PATIENT_PHONE}))
    assert house.report().unusable == {"ver_exame": Unfit.NOT_FILLED}


async def test_a_secret_of_another_address_stays_shut(house: House, records: Records):
    moved = server_at("http://127.0.0.1:1/mcp").sealed_headers
    clinic = await house.attach(server_at(records.url, sealed_headers=moved))
    assert (house.tools(clinic), house.report().why, records.listings) == ((), Why.SECRET, 0)

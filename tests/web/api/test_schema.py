"""The API is what its description says, whatever is sent; and the description is complete."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.journeys.town import AURORA, BROMELIA
from tests.web.api.conftest import NOBODY_SENDS, ORIGINS, Api, bearer, gestor, moment, wish

from gendei.campaigns.campaign import CAMPAIGN, LASTS, Campaign, CampaignAudience, campaign_id
from gendei.cases.case import CASE, ClinicCase, PatientTurn, Wanted
from gendei.clinic_initiatives import WaitingListPolicy
from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.documents import create, put
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.providers.stand_in.local_server import serve
from gendei.staff.actors import Right
from gendei.staff.connecting.ledger import Way
from gendei.web.app import app_for
from gendei.web.sessions import NO_TOKEN

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 12


async def described(api: Api) -> dict[str, Any]:
    return (await api.client.get("/openapi.json")).json()


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


async def test_whatever_is_sent_gets_an_answer_that_is_described_and_never_a_5xx(api: Api) -> None:
    await api.book()
    visitor = VisitorTokens(api.gendei.secrets).issue(anonymous(AURORA)).token
    async with serve(app_for(api.gendei)) as url:
        await asyncio.to_thread(explore, url, dict(api.client.headers), visitor)


def explore(url: str, headers: dict[str, str], visitor: str) -> None:
    """As a program of Aurora's and, in the chat, as a visitor of its web site."""
    program = {"Authorization": headers["authorization"]}
    visiting = {"Authorization": f"Bearer {visitor}", "Origin": ORIGINS[AURORA]}
    schema = schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json")
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def answers_as_described(case: schemathesis.Case) -> None:
            response = case.call(headers=visiting if case.path in VISITED else program)
            case.validate_response(response, checks=CHECKS)

        answers_as_described()


async def test_every_error_is_described_as_problem_json(api: Api) -> None:
    schema = await described(api)
    kinds = {
        (method, path, status): list(answer["content"])
        for method, path, operation in operations(schema)
        for status, answer in operation["responses"].items()
        if not status.startswith("2")
    }
    assert {key for key, media in kinds.items() if media != ["application/problem+json"]} == set()
    assert {(method, path) for method, path, _ in operations(schema)} == {key[:2] for key in kinds if key[2] == "401"}


async def test_every_write_takes_a_key_and_every_body_has_an_example(api: Api) -> None:
    schema = await described(api)
    writes = [(path, operation) for method, path, operation in operations(schema) if method != "get"]
    assert [
        path for path, write in writes if "Idempotency-Key" not in {each["name"] for each in write["parameters"]}
    ] == []
    bodies = {name: part for name, part in schema["components"]["schemas"].items() if name in {"Book", "Move", "Send"}}
    assert [any("examples" in field for field in part["properties"].values()) for part in bodies.values()] == [True] * 3


NAMED_BY_WRITERS = {("put", "/knowledge/{entry_id}")}
"""What is not there yet is made, in the writer's own clinic: test_knowledge_api tells that from another's."""


async def test_an_outsider_sees_and_changes_nothing_on_any_route(api: Api) -> None:
    booked = await api.book()
    await api.converse(booked["contact"])
    block = await api.client.post("/blocks", json={"start": moment("14:00", 25), "end": moment("15:00", 25)})
    ids = {"appointment_id": booked["id"], "block_id": block.json()["id"], "contact": booked["contact"]}
    ids["patient_id"] = booked["patientId"]
    task = await api.client.post("/tasks", json={"title": "Ligar para Maria", "contact": booked["contact"]})
    ids["task_id"] = task.json()["id"]
    told = {"instance_id": "3AURORA0001", "token": "T0KEN0000", "client_token": "client", "base_url": NOBODY_SENDS}
    begun = await api.gendei.desks.connections.begin(gestor(), Way.ZAPI, told)
    ids["connection_id"] = begun.id
    waits = {"serviceId": booked["serviceId"], "patientName": "Maria Silva", "contact": booked["contact"]}
    refused = await api.client.post("/waiting", json=waits)
    assert (refused.status_code, refused.json()["reason"]) == (409, "no_waiting_list")
    clinic = await api.gendei.directory.get(AURORA)
    await api.gendei.directory.import_clinic(replace(clinic, waiting_list=WaitingListPolicy()))
    ids["entry_id"] = (await api.client.post("/waiting", json=waits)).json()["id"]
    ids["campaign_id"] = await begun_campaign(api)
    turns = (PatientTurn(("quanto custa a limpeza com a Dra. Paula Lins?",)),)
    case = ClinicCase("0f8c2d6be1a9", AURORA, api.gendei.clock(), "Ana", "2026-03-04T14:32", turns, Wanted.PERSON)
    await api.gendei.documents.commit([put(case.path, CASE.write(case))])
    ids["case_id"] = case.id
    ids["gap_id"] = await KnowledgeBase(api.gendei.documents, api.gendei.clock).note(AURORA, "furam orelha?")
    ids["payment_id"] = ids["refund"] = "5d0c" * 8
    outsider = await bearer(api.gendei, BROMELIA, Right.READ, Right.WRITE, Right.MANAGE)
    secrets = [*ids.values(), "Maria", "Aurora", "Paula Lins", "999990001"]
    before = [await api.client.get(path) for path in SEEN]
    for method, path, operation in operations(await described(api)):
        if path in VISITED or (method, path) in NAMED_BY_WRITERS:
            continue  # a visitor's; see test_chat
        query, body = asked(method, path, operation)
        answer = await api.client.request(method, path.format(**ids), params=query, json=body, headers=outsider)
        leaked = [secret for secret in secrets if secret in answer.text]
        assert (method, path, leaked) == (method, path, [])
        if "{" in path:
            assert (method, path, answer.status_code) == (method, path, 404)
    assert [item.json() for item in before] == [(await api.client.get(path)).json() for path in SEEN]


async def begun_campaign(api: Api) -> str:
    """A campaign of Aurora's that runs."""
    now, name = api.gendei.clock(), "Volta"
    known = campaign_id(AURORA, name)
    more = {"most": 1, "per_minute": 1, "price_micros": 1, "ends_at": now + LASTS, "judged_since": now}
    begun = Campaign(known, AURORA, name, ("volte", "pt_BR"), CampaignAudience(), now, "gilda", "Gilda", **more)
    await api.gendei.documents.commit([create(begun.path, CAMPAIGN.write(begun))])
    return known


async def test_nobody_comes_in_without_a_token_and_no_reader_writes(api: Api) -> None:
    for method, template, operation in operations(await described(api)):
        if operation.get("security") == []:
            continue
        path, (query, body) = re.sub(r"{\w+}", "0" * 12, template), asked(method, template, operation)
        for headers, refused in (({"Authorization": ""}, 401), ({"Authorization": "Bearer gdt_no"}, 401)):
            answer = await api.client.request(method, path, params=query, json=body, headers=headers)
            assert (method, path, answer.status_code) == (method, path, refused)
            assert (method, path, answer.json().get("detail")) == (method, path, NO_TOKEN)
        if method != "get" and template != "/chat":  # which answers a reader: test_chat_staff
            answer = await api.client.request(method, path, params=query, json=body, headers=api.reader)
            assert (method, path, answer.status_code) == (method, path, 403)


def asked(method: str, path: str, operation: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any] | None]:
    """A query and a body that are right for an operation."""
    names = [each["name"] for each in operation.get("parameters", ())]
    body = BODIES.get(path.rpartition("/")[2]) if "requestBody" in operation else None
    return {name: QUERY[name] for name in names if name in QUERY}, body


DAYS = {"from": "2026-11-23", "to": "2026-11-30"}
QUERY = {**DAYS, "serviceId": "limpeza", "search": "Maria", "professionalId": "paula", "otherId": "0" * 20}
WEEK = f"from={DAYS['from']}&to={DAYS['to']}"
SEEN = [f"/appointments?{WEEK}", f"/blocks?{WEEK}", "/tasks", "/cases"]
VISITED = {
    "/chat",
    "/chat/conversations",
    "/chat/conversations/{conversation_id}/messages",
    "/chat/messages",
    "/chat/messages/{message_id}/file",
    "/chat/visits",
}
"""Where visitors of a clinic's web site are let in."""
BODIES = {
    "chat": {"message": "oi"},
    "marketing-consent": {"agreed": False},
    "{entry_id}": {"questions": ["tem elevador?"], "answer": "Sim, dois."},
    "approve": {"version": 1},
    "retire": {"version": 1},
    "answer": {"answer": "Sim, dois."},
    "waive": {"note": "Pagou na recepção."},
    "receive": {"note": "Pagou na recepção."},
    "look": {},
    "refund": {},
    "given": {},
    "tokens": {},
    "appointments": wish("16:00"),
    "move": {"start": moment("15:00")},
    "cancel": {"reason": "x"},
    "cases": {"contact": "+5511999990001", "messageId": "wamid.1", "wanted": "person"},
    "status": {"status": "no_show"},
    "attendance": {"attendance": "arrived"},
    "plan": {"plan": "Odontoprev"},
    "{appointment_id}": {"note": "Traz exames."},
    "blocks": {"start": moment("09:00", 25), "end": moment("10:00", 25)},
    "messages": {"text": "oi"},
    "take-over": {},
    "hand-back": {},
    "notes": {"text": "oi"},
    "preferences": {
        "answers": "audio",
        "voice": "",
        "rate": 1.0,
        "language": "pt-BR",
        "interruption": True,
        "context": 20,
        "notices": True,
    },
    "tasks": {"title": "Ligar"},
    "{task_id}": {"title": "Ligar já"},
    "complete": {},
    "merge": {"otherId": "0" * 20},
}

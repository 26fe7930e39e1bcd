"""A write that is sent twice is done once."""

import asyncio
from datetime import timedelta

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from tests.booking.builders import TestClock
from tests.web.api.conftest import Api, gestor, wish

from gendei.documents import Query
from gendei.secrets import SecretBox, new_key
from gendei.staff.actors import Actor
from gendei.staff.once import ANSWERS, GIVEN_UP_AFTER, KEPT_FOR
from gendei.store.sqlite import SqliteDocuments
from gendei.web.api.idempotency import IdempotentWrites

KEY = {"Idempotency-Key": "5b0f4c0e"}


async def test_the_same_request_again_gets_the_same_answer_and_books_nothing_more(api: Api) -> None:
    first, second = [await api.client.post("/appointments", json=wish(), headers=KEY) for _ in range(2)]
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert [request.headers.get("idempotent-replayed") for request in (first, second)] == [None, "true"]


async def test_a_refusal_is_an_answer_too(api: Api) -> None:
    await api.book("14:00")
    other = wish("14:00", patientName="João Lima", phone="11999990002")
    first, second = [await api.client.post("/appointments", json=other, headers=KEY) for _ in range(2)]
    assert (first.status_code, second.status_code, first.content) == (409, 409, second.content)


async def test_another_request_with_the_key_is_refused(api: Api) -> None:
    await api.client.post("/appointments", json=wish(), headers=KEY)
    answer = await api.client.post("/appointments", json=wish("16:00"), headers=KEY)
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "header.Idempotency-Key")


async def test_another_clinics_program_may_use_the_same_key(api: Api) -> None:
    await api.client.post("/appointments", json=wish(), headers=KEY)
    answer = await api.client.post("/appointments", json=wish(), headers={**KEY, **api.outsider})
    assert (answer.status_code, answer.json()["reason"]) == (409, "unknown_service")


@pytest.mark.parametrize("key", ["", "x" * 256, "\x07"])
async def test_a_key_that_is_none_is_refused(api: Api, key: str) -> None:
    answer = await api.client.post("/appointments", json=wish(), headers=[("Idempotency-Key", key.encode())])
    assert answer.status_code == 400


async def test_a_body_that_is_too_large_is_refused(api: Api) -> None:
    answer = await api.client.post("/appointments", content=b"x" * (64 * 1024 + 1))
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")


class Slow:
    """An application that answers when it is let, with what it is told, and counts."""

    def __init__(self) -> None:
        self.calls, self.status = 0, 201
        self.reached, self.free = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.calls += 1
        self.reached.set()
        await self.free.wait()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})


async def somebody(_request: object) -> Actor:
    return gestor()


@pytest.fixture
async def once():
    documents, clock, slow = await SqliteDocuments.open(":memory:"), TestClock(), Slow()
    transport = httpx.ASGITransport(IdempotentWrites(slow, documents, clock, somebody, SecretBox(new_key())))
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test/api/v1", headers=KEY) as client:
        yield client, slow, clock, documents
    await documents.close()


async def test_a_twin_of_what_still_runs_is_told_so(once) -> None:
    client, slow, _, _ = once
    first = asyncio.create_task(client.post("/things"))
    await slow.reached.wait()
    twin = await client.post("/things")
    slow.free.set()
    assert (twin.status_code, twin.json()["reason"]) == (409, "in_progress")
    assert ((await first).status_code, slow.calls) == (201, 1)


async def test_what_never_answered_is_given_up_after_a_minute(once) -> None:
    client, slow, clock, _ = once
    dead = asyncio.create_task(client.post("/things"))
    await slow.reached.wait()
    dead.cancel()
    clock.forward(seconds=GIVEN_UP_AFTER.total_seconds())
    slow.free.set()
    assert ((await client.post("/things")).status_code, slow.calls) == (201, 2)


async def test_a_failure_of_ours_is_not_kept(once) -> None:
    client, slow, _, documents = once
    slow.free.set()
    slow.status = 503
    assert (await client.post("/things")).status_code == 503
    assert await documents.query(Query(ANSWERS)) == []
    slow.status = 201
    assert ((await client.post("/things")).status_code, slow.calls) == (201, 2)


async def test_an_answer_is_kept_for_a_day(once) -> None:
    client, slow, clock, documents = once
    slow.free.set()
    await client.post("/things")
    clock.forward(seconds=(KEPT_FOR - timedelta(seconds=1)).total_seconds())
    await client.post("/things")
    assert slow.calls == 1
    clock.forward(seconds=2)
    await client.post("/others", headers={"Idempotency-Key": "another"})
    assert (slow.calls, len(await documents.query(Query(ANSWERS)))) == (2, 1)

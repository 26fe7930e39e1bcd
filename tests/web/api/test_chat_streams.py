"""The chat when things happen at once, or are cut off in the middle: over sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
from tests.journeys.town import AURORA
from tests.web.api.conftest import Api, bearer, gestor
from tests.web.api.test_chat import HERE, headers_of, listening, read_events, say, visit

from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.messages.turns import ToolStatus, ToolStep
from gendei.providers.stand_in.local_server import serve
from gendei.staff.actors import Right
from gendei.web.api import chat_access, chat_staff
from gendei.web.api.chat_patients import MAX_PREVIEW, tool_out
from gendei.web.app import app_for

SSE = {"Accept": "text/event-stream"}


@asynccontextmanager
async def dropped(api: Api, who: dict[str, str], words: str) -> AsyncIterator[str]:
    """The first line of the answer to `words`, whose reader then goes away."""
    async with (
        serve(app_for(api.gendei)) as url,
        httpx.AsyncClient(base_url=f"{url}/api/v1") as client,
        client.stream("POST", "/chat", json={"message": words}, headers=who | SSE) as answer,
    ):
        yield await anext(answer.aiter_lines())


async def said(api: Api, who: dict[str, str]) -> list[tuple[str, str]]:
    items = (await api.client.get("/chat/messages", headers=who)).json()["items"]
    return [(item["role"], item["text"]) for item in items]


@pytest.fixture
async def ana(api: Api) -> dict[str, str]:
    return headers_of(await visit(api))


async def test_a_visitor_who_goes_away_is_answered_all_the_same_and_once(api: Api, ana: dict[str, str]) -> None:
    keyed = ana | {"Idempotency-Key": "k1"}
    async with dropped(api, keyed, "onde fica a clínica?") as first:
        assert first == "event: accepted"
    again = await say(api, keyed, "onde fica a clínica?")
    assert await said(api, ana) == [("user", "onde fica a clínica?"), ("assistant", again["message"])]


async def test_two_messages_at_once_are_both_answered_in_one_conversation(api: Api, ana: dict[str, str]) -> None:
    words = ["onde fica a clínica?", "quanto custa a limpeza?"]
    answers = await asyncio.gather(*(say(api, ana, word) for word in words))
    assert len({answer["conversationId"] for answer in answers}) == 1
    assert ["Rua do Sol" in answers[0]["message"], "R$ 180,00" in answers[1]["message"]] == [True, True]
    assert sorted(text for role, text in await said(api, ana) if role == "user") == sorted(words)


async def test_first_messages_of_staff_at_once_begin_one_conversation(api: Api) -> None:
    answers = await asyncio.gather(*(staff(api, f"oi {number}") for number in range(4)))
    [chat] = (await api.client.get("/chat/conversations")).json()["items"]
    assert ({answer["conversationId"] for answer in answers}, chat["messageCount"]) == ({chat["id"]}, 8)


async def test_a_visitors_stream_ends_with_the_token(api: Api) -> None:
    tokens, visitor = VisitorTokens(api.gendei.secrets), anonymous(AURORA)
    told: list[tuple[str, int | None]] = []
    for seconds in (0.3, 2, 8):  # on a busy machine the shorter token may end before the stream begins
        short = tokens.issue(visitor, timedelta(seconds=seconds))
        async with listening(api, {"Authorization": f"Bearer {short.token}", **HERE}) as events:
            told = [(name, content.get("status")) async for name, content in events]
        if ("messages", None) in told:
            break
    assert told == [("messages", None), ("error", 401)]


async def test_a_visitor_has_few_streams_at_once_and_a_closed_one_makes_room(
    api: Api, ana: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_access, "MOST_STREAMS", 1)
    other = headers_of(await visit(api))
    async with (
        serve(app_for(api.gendei)) as url,
        httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=10) as client,
    ):

        async def listens(who: dict[str, str]) -> tuple[int, str | None]:
            async with client.stream("GET", "/chat/messages", headers=who | SSE) as answer:
                return answer.status_code, answer.headers.get("retry-after")

        async with client.stream("GET", "/chat/messages", headers=ana | SSE) as first:
            assert first.status_code == 200
            assert [await listens(ana), await listens(other)] == [(429, "30"), (200, None)]
        async with asyncio.timeout(10):
            while (await listens(ana))[0] == 429:  # the service hears of it a moment later
                continue


async def test_a_yes_of_staff_that_comes_twice_at_once_is_done_once(api: Api) -> None:
    asked = await staff(api, "cria tarefa comprar luvas")
    [yes, _] = asked["messages"][-1]["options"]
    choice = {"choice": yes["id"], "conversationId": asked["conversationId"]}
    await asyncio.gather(*(staff(api, "Confirmar", **choice) for _ in range(4)), staff(api, "sim"))
    assert [item["title"] for item in (await api.client.get("/tasks")).json()["items"]] == ["Comprar luvas"]


async def test_staff_who_go_away_find_the_question_and_nothing_done(api: Api) -> None:
    async with listening(api, own(api)) as events:
        assert await anext(events) == ("messages", {"items": []})
        async with dropped(api, own(api), "cria tarefa comprar luvas") as first:
            assert first == "event: accepted"
        assert [item["role"] for item in (await anext(events))[1]["items"]] == ["user", "assistant"]
    before = (await api.client.get("/tasks")).json()["items"]
    done = await staff(api, "sim")
    assert (before, done["message"]) == ([], "Pronto: criei a tarefa “Comprar luvas”.")


async def test_a_revoked_token_hears_no_more_of_its_talk(api: Api) -> None:
    headers = await bearer(api.gendei, AURORA, Right.READ, Right.WRITE)
    actor = await api.gendei.staff.tokens.actor_of(headers["Authorization"].removeprefix("Bearer "))
    assert actor is not None
    await staff(api, "oi", headers)
    async with listening(api, headers) as events:
        assert len((await anext(events))[1]["items"]) == 2
        token = next(
            entry for entry in await api.gendei.staff.tokens.list(gestor()) if actor.user_id.endswith(entry.id[:12])
        )
        await api.gendei.staff.tokens.revoke(gestor(), token.id)
        await api.gendei.assistant.say(actor, "minhas tarefas")
        assert [(name, told["status"]) async for name, told in events] == [("error", 401)]


@pytest.mark.parametrize("how", ["revoked", "expired"])
async def test_a_stream_of_staffs_ends_with_its_token_and_says_why_without_any_news(
    api: Api, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(chat_staff, "CHECK_SECONDS", 0.01)
    tokens = api.gendei.staff.tokens
    expires = tokens.now() + timedelta(seconds=1) if how == "expired" else None
    token, text = await tokens.add(gestor(), "programa", (Right.READ,), expires_at=expires)
    async with listening(api, {"Authorization": f"Bearer {text}"}) as events:
        assert (await anext(events))[0] == "messages"
        if how == "revoked":
            await tokens.revoke(gestor(), token.id)
        told = [event async for event in events]
    problem = {"title": "Unauthorized", "status": 401, "detail": told[0][1]["detail"]}
    assert told == [("error", {"type": "about:blank", **problem})]
    assert "revoked" in problem["detail"]


async def test_what_is_refused_in_the_middle_of_a_stream_is_told_as_its_status_would_be(
    api: Api, ana: dict[str, str]
) -> None:
    keyed = ana | {"Idempotency-Key": "k1"}
    await say(api, keyed, "oi")
    answer = await api.client.post("/chat", json={"message": "outra"}, headers=keyed | SSE)
    [(_, accepted), (name, problem)] = read_events(answer.text)
    assert (accepted, name, problem["status"], problem["errors"][0]["where"]) == (
        {"messageId": "k1"},
        "error",
        422,
        "header.Idempotency-Key",
    )


def test_a_preview_is_short_and_tells_nothing_of_the_clinics_own_servers() -> None:
    result = '{"success": true, "data": {"address": "%s"}}' % ("x" * 500)
    own, foreign = (
        tool_out(ToolStep(tool, "{}", status=ToolStatus.COMPLETED, result=result))
        for tool in ("get_clinic_info", "prontuario_ver_exame")
    )
    assert (len(own.preview or ""), foreign.preview, foreign.success) == (MAX_PREVIEW, None, True)


def own(api: Api) -> dict[str, str]:
    return {"Authorization": api.client.headers["Authorization"]}


async def staff(api: Api, words: str, who: dict[str, str] | None = None, **asked: Any) -> dict[str, Any]:
    return await say(api, who or own(api), words, **asked)

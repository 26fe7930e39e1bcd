"""The process is killed, started again, and the patient notices nothing."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

from starlette.applications import Starlette
from starlette.routing import Route
from tests.journeys.processes import gendei_serve
from tests.journeys.town import APP_SECRET, AURORA, NOW, NUMBERS

from gendei.providers.stand_in.graph import Failure
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import WebhookMaker

MARIA, JOAO = "+5511999990001", "+5511999990002"
MINUTE = timedelta(minutes=1)
ADDRESS = "📍 Rua do Sol, 12, Campinas"


def text(sender: str, words: str, *, minutes: int = 0):
    """A message that Meta took in `minutes` after NOW."""
    return WebhookMaker(APP_SECRET.encode(), NUMBERS[AURORA], lambda: NOW + minutes * MINUTE).text(sender, words)


async def test_killed_between_accept_and_reply_it_answers_once_after_the_restart(folder, graph):
    question = text(MARIA, "onde fica?")
    async with gendei_serve(folder, graph.url, quiet=60) as first:
        accepted = await first.post(question)
        await first.kill()
    before = list(graph.sent)
    async with gendei_serve(folder, graph.url, now=NOW + 2 * MINUTE) as second:
        await graph.wait_sent(1)
        again = await second.post(question)
        await second.post(text(MARIA, "aceita convênio?", minutes=2))
        await graph.wait_sent(2)
    assert (accepted, before, again, [(request.to, request.text) for request in graph.sent]) == (
        200,
        [],
        200,
        [(MARIA, ADDRESS), (MARIA, "Convênios que aceitamos: Odontoprev.")],
    )


async def test_killed_during_a_send_it_does_not_send_again_what_a_status_proves_sent(folder, graph):
    graph.fail_next(Failure("hang", accepted=True))
    async with gendei_serve(folder, graph.url) as first:
        await first.post(text(MARIA, "onde fica?"))
        [sent] = await graph.wait_sent(1)
        await first.kill()
    async with gendei_serve(folder, graph.url, now=NOW + 2 * MINUTE) as second:
        maker = WebhookMaker(APP_SECRET.encode(), NUMBERS[AURORA], lambda: NOW + 2 * MINUTE)
        assert await second.post(maker.status(sent.id, "delivered", sent.reference)) == 200
        await second.post(text(MARIA, "aceita convênio?", minutes=2))
        await graph.wait_sent(2)
    assert [request.text for request in graph.sent] == [ADDRESS, "Convênios que aceitamos: Odontoprev."]


@asynccontextmanager
async def silent_model():
    """An API that takes the request and never answers; yields its address, and what tells that it was asked."""
    asked = asyncio.Event()

    async def never(request):
        await request.body()
        asked.set()
        while (await request.receive())["type"] != "http.disconnect":
            continue

    async with serve(Starlette(routes=[Route("/{path:path}", never, methods=["POST"])])) as url:
        yield url, asked


async def test_killed_while_a_model_thinks_it_books_once_after_the_restart(folder, graph):
    asked_for = text(MARIA, "quero marcar limpeza amanhã às 15h")
    async with silent_model() as (url, asked):
        api = {"GENDEI_MODEL": "api", "OPENAI_API_KEY": "sk-unused", "OPENAI_BASE_URL": url}
        async with gendei_serve(folder, graph.url, **api) as first:
            await first.post(asked_for)
            await asyncio.wait_for(asked.wait(), 10)
            await first.kill()
    async with gendei_serve(folder, graph.url, now=NOW + 3 * MINUTE) as second:
        [question] = await graph.wait_sent(1)
        maker = WebhookMaker(APP_SECRET.encode(), NUMBERS[AURORA], lambda: NOW + 3 * MINUTE)
        await second.post(maker.tap(MARIA, *question.options[0]))
        [_, told] = await graph.wait_sent(2)
    assert (question.text.splitlines()[0], told.text.splitlines()[0], len(graph.sent)) == (
        "Posso marcar assim?",
        "✅ Sua consulta está confirmada!",
        2,
    )


async def test_told_to_stop_it_answers_first_what_it_accepted(folder, graph):
    async with gendei_serve(folder, graph.url) as server:
        for sender in (MARIA, JOAO):
            await server.post(text(sender, "onde fica?"))
        server.process.terminate()
        status = await server.process.wait()
    assert (status, sorted((request.to, request.text) for request in graph.sent)) == (
        0,
        [(MARIA, ADDRESS), (JOAO, ADDRESS)],
    )

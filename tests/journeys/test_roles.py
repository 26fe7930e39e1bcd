"""One process takes in, another answers; told to stop, a process hands on what it cannot finish."""

import asyncio
import os
import re
import signal

import httpx
import pytest
from tests.journeys.processes import gendei_serve
from tests.journeys.test_crashes import ADDRESS, JOAO, MARIA, silent_model, text

from gendei.documents import Query
from gendei.store.sqlite import SqliteDocuments

STARTED = re.compile(r"Started server process \[(\d+)\]")


async def stored(folder, collection):
    documents = await SqliteDocuments.open(str(folder / "town.db"))
    found = await documents.query(Query(collection))
    await documents.close()
    return [snapshot.data for snapshot in found]


async def ended(server):
    """The status that the process ends with when it is told to stop."""
    server.process.terminate()
    return await server.process.wait()


async def test_what_one_process_takes_in_another_answers(folder, graph):
    async with (
        gendei_serve(folder, graph.url, role="web") as web,
        gendei_serve(folder, graph.url, role="worker") as worker,
    ):
        accepted = [await web.post(text(sender, "onde fica?")) for sender in (MARIA, JOAO)]
        await graph.wait_sent(2)
        statuses = [await ended(value) for value in (web, worker)]
    assert (accepted, sorted((request.to, request.text) for request in graph.sent), statuses) == (
        [200, 200],
        [(MARIA, ADDRESS), (JOAO, ADDRESS)],
        [0, 0],
    )


async def test_a_process_that_takes_in_begins_no_turn_and_sends_nothing(folder, graph):
    async with gendei_serve(folder, graph.url, role="web") as web:
        accepted = await web.post(text(MARIA, "onde fica?"))
        figures = (await web.client.get("/metrics")).text.splitlines()
        status = await ended(web)
    [entry] = await stored(folder, "gendei_inbox")
    assert (accepted, status, entry["status"], entry["attempts"], graph.sent) == (200, 0, "waiting", 0, [])
    assert [
        figure for figure in figures if figure.startswith(("gendei_inbox_accepted_total", "gendei_turn_seconds"))
    ] == ['gendei_inbox_accepted_total{provider="meta"} 1.0']
    assert await stored(folder, "gendei_outbox") == []


async def test_a_process_that_answers_shows_its_health_and_nothing_else(folder, graph):
    paths = ("/healthz", "/readyz", "/metrics", "/login", "/inbox")
    async with gendei_serve(folder, graph.url, role="worker") as worker:
        shown = [(await worker.client.get(path)).status_code for path in paths]
        refused = await worker.post(text(MARIA, "onde fica?"))
    assert (shown, refused, await stored(folder, "gendei_inbox")) == ([200, 200, 200, 404, 404], 404, [])


async def refused(server):
    """Return once no new connection is taken."""
    while True:
        try:
            async with httpx.AsyncClient(base_url=server.client.base_url) as fresh:
                await fresh.get("/healthz")
        except httpx.TransportError:
            return


@pytest.mark.slow
async def test_a_turn_that_cannot_be_finished_goes_to_another_process_at_a_stop_and_counts_as_no_death(folder, graph):
    async with silent_model() as (url, asked):
        hanging = {"GENDEI_MODEL": "api", "OPENAI_API_KEY": "sk-unused", "OPENAI_BASE_URL": url}
        async with gendei_serve(folder, graph.url, **hanging) as first:
            accepted = await first.post(text(MARIA, "onde fica?"))
            await asyncio.wait_for(asked.wait(), 10)
            first.process.terminate()
            await refused(first)
            status = await first.process.wait()
        [entry] = await stored(folder, "gendei_inbox")
        leases = await stored(folder, "gendei_leases")
    assert (accepted, status, entry["status"], entry["attempts"], entry["unattended"], leases, graph.sent) == (
        *(200, 0, "waiting", 0, True),
        *([], []),
    )
    async with gendei_serve(folder, graph.url) as second:
        await graph.wait_sent(1)
        await ended(second)
    assert [(request.to, request.text) for request in graph.sent] == [(MARIA, ADDRESS)]


@pytest.mark.slow
async def test_another_process_that_runs_already_takes_over_what_a_stop_left(folder, graph):
    async with silent_model() as (url, asked), gendei_serve(folder, graph.url, role="worker") as other:
        hanging = {"GENDEI_MODEL": "api", "OPENAI_API_KEY": "sk-unused", "OPENAI_BASE_URL": url}
        async with gendei_serve(folder, graph.url, **hanging) as first:
            await first.post(text(MARIA, "onde fica?"))
            await asyncio.wait_for(asked.wait(), 10)
            first.process.terminate()
            await first.process.wait()
        await graph.wait_sent(1)
        await ended(other)
    assert [(request.to, request.text) for request in graph.sent] == [(MARIA, ADDRESS)]


def answering(server):
    """The process ids of the workers that said so far that they run, by uvicorn's lines."""
    return [
        int(found[1]) for line in server.log if (found := STARTED.search(line)) and int(found[1]) != server.process.pid
    ]


async def until(condition):
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110  # other processes tell of themselves by their lines alone
            await asyncio.sleep(0.05)


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
async def test_a_worker_that_dies_is_started_anew_and_all_end_together(folder, graph):
    async with gendei_serve(folder, graph.url, workers=2) as web:
        accepted = [await web.post(text(MARIA, "onde fica?"))]
        await graph.wait_sent(1)
        [first] = answering(web)
        os.kill(first, signal.SIGKILL)
        accepted.append(await web.post(text(JOAO, "onde fica?")))
        await graph.wait_sent(2)
        [_, second] = answering(web)
        status = await ended(web)
    assert (accepted, status, runs(second)) == ([200, 200], 0, False)
    assert [(request.to, request.text) for request in graph.sent] == [(MARIA, ADDRESS), (JOAO, ADDRESS)]


@pytest.mark.slow
async def test_workers_end_with_the_process_that_keeps_them_however_that_ends(folder, graph):
    async with gendei_serve(folder, graph.url, workers=2) as web:
        await until(lambda: answering(web))
        [worker] = answering(web)
        await web.kill()
        await until(lambda: not runs(worker))

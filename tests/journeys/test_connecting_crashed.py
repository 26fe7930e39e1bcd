"""The process that connects a number is killed (SIGKILL) at each of its calls, before and after the call was done, and
the next one goes on by itself."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.journeys.processes import Server, gendei_serve
from tests.journeys.quay import ACCOUNT, APP_ID, AURORA, BROMELIA, GLOBAL_KEY, MARIA, NUMBER, Harbour
from tests.journeys.town import NOW

from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.staff.actors import RIGHTS, Actor, Role

pytestmark = pytest.mark.slow

MOST_KILLS = 60
ROSA = Actor(AURORA, "rosa", "Rosa", RIGHTS[Role.GESTOR])


@dataclass
class DeadlyHarbour:
    """The providers, and the way to whichever process runs now. It is killed twice at each call of theirs: before what
    it asks for is done, and the next one after it. `calm`: no more."""

    harbour: Harbour
    server: Server | None = None
    calm: bool = False
    kills: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/v26.0/dialog"):
            await self.harbour(scope, receive, send)
        elif not scope["path"].startswith(("/v26.0/", "/evolution/")):
            await self._pass_on(scope, receive, send)
        elif not self.calm and self.kills[call := f"{scope['method']} {scope['path'].rpartition('/')[2]}"] < 2:
            self.kills[call] += 1
            await self._kill(scope, receive, after=self.kills[call] == 2)
        else:
            await self.harbour(scope, receive, send)

    async def _kill(self, scope: Scope, receive: Receive, *, after: bool) -> None:
        if after:

            async def unheard(_: Message) -> None:
                """The provider answers nobody."""

            await self.harbour(scope, receive, unheard)
        assert self.server is not None
        await self.server.kill()
        while (await receive())["type"] != "http.disconnect":
            pass  # nobody is there any more to hear an answer

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """From the public address to the process behind it."""
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        assert self.server is not None
        address = f"{scope['path']}?{scope['query_string'].decode()}"
        headers = [(name, value) for name, value in scope["headers"] if name not in {b"host", b"content-length"}]
        answer = await self.server.client.request(scope["method"], address, content=body, headers=headers)
        told = [(b"content-type", answer.headers.get("content-type", "text/plain").encode())]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": told})
        await send({"type": "http.response.body", "body": answer.content})


@asynccontextmanager
async def open_deadly() -> AsyncIterator[DeadlyHarbour]:
    deadly = DeadlyHarbour(Harbour())
    async with serve(deadly) as deadly.harbour.url:
        yield deadly


async def connected(
    deadly: DeadlyHarbour, folder: Path, begin: dict[str, object], headers: dict[str, str]
) -> list[int]:
    """Let one process after the other die, until one connects the number; how many ledgers each found."""
    url, found = deadly.harbour.url, []
    app = {"GENDEI_META_APP_ID": APP_ID, "GENDEI_PUBLIC_URL": url, "GENDEI_META_DIALOG_URL": url}
    for process in range(MOST_KILLS):
        now = NOW + timedelta(minutes=process + 1)
        async with gendei_serve(folder, url, now=now, cheap=True, **app) as server:
            deadly.server = server
            try:
                ledgers = (await server.client.get("/api/v1/connections", headers=headers)).json()["items"]
                found.append(len(ledgers))
                if not ledgers:
                    await server.client.post("/api/v1/connections", headers=headers, json=begin)
                while not (ledgers and ledgers[0]["connected"]):
                    await asyncio.sleep(0.05)
                    ledgers = (await server.client.get("/api/v1/connections", headers=headers)).json()["items"]
            except httpx.TransportError:
                await server.process.wait()
                continue
            return found
    raise AssertionError("it never ends")


@pytest.mark.parametrize("way", ["meta_token", "evolution"])
async def test_killed_at_each_call_the_next_process_goes_on_and_patients_are_answered(tmp_path: Path, way: str) -> None:
    async with open_deadly() as deadly:
        harbour = deadly.harbour
        number = StandInNumber(NUMBER)
        account = harbour.graph.onboarding.account(ACCOUNT, number)
        given = {
            "meta_token": {"phone_number_id": NUMBER, "access_token": harbour.graph.onboarding.token(ACCOUNT)},
            "evolution": {"instance": "aurora", "base_url": f"{harbour.url}/evolution", "api_key": GLOBAL_KEY},
        }[way]
        harbour.evolution.scan("aurora")
        async with harbour.opened(tmp_path) as quay:
            program, outsider = await quay.program(), await quay.program(BROMELIA)
        found = await connected(deadly, tmp_path, {"way": way, "fields": given}, program.headers)
        changing = {
            "meta_token": ["POST register", "POST subscribed_apps"],
            "evolution": ["POST create", "POST aurora"],
        }
        assert [deadly.kills[call] for call in changing[way]] == [2, 2]
        assert max(found) == 1
        async with harbour.opened(tmp_path, now=NOW + timedelta(hours=3)) as quay:
            [connection] = await quay.gendei.desks.connections.all(ROSA)
            clinic = await quay.gendei.directory.get(AURORA)
            assert clinic is not None
            assert connection.is_connected
            assert len(clinic.channels) == len(await quay.gendei.desks.clinic_changes.history(ROSA)) == 1
            if way == "meta_token":
                assert account.subscribed
                assert len(set(number.registrations)) == 1  # the PIN was kept before it was used
        later = NOW + timedelta(hours=4)
        async with gendei_serve(tmp_path, harbour.url, now=later, cheap=True, GENDEI_META_APP_ID=APP_ID) as server:
            deadly.server, deadly.calm = server, True
            none = (await server.client.get("/api/v1/connections", headers=outsider.headers)).json()["items"]
            assert none == []
            if way == "meta_token":
                assert await server.post(quay.maker.text(MARIA, "onde fica?")) == 200
                await harbour.graph.wait_until(lambda: bool(harbour.graph.sent_to(MARIA)))

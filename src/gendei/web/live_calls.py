"""GET /live: the WebSocket of a live call. The protocol is in docs/voice.md and gendei.voice.live.frames."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from gendei.app import Gendei
from gendei.clock import Clock, system_clock
from gendei.conversation.site.live_line import Caller
from gendei.conversation.site.visitor_tokens import VisitorTokens
from gendei.conversation.site.web_channel import web_channel_of
from gendei.conversation.turns.turn import describe
from gendei.http_server.sockets import trust
from gendei.voice.live.activity import RATE
from gendei.voice.live.call import CallParts, Echo, LiveCall, nobody_else
from gendei.voice.live.desk import Known, LiveDesk, Seat, commands_allowed
from gendei.voice.live.frames import CallOver, Close, End, Frame, Start, check_chunk, encoded, read_command
from gendei.voice.live.seats import LiveSession
from gendei.web.api.chat_access import may_show
from gendei.web.client_limits import client_network

log = logging.getLogger(__name__)
PATH = "/live"
MOST_STRANGERS, STRANGERS_PER_NETWORK = 100, 20
"""Sockets whose first frame has not come, of all and of one client's network."""


def add_live(app: FastAPI, gendei: Gendei) -> None:
    """Serve live calls under `app`, for visitors of the clinics' web sites and for whomever else the desk knows."""
    gendei.live.known.append(visitors_of(gendei))
    app.router.routes.append(WebSocketRoute(PATH, LiveSockets(gendei.live).answer))


def visitors_of(gendei: Gendei, clock: Clock = system_clock) -> Known:
    """Make a Known that knows the holders of visitors' tokens, which the chat's API gives."""
    tokens = VisitorTokens(gendei.secrets, clock)

    async def known(token: str) -> tuple[Caller, Echo] | None:
        visit = tokens.open(token)
        clinic = await gendei.directory.get(visit.visitor.clinic_id) if visit else None
        channel = web_channel_of(clinic) if clinic else None
        return (
            (Caller(visit.visitor, channel.provider, channel.external_id), nobody_else) if visit and channel else None
        )

    return known


class SocketClient:
    """Sends one frame at a time, and waits for a slow network only so long."""

    def __init__(self, socket: WebSocket, patience: float) -> None:
        self._socket, self._patience = socket, patience
        self._turn = asyncio.Lock()

    async def show(self, frame: Frame) -> None:
        await self._send(lambda: self._socket.send_text(encoded(frame)))

    async def play(self, sound: bytes) -> None:
        await self._send(lambda: self._socket.send_bytes(sound))

    async def say_goodbye(self, code: Close, text: str) -> None:
        """Tell why, and close. Never raises."""
        with suppress(CallOver, WebSocketDisconnect, RuntimeError):
            await self.show({"type": "bye", "code": int(code), "reason": code.reason, "text": text})
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
            async with asyncio.timeout(self._patience):
                await self._socket.close(int(code), code.reason)

    async def _send(self, send: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            async with asyncio.timeout(self._patience), self._turn:
                await send()
        except TimeoutError:
            raise CallOver(Close.STALLED) from None
        except RuntimeError:  # it was closed while this waited
            raise WebSocketDisconnect from None


class Doorstep:
    """Sockets whose first frame has not come: so many of one network, and of all. There is room for another one at any
    time, since the oldest leaves for it: who has a token shows it at once."""

    def __init__(self, most: int = MOST_STRANGERS, per_network: int = STRANGERS_PER_NETWORK) -> None:
        self._most, self._per_network = most, per_network
        self._waiting: dict[asyncio.Timeout, str] = {}

    @asynccontextmanager
    async def waiting(self, network: str, seconds: float) -> AsyncIterator[None]:
        """Raises TimeoutError after so long, or when another one needs the room."""
        near = [deadline for deadline, of in self._waiting.items() if of == network]
        if len(near) >= self._per_network:
            self._send_away(near[0])
        elif len(self._waiting) >= self._most:
            self._send_away(next(iter(self._waiting)))
        async with asyncio.timeout(seconds) as deadline:
            self._waiting[deadline] = network
            try:
                yield
            finally:
                self._waiting.pop(deadline, None)

    def _send_away(self, deadline: asyncio.Timeout) -> None:
        del self._waiting[deadline]
        deadline.reschedule(asyncio.get_running_loop().time())


class LiveSockets:
    """Answers sockets."""

    def __init__(self, desk: LiveDesk) -> None:
        self.desk = desk
        self._doorstep = Doorstep()

    async def answer(self, socket: WebSocket) -> None:
        """One socket, from its opening to its end."""
        await socket.accept()
        client = SocketClient(socket, self.desk.limits.patience)
        try:
            start, caller, echo = await self._introduced(socket)
            async with self.desk.seat(caller, start, client_network(socket.scope)) as seat:
                await self._call(socket, client, seat, start, echo)
        except WebSocketDisconnect:
            return
        except CallOver as over:
            await client.say_goodbye(over.code, self.desk.texts.closed[over.code.reason])
        except Exception as error:  # noqa: BLE001 - whatever it is, the patient reads a sentence
            log.error("a live call failed: %s", describe(error))
            await client.say_goodbye(Close.FAILED, self.desk.texts.closed[Close.FAILED.reason])

    async def _introduced(self, socket: WebSocket) -> tuple[Start, Caller, Echo]:
        """Read who calls from the first frame. Raises CallOver for who does not say so in time."""
        try:
            async with self._doorstep.waiting(client_network(socket.scope), self.desk.limits.patience):
                message = await _received(socket)
        except TimeoutError:
            raise CallOver(Close.NOT_ALLOWED) from None
        start = read_command(message.get("text") or "")
        if not isinstance(start, Start):
            raise CallOver(Close.BAD_FRAME)
        for known in self.desk.known:
            if found := await known(start.token):
                clinic = await self.desk.clinic_of(found[0])
                if may_show(socket, clinic):
                    trust(socket.scope)
                    return start, *found
        raise CallOver(Close.NOT_ALLOWED)

    async def _call(self, socket: WebSocket, client: SocketClient, seat: Seat, start: Start, echo: Echo) -> None:
        desk, session = self.desk, seat.session
        since = session.seen
        if seat.resumed and start.after:
            since = await seat.line.place_of(start.after) or since
        call = LiveCall(
            CallParts(
                clinic=seat.clinic,
                line=seat.line,
                speech=desk.speech,
                client=client,
                notices=desk.texts.notices,
                since=since,
                started=seat.started,
                noted=session.saw,
                spoke=session.spoke,
                echo=echo,
                idle_seconds=desk.limits.idle,
            )
        )
        await client.show(
            {"type": "ready", "session": session.id, "resumed": seat.resumed, "status": session.status, "rate": RATE}
        )
        tasks = [
            asyncio.create_task(part)
            for part in (
                call.run(),
                self._take(socket, call, seat),
                session.until_left(),
                *([_until_silent(session, desk.limits.silence)] if session.stranger_from is not None else []),
            )
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self, socket: WebSocket, call: LiveCall, seat: Seat) -> None:
        """Handle the client's frames until it sends no more."""
        commands, now = commands_allowed(), asyncio.get_running_loop().time
        while True:
            message = await _received(socket)
            if (chunk := message.get("bytes")) is not None:
                check_chunk(chunk)
                seat.count(len(chunk))
                await call.hear(chunk)
                continue
            commands.spend(1, now())
            command = read_command(message.get("text") or "")
            if isinstance(command, End):
                self.desk.end(seat.session)
                raise CallOver(Close.ENDED)
            if isinstance(command, Start):
                raise CallOver(Close.BAD_FRAME)
            await call.command(command)


async def _received(socket: WebSocket) -> dict[str, Any]:
    """The next frame. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    return dict(message)


async def _until_silent(session: LiveSession, seconds: float) -> None:
    """Raises CallOver for who has said nothing for so long; otherwise goes on for ever."""
    try:
        async with asyncio.timeout(seconds):
            await session.spoken.wait()
    except TimeoutError:
        raise CallOver(Close.IDLE) from None
    await asyncio.Event().wait()

"""WhatsApp as the rig's processes see it: the stand-in of the Graph API, with an address of its own for each process,
traps at the points of a send, and statuses as Meta posts them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from enum import StrEnum

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.providers.stand_in.graph import GraphSimulator, Sent


class Point(StrEnum):
    """What is done to a process: SIGKILL at a moment that can be seen from outside, or something that it survives."""

    ACCEPTED = "after accept"
    TURN = "during the turn"
    COMMITTED = "between commit and send"
    TAKEN = "between send and its record"
    ANSWERED = "after the send's answer"
    FOLLOWING = "between commit and follow"
    FOLLOWED = "between follow and its record"
    RANDOM = "at random"
    PAUSED = "stopped beyond its leases"
    CUT = "cut off from the store"


KILLS = tuple(point for point in Point if point not in {Point.PAUSED, Point.CUT})
"""Points at which the process ends; the others it survives."""


class Trap:
    """At most one point is armed; `kill` gets the slot of the first process that reaches it, and says whether that
    process still ran."""

    def __init__(self, kill: Callable[[int], Awaitable[bool]]) -> None:
        self._kill = kill
        self.armed: Point | None = None
        self.sprung = asyncio.Event()

    def arm(self, point: Point) -> None:
        self.armed = point
        self.sprung.clear()

    def disarm(self) -> None:
        self.armed = None

    async def spring(self, point: Point, slot: int) -> bool:
        """Kill the process in `slot` if `point` is armed; whether it was."""
        if self.armed is not point:
            return False
        self.armed = None
        if await self._kill(slot):
            self.sprung.set()
        else:
            self.armed = point
        return self.sprung.is_set()


class StandIn:
    """The application to serve. Process `slot` has `{url}/{slot}` as its GENDEI_GRAPH_URL; `told` gets every message
    that was taken, in order, so that its status can be posted. `slots` and `moments` say which process each message
    came from and when, in seconds of the loop's clock. `given`: the ids of the agenda's events that were given to a
    follower, as often as they were; see tests/crash/serving.py.

    A process is killed at the first try of a turn only: a message whose turn dies three times is parked by design.
    """

    def __init__(self) -> None:
        self.graph = GraphSimulator()
        self.slots: list[int] = []
        self.moments: list[float] = []
        self.trap: Trap | None = None
        self.given: list[str] = []
        self._begun: set[str] = set()
        self.told: Callable[[Sent], None] = lambda _sent: None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.graph.app(scope, receive, send)
            return
        first, _, rest = scope["path"].removeprefix("/").partition("/")
        body = await _body(receive)
        if body is None:
            return
        slot, scope = int(first), {**scope, "path": f"/{rest}"}
        payload = json.loads(body)
        if "event" in payload:
            await self._follow(payload, receive, send, slot)
            return
        if "status" in payload:
            if payload["message_id"] not in self._begun:
                self._begun.add(payload["message_id"])
                await self._spring(Point.TURN, slot)
            await self._pass(scope, body, send, slot)
            return
        if await self._spring(Point.COMMITTED, slot):
            await _line_broken(receive)  # and nothing was taken
            return
        if self.trap is not None and self.trap.armed is Point.TAKEN:
            await self._pass(scope, body, _unheard, slot)
            await self._spring(Point.TAKEN, slot)
            await _line_broken(receive)
            return
        await self._pass(scope, body, send, slot)
        await self._spring(Point.ANSWERED, slot)

    async def _follow(self, payload: dict[str, str], receive: Receive, send: Send, slot: int) -> None:
        point = Point(payload["point"])
        if point is Point.FOLLOWING:
            self.given.append(payload["event"])
        if await self._spring(point, slot):
            await _line_broken(receive)
            return
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def _spring(self, point: Point, slot: int) -> bool:
        return self.trap is not None and await self.trap.spring(point, slot)

    async def _pass(self, scope: Scope, body: bytes, send: Send, slot: int) -> None:
        before = len(self.graph.sent)
        await _call(self.graph.app, scope, body, send)
        for sent in self.graph.sent[before:]:
            self.slots.append(slot)
            self.moments.append(asyncio.get_running_loop().time())
            self.told(sent)


async def _body(receive: Receive) -> bytes | None:
    """None where the caller left, or died, before it had said everything."""
    body = b""
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            return None
        body += part.get("body", b"")
        if not part.get("more_body"):
            return body


async def _line_broken(receive: Receive) -> None:
    """Until the caller, who is dead, is known to have left."""
    while (await receive())["type"] != "http.disconnect":
        continue


async def _call(app: ASGIApp, scope: Scope, body: bytes, send: Send) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    await app(scope, receive, send)


async def _unheard(_message: Message) -> None:
    """The answer of a request whose sender is about to die."""

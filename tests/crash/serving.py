"""`python -m tests.crash.serving --port 0`: `gendei serve` with a follower of every appointment's events, which tells
the stand-in before and after its effect, so that the process can be killed there."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import httpx
import typer
from tests.crash.standin import Point
from tests.followers import StoredRecorder

from gendei.app import open_gendei
from gendei.booking.events import AgendaEvent, Follower
from gendei.cli import serving
from gendei.documents import Documents


@dataclass
class WatchedRecorder(StoredRecorder):
    client: httpx.AsyncClient = field(default_factory=httpx.AsyncClient)

    async def follow(self, event: AgendaEvent) -> None:
        await self._say(Point.FOLLOWING, event)
        await super().follow(event)
        await self._say(Point.FOLLOWED, event)

    async def _say(self, point: Point, event: AgendaEvent) -> None:
        await self.client.post(f"{os.environ['GENDEI_GRAPH_URL']}/events", json={"event": event.id, "point": point})


def watched(documents: Documents) -> Sequence[Follower]:
    return (WatchedRecorder(documents),)


if __name__ == "__main__":
    serving.open_gendei = partial(open_gendei, followers=watched)
    typer.run(serving.serve)

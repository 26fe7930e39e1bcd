"""The service beside a stand-in of the Graph API: what the phones of `demo` and `chat` talk to."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from gendei.app import Gendei, open_gendei
from gendei.clock import Clock
from gendei.errors import GendeiError
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.settings import Settings


class NoSuchClinic(GendeiError):
    """There is no clinic yet. Add one with `gendei clinics import FILE`."""

    def __init__(self, clinic_id: str, there: Iterable[str]) -> None:
        """`clinic_id`: what was asked for, "" for nothing. `there`: the ids that there are."""
        asked = f"There is no clinic {clinic_id}." if clinic_id else "There are several clinics."
        ids = ", ".join(sorted(there))
        super().__init__(f"{asked} Name one of these with --clinic: {ids}" if ids else None)


@asynccontextmanager
async def beside_stand_in(
    settings: Settings, clock: Clock, *, seeks: bool = True
) -> AsyncIterator[tuple[GraphSimulator, Gendei]]:
    """The service, which sends to a stand-in of the Graph API on this machine. seeks: False where the store is one
    that others serve, whose patients' messages must not end at the stand-in."""
    graph = GraphSimulator()
    async with (
        serve(graph.app) as graph_url,
        open_gendei(settings.model_copy(update={"graph_url": graph_url}), clock=clock, seeks=seeks) as gendei,
    ):
        yield graph, gendei

"""A provider over HTTP, against its stand-in on 127.0.0.1."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from tests.providers.evolution_simulator import EvolutionSimulator
from tests.providers.zapi_simulator import ZapiSimulator

from gendei.clinic import Channel, ClinicId
from gendei.providers.evolution import EvolutionProvider
from gendei.providers.meta import MetaProvider
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.zapi import ZapiProvider


@dataclass
class Line:
    """A provider, a channel on it, and the stand-in behind it."""

    provider: Any
    channel: Channel
    stand_in: Any


@asynccontextmanager
async def open_line(kind: str) -> AsyncIterator[Line]:
    """`kind`: meta, evolution or zapi."""
    stand_in: Any = {
        "meta": GraphSimulator(),
        "evolution": EvolutionSimulator({"n1": "key"}),
        "zapi": ZapiSimulator({"n1": "key"}, "key"),
    }[kind]
    async with serve(stand_in.app) as url, httpx.AsyncClient(verify=False) as client:  # noqa: S501 - plain HTTP
        providers = {
            "meta": lambda: MetaProvider(client, url, "v26.0", lambda *_: "key"),
            "evolution": lambda: EvolutionProvider(client, lambda *_: "key"),
            "zapi": lambda: ZapiProvider(client, lambda *_: "key"),
        }
        channel = Channel(kind, "n1", {}, ClinicId("one"), {"base_url": url})
        yield Line(providers[kind](), channel, stand_in)

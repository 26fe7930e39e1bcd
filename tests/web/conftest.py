"""The application with a recording inbox in place of the real one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx
import pytest
from prometheus_client import CollectorRegistry

from gendei.messages.message import Received
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.web.app import WebParts, create_app

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SECRET = b"app secret"
NUMBER = "106540352242922"


@dataclass
class Taken:
    """What the inbox was given; `failure` is raised instead, when set. `is_ready` is what the store says."""

    calls: list[tuple[str, Sequence[Received]]] = field(default_factory=list)
    failure: Exception | None = None
    is_ready: Callable[[], bool] = lambda: True

    async def accept(self, provider: str, received: Sequence[Received]) -> None:
        if self.failure:
            raise self.failure
        self.calls.append((provider, received))

    async def ready(self) -> bool:
        return self.is_ready()

    @property
    def texts(self) -> list[str | None]:
        return [message.text for _, received in self.calls for value in received for message in value.messages]


@pytest.fixture
def taken() -> Taken:
    return Taken()


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def meta() -> WebhookMaker:
    return WebhookMaker(SECRET, NUMBER, clock=lambda: NOW)


@pytest.fixture
def parts(taken: Taken, registry: CollectorRegistry) -> WebParts:
    return WebParts(taken.accept, SECRET, "verify me", taken.ready, clock=lambda: NOW, registry=registry)


@pytest.fixture
async def client(parts: WebParts):
    transport = httpx.ASGITransport(create_app(parts), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        yield client

"""Processor time of a delivery status, the commonest webhook by far, with its client and without."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from urllib.parse import urlsplit

from pydantic import SecretStr
from starlette.types import Receive, Scope, Send

from bench.arrivals import Arrival, deliver
from bench.children import ChildFailed
from bench.loop import run
from bench.mix import STATES, remember_sent, statuses
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import Town, found_town, http_request
from gendei.app import open_gendei
from gendei.cli.serving import settle_memory
from gendei.documents import Query
from gendei.messages.keys import OUTBOX
from gendei.providers.stand_in.local_server import serve
from gendei.settings import Settings
from gendei.web.app import app_for

GOAL = 150.0
"""Microseconds."""
CONNECTIONS = 64
Leg = Callable[[Sequence[bytes]], Awaitable[float]]


def measure_statuses(workdir: Path, sizes: Sizes) -> Section:
    """Legs of statuses at the service in this process, and of the same requests at an application that answers 200."""
    wanted = sizes.status_webhooks * (1 + sizes.blocks)
    town = found_town(workdir, sizes.clinics)
    references = remember_sent(town, wanted // len(STATES) + 1)
    return run(_measure(town, references, sizes))


async def _measure(town: Town, references: list[str], sizes: Sizes) -> Section:
    ours, nothing = [], []
    async with AsyncExitStack() as stack:
        gendei = await stack.enter_async_context(open_gendei(_settings(town)))
        port = await _port(stack, app_for(gendei))
        other = await _port(stack, _nothing)
        made = statuses(town, references)
        settle_memory()
        for _ in range(1 + sizes.blocks):  # the first warms up
            some = [http_request(port, status) for status in islice(made, sizes.status_webhooks)]
            ours.append(await _leg(port, some))
            nothing.append(await _leg(other, some))
        read = Query(OUTBOX, where=(("deliveryState", "==", "read"),))
        if len(await gendei.documents.query(read)) < sizes.status_webhooks * sizes.blocks // (2 * len(STATES)):
            raise ChildFailed("statuses that were answered with 200 are not stored")
    each, client = median(ours[1:]), median(nothing[1:])
    return Section(
        title="A delivery status: processor time",
        figures=(
            Figure("processor time of a delivery status, with its client", each, "at most", GOAL, "µs"),
            Figure("the same without client and server", each - client, "at most", GOAL, "µs"),
        ),
        method=_method(sizes),
        seen=(
            f"client and an empty application: {client:.0f} µs",
            f"legs: {', '.join(f'{leg:.0f}' for leg in ours[1:])}",
        ),
    )


async def _leg(port: int, requests: Sequence[bytes]) -> float:
    """Microseconds of processor time of one request, all threads of the process included."""
    began = process_time()
    _, answers = await deliver(port, [Arrival(0, request) for request in requests], CONNECTIONS)
    took = process_time() - began
    if any(answer.status != 200 for answer in answers):
        raise ChildFailed("a status was refused")
    return 1e6 * took / len(requests)


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads a request and answers 200."""
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"OK"})


async def _port(stack: AsyncExitStack, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> int:
    return urlsplit(await stack.enter_async_context(serve(app))).port or 0


def _settings(town: Town) -> Settings:
    return Settings.load(
        _env_file=None,
        database=f"sqlite:///{town.database}",
        secret_key=SecretStr(town.key),
        meta_app_secret=SecretStr(town.secret),
        graph_url="http://127.0.0.1:9",
        now=None,
        prompts_dir=None,
        verticals_dir=None,
    )


def _method(sizes: Sizes) -> str:
    return (
        f"{sizes.blocks} legs of {sizes.status_webhooks} statuses (sent, delivered, read, one a webhook, of messages "
        f"that stand in the store) over {CONNECTIONS} connections, each with its next as soon as it is answered, after "
        f"one leg to warm up; the service on a SQLite file (synchronous=FULL) and the client are one process. By turns "
        f"with it the same requests at an application that reads them and answers 200: client, server and nothing "
        f"else. time.process_time of all threads, medians of the legs."
    )

"""`gendei serve`: the service behind a port."""

import gc
import logging
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Annotated

import typer
import uvicorn
from starlette.routing import Route
from uvicorn.server import HANDLED_SIGNALS

from gendei.app import Gendei, ServiceRole, open_gendei
from gendei.cli.case_playing import CasePlayer
from gendei.cli.language import worded
from gendei.cli.running import PortTaken, run, uncollected
from gendei.cli.workers import Workers, end_with_keeper
from gendei.http_server.config import bounded_config, connections_with_files
from gendei.settings import Settings
from gendei.store.opening import sqlite_file
from gendei.store.sqlite_place import warn_of_network
from gendei.telemetry import configure_logs
from gendei.web.app import WebApp, app_for
from gendei.web.proxies import BehindProxies, TrustedProxies, UntrustedForwards, warn_of_cloud_run
from gendei.web.sign_up import first_invitation, invitation_link

GRACE_SECONDS = 1
"""For requests that run when the service is told to stop; turns and sends have theirs after it (WorkerPace, Outbox).
All together stay below the ten seconds that Cloud Run gives."""
MOST_WORKERS = 64
GC_THRESHOLDS = (20_000, 20, 20)
"""New objects before a collection of the youngest generation, and such collections before one of the next."""


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for every one of the machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    role: Annotated[
        ServiceRole, typer.Option(help="web takes in webhooks and serves staff, worker answers and sends.")
    ] = ServiceRole.ALL,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_WORKERS,
            help="Processes. With more than 1, this one takes in webhooks and serves staff, and the others answer and "
            "send; they show their health on the ports behind --port.",
        ),
    ] = 1,
    attached: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Run the service until it is told to stop (SIGTERM or Ctrl+C)."""
    if workers > 1:
        if role is not ServiceRole.ALL:
            why = worded("with more than one process each has its role: leave this out")
            raise typer.BadParameter(why, param_hint="--role")
        role = ServiceRole.WEB
    if attached:
        end_with_keeper()
    settings = Settings.load()
    configure_logs(settings)
    if database := sqlite_file(settings):
        warn_of_network(database)
    run(_serve(settings, host, port, role, Workers(workers - 1, port)))


class _Server(uvicorn.Server):
    """Ends with the first signal, and leaves the process alive: uvicorn itself would end it, before what was
    accepted is answered."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


async def _serve(settings: Settings, host: str, port: int, role: ServiceRole, workers: Workers) -> None:
    async with AsyncExitStack() as stack:
        stack.enter_context(uncollected())  # until settle_memory
        gendei = await stack.enter_async_context(open_gendei(settings, role=role))
        if not gendei.directory.all():
            logging.getLogger(__name__).warning("no clinic yet: add one with `gendei clinics import FILE`")
        if role.receives and (token := await first_invitation(gendei)):
            print(invitation_link(settings.public_url or f"http://{host}:{port}", token), flush=True)
        trusted, untrusted = TrustedProxies.of(settings.forwarded_allow_ips), UntrustedForwards()
        if settings.cloud_run_service:
            warn_of_cloud_run(trusted)
        app = app_for(gendei, untrusted)
        if role.receives:
            await stack.enter_async_context(mcp_beside(app, gendei))
            from gendei.web.pages.mount import add_pages  # noqa: PLC0415  # a worker need not wait for NiceGUI
            from gendei.web.pages.site import Site  # noqa: PLC0415

            add_pages(app, Site(gendei, play_case=CasePlayer()))
        config = bounded_config(
            BehindProxies(app, trusted, untrusted),
            most_connections=connections_with_files(settings.connections_at_once),
            host=host,
            port=port,
            proxy_headers=False,  # uvicorn believes the leftmost address where it trusts everybody
            ws_per_message_deflate=False,  # what goes is small, or sound, and would be packed for each page by itself
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        settle_memory()
        await stack.enter_async_context(workers)
        try:
            await _Server(config).serve()
        except SystemExit:  # uvicorn's way when it cannot listen; its log says why
            raise PortTaken from None


@asynccontextmanager
async def mcp_beside(app: WebApp, gendei: Gendei) -> AsyncIterator[None]:
    """Inside, `app` also answers assistants at /mcp."""
    from gendei.mcp.http import PATH, McpEndpoint  # noqa: PLC0415  # a worker need not wait for the SDK

    endpoint = McpEndpoint(gendei)
    app.router.routes.append(Route(PATH, endpoint))
    app.post_straight(PATH, endpoint)
    async with endpoint.running():
        yield


def settle_memory() -> None:
    """Keep the garbage collector from pausing the service: what exists by now stays, so it need not look through
    that, and a burst of webhooks makes many objects that all live for a while, so it need not look often.

    A start leaves some 5,000 objects of garbage among 450,000: to collect them first would take longer than they are
    worth."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()

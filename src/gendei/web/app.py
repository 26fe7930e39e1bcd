"""The HTTP surface: webhooks, health and, later, pages and the JSON API."""

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from fastapi import FastAPI
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from gendei.app import Gendei
from gendei.clock import Clock, system_clock
from gendei.observing.durations import Durations
from gendei.payment_adapters import Payments
from gendei.web.api.mount import add_api
from gendei.web.channel_webhooks import PATHS, ChannelWebhooks, UnsignedChannels
from gendei.web.client_limits import MOST_SOCKETS, ClientLimits
from gendei.web.connect_return import add_connect_return
from gendei.web.feeds import add_feeds
from gendei.web.intake import Accept, TakeNotices, ignore_notices
from gendei.web.live_calls import add_live
from gendei.web.meta_webhook import MetaWebhook
from gendei.web.metrics import (
    ActivityMetrics,
    CampaignMetrics,
    DeliveryMetrics,
    EventMetrics,
    ModelMetrics,
    ReminderMetrics,
    StoreLevels,
    TurnRuleMetrics,
    WaitingMetrics,
    WebhookMetrics,
)
from gendei.web.payment_webhook import PATHS as PAYMENT_PATHS
from gendei.web.payment_webhook import PaymentWebhooks
from gendei.web.problems import install_problems
from gendei.web.proxies import UntrustedForwards, address_of, client_of, was_forwarded
from gendei.web.security import SecurityHeaders
from gendei.web.sign_in import add_sign_in
from gendei.web.sign_up import add_sign_up
from gendei.web.well_formed import is_well_formed, refuse
from gendei.web.widget.serving import add_widget

logger = logging.getLogger(__name__)
META = "/webhooks/meta"
READY_SECONDS = 5
"""Longest wait of /readyz for the store; then it answers 503."""


@asynccontextmanager
async def no_lifespan() -> AsyncIterator[None]:
    yield


async def nothing_to_refresh() -> None:
    """Do nothing: for figures that are counted as they happen."""


@dataclass(frozen=True, slots=True)
class WebParts:
    """Parts of the service that the HTTP surface uses.

    accept: `Inbox.accept`. ready: whether the store can be reached; it may raise. lifespan: entered when the
    server starts and left when it stops. registry: what /metrics shows; refresh: brings it up to date before;
    metrics_token: opens it from anywhere.
    unsigned: the channels beside Meta's.
    """

    accept: Accept
    meta_app_secret: bytes | None
    meta_verify_token: str | None
    ready: Callable[[], Awaitable[bool]]
    refresh: Callable[[], Awaitable[None]] = nothing_to_refresh
    metrics_token: SecretStr | None = None
    lifespan: Callable[[], AbstractAsyncContextManager[None]] = no_lifespan
    clock: Clock = system_clock
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    unsigned: UnsignedChannels | None = None
    sockets_per_address: int = MOST_SOCKETS
    take_notices: TakeNotices = ignore_notices
    payments: Payments | None = None


class WebApp(FastAPI):
    """FastAPI, except that what is posted to a path of `posted` goes there straight from the server: the middleware
    is for browsers and for the API, and takes a quarter of the time of a webhook or of an assistant's call. What is no
    request at all gets no further than here. What goes through the middleware is within ClientLimits, with `sockets`
    for one address. It shows no documentation of itself to strangers."""

    def __init__(self, posted: Mapping[str, ASGIApp], lifespan: Lifespan[FastAPI], sockets: int = MOST_SOCKETS) -> None:
        super().__init__(title="Gendei", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
        self._posted = dict(posted)
        self._limited = ClientLimits(super().__call__, sockets)

    def post_straight(self, path: str, endpoint: ASGIApp) -> None:
        """From now on `path` is one of `posted`."""
        self._posted[path] = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not is_well_formed(scope):
            await refuse(scope, receive, send)
            return
        straight = self._posted.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if straight is None:
            await self._limited(scope, receive, send)
        else:
            await straight(scope, receive, send)


def create_app(parts: WebParts) -> WebApp:
    """The ASGI application."""
    metrics = WebhookMetrics(parts.registry)
    webhook = MetaWebhook(
        parts.accept, parts.meta_app_secret, parts.meta_verify_token, parts.clock, metrics, parts.take_notices
    )
    app = WebApp({META: webhook}, lambda _app: parts.lifespan(), parts.sockets_per_address)
    app.router.routes += [Route(META, webhook, methods=["GET", "POST"]), *_watched(parts)]
    if parts.unsigned:
        others = ChannelWebhooks(parts.unsigned, parts.accept, parts.clock, metrics)
        app.router.routes += [Route(path, others, methods=["POST"]) for path in PATHS]
    if parts.payments:
        money = PaymentWebhooks(parts.payments, parts.clock, metrics)
        app.router.routes += [Route(path, money, methods=["POST"]) for path in PAYMENT_PATHS]
    app.add_middleware(SecurityHeaders)
    install_problems(app)
    return app


def create_worker_app(parts: WebParts) -> WebApp:
    """Make the application of a process that takes in nothing: health, readiness and figures."""
    app = WebApp({}, lambda _app: parts.lifespan())
    app.router.routes += _watched(parts)
    app.add_middleware(SecurityHeaders)
    install_problems(app)
    return app


def _watched(parts: WebParts) -> list[Route]:
    return [
        Route("/healthz", _alive),
        Route("/readyz", _readiness(parts.ready)),
        Route("/metrics", _metrics(parts)),
    ]


def app_for(gendei: Gendei, untrusted: UntrustedForwards | None = None) -> WebApp:
    """The HTTP surface of a running Gendei, as its role has it. Gendei outlives it: it has no lifespan of its own.
    untrusted: what the layer above it counts."""
    settings = gendei.settings
    secret, token = settings.meta_app_secret, settings.meta_verify_token

    async def ready() -> bool:
        await gendei.documents.get("gendei_clinics/ready")
        return True

    registry, levels, models = CollectorRegistry(), StoreLevels(gendei.documents, gendei.clock), gendei.models
    for collector in (
        DeliveryMetrics(gendei.messaging.deliveries),
        EventMetrics(gendei.messaging.following),
        ReminderMetrics(gendei.scheduler),
        WaitingMetrics(gendei.refilling),
        CampaignMetrics(gendei.campaigns),
        ActivityMetrics(gendei.messaging.activity, models.calls if models else Durations()),
        *([ModelMetrics(models)] if models else []),
        TurnRuleMetrics(gendei.broken_rules),
        *([untrusted] if untrusted else []),
        levels,
    ):
        registry.register(collector)
    parts = WebParts(
        accept=gendei.messaging.inbox.accept,
        meta_app_secret=secret.get_secret_value().encode() if secret else None,
        meta_verify_token=token.get_secret_value() if token else None,
        ready=ready,
        refresh=levels.refresh,
        metrics_token=settings.metrics_token,
        clock=gendei.clock,
        unsigned=UnsignedChannels(gendei.parsers, gendei.directory, gendei.secrets.open_channel),
        registry=registry,
        sockets_per_address=settings.sockets_per_address,
        take_notices=gendei.messaging.notices.take,
        payments=gendei.payments,
    )
    if not gendei.role.receives:
        return create_worker_app(parts)
    app = create_app(parts)
    add_sign_in(app, gendei.staff, gendei.directory)
    add_api(app, gendei)
    add_sign_up(app, gendei)
    add_connect_return(app, gendei.desks.connections)
    add_feeds(app, gendei.agenda_desk.feeds)
    add_widget(app)
    add_live(app, gendei)
    return app


Endpoint = Callable[[Request], Awaitable[Response]]


async def _alive(_request: Request) -> Response:
    return PlainTextResponse("ok")


def _readiness(ready: Callable[[], Awaitable[bool]]) -> Endpoint:
    async def readiness(_request: Request) -> Response:
        try:
            async with asyncio.timeout(READY_SECONDS):
                reachable = await ready()
        except Exception as error:  # noqa: BLE001 - whatever it is, the store does not answer
            logger.warning("not ready: %s", type(error).__name__)
            reachable = False
        return PlainTextResponse("ready") if reachable else PlainTextResponse("store unreachable", status_code=503)

    return readiness


def _metrics(parts: WebParts) -> Endpoint:
    async def metrics(request: Request) -> Response:
        if not _may_see_figures(request, parts.metrics_token):
            return PlainTextResponse(HTTPStatus.NOT_FOUND.phrase, status_code=HTTPStatus.NOT_FOUND)
        await parts.refresh()
        return Response(generate_latest(parts.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    return metrics


def _may_see_figures(request: Request, token: SecretStr | None) -> bool:
    """Figures are for who has the token, and for the machine itself: an address of its own, and no word of a proxy."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if token and scheme.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.get_secret_value().encode())
    address = address_of(client_of(request))
    return address is not None and address.is_loopback and not was_forwarded(request.scope)

"""GET and POST /webhooks/meta, as a bare ASGI application: this is the hot path of the service.

No request object, dependency or middleware stands between the bytes and the inbox. A 200 means that everything
in the body is durable; anything else makes Meta deliver again, for 7 days.
"""

import hmac
import logging
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from gendei.clock import Clock
from gendei.providers.meta_webhook import parse, verify_signature
from gendei.web.intake import Accept, Intake, TakeNotices, ignore_notices, read_body, respond
from gendei.web.metrics import WebhookMetrics

logger = logging.getLogger(__name__)

PROVIDER = "meta"


class MetaWebhook:
    """The endpoint. `app_secret` and `verify_token` None: not configured, so nothing can be believed."""

    def __init__(
        self,
        accept: Accept,
        app_secret: bytes | None,
        verify_token: str | None,
        clock: Clock,
        metrics: WebhookMetrics,
        take_notices: TakeNotices = ignore_notices,
    ) -> None:
        self._secret = app_secret
        self._verify_token = verify_token
        self._intake = Intake(PROVIDER, parse, accept, clock, metrics, take_notices)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await self._post(scope, receive, send)
        else:
            await self._get(scope, send)

    async def _get(self, scope: Scope, send: Send) -> None:
        """Meta's check of the address: the challenge goes back verbatim, to whoever knows the token."""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        if not self._verify_token:
            logger.error("Meta cannot verify the webhook: GENDEI_META_VERIFY_TOKEN is not set")
        elif query.get("hub.mode") == "subscribe" and hmac.compare_digest(
            query.get("hub.verify_token", "").encode(), self._verify_token.encode()
        ):
            await respond(send, HTTPStatus.OK, query.get("hub.challenge", "").encode())
            return
        await respond(send, HTTPStatus.FORBIDDEN)

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._secret:
            logger.error("a webhook was turned away: GENDEI_META_APP_SECRET is not set")
            await self._intake.refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, "not_configured")
            return
        signature, announced = _headers(scope)
        body = await read_body(receive, announced)
        if body is None:
            await self._intake.refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large")
        elif not verify_signature(self._secret, body, signature):
            await self._intake.refuse(send, HTTPStatus.UNAUTHORIZED, "bad_signature")
        else:
            await self._intake.take_in(body, send)


def _headers(scope: Scope) -> tuple[str | None, int]:
    """The signature header and the announced length (0 when there is none)."""
    signature, announced = None, 0
    for name, value in scope["headers"]:
        if name == b"x-hub-signature-256":
            signature = value.decode("latin-1")
        elif name == b"content-length" and value.isdigit():
            announced = int(value[:18])
    return signature, announced

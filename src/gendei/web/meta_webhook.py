"""GET and POST /webhooks/meta, as a bare ASGI application: this is the hot path of the service.

No request object, dependency or middleware stands between the bytes and the inbox. A 200 means that everything
in the body is durable; anything else makes Meta deliver again, for 7 days.
"""

import hmac
import logging
import traceback
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.types import Message, Receive, Scope, Send

from gendei.clock import Clock
from gendei.conversation.messages import Received
from gendei.errors import StoreUnavailable, TooContended
from gendei.providers.meta_webhook import parse, verify_signature
from gendei.providers.webhook_body import NotAWebhook
from gendei.web.metrics import WebhookMetrics

logger = logging.getLogger(__name__)

PROVIDER = "meta"
MAX_BODY_BYTES = 3 * 1024 * 1024
"""Meta posts at most 3 MB."""
Accept = Callable[[str, Sequence[Received]], Awaitable[None]]
"""`Inbox.accept`: (provider, received); returns when it is durable, raises StoreUnavailable."""


class MetaWebhook:
    """The endpoint. `app_secret` and `verify_token` None: not configured, so nothing can be believed."""

    def __init__(
        self, accept: Accept, app_secret: bytes | None, verify_token: str | None, clock: Clock, metrics: WebhookMetrics
    ) -> None:
        self._accept = accept
        self._secret = app_secret
        self._verify_token = verify_token
        self._clock = clock
        self._accepted = metrics.webhooks.labels(PROVIDER, "accepted")
        self._messages = metrics.messages.labels(PROVIDER)
        self._statuses = metrics.statuses.labels(PROVIDER)
        self._skipped = metrics.skipped.labels(PROVIDER)
        self._webhooks = metrics.webhooks

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
            await _respond(send, HTTPStatus.OK, query.get("hub.challenge", "").encode())
            return
        await _respond(send, HTTPStatus.FORBIDDEN)

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._secret:
            logger.error("a webhook was turned away: GENDEI_META_APP_SECRET is not set")
            await self._refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, "not_configured")
            return
        signature, announced = _headers(scope)
        body = await _read(receive, announced)
        if body is None:
            await self._refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large")
        elif not verify_signature(self._secret, body, signature):
            await self._refuse(send, HTTPStatus.UNAUTHORIZED, "bad_signature")
        else:
            await self._take_in(body, send)

    async def _take_in(self, body: bytes, send: Send) -> None:
        try:
            parsed = parse(body, self._clock())
            if parsed.received:
                await self._accept(PROVIDER, parsed.received)
        except NotAWebhook:
            await self._refuse(send, HTTPStatus.BAD_REQUEST, "malformed")
            return
        except (StoreUnavailable, TooContended) as error:
            logger.error("a webhook could not be stored and will come again: %s", error)
            await self._refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, "store_unavailable")
            return
        except Exception as error:  # noqa: BLE001 - logged without its message, which might hold a patient's words
            place = "".join(traceback.format_tb(error.__traceback__))
            logger.error("a webhook failed and will come again: %s\n%s", type(error).__name__, place)
            await self._refuse(send, HTTPStatus.INTERNAL_SERVER_ERROR, "failed")
            return
        await _respond(send, HTTPStatus.OK)
        if parsed.received:
            self._accepted.inc()
            self._messages.inc(sum(len(one.messages) for one in parsed.received))
            self._statuses.inc(sum(len(one.statuses) for one in parsed.received))
        else:
            self._webhooks.labels(PROVIDER, "nothing_for_us").inc()
        if parsed.skipped:
            self._skipped.inc(parsed.skipped)
            logger.warning("a webhook of Meta held %d parts that could not be used", parsed.skipped)
        for error_text in parsed.errors:
            logger.warning("Meta reports: %s", error_text)

    async def _refuse(self, send: Send, status: HTTPStatus, result: str) -> None:
        self._webhooks.labels(PROVIDER, result).inc()
        await _respond(send, status)


def _headers(scope: Scope) -> tuple[str | None, int]:
    """The signature header and the announced length (0 when there is none)."""
    signature, announced = None, 0
    for name, value in scope["headers"]:
        if name == b"x-hub-signature-256":
            signature = value.decode("latin-1")
        elif name == b"content-length" and value.isdigit():
            announced = int(value[:18])
    return signature, announced


async def _read(receive: Receive, announced: int) -> bytes | None:
    """The raw body, or None as soon as it is known to exceed MAX_BODY_BYTES. A caller that leaves early gets what
    an unsigned body gets."""
    if announced > MAX_BODY_BYTES:
        return None
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            return None
        chunks.append(chunk)
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return b"".join(chunks)


async def _respond(send: Send, status: HTTPStatus, body: bytes | None = None) -> None:
    """Plain text: `body`, or the status in words."""
    start, content = _IN_WORDS[status] if body is None else _answer(status, body)
    await send(start)
    await send(content)


def _answer(status: HTTPStatus, text: bytes) -> tuple[Message, Message]:
    headers = (
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(text)).encode()),
        (b"x-content-type-options", b"nosniff"),
    )
    return (
        {"type": "http.response.start", "status": status.value, "headers": headers},
        {"type": "http.response.body", "body": text},
    )


_IN_WORDS = {status: _answer(status, status.phrase.encode()) for status in HTTPStatus}

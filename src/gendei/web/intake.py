"""The handling of every webhook's body, as bare ASGI: read it within its limit, parse it, make it durable, answer.

A 200 means that everything in the body is durable; anything else makes the provider deliver again, where it does.
"""

import logging
import traceback
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from http import HTTPStatus

from starlette.types import Message, Receive, Send

from gendei.clock import Clock
from gendei.errors import StoreUnavailable, TooContended
from gendei.messages.account_notices import Notice
from gendei.messages.message import Received
from gendei.observing.tracing import span
from gendei.providers.webhook_body import NotAWebhook, Parse
from gendei.web.metrics import WebhookMetrics

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 3 * 1024 * 1024
"""Meta posts at most 3 MB; the others are held to the same."""
MOST_UNFINISHED = 96 * 1024 * 1024
"""Bytes of all bodies together that are still coming: whoever posts is not known before the last of them."""
Accept = Callable[[str, Sequence[Received]], Awaitable[None]]
"""`Inbox.accept`: (provider, received); returns when it is durable, raises StoreUnavailable."""

TakeNotices = Callable[[Sequence[Notice]], Awaitable[None]]
"""What is told of accounts and templates; returns and raises as `Accept`."""


async def ignore_notices(_notices: Sequence[Notice]) -> None:
    """Do nothing: for channels without accounts and templates."""


class Intake:
    """One provider's way in."""

    def __init__(
        self,
        provider: str,
        parse: Parse,
        accept: Accept,
        clock: Clock,
        metrics: WebhookMetrics,
        take_notices: TakeNotices = ignore_notices,
    ) -> None:
        self._provider = provider
        self._parse = parse
        self._accept = accept
        self._take_notices = take_notices
        self._clock = clock
        self._accepted = metrics.webhooks.labels(provider, "accepted")
        self._messages = metrics.messages.labels(provider)
        self._statuses = metrics.statuses.labels(provider)
        self._skipped = metrics.skipped.labels(provider)
        self._webhooks = metrics.webhooks

    async def take_in(self, body: bytes, send: Send, *, only: Collection[str] | None = None) -> None:
        """Store what `body` holds, and answer. `only`: the numbers that whoever posted it may speak for; what it
        says of others is left out, and what it says of none is of the only one."""
        try:
            parsed = self._parse(body, self._clock())
            received = parsed.received
            if only is not None:
                sole = min(only) if len(only) == 1 else ""
                named = (replace(part, external_id=part.external_id or sole) for part in received)
                received = tuple(part for part in named if part.external_id in only)
            if received:
                with span("webhook", provider=self._provider):
                    await self._accept(self._provider, received)
            if parsed.notices:
                await self._take_notices(parsed.notices)
        except NotAWebhook:
            await self.refuse(send, HTTPStatus.BAD_REQUEST, "malformed")
            return
        except (StoreUnavailable, TooContended) as error:
            logger.error("a webhook could not be stored and will come again: %s", error)
            await self.refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, "store_unavailable")
            return
        except Exception as error:  # noqa: BLE001 - logged without its message, which might hold a patient's words
            place = "".join(traceback.format_tb(error.__traceback__))
            logger.error("a webhook failed and will come again: %s\n%s", type(error).__name__, place)
            await self.refuse(send, HTTPStatus.INTERNAL_SERVER_ERROR, "failed")
            return
        await respond(send, HTTPStatus.OK)
        if received or parsed.notices:
            self._accepted.inc()
            self._messages.inc(sum(len(part.messages) for part in received))
            self._statuses.inc(sum(len(part.statuses) for part in received))
        else:
            self._webhooks.labels(self._provider, "nothing_for_us").inc()
        if parsed.skipped:
            self._skipped.inc(parsed.skipped)
            logger.warning("a webhook of %s held %d parts that could not be used", self._provider, parsed.skipped)
        for error_text in parsed.errors:
            logger.warning("%s reports: %s", self._provider, error_text)

    async def refuse(self, send: Send, status: HTTPStatus, result: str) -> None:
        """Answer `status`, and count it as `result` (see WebhookMetrics)."""
        self._webhooks.labels(self._provider, result).inc()
        await respond(send, status)


class Unfinished:
    """Counts the bytes of all bodies that have begun and are not over."""

    def __init__(self, most: int) -> None:
        self.most, self.held = most, 0


unfinished = Unfinished(MOST_UNFINISHED)


async def read_body(receive: Receive, announced: int) -> bytes | None:
    """The raw body, or None as soon as it is known to exceed MAX_BODY_BYTES, or all bodies together MOST_UNFINISHED.
    `announced`: its length by the headers, 0 when they do not say. A caller that leaves early gets what an unproven
    body gets."""
    if announced > MAX_BODY_BYTES:
        return None
    chunks: list[bytes] = []
    size = 0
    try:
        while True:
            message = await receive()
            chunk = message.get("body", b"")
            size += len(chunk)
            unfinished.held += len(chunk)
            if size > MAX_BODY_BYTES or unfinished.held > unfinished.most:
                return None
            chunks.append(chunk)
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return b"".join(chunks)
    finally:
        unfinished.held -= size


async def respond(send: Send, status: HTTPStatus, body: bytes | None = None) -> None:
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

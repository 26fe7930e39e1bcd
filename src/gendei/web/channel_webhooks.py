"""POST /webhooks/{provider}/{clinicId}: the way in of the channels whose webhooks nobody signs.

Each channel has a `webhook_secret` instead. Whoever posts shows it in a header (`X-Gendei-Secret`, or
`Authorization: Bearer`) or as a last part of the path, for providers that can send no header of ours; a path with a
secret stands in no log of ours. An unknown clinic and a wrong secret get the same answer.
"""

import hmac
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import Receive, Scope, Send

from gendei.clinic import Channel, ClinicId
from gendei.clock import Clock
from gendei.errors import SecretUnreadable, StoreUnavailable
from gendei.messages.channels import Clinics
from gendei.providers.webhook_body import Parse
from gendei.web.intake import Accept, Intake, read_body, respond
from gendei.web.metrics import WebhookMetrics

logger = logging.getLogger(__name__)
PATHS = ("/webhooks/{provider}/{clinic_id}", "/webhooks/{provider}/{clinic_id}/{secret}")
SECRET = "webhook_secret"  # noqa: S105 - the name of the credential
_NOBODYS_SECRET = "0" * 32
"""Compared where there is nothing to compare, so that a stranger's clinic id takes as long as a known one."""


@dataclass(frozen=True, slots=True)
class UnsignedChannels:
    """parsers: by provider, as in clinic files. credential: a channel's named credential in the clear, or
    SecretUnreadable (`SecretBox.open_channel`)."""

    parsers: Mapping[str, Parse]
    clinics: Clinics
    credential: Callable[[Channel, str], str]


class ChannelWebhooks:
    """The endpoint of PATHS."""

    def __init__(self, channels: UnsignedChannels, accept: Accept, clock: Clock, metrics: WebhookMetrics) -> None:
        self._channels = channels
        self._intakes = {
            provider: Intake(provider, parse, accept, clock, metrics) for provider, parse in channels.parsers.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["path_params"]
        provider = wanted["provider"]
        intake = self._intakes.get(provider)
        if intake is None:
            await respond(send, HTTPStatus.NOT_FOUND)
            return
        try:
            numbers = await self._numbers(provider, ClinicId(wanted["clinic_id"]), list(_shown_secrets(scope)))
        except StoreUnavailable as error:
            logger.error("a webhook could not be checked and will come again: %s", error)
            await intake.refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, "store_unavailable")
            return
        if not numbers:
            await intake.refuse(send, HTTPStatus.UNAUTHORIZED, "bad_secret")
            return
        body = await read_body(receive, _announced(scope))
        if body is None:
            await intake.refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large")
        else:
            await intake.take_in(body, send, only=numbers)

    async def _numbers(self, provider: str, clinic_id: ClinicId, shown: list[bytes]) -> set[str]:
        """The clinic's numbers of this provider that one of the shown secrets may speak for."""
        clinic = await self._channels.clinics.get(clinic_id)
        channels = [channel for channel in clinic.channels if channel.provider == provider] if clinic else []
        if not channels:
            _any_equal(shown, _NOBODYS_SECRET)
        return {channel.external_id for channel in channels if _any_equal(shown, self._secret(channel))}

    def _secret(self, channel: Channel) -> str:
        try:
            return self._channels.credential(channel, SECRET)
        except SecretUnreadable:
            logger.error("a webhook of clinic %s was turned away: its secret cannot be read", channel.clinic_id)
            return ""


def _any_equal(shown: list[bytes], secret: str) -> bool:
    """Tell whether one of `shown` is the secret; all are compared, each in constant time. An empty one opens
    nothing."""
    expected = secret.encode()
    equal = [hmac.compare_digest(secret_shown, expected) for secret_shown in shown]
    return bool(expected) and any(equal)


def _shown_secrets(scope: Scope) -> Iterator[bytes]:
    for name, value in scope["headers"]:
        if name == b"x-gendei-secret":
            yield value.strip()
        elif name == b"authorization" and value[:7].lower() == b"bearer ":
            yield value[7:].strip()
    yield scope["path_params"].get("secret", "").encode()


def _announced(scope: Scope) -> int:
    """The length that the headers announce, 0 where they do not."""
    return next((int(value[:18]) for name, value in scope["headers"] if name == b"content-length"), 0)

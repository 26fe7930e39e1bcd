"""POST /webhooks/payments/{provider}/{clinicId}/{secret}: the way in of payment providers' webhooks.

The path holds a secret of the clinic and provider, and the provider signs what it posts where it can. What comes is a
hint all the same: it makes a charge due at once, and the provider is then asked. A path with a secret stands in no log
of ours; an unknown clinic and a wrong secret get the same answer, before the body is read.
"""

import logging
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.errors import SecretUnreadable, StoreError
from gendei.payment_adapters import Payments
from gendei.payments.provider import ForgedWebhook, PaymentWebhook
from gendei.web.intake import read_body, respond
from gendei.web.metrics import WebhookMetrics

logger = logging.getLogger(__name__)
_PATH = "/webhooks/payments/{provider}/{clinic_id}/{secret}"
PATHS = (_PATH, f"{_PATH}/pix")
"""Banks append /pix to the address that they were given."""
MAX_BODY = 256 * 1024


class PaymentWebhooks:
    """The endpoint of PATHS."""

    def __init__(self, payments: Payments, clock: Clock, metrics: WebhookMetrics) -> None:
        self._payments, self._clock, self._metrics = payments, clock, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["path_params"]
        clinic_id, provider, secret = ClinicId(wanted["clinic_id"]), wanted["provider"], wanted["secret"]
        account = self._payments.account_shown(clinic_id, provider, secret)
        if account is None:
            await self._answer(send, "unknown", HTTPStatus.UNAUTHORIZED, "bad_secret")
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        announced = headers.get("content-length", "")[:18]
        body = await read_body(receive, int(announced) if announced.isdecimal() else 0)
        if body is None or len(body) > MAX_BODY:
            await self._answer(send, provider, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large")
            return
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"))) | {"secret": secret}
        try:
            count = await self._payments.hinted(account, PaymentWebhook(headers, query, body, self._clock()))
        except (ForgedWebhook, SecretUnreadable):
            logger.warning("a payment webhook of clinic %s was turned away: it proves nothing", clinic_id)
            await self._answer(send, provider, HTTPStatus.UNAUTHORIZED, "bad_signature")
        except StoreError as error:
            logger.error("a payment webhook could not be noted and will come again: %s", type(error).__name__)
            await self._answer(send, provider, HTTPStatus.SERVICE_UNAVAILABLE, "store_unavailable")
        else:
            await self._answer(send, provider, HTTPStatus.OK, "accepted" if count else "nothing_for_us")

    async def _answer(self, send: Send, provider: str, status: HTTPStatus, result: str) -> None:
        self._metrics.webhooks.labels(f"payments_{provider}", result).inc()
        await respond(send, status)

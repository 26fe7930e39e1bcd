"""PIX by Mercado Pago: POST /v1/payments with payment_method_id "pix".

Shapes: Mercado Pago's reference and developers' guides, 2026. Our id is the X-Idempotency-Key and the
external_reference, so that a repeated request makes one payment, and it is found again where its answer was lost.
"""

import hashlib
import hmac
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

import httpx

from gendei.payments.amounts import cents_of, decimal_text
from gendei.payments.provider import (
    ChargeOrder,
    ForgedWebhook,
    FoundCharge,
    FoundPayment,
    FoundRefund,
    FoundStatus,
    PaymentAccount,
    PaymentWebhook,
    ProviderUnavailable,
    RefundRequest,
    RefundState,
)
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.payments.payment_calls import body_of, called, json_call, moment, refusal

NAME = "Mercado Pago"
SHORTEST = timedelta(minutes=30)
"""Of date_of_expiration, as far as is known; a charge whose time is over earlier is taken back by us."""
PAGE = 50
_STATUSES = {
    "pending": FoundStatus.OPEN,
    "in_process": FoundStatus.OPEN,
    "authorized": FoundStatus.OPEN,
    "approved": FoundStatus.PAID,
    "refunded": FoundStatus.PAID,
    "charged_back": FoundStatus.PAID,
    "in_mediation": FoundStatus.PAID,
    "cancelled": FoundStatus.ENDED,
    "rejected": FoundStatus.ENDED,
}
_REFUNDS = {
    "approved": RefundState.DONE,
    "in_process": RefundState.IN_PROGRESS,
    "rejected": RefundState.REFUSED,
    "cancelled": RefundState.REFUSED,
}
_REFERENCE = re.compile(r"\d{1,20}", re.ASCII)


class MercadoPago:
    """Implements `payments.provider.PaymentProvider`.

    client: one pooled client, closed by `close`. credential: a named credential in the clear, or SecretUnreadable; ours
    are "access_token" and "webhook_secret". The account's settings: "payer_email", an address of the clinic's that
    Mercado Pago wants of each payer, and "notification_url".
    """

    keeps_records = True

    def __init__(
        self, client: httpx.AsyncClient, base_url: str, credential: Callable[[PaymentAccount, str], str]
    ) -> None:
        self._client, self._base, self._credential = client, base_url.rstrip("/"), credential

    async def create(self, account: PaymentAccount, order: ChargeOrder) -> FoundCharge:
        expires = max(order.pay_until, order.created_at + SHORTEST)
        notified = account.settings.get("notification_url")
        body = {
            "transaction_amount": float(decimal_text(order.cents)),  # a JSON number, exact to the centavo
            "payment_method_id": "pix",
            "description": order.description,
            "external_reference": order.id,
            "date_of_expiration": expires.isoformat(timespec="milliseconds"),
            "payer": {"email": account.settings.get("payer_email", "")},
        } | ({"notification_url": notified} if notified else {})
        response = await self._call(account, "POST", "/v1/payments", body, once=order.id)
        if response.is_success:
            return _charge(body_of(response, NAME))
        raise refusal(response, NAME)

    async def find(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge | None:
        if not reference:
            return await self._found_by_our_id(account, charge_id)
        response = await self._call(account, "GET", f"/v1/payments/{quote(reference, safe='')}")
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise refusal(response, NAME)
        return _charge(body_of(response, NAME))

    async def cancel(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge:
        """Refused where it is not pending any more: then it is read again."""
        path = f"/v1/payments/{quote(reference, safe='')}"
        response = await self._call(account, "PUT", path, {"status": "cancelled"})
        if response.is_success:
            return _charge(body_of(response, NAME))
        found = await self.find(account, charge_id, reference)
        if found is None:
            raise refusal(response, NAME)
        return found

    async def refund(self, account: PaymentAccount, request: RefundRequest) -> FoundRefund:
        path = f"/v1/payments/{quote(request.reference, safe='')}/refunds"
        body = {"amount": float(decimal_text(request.cents))}
        response = await self._call(account, "POST", path, body, once=request.id)
        if not response.is_success:
            raise refusal(response, NAME)
        found = _refund(body_of(response, NAME))
        if found is None:
            raise ProviderUnavailable(f"a refund of {NAME} that cannot be read")
        return found

    async def created_between(self, account: PaymentAccount, since: datetime, until: datetime) -> list[FoundCharge]:
        period = {"range": "date_created", "begin_date": since.isoformat(), "end_date": until.isoformat()}
        return [charge async for charge in self._searched(account, period)]

    def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> tuple[str, ...]:
        """Of notifications about payments. Their time is not looked at: a repeated one makes us look again, no more."""
        named = webhook.query.get("data.id", "")
        signature = dict(_pairs(webhook.headers.get("x-signature", "")))
        request_id, ts = webhook.headers.get("x-request-id", ""), signature.get("ts", "")
        parts = [("id", named.lower()), ("request-id", request_id), ("ts", ts)]
        manifest = "".join(f"{name}:{value};" for name, value in parts if value)
        secret = self._credential(account, "webhook_secret")
        right = hmac.new(secret.encode(), manifest.encode(), hashlib.sha256).hexdigest()
        if not named or not ts or not hmac.compare_digest(right.encode(), signature.get("v1", "").encode()):
            raise ForgedWebhook
        is_payment = "payment" in {webhook.query.get("type"), _type(webhook.body)}
        return (named,) if is_payment and _REFERENCE.fullmatch(named) else ()

    async def close(self) -> None:
        await self._client.aclose()

    async def _found_by_our_id(self, account: PaymentAccount, charge_id: str) -> FoundCharge | None:
        """The one that was paid, where there are several."""
        found = [each async for each in self._searched(account, {"external_reference": charge_id})]
        rank = [FoundStatus.PAID, FoundStatus.OPEN, FoundStatus.ENDED]
        own = (each for each in found if each.id == charge_id)
        return min(own, key=lambda each: rank.index(each.status), default=None)

    async def _searched(self, account: PaymentAccount, what: dict[str, str]) -> AsyncIterator[FoundCharge]:
        offset = 0
        while True:
            paging = {"sort": "date_created", "criteria": "asc", "limit": str(PAGE), "offset": str(offset)}
            query = str(httpx.QueryParams({**what, **paging}))
            response = await self._call(account, "GET", f"/v1/payments/search?{query}")
            if not response.is_success:
                raise refusal(response, NAME)
            answer = body_of(response, NAME)
            results = objects(answer.get("results"))
            for result in results:
                if result.get("payment_method_id") == "pix":
                    yield _charge(result)
            total = part(answer, "paging").get("total")
            offset += len(results)
            if not results or not isinstance(total, int) or offset >= total:
                return

    async def _call(
        self, account: PaymentAccount, method: str, path: str, body: Json | None = None, once: str = ""
    ) -> httpx.Response:
        def prepare() -> httpx.Request:
            headers = {"Authorization": f"Bearer {self._credential(account, 'access_token')}"}
            headers |= {"X-Render-In-Process-Refunds": "true"} | ({"X-Idempotency-Key": once} if once else {})
            return json_call(self._client, method, f"{self._base}{path}", headers, body)

        return await called(self._client, NAME, prepare)


def _charge(payment: Json) -> FoundCharge:
    """Raises ProviderUnavailable for what cannot be read: a word that nobody knows must not look like "not paid"."""
    status, reference = _STATUSES.get(str(payment.get("status"))), payment.get("id")
    if status is None or isinstance(reference, bool) or not isinstance(reference, int | str):
        raise ProviderUnavailable(f"a payment of {NAME} that cannot be read")
    received = [_received(payment, str(reference))] if status is FoundStatus.PAID else []
    code = string(part(payment, "point_of_interaction", "transaction_data").get("qr_code")) or ""
    is_open = status is FoundStatus.OPEN
    ours = string(payment.get("external_reference")) or ""
    return FoundCharge(ours, str(reference), status, code if is_open else "", tuple(received))


def _received(payment: Json, reference: str) -> FoundPayment:
    cents, at = cents_of(payment.get("transaction_amount")), moment(payment.get("date_approved"))
    if not cents or at is None:
        raise ProviderUnavailable(f"a payment of {NAME} without its amount or time")
    refunds = (_refund(each) for each in objects(payment.get("refunds")))
    return FoundPayment(reference, cents, at, tuple(each for each in refunds if each is not None))


def _refund(refund: Json) -> FoundRefund | None:
    cents, at, state = cents_of(refund.get("amount")), moment(refund.get("date_created")), refund.get("status")
    reference = refund.get("id")
    if not cents or at is None or isinstance(reference, bool) or not isinstance(reference, int | str):
        return None
    return FoundRefund(str(reference), cents, _REFUNDS.get(str(state), RefundState.IN_PROGRESS), at)


def _pairs(signature: str) -> Iterator[tuple[str, str]]:
    for each in signature.split(","):
        name, _, value = each.partition("=")
        yield name.strip(), value.strip()


def _type(body: bytes) -> str | None:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return string(content.get("type")) if isinstance(content, dict) else None

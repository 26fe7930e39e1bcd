"""The Central Bank's PIX API as banks offer it: PUT /v2/cob/{txid}, with OAuth's client credentials over mutual TLS.

Shapes: the standard's OpenAPI (bacen/pix-api, 2.8). The txid is our own id, and so is that of a refund: whatever is
repeated is done once. Of a charge whose time is over, the standard leaves the status ATIVA.
"""

import asyncio
import hmac
import json
import re
import ssl
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import httpx

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.errors import SecretUnreadable
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
    ProviderRefused,
    ProviderUnavailable,
    RefundRequest,
    RefundState,
)
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.payments.payment_calls import body_of, called, json_call, moment, refusal

NAME = "the bank's PIX API"
PAGE = 100
MOST_HINTS = 50
"""Of one webhook: it may tell of many payments of an account."""
LONGEST_DESCRIPTION = 140
_STATUSES = {
    "ATIVA": FoundStatus.OPEN,
    "CONCLUIDA": FoundStatus.PAID,
    "REMOVIDA_PELO_USUARIO_RECEBEDOR": FoundStatus.ENDED,
    "REMOVIDA_PELO_PSP": FoundStatus.ENDED,
}
_REFUNDS = {
    "EM_PROCESSAMENTO": RefundState.IN_PROGRESS,
    "DEVOLVIDO": RefundState.DONE,
    "NAO_REALIZADO": RefundState.REFUSED,
}
_TXID = re.compile("[a-zA-Z0-9]{26,35}")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
Clients = Callable[[PaymentAccount], httpx.AsyncClient]
"""The client of an account, which shows the account's own certificate; remembered by whoever gives it."""


@dataclass(slots=True)
class _Token:
    """text: "" before the first; until: when it is to be renewed."""

    text: str = ""
    until: datetime = LONG_AGO
    renewing: asyncio.Lock = field(default_factory=asyncio.Lock)


class PixApi:
    """Implements `payments.provider.PaymentProvider`.

    credential: a named credential in the clear, or SecretUnreadable; ours are "client_id", "client_secret",
    "certificate" (used by `clients`) and "webhook_secret". The account's settings: "base_url" and "key", the PIX key
    that is paid to.
    """

    keeps_records = True

    def __init__(self, clients: Clients, credential: Callable[[PaymentAccount, str], str], clock: Clock) -> None:
        self._clients, self._credential, self._clock = clients, credential, clock
        self._tokens: dict[ClinicId, _Token] = {}
        self._used: set[httpx.AsyncClient] = set()

    async def create(self, account: PaymentAccount, order: ChargeOrder) -> FoundCharge:
        """A txid that is there already is refused, so that the charge is read then."""
        body = {
            "calendario": {"expiracao": max(1, int((order.pay_until - order.created_at).total_seconds()))},
            "valor": {"original": decimal_text(order.cents)},
            "chave": account.settings.get("key", ""),
            "solicitacaoPagador": order.description[:LONGEST_DESCRIPTION],
        }
        response = await self._call(account, "PUT", _charge_path(order.id), body)
        if response.is_success:
            return _charge(body_of(response, NAME))
        found = await self.find(account, order.id, order.id)
        if found is None:
            raise refusal(response, NAME)
        return found

    async def find(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge | None:
        response = await self._call(account, "GET", _charge_path(reference or charge_id))
        if response.status_code == 404:
            return None
        if not response.is_success:
            raise refusal(response, NAME)
        return _charge(body_of(response, NAME))

    async def cancel(self, account: PaymentAccount, charge_id: str, reference: str) -> FoundCharge:
        """Refused where it is not ATIVA any more: then it is read again."""
        removed = {"status": "REMOVIDA_PELO_USUARIO_RECEBEDOR"}
        response = await self._call(account, "PATCH", _charge_path(reference), removed)
        if response.is_success:
            return _charge(body_of(response, NAME))
        found = await self.find(account, charge_id, reference)
        if found is None:
            raise refusal(response, NAME)
        return found

    async def refund(self, account: PaymentAccount, request: RefundRequest) -> FoundRefund:
        """One that is there already is refused, so that it is read then."""
        path = f"/v2/pix/{quote(request.payment_id, safe='')}/devolucao/{quote(request.id, safe='')}"
        response = await self._call(account, "PUT", path, {"valor": decimal_text(request.cents)})
        if not response.is_success:
            refused = refusal(response, NAME)
            response = await self._call(account, "GET", path)
            if not response.is_success:
                raise refused
        found = _refund(body_of(response, NAME))
        if found is None:
            raise ProviderUnavailable(f"a refund of {NAME} that cannot be read")
        return found

    async def created_between(self, account: PaymentAccount, since: datetime, until: datetime) -> list[FoundCharge]:
        found: list[FoundCharge] = []
        period = {"inicio": _utc(since), "fim": _utc(until), "paginacao.itensPorPagina": str(PAGE)}
        page = pages = 0
        while page <= max(0, pages - 1):
            query = httpx.QueryParams({**period, "paginacao.paginaAtual": str(page)})
            response = await self._call(account, "GET", f"/v2/cob?{query}")
            if not response.is_success:
                raise refusal(response, NAME)
            answer = body_of(response, NAME)
            found += [_charge(each) for each in objects(answer.get("cobs"))]
            told = part(answer, "parametros", "paginacao").get("quantidadeDePaginas")
            page, pages = page + 1, told if isinstance(told, int) else 0
        return found

    def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> tuple[str, ...]:
        """Of payments that came, by a secret in the address: mutual TLS with the bank is for the proxy in front."""
        given, secret = webhook.query.get("secret", ""), self._credential(account, "webhook_secret")
        if not hmac.compare_digest(given.encode(), secret.encode()):
            raise ForgedWebhook
        try:
            content = json.loads(webhook.body)
        except (ValueError, RecursionError):
            return ()
        told = objects(content.get("pix")) if isinstance(content, dict) else []
        named = (string(each.get("txid")) or "" for each in told)
        return tuple(dict.fromkeys(each for each in named if _TXID.fullmatch(each)))[:MOST_HINTS]

    async def close(self) -> None:
        for client in self._used:
            await client.aclose()

    async def _call(self, account: PaymentAccount, method: str, path: str, body: Json | None = None) -> httpx.Response:
        """With a token; where that is not taken, once more with a new one."""
        client = self._client(account)
        url = account.settings.get("base_url", "").rstrip("/") + path
        for is_last in (False, True):
            token = await self._token(account, client)

            def prepare(token: str = token) -> httpx.Request:
                return json_call(client, method, url, {"Authorization": f"Bearer {token}"}, body)

            try:
                return await called(client, NAME, prepare)
            except ProviderRefused as refused:
                self._tokens.pop(account.clinic_id, None)
                if is_last or not refused.of_account:
                    raise
        raise AssertionError("the second call returned or raised")

    async def _token(self, account: PaymentAccount, client: httpx.AsyncClient) -> str:
        token = self._tokens.setdefault(account.clinic_id, _Token())
        async with token.renewing:
            if self._clock() >= token.until:
                answer = await self._new_token(account, client)
                text, lasts = string(answer.get("access_token")), answer.get("expires_in")
                if text is None:
                    raise ProviderUnavailable(f"{NAME} gave no token")
                seconds = lasts if isinstance(lasts, int) else 60
                token.text, token.until = text, self._clock() + timedelta(seconds=max(0, seconds - 60))
            return token.text

    async def _new_token(self, account: PaymentAccount, client: httpx.AsyncClient) -> Json:
        url = account.settings.get("base_url", "").rstrip("/") + "/oauth/token"

        def prepare() -> httpx.Request:
            user, word = self._credential(account, "client_id"), self._credential(account, "client_secret")
            headers = {"Authorization": f"Basic {b64encode(f'{user}:{word}'.encode()).decode()}"}
            return json_call(client, "POST", url, headers, {"grant_type": "client_credentials"})

        response = await called(client, NAME, prepare)
        if not response.is_success:
            raise ProviderRefused(f"HTTP {response.status_code} {NAME} gives no token", of_account=True)
        return body_of(response, NAME)

    def _client(self, account: PaymentAccount) -> httpx.AsyncClient:
        try:
            client = self._clients(account)
        except (SecretUnreadable, ssl.SSLError) as problem:
            reason = f"the account's certificate cannot be used ({type(problem).__name__})"
            raise ProviderRefused(reason, of_account=True) from None
        self._used.add(client)
        return client


def _charge_path(txid: str) -> str:
    return f"/v2/cob/{quote(txid, safe='')}"


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _charge(charge: Json) -> FoundCharge:
    """Raises ProviderUnavailable for what cannot be read: a word that nobody knows must not look like "not paid"."""
    status, txid = _STATUSES.get(str(charge.get("status"))), string(charge.get("txid"))
    if status is None or txid is None:
        raise ProviderUnavailable(f"a charge of {NAME} that cannot be read")
    code = string(charge.get("pixCopiaECola")) or ""
    payments = tuple(_received(each) for each in objects(charge.get("pix")))
    if status is FoundStatus.PAID and not payments:
        raise ProviderUnavailable(f"a paid charge of {NAME} without its payment")
    return FoundCharge(txid, txid, status, code if status is FoundStatus.OPEN else "", payments)


def _received(payment: Json) -> FoundPayment:
    reference, at = string(payment.get("endToEndId")), moment(payment.get("horario"))
    cents = cents_of(payment.get("valor"))
    if reference is None or at is None or not cents:
        raise ProviderUnavailable(f"a payment of {NAME} that cannot be read")
    refunds = (_refund(each) for each in objects(payment.get("devolucoes")))
    return FoundPayment(reference, cents, at, tuple(each for each in refunds if each is not None))


def _refund(refund: Json) -> FoundRefund | None:
    reference, cents = string(refund.get("id")), cents_of(refund.get("valor"))
    times = part(refund, "horario")
    at = moment(times.get("liquidacao")) or moment(times.get("solicitacao"))
    if reference is None or not cents or at is None:
        return None
    return FoundRefund(reference, cents, _REFUNDS.get(str(refund.get("status")), RefundState.IN_PROGRESS), at)

"""The stand-in of those who take PIX, over HTTP: as Mercado Pago, and as a bank's PIX API."""

import base64
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from decimal import Decimal

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gendei.payments.amounts import cents_of, decimal_text
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.pix_bank import (
    BankCharge,
    BankFault,
    BankPayment,
    BankRefund,
    BankRefused,
    PixBank,
    RefundOutcome,
)

ACCESS_TOKEN, WEBHOOK_SECRET = "token-of-the-clinic", "secret-of-the-webhook"
CLIENT_ID, CLIENT_SECRET = "client", "word"
_Handler = Callable[[Request], Awaitable[Response]]
_AS_MP = {RefundOutcome.DONE: "approved", RefundOutcome.IN_PROGRESS: "in_process", RefundOutcome.REFUSED: "rejected"}
_AS_BANK = {
    RefundOutcome.DONE: "DEVOLVIDO",
    RefundOutcome.IN_PROGRESS: "EM_PROCESSAMENTO",
    RefundOutcome.REFUSED: "NAO_REALIZADO",
}


class LostAnswer(httpx.ReadTimeout):
    """What a client sees that waits in vain; for clients within this process."""


def _faulty(bank: PixBank, handler: _Handler) -> _Handler:
    """A handler that goes wrong as the bank's next fault says."""

    async def handle(request: Request) -> Response:
        bank.asked.append(f"{request.method} {request.url.path}")
        fault = bank.faults.popleft() if bank.faults else None
        if fault is BankFault.DOWN:
            return Response("<html>", 503)
        if fault is BankFault.REFUSED:
            return JSONResponse({"message": "no"}, 400)
        try:
            response = await handler(request)
        except BankRefused:
            response = JSONResponse({"message": "refused"}, 400)
        if fault is BankFault.SILENT:
            raise LostAnswer("the stand-in keeps silent")
        if fault is BankFault.GARBAGE:
            return Response(b'{"id":', 200)
        return Response("<html>", 502) if fault is BankFault.DONE_THEN_DOWN else response

    return handle


class MercadoPagoFace:
    """`payments` as Mercado Pago has them. remembers_keys: repeated X-Idempotency-Keys give the same payment."""

    def __init__(self, bank: PixBank) -> None:
        self._bank, self.remembers_keys = bank, True
        self._by_key: dict[str, BankCharge] = {}

    @property
    def app(self) -> Starlette:
        routes = [
            ("/v1/payments", "POST", self._make),
            ("/v1/payments/search", "GET", self._search),
            ("/v1/payments/{number:int}", "GET", self._read),
            ("/v1/payments/{number:int}", "PUT", self._cancel),
            ("/v1/payments/{number:int}/refunds", "POST", self._refund),
        ]
        return Starlette(routes=[Route(p, _faulty(self._bank, _bearer(h)), methods=[m]) for p, m, h in routes])

    async def _make(self, request: Request) -> Response:
        body, key = await _body(request), request.headers.get("x-idempotency-key", "")
        cents = cents_of(body.get("transaction_amount"))
        if not key or not cents or body.get("payment_method_id") != "pix" or "@" not in body["payer"]["email"]:
            raise BankRefused
        if key not in self._by_key or not self.remembers_keys:
            expires = datetime.fromisoformat(body["date_of_expiration"])
            made = self._bank.make(body["external_reference"], cents, body["description"], expires)
            self._by_key[key] = made
        return JSONResponse(self._shown(self._by_key[key]), 201)

    async def _search(self, request: Request) -> Response:
        asked, found = request.query_params, list(self._bank.charges.values())
        if "external_reference" in asked:
            found = [charge for charge in found if charge.id == asked["external_reference"]]
        if asked.get("range") == "date_created":
            begin, end = (datetime.fromisoformat(asked[name]) for name in ("begin_date", "end_date"))
            found = [charge for charge in found if begin <= charge.created_at <= end]
        offset, limit = int(asked.get("offset", 0)), int(asked.get("limit", 30))
        page = [self._shown(charge) for charge in found[offset : offset + limit]]
        return JSONResponse({"paging": {"total": len(found), "limit": limit, "offset": offset}, "results": page})

    async def _read(self, request: Request) -> Response:
        charge = self._charge(request)
        return JSONResponse({}, 404) if charge is None else JSONResponse(self._shown(charge))

    async def _cancel(self, request: Request) -> Response:
        charge = self._charge(request)
        if charge is None or (await _body(request)).get("status") != "cancelled" or self._is_over(charge):
            raise BankRefused
        self._bank.remove(charge)
        return JSONResponse(self._shown(charge))

    async def _refund(self, request: Request) -> Response:
        """A refund in progress is told as HTTP 400, unless the header asks for it."""
        charge, body = self._charge(request), await _body(request)
        if charge is None or not charge.payments or not (key := request.headers.get("x-idempotency-key")):
            raise BankRefused
        cents = cents_of(body.get("amount")) if "amount" in body else charge.cents
        refund = self._bank.refund(charge.payments[0], key, cents or 0)
        if refund.state is RefundOutcome.IN_PROGRESS and request.headers.get("x-render-in-process-refunds") != "true":
            raise BankRefused
        return JSONResponse(self._shown_refund(refund), 201)

    def _charge(self, request: Request) -> BankCharge | None:
        number = request.path_params["number"]
        return next((charge for charge in self._bank.charges.values() if charge.number == number), None)

    def _is_over(self, charge: BankCharge) -> bool:
        return self._bank.clock() >= charge.expires_at + self._bank.lenient

    def _shown(self, charge: BankCharge) -> Json:
        payment = charge.payments[0] if charge.payments else None
        refunds = [self._shown_refund(refund) for refund in payment.refunds] if payment else []
        status = "cancelled" if charge.removed or self._is_over(charge) else "pending"
        if payment is not None:
            gone = sum(each.cents for each in payment.refunds if each.state is RefundOutcome.DONE)
            status = "refunded" if gone == payment.cents else "approved"
        return {
            "id": charge.number,
            "status": status,
            "payment_method_id": "pix",
            "transaction_amount": float(decimal_text(charge.cents)),
            "external_reference": charge.id,
            "date_created": charge.created_at.isoformat(timespec="milliseconds"),
            "date_approved": payment.at.isoformat(timespec="milliseconds") if payment else None,
            "point_of_interaction": {"transaction_data": {"qr_code": charge.code}},
            "refunds": refunds,
        }

    def _shown_refund(self, refund: BankRefund) -> Json:
        amount, at = float(decimal_text(refund.cents)), refund.at.isoformat(timespec="milliseconds")
        return {"id": refund.number, "amount": amount, "status": _AS_MP[refund.state], "date_created": at}


class PixApiFace:
    """`cob` and `pix` as the Central Bank's standard has them. tokens: those that are taken; a test may clear them."""

    def __init__(self, bank: PixBank) -> None:
        self._bank = bank
        self.tokens: set[str] = set()

    @property
    def app(self) -> Starlette:
        refund = "/v2/pix/{payment}/devolucao/{id}"
        routes = [
            ("/v2/cob", "GET", self._list),
            ("/v2/cob/{txid}", "PUT", self._make),
            ("/v2/cob/{txid}", "GET", self._read),
            ("/v2/cob/{txid}", "PATCH", self._remove),
            (refund, "PUT", self._refund),
            (refund, "GET", self._read_refund),
        ]
        guarded = [Route(p, _faulty(self._bank, self._authorised(h)), methods=[m]) for p, m, h in routes]
        return Starlette(routes=[Route("/oauth/token", self._token, methods=["POST"]), *guarded])

    async def _token(self, request: Request) -> Response:
        right = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {right}":
            return JSONResponse({"error": "invalid_client"}, 401)
        self.tokens.add(token := f"token-{len(self._bank.asked)}")
        return JSONResponse({"access_token": token, "token_type": "Bearer", "expires_in": 3600})

    def _authorised(self, handler: _Handler) -> _Handler:
        async def handle(request: Request) -> Response:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            return await handler(request) if token in self.tokens else JSONResponse({}, 401)

        return handle

    async def _make(self, request: Request) -> Response:
        body = await _body(request)
        cents, lasts = cents_of(body["valor"]["original"]), timedelta(seconds=body["calendario"]["expiracao"])
        if not cents or not body.get("chave"):
            raise BankRefused
        said, expires = body.get("solicitacaoPagador", ""), self._bank.clock() + lasts
        made = self._bank.make(request.path_params["txid"], cents, said, expires)
        return JSONResponse(self._shown(made), 201)

    async def _read(self, request: Request) -> Response:
        charge = self._bank.charges.get(request.path_params["txid"])
        return JSONResponse({}, 404) if charge is None else JSONResponse(self._shown(charge))

    async def _remove(self, request: Request) -> Response:
        charge = self._bank.charges.get(request.path_params["txid"])
        if charge is None or (await _body(request)).get("status") != "REMOVIDA_PELO_USUARIO_RECEBEDOR":
            raise BankRefused
        self._bank.remove(charge)
        return JSONResponse(self._shown(charge))

    async def _list(self, request: Request) -> Response:
        asked = request.query_params
        begin, end = (datetime.fromisoformat(asked[name]) for name in ("inicio", "fim"))
        found = [charge for charge in self._bank.charges.values() if begin <= charge.created_at <= end]
        page, size = int(asked.get("paginacao.paginaAtual", 0)), int(asked.get("paginacao.itensPorPagina", 100))
        pages = {"paginaAtual": page, "itensPorPagina": size, "quantidadeDePaginas": -(-len(found) // size)}
        shown = [self._shown(charge) for charge in found[page * size : (page + 1) * size]]
        return JSONResponse({"parametros": {"paginacao": pages}, "cobs": shown})

    async def _refund(self, request: Request) -> Response:
        """An id that was used before is refused, as by the standard."""
        payment, refund_id = self._payment(request), request.path_params["id"]
        if payment is None or any(refund.id == refund_id for refund in payment.refunds):
            raise BankRefused
        cents = cents_of((await _body(request)).get("valor")) or 0
        return JSONResponse(self._shown_refund(self._bank.refund(payment, refund_id, cents)), 201)

    async def _read_refund(self, request: Request) -> Response:
        payment = self._payment(request)
        refunds = payment.refunds if payment is not None else []
        refund = next((each for each in refunds if each.id == request.path_params["id"]), None)
        return JSONResponse({}, 404) if refund is None else JSONResponse(self._shown_refund(refund))

    def _payment(self, request: Request) -> BankPayment | None:
        return next((each for each in self._bank.payments if each.id == request.path_params["payment"]), None)

    def _shown(self, charge: BankCharge) -> Json:
        """ATIVA also when its time is over."""
        open_or_gone = "REMOVIDA_PELO_USUARIO_RECEBEDOR" if charge.removed else "ATIVA"
        payments = [
            {
                "endToEndId": payment.id,
                "txid": charge.id,
                "valor": decimal_text(payment.cents),
                "horario": payment.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "devolucoes": [self._shown_refund(refund) for refund in payment.refunds],
            }
            for payment in charge.payments
        ]
        return {
            "txid": charge.id,
            "status": "CONCLUIDA" if payments else open_or_gone,
            "valor": {"original": decimal_text(charge.cents)},
            "pixCopiaECola": charge.code,
            **({"pix": payments} if payments else {}),
        }

    def _shown_refund(self, refund: BankRefund) -> Json:
        at = refund.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        times = {"solicitacao": at} | ({"liquidacao": at} if refund.state is RefundOutcome.DONE else {})
        return {
            "id": refund.id,
            "rtrId": f"D{refund.number}",
            "valor": decimal_text(refund.cents),
            "horario": times,
            "status": _AS_BANK[refund.state],
        }


def signed_notification(
    number: int, *, secret: str = WEBHOOK_SECRET, ts: str = "1772452800000"
) -> tuple[dict[str, str], dict[str, str]]:
    """Headers and query of Mercado Pago's notification about a payment."""
    manifest = f"id:{number};request-id:request-1;ts:{ts};"
    v1 = hmac.new(secret.encode(), manifest.encode(), hashlib.sha256).hexdigest()
    headers = {"x-signature": f"ts={ts},v1={v1}", "x-request-id": "request-1"}
    return headers, {"data.id": str(number), "type": "payment"}


def _bearer(handler: _Handler) -> _Handler:
    async def handle(request: Request) -> Response:
        is_right = request.headers.get("authorization") == f"Bearer {ACCESS_TOKEN}"
        return await handler(request) if is_right else JSONResponse({}, 401)

    return handle


async def _body(request: Request) -> Json:
    body: Json = json.loads(await request.body(), parse_float=Decimal)
    return body

"""/payments."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query

from gendei.commands.payments import (
    GET_PAYMENT,
    LIST_PAYMENTS,
    LOOK_AT_PAYMENT,
    RECEIVE_PAYMENT,
    REFUND_PAYMENT,
    REFUND_WAS_GIVEN,
    WAIVE_PAYMENT,
    ListPayments,
    OnePayment,
    PaymentOut,
    PaymentsOut,
)
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.numbers_routes import Manager
from gendei.web.api.problems import READ_ONE

router = APIRouter(tags=["payments"])
Day = Annotated[date | None, Query(examples=["2026-11-23"])]


@router.get("/payments", responses=READ_ONE, description=LIST_PAYMENTS.description)
async def list_payments(actor: Manager, gendei: Gendei, first: Day = None, last: Day = None) -> PaymentsOut:
    given = ListPayments(first=first, last=last)
    return PaymentsOut.read(await LIST_PAYMENTS.do(await gendei.desks.call(actor, CHANNEL), given))


@router.get("/payments/{payment_id}", responses=READ_ONE, description=GET_PAYMENT.description)
async def get_payment(actor: Manager, gendei: Gendei, payment_id: str) -> PaymentOut:
    given = OnePayment(payment=payment_id)
    return PaymentOut.at(await GET_PAYMENT.do(await gendei.desks.call(actor, CHANNEL), given))


for verb, command, name in (
    ("look", LOOK_AT_PAYMENT, "look_at_payment"),
    ("waive", WAIVE_PAYMENT, "waive_payment"),
    ("receive", RECEIVE_PAYMENT, "receive_payment"),
    ("refund", REFUND_PAYMENT, "refund_payment"),
    ("refunds/{refund}/given", REFUND_WAS_GIVEN, "refund_was_given"),
):
    offer(router, f"POST /payments/{{payment_id}}/{verb}", command, PaymentOut.at, name)

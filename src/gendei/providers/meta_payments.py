"""Payments as Meta's Cloud API shows them in a chat: `order_details` with a PIX code, `order_status` once it is paid.

WhatsApp moves no money and knows of none: who is paid says so, and this only tells it. Meta takes these messages of
accounts that are enabled for payments.
"""

import re

from gendei.messages.limits import MAX_BUTTON_BODY, fit, one_line
from gendei.messages.replies import PixForm, PixPayment, Reply
from gendei.payments.pix_key import pix_key
from gendei.providers.json_parts import Json
from gendei.providers.numbered import Unsendable

FLAG = "order_details"
"""The channel's setting that says that its account may."""
_REFERENCE = re.compile(r"[A-Za-z0-9_.-]{1,60}")
MAX_MERCHANT = 60


def order_of(reply: Reply) -> Json | None:
    """The `interactive` object of a payment; None for what is none. Raises Unsendable."""
    pix = reply.pix
    if pix is None or pix.form is PixForm.QR or not pix.reference:
        return None
    if not _REFERENCE.fullmatch(pix.reference):
        raise Unsendable("the reference of a payment has up to 60 letters, digits, _, . and -")
    return _details(pix) if pix.form is PixForm.CODE else _status(pix, reply.text)


def _details(pix: PixPayment) -> Json:
    key = pix_key(pix.key)
    code: Json = {"code": pix.code, "merchant_name": fit(one_line(pix.merchant), MAX_MERCHANT)}
    if key is not None:
        code |= {"key": key.value, "key_type": str(key.kind)}
    return {
        "type": "order_details",
        "body": {"text": fit(pix.body, MAX_BUTTON_BODY)},
        "action": {
            "name": "review_and_pay",
            "parameters": {
                "reference_id": pix.reference,
                "type": "digital-goods",
                "payment_type": "br",
                "payment_settings": [{"type": "pix_dynamic_code", "pix_dynamic_code": code}],
                "currency": "BRL",
                "total_amount": {"value": pix.cents, "offset": 100},
            },
        },
    }


def _status(pix: PixPayment, text: str) -> Json:
    return {
        "type": "order_status",
        "body": {"text": fit(text, MAX_BUTTON_BODY)},
        "action": {
            "name": "review_order",
            "parameters": {"reference_id": pix.reference, "order": {"status": "completed"}},
        },
    }

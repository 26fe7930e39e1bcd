"""What Meta refuses of payments in a chat, for the simulator: of `order_details` and `order_status`."""

import re
from typing import Any

from gendei.payments.br_code import NotAPixCode, read_code

Json = dict[str, Any]
KINDS = frozenset({"order_details", "order_status"})
_REFERENCE = re.compile(r"[A-Za-z0-9_.-]{1,60}")


def order_fault(interactive: Json) -> str | None:
    """What is wrong with it; None for nothing."""
    action = interactive.get("action")
    parameters = action.get("parameters") if isinstance(action, dict) else None
    if not isinstance(action, dict) or not isinstance(parameters, dict):
        return "action.parameters is missing"
    if not _REFERENCE.fullmatch(str(parameters.get("reference_id"))):
        return "reference_id must be 1 to 60 of A-Z, a-z, 0-9, _, . and -"
    if not (interactive.get("body") or {}).get("text"):
        return "body.text is missing"
    if interactive["type"] == "order_status":
        right = action.get("name") == "review_order" and isinstance(parameters.get("order"), dict)
        return None if right else "order_status is a review_order of an order"
    return _details_fault(action, parameters)


def _details_fault(action: Json, parameters: Json) -> str | None:
    amount = parameters.get("total_amount") or {}
    if action.get("name") != "review_and_pay" or parameters.get("payment_type") != "br":
        return "order_details is a review_and_pay of payment_type br"
    if parameters.get("currency") != "BRL" or amount.get("offset") != 100 or not isinstance(amount.get("value"), int):
        return "the amount is in centavos of BRL"
    [setting] = parameters.get("payment_settings") or [{}]
    code = setting.get("pix_dynamic_code") or {}
    if setting.get("type") != "pix_dynamic_code" or not code.get("merchant_name"):
        return "payment_settings is one pix_dynamic_code with a merchant_name"
    try:
        read_code(str(code.get("code")))
    except NotAPixCode as problem:
        return f"the code is none: {problem}"
    return None

"""The webhooks that Meta would post: the patient's side of the demo, of `gendei chat` and of the journeys."""

import base64
import hmac
import json
from dataclasses import dataclass
from datetime import datetime
from secrets import token_bytes
from typing import Any, Literal

from gendei.clock import Clock, system_clock
from gendei.messages.message import DeliveryState

Json = dict[str, Any]
TapKind = Literal["button_reply", "list_reply"]
SignedBody = tuple[bytes, dict[str, str]]
"""A webhook's body and its headers, ready to be posted."""


def new_message_id() -> str:
    """An id of WhatsApp's form: "wamid." and base64."""
    return "wamid." + base64.b64encode(b"\x1d\x0c" + token_bytes(24)).decode()


@dataclass(frozen=True, slots=True)
class WebhookMaker:
    """Writes the signed webhooks that Meta would post for one number. Senders are "+5511...", digits, or a user id
    ("BR.1349"), which then shows no phone. Timestamps come from `clock` unless given."""

    app_secret: bytes
    phone_number_id: str
    clock: Clock = system_clock

    def text(
        self,
        sender: str,
        text: str,
        *,
        name: str = "Maria",
        message_id: str | None = None,
        timestamp: datetime | None = None,
    ) -> SignedBody:
        content = {"type": "text", "text": {"body": text}}
        return self.message(sender, content, name=name, message_id=message_id, timestamp=timestamp)

    def tap(
        self,
        sender: str,
        option_id: str,
        title: str,
        kind: TapKind = "button_reply",
        *,
        name: str = "Maria",
        message_id: str | None = None,
    ) -> SignedBody:
        tapped = {"type": kind, kind: {"id": option_id, "title": title}}
        return self.message(sender, {"type": "interactive", "interactive": tapped}, name=name, message_id=message_id)

    def message(
        self,
        sender: str,
        content: Json,
        *,
        name: str = "Maria",
        message_id: str | None = None,
        timestamp: datetime | None = None,
    ) -> SignedBody:
        """A message of any type: `content` is Meta's object without id, sender and timestamp."""
        digits = sender.removeprefix("+")
        by_phone = digits.isdigit()
        contact = {"profile": {"name": name}, **({"wa_id": digits} if by_phone else {"user_id": sender})}
        message = {
            **({"from": digits} if by_phone else {"from_user_id": sender}),
            "id": message_id or new_message_id(),
            "timestamp": str(int((timestamp or self.clock()).timestamp())),
            **content,
        }
        return self.signed(self.body({"contacts": [contact], "messages": [message]}))

    def status(
        self, message_id: str, state: DeliveryState | str, reference: str | None = None, *, error: Json | None = None
    ) -> SignedBody:
        """A status; `error` is one object of Meta's `errors` array."""
        status: Json = {"id": message_id, "status": str(state), "timestamp": str(int(self.clock().timestamp()))}
        if reference is not None:
            status["biz_opaque_callback_data"] = reference
        if error is not None:
            status["errors"] = [error]
        return self.signed(self.body({"statuses": [status]}))

    def body(self, value: Json, *, field: str = "messages") -> Json:
        """The envelope around one change's value."""
        metadata = {"display_phone_number": "551130000000", "phone_number_id": self.phone_number_id}
        whole = {"messaging_product": "whatsapp", "metadata": metadata, **value}
        changes = [{"field": field, "value": whole}]
        return {"object": "whatsapp_business_account", "entry": [{"id": "102290129340398", "changes": changes}]}

    def signed(self, body: Any) -> SignedBody:
        """Any JSON value, or raw bytes, as Meta would post it."""
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        signature = hmac.digest(self.app_secret, raw, "sha256").hex()
        return raw, {"X-Hub-Signature-256": f"sha256={signature}", "Content-Type": "application/json"}

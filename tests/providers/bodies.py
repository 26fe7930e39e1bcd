"""Messages and statuses in the shapes that Meta's pages describe, with people and numbers of our own."""

from typing import Any

Json = dict[str, Any]

NUMBER = "106540352242922"
MARIA = "5511987654321"
MARIA_ID = "BR.1349HmQ20aXz"
SECONDS = "1780000000"


def envelope(*values: Json, field: str = "messages") -> Json:
    """One entry with one change a value."""
    changes = [{"value": value, "field": field} for value in values]
    return {"object": "whatsapp_business_account", "entry": [{"id": "102290129340398", "changes": changes}]}


def value(number: str = NUMBER, **parts: Any) -> Json:
    metadata = {"display_phone_number": "551130004000", "phone_number_id": number}
    return {"messaging_product": "whatsapp", "metadata": metadata, **parts}


def contact(name: str = "Maria Alves", wa_id: str | None = MARIA, user_id: str | None = None) -> Json:
    ids = {"wa_id": wa_id, "user_id": user_id}
    return {"profile": {"name": name}, **{key: value for key, value in ids.items() if value is not None}}


def message(content: Json, *, message_id: str = "wamid.IN1", sender: str | None = MARIA, **more: Any) -> Json:
    origin = {} if sender is None else {"from": sender}
    return {**origin, "id": message_id, "timestamp": SECONDS, **content, **more}


def text(body: str) -> Json:
    return {"text": {"body": body}, "type": "text"}


def one(content: Json, **more: Any) -> Json:
    """A whole body with one message of Maria's."""
    return envelope(value(contacts=[contact()], messages=[message(content, **more)]))


IMAGE = {
    "type": "image",
    "image": {"id": "MED1", "mime_type": "image/jpeg", "sha256": "c2hh", "url": "https://m.test/1", "caption": "guia"},
}
VOICE = {
    "type": "audio",
    "audio": {"id": "MED2", "mime_type": "audio/ogg; codecs=opus", "sha256": "c2hh", "voice": True},
}
DOCUMENT = {
    "type": "document",
    "document": {"id": "MED3", "mime_type": "application/pdf", "sha256": "c2hh", "filename": "exame.pdf"},
}
STICKER = {"type": "sticker", "sticker": {"id": "MED4", "mime_type": "image/webp", "sha256": "c2hh", "animated": True}}
LOCATION = {"type": "location", "location": {"latitude": -23.56, "longitude": -46.65, "name": "Casa"}}
CARD = {
    "type": "contacts",
    "contacts": [
        {
            "name": {"formatted_name": "João Alves", "first_name": "João"},
            "phones": [{"phone": "+55 11 98888-7777", "wa_id": "5511988887777", "type": "CELL"}],
            "origin": "other",
        }
    ],
}
BUTTON_REPLY = {
    "type": "interactive",
    "interactive": {"type": "button_reply", "button_reply": {"id": "do|book", "title": "Agendar"}},
}
LIST_REPLY = {
    "interactive": {"list_reply": {"id": "day|2026-06-11", "title": "Quinta, 11/06"}, "type": "list_reply"},
    "context": {"from": "551130004000", "id": "wamid.OUT9"},
    "type": "interactive",
}
FORM_REPLY = {
    "type": "interactive",
    "interactive": {"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Enviado", "response_json": '{"a":1}'}},
}
TEMPLATE_BUTTON = {"type": "button", "button": {"payload": "confirm|a1", "text": "Confirmar"}}
REACTION = {"type": "reaction", "reaction": {"message_id": "wamid.OUT1", "emoji": "👍"}}
ORDER = {
    "type": "order",
    "order": {
        "catalog_id": "77",
        "text": "Quero este",
        "product_items": [{"product_retailer_id": "p1", "quantity": 2, "item_price": 30.5, "currency": "BRL"}],
    },
}
NEW_NUMBER = {
    "type": "system",
    "system": {
        "type": "user_changed_number",
        "body": "mudou de número",
        "wa_id": "5511900001111",
        "user_id": "BR.NEW1",
        "previous_user_id": "BR.OLD1",
    },
}
NEW_USER_ID = {
    "type": "system",
    "system": {"type": "user_changed_user_id", "user_id": "BR.NEW1", "previous_user_id": "BR.OLD1"},
}
POLL = {
    "type": "unsupported",
    "unsupported": {"type": "poll_creation"},
    "errors": [
        {
            "code": 131051,
            "title": "Message type unknown",
            "message": "Message type unknown",
            "error_data": {"details": "Message type is currently not supported."},
        }
    ],
}
UNAVAILABLE = {"type": "unsupported", "errors": [{"code": 131060, "title": "This message is unavailable"}]}
EDIT = {"type": "edit", "edit": {"original_message_id": "wamid.IN0", "message": {"type": "text", **text("às 15h")}}}
REVOKE = {"type": "revoke", "revoke": {"original_message_id": "wamid.IN0"}}

DELIVERED = {
    "id": "wamid.OUT1",
    "status": "delivered",
    "timestamp": SECONDS,
    "recipient_id": MARIA,
    "biz_opaque_callback_data": "out-1",
    "pricing": {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "service"},
}
FAILED = {
    "id": "wamid.OUT2",
    "status": "failed",
    "timestamp": SECONDS,
    "recipient_user_id": MARIA_ID,
    "errors": [
        {
            "code": 131047,
            "title": "Re-engagement message",
            "message": "Re-engagement message",
            "error_data": {"details": "More than 24 hours have passed."},
            "href": "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
        }
    ],
}
DASHBOARD_TEST = {
    "object": "whatsapp_business_account",
    "entry": [
        {
            "id": "0",
            "changes": [
                {
                    "field": "messages",
                    "value": {
                        "messaging_product": "whatsapp",
                        "metadata": {"display_phone_number": "16505551111", "phone_number_id": "123456123"},
                        "contacts": [{"profile": {"name": "test user name"}, "wa_id": "16315551181"}],
                        "messages": [
                            {
                                "from": "16315551181",
                                "id": "ABGGFlA5Fpa",
                                "timestamp": "1504902988",
                                "type": "text",
                                "text": {"body": "this is a text message"},
                            }
                        ],
                    },
                }
            ],
        }
    ],
}

"""What Meta refuses in a request to /messages, for the simulator.

Written from Meta's pages and on its own, not from what `meta_payload` makes: it is the check on that.
"""

import re
from dataclasses import dataclass
from typing import Any

from gendei.providers.stand_in import order_rules

Json = dict[str, Any]
_PHONE = re.compile(r"\+\d{8,15}")
_USER_ID = re.compile(r"[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}")


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    """Meta's code and the details it would give."""

    code: int
    details: str


def check_request(payload: object) -> Json:
    """The request as an object, when Meta would take it: a message, or a read receipt. Raises Refused."""
    if not isinstance(payload, dict):
        raise Refused(100, "The body is not a JSON object")
    if payload.get("messaging_product") != "whatsapp":
        raise Refused(100, "messaging_product must be whatsapp")
    if "status" in payload:
        _check_read(payload)
    else:
        _check_recipient(payload)
        _check_length("biz_opaque_callback_data", payload.get("biz_opaque_callback_data", "-"), 512)
        _check_content(payload)
    return payload


def _check_read(payload: Json) -> None:
    if payload["status"] != "read" or not payload.get("message_id"):
        raise Refused(131009, "status must be read, of a message_id")
    if payload.get("typing_indicator", {"type": "text"}) != {"type": "text"}:
        raise Refused(131009, "typing_indicator must be of type text")


def _check_recipient(payload: Json) -> None:
    to, recipient = payload.get("to"), payload.get("recipient")
    if to is not None and recipient is not None:
        raise Refused(100, "either to or recipient, not both")
    if to is not None and not (isinstance(to, str) and _PHONE.fullmatch(to)):
        raise Refused(100, "to must be + and a full number")
    if to is None and not (isinstance(recipient, str) and _USER_ID.fullmatch(recipient)):
        raise Refused(131008, "to is missing, and recipient is no user id")
    if payload.get("recipient_type", "individual") != "individual":
        raise Refused(100, "recipient_type must be individual")


def _check_content(payload: Json) -> None:
    kind = payload.get("type", "text")
    content = payload.get(kind) if isinstance(kind, str) else None
    if not isinstance(content, dict):
        raise Refused(131008, f"{kind} is missing")
    if kind == "text":
        _check_length("text.body", content.get("body"), 4096)
    elif kind == "interactive" and content.get("type") == "button":
        _check_buttons(content)
    elif kind == "interactive" and content.get("type") == "list":
        _check_list(content)
    elif kind == "interactive" and content.get("type") == "cta_url":
        _check_link(content)
    elif kind == "interactive" and content.get("type") in order_rules.KINDS:
        if fault := order_rules.order_fault(content):
            raise Refused(131009, fault)
    elif kind in {"image", "video", "document", "audio"}:
        _check_media(kind, content)
    elif kind == "location":
        _check_location(content)
    elif kind == "template":
        _check_template(content)
    else:
        raise Refused(131051, "this simulator takes text, reply buttons, lists, links, locations, files and templates")


def _check_buttons(interactive: Json) -> None:
    _check_body(interactive, 1024)
    buttons = _array("buttons", _object("action", interactive.get("action")).get("buttons"), 3)
    replies = [_object("reply", _object("button", button).get("reply")) for button in buttons]
    if any(button.get("type") != "reply" for button in buttons):
        raise Refused(131009, "buttons must be of type reply")
    for reply in replies:
        _check_length("button id", reply.get("id"), 256)
        _check_length("button title", reply.get("title"), 20)
    _check_unique("button ids", [reply["id"] for reply in replies])
    _check_unique("button titles", [reply["title"] for reply in replies])


def _check_list(interactive: Json) -> None:
    _check_body(interactive, 4096)
    action = _object("action", interactive.get("action"))
    _check_length("list button", action.get("button"), 20)
    sections = [_object("section", section) for section in _array("sections", action.get("sections"), 10)]
    for section in sections:
        if len(sections) > 1 or "title" in section:
            _check_length("section title", section.get("title"), 24)
    rows = [_object("row", row) for section in sections for row in _array("rows", section.get("rows"), 10)]
    _array("rows of all sections", rows, 10)
    for row in rows:
        _check_length("row id", row.get("id"), 200)
        _check_length("row title", row.get("title"), 24)
        if "description" in row:
            _check_length("row description", row["description"], 72)
    _check_unique("row ids", [row["id"] for row in rows])


def _check_link(interactive: Json) -> None:
    _check_body(interactive, 1024)
    action = _object("action", interactive.get("action"))
    if action.get("name") != "cta_url":
        raise Refused(131009, "action name must be cta_url")
    parameters = _object("parameters", action.get("parameters"))
    _check_length("display_text", parameters.get("display_text"), 20)
    _check_address("url", parameters.get("url"))


def _check_location(location: Json) -> None:
    if unknown := location.keys() - {"latitude", "longitude", "name", "address"}:
        raise Refused(100, f"location takes no {sorted(unknown)[0]}")
    for name, most in (("latitude", 90), ("longitude", 180)):
        degrees = location.get(name)
        if not isinstance(degrees, int | float) or not -most <= degrees <= most:
            raise Refused(131009, f"{name} must be a number of degrees")
    if not all(isinstance(location.get(name, ""), str) for name in ("name", "address")):
        raise Refused(131009, "name and address must be text")


def _check_media(kind: str, content: Json) -> None:
    allowed = {"link", "id"} | {"audio": {"voice"}, "document": {"caption", "filename"}}.get(kind, {"caption"})
    if unknown := content.keys() - allowed:
        raise Refused(100, f"{kind} takes no {sorted(unknown)[0]}")
    if ("link" in content) == ("id" in content):
        raise Refused(131009, f"{kind} has a link or an id, one of both")
    if "link" in content:
        _check_address(f"{kind} link", content["link"])
    if "caption" in content:
        _check_length("caption", content["caption"], 1024)


def _check_template(template: Json) -> None:
    if not re.fullmatch(r"[a-z0-9_]{1,512}", str(template.get("name"))):
        raise Refused(132001, "no template has this name")
    _check_length("language code", _object("language", template.get("language")).get("code"), 10)
    for component in template.get("components", []):
        kind = _object("component", component).get("type")
        parameters = [
            _object("parameter", parameter) for parameter in _array("parameters", component.get("parameters"), 50)
        ]
        if kind == "body":
            for parameter in parameters:
                _check_parameter(parameter)
        elif kind == "button" and component.get("sub_type") == "quick_reply":
            if component.get("index") not in {str(index) for index in range(10)}:
                raise Refused(132000, "a button's index is 0 to 9, as text")
            _check_length("button payload", parameters[0].get("payload"), 256)
        else:
            raise Refused(132000, "components are the body and quick replies")


def _check_parameter(parameter: Json) -> None:
    if parameter.get("type") != "text":
        raise Refused(132012, "a parameter is of type text")
    _check_length("parameter", parameter.get("text"), 1024)
    if re.search(r"[\n\r\t]| {5}", parameter["text"]):
        raise Refused(132018, "a parameter holds no line breaks, tabs or more than four spaces in a row")


def _check_address(what: str, address: object) -> None:
    if not isinstance(address, str) or not re.fullmatch(r"https?://\S+", address):
        raise Refused(131009, f"{what} is no address")


def _check_body(interactive: Json, limit: int) -> None:
    _check_length("body", _object("body", interactive.get("body")).get("text"), limit)


def _check_length(what: str, text: object, limit: int) -> None:
    if not isinstance(text, str) or not text.strip():
        raise Refused(131008, f"{what} is missing")
    if len(text.encode("utf-16-le", "surrogatepass")) > 2 * limit:
        raise Refused(131009, f"{what} is longer than {limit}")


def _check_unique(what: str, values: list[str]) -> None:
    if len(set(values)) != len(values):
        raise Refused(131009, f"{what} must differ")


def _object(what: str, value: object) -> Json:
    if not isinstance(value, dict):
        raise Refused(131008, f"{what} is missing")
    return value


def _array(what: str, value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise Refused(131009, f"{what} must be 1 to {most}")
    return value

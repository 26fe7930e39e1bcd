"""A message of ours as the body that Meta's Cloud API takes, within all of its limits.

Limits: Meta's pages on text, media and templates (2026).
"""

import re
from dataclasses import asdict

from gendei.messages.limits import fit, one_line, units
from gendei.messages.message import MessageType, OutgoingMedia, OutgoingMessage, OutgoingTemplate
from gendei.messages.replies import Reply
from gendei.providers.json_parts import Json
from gendei.providers.meta_interactive import interactive_of
from gendei.providers.numbered import Unsendable, numbered_text

MAX_CAPTION = 1024
MAX_REFERENCE = 512
MAX_PARAMETER = 1024
MAX_QUICK_REPLIES = 10
_IS_TEMPLATE = re.compile(r"[a-z0-9_]{1,512}").fullmatch


def compose(message: OutgoingMessage, *, as_text: bool = False, uploaded: str | None = None) -> Json:
    """The JSON body of POST /{version}/{phone_number_id}/messages. Raises Unsendable.

    as_text: options, links and pins inside the text, for when Meta refused them as something to tap, and the words of a
    file whose content it did not take. uploaded: Meta's id of the file's content.
    """
    if units(message.reference) > MAX_REFERENCE:
        raise Unsendable(f"the reference is longer than {MAX_REFERENCE} characters")
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_recipient(message),
        **_content(message, as_text=as_text, uploaded=uploaded),
        "biz_opaque_callback_data": message.reference,
    }


def _recipient(message: OutgoingMessage) -> Json:
    """`to` always has "+", without which Meta may prepend the clinic's own country code. A user id goes in
    `recipient`: in `to` it would be accepted and never delivered."""
    digits = re.sub(r"\D", "", message.to_phone or "", flags=re.ASCII)
    if digits:
        return {"to": f"+{digits}"}
    if message.to_user_id:
        return {"recipient": message.to_user_id}
    raise Unsendable("the message has neither a phone nor a user id to go to")


def _content(message: OutgoingMessage, *, as_text: bool, uploaded: str | None) -> Json:
    if message.template:
        return {"type": "template", "template": _template(message.template)}
    if message.media and not (as_text and message.media.content):
        return _media(message.media, message.reply, uploaded)
    if message.reply.pin and not as_text:
        return {"type": "location", "location": asdict(message.reply.pin)}
    interactive = None if as_text else interactive_of(message.reply)
    if interactive:
        return {"type": "interactive", "interactive": interactive}
    return {"type": "text", "text": {"body": numbered_text(message.reply), "preview_url": False}}


def _media(media: OutgoingMedia, reply: Reply, uploaded: str | None) -> Json:
    """A file by its upload, or by its address, which Meta fetches. Audio takes no caption, so its text is for the
    history alone."""
    if uploaded is None and not media.url.startswith("https://"):
        raise Unsendable("a file is sent by an upload or an https address")
    content: Json = {"id": uploaded} if uploaded else {"link": media.url}
    match media.kind:
        case MessageType.AUDIO:
            return {"type": "audio", "audio": content | ({"voice": True} if media.voice else {})}
        case MessageType.IMAGE | MessageType.VIDEO | MessageType.DOCUMENT:
            if media.captioned:
                content["caption"] = numbered_text(reply, MAX_CAPTION)
            if media.kind is MessageType.DOCUMENT and media.file_name:
                content["filename"] = media.file_name
            return {"type": str(media.kind), str(media.kind): content}
        case _:
            raise Unsendable(f"{media.kind} is no kind of file to send")


def _template(template: OutgoingTemplate) -> Json:
    if not _IS_TEMPLATE(template.name) or not template.language.strip():
        raise Unsendable("a template needs a name of a-z, 0-9 and _, and a language")
    if len(template.button_payloads) > MAX_QUICK_REPLIES or not all(template.button_payloads):
        raise Unsendable(f"a template takes up to {MAX_QUICK_REPLIES} quick replies, each with a payload")
    components: list[Json] = []
    if template.parameters:
        components.append(
            {"type": "body", "parameters": [_parameter(*parameter) for parameter in enumerate(template.parameters)]}
        )
    components += [
        {
            "type": "button",
            "sub_type": "quick_reply",
            "index": str(index),
            "parameters": [{"type": "payload", "payload": payload}],
        }
        for index, payload in enumerate(template.button_payloads)
    ]
    body: Json = {"name": template.name, "language": {"code": template.language}}
    return body | ({"components": components} if components else {})


def _parameter(index: int, value: str) -> Json:
    """Meta refuses line breaks, tabs, more than four spaces in a row (132018) and empty values."""
    text = fit(one_line(value), MAX_PARAMETER)
    if not text:
        raise Unsendable(f"parameter {index + 1} of the template is empty")
    return {"type": "text", "text": text}

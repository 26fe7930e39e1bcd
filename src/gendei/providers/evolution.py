"""Sending through a clinic's own Evolution API: POST {base_url}/{family}/{method}/{instance}, header `apikey`.

Shapes: Evolution API 2.3.7, read in its source. Its WhatsApp channel is not Meta's official API: there is no service
window and there are no templates, and buttons and lists may be accepted and yet never shown, so a reply goes as
numbered text unless the channel says `interactive: true`.
"""

import logging
from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict, replace
from urllib.parse import quote

import httpx

from gendei.clinic import Channel
from gendei.messages.channels import Accepted, Outcome, Permanent, Unknown
from gendei.messages.limits import fit, one_line
from gendei.messages.message import FailureKind, IncomingMessage, MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import Option, Reply
from gendei.providers.exchange import ReadAnswer, ask, is_refused, is_spoken, json_request, refusal_by_status
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.numbered import Unsendable, numbered_text
from gendei.providers.whatsapp_ids import recipient

logger = logging.getLogger(__name__)
MAX_CAPTION = 1024
COMPOSING_MS = 3000
"""How long "digitando…" is shown; Evolution API answers only after it."""
_NAME = "Evolution API"
Call = tuple[str, Json]
"""A path below the base address, up to the instance ("message/sendText"), and the body."""


class EvolutionProvider:
    """Implements `messages.channels.Provider`.

    client: one pooled client, used by this provider alone and closed by `close`. credential: gives a channel's named
    credential in the clear, or raises SecretUnreadable; ours is "api_key". The channel's settings: "base_url", and
    "interactive" ("true": send buttons and lists).

    Logs name the instance and the outcome: never a key, a body, a phone or a patient's words.
    """

    def __init__(self, client: httpx.AsyncClient, credential: Callable[[Channel, str], str]) -> None:
        self._client = client
        self._credential = credential

    async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome:
        """Buttons, a list, a pin or a spoken answer that are refused go once more, as text: nothing was sent before."""
        try:
            call = compose(message, interactive=channel.settings.get("interactive") == "true")
            outcome = await self._post(channel, call, read_answer)
            if is_refused(outcome) and (call[0] in ALSO_TEXT or is_spoken(message)):
                plain = replace(message, media=None, reply=message.reply.without_pin())
                outcome = await self._post(channel, compose(plain, interactive=False), read_answer)
        except Unsendable as problem:
            logger.warning("instance=%s: %s", channel.external_id, problem)
            return Permanent(str(problem))
        return outcome

    async def mark_read(self, channel: Channel, message: IncomingMessage, *, typing: bool) -> None:
        address = message.user_id or f"{message.sender.removeprefix('+')}@s.whatsapp.net"
        read = {"readMessages": [{"remoteJid": address, "fromMe": False, "id": message.id}]}
        await self._post(channel, ("chat/markMessageAsRead", read), read_courtesy)
        if typing:
            shown = {"number": address, "presence": "composing", "delay": COMPOSING_MS}
            await self._post(channel, ("chat/sendPresence", shown), read_courtesy)

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, channel: Channel, call: Call, read: ReadAnswer) -> Outcome:
        """One request without retries: the outbox decides on those."""
        outcome = await ask(self._client, _NAME, lambda: self._request(channel, call), read)
        if not isinstance(outcome, Accepted):
            logger.warning("instance=%s: %s", channel.external_id, outcome)
        return outcome

    def _request(self, channel: Channel, call: Call) -> httpx.Request:
        path, payload = call
        url = f"{channel.settings['base_url'].rstrip('/')}/{path}/{quote(channel.external_id, safe='')}"
        return json_request(self._client, url, payload, {"apikey": self._credential(channel, "api_key")})


ALSO_TEXT = frozenset({"message/sendButtons", "message/sendList", "message/sendLocation"})
"""Methods in whose place a text says the same."""


def compose(message: OutgoingMessage, *, interactive: bool) -> Call:
    """The request that sends `message`. A template goes as the text that the patient would read. Raises Unsendable."""
    number = {"number": recipient(message)}
    reply = message.reply
    if message.media:
        path, content = _media(message.media, reply)
    elif reply.pin:
        path, content = "message/sendLocation", asdict(reply.pin)
    elif interactive and reply.options:
        path, content = _list(reply) if reply.is_list else _buttons(reply)
    else:
        path, content = "message/sendText", {"text": numbered_text(reply), "linkPreview": False}
    return path, number | content


def _media(media: OutgoingMedia, reply: Reply) -> Call:
    """A file by its address, which Evolution API fetches, or itself as base64, which it takes in the same place."""
    if not media.content and not media.url.startswith("https://"):
        raise Unsendable("a file is sent by its content or an https address")
    source = b64encode(media.content).decode() if media.content else media.url
    if media.kind is MessageType.AUDIO and media.voice:
        return "message/sendWhatsAppAudio", {"audio": source}
    if media.kind not in {MessageType.IMAGE, MessageType.VIDEO, MessageType.DOCUMENT, MessageType.AUDIO}:
        raise Unsendable(f"{media.kind} is no kind of file to send")
    content: Json = {"mediatype": str(media.kind), "mimetype": media.mime_type, "media": source}
    if media.captioned and media.kind is not MessageType.AUDIO:
        content["caption"] = numbered_text(reply, MAX_CAPTION)
    if media.file_name:
        content["fileName"] = media.file_name
    return "message/sendMedia", content


def _buttons(reply: Reply) -> Call:
    buttons = [{"type": "reply", "displayText": _title(option, 20), "id": option.id} for option in reply.options]
    return "message/sendButtons", {**_words(reply), "footer": "", "buttons": buttons}


def _list(reply: Reply) -> Call:
    """`sections`, as the code has it; Evolution's published OpenAPI says `values`. `footerText` is required."""
    sections: dict[str, list[Json]] = {}
    for option in reply.options:
        row = {"title": _title(option, 24), "description": fit(one_line(option.description), 72), "rowId": option.id}
        sections.setdefault(one_line(option.section), []).append(row)
    label = fit(one_line(reply.list_label), 20)
    named = [{"title": fit(name or label, 24), "rows": rows} for name, rows in sections.items()]
    return "message/sendList", {**_words(reply), "buttonText": label, "footerText": "", "sections": named}


def _words(reply: Reply) -> Json:
    """Evolution shows the title in bold above the description: the first line, and what follows it."""
    title, _, description = numbered_text(Reply(reply.text), MAX_CAPTION).partition("\n")
    return {"title": title.strip("* "), "description": description.strip()}


def _title(option: Option, limit: int) -> str:
    return fit(one_line(option.title) or option.id, limit)


def read_answer(response: httpx.Response, answer: Json) -> Outcome:
    """201 names the message that Evolution API queued; an answer without it leaves open whether it did. A number
    without WhatsApp is a 400 with `exists: false` inside."""
    if response.is_success:
        message_id = string(part(answer, "key").get("id"))
        return Accepted(message_id) if message_id else Unknown(f"{_NAME}'s answer names no message")
    reports = objects(part(answer, "response").get("message"))
    if response.status_code == 400 and any(report.get("exists") is False for report in reports):
        return Permanent("HTTP 400 the number is not on WhatsApp", kind=FailureKind.UNDELIVERABLE)
    return refusal_by_status(response, _NAME)


def read_courtesy(response: httpx.Response, _answer: Json) -> Outcome:
    """Whether a read receipt or a presence was taken; it has no id of its own."""
    return Accepted("") if response.is_success else refusal_by_status(response, _NAME)

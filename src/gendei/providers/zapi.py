"""Sending through Z-API: POST {base_url}/instances/{instance}/token/{token}/{endpoint}, header `Client-Token`.

Shapes: Z-API's documentation, April 2026. It is not Meta's official API: there is no service window and there are no
templates, and its documentation calls buttons unstable, so a reply goes as numbered text unless the channel says
`interactive: true`. The address itself holds a secret, so no log of ours or of httpx may show it.
"""

import logging
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import httpx

from gendei.clinic import Channel
from gendei.messages.channels import Accepted, Outcome, Permanent, Unknown
from gendei.messages.limits import fit, one_line
from gendei.messages.message import IncomingMessage, MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import Pin, Reply
from gendei.providers.exchange import ReadAnswer, ask, is_refused, is_spoken, json_request, refusal_by_status
from gendei.providers.json_parts import Json, string
from gendei.providers.numbered import Unsendable, numbered_text
from gendei.providers.whatsapp_ids import recipient

logger = logging.getLogger(__name__)
MAX_CAPTION = 1024
TYPING_SECONDS = 1
"""How long "digitando…" is shown before a text (1 to 15); Z-API spaces messages by 1 to 3 s anyway."""
ALSO_TEXT = frozenset({"send-button-list", "send-option-list", "send-location"})
"""Endpoints in whose place a text says the same."""
_NAME = "Z-API"
Call = tuple[str, Json]
"""An endpoint ("send-text") and the body."""


class ZapiProvider:
    """Implements `messages.channels.Provider`.

    client: one pooled client, used by this provider alone and closed by `close`. credential: gives a channel's named
    credential in the clear, or raises SecretUnreadable; ours are "token" and "client_token". The channel's settings:
    "base_url", and "interactive" ("true": send buttons and lists).

    Logs name the instance and the outcome: never a token, an address, a body, a phone or a patient's words.
    """

    def __init__(self, client: httpx.AsyncClient, credential: Callable[[Channel, str], str]) -> None:
        self._client = client
        self._credential = credential
        logging.getLogger("httpx").addFilter(hide_token)

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
        """Z-API shows that somebody types only as part of sending, so `typing` changes nothing here."""
        address = message.phone.removeprefix("+") if message.phone else message.sender
        await self._post(channel, ("read-message", {"phone": address, "messageId": message.id}), read_courtesy)

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, channel: Channel, call: Call, read: ReadAnswer) -> Outcome:
        """One request without retries: the outbox decides on those."""
        outcome = await ask(self._client, _NAME, lambda: self._request(channel, call), read)
        if not isinstance(outcome, Accepted):
            logger.warning("instance=%s: %s", channel.external_id, outcome)
        return outcome

    def _request(self, channel: Channel, call: Call) -> httpx.Request:
        endpoint, payload = call
        token = quote(self._credential(channel, "token"), safe="")
        base = channel.settings["base_url"].rstrip("/")
        url = f"{base}/instances/{quote(channel.external_id, safe='')}/token/{token}/{endpoint}"
        return json_request(self._client, url, payload, {"Client-Token": self._credential(channel, "client_token")})


def hide_token(record: logging.LogRecord) -> bool:
    """A filter of httpx's log, which names the address of every request: Z-API's holds a secret."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    record.args = tuple(
        re.sub(r"/token/[^/]+", "/token/…", str(argument)) if "/token/" in str(argument) else argument
        for argument in arguments
    )
    return True


def compose(message: OutgoingMessage, *, interactive: bool) -> Call:
    """The request that sends `message`. A template goes as the text that the patient would read. Raises Unsendable."""
    phone = {"phone": recipient(message)}
    reply = message.reply
    if message.media:
        endpoint, content = _media(message.media, reply)
    elif reply.pin:
        endpoint, content = "send-location", _location(reply.pin)
    elif interactive and reply.options:
        endpoint, content = _list(reply) if reply.is_list else _buttons(reply)
    else:
        endpoint, content = "send-text", {"message": numbered_text(reply), "delayTyping": TYPING_SECONDS}
    return endpoint, phone | content


def _location(pin: Pin) -> Json:
    """Z-API takes the coordinates as text."""
    degrees = {"latitude": f"{pin.latitude:.6f}", "longitude": f"{pin.longitude:.6f}"}
    return {"title": pin.name, "address": pin.address, **degrees}


def _media(media: OutgoingMedia, reply: Reply) -> Call:
    """A file by its address, which Z-API fetches, or itself, as a data address in the same place."""
    if not media.content and not media.url.startswith("https://"):
        raise Unsendable("a file is sent by its content or an https address")
    inside = f"data:{media.mime_type};base64,{b64encode(media.content).decode()}" if media.content else ""
    source, caption = inside or media.url, {"caption": numbered_text(reply, MAX_CAPTION)} if media.captioned else {}
    match media.kind:
        case MessageType.AUDIO:
            return "send-audio", {"audio": source, "waveform": media.voice}
        case MessageType.IMAGE | MessageType.VIDEO:
            return f"send-{media.kind}", {str(media.kind): source, **caption}
        case MessageType.DOCUMENT:
            named = {"fileName": media.file_name} if media.file_name else {}
            return f"send-document/{_extension(media)}", {"document": source, **caption, **named}
        case _:
            raise Unsendable(f"{media.kind} is no kind of file to send")


def _extension(media: OutgoingMedia) -> str:
    """Of the file's name or of its address, "pdf" where neither has one."""
    for name in (media.file_name, media.url.partition("?")[0]):
        if found := re.search(r"\.([A-Za-z0-9]{1,5})$", name, re.ASCII):
            return found[1].lower()
    return "pdf"


def _buttons(reply: Reply) -> Call:
    buttons = [{"id": option.id, "label": fit(one_line(option.title) or option.id, 20)} for option in reply.options]
    return "send-button-list", {"message": numbered_text(Reply(reply.text)), "buttonList": {"buttons": buttons}}


def _list(reply: Reply) -> Call:
    """Z-API's list has no sections: a section's name joins the description."""
    options = [
        {
            "id": option.id,
            "title": fit(one_line(option.title) or option.id, 24),
            "description": fit(one_line(" – ".join(filter(None, (option.section, option.description)))), 72),
        }
        for option in reply.options
    ]
    label = fit(one_line(reply.list_label), 20)
    shown = {"title": label, "buttonLabel": label, "options": options}
    return "send-option-list", {"message": numbered_text(Reply(reply.text)), "optionList": shown}


def read_answer(response: httpx.Response, answer: Json) -> Outcome:
    """200 names the message that Z-API queued; an answer without it leaves open whether it did, unless it says what
    is wrong. A missing Client-Token reads "null not allowed"."""
    problem = string(answer.get("error"))
    if problem and "null not allowed" in problem:
        return Permanent(f"HTTP {response.status_code} {_NAME} misses the Client-Token", stop_channel=True)
    if not response.is_success:
        return refusal_by_status(response, _NAME)
    message_id = string(answer.get("messageId")) or string(answer.get("id"))
    if message_id:
        return Accepted(message_id)
    if problem:
        return Permanent(f"HTTP {response.status_code} {_NAME} refuses the message")
    return Unknown(f"{_NAME}'s answer names no message")


def read_courtesy(response: httpx.Response, _answer: Json) -> Outcome:
    """Whether a read receipt was taken; it has no id of its own."""
    return Accepted("") if response.is_success else refusal_by_status(response, _NAME)

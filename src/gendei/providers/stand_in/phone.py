"""A patient's phone: the half of the demo and of `gendei chat` that a real patient holds. What is written and tapped
goes out as signed webhooks; what arrives was taken by the stand-in of the Graph API."""

import hmac
import json
from base64 import b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Literal

from gendei.clock import Clock, system_clock
from gendei.messages.message import DeliveryState
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.graph import GraphSimulator, Sent, new_message_id

TapKind = Literal["button_reply", "list_reply"]
SignedBody = tuple[bytes, dict[str, str]]
"""A webhook's body and its headers, ready to be posted."""


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
        self,
        message_id: str,
        state: DeliveryState | str,
        reference: str | None = None,
        *,
        error: Json | None = None,
        pricing: Json | None = None,
    ) -> SignedBody:
        """A status; `error` is one object of Meta's `errors` array, `pricing` what it says of the price."""
        status: Json = {"id": message_id, "status": str(state), "timestamp": str(int(self.clock().timestamp()))}
        if reference is not None:
            status["biz_opaque_callback_data"] = reference
        if error is not None:
            status["errors"] = [error]
        if pricing is not None:
            status["pricing"] = pricing
        return self.signed(self.body({"statuses": [status]}))

    def body(self, value: Json, *, field: str = "messages") -> Json:
        """The envelope around one change's value."""
        metadata = {"display_phone_number": "551130000000", "phone_number_id": self.phone_number_id}
        whole = {"messaging_product": "whatsapp", "metadata": metadata, **value}
        changes = [{"field": field, "value": whole}]
        return {"object": "whatsapp_business_account", "entry": [{"id": "102290129340398", "changes": changes}]}

    def of_account(self, account: str, field: str, value: Json) -> SignedBody:
        """What is told of an account or its templates: the entry names it, and no number."""
        entry = {"id": account, "time": int(self.clock().timestamp()), "changes": [{"field": field, "value": value}]}
        return self.signed({"object": "whatsapp_business_account", "entry": [entry]})

    def signed(self, body: Any) -> SignedBody:
        """Any JSON value, or raw bytes, as Meta would post it."""
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        signature = hmac.digest(self.app_secret, raw, "sha256").hex()
        return raw, {"X-Hub-Signature-256": f"sha256={signature}", "Content-Type": "application/json"}


Post = Callable[[SignedBody], Awaitable[int]]
"""Delivers a webhook to the service; the HTTP status of the answer."""
OK = 200
FOREVER_SECONDS = 10 * 365 * 86_400


class Tick(StrEnum):
    """What a patient sees under a message of theirs."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A picture, a recording, a film or a document of the patient's. `mime_type` as the phone labels it. A recording in
    WhatsApp's own format is a voice note."""

    content: bytes
    mime_type: str
    name: str = ""

    @property
    def kind(self) -> str:
        """Meta's type of the message."""
        family = self.mime_type.partition("/")[0]
        return family if family in {"image", "audio", "video"} else "document"

    def message(self, media_id: str, caption: str) -> Json:
        """Meta's object of the message, without id, sender and timestamp."""
        digest = b64encode(sha256(self.content).digest()).decode()
        content: Json = {"id": media_id, "mime_type": self.mime_type, "sha256": digest}
        if self.kind == "audio":
            content["voice"] = self.mime_type.startswith("audio/ogg")
        elif caption:
            content["caption"] = caption
        if self.kind == "document":
            content["filename"] = self.name
        return {"type": self.kind, self.kind: content}


@dataclass(slots=True)
class Written:
    """What the patient wrote, tapped or shared. `place`: Meta's location object. `file`: what was sent, with `text` for
    its caption."""

    id: str
    text: str
    at: datetime
    tick: Tick = Tick.SENT
    place: Json | None = None
    file: SharedFile | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """What the clinic sent, and when it came."""

    sent: Sent
    at: datetime


class Handset:
    """One patient with one clinic's number. `lines` is what the screen shows, oldest first."""

    def __init__(self, post: Post, maker: WebhookMaker, graph: GraphSimulator, phone: str, name: str) -> None:
        self.phone, self.name = phone, name
        self.lines: list[Written | Arrived] = []
        self._post, self._maker, self._graph = post, maker, graph
        self._taken = 0

    @property
    def messages(self) -> list[Sent]:
        """Everything that the clinic sent here."""
        number = self._maker.phone_number_id
        return [sent for sent in self._graph.sent_to(self.phone) if sent.phone_number_id == number]

    @property
    def caught_up(self) -> bool:
        """Whether everything that the clinic sent is in `lines`."""
        return self._taken == len(self.messages)

    def file_of(self, sent: Sent) -> bytes:
        """The content of the file that a message carries; b"" for one that carries none."""
        file = sent.payload.get(sent.payload["type"], {})
        return self._graph.uploads.get(file.get("id", ""), b"")

    @property
    def is_typing(self) -> bool:
        """Whether the clinic is about to answer what the patient wrote last."""
        last = self.lines[-1] if self.lines else None
        return isinstance(last, Written) and any(
            read.typing and read.message_id == last.id for read in self._graph.reads
        )

    @property
    def shows_interactive(self) -> bool:
        """Whether buttons, lists and pins can be shown; where they cannot, Meta refuses them and gets text."""
        return self.phone not in self._graph.plain

    @shows_interactive.setter
    def shows_interactive(self, shows: bool) -> None:
        (self._graph.plain.discard if shows else self._graph.plain.add)(self.phone)

    async def write(self, text: str) -> int:
        """Send a text; the HTTP status of the webhook."""
        message_id = new_message_id()
        signed = self._maker.text(self.phone, text, name=self.name, message_id=message_id)
        return await self._deliver(Written(message_id, text, self._maker.clock()), signed)

    async def tap(self, option_id: str, title: str, *, in_list: bool) -> int:
        """Tap a button, or a row of a list."""
        message_id = new_message_id()
        signed = self._maker.tap(
            self.phone,
            option_id,
            title,
            "list_reply" if in_list else "button_reply",
            name=self.name,
            message_id=message_id,
        )
        return await self._deliver(Written(message_id, title, self._maker.clock()), signed)

    async def spoke(self, message_id: str, words: str) -> None:
        """Show what was said in a live call, which went to the service on its own way."""
        self.lines.append(Written(message_id, words, self._maker.clock(), Tick.DELIVERED))
        await self._graph.changed()

    async def share_place(self, place: Json) -> int:
        """Share a location: `latitude`, `longitude` and perhaps `name` and `address`."""
        message_id = new_message_id()
        content = {"type": "location", "location": place}
        signed = self._maker.message(self.phone, content, name=self.name, message_id=message_id)
        return await self._deliver(Written(message_id, "", self._maker.clock(), place=place), signed)

    async def share_file(self, file: SharedFile, caption: str = "") -> int:
        """Send a file, which the service fetches by the id that the webhook names."""
        message_id = new_message_id()
        content = file.message(self._graph.share(file.content, file.mime_type), caption)
        signed = self._maker.message(self.phone, content, name=self.name, message_id=message_id)
        return await self._deliver(Written(message_id, caption, self._maker.clock(), file=file), signed)

    async def receive(self, arrived: Callable[[Sent], None] = lambda _sent: None) -> None:
        """Take in what the clinic sends until cancelled, and tell it that each message was delivered and read.
        `arrived` is called with each before that."""
        while True:
            await self._graph.wait_until(lambda: not self.caught_up, patience_seconds=FOREVER_SECONDS)
            await self.take_in(arrived)

    async def take_in(self, arrived: Callable[[Sent], None] = lambda _sent: None) -> None:
        """Take in what the clinic has sent by now, as `receive` does."""
        for sent in self.messages[self._taken :]:
            self.lines.append(Arrived(sent, self._maker.clock()))
            arrived(sent)
            for state in (DeliveryState.DELIVERED, DeliveryState.READ):
                pricing = self._graph.pricing_of(sent) if state is DeliveryState.DELIVERED else None
                await self._post(self._maker.status(sent.id, state, sent.reference, pricing=pricing))
            self._taken += 1
        await self._graph.changed()

    async def lose(self, error: Json) -> None:
        """Never show what the clinic sent last and was not taken in yet. `error`: one object of Meta's `errors`."""
        lost = self.messages[-1]
        await self._post(self._maker.status(lost.id, DeliveryState.FAILED, lost.reference, error=error))
        self._taken += 1

    async def wait_caught_up(self) -> None:
        """Until everything that the clinic sent was taken in by `receive`."""
        await self._graph.wait_until(lambda: self.caught_up)

    async def wait_changed(self, seen: object) -> object:
        """What the screen depends on, once it is something else than `seen`."""
        await self._graph.wait_until(lambda: self.face() != seen, patience_seconds=FOREVER_SECONDS)
        return self.face()

    def face(self) -> object:
        """What the screen depends on, for comparing."""
        return len(self.lines), self.is_typing, [self.tick(line) for line in self.lines if isinstance(line, Written)]

    def tick(self, line: Written) -> Tick:
        """How far a message of the patient's came: the service marks as read what it is about to answer."""
        is_read = any(read.message_id == line.id for read in self._graph.reads)
        return Tick.READ if is_read else line.tick

    async def _deliver(self, line: Written, signed: SignedBody) -> int:
        self.lines.append(line)
        await self._graph.changed()
        status = await self._post(signed)
        line.tick = Tick.DELIVERED if status == OK else Tick.FAILED
        await self._graph.changed()
        return status

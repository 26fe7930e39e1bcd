"""A local stand-in of an Evolution API server, and the webhooks that it would post. Written from its source, and on
its own, not from what `evolution` makes: it is the check on that."""

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from gendei.clock import Clock, system_clock
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.graph import Failure, Memory, Read, broken_answer
from gendei.providers.stand_in.phone import SignedBody

_REQUIRED = {
    "message/sendText": {"text"},
    "message/sendMedia": {"mediatype", "media"},
    "message/sendWhatsAppAudio": {"audio"},
    "message/sendButtons": {"title", "buttons"},
    "message/sendLocation": {"name", "address", "latitude", "longitude"},
    "message/sendList": {"title", "buttonText", "footerText", "sections"},
}
_TEXT_LIMIT = 4096
PICTURE = "data:image/png;base64,iVBORw0KGgo="
_NUMBER = re.compile(r"[0-9]{8,17}|[0-9]{5,20}@(lid|s\.whatsapp\.net)")


@dataclass(frozen=True, slots=True)
class EvolutionSent:
    """A message that the stand-in took. `to` is "+55..." or "123@lid"; `method` is "message/sendText" and so on."""

    id: str
    instance: str
    to: str
    method: str
    payload: Json

    @property
    def text(self) -> str:
        """What the patient reads."""
        shown = (self.payload.get(name) for name in ("text", "caption", "title", "description", "name", "address"))
        return "\n".join(text for text in shown if text)


class EvolutionSimulator(Memory[EvolutionSent]):
    """POST /{message|chat}/{method}/{instance}, as an ASGI application (`app`) with a memory. `keys`: each instance's
    key. `strangers`: numbers ("+55...") without WhatsApp. `files`: those that patients sent, by message."""

    def __init__(self, keys: Mapping[str, str], global_key: str = "") -> None:
        super().__init__()
        self.linked: set[str] = set()
        self.webhooks: dict[str, Json] = {}
        self._global_key = global_key
        self.strangers: set[str] = set()
        self.files: dict[str, bytes] = {}
        self.presences: list[Json] = []
        self._keys = dict(keys)
        self.app: ASGIApp = Starlette(
            routes=[
                Route("/instance/create", self._create, methods=["POST"]),
                Route("/instance/fetchInstances", self._fetch, methods=["GET"]),
                Route("/instance/{method:str}/{instance:str}", self._instance, methods=["GET"]),
                Route("/webhook/find/{instance:str}", self._webhook, methods=["GET"]),
                Route("/{family:str}/{method:str}/{instance:str}", self._answer, methods=["POST"]),
            ]
        )

    def scan(self, instance: str) -> None:
        """The clinic's phone reads the code."""
        self.linked.add(instance)

    async def _create(self, request: Request) -> Response:
        if not self._global_key or request.headers.get("apikey") != self._global_key:
            return _refused(401, "Unauthorized", "Unauthorized")
        instance = json.loads(await request.body())["instanceName"]
        self._keys[instance] = token_hex(16).upper()
        made = {"instance": {"instanceName": instance, "status": "connecting"}, "hash": self._keys[instance]}
        return JSONResponse(made, status_code=201)

    async def _fetch(self, request: Request) -> Response:
        name, key = request.query_params["instanceName"], request.headers.get("apikey")
        if key not in {self._global_key, self._keys.get(name)}:
            return _refused(401, "Unauthorized", "Unauthorized")
        return JSONResponse([{"name": name, "token": self._keys[name]}] if name in self._keys else [])

    async def _webhook(self, request: Request) -> Response:
        return JSONResponse(self.webhooks.get(request.path_params["instance"]))

    async def _instance(self, request: Request) -> Response:
        """Its state, or what the phone has to scan."""
        method, instance = request.path_params["method"], request.path_params["instance"]
        if instance not in self._keys:
            return _refused(404, "Not Found", f'The "{instance}" instance does not exist')
        if request.headers.get("apikey") not in {self._keys[instance], self._global_key}:
            return _refused(401, "Unauthorized", "Unauthorized")
        if method == "connectionState" or instance in self.linked:
            state = "open" if instance in self.linked else "connecting"
            return JSONResponse({"instance": {"instanceName": instance, "state": state}})
        return JSONResponse({"pairingCode": None, "code": f"2@{token_hex(20)}", "base64": PICTURE, "count": 1})

    async def _answer(self, request: Request) -> Response:
        response = self._respond(
            f"{request.path_params['family']}/{request.path_params['method']}",
            request.path_params["instance"],
            request.headers.get("apikey"),
            json.loads(await request.body()),
        )
        await self.changed()
        return response

    def _respond(self, method: str, instance: str, key: str | None, payload: Json) -> Response:
        if instance not in self._keys:
            return _refused(404, "Not Found", f'The "{instance}" instance does not exist')
        if key != self._keys[instance]:
            return _refused(401, "Unauthorized", "Unauthorized")
        if method == "webhook/set":
            self.webhooks[instance] = payload["webhook"]
            return JSONResponse({"enabled": True}, status_code=201)
        if method == "chat/markMessageAsRead":
            self.reads += [Read(instance, readmessage["id"], typing=False) for readmessage in payload["readMessages"]]
            return JSONResponse({"message": "Read messages", "read": "success"}, status_code=201)
        if method == "chat/sendPresence":
            self.presences.append(payload)
            return JSONResponse({"presence": payload["presence"]}, status_code=201)
        if method == "chat/getBase64FromMediaMessage":
            return self._file(payload["message"]["key"]["id"])
        if problem := _problem(method, payload):
            return _refused(400, "Bad Request", problem)
        to = payload["number"].removesuffix("@s.whatsapp.net")
        to = to if "@" in to else f"+{to}"
        if to in self.strangers:
            return _refused(
                400, "Bad Request", {"exists": False, "jid": payload["number"], "number": payload["number"]}
            )
        failure = self.next_failure()
        if failure and not failure.accepted:
            return _failed(failure)
        sent = EvolutionSent(token_hex(10).upper(), instance, to, method, payload)
        self.sent.append(sent)
        return _failed(failure) if failure else _queued(sent)

    def _file(self, message_id: str) -> Response:
        if message_id not in self.files:
            return _refused(400, "Bad Request", "Message not found")
        content = self.files[message_id]
        told = {"mediaType": "imageMessage", "fileName": f"{message_id}.jpeg", "size": {"fileLength": len(content)}}
        encoded = {"mimetype": "image/jpeg", "base64": base64.b64encode(content).decode(), "buffer": None}
        return JSONResponse(told | encoded, status_code=201)


def _problem(method: str, payload: Json) -> str | None:
    """What Evolution API's own check would say."""
    if method not in _REQUIRED:
        return f"no method {method}"
    if missing := sorted(name for name in _REQUIRED[method] | {"number"} if name not in payload):
        return f'instance requires property "{missing[0]}"'
    if not _NUMBER.fullmatch(payload["number"]):
        return "number is no number"
    if len(payload.get("text", "")) > _TEXT_LIMIT:
        return "text is too long"
    if not all(isinstance(payload.get(name, 0), int | float) for name in ("latitude", "longitude")):
        return "latitude and longitude are numbers"
    kinds = {button.get("type") for button in payload.get("buttons", [])}
    if method == "message/sendButtons" and (len(payload["buttons"]) > 3 or kinds != {"reply"}):
        return "Maximum of 3 reply buttons exceeded"
    if method == "message/sendList" and not all(section.get("rows") for section in payload["sections"]):
        return 'requires property "rows"'
    return None


def _queued(sent: EvolutionSent) -> Response:
    jid = sent.to if "@" in sent.to else f"{sent.to.removeprefix('+')}@s.whatsapp.net"
    key = {"remoteJid": jid, "fromMe": True, "id": sent.id}
    return JSONResponse({"key": key, "messageType": "conversation", "status": "PENDING"}, status_code=201)


def _failed(failure: Failure) -> Response:
    headers = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
    return broken_answer(failure) or _refused(failure.status, "Error", "as told by fail_next", headers)


def _refused(status: int, error: str, message: object, headers: dict[str, str] | None = None) -> Response:
    body = {"status": status, "error": error, "response": {"message": [message]}}
    return JSONResponse(body, status_code=status, headers=headers)


@dataclass(frozen=True, slots=True)
class EvolutionWebhooks:
    """Writes the webhooks that Evolution API would post for one instance. Patients are "+5511...", or "123@lid"."""

    instance: str
    secret: str
    clock: Clock = system_clock

    def text(self, sender: str, text: str, *, name: str = "Maria", message_id: str | None = None) -> SignedBody:
        return self.message(sender, {"conversation": text}, name=name, message_id=message_id)

    def tap(self, sender: str, option_id: str, title: str, *, name: str = "Maria") -> SignedBody:
        chosen = {"singleSelectReply": {"selectedRowId": option_id}, "title": title}
        return self.message(sender, {"listResponseMessage": chosen}, name=name)

    def echo(self, to: str, text: str, *, message_id: str | None = None) -> SignedBody:
        """What staff wrote to `to` on the clinic's phone, or, with its id, what we sent."""
        return self.message(to, {"conversation": text}, name="Clínica", message_id=message_id, from_me=True)

    def message(
        self, other: str, content: Json, *, name: str = "Maria", message_id: str | None = None, from_me: bool = False
    ) -> SignedBody:
        """A message of any kind: `content` is WhatsApp's message object; `other` is the patient's side of the chat."""
        jid = other if "@" in other else f"{other.removeprefix('+')}@s.whatsapp.net"
        data = {
            "key": {"remoteJid": jid, "fromMe": from_me, "id": message_id or token_hex(10).upper()},
            "pushName": name,
            "message": content,
            "messageType": next(iter(content), ""),
            "messageTimestamp": int(self.clock().timestamp()),
            "source": "android",
        }
        return self.event("messages.upsert", data)

    def status(self, message_id: str, status: str, *, to: str = "+5511999990000") -> SignedBody:
        """`status`: SERVER_ACK, DELIVERY_ACK, READ, PLAYED or ERROR."""
        jid = f"{to.removeprefix('+')}@s.whatsapp.net"
        data = {"keyId": message_id, "remoteJid": jid, "fromMe": True, "status": status, "messageId": token_hex(12)}
        return self.event("messages.update", data)

    def event(self, event: str, data: Any) -> SignedBody:
        """Any event; `sender` and `apikey` are the clinic's own, as in every body."""
        body = {
            "event": event,
            "instance": self.instance,
            "data": data,
            "date_time": f"{self.clock():%Y-%m-%dT%H:%M:%S}",
            "sender": "5519900000000@s.whatsapp.net",
            "server_url": "https://evolution.test",
            "apikey": "never-to-be-read",
        }
        return json.dumps(body).encode(), {"Content-Type": "application/json", "X-Gendei-Secret": self.secret}

"""A local stand-in of Z-API, and the webhooks that it would post. Written from its documentation, and on its own, not
from what `zapi` makes: it is the check on that."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex

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
    "send-text": {"message"},
    "send-image": {"image"},
    "send-video": {"video"},
    "send-audio": {"audio"},
    "send-location": {"title", "address", "latitude", "longitude"},
    "send-button-list": {"message", "buttonList"},
    "send-option-list": {"message", "optionList"},
}
_PHONE = re.compile(r"[0-9]{8,15}|[0-9]{5,20}@lid")


@dataclass(frozen=True, slots=True)
class ZapiSent:
    """A message that the stand-in took. `to` is "+55..." or "123@lid"; `endpoint` is "send-text" and so on."""

    id: str
    instance: str
    to: str
    endpoint: str
    payload: Json

    @property
    def text(self) -> str:
        """What the patient reads."""
        place = "\n".join(self.payload.get(name, "") for name in ("title", "address")).strip()
        return str(self.payload.get("message") or self.payload.get("caption") or place)


class ZapiSimulator(Memory[ZapiSent]):
    """POST /instances/{id}/token/{token}/{endpoint}, as an ASGI application (`app`) with a memory. `tokens`: each
    instance's token. `client_token`: the account's. `files`: those that patients sent, at /files/{name}."""

    def __init__(self, tokens: Mapping[str, str], client_token: str) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}
        self._tokens = tokens
        self._client_token = client_token
        self.linked: set[str] = set()
        self.webhooks: dict[str, str] = {}
        self.notifies_sent_by_me = False
        path = "/instances/{instance}/token/{token}/{endpoint:path}"
        self.app: ASGIApp = Starlette(
            routes=[
                Route(path, self._instance, methods=["GET", "PUT"]),
                Route(path, self._answer, methods=["POST"]),
                Route("/files/{name}", self._file),
            ]
        )

    def scan(self, instance: str) -> None:
        """The clinic's phone reads the code."""
        self.linked.add(instance)

    async def _instance(self, request: Request) -> Response:
        """Its state, what the phone has to scan, and where events are posted."""
        instance, endpoint = request.path_params["instance"], request.path_params["endpoint"]
        if self._tokens.get(instance) != request.path_params["token"]:
            return JSONResponse({"error": "Instance not found"}, status_code=404)
        if request.headers.get("client-token") != self._client_token:
            return JSONResponse({"error": "null not allowed"}, status_code=403)
        if request.method == "PUT":
            given = json.loads(await request.body())
            if endpoint == "update-notify-sent-by-me":
                self.notifies_sent_by_me = given["notifySentByMe"]
            else:
                self.webhooks[endpoint] = given["value"]
            return JSONResponse({"value": True})
        if endpoint == "status":
            return JSONResponse({"connected": instance in self.linked, "smartphoneConnected": True, "error": ""})
        connected = instance in self.linked
        return JSONResponse({"connected": True} if connected else {"value": "data:image/png;base64,iVBORw0KGgo="})

    async def _file(self, request: Request) -> Response:
        content = self.files.get(request.path_params["name"])
        return Response(status_code=404) if content is None else Response(content)

    async def _answer(self, request: Request) -> Response:
        response = self._respond(request, json.loads(await request.body()))
        await self.changed()
        return response

    def _respond(self, request: Request, payload: Json) -> Response:
        instance, endpoint = request.path_params["instance"], request.path_params["endpoint"]
        if self._tokens.get(instance) != request.path_params["token"]:
            return JSONResponse({"error": "Instance not found"}, status_code=404)
        if request.headers.get("client-token") != self._client_token:
            return JSONResponse({"error": "null not allowed"}, status_code=403)
        if request.headers.get("content-type") != "application/json":
            return Response(status_code=415)
        if endpoint == "read-message":
            self.reads.append(Read(instance, payload["messageId"], typing=False))
            return JSONResponse({"value": True})
        if problem := _problem(endpoint, payload):
            return JSONResponse({"error": problem}, status_code=400)
        failure = self.next_failure()
        if failure and not failure.accepted:
            return _failed(failure)
        phone = payload["phone"]
        sent = ZapiSent(token_hex(10).upper(), instance, phone if "@" in phone else f"+{phone}", endpoint, payload)
        self.sent.append(sent)
        return _failed(failure) if failure else _queued(sent)


def _problem(endpoint: str, payload: Json) -> str | None:
    required = {"document"} if re.fullmatch(r"send-document/[a-z0-9]{1,5}", endpoint) else _REQUIRED.get(endpoint)
    if required is None:
        return "NOT_FOUND"
    if missing := sorted(name for name in required if not payload.get(name)):
        return f"{missing[0]} is required"
    if not _PHONE.fullmatch(payload.get("phone", "")):
        return "invalid phone"
    if not 1 <= payload.get("delayTyping", 1) <= 15:
        return "delayTyping must be 1 to 15"
    if not all(isinstance(payload.get(name, ""), str) for name in ("latitude", "longitude")):
        return "latitude and longitude are text"
    options = payload.get("optionList", {}).get("options", []) + payload.get("buttonList", {}).get("buttons", [])
    if not all(option.get("id") for option in options):
        return "an option without an id would get one of Z-API's"
    return None


def _queued(sent: ZapiSent) -> Response:
    return JSONResponse({"zaapId": token_hex(16).upper(), "messageId": sent.id, "id": sent.id})


def _failed(failure: Failure) -> Response:
    headers = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
    error = JSONResponse({"error": "as told by fail_next"}, status_code=failure.status, headers=headers)
    return broken_answer(failure) or error


@dataclass(frozen=True, slots=True)
class ZapiWebhooks:
    """Writes the webhooks that Z-API would post for one instance; they carry no header of ours, so the secret is the
    last part of the address that they go to. Patients are "+5511...", or "123@lid"."""

    instance: str
    clock: Clock = system_clock

    def text(self, sender: str, text: str, *, name: str = "Maria", message_id: str | None = None) -> SignedBody:
        return self.message(sender, {"text": {"message": text}}, name=name, message_id=message_id)

    def tap(self, sender: str, option_id: str, title: str, *, name: str = "Maria") -> SignedBody:
        chosen = {"selectedRowId": option_id, "title": title, "message": ""}
        return self.message(sender, {"listResponseMessage": chosen}, name=name)

    def echo(self, to: str, text: str, *, message_id: str | None = None) -> SignedBody:
        """What staff wrote to `to` on the clinic's phone."""
        return self.message(to, {"text": {"message": text}}, message_id=message_id, fromMe=True, fromApi=False)

    def message(
        self, other: str, content: Json, *, name: str = "Maria", message_id: str | None = None, **more: object
    ) -> SignedBody:
        """A message of any kind: `content` is Z-API's content object under its name; `other` is the patient."""
        return self.callback(
            "ReceivedCallback",
            {
                "messageId": message_id or token_hex(10).upper(),
                "phone": other.removeprefix("+"),
                "connectedPhone": "5519900000000",
                "fromMe": False,
                "isGroup": False,
                "waitingMessage": False,
                "status": "RECEIVED",
                "chatName": name,
                "senderName": name,
                **content,
                **more,
            },
        )

    def status(self, message_ids: list[str], status: str, *, to: str = "+5511999990000") -> SignedBody:
        """`status`: SENT, RECEIVED, READ, PLAYED or READ_BY_ME."""
        phone = to.removeprefix("+")
        return self.callback("MessageStatusCallback", {"status": status, "ids": message_ids, "phone": phone})

    def callback(self, kind: str, fields: Json) -> SignedBody:
        moment = int(self.clock().timestamp() * 1000)
        body = {"type": kind, "instanceId": self.instance, "momment": moment, **fields}
        return json.dumps(body).encode(), {"Content-Type": "application/json"}

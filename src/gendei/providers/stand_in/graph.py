"""A local stand-in of Meta's Graph API.

The demo, `gendei chat` and the journeys run on it. It takes what Meta takes, refuses what Meta refuses, and
remembers everything in order. Served by `local_server.serve`; its webhooks come from `phone.WebhookMaker`.
"""

import asyncio
import base64
import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_bytes
from typing import Generic, Literal, Protocol, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.providers.json_parts import Json
from gendei.providers.stand_in import order_rules
from gendei.providers.stand_in.onboarding import Onboarding
from gendei.providers.stand_in.rules import Refused, check_request
from gendei.providers.stand_in.template_office import TemplateNotTaken, TemplateOfficeStandIn


def new_message_id() -> str:
    """An id of WhatsApp's form: "wamid." and base64."""
    return "wamid." + base64.b64encode(b"\x1d\x0c" + token_bytes(24)).decode()


class SentTo(Protocol):
    """A message that a stand-in took; `to` is the phone ("+55...") or other id that it went to."""

    @property
    def to(self) -> str: ...


S = TypeVar("S", bound=SentTo)


@dataclass(frozen=True, slots=True)
class Failure:
    """How one request fails. "error": the provider's error answer, with Meta's `code`; "garbage": 200 without JSON;
    "hang": no answer until the caller gives up; "drop": the connection breaks inside the answer. `accepted`: the
    message goes out all the same."""

    kind: Literal["error", "garbage", "hang", "drop"] = "error"
    status: int = 400
    code: int = 131000
    retry_after: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A message that was marked as read on a number, perhaps with the typing indicator."""

    phone_number_id: str
    message_id: str
    typing: bool


class Memory(Generic[S]):
    """Everything a stand-in took, in order. A subclass adds what it sees and calls `changed` after each request."""

    def __init__(self) -> None:
        self.sent: list[S] = []
        self.reads: list[Read] = []
        self._failures: deque[Failure] = deque()
        self._changed = asyncio.Condition()

    def fail_next(self, failure: Failure | None = None, *, times: int = 1) -> None:
        """Let the next messages (not the read receipts) fail, after those already told to."""
        self._failures.extend([failure or Failure()] * times)

    @property
    def failures_left(self) -> int:
        return len(self._failures)

    def next_failure(self) -> Failure | None:
        """How the message at hand fails; for subclasses, once a message."""
        return self._failures.popleft() if self._failures else None

    async def changed(self) -> None:
        """Wake whoever waits for something that may be there now."""
        async with self._changed:
            self._changed.notify_all()

    def sent_to(self, contact: str) -> list[S]:
        return [sent for sent in self.sent if sent.to == contact]

    async def wait_until(self, predicate: Callable[[], bool], *, patience_seconds: float = 10) -> None:
        """Return once `predicate` holds; it is asked again after every request. Raises TimeoutError."""
        async with asyncio.timeout(patience_seconds), self._changed:
            await self._changed.wait_for(predicate)

    async def wait_sent(self, count: int, *, to: str | None = None, patience_seconds: float = 10) -> list[S]:
        """The messages (to one contact, if given) once there are at least `count`. Raises TimeoutError."""

        def found() -> list[S]:
            return self.sent if to is None else self.sent_to(to)

        await self.wait_until(lambda: len(found()) >= count, patience_seconds=patience_seconds)
        return list(found())


class NoAnswer(Response):
    """Hangs until the caller leaves, or announces more bytes than it sends, so that the server cuts the line."""

    def __init__(self, *, hang: bool) -> None:
        super().__init__()
        self._hang = hang

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        if self._hang:
            while (await receive())["type"] != "http.disconnect":
                continue
        start: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"99")]}
        await send(start)
        await send({"type": "http.response.body", "body": b"{", "more_body": True})


def broken_answer(failure: Failure) -> Response | None:
    """The answer of a failure that looks alike with every provider; None for "error", which does not."""
    if failure.kind == "error":
        return None
    return Response(b"<html>") if failure.kind == "garbage" else NoAnswer(hang=failure.kind == "hang")


_MB = 1000 * 1000
_UPLOADS = {
    "audio/ogg": (b"OggS", 16 * _MB),
    "audio/mpeg": (b"", 16 * _MB),
    "audio/mp4": (b"", 16 * _MB),
    "image/jpeg": (b"\xff\xd8\xff", 5 * _MB),
    "image/png": (b"\x89PNG", 5 * _MB),
    "application/pdf": (b"%PDF-", 100 * _MB),
}
"""What can be uploaded: how it begins, and its most bytes (Meta's page on media, October 2026)."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that the stand-in took. `to` is the phone or user id; `id` is what it answered with."""

    id: str
    phone_number_id: str
    to: str
    payload: Json
    token: str

    @property
    def text(self) -> str:
        """What the patient reads above any options: also a file's caption, a place's name and address, and
        a template's values, one a line."""
        kind = self.payload["type"]
        content = self.payload[kind]
        if kind == "text":
            return str(content["body"])
        if kind == "interactive":
            return str(content["body"]["text"])
        if kind == "location":
            return f"📍 {', '.join(content[name] for name in ('name', 'address') if name in content)}"
        if kind == "template":
            return "\n".join(self.template_values)
        return str(content.get("caption", ""))

    @property
    def options(self) -> list[tuple[str, str]]:
        """(id, title) of everything the patient can tap, in order."""
        action = self.payload.get("interactive", {}).get("action", {})
        replies = [button["reply"] for button in action.get("buttons", [])]
        rows = [row for section in action.get("sections", []) for row in section["rows"]]
        return [(option["id"], option["title"]) for option in replies + rows]

    @property
    def around(self) -> list[tuple[str, str]]:
        """What stands above and below each option's title: the section and the description of a list's row. Buttons
        have neither."""
        sections = self.payload.get("interactive", {}).get("action", {}).get("sections", [])
        rows = [
            (section.get("title", ""), row.get("description", "")) for section in sections for row in section["rows"]
        ]
        return rows or [("", "")] * len(self.options)

    @property
    def list_label(self) -> str:
        """What opens the list of options; "" where there is none."""
        return str(self.payload.get("interactive", {}).get("action", {}).get("button", ""))

    @property
    def link(self) -> tuple[str, str] | None:
        """(label, address) of a link button."""
        parameters = self.payload.get("interactive", {}).get("action", {}).get("parameters")
        return (parameters["display_text"], parameters["url"]) if parameters and "url" in parameters else None

    @property
    def order(self) -> Json | None:
        """Meta's parameters of a payment that is asked for, or told of."""
        parameters: Json | None = self.payload.get("interactive", {}).get("action", {}).get("parameters")
        return parameters if parameters and "reference_id" in parameters else None

    @property
    def place(self) -> Json | None:
        """Meta's location object of a pin."""
        return self.payload.get("location")

    @property
    def template_values(self) -> list[str]:
        """The values that fill a template's body, in order."""
        components = self.payload.get("template", {}).get("components", [])
        return [
            value["text"]
            for component in components
            if component["type"] == "body"
            for value in component["parameters"]
        ]

    @property
    def reference(self) -> str | None:
        return self.payload.get("biz_opaque_callback_data")


@dataclass(frozen=True, slots=True)
class Shared:
    """A file that a patient sent."""

    content: bytes
    mime_type: str


class GraphSimulator(Memory[Sent]):
    """POST /{version}/{phone_number_id}/messages, as an ASGI application (`app`) with a memory. To the phones in
    `plain` it refuses buttons, lists, links and pins. `uploads`: files that were uploaded, by id. `shared`: files of
    patients, by the id that their messages name; the service looks each up and fetches it. `office`: its accounts'
    templates. takes_orders: its accounts may show payments."""

    def __init__(self) -> None:
        super().__init__()
        self.takes_orders = True
        self.plain: set[str] = set()
        self.uploads: dict[str, bytes] = {}
        self.shared: dict[str, Shared] = {}
        self.fail_uploads = False
        self.refused: list[Refused] = []
        self.onboarding = Onboarding()
        self.office = TemplateOfficeStandIn()
        self.app: ASGIApp = Starlette(
            routes=[
                *self.onboarding.routes,
                Route("/{version}/{phone_number_id}/messages", self._messages, methods=["POST"]),
                Route("/{version}/{account}/message_templates", self._templates, methods=["GET", "POST"]),
                Route("/{version}/{phone_number_id}/media", self._media, methods=["POST"]),
                Route("/{version}/files/{media_id}", self._content, methods=["GET"], name="content"),
                Route("/{version}/{media_id}", self._look_up, methods=["GET"]),
            ]
        )

    def pricing_of(self, sent: Sent) -> Json:
        """What Meta would tell of the price of a message: of a template by its own category, else by `service`."""
        name = sent.payload.get("template", {}).get("name")
        known = (found for of_account in self.office.templates.values() for found in of_account.values())
        category = next((found.category.lower() for found in known if found.name == name), "utility")
        return {
            "billable": True,
            "pricing_model": "PMP",
            "type": "regular",
            "category": category if name else "service",
        }

    def share(self, content: bytes, mime_type: str) -> str:
        """Take a patient's file; the media id for the webhook."""
        media_id = str(2 * 10**15 + len(self.shared))
        self.shared[media_id] = Shared(content, mime_type)
        return media_id

    async def _look_up(self, request: Request) -> Response:
        """A number; else where the file of a media id can be fetched."""
        if (number := self.onboarding.look_up(request)) is not None:
            return number
        found = self._shared_for(request)
        if isinstance(found, Response):
            return found
        told = {"id": request.path_params["media_id"], "mime_type": found.mime_type, "file_size": len(found.content)}
        return JSONResponse(told | {"url": str(request.url_for("content", **request.path_params))})

    async def _content(self, request: Request) -> Response:
        found = self._shared_for(request)
        return found if isinstance(found, Response) else Response(found.content, media_type=found.mime_type)

    def _shared_for(self, request: Request) -> Shared | Response:
        """The file, for who has a token, or why it is not given."""
        if not request.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, 190, "Invalid OAuth access token")
        return self.shared.get(request.path_params["media_id"]) or _error(404, 100, "There is no such file")

    async def _media(self, request: Request) -> Response:
        """An upload: what begins as its label says, within the size of its kind."""
        if not request.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, 190, "Invalid OAuth access token")
        body = await request.body()
        found = re.search(rb'name="file".*?\r\nContent-Type: ([a-z]+/[a-z0-9]+)\r\n\r\n(.*?)\r\n--', body, re.DOTALL)
        magic, most = _UPLOADS.get(found[1].decode(), (b"?", 0)) if found else (b"?", 0)
        taken = found is not None and found[2].startswith(magic) and len(found[2]) <= most
        if self.fail_uploads or not taken or found is None or b"whatsapp" not in body:
            return _error(400, 131053, "The file is not taken")
        media_id = str(10**15 + len(self.uploads))
        self.uploads[media_id] = found[2]
        return JSONResponse({"id": media_id})

    async def _templates(self, request: Request) -> Response:
        """An account's templates, or a new one."""
        if not request.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, 190, "Invalid OAuth access token")
        account = request.path_params["account"]
        if request.method == "GET":
            return JSONResponse({"data": self.office.listed(account), "paging": {}})
        try:
            return JSONResponse(self.office.create(account, json.loads(await request.body())))
        except TemplateNotTaken as refused:
            told = {"code": refused.code, "error_subcode": refused.subcode, "error_user_msg": refused.message}
            return JSONResponse({"error": told}, status_code=400)

    async def _messages(self, request: Request) -> Response:
        version = request.path_params["version"]
        try:
            response = await self._answer(request)
        except Refused as refused:
            self.refused.append(refused)
            response = _error(401 if refused.code == 190 else 400, refused.code, refused.details)
        response.headers["facebook-api-version"] = version
        await self.changed()
        return response

    async def _answer(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not token:
            raise Refused(190, "Invalid OAuth access token")
        try:
            payload = check_request(json.loads(await request.body()))
        except ValueError:
            raise Refused(100, "The body is not JSON") from None
        if payload.get("type") in {"interactive", "location"} and payload.get("to") in self.plain:
            raise Refused(131051, "This phone shows nothing but text and files")
        if payload.get("interactive", {}).get("type") in order_rules.KINDS and not self.takes_orders:
            raise Refused(131009, "This account is not enabled for payments")
        file = payload.get(payload.get("type", ""), {})
        if "id" in file and payload["type"] != "interactive" and file["id"] not in self.uploads:
            raise Refused(131009, "there is no such upload")
        number = request.path_params["phone_number_id"]
        if "status" in payload:
            self.reads.append(Read(number, payload["message_id"], "typing_indicator" in payload))
            return JSONResponse({"success": True})
        if payload["type"] == "template":
            self.office.check_send(payload)
        failure = self.next_failure()
        if failure and not failure.accepted:
            return _failed(failure)
        sent = Sent(new_message_id(), number, payload.get("to") or payload["recipient"], payload, token)
        self.sent.append(sent)
        return _failed(failure) if failure else _accepted(sent)


def _accepted(sent: Sent) -> Response:
    known_as = {"wa_id": sent.to.removeprefix("+")} if "to" in sent.payload else {"user_id": sent.to}
    return JSONResponse(
        {
            "messaging_product": "whatsapp",
            "contacts": [{"input": sent.to, **known_as}],
            "messages": [{"id": sent.id}],
        }
    )


def _failed(failure: Failure) -> Response:
    error = _error(failure.status, failure.code, "as told by fail_next", failure.retry_after)
    return broken_answer(failure) or error


def _error(status: int, code: int, details: str, retry_after: int | None = None) -> Response:
    """Meta's error object."""
    error = {
        "message": f"(#{code}) {details}",
        "type": "OAuthException",
        "code": code,
        "error_data": {"messaging_product": "whatsapp", "details": details},
        "fbtrace_id": "A" + token_bytes(8).hex(),
    }
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse({"error": error}, status_code=status, headers=headers)

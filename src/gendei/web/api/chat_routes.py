"""/chat."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Path, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gendei.errors import NotFound, StoreUnavailable
from gendei.web.api.chat_access import Chatting, Speaking
from gendei.web.api.chat_legs import Leg, Told, too_many
from gendei.web.api.chat_shapes import ChatAcceptedOut, ChatConversationOut, ChatIn, ChatMessageOut, ChatOut
from gendei.web.api.event_stream import DESCRIBED, stream, wants_events
from gendei.web.api.idempotency import HEADER
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Cursor, Listed, Paged
from gendei.web.api.throttle import Places

router = APIRouter(tags=["chat"])
_EVENTS = {ChatAcceptedOut: "accepted", ChatMessageOut: "message", ChatOut: "done"}
STREAM_SECONDS = 30.0
"""After which who has too many streams open may try again."""
OCTETS = "application/octet-stream"
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {OCTETS: {"schema": {"type": "string", "format": "binary"}}}}
}
_PageLimit = Annotated[int, Query(ge=1, le=50)]
_ConversationPath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A `conversationId`.")]


@router.post("/chat", responses=errors(400, 404, 413, 429) | DESCRIBED)
async def say(
    request: Request,
    leg: Speaking,
    asked: ChatIn,
    key: Annotated[str | None, Header(alias=HEADER, include_in_schema=False)] = None,
) -> ChatOut:
    """Say something and get the answer. With `Accept: text/event-stream` it comes as events: `accepted` as soon as it
    will be answered whatever becomes of the request, a `message` each, and `done` with what else would be answered; or
    `error` with a problem as the last. A message without `conversationId`, or after half an hour of silence, begins a
    new conversation where none is under way."""
    told = leg.answer(asked, key)
    if wants_events(request):
        return await stream(request, told, _name, _itself)  # type: ignore[return-value]  # FastAPI passes a response on
    async for part in told:
        if isinstance(part, ChatOut):
            return part
    raise NotFound


@router.get("/chat/conversations", responses=errors(429))
async def list_chats(
    leg: Speaking, limit: Annotated[int, Query(ge=1, le=20)] = 20, cursor: Cursor = None
) -> Paged[ChatConversationOut]:
    """The conversations of whose token it is, the newest first. A pause of half an hour ends one."""
    return await leg.conversations(limit, cursor)


@router.get("/chat/conversations/{conversation_id}/messages", responses=errors(404, 429))
async def list_chat_messages(
    leg: Speaking, conversation_id: _ConversationPath, limit: _PageLimit = 50, cursor: Cursor = None
) -> Paged[ChatMessageOut]:
    """The messages of a conversation, oldest first."""
    return await leg.messages(conversation_id, limit, cursor)


@router.get("/chat/messages", responses=errors(429) | DESCRIBED)
async def list_newest_chat_messages(
    request: Request, leg: Speaking, chat: Chatting, limit: _PageLimit = 50, cursor: Cursor = None
) -> Paged[ChatMessageOut]:
    """The newest messages of all conversations, oldest first within a page; with a cursor older ones. With `Accept:
    text/event-stream` they come as an event `messages` ({items}), and so does whatever is said from then on, by either
    side, until the token ends: then comes `error`, a problem of status 401, as the last."""
    if wants_events(request):
        news = stream(request, _followed(leg, chat.streams), lambda _: "messages", _listed, leg.while_good)
        return await news  # type: ignore[return-value]  # as above
    return await leg.latest(limit, cursor)


@router.get("/chat/messages/{message_id}/file", response_class=Response, responses=errors(404, 429) | _BYTES)
async def get_chat_file(
    leg: Speaking, message_id: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Of a message.")]
) -> Response:
    """The file that a message carries, always as something to keep: no browser opens it in a page's name."""
    file = await leg.file(message_id)
    stack = AsyncExitStack()
    try:
        chunks = await stack.enter_async_context(file.reading)
    except OSError:
        raise StoreUnavailable("the media store cannot be reached") from None

    async def content() -> AsyncGenerator[bytes, None]:
        async with stack:
            async for chunk in chunks:
                yield chunk

    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
        "Content-Length": str(file.size),
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(content(), media_type=OCTETS, headers=headers)


async def _followed(leg: Leg, streams: Places) -> AsyncGenerator[Sequence[ChatMessageOut], None]:
    with streams.taken(leg.name) as is_free:
        if not is_free:
            raise too_many(STREAM_SECONDS)
        async with aclosing(leg.follow()) as news:
            async for messages in news:
                yield messages


def _name(told: Told) -> str:
    return _EVENTS[type(told)]


def _itself(told: Told) -> Told:
    return told


def _listed(messages: Sequence[ChatMessageOut]) -> Listed[ChatMessageOut]:
    return Listed(items=list(messages))

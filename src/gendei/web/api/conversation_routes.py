"""/conversations."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request

from gendei.commands.conversation_list import (
    ASSIGN_CONVERSATIONS,
    BEGIN_CONVERSATION,
    CLOSE_CONVERSATIONS,
    SEE_TO_DANGER,
    SNOOZE_CONVERSATION,
)
from gendei.commands.conversations import (
    ADD_FILE,
    ADD_NOTE,
    HAND_BACK_CONVERSATION,
    REPLY_TO_CONVERSATION,
    TAKE_OVER_CONVERSATION,
    AddFile,
)
from gendei.commands.patients import SET_PREFERENCES, PreferencesBody
from gendei.commands.refusals import UNFIT_FILES
from gendei.commands.shapes import (
    BegunOut,
    ConversationDetail,
    ConversationOut,
    FileOut,
    HandledOut,
    MessageOut,
    SentOut,
)
from gendei.conversation.files.clinic_files import FileRefused
from gendei.staff.audit import Action
from gendei.staff.inbox.rows import InboxFilter, State
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import WritingCall, offer
from gendei.web.api.problems import READ_ONE, WRITE, Unfit, errors
from gendei.web.api.shapes import ContactPath, Cursor, Limit, Paged, cursor_of, inner
from gendei.web.uploads import uploaded

FILES = "/files"
_TYPES = (
    "image/jpeg",
    "image/png",
    "application/pdf",
    "audio/ogg",
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/amr",
)
_BODY = {"schema": {"type": "string", "format": "binary"}}
router = APIRouter(tags=["conversations"])


def _filter(
    state: State | None = None,
    search: Annotated[str, Query(max_length=200, description="Words of name, phone or the last messages.")] = "",
    unread: Annotated[bool, Query(description="Only those that nobody has read.")] = False,
    snoozed: Annotated[bool, Query(description="Only those that are put off, which are left out else.")] = False,
) -> InboxFilter:
    return InboxFilter(state=state, search=search, unread_only=unread, snoozed=snoozed)


@router.get("/conversations", responses=errors())
async def list_conversations(
    actor: Reader,
    gendei: Service,
    shown: Annotated[InboxFilter, Depends(_filter)],
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Paged[ConversationOut]:
    """Conversations, the newest first; on the first page before them those in danger, then those that wait for a
    person, beyond `limit`. Closed ones only where they are asked for. A page may hold none and still have a next
    one."""
    with inner(cursor) as place:
        page = await gendei.front_desk.inbox.list(actor, shown, cursor=place, limit=limit)
    more = None if page.cursor is None else cursor_of(page.cursor)
    return Paged(items=[ConversationOut.of(row) for row in page.rows], next=more)


@router.get("/conversations/{contact}", responses=READ_ONE)
async def get_conversation(actor: Reader, gendei: Service, contact: ContactPath) -> ConversationDetail:
    """One conversation, without its messages."""
    return ConversationDetail.seen(await gendei.front_desk.views.view(actor, contact, limit=1))


@router.get("/conversations/{contact}/messages", responses=READ_ONE)
async def list_messages(
    actor: Reader,
    gendei: Service,
    contact: ContactPath,
    limit: Annotated[int, Query(ge=1, le=50)] = 50,
    cursor: Cursor = None,
) -> Paged[MessageOut]:
    """The newest messages, or with a cursor older ones; oldest first within a page. Who read is in the audit."""
    with inner(cursor) as place:
        view = await gendei.front_desk.views.view(actor, contact, before=place, limit=limit)
    await gendei.staff.audit.record(actor, Action.CONVERSATION_READ, view.row.contact)
    more = None if view.older is None else cursor_of(view.older)
    return Paged(items=[MessageOut.shown(item) for item in view.items], next=more)


OF_ONE = "/conversations/{contact}"
offer(router, "POST /conversations", BEGIN_CONVERSATION, BegunOut.of, "begin", "BeginConversation", status_code=201)
offer(router, "POST /conversations/close", CLOSE_CONVERSATIONS, HandledOut.told_of, "close_conversations")
offer(router, "POST /conversations/assign", ASSIGN_CONVERSATIONS, HandledOut.told_of, "assign_conversations")
offer(router, f"POST {OF_ONE}/snooze", SNOOZE_CONVERSATION, ConversationDetail.seen, "snooze")
offer(router, f"POST {OF_ONE}/see-to-danger", SEE_TO_DANGER, ConversationDetail.seen, "see_to_danger")
offer(router, f"POST {OF_ONE}/messages", REPLY_TO_CONVERSATION, SentOut.of, "send", status_code=201)
offer(router, f"POST {OF_ONE}/take-over", TAKE_OVER_CONVERSATION, ConversationDetail.seen, "take_over")
offer(router, f"POST {OF_ONE}/hand-back", HAND_BACK_CONVERSATION, ConversationDetail.seen, "hand_back")
offer(router, f"POST {OF_ONE}/notes", ADD_NOTE, ConversationDetail.seen, "add_note", "Note", status_code=201)
offer(
    router, f"PUT {OF_ONE}/preferences", SET_PREFERENCES, PreferencesBody.standing, "set_preferences", PreferencesBody
)


@router.get(f"{OF_ONE}/preferences", responses=READ_ONE)
async def get_preferences(actor: Reader, gendei: Service, contact: ContactPath) -> PreferencesBody:
    """The ordinary ones where the patient never said anything."""
    return PreferencesBody.standing(await gendei.front_desk.preferences.of(actor, contact))


@router.post(
    FILES,
    status_code=201,
    responses=WRITE,
    openapi_extra={"requestBody": {"required": True, "content": dict.fromkeys(_TYPES, _BODY)}},
    name="add_file",
)
async def take_file(
    request: Request,
    call: WritingCall,
    file_name: Annotated[str, Query(alias="fileName", max_length=200, examples=["preparo.pdf"])] = "",
) -> FileOut:
    """Upload a file: the body is the file itself. What it is is told by its content. Its id goes into `fileId` of a
    message; the same file under the same name has the same id."""
    try:
        label, content = request.headers.get("content-type", ""), await uploaded(request)
        return FileOut.of(await ADD_FILE.do(call, AddFile(file_name=file_name, label=label[:200], content=content)))
    except FileRefused as refused:
        raise Unfit("body", UNFIT_FILES[refused.fault]) from None

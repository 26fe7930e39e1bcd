"""The chat as the API gives and takes it."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from gendei.assistant.requests import MAX_HISTORY
from gendei.commands.shapes import Shape
from gendei.conversation.site.web_channel import MAX_CHARACTERS, has_words
from gendei.messages.limits import MAX_ID
from gendei.messages.turns import ToolStatus
from gendei.web.api.shapes import RequestBody


def _words(text: str) -> str:
    if not has_words(text):
        raise PydanticCustomError("no_words", "A message is text, and not blank")
    return text


Message = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTERS), AfterValidator(_words)]
ConversationId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class ChatSaid(RequestBody):
    """An earlier message."""

    role: Literal["user", "assistant"]
    text: Message


class ChatIn(RequestBody):
    """What is said. Who says it comes from the token alone. `choice`: the id of the option that was tapped, whose title
    is then the `message`. `history`: for staff's programs that keep their talks themselves, read in place of what the
    conversation holds; the person's first, then by turns."""

    message: Annotated[Message, Field(examples=["Quero marcar uma limpeza amanhã de tarde"])]
    conversation_id: ConversationId | None = None
    choice: Annotated[str | None, Field(min_length=1, max_length=MAX_ID, examples=["do|book"])] = None
    history: Annotated[list[ChatSaid] | None, Field(max_length=MAX_HISTORY)] = None


class ChatAcceptedOut(Shape):
    """The message was taken and will be answered whatever becomes of this request; a visitor's is on disk."""

    message_id: str


class ChatOptionOut(Shape):
    """Something that can be tapped: say its title as `message`, with its id as `choice`."""

    id: str
    title: str
    description: str = ""


class ChatLinkOut(Shape):
    label: str
    url: str


class ChatFileOut(Shape):
    """A file that staff sent, to be had at `/chat/messages/{id}/file` with the same token. `size` in bytes."""

    name: Annotated[str, Field(examples=["preparo.pdf"])]
    type: Annotated[str, Field(examples=["application/pdf"])]
    size: int


class ChatMessageOut(Shape):
    """`text` is plain text, never markup, with WhatsApp's marks for bold (*so*) and italics (_so_). With `listLabel`
    the options are one list, else buttons. `by`: who of the clinic wrote it, null for the assistant. `messageId`: of
    what was said with an Idempotency-Key, that key."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    at: datetime
    options: tuple[ChatOptionOut, ...] = ()
    list_label: str | None = None
    link: ChatLinkOut | None = None
    by: str | None = None
    message_id: str | None = None
    file: ChatFileOut | None = None


class ToolOut(Shape):
    """A tool that was used on the way to the answer. `status`: pending while it waits for a yes, then completed, failed
    or timeout. `preview` is short and for the curious. For staff's programs alone: its `arguments`, the `result` of a
    completed call, and `error`, the reason why one failed."""

    tool: Annotated[str, Field(examples=["get_available_slots"])]
    success: Annotated[bool, Field(description="Nothing failed so far; what waits for a yes is not done yet.")]
    status: ToolStatus
    preview: str | None = None
    arguments: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    error: str | None = None


class ChatStatus(StrEnum):
    """PERSON: somebody of the clinic has the conversation, who answers in their own time. PENDING: no answer came yet;
    it comes by itself."""

    ANSWERED = "answered"
    PERSON = "person"
    PENDING = "pending"


class ChatOut(Shape):
    """`message` is all of the answer's texts, and `messages` has them one by one with what can be tapped.
    `conversationId` null: nothing of it is known yet."""

    message: str
    conversation_id: str | None
    status: ChatStatus = ChatStatus.ANSWERED
    tools: tuple[ToolOut, ...] = ()
    messages: tuple[ChatMessageOut, ...] = ()

    @classmethod
    def saying(
        cls,
        messages: Sequence[ChatMessageOut],
        conversation_id: str | None,
        status: ChatStatus = ChatStatus.ANSWERED,
        tools: Sequence[ToolOut] = (),
    ) -> "ChatOut":
        return cls(
            message="\n\n".join(message.text for message in messages),
            conversation_id=conversation_id,
            status=status,
            tools=tuple(tools),
            messages=tuple(messages),
        )


class ChatConversationOut(Shape):
    """What was said without a pause of half an hour. `preview`: its first words."""

    id: str
    created_at: datetime
    last_activity: datetime
    message_count: int
    preview: str | None = None


class VisitIn(RequestBody):
    """Asked by the widget. `renewal`: what the browser kept of an earlier visit."""

    site: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$", examples=["aurora"])]
    renewal: Annotated[str | None, Field(max_length=4096)] = None


class VisitOut(Shape):
    """A token for the chat. `renewal`: to be kept and shown the next time, so that the visitor is the same again."""

    token: str
    expires_at: datetime
    renewal: str
    clinic: Annotated[str, Field(description="The clinic's name.")]


class ChatTokenIn(RequestBody):
    """Asked by the clinic's own server, for somebody who is signed in there. `phone`: verified by the clinic; whoever
    has the token then sees and changes what belongs to that phone. `visitor`: the clinic's own id of the person, where
    there is no phone. Neither: somebody new."""

    phone: Annotated[str | None, Field(max_length=40, examples=["+5511999998888"])] = None
    visitor: Annotated[str | None, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = None
    name: Annotated[str | None, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)] = None
    minutes: Annotated[int, Field(ge=1, le=60, description="For how long the token is good.")] = 15


class ChatTokenOut(Shape):
    token: str
    expires_at: datetime

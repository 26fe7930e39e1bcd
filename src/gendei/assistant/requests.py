"""What may be asked of the assistant: checked before anything is read or stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from gendei.conversation.site.web_channel import has_words
from gendei.errors import GendeiError

MAX_MESSAGE = 2000
MAX_HISTORY = 20
Role = Literal["user", "assistant"]


class RequestFault(StrEnum):
    BLANK = "blank"
    TOO_LONG = "too_long"
    HISTORY_TOO_LONG = "history_too_long"
    HISTORY_ORDER = "history_order"
    HISTORY_BLANK = "history_blank"


class RequestRefused(GendeiError):
    """The assistant was asked for something that it does not take, and nothing was stored. `fault` says what."""

    def __init__(self, fault: RequestFault) -> None:
        self.fault = fault
        super().__init__(f"assistant: {fault}")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a talk."""

    role: Role
    content: str


def checked_message(text: str) -> str:
    """`text` without the white space around it. Raises RequestRefused where nothing can be read, or for more than
    MAX_MESSAGE."""
    clean = text.strip()
    if not has_words(clean):
        raise RequestRefused(RequestFault.BLANK)
    if len(clean) > MAX_MESSAGE:
        raise RequestRefused(RequestFault.TOO_LONG)
    return clean


def checked_history(history: Sequence[Said]) -> tuple[Said, ...]:
    """Earlier messages that a caller keeps itself: at most MAX_HISTORY, the person's first, then by turns, so that the
    new message follows an answer. What an assistant said may be longer than what a person may say, up to the double.
    Raises RequestRefused."""
    if len(history) > MAX_HISTORY:
        raise RequestRefused(RequestFault.HISTORY_TOO_LONG)
    if any(said.role != ("user", "assistant")[place % 2] for place, said in enumerate(history)) or len(history) % 2:
        raise RequestRefused(RequestFault.HISTORY_ORDER)
    if any(not has_words(said.content) or len(said.content) > 2 * MAX_MESSAGE for said in history):
        raise RequestRefused(RequestFault.HISTORY_BLANK)
    return tuple(history)

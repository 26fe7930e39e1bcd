"""Which conversation the running task is about, for whoever writes a log line or a span there."""

import hmac
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256

HASH_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Subject:
    """`clinic` is its id, `conversation` the text of its key ("clinicId/contact"), which holds a phone: it leaves the
    process only as a hash (see Pseudonyms)."""

    clinic: str
    conversation: str


_subject: ContextVar[Subject | None] = ContextVar("gendei_subject", default=None)


def about(clinic: str, conversation: str) -> None:
    """What follows in this task, and in the tasks that it starts, is about this conversation."""
    _subject.set(Subject(clinic, conversation))


def current() -> Subject | None:
    return _subject.get()


@dataclass(frozen=True, slots=True, repr=False)
class Pseudonyms:
    """Names for conversations that tell nothing of the phone: keyed, because phones are few enough to try them all.
    `key`: GENDEI_SECRET_KEY, so that every process of a deployment gives the same name."""

    key: bytes

    def of(self, conversation: str) -> str:
        """12 hexadecimal digits for the text of a conversation's key."""
        return hmac.new(self.key, b"conversation\0" + conversation.encode(), sha256).hexdigest()[:HASH_LENGTH]

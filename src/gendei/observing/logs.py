"""Log lines that hold nobody's words: as text for a terminal, or as one JSON object a line.

Our own messages name clinics, kinds and results (tests search them for patients' words); those of the libraries below
us may quote whatever they were given, so only the place in their code is told. An exception is its type and the places
it came through, never its message.

What strangers sent (the title of an error in a webhook) may stand in a message, so signs that begin a new line, steer a
terminal or turn text around are written as their escapes, in every line of either form.
"""

import json
import logging
import re
from datetime import UTC, datetime
from pathlib import PurePath
from traceback import extract_tb

from gendei.observing.subject import Pseudonyms, current

TRUSTED = ("gendei.", "uvicorn.error")
"""Loggers whose messages are written out; uvicorn's "error" tells of starting and stopping."""
QUIET = ("httpx", "httpx2", "httpcore", "openai", "openai.agents", "asyncio", "urllib3")
"""Loggers that tell of each request: only their warnings."""
UVICORN_ITSELF = frozenset({"uvicorn", "lifespan"})
"""Folders of the code by which uvicorn tells of starting and stopping; what else it tells is of each connection."""
MOST_PLACES = 20
_STEERING = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # C0 with its new lines and escape, DEL, C1 with its one-sign escapes
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # line and paragraph separators, marks of direction
    r"\ud800-\udfff]"  # half a sign, which no stream can encode
)


def escaped(text: str) -> str:
    r"""`text` on one line that shows what it is: "\n" for a new line, "\x1b" for the escape of a terminal."""
    return _STEERING.sub(lambda found: repr(found[0])[1:-1], text)


def worth_telling(record: logging.LogRecord) -> bool:
    """Whether a record is of ours, of uvicorn's starting and stopping, or a warning of anybody's."""
    if record.levelno >= logging.WARNING or record.name.startswith("gendei."):
        return True
    return record.name == "uvicorn.error" and PurePath(record.pathname).parent.name in UVICORN_ITSELF


def message_of(record: logging.LogRecord) -> str:
    """What a record says, or where a library said something."""
    if record.name.startswith(TRUSTED):
        return record.getMessage()
    return f"(at {PurePath(record.pathname).name}:{record.lineno})"


def error_of(record: logging.LogRecord) -> tuple[str, list[str]] | None:
    """The type of the exception that a record is about, and its places, the innermost last; None without one."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return None
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    kind = type(error).__name__ + (f" ({type(cause).__name__})" if cause else "")
    return kind, places[-MOST_PLACES:]


class JsonLines(logging.Formatter):
    """One object a line: time (UTC), level, severity (the same, as Google's Cloud Logging reads it), logger, message;
    clinic and conversation (a hash) where the task is about one; error and places of an exception."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        super().__init__()
        self._pseudonyms = pseudonyms

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | list[str]] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "severity": record.levelname,
            "logger": record.name,
            "message": message_of(record),
        }
        if subject := current():
            line |= {"clinic": subject.clinic, "conversation": self._pseudonyms.of(subject.conversation)}
        if error := error_of(record):
            line |= {"error": error[0], "places": error[1]}
        safe = {name: escaped(told) if isinstance(told, str) else [*map(escaped, told)] for name, told in line.items()}
        return json.dumps(safe, ensure_ascii=False)


class TextLines(logging.Formatter):
    """The same for a terminal."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: ")
        self._pseudonyms = pseudonyms

    def format(self, record: logging.LogRecord) -> str:
        subject, error = current(), error_of(record)
        about = f" [{subject.clinic} {self._pseudonyms.of(subject.conversation)}]" if subject else ""
        failed = f" {error[0]}: {' > '.join(error[1])}" if error else ""
        record.asctime = self.formatTime(record)
        return escaped(self.formatMessage(record) + message_of(record) + about + failed)


def write_logs(level: str, *, as_json: bool, pseudonyms: Pseudonyms) -> None:
    """Everything from `level` on that is worth telling to standard error, replacing what was set up before."""
    handler = logging.StreamHandler()
    handler.addFilter(worth_telling)
    handler.setFormatter(JsonLines(pseudonyms) if as_json else TextLines(pseudonyms))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)

"""Cursors: opaque to programs, and worth nothing in another clinic, since every query names its own."""

import base64
import binascii
import json
from contextlib import suppress
from datetime import UTC, datetime

from gendei.web.api.problems import Unfit


def cursor_of(*values: str) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def values_of(cursor: str, count: int) -> list[str]:
    """What `cursor_of` was given. Raises Unfit for anything else."""
    try:
        values = json.loads(base64.b64decode(cursor.encode(), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != count or not all(map(_is_text, values)):
        raise Unfit("query.cursor", "a cursor is the `next` of a page")
    return values


def _is_text(value: object) -> bool:
    """JSON can name halves of characters, which no store takes."""
    with suppress(UnicodeEncodeError):
        return isinstance(value, str) and value.encode() is not None
    return False


def place_of(cursor: str | None) -> tuple[datetime, str] | None:
    """A moment and an id."""
    if cursor is None:
        return None
    moment, name = values_of(cursor, 2)
    with suppress(ValueError, OverflowError):
        if (at := datetime.fromisoformat(moment)).tzinfo is not None:
            return at.astimezone(UTC), name
    raise Unfit("query.cursor", "a cursor is the `next` of a page")

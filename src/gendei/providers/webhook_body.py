"""What every channel's webhook bodies have in common: JSON in, `Parsed` out. Pure: no I/O, no clock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from json import JSONDecoder, dumps

from pydantic_core import from_json

from gendei.errors import GendeiError
from gendei.messages.account_notices import Notice
from gendei.messages.message import Received
from gendei.providers.json_parts import Json

MAX_ID = 512
"""Characters of a message id. The providers' have under 200; the store's paths are short too."""
_DECODE = JSONDecoder(parse_constant=lambda _name: None).decode
"""NaN and Infinity, which are no JSON, are read as null so that they never reach the store."""


class NotAWebhook(GendeiError):
    """A body that proved where it comes from is no webhook of this channel. Check what posts to this address."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a body holds for each connected number, in the body's order.

    skipped: malformed or unusable parts that were left out (no id, no sender).
    errors: the provider's own error reports beside the messages, as "code title".
    notices: what it tells of accounts and templates.
    """

    received: tuple[Received, ...]
    skipped: int = 0
    errors: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


Parse = Callable[[bytes, datetime], Parsed]
"""A channel's parser: (raw body, when it came, aware) -> Parsed. Raises NotAWebhook and nothing else."""


def decode_object(body: bytes) -> Json:
    """The JSON object that `body` is. Raises NotAWebhook for anything else."""
    try:
        tree = _tree(body)
    except (ValueError, RecursionError):
        raise NotAWebhook from None  # the original carries the body, so the patient's words
    if not isinstance(tree, dict):
        raise NotAWebhook
    return tree


def _tree(body: bytes) -> object:
    """Read by the quick parser what it can read: it refuses NaN, lone surrogates and deep nesting."""
    try:
        return from_json(body, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return _decode(body.decode())


def moment(count: object, otherwise: datetime, *, unit: int = 1) -> datetime:
    """A timestamp counted since 1970 in `unit`s of a second (1000: milliseconds), as a number or in digits;
    `otherwise` where it is neither."""
    try:
        return datetime.fromtimestamp(int(count) / unit, UTC)  # type: ignore[call-overload]  # the except is the check
    except (TypeError, ValueError, OverflowError, OSError):
        return otherwise


def usable_id(value: object) -> str | None:
    """A provider's message id, short enough to be a key."""
    return value if isinstance(value, str) and 0 < len(value) <= MAX_ID else None


def lenient_object(text: object) -> Json:
    """The JSON object in a text of a body; empty where there is none or it is broken."""
    try:
        found = _decode(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _decode(text: str) -> object:
    """A lone surrogate escape is valid JSON, but no text that a store or a provider would take: it is replaced."""
    tree = _DECODE(text)
    if "\\ud" in text or "\\uD" in text:
        tree = _DECODE(dumps(tree, ensure_ascii=False).encode("utf-8", "replace").decode())
    return tree

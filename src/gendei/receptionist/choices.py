"""The ids behind what a patient can tap: each carries the choice itself, never a position.

Written as `kind|argument|...`, at most 200 characters (Meta's limit for a list row id). Because an id says what
it means, a tap on an old message is understood for what it was, and never as something else.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from gendei.clinic import Clinic

MAX_ID_LENGTH = 200
_START = "%Y-%m-%dT%H:%M"


class Kind(StrEnum):
    """What was chosen, with its arguments."""

    SERVICE = "service"  # service id
    PROFESSIONAL = "professional"  # professional id, or "any"
    DAY = "day"  # ISO date
    SLOT = "slot"  # service id, professional id, local start
    BOOK = "book"  # the same, said yes to
    CANCEL = "cancel"  # appointment id
    CANCEL_NOW = "cancel_now"  # appointment id, said yes to
    MOVE = "move"  # appointment id
    MOVE_TO = "move_to"  # appointment id, professional id, local start
    MOVE_NOW = "move_now"  # the same, said yes to
    ACTION = "do"  # an Action


class Action(StrEnum):
    """What can be asked for without any argument."""

    BOOK = "book"
    APPOINTMENTS = "appointments"
    PERSON = "person"
    SERVICES = "services"
    OTHER_DAY = "other_day"
    OTHER_TIME = "other_time"
    PROFESSIONALS = "professionals"
    KEEP = "keep"
    GIVE_UP = "give_up"


_ARITY = {
    Kind.SERVICE: 1,
    Kind.PROFESSIONAL: 1,
    Kind.DAY: 1,
    Kind.SLOT: 3,
    Kind.BOOK: 3,
    Kind.CANCEL: 1,
    Kind.CANCEL_NOW: 1,
    Kind.MOVE: 1,
    Kind.MOVE_TO: 3,
    Kind.MOVE_NOW: 3,
    Kind.ACTION: 1,
}
ANY_PROFESSIONAL = "any"


@dataclass(frozen=True, slots=True)
class Choice:
    """A parsed id. `str()` gives the id back."""

    kind: Kind
    args: tuple[str, ...]

    def __str__(self) -> str:
        return "|".join((self.kind, *self.args))


def choice(kind: Kind, *args: str) -> str:
    """The id of a choice. Raises ValueError for a wrong number of arguments or a character that would break it."""
    if len(args) != _ARITY[kind] or any("|" in arg or not arg for arg in args):
        raise ValueError(f"{kind} takes {_ARITY[kind]} arguments without '|'")
    made = str(Choice(kind, args))
    if len(made) > MAX_ID_LENGTH:
        raise ValueError(f"a choice id takes at most {MAX_ID_LENGTH} characters")
    return made


def parse_choice(text: str | None) -> Choice | None:
    """The choice that an id means, or None for an id that is not ours. Never raises: ids come back from outside."""
    kind_name, *args = (text or "").split("|")
    try:
        kind = Kind(kind_name)
    except ValueError:
        return None
    if len(args) != _ARITY[kind] or not all(args):
        return None
    if kind is Kind.ACTION and args[0] not in set(Action):
        return None
    return Choice(kind, tuple(args))


def start_text(start: datetime) -> str:
    """A slot's start in an id: local wall-clock minutes."""
    return start.strftime(_START)


def start_from(text: str, clinic: Clinic) -> datetime | None:
    """The aware start that `start_text` wrote, in the clinic's zone; None for anything else."""
    try:
        return datetime.strptime(text, _START).replace(tzinfo=clinic.timezone)
    except ValueError:
        return None


def day_from(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None

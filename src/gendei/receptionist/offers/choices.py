"""The ids behind what a patient can tap: each carries the choice itself, never a position.

Written as `kind|argument|...`, at most 200 characters (Meta's limit for a list row id). Because an id says what
it means, a tap on an old message is understood for what it was, and never as something else. What is only true for a
while (a free time, a question that waits for its yes) ends with the offer that it was shown in: `slot|...|a1b2c3`.
Ids without one are from before offers had names; they count as old.
"""

import re
import secrets
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from gendei.booking import wallclock
from gendei.clinic import Clinic
from gendei.messages.limits import MAX_ID, units


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
    CONFIRM_PRESENCE = "confirm_presence"  # appointment id, and in reminders the local start that they tell of
    PLAN = "plan"  # the key of a health plan's name, or "particular"
    WAITING_TAKE = "waiting_take"  # of an offer to who waits: entry, refill, professional id, local start
    WAITING_DECLINE = "waiting_decline"  # the same, said no to
    WAITING_LEAVE = "waiting_leave"  # entry of the waiting list
    WAITING_SET = "waiting_set"  # entry, and what changes of it: a part of the day, or the notice
    SURVEY = "survey"  # of a visit: appointment id, score
    DEPOSIT_LOOK = "deposit_look"  # charge: the patient says that it is paid
    DEPOSIT_CODE = "deposit_code"  # charge: what is to be copied to pay it
    DEPOSIT_AGAIN = "deposit_again"  # appointment whose deposit was not paid in time
    KNOWLEDGE = "knowledge"  # entry of the clinic's knowledge
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
    GO_ON = "go_on"
    WAIT = "wait"
    SHOW_WAITING = "show_waiting"
    DANGER = "danger"
    NO_DANGER = "no_danger"
    NOT_THIS = "not_this"


SLOTS = frozenset({Kind.SLOT, Kind.MOVE_TO})
"""A free time that was offered."""
_OF_A_TIME = frozenset({Kind.SLOT, Kind.BOOK, Kind.MOVE_TO, Kind.MOVE_NOW})
"""With three arguments."""
WAITING = frozenset({Kind.WAITING_TAKE, Kind.WAITING_DECLINE, Kind.WAITING_LEAVE, Kind.WAITING_SET})
"""About the waiting list."""
DEPOSITS = frozenset({Kind.DEPOSIT_LOOK, Kind.DEPOSIT_CODE, Kind.DEPOSIT_AGAIN})
"""About a deposit; no model answers these."""
ANSWERS_OFFER = frozenset({Kind.WAITING_TAKE, Kind.WAITING_DECLINE})
YESES = frozenset({Kind.BOOK, Kind.MOVE_NOW, Kind.CANCEL_NOW})
"""What changes the agenda at once, and so only answers the question that stands."""
ANY_PROFESSIONAL = "any"
_OFFER = re.compile("[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A parsed id. `str()` gives the id back. offer: what it was shown in, for SLOTS and YESES."""

    kind: Kind
    args: tuple[str, ...]
    offer: str | None = None

    def __str__(self) -> str:
        return "|".join((self.kind, *self.args, *((self.offer,) if self.offer else ())))

    def within(self, offer: str) -> str:
        """The id of the same choice in another offer."""
        return str(replace(self, offer=offer))


def new_offer() -> str:
    """A name for an offer: short, and not to be guessed from another."""
    return secrets.token_hex(3)


def _arities(kind: Kind) -> tuple[int, ...]:
    """How many arguments it may have."""
    if kind is Kind.CONFIRM_PRESENCE:
        return 1, 2
    if kind in ANSWERS_OFFER:
        return (4,)
    if kind in {Kind.WAITING_SET, Kind.SURVEY}:
        return (2,)
    return (3,) if kind in _OF_A_TIME else (1,)


def choice(kind: Kind, *args: str, offer: str | None = None) -> str:
    """The id of a choice. Raises ValueError for a wrong number of arguments or a character that would break it."""
    if len(args) not in _arities(kind) or any("|" in arg or not arg for arg in args):
        raise ValueError(f"{kind} takes {' or '.join(map(str, _arities(kind)))} arguments without '|'")
    made = str(Choice(kind, args, offer))
    if units(made) > MAX_ID:
        raise ValueError(f"a choice id takes at most {MAX_ID} characters")
    return made


def parse_choice(text: str | None) -> Choice | None:
    """The choice that an id means, or None for an id that is not ours. Never raises: ids come back from outside."""
    kind_name, *args = (text or "").split("|")
    try:
        kind = Kind(kind_name)
    except ValueError:
        return None
    offer = args.pop() if kind in SLOTS | YESES and len(args) - 1 in _arities(kind) else None
    if len(args) not in _arities(kind) or not all(args) or (offer is not None and not _OFFER.fullmatch(offer)):
        return None
    if kind is Kind.ACTION and args[0] not in set(Action):
        return None
    return Choice(kind, tuple(args), offer)


def without_offer(id_: str) -> str:
    """The id of the same choice, whatever it was shown in."""
    chosen = parse_choice(id_)
    return str(replace(chosen, offer=None)) if chosen else id_


def start_from(text: str, clinic: Clinic) -> datetime | None:
    """The aware start that `start_text` wrote, in the clinic's zone; None for anything else."""
    try:
        return wallclock.start_from(text, clinic.timezone)
    except ValueError:
        return None


def day_from(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None

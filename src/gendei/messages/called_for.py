"""Why a person of the clinic had to step into a conversation: one of a fixed list."""

from enum import StrEnum


class CalledFor(StrEnum):
    """ASKED: the patient asked for a person. UNKNOWN: the bot does not know the answer. CANNOT: only staff can do it
    (documents, results, files). RULES: the clinic's rules forbid it. TOOL_FAILED: something that the bot needs did not
    work. ARRIVED: the patient is at the door. STAFF: nobody was called, a person took it of their own accord."""

    ASKED = "asked"
    UNKNOWN = "unknown"
    CANNOT = "cannot"
    RULES = "rules"
    TOOL_FAILED = "tool_failed"
    NOT_UNDERSTOOD = "not_understood"
    DANGER = "danger"
    MONEY = "money"
    COMPLAINT = "complaint"
    ARRIVED = "arrived"
    STAFF = "staff"


def graver(known: CalledFor | None, new: CalledFor | None) -> CalledFor | None:
    """The one of two reasons that counts while the same person is awaited: danger, else the first that was told."""
    return CalledFor.DANGER if CalledFor.DANGER in {known, new} else known or new


MENDED_BY_WORKING = frozenset({CalledFor.UNKNOWN, CalledFor.CANNOT, CalledFor.NOT_UNDERSTOOD})
"""Where something failed in the same turn, that is the reason, and not one of these."""


def settled(called_for: CalledFor | None, *, called: bool, failed: bool) -> CalledFor | None:
    """The reason of a turn. `called`: a person was called in it; `failed`: something that it needed did not work."""
    if not called:
        return None
    if failed and (called_for is None or called_for in MENDED_BY_WORKING):
        return CalledFor.TOOL_FAILED
    return called_for or CalledFor.ASKED

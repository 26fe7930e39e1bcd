"""What a provider tells of an account and of its templates, beside messages: each in our own types."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TemplateNotice:
    """What changed of a template, at `at` by the provider's clock; what says nothing of something leaves it None.

    status: as in ApprovedTemplate, with `reason` in the provider's word. correct_category: what the provider will soon
    count it as, "" where that is what it counts it as already."""

    account: str
    at: datetime
    name: str
    language: str
    status: str | None = None
    reason: str = ""
    category: str | None = None
    correct_category: str | None = None
    quality: str | None = None


class AccountEvent(StrEnum):
    """What happened to an account, or to one of its numbers. RESTRICTED: it may not begin conversations for a while;
    FLAGGED: patients block or report a number, whose limit may fall."""

    DISABLED = "disabled"
    RESTRICTED = "restricted"
    VIOLATION = "violation"
    FLAGGED = "flagged"
    REINSTATED = "reinstated"
    UNFLAGGED = "unflagged"


@dataclass(frozen=True, slots=True)
class AccountNotice:
    """`detail`: the provider's word for it. `until`: when a restriction ends, where that is told."""

    account: str
    at: datetime
    event: AccountEvent
    detail: str = ""
    until: datetime | None = None


Notice = TemplateNotice | AccountNotice

"""Who may use how much of a clinic's live calls: a part of the seats and of each day's seconds is kept from strangers,
who can be as many as they like, and no contact uses up what others need. All of it counts in this process."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from gendei.clinic import Clinic, ClinicId, Contact, is_anonymous
from gendei.conversation.keys import ConversationKey


@dataclass(frozen=True, slots=True)
class Budget:
    """Of each clinic: `sockets` at once, and `daily_seconds` of sound listened to. Of both, strangers (who proved no
    phone) have `stranger_share` together, but one socket at least. Of one contact: `contact_seconds` a day."""

    sockets: int = 20
    daily_seconds: float = 36_000
    stranger_share: float = 0.5
    contact_seconds: float = 3_600

    def has_seat(self, contact: Contact, others: Iterable[ConversationKey]) -> bool:
        """Whether there is a seat for `contact` beside the clinic's `others`."""
        taken = list(others)
        strangers = sum(is_anonymous(other.contact) for other in taken)
        reserved = is_anonymous(contact) and strangers >= max(1, int(self.sockets * self.stranger_share))
        return len(taken) < self.sockets and not reserved


@dataclass(slots=True)
class _Day:
    day: date
    total: float = 0.0
    strangers: float = 0.0
    contacts: dict[Contact, float] = field(default_factory=dict)


class DailySeconds:
    """The seconds that were listened to on each clinic's local day. today: of a clinic."""

    def __init__(self, today: Callable[[Clinic], date]) -> None:
        self._today = today
        self._days: dict[ClinicId, _Day] = {}

    def spend(self, clinic: Clinic, contact: Contact, seconds: float) -> None:
        """Count what was heard of `contact`."""
        day = self._of(clinic)
        day.total += seconds
        day.strangers += seconds if is_anonymous(contact) else 0.0
        day.contacts[contact] = day.contacts.get(contact, 0.0) + seconds

    def left(self, clinic: Clinic, contact: Contact, budget: Budget) -> float:
        """How many seconds `contact` may still be heard today; 0 or less: none."""
        day = self._of(clinic)
        left = min(budget.daily_seconds - day.total, budget.contact_seconds - day.contacts.get(contact, 0.0))
        if is_anonymous(contact):
            left = min(left, budget.daily_seconds * budget.stranger_share - day.strangers)
        return left

    def _of(self, clinic: Clinic) -> _Day:
        today, known = self._today(clinic), self._days.get(clinic.id)
        if known is None or known.day != today:
            known = self._days[clinic.id] = _Day(today)
        return known

"""Who may use how much of a clinic's day of live calls: a part is kept from strangers, who can be as many as they like,
and no contact uses up what others need. All of it counts in this process."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from gendei.clinic import Clinic, ClinicId, Contact
from gendei.voice.live.seats import LiveLimits


@dataclass(slots=True)
class _Day:
    day: date
    total: float = 0.0
    strangers: float = 0.0
    contacts: dict[Contact, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose seconds are counted. `is_stranger`: they proved no phone."""

    clinic: Clinic
    contact: Contact
    is_stranger: bool


class DailySeconds:
    """The seconds that were listened to on each clinic's local day. today: of a clinic."""

    def __init__(self, today: Callable[[Clinic], date]) -> None:
        self._today = today
        self._days: dict[ClinicId, _Day] = {}

    def spend(self, who: Speaker, seconds: float) -> None:
        """Count what was heard of somebody."""
        day = self._of(who.clinic)
        day.total += seconds
        day.strangers += seconds if who.is_stranger else 0.0
        day.contacts[who.contact] = day.contacts.get(who.contact, 0.0) + seconds

    def left(self, who: Speaker, limits: LiveLimits) -> float:
        """How many seconds somebody may still be heard today; 0 or less: none."""
        day = self._of(who.clinic)
        left = min(limits.daily_seconds - day.total, limits.contact_seconds - day.contacts.get(who.contact, 0.0))
        return min(left, limits.strangers_seconds - day.strangers) if who.is_stranger else left

    def _of(self, clinic: Clinic) -> _Day:
        today, known = self._today(clinic), self._days.get(clinic.id)
        if known is None or known.day != today:
            known = self._days[clinic.id] = _Day(today)
        return known

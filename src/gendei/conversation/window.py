"""The 24-hour service window: a free-form message may leave only within a day of the patient's last one.

Source: Meta's messaging rules (error 131047 outside of it). It opens with each message of the patient, counted
from the provider's own timestamp, and only the official channel has it.
"""

from datetime import datetime, timedelta

from gendei.errors import GendeiError

SERVICE_WINDOW = timedelta(hours=24)
CHANNELS_WITH_WINDOW = frozenset({"meta"})


class WindowClosed(GendeiError):
    """The patient wrote last more than 24 hours ago, so WhatsApp takes only an approved template now."""


def window_is_open(provider: str, last_inbound_at: datetime | None, now: datetime) -> bool:
    """Whether a free-form message may leave at `now`; both moments are aware."""
    if provider not in CHANNELS_WITH_WINDOW:
        return True
    return last_inbound_at is not None and now - last_inbound_at < SERVICE_WINDOW

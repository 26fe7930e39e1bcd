"""The service window: a free-form message may leave only within a day of the patient's last one.

Source: Meta's messaging rules (error 131047 outside of it). It opens with each message of the patient, counted
from the provider's own timestamp, and only channels that say so have it. A message that an advertisement brought
opens it for three days (Meta's free entry point).
"""

from datetime import datetime, timedelta

from gendei.channel_kinds import capabilities
from gendei.errors import GendeiError

SERVICE_WINDOW = timedelta(hours=24)
AD_WINDOW = timedelta(hours=72)


class WindowClosed(GendeiError):
    """The patient wrote last more than 24 hours ago, so WhatsApp takes only an approved template now."""


def window_end(opened_at: datetime, *, from_ad: bool) -> datetime:
    """When the window ends that a message of the patient opened at `opened_at`."""
    return opened_at + (AD_WINDOW if from_ad else SERVICE_WINDOW)


def window_is_open(provider: str, ends_at: datetime | None, now: datetime) -> bool:
    """Whether a free-form message may leave at `now`, by the conversation's `window_ends_at`; both are aware."""
    if not capabilities(provider).has_window:
        return True
    return ends_at is not None and now < ends_at

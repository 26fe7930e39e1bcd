"""What a failed send means for what comes next, whichever provider said it."""

from enum import StrEnum


class FailureKind(StrEnum):
    """The classes of failure. The first group passes by itself and is tried again (see backoff.py); the others are
    final for the message. Source of the rules: Meta's pages on error codes (September 2026)."""

    UNREACHABLE = "unreachable"  # nothing left this machine
    TEMPORARY = "temporary"  # the provider has a problem
    THROUGHPUT = "throughput"  # the number sends too fast
    PAIR_RATE = "pair_rate"  # too much to this one recipient
    MAINTENANCE = "maintenance"  # of the number, a minute
    CALL_RATE = "call_rate"  # too many calls of the API, minutes

    REFUSED = "refused"  # this message, for good
    UNDELIVERABLE = "undeliverable"  # the recipient cannot get it
    WINDOW_CLOSED = "window_closed"  # only a template may go
    TEMPLATE = "template"  # the template is missing, unapproved, paused or does not fit
    NOT_NOW = "not_now"  # the provider chose not to deliver it; not again for 24 hours
    OPTED_OUT = "opted_out"  # the recipient stopped marketing
    RESTRICTED = "restricted"  # the number may not start conversations for a while
    CHANNEL = "channel"  # every message of the number fails until somebody acts

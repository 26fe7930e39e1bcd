"""Why a tool did not do what it was asked, beside the desk's own refusals: staff read a sentence for each. Nothing of
the SDK is imported here."""

from enum import StrEnum

from gendei.booking.slots import NoSlots, Refusal
from gendei.waiting.entry import WaitingFault


class ToolRefusal(StrEnum):
    """OLD_YES: what was tapped answers an old question. NO_YES: nobody said yes to exactly this yet. NOT_SHOWN: that
    time was not offered. NOT_COMING, OVER, CANCELLED: of an appointment. NO_TIME: that day has times, and not at that
    hour. UNSENDABLE: WhatsApp takes no such message. NO_PLAN: nobody said by which health plan they come. NO_DEPOSIT:
    they have none that is or was to be paid. OFFER_OVER, OFFER_LOST, OFFER_COLLIDES: of what was offered to who waits:
    it is not kept any more, somebody else has it, or they have something else then. ARGUMENTS: they are not what the
    tool takes. BROKEN, TOO_SLOW: the tool itself failed."""

    OLD_YES = "old_yes"
    NO_YES = "no_yes"
    NOT_SHOWN = "not_shown"
    NOT_FOUND = "not_found"
    NOT_COMING = "not_coming"
    OVER = "over"
    CANCELLED = "cancelled"
    DATE_UNCLEAR = "date_unclear"
    DATE_AMBIGUOUS = "date_ambiguous"
    NO_TIME = "time"
    UNSENDABLE = "unsendable"
    NO_PLACE = "no_place"
    NO_PLAN = "no_plan"
    NO_DEPOSIT = "no_deposit"
    OFFER_OVER = "offer_over"
    OFFER_LOST = "offer_lost"
    OFFER_COLLIDES = "offer_collides"
    ARGUMENTS = "arguments"
    BROKEN = "broken"
    TOO_SLOW = "too_slow"


class Why(StrEnum):
    """Why a server's tool gave no answer, as staff and operators read it in records. RESTING: it failed before, and was
    not asked."""

    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    ADDRESS = "address_not_allowed"
    REDIRECTED = "redirected"
    TOO_MUCH = "answer_too_large"
    REFUSED = "refused"
    NONSENSE = "answer_not_understood"
    SECRET = "secret_unreadable"  # noqa: S105  what is wrong with one
    ARGUMENTS = "arguments_do_not_fit"
    NOBODY = "patient_phone_unknown"
    RESTING = "resting"


Reason = NoSlots | Refusal | ToolRefusal | WaitingFault | Why
REASONS = frozenset(str(reason) for kind in (NoSlots, Refusal, ToolRefusal, WaitingFault, Why) for reason in kind)

"""The ordinary status, applied to documents as they stand: nearly all that providers tell is that an answer was sent,
delivered or read.

It makes of them what `OutboxEntry.reported` would, without reading a whole entry and writing it anew: a tenth of the
time. `tests/conversation/test_progress.py` holds the two against each other.
"""

from dataclasses import replace
from datetime import datetime

from gendei.clinic import ClinicId, Contact
from gendei.conversation.outbound.outbox_entry import KEPT_FOR, RANK, OutboxStatus
from gendei.documents import Data
from gendei.messages.keys import ConversationKey
from gendei.messages.message import DeliveryState, MessageCharge, StatusUpdate
from gendei.records import Record

CHARGE = Record(MessageCharge)
_PROGRESS = {str(state): RANK[state] for state in DeliveryState if state is not DeliveryState.FAILED}


def is_ordinary(entry: Data, update: StatusUpdate) -> bool:
    """Tell whether `progressed` knows all of this case: an answer that was sent, once, and did not fail."""
    return (
        entry.get("status") == OutboxStatus.SENT
        and entry.get("deliveryState") in _PROGRESS
        and update.state is not DeliveryState.FAILED
        and entry.get("replacedId") is None
        and entry.get("initiative") is None
    )


def progressed(entry: Data, update: StatusUpdate, now: datetime) -> Data | None:
    """The outbox document after an ordinary status; None where it is as far already. Raises KeyError where the
    document is none of an entry."""
    if RANK[update.state] <= _PROGRESS[entry["deliveryState"]]:
        return None
    told: Data = {
        "settleBy": None,
        "providerMessageId": entry["providerMessageId"] or update.message_id,
        "deliveryState": str(update.state),
        "error": None,
        "expireAt": now + KEPT_FOR,
    }
    if update.charge is not None and entry.get("charge") is None:
        told["charge"] = CHARGE.write(update.charge)
    return entry | told


def history_path(entry: Data, entry_id: str) -> str:
    """The path of the message in the conversation's history. Raises KeyError as `progressed` does."""
    return ConversationKey(ClinicId(entry["clinicId"]), Contact(entry["contact"])).message_path(entry_id)


def shown(message: Data, entry: Data) -> Data:
    """The message of the history, brought up to what the outbox document tells."""
    told = {name: entry[name] for name in ("deliveryState", "error", "providerMessageId")}
    if "explanation" in message:
        told["explanation"] = ""
    if entry.get("charge") is not None:
        told["charge"] = entry["charge"]
    return message | told


def with_charge(update: StatusUpdate, charge: MessageCharge | None) -> StatusUpdate:
    """The status with what is known of its price already, where it tells nothing of it."""
    return update if update.charge or charge is None else replace(update, charge=charge)

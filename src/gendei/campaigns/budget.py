"""How many patients may be begun with: gendei_campaign_budgets/{account}, shared by all campaigns of an account.

Meta limits the people whom a portfolio writes to first within 24 hours, over all its numbers. What a limit leaves to
campaigns is SHARE of it: reminders need the rest. It is reserved before messages are queued, so that a process which
dies in between uses less than it may, and never more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from gendei.clinic import Channel, Clinic
from gendei.documents import Documents, Transaction, document_id, transact
from gendei.records import Record
from gendei.staff.connecting.ledger import connections_of
from gendei.staff.connecting.texts import Check

LEAST = 250
"""Meta's lowest limit: taken where nobody knows another."""
SHARE = 0.8
_DAY = timedelta(hours=24)
_UNLIMITED = 1_000_000
_TIERS = {
    "TIER_0": 0,
    "TIER_50": 50,
    "TIER_250": 250,
    "TIER_1K": 1_000,
    "TIER_2K": 2_000,
    "TIER_10K": 10_000,
    "TIER_100K": 100_000,
    "TIER_UNLIMITED": _UNLIMITED,
}


@dataclass(frozen=True, slots=True)
class UsedBudget:
    """hours: by the hour that it began in, in UTC, how many were reserved."""

    hours: Mapping[str, int] = field(default_factory=dict)

    def since(self, now: datetime) -> "UsedBudget":
        """Without what is more than a day ago."""
        oldest = _hour(now - _DAY)
        return UsedBudget({hour: used for hour, used in self.hours.items() if hour >= oldest})

    @property
    def total(self) -> int:
        return sum(self.hours.values())


_BUDGET = Record(UsedBudget, "gendei_campaign_budgets/{account}")


def account_of(clinic: Clinic, channel: Channel) -> str:
    """What shares a budget: the WhatsApp account, or the clinic where its number names none."""
    return channel.settings.get("waba_id") or f"clinic:{clinic.id}"


async def limit_of(documents: Documents, clinic: Clinic, channel: Channel, told: int | None) -> int:
    """How many a day campaigns may begin with. told: Meta's limit as staff know it, which counts where the service
    does not know a lower one."""
    found = [
        _TIERS[finding.value]
        for connection in await connections_of(documents, clinic.id)
        if connection.facts.get("phone_number_id") == channel.external_id
        for finding in connection.findings
        if finding.check == Check.LIMIT and finding.value in _TIERS
    ]
    limit = min([*found, *([told] if told is not None else [])], default=LEAST)
    return int(limit * SHARE)


async def reserve(documents: Documents, account: str, wanted: int, limit: int, now: datetime) -> int:
    """Reserve up to `wanted` of a rolling day's `limit`; how many were left."""

    async def attempt(transaction: Transaction) -> int:
        found = await transaction.get(f"gendei_campaign_budgets/{document_id(account)}")
        used = (_BUDGET.found(found) or UsedBudget()).since(now)
        granted = max(0, min(wanted, limit - used.total))
        hour = _hour(now)
        after = UsedBudget({**used.hours, hour: used.hours.get(hour, 0) + granted}) if granted else used
        transaction.put(found.path, _BUDGET.write(after))
        return granted

    return await transact(documents, attempt)


def _hour(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H}"

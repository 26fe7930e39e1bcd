"""Reconciliation: what a provider has is compared with what stands here, so that a payment is found whose webhook was
lost, and whose charge nobody looked at any more."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from gendei.documents import Query, field_of
from gendei.errors import NotFound
from gendei.payments.collecting import Collector
from gendei.payments.money_ledger import EntryKind
from gendei.payments.pix_charge import BY_HAND, CHARGE, PixCharge, charges_of, is_charge_id
from gendei.payments.provider import FoundCharge, PaymentAccount, RefundState

PAGE = 200
LEEWAY = timedelta(minutes=5)
"""Clocks differ so much at most; a charge so near to an end of the time is not missed for it."""


class Discrepancy(StrEnum):
    """FOUND: the provider had told nothing of it, or we had not asked; it is entered now. UNKNOWN: money came under an
    id as ours are, for no charge of ours. MISSING: the provider does not have a charge that it made. DIFFERENT: both
    have it, and after another look the sums still differ."""

    FOUND = "found"
    UNKNOWN = "unknown"
    MISSING = "missing"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Difference:
    """reference: of the charge at the provider; charge_id: ours, "" for none. theirs, ours: centavos that came and did
    not go back; ours: before it was looked at."""

    kind: Discrepancy
    reference: str
    charge_id: str
    theirs: int
    ours: int


async def reconcile(
    collector: Collector, account: PaymentAccount, since: datetime, until: datetime
) -> tuple[Difference, ...]:
    """What differed of the charges that were made in that time; what can be entered is entered. Raises
    ProviderUnavailable and ProviderRefused."""
    provider = collector.providers[account.provider]
    if not provider.keeps_records:
        return ()
    theirs = await provider.created_between(account, since - LEEWAY, until + LEEWAY)
    differences, seen = [], set()
    for found in theirs:
        seen.add(found.reference)
        difference = await _compared(collector, account, found)
        differences += [difference] if difference is not None else []
    for charge in await _made_between(collector, account, since, until):
        if charge.reference and charge.reference not in seen:
            differences.append(Difference(Discrepancy.MISSING, charge.reference, charge.id, 0, _net(charge)))
    return tuple(differences)


async def _compared(collector: Collector, account: PaymentAccount, found: FoundCharge) -> Difference | None:
    net = _net_there(found)
    if not is_charge_id(found.id):  # of another system at the same account
        return None
    try:
        charge = await collector.charge(account.clinic_id, found.id)
    except NotFound:
        return Difference(Discrepancy.UNKNOWN, found.reference, "", net, 0) if net else None
    ours = _net(charge)
    if ours == net or charge.provider != account.provider:
        return None
    after = await collector.see_to(account.clinic_id, found.id)
    kind = Discrepancy.FOUND if after.entries != charge.entries else Discrepancy.DIFFERENT
    return Difference(kind, found.reference, found.id, net, ours)


async def _made_between(
    collector: Collector, account: PaymentAccount, since: datetime, until: datetime
) -> list[PixCharge]:
    """Charges of the clinic at this provider, by when they were made."""
    query = Query(
        charges_of(account.clinic_id),
        where=(("createdAt", ">=", since), ("createdAt", "<", until)),
        order_by=(("createdAt", False),),
        limit=PAGE,
    )
    charges: list[PixCharge] = []
    while page := await collector.documents.query(query):
        own = (each for each in page if field_of(each.data or {}, "provider") == account.provider)
        charges += [CHARGE.read(each.data, id=each.id, clinic_id=account.clinic_id) for each in own]
        if len(page) < PAGE:
            break
        query = query.after(page[-1])
    return charges


def _net(charge: PixCharge) -> int:
    """What came through the provider, by the ledger, less what went back through it."""
    hands = {e.reference for e in charge.entries if e.kind is EntryKind.RECEIVED and e.reference.startswith(BY_HAND)}
    came = sum(e.cents for e in charge.entries if e.kind is EntryKind.RECEIVED and e.reference not in hands)
    return came - sum(e.cents for e in charge.entries if e.kind is EntryKind.REFUNDED and e.of not in hands)


def _net_there(found: FoundCharge) -> int:
    done = (r.cents for p in found.payments for r in p.refunds if r.state is RefundState.DONE)
    return sum(payment.cents for payment in found.payments) - sum(done)

"""Charges from asking to their end: the one place that asks providers, and writes charges.

Whatever happens, a look (`see_to`) does what is to be done next and notes it, and may be repeated by any process: the
provider is asked under our own ids, and what it tells is entered once. No webhook is needed to leave any state.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Query, Transaction, Write, field_of, transact
from gendei.errors import NotFound, UnreadableDocument
from gendei.payments.money_ledger import ChargeState, EntryKind, LedgerRefused
from gendei.payments.pix_charge import (
    BY_HAND,
    CHARGE,
    CHARGES,
    CLOCK,
    LATE_FOR,
    PROVIDER,
    PixCharge,
    charge_path,
    charges_of,
    found_at_provider,
    refund_all,
    refund_ordered,
    refund_refused,
    refund_requests,
    refund_told,
    refunds_renewed,
    withdrawn,
    without_surplus,
)
from gendei.payments.provider import (
    FoundCharge,
    FoundRefund,
    FoundStatus,
    PaymentAccount,
    PaymentProvider,
    PaymentWebhook,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
)

logger = logging.getLogger(__name__)
FIRST_LOOKS, THEN_LOOKS, LATE_LOOKS = timedelta(seconds=20), timedelta(minutes=2), timedelta(hours=1)
"""How often an open charge is looked at in its first quarter of an hour, later, and once it is over."""
LOOK_OFTEN_FOR = timedelta(minutes=15)
REFUND_AGAIN = timedelta(hours=6)
"""After which a refund that was refused (mostly for want of money in the account) is asked for again."""
LONGEST_PAUSE = timedelta(minutes=30)
AT_ONCE = 50
CLAIM = timedelta(minutes=1)
"""How long a process may look at a charge before another one does; twice is no harm."""

Beside = Sequence[Write]
"""Documents that are created in the same commit: entries of the audit."""
Change = Callable[[PixCharge, datetime], PixCharge]
"""A charge as it is afterwards, by the charge as it stands and the present; it may be called again."""


class MoneyFollower(Protocol):
    """What follows from money that came or went: it is written in the same commit."""

    async def follow(self, transaction: Transaction, before: PixCharge, after: PixCharge, now: datetime) -> PixCharge:
        """Called where the ledger has changed, or the code is known; it may be called again for the same change. The
        charge to be stored, `after` or with refunds that were ordered."""
        ...


class RefundLate:
    """Nothing but this: money that comes for what is asked no more goes back."""

    async def follow(self, _transaction: Transaction, before: PixCharge, after: PixCharge, now: datetime) -> PixCharge:
        return refund_all(after, now, CLOCK) if after.came_late and not before.came_late else after


class MoneyFollowing:
    """Passes on to the follower that is registered once its parts are there; until then, as RefundLate."""

    def __init__(self) -> None:
        self._follower: MoneyFollower = RefundLate()

    def register(self, follower: MoneyFollower) -> None:
        self._follower = follower

    async def follow(self, transaction: Transaction, before: PixCharge, after: PixCharge, now: datetime) -> PixCharge:
        return await self._follower.follow(transaction, before, after, now)


@dataclass(frozen=True, slots=True)
class Collector:
    """providers: by name. account_of: the clinic's account at a provider, None where it has none there (any more).
    soon: is told of charges that were just made due."""

    documents: Documents
    clock: Clock
    providers: Mapping[str, PaymentProvider]
    account_of: Callable[[ClinicId, str], PaymentAccount | None]
    follower: MoneyFollower = field(default_factory=RefundLate)
    soon: Callable[[ClinicId, str], None] = lambda _clinic_id, _charge_id: None

    def begin(self, transaction: Transaction, charge: PixCharge) -> None:
        """Put a new charge into the commit that is its reason; afterwards `see_to` makes it at the provider, which any
        process does that finds it due."""
        transaction.create(charge.path, CHARGE.write(replace(charge, due_at=self.clock())))

    async def charge(self, clinic_id: ClinicId, charge_id: str) -> PixCharge:
        """Raises NotFound."""
        snapshot = await self.documents.get(charge_path(clinic_id, charge_id))
        found = CHARGE.found(snapshot, id=charge_id, clinic_id=clinic_id)
        if found is None:
            raise NotFound
        return found

    async def due(self) -> list[tuple[ClinicId, str]]:
        """Clinic and id of charges of all clinics that are to be looked at, those first that wait longest."""
        return [(charge.clinic_id, charge.id) for charge in await self.due_by(self.clock())]

    async def due_by(self, moment: datetime) -> list[PixCharge]:
        """The charges of all clinics that are to be looked at until then."""
        query = Query(CHARGES, (("dueAt", "<=", moment),), (("dueAt", False),), AT_ONCE, group=True)
        charges = []
        for found in await self.documents.query(query):
            try:
                charge = CHARGE.found(found, id=found.id, clinic_id=ClinicId(found.path.split("/")[1]))
            except UnreadableDocument:
                logger.error("charge=%s cannot be read, and nobody looks at it", found.id)
                continue
            charges += [charge] if charge is not None else []
        return charges

    async def claim(self, charge: PixCharge) -> bool:
        """Take a look that is due, so that no other process does the same: whether it is this one's. Where this process
        dies, it is due again after CLAIM."""
        now = self.clock()

        async def attempt(transaction: Transaction) -> bool:
            snapshot = await transaction.get(charge.path)
            found = CHARGE.found(snapshot, id=charge.id, clinic_id=charge.clinic_id)
            if found is None or found.due_at is None or found.due_at > now:
                return False
            transaction.put(charge.path, CHARGE.write(replace(found, due_at=now + CLAIM)))
            return True

        return await transact(self.documents, attempt)

    async def see_to(self, clinic_id: ClinicId, charge_id: str) -> PixCharge:
        """Ask the provider what became of a charge, do what is to be done next, and note both. The charge afterwards,
        unchanged but for its next look where the provider cannot be asked. Raises NotFound."""
        charge = await self.charge(clinic_id, charge_id)
        account, provider = self.account_of(clinic_id, charge.provider), self.providers.get(charge.provider)
        try:
            if account is None or provider is None:
                raise ProviderRefused("the clinic has no such account", of_account=True)
            charge = await self._looked_at(charge, account, provider)
            charge = await self._refunded(charge, account, provider)
        except ProviderUnavailable as problem:
            return await self._put_off(charge, problem.reason, problem.retry_after)
        except ProviderRefused as problem:
            return await self._refused(charge, problem)
        return charge

    async def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> tuple[PixCharge, ...]:
        """Make the charges due at once that a webhook speaks of; those that are the clinic's. Nobody is asked, and
        nothing that it says is believed. Raises ForgedWebhook."""
        hinted: list[PixCharge] = []
        for reference in self.providers[account.provider].hinted(account, webhook):
            query = Query(charges_of(account.clinic_id), (("reference", "==", reference),), limit=1)
            found = await self.documents.query(query)
            own = [each for each in found if field_of(each.data or {}, "provider") == account.provider]
            hinted += [await self.look_soon(account.clinic_id, each.id) for each in own]
        return tuple(hinted)

    async def look_soon(self, clinic_id: ClinicId, charge_id: str) -> PixCharge:
        """Make a charge due at once. Raises NotFound."""
        return await self._of_staff(clinic_id, charge_id, lambda charge, _now: charge)

    async def waive(self, clinic_id: ClinicId, charge_id: str, cause: str, note: str, beside: Beside = ()) -> PixCharge:
        """Do without what is still asked. Raises NotFound, and LedgerRefused where nothing is asked any more."""

        def change(charge: PixCharge, now: datetime) -> PixCharge:
            left = charge.ledger.asked - charge.ledger.received
            return charge.with_entry(EntryKind.WAIVED, left, now, cause, note=note)

        return await self._of_staff(clinic_id, charge_id, change, beside)

    async def received_by_hand(
        self, clinic_id: ClinicId, charge_id: str, cause: str, note: str, cents: int | None = None, beside: Beside = ()
    ) -> PixCharge:
        """Paid otherwise, as staff say: all that is still asked, or `cents`. Raises NotFound, and LedgerRefused where
        nothing is asked any more."""

        def change(charge: PixCharge, now: datetime) -> PixCharge:
            if not charge.ledger.is_asking:
                raise LedgerRefused("nothing is asked any more")
            amount = charge.ledger.asked - charge.ledger.received if cents is None else cents
            reference = f"{BY_HAND}{len(charge.entries)}"
            after = charge.with_entry(EntryKind.RECEIVED, amount, now, cause, reference=reference, note=note)
            return without_surplus(after, now)

        return await self._of_staff(clinic_id, charge_id, change, beside)

    async def refund(
        self, clinic_id: ClinicId, charge_id: str, cause: str, cents: int | None = None, beside: Beside = ()
    ) -> PixCharge:
        """Give back all that is held, or `cents`, also of what was kept. Raises NotFound, and LedgerRefused where so
        much is not there."""

        def change(charge: PixCharge, now: datetime) -> PixCharge:
            return refund_ordered(
                charge, charge.ledger.held - charge.pending_refunds if cents is None else cents, now, cause
            )

        return await self._of_staff(clinic_id, charge_id, change, beside)

    async def refunded_by_hand(
        self, clinic_id: ClinicId, charge_id: str, order_id: str, cause: str, beside: Beside = ()
    ) -> PixCharge:
        """Staff gave back what an order asks them to. Raises NotFound where there is no such order."""

        def change(charge: PixCharge, now: datetime) -> PixCharge:
            order = next((each for each in charge.refunds if each.id == order_id), None)
            if order is None or order.state not in {RefundState.BY_HAND, RefundState.DONE}:
                raise NotFound
            done = FoundRefund(f"{BY_HAND}{order.id}", order.cents, RefundState.DONE, now)
            told = (
                charge
                if order.state is RefundState.DONE
                else replace(
                    charge, refunds=tuple(replace(o, cause=cause) if o.id == order_id else o for o in charge.refunds)
                )
            )
            return refund_told(told, order.payment_id, done, order_id)

        return await self._of_staff(clinic_id, charge_id, change, beside)

    async def keep(self, clinic_id: ClinicId, charge_id: str, cause: str, note: str, beside: Beside = ()) -> PixCharge:
        """Keep what is held and not on its way back, as the patient had agreed to. Raises NotFound, and LedgerRefused
        where nothing is there."""

        def change(charge: PixCharge, now: datetime) -> PixCharge:
            cents = charge.ledger.held - charge.pending_refunds
            return charge.with_entry(EntryKind.KEPT, cents, now, cause, note=note)

        return await self._of_staff(clinic_id, charge_id, change, beside)

    async def end(self, clinic_id: ClinicId, charge_id: str) -> PixCharge:
        """Let the time to pay be over now: the charge is taken back at the provider, and only then asked no more.
        Raises NotFound."""
        await self._of_staff(
            clinic_id, charge_id, lambda charge, now: replace(charge, pay_until=min(charge.pay_until, now))
        )
        return await self.see_to(clinic_id, charge_id)

    async def _looked_at(self, charge: PixCharge, account: PaymentAccount, provider: PaymentProvider) -> PixCharge:
        """After the provider was asked about the charge itself."""
        now, cause, trouble = self.clock(), CLOCK, ""
        if not charge.reference and not charge.must_close(now):
            known = await provider.find(account, charge.id, "") if charge.attempts else None
            try:
                found = known or await provider.create(account, charge.order)
            except ProviderRefused as problem:  # nobody has read its code, so that it may end at once
                known = None if problem.of_account else await provider.find(account, charge.id, "")
                found, cause = known or FoundCharge(charge.id, "", FoundStatus.ENDED), PROVIDER
                trouble = "" if known else problem.reason
                logger.warning("charge=%s: not made: %s", charge.id, problem.reason)
        else:
            known = await provider.find(account, charge.id, charge.reference)
            if known is None and charge.reference:
                raise ProviderRefused("the provider does not know the charge that it made")
            found = known or FoundCharge(charge.id, "", FoundStatus.ENDED)
            if found.status is FoundStatus.OPEN and charge.must_close(now):
                found = await provider.cancel(account, charge.id, found.reference)
                if found.status is FoundStatus.OPEN:
                    raise ProviderUnavailable("it was not taken back")

        def change(fresh: PixCharge, at: datetime) -> PixCharge:
            if fresh.reference and not found.reference:  # another process has made it meanwhile
                return fresh
            return replace(found_at_provider(fresh, found, at, cause), attempts=0, trouble=trouble)

        return await self._change(charge, change)

    async def _refunded(self, charge: PixCharge, account: PaymentAccount, provider: PaymentProvider) -> PixCharge:
        """After the provider was asked for the refunds that are open."""
        if charge.refunds:
            charge = await self._change(charge, lambda found, now: refunds_renewed(found, now, REFUND_AGAIN))
        for request in refund_requests(charge):
            charge = await self._one_refund(charge, request.id, account, provider)
        return charge

    async def _one_refund(
        self, charge: PixCharge, order_id: str, account: PaymentAccount, provider: PaymentProvider
    ) -> PixCharge:
        request = next(each for each in refund_requests(charge) if each.id == order_id)
        try:
            told = await provider.refund(account, request)
        except ProviderRefused as problem:
            order, reason = next(each for each in charge.refunds if each.id == order_id), problem.reason
            logger.warning("charge=%s: a refund was refused: %s", charge.id, reason)
            return await self._change(charge, lambda fresh, now: refund_refused(fresh, order, reason, now))
        return await self._change(charge, lambda fresh, _now: refund_told(fresh, request.payment_id, told, order_id))

    async def _refused(self, charge: PixCharge, problem: ProviderRefused) -> PixCharge:
        """As where it cannot be asked; but where the whole account is refused, a charge ends whose code nobody has."""
        reason = problem.reason
        logger.warning("charge=%s: %s", charge.id, reason)

        def change(found: PixCharge, now: datetime) -> PixCharge:
            if problem.of_account and not found.reference and now >= found.pay_until:
                found = withdrawn(replace(found, closed=True), now, PROVIDER)
            return replace(found, trouble=reason)

        return await self._put_off(await self._change(charge, change), reason, 0)

    async def _put_off(self, charge: PixCharge, reason: str, seconds: float) -> PixCharge:
        """Looked at again after a pause, which grows."""
        logger.info("charge=%s: put off: %s", charge.id, reason)

        def change(found: PixCharge, now: datetime) -> PixCharge:
            pause = max(timedelta(seconds=seconds), timedelta(seconds=5 * 2 ** min(found.attempts, 10)))
            return replace(found, attempts=found.attempts + 1, due_at=now + min(pause, LONGEST_PAUSE))

        return await self._change(charge, change, schedule=False)

    async def _of_staff(self, clinic_id: ClinicId, charge_id: str, change: Change, beside: Beside = ()) -> PixCharge:
        """A change that somebody wants, after which any process looks at once. beside: more of the commit."""

        def due(found: PixCharge, now: datetime) -> PixCharge:
            return replace(change(found, now), due_at=now)

        changed = await self._change(await self.charge(clinic_id, charge_id), due, schedule=False, beside=beside)
        self.soon(clinic_id, charge_id)
        return changed

    async def _change(
        self, charge: PixCharge, change: Change, *, schedule: bool = True, beside: Beside = ()
    ) -> PixCharge:
        """Change the charge as it stands, with what follows from it, in one commit."""

        async def attempt(transaction: Transaction) -> PixCharge:
            now = self.clock()
            snapshot = await transaction.get(charge.path)
            before = CHARGE.found(snapshot, id=charge.id, clinic_id=charge.clinic_id)
            if before is None:
                raise NotFound
            after = change(before, now)
            if (after.entries, after.code) != (before.entries, before.code):
                after = await self.follower.follow(transaction, before, after, now)
            if schedule:
                after = replace(after, due_at=next_look(after, now))
            transaction.put(charge.path, CHARGE.write(after))
            for write in beside:
                transaction.create(write.path, write.data or {})
            return after

        return await transact(self.documents, attempt)


def next_look(charge: PixCharge, now: datetime) -> datetime | None:
    """When something may be to be done; None where nothing is."""
    looks = []
    states = {order.state for order in charge.refunds}
    if RefundState.ASKED in states:
        looks.append(now)
    if RefundState.IN_PROGRESS in states:
        looks.append(now + THEN_LOOKS)
    looks += [order.at + REFUND_AGAIN for order in charge.refunds if order.state is RefundState.REFUSED]
    if charge.must_close(now) or (not charge.reference and not charge.closed):
        looks.append(now)
    elif not charge.closed:
        often = FIRST_LOOKS if now < charge.created_at + LOOK_OFTEN_FOR else THEN_LOOKS
        looks.append(min(now + often, charge.pay_until))
    elif charge.state is ChargeState.EXPIRED and charge.reference and now < charge.pay_until + LATE_FOR:
        looks.append(now + LATE_LOOKS)
    return min(looks, default=None)

"""Looks at charges when they are due, whichever process finds them and wherever one of them dies; and tells staff what
nobody but they can do.

While there are charges to be looked at, one query a minute finds those that another process left; while there are none,
one in ten minutes. Who begins a charge, or is told of a payment, says so by `soon`, which waits for no query.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from gendei.clinic import ClinicId
from gendei.conversation.outbound.template_troubles import tell_staff
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Transaction, transact
from gendei.errors import NotFound
from gendei.payments.collecting import Collector
from gendei.payments.pix_charge import PixCharge
from gendei.payments.provider import RefundState
from gendei.scheduler.charge_texts import Trouble, charge_texts
from gendei.scheduler.daily_reconciling import DailyReconciling

log = logging.getLogger(__name__)
SWEEP, STOP_SECONDS = 60.0, 2.0
IDLE_SWEEPS = 10
"""One query in so many sweeps, while there was nothing to be looked at."""
TOLD_AFTER = 8
"""Looks in a row at which the provider could not be asked, after which staff are told: about a quarter of an hour."""


@dataclass(frozen=True, slots=True)
class ChargeKey:
    """Of one charge."""

    clinic_id: ClinicId
    id: str

    @property
    def text(self) -> str:
        return f"{self.clinic_id}/{self.id}"


class ChargeWork(LaneWork[ChargeKey]):
    """Use it as a context manager."""

    def __init__(self, collector: Collector, daily: DailyReconciling, *, seeks: bool = True) -> None:
        self.seeks = seeks
        self._collector = collector
        self._passed = IDLE_SWEEPS
        sweepings = (
            Sweeping(self._glance, SWEEP, log, "charges could not be looked for: %s"),
            Sweeping(daily.sweep, SWEEP * IDLE_SWEEPS, log, "payments could not be reconciled: %s"),
        )
        super().__init__(Lanes(self._carry_out, at_once=8, per_clinic=4), *sweepings, grace=STOP_SECONDS)

    def soon(self, clinic_id: ClinicId, charge_id: str) -> None:
        """There is a charge to be looked at, by what was just stored of it."""
        self._passed = IDLE_SWEEPS
        self.notify(ChargeKey(clinic_id, charge_id))

    async def sweep(self) -> None:
        """Begin with what is due before the next sweep: one query, however many clinics there are. Raises
        StoreError."""
        now = self._collector.clock()
        found = await self._collector.due_by(now + timedelta(seconds=SWEEP))
        for charge in found:
            key, wait = ChargeKey(charge.clinic_id, charge.id), _seconds(now, charge.due_at)
            if not wait or not self._lanes.knows(key):
                self._lanes.plan(key, wait)
        self._passed = IDLE_SWEEPS if found else 0

    async def _glance(self) -> None:
        self._passed += 1
        if self._passed >= IDLE_SWEEPS:
            await self.sweep()

    async def _carry_out(self, key: ChargeKey) -> float | None:
        """Look once; seconds until the next, None where none is to come."""
        try:
            charge = await self._collector.charge(key.clinic_id, key.id)
            if charge.due_at is None:
                return None
            if await self._collector.claim(charge):
                before, charge = charge, await self._collector.see_to(key.clinic_id, key.id)
                await self._tell(before, charge)
            else:
                charge = await self._collector.charge(key.clinic_id, key.id)
        except NotFound:
            return None
        self._passed = IDLE_SWEEPS
        return None if charge.due_at is None else max(0.5, _seconds(self._collector.clock(), charge.due_at))

    async def _tell(self, before: PixCharge, charge: PixCharge) -> None:
        """What staff have to do: a task, which ends when that is over."""
        if charge.refunds:
            for trouble, state in ((Trouble.BY_HAND, RefundState.BY_HAND), (Trouble.REFUSED, RefundState.REFUSED)):
                cents = sum(order.cents for order in charge.refunds if order.state is state)
                await self._told(charge, trouble, charge.id, cents)
        lost, was_lost = charge.attempts >= TOLD_AFTER, before.attempts >= TOLD_AFTER
        if lost != was_lost:
            await self._told(charge, Trouble.NOT_ASKED, charge.provider, int(lost))

    async def _told(self, charge: PixCharge, trouble: Trouble, about: str, cents: int) -> None:
        now = self._collector.clock()
        task = charge_texts().task(trouble, now, charge, cents) if cents else None

        async def attempt(transaction: Transaction) -> None:
            await tell_staff(transaction, charge.clinic_id, f"payments/{trouble}/{about}", task, now)

        await transact(self._collector.documents, attempt)


def _seconds(now: datetime, until: datetime | None) -> float:
    return max(0.0, (until - now).total_seconds()) if until is not None else 0.0

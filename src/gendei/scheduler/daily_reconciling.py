"""Compares each clinic's charges with what its provider has, once a day, whichever process does it."""

import logging
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.conversation.outbound.template_troubles import tell_staff
from gendei.documents import Transaction, transact
from gendei.errors import NotFound, UnreadableDocument
from gendei.payments.collecting import Collector
from gendei.payments.provider import PaymentAccount, ProviderRefused, ProviderUnavailable
from gendei.payments.reconciliation import RECONCILIATION, Reconciliation, reconciliation_path
from gendei.payments.reconciling import reconcile
from gendei.scheduler.charge_texts import Trouble, charge_texts

log = logging.getLogger(__name__)
HOUR = time(4)
"""Of the clinic's day, from which on the days before are compared."""
LOOKS_BACK = timedelta(days=8)
"""Charges that were made so lately are compared: money goes back, or comes late, days after its charge was made."""
CLAIM = timedelta(minutes=30)
MOST_ATTEMPTS = 8
"""Of one day; the next day compares the same charges again."""


class DailyReconciling:
    """`sweep` may be called at any time, by any process."""

    def __init__(self, collector: Collector, directory: Directory) -> None:
        self._collector, self._directory = collector, directory
        self._seen: dict[tuple[str, str], date] = {}

    async def sweep(self) -> None:
        """Compare what is due and nobody has compared. Raises StoreError."""
        for clinic in self._directory.all():
            for provider, adapter in self._collector.providers.items():
                account = self._collector.account_of(clinic.id, provider)
                if account is not None and adapter.keeps_records:
                    await self._see_to(clinic, account)

    async def _see_to(self, clinic: Clinic, account: PaymentAccount) -> None:
        local = clinic.local(self._collector.clock())
        if local.time() < HOUR or self._seen.get((clinic.id, account.provider)) == local.date():
            return
        claimed = await self._claimed(clinic, account, local)
        if claimed is None:
            return
        try:
            found = await reconcile(self._collector, account, claimed.since, claimed.until)
            over = replace(claimed, done_at=self._collector.clock(), differences=found, trouble="")
        except (ProviderUnavailable, ProviderRefused) as problem:
            log.warning("clinic %s: payments were not reconciled: %s", clinic.id, problem.reason)
            over = replace(claimed, trouble=problem.reason)
        except (NotFound, UnreadableDocument) as error:
            log.error("clinic %s: payments were not reconciled: %s", clinic.id, type(error).__name__)
            over = replace(claimed, trouble=type(error).__name__)
        await self._noted(clinic, account, over, local.date())

    async def _claimed(self, clinic: Clinic, account: PaymentAccount, local: datetime) -> Reconciliation | None:
        """The day's reconciliation, where it is this process's to do; None where it is done or another is at it."""
        now, day = self._collector.clock(), local.date()
        begin = datetime.combine(day, time(), clinic.timezone)
        path = reconciliation_path(clinic.id, account.provider, day)

        async def attempt(transaction: Transaction) -> Reconciliation | None:
            snapshot = await transaction.get(path)
            known = RECONCILIATION.found(snapshot, id=snapshot.id)
            if known is not None and (known.done_at or known.attempts >= MOST_ATTEMPTS):
                self._seen[clinic.id, account.provider] = day
                return None
            if known is not None and known.claimed_until > now:
                return None
            mine = known or Reconciliation(
                snapshot.id, account.provider, day.isoformat(), begin - LOOKS_BACK, begin, claimed_until=now
            )
            mine = replace(mine, claimed_until=now + CLAIM, attempts=mine.attempts + 1)
            transaction.put(path, RECONCILIATION.write(mine))
            return mine

        return await transact(self._collector.documents, attempt)

    async def _noted(self, clinic: Clinic, account: PaymentAccount, over: Reconciliation, day: date) -> None:
        """With a task for what was not entered by itself; one that stands ends with a day without such."""
        now, left = self._collector.clock(), over.needs_staff
        cents = sum(abs(each.theirs - each.ours) for each in left)
        task = charge_texts().task(Trouble.DIFFERENT, now, None, cents) if left else None

        async def attempt(transaction: Transaction) -> None:
            path = reconciliation_path(clinic.id, account.provider, day)
            snapshot = await transaction.get(path)
            if over.done_at is not None:
                await tell_staff(transaction, clinic.id, f"payments/{Trouble.DIFFERENT}/{account.provider}", task, now)
            transaction.put(snapshot.path, RECONCILIATION.write(over))

        await transact(self._collector.documents, attempt)

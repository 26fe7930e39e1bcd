"""The ledger of a charge: what was asked, received, refunded and kept, as entries that are only ever added.

Everything else is computed from them: the sums, and the one state of the charge.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from gendei.errors import GendeiError
from gendei.records import ABSENT_WHEN_EMPTY, Moment


class EntryKind(StrEnum):
    """ASKED: so much is to be paid; the first entry, and the only one of its kind. RECEIVED: a payment came. REFUNDED:
    so much of it went back, for good. KEPT: so much of it stays the clinic's, as was agreed. WITHDRAWN: what was asked
    is asked no more, since the time to pay is over, or it was cancelled. WAIVED: the same, since staff do
    without it."""

    ASKED = "asked"
    RECEIVED = "received"
    REFUNDED = "refunded"
    KEPT = "kept"
    WITHDRAWN = "withdrawn"
    WAIVED = "waived"


class ChargeState(StrEnum):
    """OPEN: it is to be paid. PAID: the clinic has money that is neither refunded nor kept. REFUNDED: all of it went
    back. KEPT: none of it is left to be decided on, and some was kept. EXPIRED: nothing came, and nothing is asked."""

    OPEN = "open"
    PAID = "paid"
    REFUNDED = "refunded"
    KEPT = "kept"
    EXPIRED = "expired"


class LedgerRefused(GendeiError):
    """An entry does not fit to those before it, so it was not added. Read the charge again: it changed meanwhile."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """cents: positive. cause: who or what caused it ("provider", "patient", "clock", a user's id). reference: of a
    payment or a refund, its id at who moved the money; the same is never entered twice. of: of a refund, the payment
    that it is of. note: the reason that staff gave."""

    kind: EntryKind
    cents: int
    at: Moment
    cause: str
    reference: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    of: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    note: Annotated[str, ABSENT_WHEN_EMPTY] = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Of one charge. Made by `with_entry` alone, beginning with `asked_for`."""

    entries: tuple[LedgerEntry, ...]

    @property
    def asked(self) -> int:
        return self._sum(EntryKind.ASKED)

    @property
    def received(self) -> int:
        return self._sum(EntryKind.RECEIVED)

    @property
    def refunded(self) -> int:
        return self._sum(EntryKind.REFUNDED)

    @property
    def kept(self) -> int:
        """What stays kept: a clinic may refund later what it kept first."""
        return min(self._sum(EntryKind.KEPT), self.received - self.refunded)

    @property
    def held(self) -> int:
        """What was received and is neither refunded nor kept."""
        return self.received - self.refunded - self.kept

    @property
    def is_waived(self) -> bool:
        return any(entry.kind is EntryKind.WAIVED for entry in self.entries)

    @property
    def is_withdrawn(self) -> bool:
        return any(entry.kind is EntryKind.WITHDRAWN for entry in self.entries)

    @property
    def is_asking(self) -> bool:
        """Whether it is still to be paid."""
        return not self.is_waived and not self.is_withdrawn and self.received < self.asked

    @property
    def paid_at(self) -> Moment | None:
        """When all that was asked had come; None where it has not."""
        sum_so_far = 0
        for entry in self.entries:
            sum_so_far += entry.cents if entry.kind is EntryKind.RECEIVED else 0
            if entry.kind is EntryKind.RECEIVED and sum_so_far >= self.asked:
                return entry.at
        return None

    @property
    def state(self) -> ChargeState:
        if self.is_asking:
            return ChargeState.OPEN
        if not self.received:
            return ChargeState.EXPIRED
        if self.held:
            return ChargeState.PAID
        return ChargeState.KEPT if self.kept else ChargeState.REFUNDED

    def has(self, kind: EntryKind, reference: str) -> bool:
        return any((entry.kind, entry.reference) == (kind, reference) for entry in self.entries)

    def left_of(self, payment: str) -> int:
        """What of one payment has not gone back."""
        came = sum(e.cents for e in self.entries if (e.kind, e.reference) == (EntryKind.RECEIVED, payment))
        return came - sum(e.cents for e in self.entries if (e.kind, e.of) == (EntryKind.REFUNDED, payment))

    def with_entry(self, entry: LedgerEntry) -> "Ledger":
        """With one more entry; the same ledger where its reference is entered already. Raises LedgerRefused."""
        if entry.reference and self.has(entry.kind, entry.reference):
            return self
        if entry.cents < 1:
            raise LedgerRefused("an entry is of at least one centavo")
        if (entry.kind is EntryKind.ASKED) != (not self.entries):
            raise LedgerRefused("a ledger begins with what is asked, and asks once")
        self._check(entry)
        return Ledger((*self.entries, entry))

    def _check(self, entry: LedgerEntry) -> None:
        match entry.kind:
            case EntryKind.RECEIVED if not entry.reference:
                raise LedgerRefused("a payment has an id")
            case EntryKind.REFUNDED if not entry.reference:
                raise LedgerRefused("a refund has an id")
            case EntryKind.REFUNDED if entry.cents > self.left_of(entry.of):
                raise LedgerRefused("more would go back than came")
            case EntryKind.KEPT if entry.cents > self.held:
                raise LedgerRefused("more would be kept than is there")
            case EntryKind.WITHDRAWN | EntryKind.WAIVED if not self.is_asking:
                raise LedgerRefused("nothing is asked any more")
            case EntryKind.WITHDRAWN | EntryKind.WAIVED if entry.cents != self.asked - self.received:
                raise LedgerRefused("all that is still asked is withdrawn, or none of it")

    def _sum(self, kind: EntryKind) -> int:
        return sum(entry.cents for entry in self.entries if entry.kind is kind)


def asked_for(cents: int, at: Moment, cause: str) -> Ledger:
    """A new ledger, in which so much is asked."""
    return Ledger(()).with_entry(LedgerEntry(EntryKind.ASKED, cents, at, cause))


def totals(entries: Iterable[LedgerEntry]) -> dict[EntryKind, int]:
    """Centavos by kind, of entries of any charges."""
    sums = dict.fromkeys(EntryKind, 0)
    for entry in entries:
        sums[entry.kind] += entry.cents
    return sums

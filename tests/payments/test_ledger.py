"""Whatever happens to a charge, its ledger adds up."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.payments.money_ledger import ChargeState, EntryKind, Ledger, LedgerEntry, LedgerRefused, asked_for, totals

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
ASKED = 5000
IDS = st.sampled_from(["a", "b", "c"])


def entry(kind: EntryKind, cents: int = ASKED, reference: str = "", of: str = "") -> LedgerEntry:
    return LedgerEntry(kind, cents, AT, "clock", reference, of)


ENTRIES = st.builds(entry, st.sampled_from(EntryKind), st.sampled_from([0, 1, 2000, 3000, ASKED]), IDS, IDS)


def after(*entries: LedgerEntry) -> Ledger:
    ledger = asked_for(ASKED, AT, "patient")
    for each in entries:
        ledger = ledger.with_entry(each)
    return ledger


@given(st.lists(ENTRIES, max_size=12))
def test_every_history_adds_up_and_is_in_one_state(history):
    ledger = asked_for(ASKED, AT, "patient")
    for each in history:
        before = ledger
        try:
            ledger = ledger.with_entry(each)
        except LedgerRefused:
            continue
        assert ledger.entries[: len(before.entries)] == before.entries
    assert ledger.received == ledger.held + ledger.kept + ledger.refunded
    assert min(ledger.held, ledger.kept, ledger.refunded) >= 0
    assert (ledger.state is ChargeState.OPEN) == ledger.is_asking
    holds = {ChargeState.PAID: ledger.held > 0, ChargeState.EXPIRED: ledger.received == 0}
    assert holds.get(ledger.state, True)
    assert ledger.state not in {ChargeState.KEPT, ChargeState.REFUNDED} or (ledger.held, ledger.received > 0) == (0, 1)
    assert totals(ledger.entries)[EntryKind.RECEIVED] == ledger.received
    assert all(ledger.left_of(payment) >= 0 for payment in ("a", "b", "c"))


@given(st.lists(ENTRIES, max_size=12))
def test_an_entry_that_comes_twice_counts_once(history):
    ledger = asked_for(ASKED, AT, "patient")
    for each in history:
        try:
            ledger = ledger.with_entry(each)
        except LedgerRefused:
            continue
        assert ledger.with_entry(each) == ledger or each.kind is EntryKind.KEPT or not each.reference


PAID = entry(EntryKind.RECEIVED, reference="a")


@pytest.mark.parametrize(
    ("entries", "state"),
    [
        ([], ChargeState.OPEN),
        ([entry(EntryKind.RECEIVED, 2000, "a")], ChargeState.OPEN),
        ([PAID], ChargeState.PAID),
        ([entry(EntryKind.WITHDRAWN)], ChargeState.EXPIRED),
        ([entry(EntryKind.WAIVED)], ChargeState.EXPIRED),
        ([entry(EntryKind.WITHDRAWN), PAID], ChargeState.PAID),
        ([PAID, entry(EntryKind.REFUNDED, 2000, "r", "a")], ChargeState.PAID),
        ([PAID, entry(EntryKind.REFUNDED, reference="r", of="a")], ChargeState.REFUNDED),
        ([PAID, entry(EntryKind.KEPT)], ChargeState.KEPT),
        ([PAID, entry(EntryKind.KEPT), entry(EntryKind.REFUNDED, reference="r", of="a")], ChargeState.REFUNDED),
        ([PAID, entry(EntryKind.KEPT), entry(EntryKind.REFUNDED, 2000, "r", "a")], ChargeState.KEPT),
    ],
)
def test_the_state_follows_from_the_entries(entries, state):
    assert after(*entries).state is state


@pytest.mark.parametrize(
    "entries",
    [
        [entry(EntryKind.ASKED)],
        [entry(EntryKind.RECEIVED)],
        [entry(EntryKind.RECEIVED, 0, "a")],
        [entry(EntryKind.KEPT)],
        [PAID, entry(EntryKind.WITHDRAWN)],
        [PAID, entry(EntryKind.REFUNDED, 1, "r", "b")],
        [PAID, entry(EntryKind.REFUNDED, 3000, "r", "a"), entry(EntryKind.REFUNDED, 3000, "s", "a")],
        [entry(EntryKind.WITHDRAWN, 1)],
        [entry(EntryKind.WITHDRAWN), entry(EntryKind.WAIVED)],
    ],
)
def test_an_entry_that_does_not_fit_is_refused(entries):
    with pytest.raises(LedgerRefused):
        after(*entries)


def test_it_is_paid_when_all_of_it_has_come():
    part, rest = entry(EntryKind.RECEIVED, 2000, "a"), entry(EntryKind.RECEIVED, 3000, "b")
    assert (after(part).paid_at, after(part, rest).paid_at) == (None, AT)

"""What came and went in some days of a clinic: charges, sums by day and professional, and the same as CSV."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from gendei.clinic import Clinic
from gendei.payments.amounts import decimal_text
from gendei.payments.money_ledger import LedgerEntry, totals
from gendei.payments.pix_charge import PixCharge
from gendei.payments.reconciliation import Reconciliation

K = TypeVar("K")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
CSV_COLUMNS = ("moment", "kind", "amount", "professional", "service", "appointment", "charge", "provider", "state")
CSV_MORE = ("cause", "reference", "note")


@dataclass(frozen=True, slots=True)
class Sums:
    """In centavos, of entries: what was asked, received, refunded, kept, withdrawn and waived."""

    asked: int = 0
    received: int = 0
    refunded: int = 0
    kept: int = 0
    withdrawn: int = 0
    waived: int = 0

    @property
    def left(self) -> int:
        """What came and did not go back."""
        return self.received - self.refunded

    @classmethod
    def of(cls, entries: Sequence[LedgerEntry]) -> "Sums":
        return cls(**{kind.value: cents for kind, cents in totals(entries).items()})


@dataclass(frozen=True, slots=True)
class PaymentBook:
    """charges: with an entry in these days, the one that changed last first. people: names of who caused entries, by
    their ids; patients: by theirs, as far as they are kept. compared: the last reconciliations, the newest first."""

    clinic: Clinic
    first: date
    last: date
    charges: tuple[PixCharge, ...]
    patients: Mapping[str, str]
    people: Mapping[str, str]
    compared: tuple[Reconciliation, ...]

    @property
    def entries(self) -> Iterator[tuple[PixCharge, LedgerEntry]]:
        """Of these days, by when they were entered."""
        found = ((charge, entry) for charge in self.charges for entry in charge.entries)
        inside = [(c, e) for c, e in found if self.first <= self.day_of(e) <= self.last]
        return iter(sorted(inside, key=lambda each: each[1].at))

    @property
    def together(self) -> Sums:
        return Sums.of([entry for _, entry in self.entries])

    @property
    def days(self) -> Mapping[date, Sums]:
        """Those with an entry, in order."""
        return _summed((self.day_of(entry), entry) for _, entry in self.entries)

    @property
    def professionals(self) -> Mapping[str, Sums]:
        """By id."""
        return _summed((charge.professional_id, entry) for charge, entry in self.entries)

    def day_of(self, entry: LedgerEntry) -> date:
        return self.clinic.local(entry.at).date()

    def professional(self, charge: PixCharge) -> str:
        return self.professional_name(charge.professional_id)

    def professional_name(self, professional_id: str) -> str:
        found = self.clinic.professional(professional_id)
        return found.name if found else professional_id

    def service(self, charge: PixCharge) -> str:
        found = self.clinic.service(charge.service_id)
        return found.name if found else charge.service_id

    def cause(self, entry: LedgerEntry) -> str:
        """The name of who caused it, or the word for what did."""
        return self.people.get(entry.cause, entry.cause)

    def csv(self, headings: Mapping[str, str], kinds: Mapping[str, str]) -> str:
        """One line an entry, without the patient's name. headings: of the columns; kinds: words for kinds and
        states."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
        writer.writerow([headings[name] for name in (*CSV_COLUMNS, *CSV_MORE)])
        for charge, entry in self.entries:
            row = (
                f"{self.clinic.local(entry.at):%Y-%m-%d %H:%M:%S}",
                kinds[entry.kind],
                decimal_text(entry.cents).replace(".", ","),
                self.professional(charge),
                self.service(charge),
                charge.appointment_id,
                charge.id,
                charge.provider,
                kinds[charge.state],
                *(self.cause(entry), entry.reference, entry.note),
            )
            writer.writerow([_harmless(cell) for cell in row])
        return text.getvalue()


def _harmless(cell: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _summed(entries: Iterator[tuple[K, LedgerEntry]]) -> Mapping[K, Sums]:
    found: dict[K, list[LedgerEntry]] = {}
    for key, entry in entries:
        found.setdefault(key, []).append(entry)
    return {key: Sums.of(those) for key, those in found.items()}

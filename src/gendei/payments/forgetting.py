"""A charge without the person who paid it: what came and went stays, since the clinic has to account for it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gendei.clinic import ClinicId, Contact
from gendei.documents import Documents, Transaction, transact
from gendei.payments.pix_charge import CHARGE, charge_path

NOBODY = Contact("erased")
"""In place of the patient's id and contact, as in appointments; money that still has to go back goes back all the
same, by the payment's own id."""


async def forget_payer(documents: Documents, clinic_id: ClinicId, ids: Sequence[str]) -> None:
    """Keep amounts, moments, states and the ids of payments, and nothing of the person nor words that staff wrote."""
    for charge_id in ids:
        await transact(documents, partial(_attempt, clinic_id=clinic_id, charge_id=charge_id))


async def _attempt(transaction: Transaction, clinic_id: ClinicId, charge_id: str) -> None:
    found = await transaction.get(charge_path(clinic_id, charge_id))
    charge = CHARGE.found(found, id=charge_id, clinic_id=clinic_id)
    if charge is not None:
        entries = tuple(replace(entry, note="") for entry in charge.entries)
        left = replace(charge, contact=NOBODY, patient_id=NOBODY, agreed="", entries=entries)
        transaction.put(found.path, CHARGE.write(left))

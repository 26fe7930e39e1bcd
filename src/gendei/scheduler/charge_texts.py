"""What staff read of charges that need them."""

from datetime import datetime
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from gendei.clinic import money
from gendei.conversation.stored.follow_ups import StoredTask
from gendei.datafile import StrictModel, Text
from gendei.payments.pix_charge import PixCharge
from gendei.texts import Catalogue, Each, Holds, fill, read_texts

BY = "Pagamentos"
"""Who begins these tasks."""


class Trouble(StrEnum):
    """Why staff have to do something: money is to go back by hand; the provider refused a refund, and is asked again by
    itself; it cannot be asked; it has something else than we have."""

    BY_HAND = "by_hand"
    REFUSED = "refused"
    NOT_ASKED = "not_asked"
    DIFFERENT = "different"


class ChargeTroubleText(StrictModel):
    """A task's title, and what to do."""

    title: Annotated[Text, Holds(("amount",))]
    to_do: Annotated[Text, Holds(("amount", "reason"))]


class ChargeTexts(Catalogue):
    """`troubles`: by what is to be done."""

    file_name = "charge_texts.yaml"
    troubles: Annotated[dict[str, ChargeTroubleText], Each(Trouble)]

    def task(self, trouble: Trouble, now: datetime, charge: PixCharge | None, cents: int) -> StoredTask:
        """charge: None where it is of none alone."""
        of_one = charge if charge is not None and trouble is not Trouble.NOT_ASKED else None
        values = {"amount": money(cents), "reason": charge.trouble if charge else ""}
        text = self.troubles[trouble]
        return StoredTask(
            now,
            now,
            fill(text.title, values),
            fill(text.to_do, values).strip(),
            contact=of_one.contact if of_one else None,
            patient_id=of_one.patient_id if of_one else None,
            appointment_id=of_one.appointment_id if of_one else None,
            created_by=BY,
        )


@cache
def charge_texts() -> ChargeTexts:
    """Those that come with the product."""
    return read_texts(Path(__file__).with_name(ChargeTexts.file_name), ChargeTexts)

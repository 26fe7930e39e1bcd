"""What staff are told to do about a template or an account that WhatsApp has something against: a task, once.

The task's id follows of what it is about, so that whoever hears of the same trouble again, in this process or another,
finds the task that stands. It ends by itself when the trouble is over.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Annotated

from gendei.clinic import Clinic, ClinicId
from gendei.conversation.stored.follow_ups import COMPLETED, TASK, StoredTask, is_pending, task_path
from gendei.conversation.stored.outreach import MARKETING_PURPOSES
from gendei.datafile import StrictModel, Text
from gendei.documents import Transaction
from gendei.messages.account_notices import AccountEvent
from gendei.texts import Catalogue, Each, Holds, fill

BY = "WhatsApp"
"""Who begins and ends these tasks."""


class Trouble(StrEnum):
    """Of a template: why it does not leave, costs more than it should, or soon will. Of an account: what was done to
    it."""

    REJECTED = "rejected"
    PAUSED = "paused"
    DISABLED = "disabled"
    MISSING = "missing"
    UNUSABLE = "unusable"
    MARKETING_SOON = "marketing_soon"
    MARKETING = "marketing"
    POOR_QUALITY = "poor_quality"
    ACCOUNT_DISABLED = "account_disabled"
    ACCOUNT_RESTRICTED = "account_restricted"
    ACCOUNT_VIOLATION = "account_violation"
    NUMBER_FLAGGED = "number_flagged"


OF_ACCOUNTS: Mapping[AccountEvent, Trouble] = {
    AccountEvent.DISABLED: Trouble.ACCOUNT_DISABLED,
    AccountEvent.RESTRICTED: Trouble.ACCOUNT_RESTRICTED,
    AccountEvent.VIOLATION: Trouble.ACCOUNT_VIOLATION,
    AccountEvent.FLAGGED: Trouble.NUMBER_FLAGGED,
}
REASONS = (
    *("ABUSIVE_CONTENT", "INVALID_FORMAT", "INCORRECT_CATEGORY", "PROMOTIONAL", "SCAM", "TAG_CONTENT_MISMATCH"),
    "UNKNOWN",
)
"""Meta's words for why it rejected a template; UNKNOWN stands for every other one."""
Troubles = Mapping[str, Trouble]
"""By what it is about: status, category or quality."""


class TroubleText(StrictModel):
    """A task's title, and what to do."""

    title: Annotated[Text, Holds(("template",))]
    to_do: Annotated[Text, Holds(("template", "reason"))]


class TroubleTexts(Catalogue):
    """`reasons`: what Meta's words mean for who writes the template."""

    file_name = "template_troubles.yaml"
    troubles: Annotated[dict[str, TroubleText], Each(Trouble)]
    reasons: Annotated[dict[str, Text], Each(REASONS)]

    def reason(self, word: str) -> str:
        """What one of Meta's words means; "" for none."""
        return self.reasons.get(word, self.reasons["UNKNOWN"]) if word else ""

    def task(self, trouble: Trouble, name: str, reason: str, now: datetime) -> StoredTask:
        """reason: Meta's word."""
        text, values = self.troubles[trouble], {"template": name, "reason": self.reason(reason)}
        title, to_do = fill(text.title, values), fill(text.to_do, values).strip()
        return StoredTask(now, now, title, to_do, created_by=BY)


def purposes_of(clinic: Clinic, key: tuple[str, str]) -> list[str]:
    """For what the clinic uses the template of this name and language."""
    return [purpose for purpose, wanted in clinic.templates.items() if (wanted.name, wanted.language) == key]


def is_meant_as_marketing(purposes: list[str]) -> bool:
    """Whether everything that it is for is marketing anyway."""
    return all(purpose in MARKETING_PURPOSES for purpose in purposes)


async def tell_staff(
    transaction: Transaction, clinic_id: ClinicId, about: str, task: StoredTask | None, now: datetime
) -> None:
    """Put `task`, the one that is pending `about` it, or end that with None."""
    found = await transaction.get(task_path(clinic_id, sha256(f"whatsapp\n{about}".encode()).hexdigest()[:20]))
    standing = TASK.read(found.data) if is_pending(found) else None
    if task is not None and standing is not None:
        transaction.put(
            found.path, TASK.write(replace(standing, title=task.title, description=task.description, updated_at=now))
        )
    elif task is not None:
        transaction.put(found.path, TASK.write(task))
    elif standing is not None:
        over = replace(standing, status=COMPLETED, completed_at=now, completed_by=BY, updated_at=now)
        transaction.put(found.path, TASK.write(over))
    elif found.data is not None:  # written as it is: the decision depends on it
        transaction.put(found.path, found.data)
    else:
        transaction.delete(found.path)

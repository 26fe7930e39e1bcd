"""Whether a message may leave at this moment, and as what (promises 7 and 8)."""

from dataclasses import dataclass
from datetime import datetime

from gendei.booking.appointment import appointment_path
from gendei.clinic import STAFF_PURPOSES, Clinic
from gendei.conversation.outbound.outbox_entry import Initiative, OutboxEntry
from gendei.conversation.outbound.templates import TemplateNotApproved, Templates, TemplateUnusable
from gendei.conversation.stored.conversation import CONVERSATION, FailureReason
from gendei.conversation.stored.history import Author
from gendei.conversation.stored.outreach import WANTED_BY_SOME, outreach_of, outreach_path
from gendei.documents import Documents
from gendei.messages.channels import window_is_open
from gendei.messages.message import OutgoingTemplate

CAMPAIGN_AGAIN_SECONDS = 60.0
"""Until a campaign that stands still is asked again."""
MAY_LEAVE, LEAVES_LATER = "now", "later"
"""What a campaign says of its messages in `mayLeave`; anything else is that they never leave."""
TEMPLATE_AGAIN_SECONDS = 300.0
"""Until a template that is not approved is looked at again. The process that hears of its approval looks at once."""


CAMPAIGN_OVER, TOO_LATE = "the campaign was stopped", "too late to be of use"
PERSON = "a person owns the conversation"
OPTED_OUT, NO_MARKETING = "the patient opted out", "the patient stopped marketing"


@dataclass(frozen=True, slots=True)
class Refused:
    """Not to be sent at all: a failure for `reason`, or, without one, no longer wanted. `detail` is technical."""

    reason: FailureReason | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now; `seconds` until it is worth asking again."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Go:
    """It may leave: free-form, or as `template`."""

    template: OutgoingTemplate | None = None


class Gate:
    """Asks the conversation as it stands at this moment."""

    def __init__(self, documents: Documents, templates: Templates) -> None:
        self._documents, self._templates = documents, templates

    async def decide(self, entry: OutboxEntry, clinic: Clinic, now: datetime) -> Go | Later | Refused:
        found = await self._documents.get(entry.key.path)
        if found.data is None:
            return Refused(None, "the conversation was erased")
        conversation = CONVERSATION.read(found.data)
        if entry.author is Author.BOT and conversation.has_person and not entry.despite_takeover:
            return Refused(None, PERSON)
        if entry.initiative is not None:
            objection = await self._objection(entry, entry.initiative, clinic, now)
            if objection is not None:
                return objection
        if window_is_open(entry.provider, conversation.window_ends_at, now) and not _needs_template(entry):
            return Go()
        return await self._as_template(entry, clinic, now)

    async def _objection(
        self, entry: OutboxEntry, initiative: Initiative, clinic: Clinic, now: datetime
    ) -> Later | Refused | None:
        """What speaks against starting this ourselves, although it was queued."""
        if initiative.until is not None and now >= initiative.until:
            return Refused(None, TOO_LATE)
        if initiative.appointment is not None and not await self._stands(clinic, *initiative.appointment):
            return Refused(None, "the appointment changed")
        if initiative.campaign and (held := await self._held_by_campaign(initiative.campaign)):
            return held
        outreach = outreach_of(await self._documents.get(outreach_path(entry.key)))
        if initiative.awaited:
            return None
        if outreach.opted_out_at is not None:
            return Refused(None, OPTED_OUT)
        if outreach.no_marketing_since is not None and (
            initiative.purpose in WANTED_BY_SOME or await self._templates.is_marketing(clinic, initiative.purpose)
        ):
            return Refused(None, NO_MARKETING)
        if initiative.purpose in STAFF_PURPOSES:
            return None
        quiet_until = clinic.proactive.not_before(clinic.local(now))
        return Later((quiet_until - now).total_seconds()) if quiet_until > now else None

    async def _held_by_campaign(self, path: str) -> Later | Refused | None:
        """None where its messages may leave now."""
        said = ((await self._documents.get(path)).data or {}).get("mayLeave")
        if said == LEAVES_LATER:
            return Later(CAMPAIGN_AGAIN_SECONDS)
        return None if said == MAY_LEAVE else Refused(None, CAMPAIGN_OVER)

    async def _stands(self, clinic: Clinic, appointment_id: str, status: str, start: datetime) -> bool:
        """Whether the appointment is still as the message tells it."""
        found = await self._documents.get(appointment_path(clinic, appointment_id))
        return found.data is not None and (found.data["status"], found.data["start"]) == (status, start)

    async def _as_template(self, entry: OutboxEntry, clinic: Clinic, now: datetime) -> Go | Later | Refused:
        """What is of use until a moment waits until then for a template that may be approved again."""
        if entry.initiative is None or clinic.template_for(entry.initiative.purpose) is None:
            return Refused(FailureReason.WINDOW_CLOSED, entry.error or "window_closed")
        try:
            return Go(await self._templates.for_entry(clinic, entry))
        except TemplateNotApproved as problem:
            until = entry.initiative.until
            if until is None:
                return Refused(FailureReason.TEMPLATE_UNUSABLE, str(problem))
            return Later(min(TEMPLATE_AGAIN_SECONDS, (until - now).total_seconds()))
        except TemplateUnusable as problem:
            return Refused(FailureReason.TEMPLATE_UNUSABLE, str(problem))


def _needs_template(entry: OutboxEntry) -> bool:
    return entry.initiative is not None and entry.initiative.template_only

"""What becomes of an outbox entry when a send is over: pure."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator

from gendei.clinic import Channel
from gendei.conversation.outbound.channel_states import ChannelStates, Scope
from gendei.conversation.outbound.gate import Refused
from gendei.conversation.outbound.outbox_entry import Fate, OutboxEntry
from gendei.conversation.outbound.templates import REFUSED_STATUS, Templates
from gendei.conversation.stored.conversation import FailureReason
from gendei.conversation.stored.outreach import OutreachBook
from gendei.conversation.work.backoff import BACKOFF
from gendei.datafile import Text, refusal
from gendei.messages.channels import Accepted, Clinics, Outcome, Permanent, Transient, Unknown
from gendei.messages.message import FailureKind
from gendei.texts import Catalogue, Each

Explain = Callable[[FailureReason, str], str]
"""From the reason and the technical detail, which starts with the provider's code where there is one."""


def _code(code: str) -> str:
    if not code.isdecimal():
        raise refusal("is no code.", "Write the provider's number in quotes.")
    return code


class FailureTexts(Catalogue):
    """`reasons`: a sentence for every FailureReason. `codes`: a better one where the provider's code says more."""

    file_name = "failures.yaml"
    reasons: Annotated[dict[str, Text], Each(FailureReason)]
    codes: dict[Annotated[str, AfterValidator(_code)], Text]

    def explain(self, reason: FailureReason, detail: str) -> str:
        """The sentence for staff, in Portuguese."""
        return self.codes.get(code_of(detail), self.reasons[reason])


def code_of(detail: str) -> str:
    """The provider's code at the start of a technical detail; "" where there is none."""
    match = re.match(r"\d+\b", detail)
    return match[0] if match else ""


def technical(_reason: FailureReason, detail: str) -> str:
    """What stands in for the sentences where none were loaded."""
    return detail


_REASONS = {
    FailureKind.WINDOW_CLOSED: FailureReason.WINDOW_CLOSED,
    FailureKind.TEMPLATE: FailureReason.TEMPLATE_UNUSABLE,
}


@dataclass(frozen=True, slots=True)
class Moved:
    """The entry afterwards; `failure` is set where staff must be told. `why`: a FailureKind or FailureReason, for the
    counts."""

    entry: OutboxEntry
    fate: Fate
    why: str = ""
    failure: FailureReason | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """`owner` looks again at `until` where the outcome is unknown."""

    owner: str
    until: datetime


def moved(entry: OutboxEntry, outcome: Outcome | Refused, now: datetime, waiting: Waiting) -> Moved:
    """`entry`, which was claimed for this send, after its outcome."""
    match outcome:
        case Accepted(message_id):
            return Moved(entry.accepted(message_id, now), Fate.SENT)
        case Unknown(reason):
            return Moved(entry.unsettled(waiting.owner, waiting.until, reason), Fate.IN_DOUBT)
        case Transient(reason, retry_after, kind):
            plan = BACKOFF[kind]
            if entry.attempts >= plan.attempts:
                return Moved(entry.failed(reason, now), Fate.FAILED, kind, FailureReason.SEND_FAILED)
            pause = timedelta(seconds=plan.pause(entry.attempts, retry_after))
            return Moved(entry.deferred(now + pause, reason), Fate.RETRIED, kind)
        case Permanent():
            return _refused_by_provider(entry, outcome, now)
        case Refused(None, detail):
            return Moved(entry.suppressed(now, detail), Fate.SUPPRESSED)
        case Refused(failure, detail):
            return Moved(entry.failed(detail or str(failure), now), Fate.FAILED, str(failure), failure)


def _refused_by_provider(entry: OutboxEntry, outcome: Permanent, now: datetime) -> Moved:
    kind = outcome.failure_kind
    if kind is FailureKind.WINDOW_CLOSED and entry.can_become_template:
        return Moved(entry.as_template(now), Fate.RETRIED, kind)
    if code_of(outcome.reason) in REFUSED_STATUS and entry.initiative and entry.initiative.until:
        return Moved(entry.held(now, outcome.reason), Fate.HELD, kind)
    if kind is FailureKind.CHANNEL or (kind is FailureKind.RESTRICTED and entry.initiative):
        return Moved(entry.held(now, outcome.reason), Fate.HELD, kind)
    return Moved(entry.failed(outcome.reason, now), Fate.FAILED, kind, _REASONS.get(kind, FailureReason.SEND_FAILED))


log = logging.getLogger(__name__)


class Consequences:
    """Stops numbers, pauses contacts and sets templates aside."""

    def __init__(self, clinics: Clinics, channels: ChannelStates, outreach: OutreachBook, templates: Templates) -> None:
        self._clinics, self._channels, self._outreach, self._templates = clinics, channels, outreach, templates

    async def follow(self, entry: OutboxEntry, kind: FailureKind, reason: str) -> None:
        """Do what `kind` asks for. `entry` as it was sent; `reason` starts with the provider's code."""
        match kind:
            case FailureKind.CHANNEL:
                await self._stop(entry, reason, Scope.ALL)
            case FailureKind.RESTRICTED:
                await self._stop(entry, reason, Scope.PROACTIVE)
            case FailureKind.NOT_NOW if entry.initiative and entry.initiative.campaign:
                return  # which waits by itself: reminders are no marketing
            case FailureKind.NOT_NOW:
                await self._outreach.pause(entry.key)
            case FailureKind.OPTED_OUT:
                await self._outreach.stop_marketing(entry.key)
            case FailureKind.TEMPLATE if entry.initiative and entry.initiative.sent_template:
                name, _ = sent = entry.initiative.sent_template
                log.error("template %s of clinic %s was refused: %s", name, entry.clinic_id, reason)
                if clinic := await self._clinics.get(entry.clinic_id):
                    await self._templates.refused(clinic, sent, code_of(reason))
            case _:
                return

    async def _stop(self, entry: OutboxEntry, reason: str, scope: Scope) -> None:
        clinic = await self._clinics.get(entry.clinic_id)
        channel = clinic and channel_of(clinic.channels, entry)
        if channel:
            await self._channels.stop(entry.clinic_id, channel, reason, scope)


def channel_of(channels: tuple[Channel, ...], entry: OutboxEntry) -> Channel | None:
    """The clinic's channel through which `entry` goes; None where the clinic no longer has it."""
    ours = (entry.provider, entry.external_id)
    return next((channel for channel in channels if (channel.provider, channel.external_id) == ours), None)

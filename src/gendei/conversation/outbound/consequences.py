"""What a failure means beyond its own message, whether the provider said it at once or by a status."""

import logging

from gendei.clinic import Channel
from gendei.conversation.failure_texts import code_of
from gendei.conversation.outbound.channel_states import ChannelStates, Scope
from gendei.conversation.outbound.outbox_entry import OutboxEntry
from gendei.conversation.outbound.outreach import OutreachBook
from gendei.conversation.outbound.templates import Templates
from gendei.conversation.ports import Clinics
from gendei.messages.message import FailureKind

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
            case FailureKind.NOT_NOW:
                await self._outreach.pause(entry.key)
            case FailureKind.OPTED_OUT:
                await self._outreach.stop_marketing(entry.key)
            case FailureKind.TEMPLATE if entry.initiative and entry.initiative.sent_template:
                name, _ = sent = entry.initiative.sent_template
                log.error("template %s of clinic %s was refused: %s", name, entry.clinic_id, reason)
                await self._templates.refused(entry.clinic_id, sent, code_of(reason))
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
    return next((one for one in channels if (one.provider, one.external_id) == ours), None)

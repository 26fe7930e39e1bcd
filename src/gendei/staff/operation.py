"""What operators see of the whole deployment, and mend: connected numbers, and what waits or failed.

Whoever operates sees every clinic's, or only that of the clinic that they chose. What is done stands in the audit of
the clinic that it was done to.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.clinic import Channel, Clinic, ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.conversation.backlog import Also, Backlog, Item, Levels, read_levels
from gendei.conversation.outbound.channel_states import ChannelStop, fingerprint, resume_channel, stopped_channels
from gendei.conversation.outbound.pacing import Number
from gendei.conversation.outbound.templates import TemplateReport, Templates
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import Documents, Query, Write
from gendei.errors import GendeiError, NotFound
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import NO_CLINIC, Actor, Right
from gendei.staff.audit import Action, audit_write

LOOKED_INTO = 50
"""Conversations of a clinic, those used last, that are asked when a patient's message last came."""


class NothingNamed(GendeiError):
    """Nothing was named. Give the ids that `gendei queue show` prints."""


@dataclass(frozen=True, slots=True)
class ChannelHealth:
    """`stop`: why it must not send, None where it may. `last_inbound_at`: when a patient's message last came by it, as
    far as the conversations of late tell."""

    channel: Channel
    stop: ChannelStop | None
    last_inbound_at: datetime | None


@dataclass(frozen=True, slots=True)
class ClinicHealth:
    clinic: Clinic
    channels: tuple[ChannelHealth, ...]
    templates: tuple[TemplateReport, ...]


class Operation:
    """All raise Forbidden without the right to operate."""

    def __init__(self, documents: Documents, directory: Directory, clock: Clock) -> None:
        self._documents, self._directory, self._clock = documents, directory, clock
        self._templates = Templates(documents, clock)

    async def clinics(self, actor: Actor) -> list[ClinicHealth]:
        """Every clinic, by name, also where one is chosen: this is where another is chosen."""
        actor.require(Right.OPERATE)
        stops = {stop.number: stop for stop in await self._stops(NO_CLINIC)}
        clinics = sorted(self._directory.all(), key=lambda clinic: (clinic.name.casefold(), clinic.id))
        return [await self._health(clinic, stops) for clinic in clinics]

    async def resume(self, actor: Actor, number: str = "") -> list[ChannelStop]:
        """Let a stopped number (or all) send again; those that do. Raises NotFound where none such is stopped."""
        actor.require(Right.OPERATE)
        stops = [stop for stop in await self._stops(actor.clinic_id) if number in {"", stop.external_id}]
        if not stops:
            raise NotFound("no such number is stopped; `gendei channels list` shows those that are")
        for stop in stops:
            at_home, now = replace(actor, clinic_id=stop.clinic_id), self._clock()
            resumed = audit_write(at_home, Action.CHANNEL_RESUMED, stop.external_id, now, provider=stop.provider)
            await resume_channel(self._documents, stop, now, resumed)
        return stops

    async def queue(self, actor: Actor) -> list[Item]:
        """Every message that is not done, oldest first, without its words."""
        return await self._backlog(actor).show()

    async def replay(self, actor: Actor, ids: Collection[str], *, failed: bool = False) -> int:
        """Send failed messages again, or answer parked ones, with `failed` all there are; how many. Raises NotFound,
        NotPossible and NothingNamed."""
        if failed:
            ids = [item.id for item in await self.queue(actor) if item.trouble.failed]
        elif not ids:
            raise NothingNamed("Nothing was named. Give the ids that `gendei queue show` prints, or --failed.")
        for item_id in ids:
            await self._backlog(actor).replay(item_id, self._audited(actor, Action.QUEUE_REPLAYED, item_id))
        return len(ids)

    async def drop(self, actor: Actor, ids: Collection[str]) -> int:
        """Give messages up for good; how many. Raises NotFound, NotPossible and NothingNamed."""
        if not ids:
            raise NothingNamed
        for item_id in ids:
            await self._backlog(actor).drop(item_id, self._audited(actor, Action.QUEUE_DROPPED, item_id))
        return len(ids)

    async def levels(self, actor: Actor) -> Levels:
        """How full inbox and outbox of the whole store are."""
        actor.require(Right.OPERATE)
        return await read_levels(self._documents, self._clock())

    def _backlog(self, actor: Actor) -> Backlog:
        actor.require(Right.OPERATE)
        return Backlog(self._documents, self._clock, None if actor.clinic_id == NO_CLINIC else actor.clinic_id)

    def _audited(self, actor: Actor, action: Action, item_id: str) -> Also:
        def entry(key: ConversationKey) -> list[Write]:
            at_home = replace(actor, clinic_id=key.clinic_id)
            return [audit_write(at_home, action, item_id, self._clock(), contact=key.contact)]

        return entry

    async def _stops(self, clinic_id: ClinicId) -> list[ChannelStop]:
        """The stops that hold: not those that ended by themselves."""
        now = self._clock()
        found = await stopped_channels(self._documents)
        return [
            stop
            for stop in found
            if clinic_id in {NO_CLINIC, stop.clinic_id} and (stop.until is None or stop.until > now)
        ]

    async def _health(self, clinic: Clinic, stops: Mapping[Number, ChannelStop]) -> ClinicHealth:
        inbound = await self._last_inbound(clinic.id)
        channels = []
        for channel in clinic.channels:
            number = (channel.provider, channel.external_id)
            stop = stops.get(number)
            if stop is not None and stop.credentials != fingerprint(channel):
                stop = None
            channels.append(ChannelHealth(channel, stop, inbound.get(number)))
        return ClinicHealth(clinic, tuple(channels), tuple(await self._templates.report(clinic)))

    async def _last_inbound(self, clinic_id: ClinicId) -> dict[Number, datetime]:
        collection = ConversationKey(clinic_id, Contact("-")).path.rpartition("/")[0]
        used = Query(collection, order_by=(("updatedAt", True),), limit=LOOKED_INTO)
        latest: dict[Number, datetime] = {}
        for found in await self._documents.query(used):
            conversation = CONVERSATION.read(found.data or {})
            number = (conversation.provider, conversation.external_id)
            if conversation.last_inbound_at is not None and number[0] and number[1]:
                latest[number] = max(conversation.last_inbound_at, latest.get(number, conversation.last_inbound_at))
        return latest

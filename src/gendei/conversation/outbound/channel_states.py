"""Numbers that must not send: gendei_clinics/{clinicId}/channels/{provider}_{externalId}, known to every process."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated

from gendei.clinic import Channel, ClinicId
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import Deliveries
from gendei.conversation.outbound.pacing import Number
from gendei.documents import Documents, Query, Write, document_id, put
from gendei.records import ABSENT_WHEN_NONE, Moment, Record

log = logging.getLogger(__name__)
COLLECTION = "channels"
LOOK_AGAIN_SECONDS = 600.0
"""A resumed number is noticed by the outbox's sweep; this is for what the sweep does not see."""
RESTRICTED_FOR = timedelta(hours=24)
"""Meta lifts a restriction by itself and tells no moment."""


class Scope(StrEnum):
    """What a stop concerns: every message, or only what we start ourselves."""

    ALL = "all"
    PROACTIVE = "proactive"


@dataclass(frozen=True, slots=True)
class ChannelStop:
    """`reason` is the provider's code and our words for it. `credentials` tells with which ones it happened: a clinic
    that was imported again is believed to have new ones. `until`: it ends by itself. Not `stopped`: it is over
    since `resumed_at`."""

    clinic_id: ClinicId
    provider: str
    external_id: str
    scope: Scope
    reason: str
    since: Moment
    credentials: str
    until: Moment | None = None
    stopped: bool = True
    resumed_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def number(self) -> Number:
        return self.provider, self.external_id

    @property
    def path(self) -> str:
        return state_path(self.clinic_id, self.provider, self.external_id)


STOP = Record(ChannelStop, "gendei_clinics/{clinicId}/channels/{provider}_{externalId}")


def state_path(clinic_id: ClinicId, provider: str, external_id: str) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/{COLLECTION}/{document_id(f'{provider}_{external_id}')}"


def fingerprint(channel: Channel) -> str:
    """Names the sealed credentials of `channel`; another import seals them anew."""
    return sha256("\n".join(f"{name}={channel.sealed[name]}" for name in sorted(channel.sealed)).encode()).hexdigest()


class ChannelStates:
    """The stops, as of the last `refresh`."""

    def __init__(self, documents: Documents, clock: Clock, deliveries: Deliveries) -> None:
        self._documents, self._clock, self._deliveries = documents, clock, deliveries
        self._stops: dict[Number, ChannelStop] = {}
        self._in_step = asyncio.Lock()
        """A stop that is being written must not be forgotten by a reading that began before it."""

    async def refresh(self) -> frozenset[Number]:
        """Read the stops again; the numbers that may send since then."""
        async with self._in_step:
            before = set(self._stops)
            stops = await stopped_channels(self._documents)
            self._stops = {stop.number: stop for stop in stops if stop.until is None or stop.until > self._clock()}
            self._count()
            return frozenset(before - self._stops.keys())

    def wait(self, channel: Channel, *, proactive: bool) -> float:
        """Seconds until it is worth asking again whether this number may send, 0 for now."""
        stop = self._stops.get((channel.provider, channel.external_id))
        if stop is None or (stop.scope is Scope.PROACTIVE and not proactive):
            return 0.0
        if stop.until is not None:
            return min(LOOK_AGAIN_SECONDS, max(0.0, (stop.until - self._clock()).total_seconds()))
        return 0.0 if stop.credentials != fingerprint(channel) else LOOK_AGAIN_SECONDS

    async def forget_outdated(self, channel: Channel) -> None:
        """End the stop of a channel whose credentials were replaced since."""
        stop = self._stops.get((channel.provider, channel.external_id))
        if stop is not None and stop.scope is Scope.ALL and stop.credentials != fingerprint(channel):
            await resume_channel(self._documents, stop, self._clock())
            self._stops.pop(stop.number, None)
            self._count()

    def known(self, channel: Channel) -> ChannelStop | None:
        """The stop of a number, as of the last `refresh`."""
        return self._stops.get((channel.provider, channel.external_id))

    async def stop(
        self, clinic_id: ClinicId, channel: Channel, reason: str, scope: Scope, *, until: datetime | None = None
    ) -> None:
        """Stop a number for every process, and raise the alarm, once. A narrower stop never replaces a wider one.
        until: when the provider says that it ends."""
        now, credentials = self._clock(), fingerprint(channel)
        number = (channel.provider, channel.external_id)
        known = self._stops.get(number)
        lasts = known is not None and (known.until is None or known.until > now)
        if known and lasts and known.scope in {scope, Scope.ALL} and known.credentials == credentials:
            return
        until = until or (now + RESTRICTED_FOR if scope is Scope.PROACTIVE else None)
        stop = ChannelStop(clinic_id, *number, scope, reason, now, credentials, until)
        self._know(stop)
        log.critical(
            "%s number %s of clinic %s %s: %s",
            channel.provider,
            channel.external_id,
            clinic_id,
            "is stopped" if scope is Scope.ALL else "may not start conversations",
            reason,
        )
        async with self._in_step:
            self._know(stop)
            await self._documents.commit([put(stop.path, STOP.write(stop))])

    def _know(self, stop: ChannelStop) -> None:
        self._stops[stop.number] = stop
        self._count()

    def _count(self) -> None:
        self._deliveries.stopped.clear()
        self._deliveries.stopped.update(stop.number for stop in self._stops.values() if stop.scope is Scope.ALL)


async def stopped_channels(documents: Documents) -> list[ChannelStop]:
    """Every stop of every clinic, by clinic and number."""
    found = await documents.query(Query(COLLECTION, where=(("stopped", "==", True),), group=True))
    return [STOP.read(snapshot.data) for snapshot in found]


async def resume_channel(documents: Documents, stop: ChannelStop, now: datetime, *also: Write) -> None:
    """Let the number send again; what waits goes within the pause of a sweep. `also`: what is written with it."""
    await documents.commit([put(stop.path, STOP.write(replace(stop, stopped=False, resumed_at=now))), *also])

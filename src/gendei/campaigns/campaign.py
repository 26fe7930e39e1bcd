"""One campaign: gendei_campaigns/{id}. What became of each patient stands in `recipient`.

It is sent by whichever process finds it due. Its messages ask `mayLeave` once more before they leave, so that a pause
or a stop also holds for those that were queued.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.conversation.outbound.gate import LEAVES_LATER, MAY_LEAVE
from gendei.documents import Documents, Query
from gendei.errors import GendeiError, NotFound
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, SORTED, Moment, Record

CAMPAIGNS = "gendei_campaigns"
PURPOSE = "follow_up"
"""The purpose of its template: the only one that is marketing."""
LASTS = timedelta(days=14)
"""From its start; who was not written to by then is not any more."""
FOLLOWED_FOR = timedelta(days=14)
"""How long after a message its answers and bookings count for the campaign."""
KEPT_FOR = timedelta(days=90)
"""How long it is known, after that, to whom it went. The figures stay."""
BETWEEN = timedelta(days=7)
"""Least time between two campaigns' messages to one patient."""
MOST_PER_MINUTE = 300


class CampaignState(StrEnum):
    """PREPARING: its recipients are being written down. PAUSED: by staff. HALTED: by the service, for its `halt`.
    STOPPED: by staff, for ever. DONE: nobody is left to be written to."""

    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    HALTED = "halted"
    STOPPED = "stopped"
    DONE = "done"

    @property
    def is_over(self) -> bool:
        return self in {CampaignState.STOPPED, CampaignState.DONE}


class Halt(StrEnum):
    """Why the service halted a campaign."""

    TEMPLATE = "template"
    NO_NUMBER = "no_number"
    NUMBER_STOPPED = "number_stopped"
    ACCOUNT = "account"
    QUALITY = "quality"
    FAILURES = "failures"
    OPT_OUTS = "opt_outs"
    BROKEN = "broken"


class NotLegal(GendeiError):
    """The campaign cannot do this as it stands. Open it again to see how it stands now."""


@dataclass(frozen=True, slots=True)
class CampaignAudience:
    """Whom it goes to, of those who agreed to marketing. months: their last visit is at least so long ago; 0: whenever
    it was. service_ids: they came for one of these; empty: for anything. without_coming: they have no appointment
    ahead."""

    months: int = 0
    service_ids: Annotated[frozenset[str], SORTED] = frozenset()
    without_coming: bool = True


@dataclass(frozen=True, slots=True)
class Figures:
    """recipients: all. sent: WhatsApp took the message; delivered and read: no less than that. not_now: WhatsApp did
    not deliver it for now, and it is tried again. failed, skipped: by the reason. booked: appointments within
    FOLLOWED_FOR, of how many patients."""

    recipients: int = 0
    waiting: int = 0
    not_now: int = 0
    sent: int = 0
    delivered: int = 0
    read: int = 0
    answered: int = 0
    opted_out: int = 0
    booked: int = 0
    failed: Annotated[Mapping[str, int], ABSENT_WHEN_EMPTY] = field(default_factory=dict)
    skipped: Annotated[Mapping[str, int], ABSENT_WHEN_EMPTY] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Campaign:
    """template: name and language of the one that it was started with. most: as many recipients as staff saw before
    they started it. daily_limit: Meta's, as staff know it. price_micros: of one delivered message, in millionths of a
    US dollar. judged_since: what was sent before halts it no more. due_at: when any process may do the next step; None:
    nothing is to be done. attempts: how often a process began a step and did not end it. counted_at: of `figures`."""

    id: Annotated[str, NOT_STORED]
    clinic_id: ClinicId
    name: str
    template: tuple[str, str]
    audience: CampaignAudience
    created_at: Moment
    user_id: str
    by: str
    most: int
    per_minute: int
    price_micros: int
    ends_at: Moment
    judged_since: Moment
    purpose: str = PURPOSE
    daily_limit: Annotated[int | None, ABSENT_WHEN_NONE] = None
    state: CampaignState = CampaignState.PREPARING
    halt: Annotated[Halt | None, ABSENT_WHEN_NONE] = None
    due_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    figures: Figures = Figures()
    counted_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    over_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def path(self) -> str:
        return campaign_path(self.id)

    @property
    def subject(self) -> str:
        """What the task about its halt is about."""
        return f"campaign/{self.id}"

    @property
    def may_leave(self) -> str:
        if self.state is CampaignState.RUNNING:
            return MAY_LEAVE
        return LEAVES_LATER if not self.state.is_over else "never"

    @property
    def cost_micros(self) -> int:
        """What its delivered messages cost, in millionths of a US dollar."""
        return self.figures.delivered * self.price_micros

    def paused(self, now: datetime) -> "Campaign":
        """Raises NotLegal where it is over. Paused twice is paused."""
        self._require_open()
        if self.state is CampaignState.PAUSED:
            return self
        return replace(self, state=CampaignState.PAUSED, halt=None, due_at=now)

    def going_on(self, now: datetime, template: tuple[str, str]) -> "Campaign":
        """After a pause or a halt, by this template; what happened before counts for no halt any more. Raises NotLegal
        where it is over."""
        self._require_open()
        if self.state in {CampaignState.RUNNING, CampaignState.PREPARING}:
            return self
        ready = CampaignState.RUNNING if self.counted_at is not None else CampaignState.PREPARING
        fresh = {"halt": None, "due_at": now, "attempts": 0, "judged_since": now}
        return replace(self, state=ready, template=template, **fresh)  # type: ignore[arg-type]  # its fields

    def stopped(self, now: datetime) -> "Campaign":
        """For ever. Raises NotLegal where it is over in another way."""
        if self.state is CampaignState.STOPPED:
            return self
        self._require_open()
        return replace(self, state=CampaignState.STOPPED, halt=None, due_at=now, over_at=now)

    def halted(self, halt: Halt) -> "Campaign":
        return replace(self, state=CampaignState.HALTED, halt=halt)

    def done(self, now: datetime) -> "Campaign":
        return replace(self, state=CampaignState.DONE, over_at=now)

    def _require_open(self) -> None:
        if self.state.is_over:
            raise NotLegal


CAMPAIGN = Record(Campaign, "gendei_campaigns/{id}", derived={"mayLeave": lambda campaign: campaign.may_leave})


def campaign_id(clinic_id: ClinicId, name: str) -> str:
    """The same for the same name at a clinic, so that two who start one at the same moment start one."""
    return sha256(f"{clinic_id}\n{' '.join(name.casefold().split())}".encode()).hexdigest()[:20]


def campaign_path(id_: str) -> str:
    return f"{CAMPAIGNS}/{id_}"


async def campaign_of(documents: Documents, clinic_id: ClinicId, id_: str) -> Campaign:
    """The clinic's campaign. Raises NotFound, also for another clinic's."""
    found = CAMPAIGN.found(await documents.get(campaign_path(id_)), id=id_) if id_.isalnum() else None
    if found is None or found.clinic_id != clinic_id:
        raise NotFound
    return found


async def campaigns_of(documents: Documents, clinic_id: ClinicId, limit: int) -> list[Campaign]:
    """The clinic's, the newest first."""
    query = Query(CAMPAIGNS, (("clinicId", "==", clinic_id),), (("createdAt", True),), limit=limit)
    return [CAMPAIGN.read(each.data, id=each.id) for each in await documents.query(query)]

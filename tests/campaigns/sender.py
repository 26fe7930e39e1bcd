"""One process of a service that sends campaigns, and a clock that is put forward by hand. Nothing leaves the outbox but
by `told`, which plays WhatsApp."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Self

from tests.booking.builders import TestClock, at, every_day, make_clinic, request
from tests.scheduler.office import Clinics

from gendei.booking.desk import BookingDesk
from gendei.campaigns.campaign import CAMPAIGN, LASTS, Campaign, CampaignAudience, Figures, campaign_id, campaign_path
from gendei.campaigns.campaign_work import CampaignWork
from gendei.campaigns.recipient import RECIPIENT, Recipient
from gendei.clinic import Channel, Clinic, ClinicId, Contact, MessageTemplate, ProactivePolicy
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.templates import ApprovedTemplate, Templates
from gendei.conversation.stored.outreach import ConsentWay, MarketingWord, OutreachBook
from gendei.documents import Documents, Query, put
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.messages.message import DeliveryState

TEMPLATE = MessageTemplate("volte", "pt_BR", ("patient", "clinic_name"), 2)
APPROVED = ApprovedTemplate(
    "volte", "pt_BR", "APPROVED", "MARKETING", "GREEN", 2, 2, text="Oi, {{1}}! Aqui é da {{2}}."
)
HERE = make_clinic(
    hours=every_day("06:00-22:00"),
    channels=(Channel("meta", "1001", settings={"waba_id": "77"}),),
    templates={"follow_up": TEMPLATE},
    proactive=ProactivePolicy(per_day=5),
)
THERE = replace(HERE, id=ClinicId("sorriso"), channels=(Channel("meta", "2002", settings={"waba_id": "88"}),))
MONDAY = at(2, "07:00")


def patients(count: int) -> list[Contact]:
    return [Contact(f"+551197777{number:04}") for number in range(count)]


@dataclass
class Sender:
    """Use it as a context manager. `turn` puts the clock forward and does what is due."""

    documents: Documents
    clock: TestClock = field(default_factory=lambda: TestClock(MONDAY))
    clinics: Clinics = field(default_factory=lambda: Clinics(HERE, THERE))
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    def __post_init__(self) -> None:
        self.book = OutreachBook(self.documents, self.clock)
        self.templates = Templates(self.documents, self.clock)
        self.proactive = Proactive(self.documents, self.clock, lambda _key: None)
        self.work = CampaignWork(self.documents, self.clinics, self.clock, self.proactive, seeks=False)  # type: ignore[arg-type]

    async def __aenter__(self) -> Self:
        await self._open.enter_async_context(self.work)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def visited(self, who: Sequence[Contact], clinic: Clinic = HERE, *, agreed: bool = True) -> None:
        """They come one after the other, from that Monday on."""
        desk, start = BookingDesk(self.documents, self.clock), at(2, "08:00")
        for number, contact in enumerate(who):
            when = start + timedelta(minutes=30 * (number % 24), days=number // 24)
            await desk.book(clinic, contact, request(when, name=f"Paciente {number}"))
            if agreed:
                await self.agree(contact, clinic)

    async def agree(self, contact: Contact, clinic: Clinic = HERE, *, agreed: bool = True) -> None:
        word = MarketingWord(agreed, self.clock(), ConsentWay.STAFF, "gilda")
        await self.book.hear(ConversationKey(clinic.id, contact), word)

    async def ready(self, count: int, **forward: float) -> list[Contact]:
        """Half a year ago as many came who agreed, and the template is approved."""
        await self.templates.keep(HERE, APPROVED)
        await self.visited(who := patients(count))
        self.clock.now = at(7, "10:00", month=9)
        return who

    async def start(self, clinic: Clinic = HERE, name: str = "Volta", **changes: Any) -> Campaign:
        now = self.clock()
        fields = {
            "per_minute": 300,
            "price_micros": 62_500,
            "most": 10_000,
            "audience": CampaignAudience(months=3),
        } | changes
        begun = {"created_at": now, "ends_at": now + LASTS, "judged_since": now, "due_at": now}
        known = {"user_id": "gilda", "by": "Gilda", "template": (TEMPLATE.name, TEMPLATE.language)}
        campaign = Campaign(campaign_id(clinic.id, name), clinic.id, name, **known, **begun, **fields)  # type: ignore[arg-type]
        await self.documents.commit([put(campaign.path, CAMPAIGN.write(campaign))])
        return campaign

    async def turn(self, times: int = 1, **forward: float) -> None:
        """Do what is due, then put the clock forward, as often."""
        for _ in range(times):
            self.clock.forward(**forward)
            await self.work.sweep()
            await self.work.idle()

    async def campaign(self, campaign: Campaign) -> Campaign:
        return CAMPAIGN.read((await self.documents.get(campaign_path(campaign.id))).data, id=campaign.id)

    async def figures(self, campaign: Campaign) -> Figures:
        return (await self.campaign(campaign)).figures

    async def change(self, campaign: Campaign, **changes: Any) -> None:
        known = replace(await self.campaign(campaign), **({"due_at": self.clock()} | changes))
        await self.documents.commit([put(known.path, CAMPAIGN.write(known))])

    async def recipients(self, clinic: Clinic = HERE) -> list[Recipient]:
        found = await self.documents.query(Query(f"gendei_clinics/{clinic.id}/campaign_recipients"))
        return sorted((RECIPIENT.read(each.data) for each in found), key=lambda each: each.contact)

    async def entries(self) -> list[OutboxEntry]:
        found = [OUTBOX_ENTRY.read(each.data, id=each.id) for each in await self.documents.query(Query(OUTBOX))]
        return sorted(found, key=lambda entry: (entry.contact, entry.created_at))

    async def told(self, entry: OutboxEntry, state: DeliveryState | None, error: str = "") -> None:
        """WhatsApp took it, or with `error` did not; state: what it told later."""
        now = self.clock()
        after = entry.failed(error, now) if error else entry.accepted(f"wamid.{entry.id}", now)
        if state is not None:
            after = replace(after, delivery_state=state)
        await self.documents.commit([put(entry.path, OUTBOX_ENTRY.write(after))])

    async def tasks(self, clinic: Clinic = HERE) -> list[tuple[str, str]]:
        found = await self.documents.query(Query(f"gendei_clinics/{clinic.id}/tasks"))
        return [((each.data or {})["status"], (each.data or {})["title"]) for each in found]

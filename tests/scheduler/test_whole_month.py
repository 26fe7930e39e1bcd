"""Thirty days of three clinics with everything that they begin: reminders, surveys, a waiting list and campaigns, while
patients tap, move and cancel, processes die at any commit, and nothing runs for six hours."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from tests.booking.builders import every_day
from tests.campaigns.sender import APPROVED, TEMPLATE
from tests.contracts.conftest import Engine
from tests.scheduler.office import Office
from tests.scheduler.test_thirty_days import ALL, FIRST, STEP, Life, Month, verdict
from tests.waiting.line import TEMPLATES as WAITING_TEMPLATES
from tests.waiting.line import name_in, wish

from gendei.booking.appointment import Appointment
from gendei.booking.slots import BookingRefused
from gendei.campaigns.campaign import CAMPAIGN, LASTS, Campaign, CampaignAudience, CampaignState, campaign_id
from gendei.campaigns.campaign_work import CampaignWork
from gendei.campaigns.recipient import RECIPIENT, RecipientState, Result
from gendei.clinic import Channel, Clinic, ClinicId, Contact, MessageTemplate, ProactivePolicy
from gendei.clinic_initiatives import SurveyAfter, SurveyPolicy, WaitingListPolicy
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.templates import Templates
from gendei.conversation.stored.outreach import ConsentWay, MarketingWord, OutreachBook
from gendei.documents import Documents, Query, put
from gendei.errors import NotFound, StoreUnavailable
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.receptionist.offers.choices import Choice, Kind, parse_choice, start_from
from gendei.scheduler.due import QUEUED, SURVEY, TOO_LATE
from gendei.scheduler.refilling import Refilling
from gendei.staff.refill_numbers import refills_of
from gendei.surveys.survey import SURVEY as SURVEYS
from gendei.surveys.survey import Surveys, surveys_of
from gendei.waiting.refill import REFILL, REFILLS, OfferState
from gendei.waiting.waiting_list import OfferOver, WaitingList, WaitingPlace, WaitingRefused

pytestmark = pytest.mark.slow

CAMPAIGN_DAYS = (12, 22)
"""Ten days apart, so that the second may write to the same patients again."""
CLAIMED_FOR = timedelta(minutes=5)
MORE_TEMPLATES = {**WAITING_TEMPLATES, "follow_up": TEMPLATE, "survey": MessageTemplate("pesquisa", "pt_BR", (), 5)}


def whole(number: int, clinic: Clinic) -> Clinic:
    """The clinic with all that can be begun."""
    return replace(
        clinic,
        hours=every_day("08:00-18:00"),
        channels=(Channel("meta", f"{number}001", settings={"waba_id": f"{number}77"}),),
        templates={**clinic.templates, **MORE_TEMPLATES},
        survey=SurveyPolicy(after=SurveyAfter.ENDED, every_days=0),
        waiting_list=WaitingListPolicy(at_once=number),
        proactive=ProactivePolicy(per_day=20),
    )


CLINICS: dict[ClinicId, Clinic] = {
    clinic.id: whole(number, clinic) for number, clinic in enumerate(ALL.values(), start=1)
}


class WholeOffice(Office):
    """A process that does all of it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.waiting = WaitingList(self.documents, self.clock, self.desk)
        self.refilling = Refilling(self.reminders, self.clinics, self.waiting, seeks=False)
        self.following.register(self.refilling)
        proactive = self.reminders.proactive
        campaigns = CampaignWork(self.documents, self.clinics, self.clock, proactive, seeks=False)
        self.works += [self.refilling, campaigns]


class WholeMonth(Month):
    """taken: what offers were said yes to; tapped: of which kinds buttons were tapped."""

    sound: WholeOffice

    def __init__(self, documents: Documents, rng: Random) -> None:
        super().__init__(documents, rng, CLINICS, WholeOffice)
        self.documents, self.surveys = documents, Surveys(documents, self.clock)
        self.taken: list[tuple[Clinic, Appointment]] = []
        self.tapped: Counter[Kind] = Counter()
        self.scores: dict[str, int] = {}
        self.campaigns: list[Campaign] = []
        self._answered: set[str] = set()

    async def prepare(self) -> None:
        templates = Templates(self.documents, self.clock)
        for clinic in self.clinics:
            await templates.keep(clinic, APPROVED)

    async def _change(self) -> None:
        await super()._change()
        if self.rng.random() < 0.3:
            await self._wait_for_a_time()
        await self._tap()
        if (self.clock.now.day, self.clock.now.hour, self.clock.now.minute) in {(day, 10, 0) for day in CAMPAIGN_DAYS}:
            await self._begin_campaigns()

    async def _work(self, doomed: Office) -> None:
        """A process that dies at any commit, and minutes later one that goes on in its place: what the dead one had
        claimed is free by then, and no patient was quicker."""
        self.flaky.share = 0.2
        with suppress(StoreUnavailable):
            await doomed.work()
        self.flaky.share = 0.0
        self.clock.now += CLAIMED_FOR
        await self.sound.work()

    async def _wait_for_a_time(self) -> None:
        clinic, who = self.rng.choice(self.clinics), Contact(f"+55119988{next(self._numbers)}")
        today = self.clock.now.date()
        place = WaitingPlace(who, "Maria Silva", wish(first=today, last=today + timedelta(days=9)))
        with suppress(WaitingRefused):
            await self.sound.waiting.join(clinic, place)

    async def _tap(self) -> None:
        """Some of those who were written to in the last hours tap a button, and some of them twice."""
        lately = Query(OUTBOX, (("createdAt", ">=", self.clock.now - 3 * STEP),), (("createdAt", False),))
        for entry in [OUTBOX_ENTRY.read(each.data, id=each.id) for each in await self.documents.query(lately)]:
            if entry.id in self._answered or self.rng.random() < 0.6:
                continue
            self._answered.add(entry.id)
            options = [parse_choice(option.id) for option in entry.reply.options]
            known = [option for option in options if option is not None]
            if known:
                await self._tapped(entry, self.rng.choice(known))

    async def _tapped(self, entry: OutboxEntry, chosen: Choice) -> None:
        clinic = CLINICS[entry.clinic_id]
        told = entry.initiative.appointment if entry.initiative else None
        self.tapped[chosen.kind] += 1
        with suppress(BookingRefused, NotFound, OfferOver):
            match chosen.kind:
                case Kind.CONFIRM_PRESENCE:
                    id_, start = chosen.args
                    assert told is not None
                    assert (id_, start_from(start, clinic)) == (told[0], told[2])
                    await self._confirm(clinic, entry.contact, id_, told[2])
                case Kind.CANCEL | Kind.MOVE:
                    assert told is not None
                    assert chosen.args == (told[0],)
                    await self._leave(clinic, entry.contact, told[0], moves=chosen.kind is Kind.MOVE)
                case Kind.SURVEY:
                    id_, score = chosen.args
                    assert told is not None
                    assert id_ == told[0]
                    await self.surveys.of(clinic, entry.contact, id_)
                    await self.surveys.score(clinic, id_, int(score))
                    self.scores[id_] = int(score)
                case Kind.WAITING_TAKE:
                    name = name_in(entry, clinic)
                    assert name is not None
                    made = (await self.sound.waiting.take(clinic, entry.contact, name)).appointment
                    assert (made.start, made.contact) == (name.start, entry.contact)
                    self.taken.append((clinic, made))
                    self.lives.append(Life(clinic, made.id, made.contact, [(made.start, self.clock.now, made.start)]))
                case _:
                    pass

    def _life(self, id_: str) -> Life:
        return next(life for life in self.lives if life.id == id_)

    async def _confirm(self, clinic: Clinic, contact: Contact, id_: str, start: datetime) -> None:
        """As the receptionist has it: an old button of another start confirms nothing."""
        stands = await self.sound.desk.appointment(clinic, contact, id_)
        if stands.start == start:
            await self.sound.desk.confirm_presence(clinic, contact, id_)
            self._life(id_).until(self.clock.now)

    async def _leave(self, clinic: Clinic, contact: Contact, id_: str, *, moves: bool) -> None:
        life = self._life(id_)
        if not moves:
            await self.sound.desk.cancel(clinic, contact, id_)
            life.until(self.clock.now)
            return
        start = life.stood[-1][0] + timedelta(days=self.rng.randint(1, 4))
        await self.sound.desk.move(clinic, contact, id_, start)
        life.until(self.clock.now)
        life.stood.append((start, self.clock.now, start))

    async def _begin_campaigns(self) -> None:
        """Most of those who were there agreed to marketing; some take it back before anything leaves."""
        book, now = OutreachBook(self.documents, self.clock), self.clock.now
        for clinic in self.clinics:
            for life in self.lives:
                if life.clinic.id == clinic.id and self.rng.random() < 0.7:
                    word = MarketingWord(self.rng.random() < 0.9, now, ConsentWay.STAFF, "gilda")
                    await book.hear(ConversationKey(clinic.id, life.contact), word)
            name = f"Volta {now.day}"
            campaign = Campaign(
                *(campaign_id(clinic.id, name), clinic.id, name, (TEMPLATE.name, TEMPLATE.language)),
                CampaignAudience(),
                *(now, "gilda", "Gilda", 10_000, 300, 62_500, now + LASTS, now),
                due_at=now,
            )
            await self.documents.commit([put(campaign.path, CAMPAIGN.write(campaign))])
            self.campaigns.append(campaign)


async def offers_are_kept(month: WholeMonth) -> None:
    """Each offer was made once, at day, and what was taken is counted with its money."""
    asked: Counter[tuple[str, str]] = Counter()
    for entry in await month.sound.entries():
        clinic = CLINICS[entry.clinic_id]
        if (name := name_in(entry, clinic)) is not None:
            asked[entry.contact, f"{name.refill_id}{name.slot}"] += 1
            assert clinic.proactive.not_before(clinic.local(entry.created_at)) == clinic.local(entry.created_at)
    assert set(asked.values()) == {1}
    refills = [REFILL.read(each.data, id=each.id) for each in await month.documents.query(Query(REFILLS))]
    offers = [offer for refill in refills for offer in refill.offers]
    taken = [offer for offer in offers if offer.state is OfferState.TAKEN]
    assert sorted(filter(None, (offer.appointment_id for offer in taken))) == sorted(made.id for _, made in month.taken)
    for clinic in month.clinics:
        counted = await refills_of(month.documents, clinic, (date(2026, 3, 1), date(2026, 4, 30)), 5000)
        mine = [made for of, made in month.taken if of.id == clinic.id]
        money = sum(made.price_cents or 0 for made in mine)
        assert (counted.filled, counted.value_cents) == (len(mine), money)
        assert (counted.median_minutes is not None) is bool(mine)


async def nothing_overlaps(month: WholeMonth) -> None:
    for clinic in month.clinics:
        found = await month.sound.desk.appointments(clinic, FIRST.date(), FIRST.date() + timedelta(days=60))
        live = sorted((each for each in found if each.status.takes_time), key=lambda each: each.start)
        for professional in clinic.professionals:
            own = [each for each in live if each.professional_id == professional.id]
            assert all(first.end <= second.start for first, second in pairwise(own))


async def surveys_are_asked_once(month: WholeMonth) -> Counter[str]:
    """Each visit that is over was asked about once, and its score is that of the last tap."""
    asked = Counter(
        entry.initiative.appointment[0]
        for entry in await month.sound.entries()
        if entry.initiative and entry.initiative.appointment and entry.initiative.purpose == "survey"
    )
    assert set(asked.values()) == {1}
    results: Counter[str] = Counter()
    for life in month.lives:
        appointment = await month.sound.desk.appointment(life.clinic, None, life.id)
        if appointment.status.live and appointment.end + timedelta(days=1) < month.clock.now:
            outcome = (await month.sound.results(appointment))[SURVEY]
            results[outcome] += 1
            assert (outcome == QUEUED) is (asked[life.id] == 1)
    kept = {
        each.id: SURVEYS.read(each.data, appointment_id=each.id).score
        for clinic in month.clinics
        for each in await month.documents.query(Query(surveys_of(clinic.id)))
    }
    assert {id_: score for id_, score in kept.items() if score is not None} == month.scores
    return results


async def campaigns_are_done(month: WholeMonth) -> Counter[str]:
    """Each recipient was written to once, or not for a reason; nobody twice within a week; each campaign is over."""
    results: Counter[str] = Counter()
    written: dict[tuple[str, str], list[datetime]] = {}
    for entry in await month.sound.entries():
        if entry.initiative and entry.initiative.campaign:
            written.setdefault((entry.clinic_id, entry.contact), []).append(entry.created_at)
    for moments in written.values():
        assert all(second - first >= timedelta(days=7) for first, second in pairwise(sorted(moments)))
    queued = 0
    for begun in month.campaigns:
        known = CAMPAIGN.read((await month.documents.get(begun.path)).data, id=begun.id)
        assert known.state is CampaignState.DONE
        found = await month.documents.query(
            Query(f"gendei_clinics/{begun.clinic_id}/campaign_recipients", (("campaignId", "==", begun.id),))
        )
        recipients = [RECIPIENT.read(each.data) for each in found]
        assert known.figures.recipients == len(recipients) > 0
        for each in recipients:
            assert each.state is not RecipientState.WAITING
            results[each.reason if each.result is Result.SKIPPED else QUEUED] += 1
            queued += each.result is not Result.SKIPPED
    assert queued == sum(len(moments) for moments in written.values())
    return results


async def played(engine: Engine, seed: int, appointments: int, days: int) -> WholeMonth:
    """So many days, of which everything but the counts is judged."""
    month = WholeMonth(await engine.open(), Random(seed))
    await month.prepare()
    await month.play(appointments, days)
    return month


async def test_a_month_with_everything_that_clinics_begin(shared_engine: Engine) -> None:
    month = await played(shared_engine, 3, appointments=1000, days=30)
    reminded = await verdict(month)
    await nothing_overlaps(month)
    await offers_are_kept(month)
    surveys = await surveys_are_asked_once(month)
    campaigns = await campaigns_are_done(month)
    await month.documents.close()

    assert (len(month.lives) > 900, reminded[QUEUED] > 400) == (True, True)
    assert (len(month.taken) > 10, surveys[QUEUED] > 200, surveys[TOO_LATE]) == (True, True, 0)
    assert campaigns[QUEUED] > 50
    assert min(month.tapped[kind] for kind in (Kind.CONFIRM_PRESENCE, Kind.MOVE, Kind.CANCEL, Kind.SURVEY)) > 20

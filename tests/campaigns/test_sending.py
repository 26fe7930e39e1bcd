"""A campaign goes to each once, at its pace, and to nobody who does not want it or whom it must not reach."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.booking.builders import at
from tests.campaigns.sender import APPROVED, HERE, THERE, Sender, patients
from tests.contracts.conftest import Engine
from tests.waiting.test_steps import Dying

from gendei.campaigns.audience import find_audience
from gendei.campaigns.budget import UsedBudget, reserve
from gendei.campaigns.campaign import Campaign, CampaignAudience, CampaignState, Halt
from gendei.campaigns.recipient import Result
from gendei.clinic import Contact
from gendei.conversation.outbound.account_notices import ACCOUNT, AccountState, account_path
from gendei.conversation.outbound.channel_states import STOP, ChannelStop, Scope
from gendei.conversation.outbound.gate import TOO_LATE, Gate, Go, Later, Refused
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.outreach import outreach_path
from gendei.documents import Query, delete, put
from gendei.messages.account_notices import AccountEvent
from gendei.messages.keys import ConversationKey
from gendei.messages.message import DeliveryState

SENT, DELIVERED, READ = DeliveryState.SENT, DeliveryState.DELIVERED, DeliveryState.READ


async def test_it_goes_to_those_who_agreed_and_fit_and_what_became_of_it_is_counted(sender: Sender) -> None:
    await sender.visited(patients(1), THERE)
    [maria, joao, rita, anna] = await sender.ready(4)
    await sender.agree(anna, agreed=False)
    campaign = await sender.start()
    await sender.turn()
    sent = await sender.entries()
    first, second, third = sent
    await sender.told(first, READ)
    await sender.told(second, DELIVERED)
    await sender.told(third, None, "131026 the recipient cannot get the message")
    await sender.turn(minutes=2)

    figures = await sender.figures(campaign)
    assert [entry.contact for entry in sent] == [maria, joao, rita]
    assert {entry.clinic_id for entry in sent} == {HERE.id}
    assert first.initiative is not None
    assert (first.initiative.template_only, first.initiative.campaign) == (True, campaign.path)
    assert first.reply.text == "Oi, Paciente 0! Aqui é da Clínica Boa Vida."
    assert [option.title for option in first.reply.options] == ["Quero marcar", "Não quero receber"]
    counted = (figures.recipients, figures.sent, figures.delivered, figures.read, dict(figures.failed))
    assert counted == (3, 2, 2, 1, {"131026": 1})
    after = await sender.campaign(campaign)
    assert (after.state, after.cost_micros) == (CampaignState.DONE, 125_000)
    assert await sender.recipients(THERE) == []


async def test_the_audience_is_what_the_clinic_knows(sender: Sender) -> None:
    [maria, joao, rita] = await sender.ready(3)
    await sender.agree(rita, agreed=False)

    async def found(**asked: object) -> list[str]:
        visitors = (await find_audience(sender.documents, HERE, CampaignAudience(**asked), sender.clock())).visitors  # type: ignore[arg-type]
        return [visitor.contact for visitor in visitors]

    everybody = await find_audience(sender.documents, HERE, CampaignAudience(), sender.clock())
    assert (everybody.without_consent, everybody.stopped) == (0, 1)
    assert await found(months=6) == [maria, joao]
    assert await found(months=7) == []
    assert await found(service_ids=frozenset({"limpeza"})) == []
    assert await found(service_ids=frozenset({"consulta"})) == [maria, joao]
    sender.clock.now = at(2, "07:00")  # when they had only booked
    assert await found() == []
    assert (await find_audience(sender.documents, THERE, CampaignAudience(), sender.clock())).visitors == ()


async def test_of_two_processes_and_two_campaigns_each_patient_gets_one_message(shared_engine: Engine) -> None:
    stores = [await shared_engine.open() for _ in range(2)]
    async with Sender(stores[0]) as one, Sender(stores[1], one.clock, one.clinics) as other:
        await one.ready(12)
        await one.start()
        await one.start(name="Outra")
        for _ in range(4):
            await asyncio.gather(one.turn(), other.turn())
            one.clock.forward(seconds=61)
        entries = await one.entries()
        assert Counter(entry.contact for entry in entries) == dict.fromkeys(patients(12), 1)
    for store in stores:
        await store.close()


@pytest.mark.parametrize("made", [False, True])
async def test_wherever_a_process_dies_each_is_written_to_once(sender: Sender, made: bool) -> None:
    await sender.ready(3)
    commit, died = 0, True
    while died:
        campaign = await sender.start(name=f"Volta {commit}")
        dying = Dying(sender.documents, commit, made=made)
        async with Sender(dying, sender.clock, sender.clinics) as dead:  # type: ignore[arg-type]
            await dead.turn(2, seconds=11)
        died = dying.died
        before = len(await sender.entries())
        await sender.turn(3, minutes=2)
        entries = [
            entry for entry in await sender.entries() if entry.initiative and entry.initiative.campaign == campaign.path
        ]
        assert Counter(entry.contact for entry in entries) == dict.fromkeys(patients(3), 1), (commit, before)
        sender.clock.forward(days=8)
        sender.clock.now = sender.clock.now.replace(hour=10, minute=0)
        commit += 1
    assert commit > 5


async def test_whom_it_must_not_reach_is_left_out_with_the_reason(sender: Sender) -> None:
    await sender.ready(6)
    campaign = await sender.start(per_minute=1)
    await sender.turn()  # the recipients are known, and the first few have it
    written = {entry.contact for entry in await sender.entries()}
    now = sender.clock()
    [person, erased, away, gone] = [who for who in patients(6) if who not in written][:4]
    talk = Conversation.read(
        await sender.documents.get(ConversationKey(HERE.id, person).path), ConversationKey(HERE.id, person), now
    )
    await sender.documents.commit([put(talk.key.path, CONVERSATION.write(talk.taken_over("", now, "gilda")))])
    [path] = [each.path for each in await sender.recipients() if each.contact == erased]
    await sender.documents.commit([delete(path)])
    await sender.agree(away, agreed=False)
    await sender.book.opt_out(ConversationKey(HERE.id, gone))
    await sender.turn(8, seconds=61)

    reached = {entry.contact for entry in await sender.entries()}
    assert reached.isdisjoint({person, erased, away, gone})
    assert len(reached) == 2
    figures = await sender.figures(campaign)
    assert dict(figures.skipped) == {"taken_over": 1, "no_marketing": 1, "opted_out": 1}
    assert figures.recipients == 5


async def test_not_now_waits_a_day_and_is_no_failure_but_not_for_ever(sender: Sender) -> None:
    await sender.ready(1)
    campaign = await sender.start()
    for tries in range(1, 4):
        await sender.turn()
        last = (await sender.entries())[-1]
        await sender.told(last, None, "131049 too much marketing")
        await sender.turn(minutes=2)
        figures = await sender.figures(campaign)
        assert figures.not_now == (tries < 3)
        await sender.turn(hours=20)
        assert len(await sender.entries()) == tries
        sender.clock.forward(hours=6)
    assert dict((await sender.figures(campaign)).failed) == {"131049": 1}
    assert await sender.tasks() == []


async def test_it_keeps_its_pace_the_limit_and_the_quiet_hours(sender: Sender) -> None:
    await sender.ready(30)
    sender.clock.now = at(7, "19:59", month=9)
    campaign = await sender.start(per_minute=60, daily_limit=25)
    await sender.turn()
    at_first = len(await sender.entries())
    await sender.turn(6, seconds=61)
    in_the_evening = len(await sender.entries())
    sender.clock.now = at(8, "08:01", month=9)
    await sender.turn(6, seconds=61)
    in_the_morning = len(await sender.entries())
    sender.clock.now = at(9, "09:01", month=9)
    await sender.turn(6, seconds=61)

    assert (at_first, in_the_evening, in_the_morning) == (10, 10, 20)
    assert len(await sender.entries()) == 30
    assert all(8 <= HERE.local(entry.due_at).hour < 20 for entry in await sender.entries())
    assert (await sender.campaign(campaign)).state is CampaignState.DONE


async def test_a_clock_put_forward_sends_nothing_in_one_go_and_ends_what_is_too_late(sender: Sender) -> None:
    await sender.ready(20)
    campaign = await sender.start(per_minute=6)
    await sender.turn()
    await sender.turn(days=3)
    after_days = len(await sender.entries())
    await sender.turn(days=30)
    after_weeks = await sender.campaign(campaign)
    assert after_days <= 4
    assert after_weeks.state is CampaignState.DONE
    assert after_weeks.figures.skipped["late"] >= 16
    assert len(await sender.entries()) == after_days


async def test_what_is_paused_or_stopped_does_not_leave_even_where_it_was_queued(sender: Sender) -> None:
    await sender.ready(3)
    campaign = await sender.start(per_minute=1)
    await sender.turn()
    [entry] = await sender.entries()
    gate = Gate(sender.documents, sender.templates)

    async def decided() -> object:
        return await gate.decide(entry, HERE, sender.clock())

    running = await decided()
    await sender.change(campaign, state=CampaignState.PAUSED)
    await sender.turn(3, seconds=61)
    paused = await decided()
    await sender.change(campaign, state=CampaignState.STOPPED)
    await sender.turn()
    stopped = await decided()
    await sender.documents.commit(
        [put(entry.path, OUTBOX_ENTRY.write(entry.suppressed(sender.clock(), "the campaign was stopped")))]
    )
    await sender.turn(minutes=10)

    assert (type(running), type(paused), type(stopped)) == (Go, Later, Refused)
    assert len(await sender.entries()) == 1
    assert dict((await sender.figures(campaign)).skipped) == {"stopped": 3}


@pytest.mark.parametrize(
    ("what", "halt"),
    [("paused", Halt.TEMPLATE), ("utility", Halt.TEMPLATE), ("red", Halt.QUALITY), ("stopped", Halt.NUMBER_STOPPED)],
)
async def test_what_goes_wrong_in_the_middle_halts_it_with_a_task_until_somebody_goes_on(
    sender: Sender, what: str, halt: Halt
) -> None:
    await sender.ready(3)
    campaign = await sender.start(per_minute=1)
    await sender.turn()
    now = sender.clock()
    flagged = AccountState("77", AccountEvent.FLAGGED, now)
    stop = ChannelStop(HERE.id, "meta", "1001", Scope.PROACTIVE, "131048", now, "", now + timedelta(hours=24))
    wrong = {
        "paused": lambda: sender.templates.keep(HERE, replace(APPROVED, status="PAUSED")),
        "utility": lambda: sender.templates.keep(HERE, replace(APPROVED, category="UTILITY")),
        "red": lambda: sender.documents.commit([put(account_path(HERE.id, "77", "flagged"), ACCOUNT.write(flagged))]),
        "stopped": lambda: sender.documents.commit([put(stop.path, STOP.write(stop))]),
    }
    await wrong[what]()
    await sender.turn(3, seconds=61)
    halted = await sender.campaign(campaign)
    before = len(await sender.entries())

    assert (halted.state, halted.halt) == (CampaignState.HALTED, halt)
    assert before == 1
    assert await sender.tasks() == [("pending", 'Campanha "Volta" parada')]
    await sender.templates.keep(HERE, APPROVED)
    await sender.documents.commit([delete(account_path(HERE.id, "77", "flagged")), delete(stop.path)])
    await sender.change(campaign, **vars_of(halted.going_on(sender.clock(), halted.template)))
    await sender.turn(3, seconds=61)
    assert len(await sender.entries()) == 3


def vars_of(campaign: Campaign) -> dict[str, object]:
    return {name: getattr(campaign, name) for name in ("state", "halt", "due_at", "attempts", "judged_since")}


@pytest.mark.parametrize("left", [False, True])
async def test_too_many_failures_or_opt_outs_halt_it(sender: Sender, left: bool) -> None:
    who = await sender.ready(30)
    campaign = await sender.start(per_minute=132)
    await sender.turn()
    entries = await sender.entries()
    assert len(entries) == 22
    for number, entry in enumerate(entries):
        fails = not left and number < 6
        await sender.told(entry, None if fails else READ, "131026 cannot get it" if fails else "")
    sender.clock.forward(minutes=2)
    for contact in who[:3] if left else []:
        await sender.agree(contact, agreed=False)
    await sender.turn(2, seconds=15)
    await sender.turn(2, seconds=61)
    halted = await sender.campaign(campaign)
    assert halted.halt is (Halt.OPT_OUTS if left else Halt.FAILURES)
    assert halted.figures.opted_out == (3 if left else 0)


async def test_what_did_not_leave_in_time_comes_back_and_leaves_once(sender: Sender) -> None:
    await sender.ready(1)
    campaign = await sender.start()
    await sender.turn()
    [entry] = await sender.entries()
    late = entry.suppressed(sender.clock(), TOO_LATE)
    await sender.documents.commit([put(entry.path, OUTBOX_ENTRY.write(late))])
    await sender.turn(3, minutes=2)
    entries = await sender.entries()
    assert len(entries) == 2
    assert (await sender.recipients())[0].result is Result.QUEUED
    assert (await sender.figures(campaign)).waiting == 1


async def test_to_whom_it_went_is_forgotten_and_the_figures_stay(sender: Sender) -> None:
    await sender.ready(2)
    campaign = await sender.start()
    await sender.turn()
    for entry in await sender.entries():
        await sender.told(entry, READ)
    for days in (0.1, 1, 5, 10, 30, 60):
        await sender.turn(2, days=days)
    assert await sender.recipients() == []
    over = await sender.campaign(campaign)
    assert (over.figures.read, over.due_at) == (2, None)


async def test_however_many_there_are_a_step_queues_a_few(sender: Sender) -> None:
    [maria] = await sender.ready(1)
    [visit] = await sender.documents.query(Query(f"gendei_clinics/{HERE.id}/appointments"))
    wishes = await sender.documents.get(outreach_path(ConversationKey(HERE.id, maria)))
    for number in range(1, 1000):
        who = f"+55119666{number:05}"
        copy = {**(visit.data or {}), "id": f"copy{number}", "contact": who}
        key = ConversationKey(HERE.id, Contact(who))
        beside = put(outreach_path(key), wishes.data or {})
        await sender.documents.commit([put(f"gendei_clinics/{HERE.id}/appointments/copy{number}", copy), beside])
    campaign = await sender.start(daily_limit=1_000_000)
    counts = []
    for _ in range(3):
        await sender.turn(seconds=10)
        counts.append(len(await sender.entries()))
    assert counts == [50, 100, 150]
    assert (await sender.figures(campaign)).recipients == 1000


async def test_a_budget_is_of_a_rolling_day_and_never_overdrawn(sender: Sender) -> None:
    now = sender.clock()
    granted = await asyncio.gather(*(reserve(sender.documents, "77", 40, 100, now) for _ in range(5)))
    later = await reserve(sender.documents, "77", 40, 100, now + timedelta(hours=26))
    assert (sum(granted), later) == (100, 40)
    assert UsedBudget({"2026-03-02T10": 3}).since(now + timedelta(days=3)).total == 0


def is_of(entry: OutboxEntry, campaign: Campaign) -> bool:
    return entry.initiative is not None and entry.initiative.campaign == campaign.path

"""Two processes send one campaign and are killed again and again: each patient gets one message."""

import asyncio
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from tests.campaigns.sender import APPROVED, HERE, Sender, patients
from tests.contracts.conftest import Engine
from tests.crash.killing import killing
from tests.scheduler.office import Clinics

from gendei.campaigns import campaign_work
from gendei.campaigns.campaign import Campaign, CampaignState
from gendei.campaigns.recipient import RECIPIENT, Recipient
from gendei.clinic import ProactivePolicy
from gendei.clock import system_clock
from gendei.conversation.work.backoff import Backoff
from gendei.documents import put

pytestmark = pytest.mark.slow

CLINICS = Clinics(replace(HERE, proactive=ProactivePolicy(0, 0, 20)))
campaign_work.BACKOFF = Backoff(1, 1, 1, attempts=10_000, jitter=False)
"""A claim ends soon, so that the other process goes on where one was killed."""
PROGRAM = "tests.campaigns.other_process"
COUNT, SECONDS = 120, 30.0


def recipients(campaign: Campaign) -> list[Recipient]:
    now = system_clock()
    return [Recipient(HERE.id, campaign.id, who, "p", "Paciente", now) for who in patients(COUNT)]


async def test_killed_again_and_again_each_is_written_to_once(shared_engine: Engine) -> None:
    store = await shared_engine.open()
    sender = Sender(store, system_clock, CLINICS)  # type: ignore[arg-type]
    await sender.templates.keep(HERE, APPROVED)
    for who in patients(COUNT):
        await sender.agree(who)
    running = {"state": CampaignState.RUNNING, "counted_at": system_clock(), "daily_limit": 100_000}
    campaign = await sender.start(**running)
    await store.commit([put(each.path, RECIPIENT.write(each)) for each in recipients(campaign)])

    kills = await killing(PROGRAM, shared_engine, Random(7), asyncio.get_running_loop().time() + SECONDS, (0.05, 0.6))

    entries = await sender.entries()
    assert set(Counter(entry.contact for entry in entries).values()) == {1}
    assert (kills > 3, len(entries) > COUNT / 3) == (True, True)
    queued = [each.contact for each in await sender.recipients() if each.entry_id]
    assert sorted(queued) == sorted(entry.contact for entry in entries)
    await store.close()

"""Each class of failure has its pause: for one patient, or for the whole number."""

import pytest
from tests.conversation.cast import JOAO, MARIA_HERE, World, column, said, text

from gendei.conversation.outbound.outbox_entry import Fate
from gendei.conversation.work.backoff import BACKOFF
from gendei.messages.channels import Permanent, Transient
from gendei.messages.message import FailureKind


async def look_again(world: World, seconds: float = 0) -> None:
    world.clock.advance(seconds)
    world.messaging.outbox.notify(MARIA_HERE)
    await world.idle()


def test_the_pair_rate_waits_powers_of_four() -> None:
    plan = BACKOFF[FailureKind.PAIR_RATE]

    assert [plan.pause(attempts, 0) for attempts in range(1, 8)] == [1, 4, 16, 64, 256, 1024, 4096]


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        (FailureKind.UNREACHABLE, [1, 2, 4, 8]),
        (FailureKind.TEMPORARY, [2, 4, 8, 16]),
        (FailureKind.THROUGHPUT, [1, 2, 4, 8]),
        (FailureKind.MAINTENANCE, [60, 60, 60, 60]),
        (FailureKind.CALL_RATE, [120, 240, 480, 960]),
    ],
)
def test_the_others_wait_longer_each_time_with_jitter(kind: FailureKind, least: list[float]) -> None:
    pauses = [BACKOFF[kind].pause(attempts, 0) for attempts in range(1, 5)]

    assert all(low <= pause <= low * 1.25 for low, pause in zip(least, pauses, strict=True))


def test_what_the_provider_asks_for_is_waited_for() -> None:
    assert BACKOFF[FailureKind.PAIR_RATE].pause(1, 30) == 30


def test_every_passing_kind_has_a_plan_and_no_other() -> None:
    final = {"refused", "undeliverable", "window_closed", "template", "not_now", "opted_out", "restricted", "channel"}
    assert {str(kind) for kind in FailureKind} - {str(kind) for kind in BACKOFF} == final


async def test_the_pair_rate_slows_one_patient_only(world: World) -> None:
    world.provider.outcomes.append(Transient("131056 pair", kind=FailureKind.PAIR_RATE))
    async with world.messaging:
        await world.accept(text("wamid.1", "maria"))
        await world.idle()
        await world.accept(text("wamid.2", "joao", sender=JOAO))
        await world.idle()
        before = world.provider.texts()
        await look_again(world, 1)

    assert (before, world.provider.texts()) == (["re: maria", "re: joao"], ["re: maria", "re: joao", "re: maria"])


async def test_maintenance_of_the_number_makes_every_patient_of_it_wait_a_minute(world: World) -> None:
    world.provider.outcomes.append(Transient("131057 maintenance", kind=FailureKind.MAINTENANCE))
    async with world.messaging:
        await world.accept(text("wamid.1", "maria"))
        await world.idle()
        await world.accept(text("wamid.2", "joao", sender=JOAO))
        await world.idle()
        before = world.provider.texts()
        world.clock.advance(76)
        await world.messaging.outbox.sweep()
        world.messaging.outbox.notify(MARIA_HERE)
        world.messaging.outbox.notify(MARIA_HERE.__class__(MARIA_HERE.clinic_id, JOAO))
        await world.idle()

    assert before == ["re: maria"]
    assert sorted(world.provider.texts()[1:]) == ["re: joao", "re: maria"]


async def test_a_problem_of_the_provider_is_retried_few_times(world: World) -> None:
    world.provider.outcomes.extend([Transient("131000 unknown", kind=FailureKind.TEMPORARY)] * 20)
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        for _ in range(10):
            await look_again(world, 400)

    assert (len(world.provider.sent), column(await world.outbox(), "status")) == (5, ["failed"])


async def test_a_conversation_beyond_its_budget_waits_and_loses_nothing(world: World) -> None:
    world.receptionist.script.append(said(*[f"m{number}" for number in range(47)]))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        burst = len(world.provider.sent)
        await look_again(world, 6)
        await look_again(world, 6)

    assert (burst, len(world.provider.sent)) == (45, 47)
    assert world.provider.texts() == [f"m{number}" for number in range(47)]


async def test_what_became_of_messages_is_counted_by_provider_and_kind(world: World) -> None:
    world.receptionist.script.append(said("um", "dois"))
    world.provider.outcomes.append(Transient("131056 pair", kind=FailureKind.PAIR_RATE))
    world.provider.outcomes.append(Permanent("131026 no", kind=FailureKind.UNDELIVERABLE))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await look_again(world, 5)

    assert dict(world.messaging.deliveries.counts) == {
        ("meta", Fate.RETRIED, "pair_rate"): 1,
        ("meta", Fate.FAILED, "undeliverable"): 1,
        ("meta", Fate.SENT, ""): 1,
    }

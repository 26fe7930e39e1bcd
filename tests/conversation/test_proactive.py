"""What we start ourselves is guarded; replies never are."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.conversation.cast import (
    BOA_VIDA,
    JOAO,
    MARIA,
    MARIA_HERE,
    MARIA_THERE,
    NOON,
    World,
    clinic,
    column,
    said,
    status,
    text,
)
from tests.conversation.openings import (
    REMINDER,
    TEMPLATE,
    look_again,
    open_window,
    record_of,
    start,
    unhurried,
    with_template,
)
from tests.handing import take_over

from gendei.clinic import Channel, Contact
from gendei.conversation.outbound.proactive import Decline, Declined, Opening, Queued
from gendei.conversation.stored.outreach import OutreachBook
from gendei.messages.channels import Permanent
from gendei.messages.keys import ConversationKey
from gendei.messages.message import DeliveryState, FailureKind

EVENING = datetime(2026, 3, 3, 0, 30, tzinfo=UTC)
"""21:30 of Monday in São Paulo."""
MORNING = datetime(2026, 3, 3, 11, tzinfo=UTC)
"""08:00 of Tuesday there."""
FOLLOW_UP = replace(REMINDER, purpose="follow_up")


@pytest.fixture(autouse=True)
async def template(world: World) -> None:
    await world.directory.import_clinic(with_template())


def book(world: World) -> OutreachBook:
    return OutreachBook(world.documents, world.clock)


async def test_who_never_wrote_is_written_to_by_phone_through_the_clinics_number(world: World) -> None:
    async with world.messaging:
        outcome = await start(world)

    assert isinstance(outcome, Queued)
    assert [(request.to_phone, request.reference) for request in world.provider.sent] == [(MARIA, outcome.entry_id)]
    assert (await world.conversation()).messages[-1]["content"] == REMINDER.reply.text


async def test_a_clinic_without_a_number_starts_nothing(world: World) -> None:
    async with world.messaging:
        assert await start(world, of=with_template(channels=())) == Declined(Decline.NO_CHANNEL)


async def test_outside_the_window_nothing_is_queued_where_no_template_serves(world: World) -> None:
    async with world.messaging:
        assert await start(world, of=clinic(BOA_VIDA)) == Declined(Decline.NO_TEMPLATE)

    assert await world.outbox() == []


async def test_the_same_occasion_is_written_of_once(world: World) -> None:
    occasion = replace(REMINDER, once="reminder/1")
    async with world.messaging:
        first, again = [await start(world, occasion) for _ in range(2)]
        other = await start(world, replace(REMINDER, once="reminder/2"))

    assert ([type(value) for value in (first, again, other)], again) == (
        [Queued, Declined, Queued],
        Declined(Decline.ALREADY),
    )
    assert len(world.provider.sent) == 2


async def test_with_an_allow_list_only_those_on_it_are_written_to(world: World) -> None:
    careful = World(world.documents, world.directory, allow=(JOAO,))
    async with careful.messaging:
        outcomes = [await start(careful, contact=contact) for contact in (MARIA, JOAO)]

    assert (outcomes[0], [request.to_phone for request in careful.provider.sent]) == (
        Declined(Decline.NOT_ALLOWED),
        [JOAO],
    )


async def test_who_opted_out_is_not_written_to_and_still_gets_answers(world: World) -> None:
    await book(world).opt_out(MARIA_HERE)
    async with world.messaging:
        outcome = await start(world)
        await open_window(world)

    assert (outcome, world.provider.texts()) == (Declined(Decline.OPTED_OUT), ["re: oi"])


async def test_opting_out_counts_at_one_clinic_and_for_one_patient(world: World) -> None:
    await book(world).opt_out(MARIA_THERE)
    await book(world).opt_out(ConversationKey(BOA_VIDA, JOAO))
    async with world.messaging:
        assert isinstance(await start(world), Queued)


async def test_the_wish_that_a_turn_heard_is_remembered_and_can_be_taken_back(world: World) -> None:
    world.receptionist.script.extend([said("Certo.", opt_out=True), said("Combinado.", opt_out=False)])
    async with world.messaging:
        await open_window(world)
        first = await start(world)
        await world.accept(text("wamid.back", "quero receber de novo"))
        await world.idle()
        second = await start(world)

    assert (first, type(second)) == (Declined(Decline.OPTED_OUT), Queued)


async def test_who_opts_out_before_a_queued_message_leaves_does_not_get_it(world: World) -> None:
    world.clock.now = EVENING
    async with world.messaging:
        await start(world)
        await book(world).opt_out(MARIA_HERE)
        world.clock.now = MORNING
        await look_again(world)

    assert (world.provider.sent, column(await world.outbox(), "error")) == ([], ["the patient opted out"])


async def test_in_quiet_hours_it_waits_for_the_morning(world: World) -> None:
    world.clock.now = EVENING
    async with world.messaging:
        outcome = await start(world)
        at_night = len(world.provider.sent)
        world.clock.now = MORNING
        await look_again(world)

    assert isinstance(outcome, Queued)
    assert (outcome.due_at, at_night, len(world.provider.sent)) == (MORNING, 0, 1)


async def test_answers_pass_by_what_waits_for_the_morning(world: World) -> None:
    world.clock.now = EVENING
    async with world.messaging:
        await start(world)
        await open_window(world)

    assert world.provider.texts() == ["re: oi"]


async def test_a_message_that_was_held_up_into_the_quiet_hours_waits_too(world: World) -> None:
    world.clock.now = EVENING - timedelta(hours=2)
    world.provider.outcomes.append(Permanent("190 expired", stop_channel=True))
    renewed = Channel("meta", "1001", {"access_token": "sealed anew"})
    async with world.messaging:
        await start(world)
        world.clock.now = EVENING
        await world.directory.import_clinic(with_template(channels=(renewed,)))
        await look_again(world)
        at_night = len(world.provider.sent)
        world.clock.now = MORNING
        await look_again(world)

    assert (at_night, len(world.provider.sent)) == (1, 2)


async def test_a_patient_gets_so_many_a_day_and_no_more(world: World) -> None:
    async with world.messaging:
        outcomes = [await start(world) for _ in range(3)]
        world.clock.advance(24 * 3600)
        next_day = await start(world)

    assert [type(outcome) for outcome in outcomes] == [Queued, Queued, Declined]
    assert (outcomes[2], type(next_day)) == (Declined(Decline.DAILY_CAP), Queued)


async def test_the_cap_counts_the_day_on_which_it_leaves(world: World) -> None:
    await world.directory.import_clinic(with_template(proactive=replace(with_template().proactive, per_day=1)))
    async with world.messaging:
        today = await start(world)
        world.clock.now = EVENING
        tonight = await start(world)
        again = await start(world)

    assert ([type(today), type(tonight)], again) == ([Queued, Queued], Declined(Decline.DAILY_CAP))


async def test_one_patients_cap_is_not_anothers(world: World) -> None:
    async with world.messaging:
        for _ in range(2):
            await start(world)
        assert isinstance(await start(world, contact=JOAO), Queued)


async def test_replies_are_never_counted_or_held_at_night(world: World) -> None:
    world.clock.now = EVENING
    world.receptionist.script.append(said("um", "dois", "três"))
    async with world.messaging:
        await open_window(world)

    assert (world.provider.texts(), await record_of(world)) == (["um", "dois", "três"], None)


async def test_while_a_person_owns_the_conversation_the_bot_starts_nothing_and_staff_may(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        await take_over(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "")
        bot = await start(world)
        staff = await start(world, replace(REMINDER, purpose="staff_message", by="Bia"))

    assert (bot, type(staff)) == (Declined(Decline.TAKEN_OVER), Queued)
    assert (await world.history())[-1]["author"] == "staff"


async def test_what_nobody_needs_by_the_morning_is_not_queued(world: World) -> None:
    world.clock.now = EVENING
    early = replace(REMINDER, until=MORNING)
    async with world.messaging:
        assert await start(world, early) == Declined(Decline.TOO_LATE)


async def test_what_nobody_needs_any_more_when_it_may_leave_is_dropped(world: World) -> None:
    await world.directory.import_clinic(with_template(proactive=unhurried()))
    world.provider.outcomes.append(Permanent("131048 spam", kind=FailureKind.RESTRICTED))
    async with world.messaging:
        await start(world, replace(REMINDER, until=NOON + timedelta(hours=2)))
        await look_again(world, 3 * 3600)

    assert column(await world.outbox(), "status") == ["suppressed"]


async def test_a_restriction_holds_what_we_start_and_lets_answers_go(world: World) -> None:
    await world.directory.import_clinic(with_template(proactive=unhurried()))
    world.provider.outcomes.append(Permanent("131048 spam", kind=FailureKind.RESTRICTED))
    async with world.messaging:
        await start(world)
        await open_window(world)
        await look_again(world)
        held = world.provider.texts()
        await look_again(world, 24 * 3600 + 1)

    assert held == [REMINDER.reply.text, "re: oi"]
    assert world.provider.texts() == [*held, REMINDER.reply.text]


@pytest.mark.parametrize("by_status", [False, True])
async def test_after_meta_chose_not_to_deliver_nothing_is_started_for_a_day(world: World, by_status: bool) -> None:
    await world.directory.import_clinic(with_template(proactive=unhurried()))
    async with world.messaging:
        await refused(world, "131049 not now", FailureKind.NOT_NOW, by_status=by_status)
        soon = await start(world)
        world.clock.advance(24 * 3600 + 1)
        later = await start(world)

    assert (soon, type(later)) == (Declined(Decline.PAUSED), Queued)


@pytest.mark.parametrize("by_status", [False, True])
async def test_who_stopped_marketing_gets_reminders_and_no_follow_up(world: World, by_status: bool) -> None:
    served = replace(with_template(), templates={"reminder": TEMPLATE, "follow_up": TEMPLATE}, proactive=unhurried())
    await world.directory.import_clinic(served)
    async with world.messaging:
        await refused(world, "131050 stopped", FailureKind.OPTED_OUT, by_status=by_status)
        reminder, follow_up = [await start(world, value) for value in (REMINDER, FOLLOW_UP)]

    assert (type(reminder), follow_up) == (Queued, Declined(Decline.NO_MARKETING))


async def refused(world: World, reason: str, kind: FailureKind, *, by_status: bool) -> None:
    """A first message to Maria that Meta refuses, at once or later."""
    if not by_status:
        world.provider.outcomes.append(Permanent(reason, kind=kind))
    await start(world)
    if by_status:
        reference = world.provider.sent[0].reference
        failed = status("wamid.out1", DeliveryState.FAILED, reference=reference, error=reason, kind=kind)
        await world.accept(statuses=[failed])


def test_a_purpose_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="no purpose"):
        Opening("spam", REMINDER.reply)


async def test_a_contact_without_a_phone_is_addressed_by_user_id(world: World) -> None:
    async with world.messaging:
        await start(world, contact=Contact("BR.1349"))

    assert [(request.to_phone, request.to_user_id) for request in world.provider.sent] == [(None, "BR.1349")]

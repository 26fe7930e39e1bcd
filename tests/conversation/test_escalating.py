"""Who waits longer than the clinic promises is told of once, by however many processes."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_THERE, NOON, SORRISO, World, clinic, column, said, text
from tests.handing import take_over

from gendei.clinic import Clinic, Contact, MessageTemplate, ProactivePolicy, TakeoverPolicy
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.turns.escalating import Escalating
from gendei.conversation.turns.handover import Changed, Handover
from gendei.documents import Data
from gendei.errors import StoreUnavailable
from gendei.messages.keys import ConversationKey

PHONE = Contact("+5519987654321")
PROMISE = TakeoverPolicy(answer_within_minutes=20, staff_phone=PHONE)
TEMPLATES = {"staff_alert": MessageTemplate("aviso", "pt_BR", ("patient", "time"))}


def promising(**changes: Any) -> Clinic:
    """Boa Vida, which says no hours and so counts every minute."""
    return replace(clinic(BOA_VIDA), takeover=PROMISE, templates=TEMPLATES, **changes)


@pytest.fixture
async def waiting(world: World) -> World:
    """Maria waits for a person of each clinic since NOON, and Boa Vida's promise is over."""
    await world.directory.import_clinic(promising())
    await world.directory.import_clinic(replace(clinic(SORRISO), takeover=TakeoverPolicy(answer_within_minutes=0)))
    async with world.messaging:
        for clinic_id in (BOA_VIDA, SORRISO):
            world.receptionist.script.append(said("Já chamo alguém.", takeover_reason="a mãe dela tem diabetes"))
            await world.accept(text(f"wamid.{clinic_id}", "alguém?"), clinic_id=clinic_id)
            await world.idle()
    world.clock.advance(20 * 60)
    return world


async def tasks(world: World, clinic_id: str = BOA_VIDA) -> list[str]:
    return sorted(str(task["occasion"]) for task in await world.all(f"gendei_clinics/{clinic_id}/tasks", "createdAt"))


async def to_phone(world: World) -> list[Data]:
    return [entry for entry in await world.outbox() if entry["contact"] == PHONE]


async def test_two_processes_that_look_at_once_make_one_task_and_send_one_message(waiting: World) -> None:
    other = waiting.another()
    told = await asyncio.gather(waiting.messaging.escalating.sweep(), other.messaging.escalating.sweep())
    again = await other.messaging.escalating.sweep()

    conversation = await waiting.conversation()
    assert (sum(told), again, await tasks(waiting)) == (1, 0, ["overdue", "take_over"])
    assert (conversation.escalated_at, conversation.answer_by, conversation.waiting_for_person) == (
        waiting.clock(),
        None,
        True,
    )
    assert len(await to_phone(waiting)) == 1
    assert [event for event in column_of(await waiting.history(), "event") if event] == ["taken_over", "overdue"]
    assert (await tasks(waiting, SORRISO), (await waiting.conversation(MARIA_THERE)).escalated_at) == (
        ["take_over"],
        None,
    )


def column_of(rows: list[Data], name: str) -> list[Any]:
    return [row.get(name) for row in rows]


class Dying(Handover):
    """Of a process that dies before it commits."""

    def __init__(self) -> None:
        pass

    async def change(self, *_: Any) -> Changed:
        raise StoreUnavailable


async def test_a_process_that_dies_between_phone_and_task_leaves_the_task_to_the_next(waiting: World) -> None:
    messaging = waiting.messaging
    parts = (waiting.documents, waiting.directory, Dying(), messaging.proactive, waiting.clock)
    with pytest.raises(StoreUnavailable):
        await Escalating(*parts, alert=lambda values: values["patient"]).sweep()
    assert (len(await to_phone(waiting)), await tasks(waiting)) == (1, ["take_over"])

    waiting.clock.advance(60)
    assert await waiting.another().messaging.escalating.sweep() == 1
    assert (len(await to_phone(waiting)), await tasks(waiting)) == (1, ["overdue", "take_over"])


async def test_before_the_promise_is_over_and_after_an_answer_nothing_is_told(waiting: World) -> None:
    waiting.clock.advance(-1)
    assert await waiting.messaging.escalating.sweep() == 0
    waiting.clock.advance(3600)
    await take_over(waiting.messaging.handover, BOA_VIDA, MARIA, "Bia", "")
    assert (await waiting.messaging.escalating.sweep(), await tasks(waiting)) == (0, ["take_over"])


async def test_the_staffs_phone_hears_no_word_of_the_patients_and_no_reason(waiting: World) -> None:
    def alert(values: Mapping[str, str]) -> str:
        return " · ".join(values.values())

    messaging = waiting.messaging
    parts = (waiting.documents, waiting.directory, messaging.handover, messaging.proactive, waiting.clock)
    await Escalating(*parts, alert=alert).sweep()
    [entry] = await to_phone(waiting)
    assert "diabetes" not in str(entry)
    assert entry["initiative"]["values"]["patient"] == MARIA


async def test_neither_quiet_hours_nor_a_days_limit_hold_back_a_word_to_staff(waiting: World) -> None:
    always_quiet = ProactivePolicy(quiet_start=0, quiet_end=1439, per_day=1)
    await waiting.directory.import_clinic(promising(proactive=always_quiet))
    async with waiting.messaging:
        for contact in (JOAO, Contact("+5511999990003")):
            waiting.receptionist.script.append(said("Já chamo.", takeover_reason="pediu"))
            await waiting.accept(text(f"wamid.{contact}", "alguém?", sender=contact))
            await waiting.idle()
        waiting.clock.advance(20 * 60)
        await waiting.messaging.escalating.sweep()
        await waiting.idle()
        phones = [message for message in waiting.provider.sent if message.to_phone == PHONE]
    assert [message.template.name if message.template else None for message in phones] == ["aviso"] * 3


async def test_who_asks_again_and_for_something_else_waits_since_the_first_time(waiting: World) -> None:
    waiting.clock.advance(-60)
    async with waiting.messaging:
        waiting.receptionist.script.append(said("Isso também.", takeover_reason="quer um recibo"))
        await waiting.accept(text("wamid.9", "e um recibo", at=waiting.clock()))
        await waiting.idle()
    conversation = await waiting.conversation()
    assert (conversation.taken_over_at, conversation.answer_by) == (NOON, NOON + timedelta(minutes=20))
    assert conversation.takeover_reason == "a mãe dela tem diabetes; quer um recibo"
    assert await tasks(waiting) == ["take_over"]


def test_an_urgency_shortens_the_wait_and_an_answer_ends_it() -> None:
    key = ConversationKey(BOA_VIDA, MARIA)
    waits = Conversation(key.clinic_id, key.contact, NOON, NOON).called_person("recibo", NOON, NOON + timedelta(days=2))
    urgent = waits.called_person("URGENTE", NOON, NOON + timedelta(minutes=20))
    taken = urgent.taken_over("", NOON, "Bia")
    assert [each.answer_by for each in (waits, urgent, taken)] == [
        NOON + timedelta(days=2),
        NOON + timedelta(minutes=20),
        None,
    ]
    assert [each.has_person for each in (waits, urgent, taken)] == [False, False, True]


async def test_what_is_told_of_a_phone_that_cannot_be_reached_is_a_task_all_the_same(waiting: World) -> None:
    await waiting.directory.import_clinic(replace(promising(), templates={}))
    assert await waiting.messaging.escalating.sweep() == 1
    assert (await to_phone(waiting), await tasks(waiting)) == ([], ["overdue", "take_over"])
    assert column(await waiting.history(), "author")[-1] == "system"

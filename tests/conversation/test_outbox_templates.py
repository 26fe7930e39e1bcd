"""Outside the service window a template goes, or a clear failure; nothing free-form."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conversation.cast import MARIA, SORRISO, World, column, status
from tests.conversation.openings import OPTIONS, REMINDER, TEMPLATE, look_again, open_window, start, with_template

from gendei.conversation.outbound.gate import TEMPLATE_AGAIN_SECONDS
from gendei.conversation.outbound.proactive import Decline, Declined
from gendei.conversation.outbound.templates import ApprovedTemplate, Templates
from gendei.messages.account_notices import TemplateNotice
from gendei.messages.channels import Permanent, Unknown
from gendei.messages.message import DeliveryState, FailureKind, OutgoingTemplate, StatusUpdate

AS_TEMPLATE = OutgoingTemplate(
    "lembrete_consulta",
    "pt_BR",
    ("Maria Silva", "Consulta", "amanhã, terça-feira, 03/03", "14h"),
    tuple(option.id for option in OPTIONS),
)
CLOSED = Permanent("131047 the window is closed", kind=FailureKind.WINDOW_CLOSED)


@pytest.fixture(autouse=True)
async def template(world: World) -> None:
    await world.directory.import_clinic(with_template())


def templates(world: World) -> list[OutgoingTemplate | None]:
    return [message.template for message in world.provider.sent]


async def test_outside_the_window_the_template_of_the_purpose_goes(world: World) -> None:
    async with world.messaging:
        await start(world)

    assert templates(world) == [AS_TEMPLATE]
    assert [(message["deliveryState"], message["template"]) for message in await world.history()] == [
        ("sent", "lembrete_consulta")
    ]


async def test_the_history_has_what_the_patient_reads_of_it_where_the_text_is_known(world: World) -> None:
    text = "{{1}}, {{2}} {{3}} às {{4}}. Você vem?"
    found = ApprovedTemplate("lembrete_consulta", "pt_BR", "APPROVED", parameters=4, quick_replies=3, text=text)
    await Templates(world.documents, world.clock).sync(with_template(), [found])
    async with world.messaging:
        await start(world)

    assert [message["content"] for message in await world.history()] == [
        "Maria Silva, Consulta amanhã, terça-feira, 03/03 às 14h. Você vem?"
    ]


async def test_inside_the_window_the_free_form_message_goes(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        await start(world)

    assert templates(world) == [None, None]
    assert world.provider.sent[1].reply == REMINDER.reply


async def test_values_are_brought_to_one_line(world: World) -> None:
    broken = replace(REMINDER, values={**REMINDER.values, "patient": "Maria\n\tda     Silva "})
    async with world.messaging:
        await start(world, broken)

    assert [item.parameters[0] for item in templates(world) if item] == ["Maria da Silva"]


async def test_a_template_without_a_value_that_it_needs_fails_with_a_reason(world: World) -> None:
    async with world.messaging:
        await start(world, replace(REMINDER, values={**REMINDER.values, "time": " "}))

    failure = (await world.conversation()).last_failure
    assert (world.provider.sent, failure and failure.reason) == ([], "template_unusable")
    assert column(await world.outbox(), "error") == ["template lembrete_consulta needs time, and there is none"]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({"status": "PAUSED"}, "is PAUSED"),
        ({"status": "MISSING"}, "is MISSING"),
        ({"parameters": 3}, "takes 3 parameters, and the clinic file gives 4"),
        ({"quick_replies": 0}, "has 0 quick replies, and the clinic file says 3"),
        ({"beyond": "a header"}, "needs a header, which Gendei cannot fill"),
    ],
)
async def test_a_template_that_is_not_approved_as_the_clinic_describes_it_is_not_used(
    world: World, found: dict[str, object], why: str
) -> None:
    approved = ApprovedTemplate(TEMPLATE.name, TEMPLATE.language, "APPROVED", parameters=4, quick_replies=3)
    await Templates(world.documents, world.clock).sync(with_template(), [replace(approved, **found)])  # type: ignore[arg-type]  # its fields
    async with world.messaging:
        await start(world)

    assert world.provider.sent == []
    assert column(await world.outbox(), "error") == [f"template lembrete_consulta {why}"]


async def test_an_approved_template_is_used(world: World) -> None:
    approved = ApprovedTemplate(TEMPLATE.name, TEMPLATE.language, "APPROVED", parameters=4, quick_replies=3)
    await Templates(world.documents, world.clock).sync(with_template(), [approved])
    async with world.messaging:
        await start(world)

    assert templates(world) == [AS_TEMPLATE]


async def test_a_window_that_whatsapp_says_is_closed_turns_the_message_into_its_template(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        world.provider.outcomes.append(CLOSED)
        await start(world)

    assert templates(world) == [None, None, AS_TEMPLATE]
    assert column(await world.outbox(), "status") == ["sent", "sent"]


async def test_a_reply_that_meets_a_closed_window_fails_visibly(world: World) -> None:
    world.provider.outcomes.append(CLOSED)
    async with world.messaging:
        await open_window(world)

    failure = (await world.conversation()).last_failure
    assert failure is not None
    assert (len(world.provider.sent), failure.reason, failure.detail) == (1, "window_closed", CLOSED.reason)


async def test_a_status_that_tells_of_the_closed_window_turns_the_message_into_its_template(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        await start(world)
        await world.accept(statuses=[closed_by_status(world, "wamid.out2")])
        await world.idle()

    assert templates(world) == [None, None, AS_TEMPLATE]
    assert (await world.conversation()).last_failure is None


async def test_the_same_status_again_does_not_touch_the_template(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        await start(world)
        for _ in range(2):
            await world.accept(statuses=[closed_by_status(world, "wamid.out2")])
            await world.idle()

    assert (len(world.provider.sent), column(await world.outbox(), "status")) == (3, ["sent", "sent"])


async def test_a_template_that_fails_for_the_window_too_fails_for_good(world: World) -> None:
    async with world.messaging:
        await start(world)
        await world.accept(statuses=[closed_by_status(world, "wamid.out1")])
        await world.idle()

    failure = (await world.conversation()).last_failure
    assert (len(world.provider.sent), failure and failure.reason) == (1, "delivery_failed")


async def test_a_status_of_the_closed_window_that_overtakes_the_answer_still_brings_the_template(world: World) -> None:
    async with world.messaging:
        await open_window(world)
        await world.sending()
        world.provider.free.clear()
        starting = await world.messaging.proactive.send(with_template(), MARIA, REMINDER)
        await world.sending()
        await world.accept(statuses=[closed_by_status(world, "wamid.out2")])
        world.provider.free.set()
        await world.idle()
        await look_again(world)

    assert starting
    assert templates(world) == [None, None, AS_TEMPLATE]
    assert column(await world.outbox(), "status") == ["sent", "sent"]


async def test_a_template_whose_outcome_is_unknown_is_not_sent_before_the_grace(world: World) -> None:
    world.provider.outcomes.append(Unknown("read timeout"))
    async with world.messaging:
        await start(world)
        await look_again(world, 14)
        early = len(world.provider.sent)
        await look_again(world, 2)

    assert (early, templates(world)) == (1, [AS_TEMPLATE, AS_TEMPLATE])


async def test_a_template_that_whatsapp_refuses_is_set_aside_until_it_is_looked_up_again(world: World) -> None:
    world.provider.outcomes.append(Permanent("132015 the template is paused", kind=FailureKind.TEMPLATE))
    async with world.messaging:
        await start(world)
        await start(world)

    errors = column(await world.outbox(), "error")
    assert len(world.provider.sent) == 1
    assert errors == ["132015 the template is paused", "template lembrete_consulta is PAUSED"]


async def test_what_another_process_hears_holds_back_until_it_is_approved_or_of_no_use(world: World) -> None:
    elsewhere = Templates(world.documents, world.clock)
    clinic, useful = with_template(), replace(REMINDER, until=world.clock() + timedelta(hours=2))
    paused = TemplateNotice("555", world.clock(), TEMPLATE.name, TEMPLATE.language, status="PAUSED")
    async with world.messaging:
        await elsewhere.heard(clinic, paused)
        await start(world, useful)
        held = templates(world), column(await world.outbox(), "status")
        again = await elsewhere.heard(clinic, replace(paused, status="APPROVED"))
        await look_again(world, TEMPLATE_AGAIN_SECONDS)
        sent = templates(world)
        await elsewhere.heard(clinic, paused)
        await start(world, useful)
        await look_again(world, 7200)

    assert (held, again, sent) == (([], ["pending"]), True, [AS_TEMPLATE])
    assert (templates(world), column(await world.outbox(), "status")) == ([AS_TEMPLATE], ["sent", "suppressed"])


async def test_the_template_of_one_clinic_is_no_other_clinics(world: World) -> None:
    outsider = await world.directory.get(SORRISO)
    async with world.messaging:
        outcome = await start(world, of=outsider)

    assert (world.provider.sent, outcome) == ([], Declined(Decline.NO_TEMPLATE))


def closed_by_status(world: World, message_id: str) -> StatusUpdate:
    reference = world.provider.sent[-1].reference
    return status(
        message_id,
        DeliveryState.FAILED,
        reference=reference,
        error="131047 Re-engagement message",
        kind=FailureKind.WINDOW_CLOSED,
    )

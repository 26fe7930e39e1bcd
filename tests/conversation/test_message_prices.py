"""What WhatsApp says of a message's price stands with the message, by the write that its delivery costs anyway."""

from tests.conversation.cast import MARIA_HERE, World, status, text

from gendei.messages.message import DeliveryState, MessageCharge

SERVICE, FREE = MessageCharge("service", charged=True, model="PMP"), MessageCharge("service", charged=False)
STORED = {"category": "service", "charged": True, "model": "PMP"}


async def delivered(world: World, *told: tuple[DeliveryState, MessageCharge | None]) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        reference = world.provider.sent[0].reference
        for state, charge in told:
            await world.accept(statuses=[status("wamid.out1", state, reference=reference, charge=charge)])
        await world.idle()


async def test_the_price_that_comes_with_a_delivery_is_kept_and_the_first_one_stays(world: World) -> None:
    await delivered(world, (DeliveryState.DELIVERED, SERVICE), (DeliveryState.READ, FREE))

    [entry] = await world.outbox()
    assert (entry["deliveryState"], entry["charge"]) == ("read", STORED)
    assert [message.get("charge") for message in await world.history(MARIA_HERE)] == [None, STORED]


async def test_a_price_that_comes_with_sent_is_written_with_the_delivery(world: World) -> None:
    await delivered(world, (DeliveryState.SENT, SERVICE), (DeliveryState.DELIVERED, None))

    [entry] = await world.outbox()
    assert (entry["deliveryState"], entry["charge"]) == ("delivered", STORED)


async def test_what_was_never_delivered_has_no_price(world: World) -> None:
    await delivered(world, (DeliveryState.SENT, SERVICE))

    [entry] = await world.outbox()
    assert "charge" not in entry

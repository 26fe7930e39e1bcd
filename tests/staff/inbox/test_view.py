import pytest
from tests.conversation.cast import MARIA, World, said, status, text, wordless
from tests.staff.inbox.desk import BIA, OLGA

from gendei.conversation.files.media import MediaName
from gendei.documents import put
from gendei.errors import NotFound
from gendei.messages.channels import Permanent
from gendei.messages.message import DeliveryState, MessageType
from gendei.messages.replies import Link, Option, Reply
from gendei.messages.turns import ToolStep
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.messages_shown import Item, Who


async def items(desk: FrontDesk) -> tuple[Item, ...]:
    return (await desk.views.view(BIA, MARIA)).items


async def heard(world: World, *messages: object) -> None:
    """Each message in a turn of its own."""
    async with world.messaging:
        for message in messages:
            await world.accept(message)  # type: ignore[arg-type]  # what `text` and `wordless` give
            await world.idle()
            world.clock.advance(1)


async def test_words_of_patient_and_bot_stand_in_order_with_the_tools_that_led_to_them(
    world: World, desk: FrontDesk
) -> None:
    step = ToolStep("get_available_slots", '{"service": "consulta"}')
    world.receptionist.script.append(said("Temos 9h.", steps=(step,)))
    await heard(world, text("wamid.1", "tem horário?"))

    asked, answered = await items(desk)
    assert (asked.who, asked.text, asked.waiting) == (Who.PATIENT, "tem horário?", False)
    assert (answered.who, answered.text, answered.reasons.steps) == (Who.BOT, "Temos 9h.", (step,))


async def test_a_list_and_a_link_stand_as_the_patient_saw_them(world: World, desk: FrontDesk) -> None:
    options = tuple(Option(f"day|{number}", f"Dia {number}", "manhã") for number in range(4))
    outcome = said("Escolha:")
    shown = (Reply("Escolha:", options, "Ver dias"), Reply("Veja:", link=Link("Mapa", "https://example.com/mapa")))
    world.receptionist.script.append(type(outcome)(shown, outcome.agent, outcome.state))
    await heard(world, text("wamid.1", "oi"))

    _, listed, linked = await items(desk)
    assert (listed.list_label, listed.options[0].title, listed.options[0].description) == ("Ver dias", "Dia 0", "manhã")
    assert linked.link == ("Mapa", "https://example.com/mapa")


async def test_a_message_that_waits_for_its_turn_is_shown_last(world: World, desk: FrontDesk) -> None:
    await heard(world, text("wamid.1", "oi"))
    await world.accept(text("wamid.2", "alguém?"))

    assert [(item.text, item.waiting) for item in await items(desk)] == [
        ("oi", False),
        ("re: oi", False),
        ("alguém?", True),
    ]


async def test_what_is_only_waiting_is_a_conversation_already(world: World, desk: FrontDesk) -> None:
    await world.accept(text("wamid.1", "oi"))

    view = await desk.views.view(BIA, MARIA)
    assert ([item.text for item in view.items], view.row.unread, view.free_text) == (["oi"], 1, True)


async def test_ticks_and_the_reason_of_a_failure_are_shown(world: World, desk: FrontDesk) -> None:
    world.provider.outcomes.append(Permanent("131026 undeliverable"))
    await heard(world, text("wamid.1", "oi"), text("wamid.2", "oi?"))
    await world.accept(statuses=[status("wamid.out2", DeliveryState.READ)])

    deliveries = [item.delivery for item in await items(desk) if item.delivery]
    assert [delivery.state for delivery in deliveries] == ["failed", "read"]
    assert deliveries[0].explanation.startswith("O WhatsApp não conseguiu entregar.")
    assert deliveries[1].explanation == ""


async def test_a_reaction_stands_on_its_message_until_it_is_taken_back(world: World, desk: FrontDesk) -> None:
    def reaction(message_id: str, emoji: str | None) -> object:
        return wordless(message_id, MessageType.REACTION, details={"message_id": "wamid.out1", "emoji": emoji})

    await heard(world, text("wamid.1", "oi"), reaction("wamid.2", "👍"))
    assert [item.reactions for item in await items(desk)] == [(), ("👍",)]
    await heard(world, reaction("wamid.3", None))
    assert [item.reactions for item in await items(desk)] == [(), ()]


async def test_what_was_corrected_or_taken_back_shows_both(world: World, desk: FrontDesk) -> None:
    def about(message_id: str, event: str, target: str, **more: str) -> object:
        details = {"event": event, "original_message_id": target, **more}
        return wordless(message_id, MessageType.SYSTEM, details=details)

    await heard(world, text("wamid.1", "as 9"), text("wamid.2", "desculpe"))
    await heard(world, about("wamid.3", "edit", "wamid.1", text="às 10"), about("wamid.4", "revoke", "wamid.2"))

    spoken = [item for item in await items(desk) if item.who is Who.PATIENT]
    assert [(utterance.text, utterance.first_text, utterance.deleted_at is not None) for utterance in spoken] == [
        ("às 10", "as 9", False),
        ("desculpe", None, True),
    ]


async def test_a_file_is_named_once_it_is_stored(world: World, desk: FrontDesk) -> None:
    await heard(world, wordless("wamid.1", MessageType.IMAGE, media_id="m1", mime_type="image/jpeg", caption="exame"))
    path = f"{(await world.conversation()).key.path}/messages/wamid.1"
    (image, _) = await items(desk)
    assert image.media
    assert (image.text, image.media.kind, image.media.state) == ("exame", "image", "fetching")

    found = await world.documents.get(path)
    media = {"state": "stored", "folder": "f", "file": "g", "contentType": "image/jpeg", "bytes": 7}
    await world.documents.commit([put(path, (found.data or {}) | {"media": media})])
    (image, _) = await items(desk)
    assert image.media
    assert (image.media.size, image.media.file) == (7, MediaName(BIA.clinic_id, "f", "g"))


async def test_what_happened_is_told_in_portuguese(world: World, desk: FrontDesk) -> None:
    world.receptionist.script.append(said("Já chamo.", takeover_reason="pediu um atendente"))
    await heard(world, text("wamid.1", "quero uma pessoa"))
    await desk.conversations.take_over(BIA, MARIA)

    assert [item.text for item in await items(desk)] == [
        "quero uma pessoa",
        "Já chamo.",
        "A assistente chamou uma pessoa da equipe.",
        "Bia assumiu a conversa.",
    ]


async def test_pages_lead_to_the_beginning_and_show_everything_once(world: World, desk: FrontDesk) -> None:
    await heard(world, *(text(f"wamid.{number}", f"n{number}") for number in range(1, 6)))

    shown: list[str] = []
    before = None
    while True:
        view = await desk.views.view(BIA, MARIA, before=before, limit=3)
        shown = [item.text for item in view.items] + shown
        before = view.older
        if before is None:
            break
    assert shown == [words for number in range(1, 6) for words in (f"n{number}", f"re: n{number}")]


async def test_the_free_text_ends_with_the_window(world: World, desk: FrontDesk) -> None:
    await heard(world, text("wamid.1", "oi"))
    assert (await desk.views.view(BIA, MARIA)).free_text
    world.clock.advance(24 * 3600)

    assert not (await desk.views.view(BIA, MARIA)).free_text


async def test_a_stranger_and_another_clinic_find_nothing(world: World, desk: FrontDesk) -> None:
    await heard(world, text("wamid.1", "oi"))

    with pytest.raises(NotFound):
        await desk.views.view(OLGA, MARIA)
    for contact in ("+5511900000000", "a/b", "..", "", "\ud800", "x" * 2000):
        with pytest.raises(NotFound):
            await desk.views.view(BIA, contact)

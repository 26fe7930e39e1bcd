"""A patient on the clinic's own web site has the promises of every channel."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, PATIENCE, SORRISO, World, column, said
from tests.handing import send_as_person, take_over

from gendei.channel_kinds import WEB
from gendei.clinic import Channel, Contact, MessageTemplate
from gendei.clinics.directory import Directory
from gendei.conversation.outbound.proactive import Decline, Declined, Opening
from gendei.conversation.site.sittings import Sittings
from gendei.conversation.site.web_channel import MAX_CHARACTERS, ChatMessage, Said, Visitor
from gendei.conversation.stored.history import Author
from gendei.documents import create
from gendei.errors import NotFound
from gendei.messages.replies import Option, Reply
from gendei.providers.web import WebProvider

ANA = Visitor(BOA_VIDA, Contact("web:ana"), name="Ana")
RUI = Visitor(BOA_VIDA, Contact("web:rui"))
PHONE = Contact("+5511999990001")


@pytest.fixture
async def site(documents, directory: Directory) -> World:
    """A process whose first clinic also has a web site."""
    known = await directory.get(BOA_VIDA)
    await directory.import_clinic(replace(known, channels=(*known.channels, Channel(WEB, "boa-vida"))))
    world = World(documents, directory, quiet=PATIENCE * 10)
    world.providers[WEB] = WebProvider()
    return world


async def answered(world: World, visitor: Visitor, message: Said) -> list[ChatMessage]:
    async with asyncio.timeout(PATIENCE), aclosing(world.messaging.web.replies(visitor, message)) as replies:
        return [reply async for reply in replies]


async def tell(world: World, words: str, message_id: str, visitor: Visitor = ANA) -> list[str]:
    world.clock.advance(1)
    message = await world.messaging.web.say(visitor, words, message_id=message_id)
    return [reply.text for reply in await answered(world, visitor, message)]


async def test_what_is_said_is_answered_at_once_and_without_a_quiet_window(site: World) -> None:
    site.receptionist.script.append(said("Bom dia!", "Em que posso ajudar?"))
    async with site.messaging:
        assert await tell(site, "oi", "m1") == ["Bom dia!", "Em que posso ajudar?"]
    assert [(turn.channel, turn.user_name, turn.phone) for turn in site.receptionist.turns] == [("web", "Ana", None)]


async def test_the_same_message_id_is_the_same_message_and_gets_the_same_answer(site: World) -> None:
    async with site.messaging:
        first, again = await tell(site, "oi", "m1"), await tell(site, "oi", "m1")
        await tell(site, "mais uma", "m2")
        assert [first, again, await tell(site, "oi", "m1")] == [["re: oi"]] * 3
    assert site.receptionist.heard() == [("oi",), ("mais uma",)]


async def test_a_message_is_durable_before_anybody_answers_it(site: World) -> None:
    await site.messaging.web.say(ANA, "oi", message_id="m1")
    assert column(await site.inbox(), "status") == ["waiting"]


async def test_a_tap_is_the_choice_behind_it(site: World) -> None:
    options = (Option("do|book", "Marcar"), Option("do|person", "Falar com alguém"))
    site.receptionist.script.append(replace(said("?"), replies=(Reply("Posso ajudar?", options),)))
    async with site.messaging:
        message = await site.messaging.web.say(ANA, "oi", message_id="m1")
        (shown,) = await answered(site, ANA, message)
        tapped = await site.messaging.web.say(ANA, "Marcar", message_id="m2", choice=shown.options[0].id)
        await answered(site, ANA, tapped)
    heard = site.receptionist.turns[-1].inputs[0]
    assert ([option.title for option in shown.options], heard.choice, heard.text) == (
        ["Marcar", "Falar com alguém"],
        "do|book",
        "Marcar",
    )


async def test_while_a_person_owns_the_conversation_only_the_person_answers(site: World) -> None:
    web, handover = site.messaging.web, site.messaging.handover
    async with site.messaging:
        await tell(site, "oi", "m1")
        await take_over(handover, BOA_VIDA, ANA.contact, "Bia", "")
        assert await tell(site, "tem alguém?", "m2") == []
        await send_as_person(handover, BOA_VIDA, ANA.contact, "Bia", "Sou eu, a Bia.")
        await site.idle()
        seen = [(message.author, message.name, message.text) for message in await web.messages(ANA)]
    assert seen == [
        (Author.PATIENT, None, "oi"),
        (Author.BOT, None, "re: oi"),
        (Author.PATIENT, None, "tem alguém?"),
        (Author.STAFF, "Bia", "Sou eu, a Bia."),
    ]


async def test_an_answer_that_a_take_over_kept_back_is_never_shown(site: World) -> None:
    site.receptionist.free.clear()
    async with site.messaging:
        message = await site.messaging.web.say(ANA, "oi", message_id="m1")
        await site.asked()
        await take_over(site.messaging.handover, BOA_VIDA, ANA.contact, "Bia", "")
        site.receptionist.free.set()
        assert await answered(site, ANA, message) == []


async def test_who_follows_sees_both_sides_once_and_what_staff_write(site: World) -> None:
    async with site.messaging, aclosing(site.messaging.web.follow(ANA)) as news, asyncio.timeout(PATIENCE):
        await tell(site, "oi", "m1")
        seen = list(await anext(news))
        while len(seen) < 2:
            seen += await anext(news)
        await send_as_person(site.messaging.handover, BOA_VIDA, ANA.contact, "Bia", "Olá")
        seen += await anext(news)
    assert [(message.text, message.message_id) for message in seen] == [("oi", "m1"), ("re: oi", None), ("Olá", None)]


async def test_who_is_vouched_for_by_phone_has_one_conversation_everywhere(site: World) -> None:
    vouched = Visitor(BOA_VIDA, Contact("+551199990001"), "+551199990001")  # as it was dialled before the ninth digit
    async with site.messaging:
        await tell(site, "oi", "m1", vouched)
        assert [message.text for message in await site.messaging.web.messages(vouched)] == ["oi", "re: oi"]
    assert [turn.contact for turn in site.receptionist.turns] == [Contact("+5511999990001")] != [vouched.contact]


async def test_two_first_messages_at_once_are_one_sitting_also_when_the_later_one_is_told_first(site: World) -> None:
    late = World(site.documents, site.directory)
    late.clock.advance(-2)  # its message is stamped first, and stored last
    late.providers[WEB] = WebProvider()
    sittings, ids = Sittings(site.messaging.web, site.documents), []
    async with site.messaging, late.messaging:
        for world, words in ((site, "segunda"), (late, "primeira")):
            message = await world.messaging.web.say(ANA, words, message_id=words)
            await answered(world, ANA, message)
            (sitting,) = await sittings.newest(ANA, None, 5)
            ids.append(sitting.id)
    assert (ids[0], sitting.messages) == (ids[1], 4)


async def test_the_id_of_a_sitting_stays_good_when_it_is_seen_to_have_begun_earlier(site: World) -> None:
    sittings = Sittings(site.messaging.web, site.documents)
    async with site.messaging:
        await tell(site, "oi", "m1")
        (told,) = await sittings.newest(ANA, None, 5)
        path = (await site.conversation(ANA.key)).key.message_path("earlier")
        earlier = {
            "author": "bot",
            "content": "Bom dia!",
            "type": "text",
            "timestamp": told.started_at - timedelta(1e-5),
        }
        await site.documents.commit([create(path, earlier)])
        shown = [message.text for message in await sittings.messages(ANA, told.id, None, 10)]
        with pytest.raises(NotFound):
            await sittings.messages(RUI, told.id, None, 10)
    assert shown == ["Bom dia!", "oi", "re: oi"]


async def test_another_visitor_and_another_clinic_see_and_swallow_nothing(site: World) -> None:
    other_clinic = replace(ANA, clinic_id=SORRISO)
    async with site.messaging:
        await tell(site, "oi", "m1")
        assert await tell(site, "sou outro", "m1", RUI) == ["re: sou outro"]
        with pytest.raises(NotFound):
            await site.messaging.web.say(other_clinic, "oi", message_id="m1")
        assert [
            await site.messaging.web.messages(value) for value in (other_clinic, Visitor(BOA_VIDA, PHONE, PHONE))
        ] == [
            [],
            [],
        ]
        assert [message.text for message in await site.messaging.web.messages(RUI)] == ["sou outro", "re: sou outro"]


@pytest.mark.parametrize(
    ("words", "message_id", "choice"),
    [
        ("", "m1", None),
        ("  \n", "m1", None),
        ("a" * (MAX_CHARACTERS + 1), "m1", None),
        ("PK\x03\x04\x00\x00", "m1", None),
        ("oi", "", None),
        ("oi", "../m1", None),
        ("oi", "m1", ""),
        ("oi", "m1", "x" * 201),
    ],
)
async def test_what_is_no_message_is_refused(site: World, words: str, message_id: str, choice: str | None) -> None:
    with pytest.raises(ValueError, match="a message"):
        await site.messaging.web.say(ANA, words, message_id=message_id, choice=choice)
    assert await site.inbox() == []


async def test_the_last_ten_messages_are_told_with_the_next_one(site: World) -> None:
    async with site.messaging:
        for number in range(7):
            await tell(site, f"mensagem {number}", f"m{number}")
    told = [message["content"] for message in site.receptionist.turns[-1].history]
    assert (len(told), told[0]) == (10, "mensagem 1")


@pytest.mark.parametrize(
    ("visitor", "outcome"), [(ANA, Declined(Decline.NO_CHANNEL)), (Visitor(BOA_VIDA, PHONE, PHONE), "meta")]
)
async def test_a_web_site_calls_nobody_but_a_phone_is_reached_by_its_number(
    site: World, visitor: Visitor, outcome: object
) -> None:
    clinic = await site.directory.get(BOA_VIDA)
    template = MessageTemplate("lembrete")
    async with site.messaging:
        await tell(site, "oi", "m1", visitor)
    opening = Opening("reminder", Reply("Amanhã às 9h."))
    queued = await site.messaging.proactive.send(
        replace(clinic, templates={"reminder": template}), visitor.contact, opening
    )
    sent = [entry["provider"] for entry in await site.outbox() if entry["initiative"]]
    assert (queued if isinstance(queued, Declined) else sent[0]) == outcome
    assert (await site.conversation(visitor.key)).window_ends_at is None

"""The clinic's own phone: what staff write there takes the conversation over, and what we sent ourselves does not."""

from tests.conversation.cast import BOA_VIDA, MARIA, MARIA_HERE, MARIA_THERE, NOON, World, column, said, text
from tests.handing import hand_back, send_as_person, take_over

from gendei.clinic import Contact
from gendei.messages.channels import Unknown
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Echo, Received
from gendei.messages.replies import Option, Pin, Reply
from gendei.messages.turns import TurnOutcome


def echo(words: str = "Oi, aqui é a Bia.", *, message_id: str = "wamid.echo", to: Contact = MARIA) -> Echo:
    return Echo(message_id, to, NOON, words)


async def accept(world: World, *echoes: Echo, number: str = "1001") -> None:
    await world.messaging.inbox.accept("meta", [Received(number, echoes=echoes)])


async def test_a_message_from_the_clinics_phone_takes_the_conversation_over(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo())
        await world.idle()
        await world.accept(text("wamid.2", "tudo bem?"))
        await world.idle()

    conversation = await world.conversation()
    assert conversation.is_human_takeover
    assert (conversation.taken_over_by, conversation.takeover_reason) == (
        "celular da clínica",
        "respondeu pelo celular da clínica",
    )
    assert world.provider.texts() == ["re: oi"]


async def test_it_is_kept_as_the_words_of_staff(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo())
        await world.idle()

    kept = next(message for message in await world.history() if message["id"] == "wamid.echo")
    assert [kept[name] for name in ("author", "authorName", "role", "content")] == [
        "staff",
        "celular da clínica",
        "assistant",
        "Oi, aqui é a Bia.",
    ]
    assert (await world.conversation()).messages[-1]["content"] == "Oi, aqui é a Bia."


async def test_however_often_it_is_delivered_it_counts_once(world: World) -> None:
    async with world.messaging:
        for _ in range(3):
            await accept(world, echo())
            await world.idle()
        await hand_back(world.messaging.handover, BOA_VIDA, MARIA, "Bia")
        await accept(world, echo())
        await world.idle()

    assert not (await world.conversation()).is_human_takeover
    assert column(await world.history(), "content").count("Oi, aqui é a Bia.") == 1


async def test_what_we_sent_ourselves_takes_nothing_over(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo("re: oi, em outras palavras", message_id="wamid.out1"))
        await world.idle()

    assert not (await world.conversation()).is_human_takeover
    assert len(await world.history()) == 2


async def test_an_echo_that_is_faster_than_the_answer_to_its_send_is_known_by_its_words(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        await accept(world, echo("re: oi", message_id="wamid.out1"))
        await world.messaging.echoes.idle()
        world.provider.free.set()
        await world.idle()

    assert not (await world.conversation()).is_human_takeover
    assert [(entry["status"], entry["providerMessageId"]) for entry in await world.outbox()] == [("sent", "wamid.out1")]


async def test_an_echo_in_other_words_waits_for_the_answer_to_the_send(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        await accept(world, echo("1. sim 2. não", message_id="wamid.out1"))
        await world.messaging.echoes.idle()
        world.provider.free.set()
        await world.messaging.outbox.idle()
        world.messaging.echoes.notify(MARIA_HERE)
        await world.idle()

    assert not (await world.conversation()).is_human_takeover


async def test_options_that_follow_the_text_on_the_channel_do_not_make_it_a_persons(world: World) -> None:
    question = Reply("Qual dia?", (Option("a", "Hoje"), Option("b", "Amanhã")))
    world.receptionist.script.append(TurnOutcome((question,), "greeter", {}))
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        await accept(world, echo("Qual dia?\n\n1. Hoje\n2. Amanhã", message_id="wamid.out1"))
        await world.messaging.echoes.idle()
        world.provider.free.set()
        await world.idle()

    assert not (await world.conversation()).is_human_takeover


async def test_a_pin_that_comes_back_without_our_text_is_ours(world: World) -> None:
    pin = Pin(-23.5614, -46.6559, "Boa Vida", "Rua das Flores, 100")
    world.receptionist.script.append(TurnOutcome((Reply("Ficamos aqui", pin=pin),), "greeter", {}))
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.sending()
        await accept(world, echo("[location] Boa Vida", message_id="wamid.out1"))
        await world.messaging.echoes.idle()
        world.provider.free.set()
        await world.idle()

    assert not (await world.conversation()).is_human_takeover
    assert [(entry["status"], entry["providerMessageId"]) for entry in await world.outbox()] == [("sent", "wamid.out1")]


async def test_an_echo_settles_a_send_whose_outcome_nobody_knew(world: World) -> None:
    world.provider.outcomes.append(Unknown("time-out"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo("re: oi", message_id="wamid.out1"))
        await world.idle()
        world.clock.advance(3600)
        world.messaging.outbox.notify(MARIA_HERE)
        await world.idle()

    assert len(world.provider.sent) == 1
    assert column(await world.outbox(), "status") == ["sent"]


async def test_a_person_who_answers_while_the_bot_thinks_is_the_only_one_to_answer(world: World) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.asked()
        await accept(world, echo())
        await world.messaging.echoes.idle()
        world.receptionist.free.set()
        await world.idle()

    assert world.provider.sent == []
    assert [message["content"] for message in await world.history() if message["role"] == "user"] == ["oi"]


async def test_a_conversation_that_staff_begin_is_theirs(world: World) -> None:
    async with world.messaging:
        await accept(world, echo())
        await world.idle()
        await world.accept(text("wamid.1", "oi Bia"))
        await world.idle()
        await send_as_person(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "Pode vir às 10h.")
        await world.idle()

    assert world.receptionist.turns == []
    assert [(request.to_phone, request.reply.text) for request in world.provider.sent] == [(MARIA, "Pode vir às 10h.")]


async def test_whoever_of_the_staff_has_it_keeps_it(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await take_over(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "ligação")
        await accept(world, echo())
        await world.idle()

    conversation = await world.conversation()
    assert (conversation.taken_over_by, conversation.takeover_reason, conversation.unread) == ("Bia", "ligação", 0)


async def test_what_a_dead_process_left_is_found_by_the_next(world: World) -> None:
    await accept(world, echo())

    other = world.another()
    async with other.messaging:
        await other.messaging.echoes.sweep()
        await other.idle()

    assert (await other.conversation()).is_human_takeover


async def test_an_echo_to_the_short_form_of_a_number_is_to_the_same_patient(world: World) -> None:
    full, short = ConversationKey(BOA_VIDA, Contact("+5511988887777")), Contact("+551188887777")
    async with world.messaging:
        await world.accept(text("wamid.1", sender=full.contact))
        await world.idle()
        await accept(world, echo(to=short))
        await world.idle()

    assert (await world.conversation(full)).is_human_takeover


async def test_another_clinic_and_its_patients_notice_nothing(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo(), number="2002")
        await accept(world, echo(message_id="wamid.out1"), number="2002")
        await world.idle()

    assert not (await world.conversation()).is_human_takeover
    assert (await world.conversation(MARIA_THERE)).is_human_takeover


async def test_who_waits_for_a_person_is_answered_from_the_clinics_phone(world: World) -> None:
    world.receptionist.script.append(said("Chamei alguém.", takeover_reason="pediu"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await accept(world, echo())
        await world.idle()

    [task] = await world.all(f"gendei_clinics/{BOA_VIDA}/tasks", "createdAt")
    assert (task["status"], task["completedBy"]) == ("completed", "celular da clínica")

from dataclasses import replace

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NOON, SORRISO, World, clinic, column, said, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, READER, actions_in_audit, employ

from gendei.clinic import MessageTemplate
from gendei.conversation.outbound.proactive import Decline, Declined, Queued
from gendei.conversation.outbound.templates import ApprovedTemplate, Templates
from gendei.errors import NotFound
from gendei.messages.channels import WindowClosed
from gendei.messages.replies import Option, Reply
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.actions import MAX_LABEL, MAX_LABELS, MAX_QUEUED, TooMuch
from gendei.staff.inbox.messages_shown import Delivery, Who
from gendei.staff.inbox.rows import InboxFilter, Row, State


@pytest.fixture
async def met(world: World) -> World:
    """Maria wrote to Boa Vida, and was answered."""
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria Silva"))
        await world.idle()
    return world


async def row(desk: FrontDesk) -> Row:
    return (await desk.views.view(BIA, MARIA)).row


async def test_taking_over_and_handing_back_stand_in_the_audit(met: World, desk: FrontDesk) -> None:
    await desk.conversations.take_over(BIA, MARIA, "dúvida sobre convênio")
    assert ((await row(desk)).state, (await row(desk)).taken_over_by) == (State.PERSON, "Bia")
    await desk.conversations.hand_back(CAIO, MARIA, "já tem convênio")

    assert (await row(desk)).state is State.BOT
    assert await actions_in_audit(met, BIA) == [
        ("Bia", "conversation.taken_over", MARIA),
        ("Caio", "conversation.handed_back", MARIA),
    ]


async def test_the_bot_knows_the_note_of_the_hand_back(met: World, desk: FrontDesk) -> None:
    await desk.conversations.take_over(BIA, MARIA)
    await desk.conversations.hand_back(BIA, MARIA, "já pagou o sinal")
    async with met.messaging:
        await met.accept(text("wamid.2", "obrigada"))
        await met.idle()

    note = met.receptionist.turns[-1].history[-1]
    assert (note["role"], note["content"]) == ("system", "já pagou o sinal")


async def test_handing_back_what_the_bot_has_leaves_no_trace(met: World, desk: FrontDesk) -> None:
    await desk.conversations.hand_back(BIA, MARIA, "nada")

    assert await actions_in_audit(met, BIA) == []


async def test_the_answer_that_the_bot_is_thinking_of_is_not_sent_after_a_take_over(
    met: World, desk: FrontDesk
) -> None:
    async with met.messaging:
        await met.asked()
        met.receptionist.free.clear()
        await met.accept(text("wamid.2", "pode marcar"))
        await met.asked()
        await desk.conversations.take_over(BIA, MARIA)
        met.receptionist.free.set()
        await met.idle()

    assert met.provider.texts() == ["re: oi"]


async def test_a_first_message_can_be_taken_over_while_the_bot_is_thinking_of_its_answer(
    world: World, desk: FrontDesk
) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.asked()
        await desk.conversations.take_over(BIA, MARIA)
        await desk.conversations.send(BIA, MARIA, Reply("Oi! Aqui é a Bia."))
        world.receptionist.free.set()
        await world.idle()

    view = await desk.views.view(BIA, MARIA)
    assert world.provider.texts() == ["Oi! Aqui é a Bia."]
    assert (view.row.state, view.row.unread) == (State.PERSON, 1)
    assert "oi" in [item.text for item in view.items]


async def test_a_person_sends_buttons_and_owns_the_conversation(met: World, desk: FrontDesk) -> None:
    reply = Reply("Pode ser?", (Option("s", "Sim"), Option("n", "Não")))
    async with met.messaging:
        message_id = await desk.conversations.send(BIA, MARIA, reply)
        await met.idle()

    item = next(entry for entry in (await desk.views.view(BIA, MARIA)).items if entry.id == message_id)
    assert met.provider.sent[-1].reply == reply
    assert (item.name, [option.title for option in item.options]) == ("Bia", ["Sim", "Não"])
    assert (await row(desk)).state is State.PERSON
    assert ("Bia", "conversation.message_sent", MARIA) in await actions_in_audit(met, BIA)


async def test_outside_of_the_window_text_waits_until_the_patient_writes_again(met: World, desk: FrontDesk) -> None:
    met.clock.advance(25 * 3600)
    assert not (await desk.views.view(BIA, MARIA)).free_text
    with pytest.raises(WindowClosed):
        await desk.conversations.send(BIA, MARIA, Reply("Seu exame chegou."))
    await desk.conversations.queue(BIA, MARIA, "Seu exame chegou.")
    assert [(item.text, item.delivery and item.delivery.state) for item in (await desk.views.view(BIA, MARIA)).items][
        -1
    ] == ("Seu exame chegou.", "queued")

    async with met.messaging:
        await met.idle()
        assert met.provider.texts() == ["re: oi"]
        await met.accept(text("wamid.2", "oi de novo", at=met.clock()))
        await met.idle()

    assert met.provider.texts() == ["re: oi", "Seu exame chegou.", "re: oi de novo"]
    assert (await row(desk)).queued == 0


async def test_what_waits_can_be_taken_back(met: World, desk: FrontDesk) -> None:
    waiting = await desk.conversations.queue(BIA, MARIA, "Seu exame chegou.")
    await desk.conversations.unqueue(CAIO, MARIA, waiting)

    assert (await row(desk)).queued == 0
    with pytest.raises(NotFound):
        await desk.conversations.unqueue(CAIO, MARIA, waiting)


async def test_only_so_much_waits(met: World, desk: FrontDesk) -> None:
    for number in range(MAX_QUEUED):
        await desk.conversations.queue(BIA, MARIA, f"aviso {number}")

    with pytest.raises(TooMuch):
        await desk.conversations.queue(BIA, MARIA, "mais um")


async def test_without_a_template_nothing_can_be_started(met: World, desk: FrontDesk) -> None:
    met.clock.advance(25 * 3600)

    assert await desk.conversations.begin(BIA, MARIA, "Olá!") == Declined(Decline.NO_TEMPLATE)
    assert await actions_in_audit(met, BIA) == []


async def test_a_template_begins_again_outside_of_the_window_and_stands_in_the_audit(
    met: World, desk: FrontDesk
) -> None:
    template = MessageTemplate("equipe", parameters=("patient", "clinic_name"))
    await met.directory.import_clinic(replace(clinic(BOA_VIDA), templates={"staff_message": template}))
    met.clock.advance(25 * 3600)
    async with met.messaging:
        queued = await desk.conversations.begin(BIA, MARIA, "Seu exame chegou.", "Maria")
        await met.idle()

    assert isinstance(queued, Queued)
    sent = met.provider.sent[-1].template
    assert sent is not None
    assert (sent.name, sent.parameters) == ("equipe", ("Maria", "Clínica boa-vida"))
    assert await actions_in_audit(met, BIA) == [("Bia", "conversation.message_sent", MARIA)]


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        ("Olá, {{1}}! Aqui é da {{2}}. Podemos falar?", "Olá, Maria! Aqui é da Clínica boa-vida. Podemos falar?"),
        (None, "[equipe] Maria · Clínica boa-vida"),
    ],
)
async def test_of_a_template_staff_see_what_the_patient_reads_and_their_own_words_wait_for_the_answer(
    met: World, desk: FrontDesk, known: str | None, shown: str
) -> None:
    template = MessageTemplate("equipe", parameters=("patient", "clinic_name"))
    home = replace(clinic(BOA_VIDA), templates={"staff_message": template})
    await met.directory.import_clinic(home)
    if known:
        found = [ApprovedTemplate("equipe", "pt_BR", "APPROVED", parameters=2, text=known)]
        await Templates(met.documents, met.clock).sync(home, found)
    met.clock.advance(25 * 3600)

    async def said() -> list[str]:
        items = (await desk.views.view(CAIO, MARIA)).items
        return [
            item.text
            for item in items
            if item.who is Who.PERSON and item.kind != "event" and item.delivery != Delivery("queued")
        ]

    async with met.messaging:
        await desk.conversations.begin(BIA, MARIA, "Seu exame chegou.", "Maria")
        before = await said()
        await met.idle()
        assert await said() == [shown]
        if known:  # else the own words stand there until the provider has the template
            assert before == [shown]
        assert "Seu exame chegou." not in str(met.provider.sent)
        assert (await row(desk)).queued == 1
        await met.accept(text("wamid.2", "oi, podemos", at=met.clock()))
        await met.idle()
        assert await said() == [shown, "Seu exame chegou."]


async def test_notes_are_for_colleagues_alone(met: World, desk: FrontDesk) -> None:
    async with met.messaging:
        await desk.conversations.add_note(BIA, MARIA, "prefere a Dra. Ana")
        await met.accept(text("wamid.2", "oi?"))
        await met.idle()

    notes = [(item.name, item.text) for item in (await desk.views.view(CAIO, MARIA)).items if item.kind == "note"]
    assert notes == [("Bia", "prefere a Dra. Ana")]
    assert "prefere a Dra. Ana" not in str(met.provider.sent) + str(met.receptionist.turns)


async def test_a_conversation_is_assigned_to_a_colleague_and_to_nobody_else(met: World, desk: FrontDesk) -> None:
    await employ(met, BIA, CAIO, OLGA)
    await desk.conversations.assign(BIA, MARIA, CAIO.user_id)

    assert [colleague.name for colleague in await desk.colleagues.list(BIA)] == ["Bia", "Caio"]
    assert (await row(desk)).assigned_name == "Caio"
    assert [item.contact for item in (await desk.inbox.list(CAIO, InboxFilter(assigned_to=CAIO.user_id))).rows] == [
        MARIA
    ]
    with pytest.raises(NotFound):
        await desk.conversations.assign(BIA, MARIA, OLGA.user_id)
    await desk.conversations.assign(CAIO, MARIA, None)
    assert (await row(desk)).assigned_to is None


async def test_labels_are_cleaned_and_limited(met: World, desk: FrontDesk) -> None:
    await desk.conversations.set_labels(BIA, MARIA, ["  orçamento ", "vip", "vip", ""])

    assert (await row(desk)).labels == ("orçamento", "vip")
    with pytest.raises(TooMuch):
        await desk.conversations.set_labels(BIA, MARIA, ["x" * (MAX_LABEL + 1)])
    with pytest.raises(TooMuch):
        await desk.conversations.set_labels(BIA, MARIA, [f"n{number}" for number in range(MAX_LABELS + 1)])


async def test_what_is_closed_opens_again_with_the_next_message_and_the_bot_answers(
    met: World, desk: FrontDesk
) -> None:
    await desk.conversations.take_over(BIA, MARIA)
    await desk.conversations.close(BIA, MARIA)
    assert (await desk.inbox.list(BIA)).rows == ()
    async with met.messaging:
        await met.accept(text("wamid.2", "mais uma coisa"))
        assert [item.state for item in (await desk.inbox.list(BIA)).rows] == [State.BOT]
        await met.idle()

    assert met.provider.texts() == ["re: oi", "re: mais uma coisa"]
    assert [item.state for item in (await desk.inbox.list(BIA)).rows] == [State.BOT]


async def test_what_was_closed_by_mistake_is_opened_again(met: World, desk: FrontDesk) -> None:
    await desk.conversations.close(BIA, MARIA)
    await desk.conversations.reopen(CAIO, MARIA)

    assert (await row(desk)).state is State.BOT
    assert column([{"a": entry[1]} for entry in await actions_in_audit(met, BIA)], "a") == [
        "conversation.closed",
        "conversation.reopened",
    ]


async def test_opening_counts_as_reading_and_the_audit_knows_it(met: World, desk: FrontDesk) -> None:
    assert (await row(desk)).unread == 1
    await desk.conversations.open(READER, MARIA)
    await desk.conversations.see(READER, MARIA)

    assert (await row(desk)).unread == 0
    assert await actions_in_audit(met, BIA) == [("Painel", "conversation.read", MARIA)]


async def test_who_may_only_read_changes_nothing(met: World, desk: FrontDesk) -> None:
    do = desk.conversations
    for attempt in (
        do.take_over(READER, MARIA),
        do.hand_back(READER, MARIA),
        do.assign(READER, MARIA, None),
        do.add_note(READER, MARIA, "x"),
        do.set_labels(READER, MARIA, ["x"]),
        do.close(READER, MARIA),
        do.reopen(READER, MARIA),
        do.send(READER, MARIA, Reply("x")),
        do.begin(READER, MARIA, "x"),
        do.queue(READER, MARIA, "x"),
        do.unqueue(READER, MARIA, "x"),
    ):
        with pytest.raises(Forbidden):
            await attempt
    assert await actions_in_audit(met, BIA) == []


async def test_for_the_other_clinic_there_is_no_such_conversation(met: World, desk: FrontDesk) -> None:
    do = desk.conversations
    before = await met.conversation()
    for attempt in (
        do.open(OLGA, MARIA),
        do.see(OLGA, MARIA),
        do.take_over(OLGA, MARIA),
        do.hand_back(OLGA, MARIA),
        do.assign(OLGA, MARIA, None),
        do.add_note(OLGA, MARIA, "x"),
        do.set_labels(OLGA, MARIA, ["x"]),
        do.close(OLGA, MARIA),
        do.reopen(OLGA, MARIA),
        do.send(OLGA, MARIA, Reply("x")),
        do.queue(OLGA, MARIA, "x"),
        do.unqueue(OLGA, MARIA, "x"),
        desk.views.view(OLGA, MARIA),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await met.conversation() == before


async def test_the_bot_gets_a_conversation_back_after_twelve_hours_without_a_persons_word(
    met: World, desk: FrontDesk
) -> None:
    await desk.conversations.take_over(BIA, MARIA)
    met.clock.advance(11 * 3600)
    await desk.conversations.send(BIA, MARIA, Reply("Ainda estou vendo."))
    met.clock.advance(11 * 3600)
    assert await met.messaging.returning.sweep() == 0
    met.clock.advance(3600)
    assert [await item.messaging.returning.sweep() for item in (met, met.another())] == [1, 0]

    async with met.messaging:
        await met.accept(text("wamid.2", "e então?"))
        await met.idle()
    last = [item.text for item in (await desk.views.view(BIA, MARIA)).items if item.kind == "event"][-1]
    assert last.startswith("A conversa voltou para a assistente")
    assert (await row(desk)).state is State.BOT
    assert met.receptionist.turns[-1].history[-1]["content"].startswith("Ninguém da equipe escreveu")


async def test_who_asked_for_a_person_is_answered_by_the_bot_again_and_still_waits_for_one(
    world: World, desk: FrontDesk
) -> None:
    world.receptionist.script.append(said("Já chamo.", takeover_reason="pediu um atendente"))
    async with world.messaging:
        await world.accept(text("wamid.1", "quero uma pessoa"))
        await world.idle()
        world.clock.advance(13 * 3600)
        await world.messaging.returning.sweep()
        await world.accept(text("wamid.2", "alguém?"))
        await world.idle()

    assert world.provider.texts() == ["Já chamo.", "re: alguém?"]
    assert ((await row(desk)).state, (await row(desk)).waiting_since) == (State.WAITING, NOON)


async def test_messages_of_another_patient_stay_out_of_it(met: World, desk: FrontDesk) -> None:
    async with met.messaging:
        await met.accept(text("wamid.2", "oi", sender=JOAO))
        await met.accept(text("wamid.3", "oi", sender=JOAO), clinic_id=SORRISO)
        await met.idle()
        await desk.conversations.take_over(BIA, MARIA)
        await met.accept(text("wamid.4", "e eu?", sender=JOAO))
        await met.idle()

    assert met.provider.texts()[-1] == "re: e eu?"
    assert [item.contact for item in (await desk.inbox.list(OLGA)).rows] == [JOAO]

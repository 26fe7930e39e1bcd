"""The inbox's commands in the words of staff, without a model: nothing without a yes, and of no other clinic."""

from dataclasses import replace
from datetime import datetime

import pytest
from tests.assistant.conftest import BIA, MARIA, OLGA, RUI, Desk
from tests.journeys.town import AURORA

from gendei.clinic import Contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import put
from gendei.messages.keys import ConversationKey
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role

ANA, JOAO = "+5511999990003", "+5511999990005"


async def conversations(desk: Desk) -> None:
    """Of Maria, Ana and João, with staff who may get them."""
    for contact, name in ((MARIA, "Maria Silva"), (ANA, "Ana Lima"), (JOAO, "João Souza")):
        await desk.converse(contact)
        here = await stored(desk, contact)
        await desk.gendei.documents.commit([put(key(contact).path, CONVERSATION.write(replace(here, user_name=name)))])
    for owned in (BIA, RUI):
        user = User(owned.user_id, owned.name, Role.ATENDENTE, owned.clinic_id, desk.clock(), "-")
        await desk.gendei.documents.commit([put(user_path(user.id), USER.write(user))])


def key(contact: str) -> ConversationKey:
    return ConversationKey(AURORA, Contact(contact))


async def stored(desk: Desk, contact: str) -> Conversation:
    return CONVERSATION.read((await desk.gendei.documents.get(key(contact).path)).data)


async def states(desk: Desk) -> dict[str, tuple[datetime | None, bool, str | None]]:
    """Until when each is put off, whether it is closed, and who looks after it."""
    found = {contact: await stored(desk, contact) for contact in (MARIA, ANA, JOAO)}
    return {
        contact: (each.snoozed_until, each.closed_at is not None, each.assigned_to) for contact, each in found.items()
    }


AS_BEFORE: tuple[None, bool, None] = (None, False, None)
AT_NINE, AT_EIGHT = (datetime.fromisoformat(f"2026-11-24T{hour}:00:00-03:00") for hour in ("09", "08"))
DONE = [
    (
        ["adia a conversa da Maria para amanhã às 9h"],
        f"Vou adiar a conversa de Maria Silva ({MARIA}), até amanhã, terça-feira, 24/11, às 9h. Confirma?",
        {MARIA: (AT_NINE, False, None)},
    ),
    (
        ["adia a conversa da Maria", "amanhã"],
        f"Vou adiar a conversa de Maria Silva ({MARIA}), até amanhã, terça-feira, 24/11, às 8h. Confirma?",
        {MARIA: (AT_EIGHT, False, None)},
    ),
    (
        ["adia a conversa da Maria para amanhã", "sim", "traz de volta a conversa da Maria"],
        f"Vou trazer de volta a conversa de Maria Silva ({MARIA}). Confirma?",
        {},
    ),
    (
        ["encerra as conversas da Ana e do João"],
        f"Vou encerrar as conversas de: Ana Lima ({ANA}), João Souza ({JOAO}). Confirma?",
        {ANA: (None, True, None), JOAO: (None, True, None)},
    ),
    (
        ["passa a conversa da Ana para o Rui"],
        f"Vou passar as conversas de: Ana Lima ({ANA}), com Rui. Confirma?",
        {ANA: (None, False, RUI.user_id)},
    ),
    (
        ["passa as conversas da Ana e da Maria", "pra mim"],
        f"Vou passar as conversas de: Ana Lima ({ANA}), Maria Silva ({MARIA}), com Bia. Confirma?",
        {ANA: (None, False, BIA.user_id), MARIA: (None, False, BIA.user_id)},
    ),
]


@pytest.mark.parametrize(("messages", "shown", "after"), DONE)
async def test_conversations_are_put_off_closed_and_passed_on_after_a_yes(
    desk: Desk, messages: list[str], shown: str, after: dict[str, object]
) -> None:
    await conversations(desk)
    answer = await desk.say(*messages)
    before = await states(desk)
    assert (answer.message, before | {MARIA: AS_BEFORE}) == (shown, dict.fromkeys(before, AS_BEFORE))
    await desk.say("sim")
    assert await states(desk) == dict.fromkeys(before, AS_BEFORE) | after


async def test_a_conversation_is_begun_with_a_patient_or_a_phone_word_for_word(desk: Desk) -> None:
    await conversations(desk)
    await desk.book("Ana Lima", "10:00", 24, ANA)
    text = "Bom dia! Lembre de trazer os exames, e cancela se não puder."
    for whom in ("a Ana Lima", ANA):
        answer = await desk.say(f"começa uma conversa com {whom}: {text}")
        assert answer.message == f"Vou começar uma conversa com Ana Lima ({ANA}), pelo WhatsApp: “{text}”. Confirma?"
    asked = await desk.say("começa uma conversa com a Ana Lima")
    assert asked.message.startswith("O que devo escrever?")
    assert (await desk.say("Tudo bem?")).message.endswith("pelo WhatsApp: “Tudo bem?”. Confirma?")
    await desk.say("sim")
    assert ("Bia (via assistente)", "conversation.message_sent") in await desk.audited()


async def test_who_may_be_in_danger_is_seen_to_by_who_says_so(desk: Desk) -> None:
    await conversations(desk)
    answer = await desk.say("assume o alerta da Ana")
    assert answer.message == f"Vou assumir o alerta de perigo de Ana Lima ({ANA}). Confirma?"


async def test_nothing_is_done_with_all_of_them_and_nothing_of_another_clinics(desk: Desk) -> None:
    await conversations(desk)
    before = await states(desk)
    assert (await desk.say("encerra todas as conversas")).message.startswith("Não faço isso com tudo de uma vez.")
    for asked in ("encerra a conversa", "adia a conversa", "passa a conversa"):
        answer = await desk.say(f"{asked} da Ana para amanhã", actor=OLGA)
        assert (answer.message, answer.pending) == ("Não achei conversa de “ana”.", None)
    assert await states(desk) == before
    assert (
        await desk.say("passa a conversa da Ana para o Zeca")
    ).message == "Não sei quem é “zeca”. A equipe: Bia, Rui."


async def test_words_of_a_task_are_no_errand_of_the_inbox(desk: Desk) -> None:
    await conversations(desk)
    answer = await desk.say("cria tarefa: encerrar a conversa da Ana e começar uma conversa com o João")
    assert answer.message == (
        "Vou criar a tarefa “Encerrar a conversa da Ana e começar uma conversa com o João”. Confirma?"
    )

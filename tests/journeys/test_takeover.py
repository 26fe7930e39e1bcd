"""A person owns the conversation: the bot is silent, and answers again once it is given back."""

import pytest
from tests.handing import hand_back, send_as_person

CALLED = (
    "Certo! Chamei alguém da nossa equipe, que continua a conversa com você por aqui assim que puder. "
    "Até lá, eu fico em silêncio."
)


@pytest.fixture
async def with_a_person(maria):
    assert await maria.say("quero falar com uma pessoa") == CALLED


async def test_after_the_request_for_a_person_the_bot_is_silent(town, maria, with_a_person):
    for text in ("oi?", "quero marcar uma limpeza amanhã", "1"):
        await maria.say(text)
    assert maria.texts == [CALLED]


async def test_staff_see_who_waits_and_why(town, maria, with_a_person):
    await maria.say("é sobre o meu orçamento")
    seen = await town.conversation(maria.number)
    shown = [seen[name] for name in ("isHumanTakeover", "waitingForPerson", "takeoverReason", "unread")]
    assert (shown, seen["messages"][-1]["content"]) == (
        [True, True, "pediu para falar com uma pessoa", 2],
        "é sobre o meu orçamento",
    )


async def test_a_tap_on_an_old_button_changes_nothing_meanwhile(town, maria, with_a_person):
    await maria.forge("book|limpeza|paula|2026-11-24T15:00")
    assert (maria.texts, await town.agenda_of(maria.number)) == ([CALLED], [])


async def test_after_the_hand_back_the_bot_answers_again(town, maria, with_a_person):
    await maria.say("alô")
    await hand_back(town.gendei.messaging.handover, "aurora", maria.number, "Rosa")
    told = await maria.say("onde fica?")
    assert (told, len(maria.messages)) == ("📍 Rua do Sol, 12, Campinas", 2)


async def test_a_yes_from_before_the_hand_over_is_asked_again(town, maria):
    await maria.say("limpeza amanhã às 15h")
    old_yes = maria.last.options[0][0]
    await maria.say("quero falar com um atendente")
    await hand_back(town.gendei.messaging.handover, "aurora", maria.number, "Rosa")
    asked = await maria.forge(old_yes)
    assert (asked.splitlines()[2], await town.agenda_of(maria.number)) == ("Posso marcar assim?", [])


async def test_what_a_person_writes_reaches_the_patient(town, maria, with_a_person):
    await send_as_person(town.gendei.messaging.handover, "aurora", maria.number, "Rosa", "Oi, Maria, aqui é a Rosa.")
    await town.idle()
    assert maria.texts == [CALLED, "Oi, Maria, aqui é a Rosa."]


async def test_other_conversations_go_on(maria, joao, with_a_person):
    assert (await joao.say("onde fica?"), maria.texts) == ("📍 Rua do Sol, 12, Campinas", [CALLED])


async def test_an_emergency_is_answered_and_handed_over(town, maria):
    told = await maria.say("estou com dor no peito e falta de ar")
    await maria.say("oi")
    seen = await town.conversation(maria.number)
    assert ("192" in told, len(maria.messages), seen["takeoverReason"]) == (
        True,
        1,
        "URGENTE: descreveu sintomas de emergência",
    )

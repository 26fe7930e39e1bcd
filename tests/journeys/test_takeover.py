"""A person has the conversation: the bot is silent, and answers again once it is given back (promise 7)."""

import pytest
from tests.handing import hand_back, send_as_person, take_over


@pytest.fixture
async def with_a_person(town, maria):
    await maria.say("quero falar com uma pessoa")
    await take_over(town.gendei.messaging.handover, "aurora", maria.number, "Rosa", "")
    return list(maria.texts)


async def test_while_a_person_has_it_the_bot_is_silent(town, maria, with_a_person):
    for text in ("oi?", "quero marcar uma limpeza amanhã", "1"):
        await maria.say(text)
    assert maria.texts == with_a_person


async def test_staff_see_who_waits_and_why(town, maria):
    await maria.say("quero falar com uma pessoa")
    await maria.say("é sobre o meu orçamento")
    seen = await town.conversation(maria.number)
    shown = [seen[name] for name in ("isHumanTakeover", "waitingForPerson", "takeoverReason", "unread")]
    assert (shown, seen["messages"][-2]["content"]) == (
        [True, True, "pediu para falar com uma pessoa", 2],
        "é sobre o meu orçamento",
    )


async def test_a_tap_on_an_old_button_changes_nothing_meanwhile(town, maria, with_a_person):
    await maria.forge("book|limpeza|paula|2026-11-24T15:00")
    assert (maria.texts, await town.agenda_of(maria.number)) == (with_a_person, [])


async def test_after_the_hand_back_the_bot_answers_again(town, maria, with_a_person):
    await maria.say("alô")
    await hand_back(town.gendei.messaging.handover, "aurora", maria.number, "Rosa")
    told = await maria.say("onde fica?")
    assert (told, len(maria.messages)) == ("📍 Rua do Sol, 12, Campinas", 2)


async def test_a_yes_from_before_a_person_was_called_is_asked_again(town, maria):
    await maria.say("limpeza amanhã às 15h")
    old_yes = maria.last.options[0][0]
    await maria.say("quero falar com um atendente")
    await maria.say("sim")
    asked = await maria.forge(old_yes)
    assert (asked.splitlines()[2], await town.agenda_of(maria.number)) == ("Posso marcar assim?", [])


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
    assert maria.texts == [*with_a_person, "Oi, Maria, aqui é a Rosa."]


async def test_other_conversations_go_on(maria, joao, with_a_person):
    assert (await joao.say("onde fica?"), maria.texts) == ("📍 Rua do Sol, 12, Campinas", with_a_person)


async def test_an_emergency_is_answered_and_handed_over(town, maria):
    told = await maria.say("estou com dor no peito e falta de ar")
    again = await maria.say("oi")
    seen = await town.conversation(maria.number)
    assert ("192" in told, "192" in again, seen["takeoverReason"]) == (
        True,
        True,
        "URGENTE: descreveu sintomas de emergência",
    )

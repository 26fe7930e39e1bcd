"""Questions are answered from the clinic's own data, in any state of the conversation."""

from dataclasses import replace

import pytest

from gendei.clinic import Contact, Location
from gendei.conversation.site.web_channel import Visitor, shown
from gendei.conversation.stored.history import message_of
from gendei.datafile import data_dir
from gendei.documents import Query
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Link
from gendei.staff.inbox.messages_shown import items_of
from gendei.staff.inbox.texts import InboxTexts

ANSWERS = {
    "quanto custa a limpeza?": "Valores:\n• Limpeza: R$ 180,00",
    "quais são os preços?": "Valores:\n• Limpeza: R$ 180,00\n• Tratamento de canal: R$ 950,00 (sinal de R$ 200,00)",
    "onde fica a clínica?": "📍 Rua do Sol, 12, Campinas",
    "qual o horário de funcionamento?": "Nosso horário:\nsegunda a sexta: 9h às 12h e 14h às 18h",
    "quais serviços vocês fazem?": (
        "O que fazemos:\n• Limpeza (60 min): R$ 180,00\n• Tratamento de canal (60 min): R$ 950,00 (sinal de R$ 200,00)"
    ),
    "quem são os dentistas?": (
        "Nossa equipe:\n• Dra. Paula Lins, Clínica geral, CRO-SP 20001\n• Dr. Caio Prado, Endodontia, CRO-SP 20002"
    ),
    "aceita convênio?": "Convênios que aceitamos: Odontoprev.",
    "posso pagar com pix?": "Formas de pagamento: Pix, dinheiro.",
}


async def test_every_question_about_the_clinic_is_answered(maria):
    assert {question: await maria.say(question) for question in ANSWERS} == ANSWERS


async def test_after_an_answer_the_patient_can_book_or_reach_a_person(maria):
    await maria.say("quanto custa a limpeza?")
    assert maria.options == ["Marcar horário", "Falar com a equipe"]


async def test_a_question_in_the_middle_of_a_booking_does_not_lose_it(town, maria):
    await maria.say("limpeza amanhã às 15h")
    answered = await maria.say("quanto custa mesmo?")
    await maria.tap("Confirmar")
    assert ("R$ 180,00" in answered, await town.agenda_of(maria.number)) == (
        True,
        [("confirmed", "limpeza", "2026-11-24T15:00")],
    )


async def test_each_clinic_answers_with_its_own_facts(maria, dalva):
    asked = "onde fica?"
    assert (await maria.say(asked), await dalva.say(asked)) == (
        "📍 Rua do Sol, 12, Campinas",
        "📍 Avenida das Águas, 7, Manaus",
    )


async def test_what_is_no_text_is_answered_for_what_it_is(town, maria):
    for content in (
        {"type": "audio", "audio": {"id": "1", "mime_type": "audio/ogg", "voice": True}},
        {"type": "image", "image": {"id": "1", "mime_type": "image/jpeg"}},
        {"type": "location", "location": {"latitude": -23.5, "longitude": -46.6}},
    ):
        assert await town.post(town.maker().message(maria.number, content, name=maria.name)) == 200
        await town.idle()
    assert maria.texts == [
        "Ainda não consigo ouvir áudios. Pode escrever para mim, por favor?",
        "Recebi o arquivo, obrigada! Eu não consigo abri-lo, mas a equipe vai ver.",
        "Obrigada pela localização! Nós ficamos aqui: 📍 Rua do Sol, 12, Campinas",
    ]


async def test_a_reaction_alone_is_not_answered(town, maria):
    content = {"type": "reaction", "reaction": {"message_id": "wamid.X", "emoji": "👍"}}
    assert await town.post(town.maker().message(maria.number, content)) == 200
    await town.idle()
    assert maria.messages == []


MAP = "https://www.google.com/maps/search/?api=1&query=-22.905600,-47.060800"


@pytest.fixture
async def placed(town):
    """Aurora has its place on the map."""
    await town.gendei.directory.import_clinic(replace(await town.clinic(), location=Location(-22.9056, -47.0608)))


@pytest.mark.usefixtures("placed")
async def test_where_the_clinic_is_goes_as_one_pin_and_nothing_else(town, maria, dalva):
    await maria.say("onde fica a clínica?")
    await dalva.say("onde fica a clínica?")
    place = {"latitude": -22.9056, "longitude": -47.0608, "name": "Clínica Aurora"}
    assert [message.place for message in maria.messages] == [place | {"address": "Rua do Sol, 12, Campinas"}]
    assert [(message.place, message.text) for message in dalva.messages] == [(None, "📍 Avenida das Águas, 7, Manaus")]


@pytest.mark.usefixtures("placed")
async def test_a_pin_that_meta_refuses_goes_as_text_with_its_map(town, maria):
    town.graph.plain.add(maria.number)
    told = await maria.say("onde fica a clínica?")
    assert (told, len(maria.messages)) == (f"📍 Rua do Sol, 12, Campinas\n\nVer no mapa: {MAP}", 1)


@pytest.mark.usefixtures("placed")
async def test_staff_see_a_pin_and_the_web_site_a_link_to_the_map(town, maria):
    await maria.say("onde fica a clínica?")
    path = ConversationKey(maria.clinic_id, Contact(maria.number)).path
    found = await town.gendei.documents.query(Query(f"{path}/messages", (("author", "==", "bot"),)))
    [seen] = items_of(maria.clinic_id, [message_of(value) for value in found], InboxTexts.load(data_dir("prompts")))
    [chat] = [shown(message_of(value), Visitor(maria.clinic_id, Contact(maria.number))) for value in found]
    assert (seen.type, seen.text, seen.delivery.state) == ("location", "📍 Rua do Sol, 12, Campinas", "sent")
    assert (chat.text, chat.link) == (seen.text, Link("Ver no mapa", MAP))

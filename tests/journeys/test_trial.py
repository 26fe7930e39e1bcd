"""A deployment that is being tried out answers those on its allow-list, and tells others so in one sentence."""

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import open_town

INVITED, OTHER = "+5511999990001", "+5511999990002"
SENTENCE = (
    "Clínica Aurora: este atendimento automático ainda está em teste e, por enquanto, só responde a quem foi convidado."
)


@pytest.fixture
async def town(tmp_path):
    async with open_town(tmp_path, trial_allow=f"{INVITED}, +5511988887777") as opened:
        yield opened


async def test_who_is_invited_is_answered_and_who_is_not_gets_one_sentence_and_books_nothing(town):
    maria, joao = Phone(town, INVITED, "Maria Silva"), Phone(town, OTHER, "João Pedro")
    told = [await joao.say("limpeza amanhã às 15h"), await joao.say("sim")]
    await maria.say("limpeza amanhã às 15h")
    booked = await maria.tap("Confirmar")
    assert (told, booked.splitlines()[0]) == ([SENTENCE] * 2, "✅ Sua consulta está confirmada!")
    assert (len(await town.agenda_of(INVITED)), await town.agenda_of(OTHER)) == (1, [])


async def test_an_invited_phone_may_stand_without_the_ninth_digit(tmp_path):
    async with open_town(tmp_path, trial_allow="+551199990001") as town:
        assert "Limpeza" in await Phone(town, INVITED, "Maria Silva").say("quanto custa a limpeza?")


async def test_danger_is_answered_whoever_writes(town):
    told = await Phone(town, OTHER, "João Pedro").say("não consigo respirar, socorro")
    assert (told != SENTENCE, "192" in told) == (True, True)


async def test_without_a_list_everybody_is_answered(tmp_path):
    async with open_town(tmp_path) as town:
        assert "Limpeza" in await Phone(town, OTHER, "João Pedro").say("quanto custa a limpeza?")

"""What a clinic's knowledge answers to its patients, and what becomes of a question that nothing answers."""

import pytest
from tests.journeys.town import AURORA, BROMELIA

from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase
from gendei.staff.actors import terminal
from gendei.staff.patient_data import Whose

ENTRIES = {
    "estacionamento": (
        ("tem estacionamento?",),
        "Temos estacionamento conveniado na Rua das Acácias, 45, com a primeira hora grátis.",
    ),
    "jejum": (("precisa de jejum para o exame de sangue?",), "Para o exame de sangue são 8 horas de jejum."),
    "ultrassom": (
        ("precisa de jejum para o ultrassom?",),
        "Para o ultrassom de abdome são 6 horas de jejum e bexiga cheia.",
    ),
    "elevador": (("tem elevador?",), "O prédio tem dois elevadores, e a clínica fica no quinto andar."),
}


@pytest.fixture
async def knowing(town) -> KnowledgeBase:
    """Aurora's entries, approved."""
    base = KnowledgeBase(town.gendei.documents, town.gendei.clock)
    clinic = town.gendei.directory.known(AURORA)
    for entry_id, (questions, answer) in ENTRIES.items():
        await base.write(clinic, entry_id, EntryDraft(questions, answer), "Carla")
        await base.approve(clinic, entry_id, 1, "Carla", despite=list(ENTRIES))
    return base


async def test_a_question_gets_the_approved_answer_as_it_stands(maria, knowing):
    assert await maria.say("onde eu estaciono?") == ENTRIES["estacionamento"][1]
    assert maria.options == ["Marcar horário", "Falar com a equipe"]


async def test_between_two_the_patient_chooses(maria, knowing):
    asked = await maria.say("qual o tempo de jejum?")
    answered = await maria.tap("Jejum exame sangue")
    assert (asked, answered) == ("Qual destas é a sua dúvida?", ENTRIES["jejum"][1])


async def test_what_nothing_answers_is_said_and_kept_for_staff(maria, joao, knowing):
    asked = [await phone.say(text) for phone, text in ((maria, "vocês furam orelha?"), (joao, "furam orelha de nenê?"))]
    gaps = [(gap.count, gap.questions) for gap in await knowing.gaps(AURORA)]
    assert all("não" in text for text in asked)
    assert gaps == [(2, ("vocês furam orelha?", "furam orelha de nenê?"))]


async def test_another_clinic_answers_none_of_it_and_keeps_its_own_gap(dalva, knowing):
    answered = await dalva.say("tem elevador no prédio?")
    assert (ENTRIES["elevador"][1] in answered, await knowing.gaps(AURORA)) == (False, [])
    assert [gap.questions for gap in await knowing.gaps(BROMELIA)] == [("tem elevador no prédio?",)]


async def test_a_wish_to_book_goes_before_what_is_known(maria, knowing):
    assert "estacionamento" not in await maria.say("quero marcar uma limpeza amanhã de tarde")


async def test_who_is_erased_takes_along_what_they_asked(town, maria, joao, knowing):
    await maria.say("vocês furam orelha?")
    await joao.say("furam orelha de nenê?")
    await town.gendei.front_desk.patient_data.erase(terminal(AURORA), Whose(contact=joao.number))
    assert [(gap.count, gap.questions) for gap in await knowing.gaps(AURORA)] == [(2, ("vocês furam orelha?",))]

"""What a clinic's knowledge answers to its patients, and what becomes of a question that nothing answers."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.journeys.town import AURORA, BROMELIA

from gendei.documents import put
from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role, terminal
from gendei.staff.patient_data import Whose
from gendei.staff.tasks.expired_entries import ExpiredEntries

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
    assert await maria.say("tem lugar pra deixar o carro?") == ENTRIES["estacionamento"][1]
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


async def test_an_answer_past_its_date_is_said_no_more_and_its_owner_gets_one_task(town, maria, knowing):
    gendei, clinic = town.gendei, town.gendei.directory.known(AURORA)
    carla = User("carla@aurora.test", "Carla", Role.ATENDENTE, AURORA, gendei.clock(), password_hash="")
    await gendei.documents.commit([put(user_path(carla.id), USER.write(carla))])
    yesterday = clinic.local(gendei.clock()).date() - timedelta(days=1)
    draft = EntryDraft(*ENTRIES["elevador"], valid_until=yesterday, version=1)
    await knowing.write(clinic, "elevador", draft, "Carla")
    await knowing.approve(clinic, "elevador", 2, "Carla", despite=list(ENTRIES))
    looks = [ExpiredEntries(gendei.documents, gendei.directory, gendei.clock) for _ in range(2)]
    made = await asyncio.gather(*(look.sweep() for look in looks))
    [task] = (await gendei.tasks.list(terminal(AURORA))).tasks
    assert (sum(made), task.description, task.assigned_name) == (1, "tem elevador?", "Carla")
    assert ENTRIES["elevador"][1] not in await maria.say("tem elevador?")
    await gendei.tasks.delete(terminal(AURORA), task.id)
    assert await ExpiredEntries(gendei.documents, gendei.directory, gendei.clock).sweep() == 0
    assert (await gendei.tasks.list(terminal(BROMELIA))).tasks == ()
    await knowing.write(clinic, "elevador", replace(draft, version=2), "Carla")
    await knowing.approve(clinic, "elevador", 3, "Carla", despite=list(ENTRIES))
    assert await looks[0].sweep() == 1

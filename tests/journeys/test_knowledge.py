"""What a clinic's knowledge answers to its patients, and what becomes of a question that nothing answers."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from time import monotonic

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import call, hand_off, models_of, then
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, open_town

from gendei.documents import put
from gendei.knowledge import knowledge_base
from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role, terminal
from gendei.staff.patient_data import Whose
from gendei.staff.tasks.expired_entries import ExpiredEntries
from gendei.staff.tasks.stored import TaskStatus

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


PARKING = ENTRIES["estacionamento"][1]
LONGEST_WAIT = 3.0
"""Seconds after which every process says what was approved."""


async def approved(town, *ids: str) -> KnowledgeBase:
    """Aurora's entries, approved; those of `ids`, or all."""
    base = KnowledgeBase(town.gendei.documents, town.gendei.clock)
    clinic = town.gendei.directory.known(AURORA)
    for entry_id, (questions, answer) in ENTRIES.items():
        if not ids or entry_id in ids:
            await base.write(clinic, entry_id, EntryDraft(questions, answer), "Carla")
            await base.approve(clinic, entry_id, 1, "Carla", despite=list(ENTRIES))
    return base


@pytest.fixture
async def knowing(town) -> KnowledgeBase:
    return await approved(town)


def later(monkeypatch) -> None:
    """Let the time pass after which every process looks again."""
    monkeypatch.setattr(knowledge_base, "monotonic", lambda: monotonic() + LONGEST_WAIT)


async def test_a_question_gets_the_approved_answer_as_it_stands(maria, knowing):
    assert await maria.say("tem elevador no prédio?") == ENTRIES["elevador"][1]
    assert maria.options == ["Marcar horário", "Falar com a equipe"]


async def test_each_of_several_questions_gets_its_approved_answer(maria, knowing):
    told = await maria.say("tem elevador no prédio? quanto custa a limpeza? e tem estacionamento?")
    parts = [ENTRIES["elevador"][1], "R$", PARKING]
    assert [part for part in parts if part in told] == sorted(parts, key=told.index)


async def test_how_to_get_there_and_work_at_the_clinic_are_asked_of_the_knowledge_first(town, maria):
    base, clinic = await approved(town), town.gendei.directory.known(AURORA)
    answers = {
        "como-chegar": ("como chego de metrô?", "Desça na estação Luz, saída B."),
        "emprego": ("vocês têm vaga de emprego?", "Mande o currículo para rh@aurora.test."),
    }
    for id_, (question, answer) in answers.items():
        await base.write(clinic, id_, EntryDraft((question,), answer), "Carla")
        await base.approve(clinic, id_, 1, "Carla", despite=[*ENTRIES, "como-chegar"])
    assert [await maria.say(question) for question, _ in answers.values()] == [told for _, told in answers.values()]


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
    await knowing.write(clinic, "elevador", replace(draft, version=3, valid_until=None), "Davi")
    await knowing.approve(clinic, "elevador", 4, "Davi", despite=list(ENTRIES))
    assert await looks[1].sweep() == 0
    [task] = (await gendei.tasks.list(terminal(AURORA))).tasks
    assert (task.status, task.completed_by) == (TaskStatus.COMPLETED, "Davi")


async def test_who_retires_an_answer_past_its_date_has_seen_to_it(town, knowing):
    gendei, clinic = town.gendei, town.gendei.directory.known(AURORA)
    yesterday = clinic.local(gendei.clock()).date() - timedelta(days=1)
    draft = EntryDraft(*ENTRIES["elevador"], valid_until=yesterday, version=1)
    await knowing.write(clinic, "elevador", draft, "Carla")
    await knowing.approve(clinic, "elevador", 2, "Carla", despite=list(ENTRIES))
    look = ExpiredEntries(gendei.documents, gendei.directory, gendei.clock)
    assert await look.sweep() == 1
    await knowing.retire(clinic, "elevador", 2)
    await asyncio.gather(*(ExpiredEntries(gendei.documents, gendei.directory, gendei.clock).sweep() for _ in range(2)))
    [task] = (await gendei.tasks.list(terminal(AURORA))).tasks
    assert task.status is TaskStatus.COMPLETED


async def test_who_taps_an_answer_that_was_retired_meanwhile_hears_that_it_is_not_known(
    town, maria, knowing, monkeypatch
):
    await maria.say("qual o tempo de jejum?")
    clinic = town.gendei.directory.known(AURORA)
    for entry_id in ("jejum", "ultrassom"):
        await knowing.retire(clinic, entry_id, 1)
    later(monkeypatch)
    told = await maria.tap("Jejum exame sangue")
    assert ("8 horas" in told, maria.options) == (False, ["Marcar horário", "Falar com a equipe"])


async def test_what_was_approved_in_one_process_is_said_by_another(tmp_path, monkeypatch):
    async with open_town(tmp_path) as town, open_town(tmp_path, outsiders=False) as other:
        here, there = (Phone(each, "+5511999990001", "Maria Silva") for each in (town, other))
        before = await there.say("tem elevador?")
        await approved(town, "elevador")
        later(monkeypatch)
        after = await there.say("vocês têm elevador?")
        await town.idle()
    assert (ENTRIES["elevador"][1] in before, after, here.number) == (False, ENTRIES["elevador"][1], there.number)


async def test_a_model_says_what_it_names_and_never_what_nobody_approved(tmp_path):
    search = call("search_knowledge", question="tem estacionamento?", entry_id=None)
    said = "Temos estacionamento conveniado na Rua das Acácias, 45, com a primeira hora grátis. Quer marcar?"
    wider = [assistant_message("Temos estacionamento, e é grátis o dia todo! [fonte: estacionamento]")]
    invented = [assistant_message("Sim, consertamos óculos na hora. [fonte: oculos]")]
    right = then(lambda _: [assistant_message(f"{said} [fonte: estacionamento]")])
    model = ScriptedModel([hand_off("product_info"), search, right, wider, wider, invented, invented])
    async with open_town(tmp_path, models=models_of(model)) as town:
        await approved(town)
        maria = Phone(town, "+5511999990001", "Maria Silva")
        answered = await maria.say("tem estacionamento?")
        again = await maria.say("mas o estacionamento é de graça?")
        unknown = await maria.say("vocês consertam óculos?")
        dalva = Phone(town, "+5511999990009", "Dalva", BROMELIA)
        gaps = await KnowledgeBase(town.gendei.documents, town.gendei.clock).gaps(AURORA)
        model.extend([hand_off("product_info"), search, [assistant_message(PARKING)], [assistant_message(PARKING)]])
        elsewhere = await dalva.say("tem estacionamento?")
    model.assert_complete()
    assert answered == said
    assert ("o dia todo" in again, "na hora" in unknown, "Acácias" in elsewhere) == (False, False, False)
    assert [gap.questions for gap in gaps] == [("vocês consertam óculos?",)]

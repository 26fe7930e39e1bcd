"""Questions about what stands: of what was booked just now, of a relative's, and of what is nobody's business."""

import pytest
from tests.receptionist.front_desk import JOAO, FrontDesk, Visitor, options, text


async def booked(front_desk: FrontDesk, *words: str, **who: object) -> Visitor:
    visitor = front_desk.visitor("sorriso", **who)
    for said in (*words, "sim"):
        outcome = await visitor.say(said)
    assert "está confirmada" in text(outcome)
    return visitor


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("e quem é o doutor", "Dra. Paula Lins"),
        ("quem vai me atender?", "Dra. Paula Lins"),
        ("é com quem?", "Dra. Paula Lins"),
        ("quem é o paciente", "Maria Silva"),
        ("tá no nome de quem?", "Maria Silva"),
        ("a que horas mesmo", "às 14h20"),
        ("que dia?", "24/11"),
        ("onde é", "Boa Viagem, 2500"),
    ],
)
async def test_what_was_booked_just_now_answers(front_desk: FrontDesk, words: str, fact: str):
    maria = await booked(front_desk, "limpeza amanhã às 14h20 com a Paula")
    answer = await maria.say(words)
    assert (fact in text(answer), "Mudar horário" in options(answer) or fact.startswith("Boa")) == (True, True)
    assert "Rafael" not in text(answer)


async def test_several_facts_are_asked_for_one_after_the_other_and_nobody_is_called(front_desk: FrontDesk):
    maria = await booked(front_desk, "limpeza amanhã às 14h20 com a Paula")
    answers = [await maria.say(words) for words in ("quem é o doutor", "quem é o paciente", "que dia?", "onde é")]
    assert [answer.takeover_reason for answer in answers] == [None] * 4


async def test_where_a_visit_by_video_is_names_no_address(front_desk: FrontDesk):
    maria = front_desk.visitor()
    for words in ("teleconsulta amanhã às 14h", "particular", "sim"):
        await maria.say(words)
    answer = text(await maria.say("onde é"))
    assert ("vídeo" in answer, "Rua das Flores" in answer) == (True, False)


async def test_who_booked_nothing_is_told_who_works_there(front_desk: FrontDesk):
    assert "Rafael" in text(await front_desk.visitor("sorriso").say("é com quem?"))


MOTHER = ("limpeza pra minha mãe amanhã às 14h20 com a Paula", "Neuza Lima")


@pytest.mark.parametrize(
    "words",
    ["a consulta da minha mãe é que dia?", "a consulta da Neuza é que horas?", "minha mãe tem consulta amanhã?"],
)
async def test_what_this_contact_booked_for_a_relative_is_looked_at_first(front_desk: FrontDesk, words: str):
    maria = await booked(front_desk, *MOTHER)
    assert "Neuza Lima" in text(await maria.say(words))
    outsider = text(await front_desk.visitor("sorriso", contact=JOAO, name="João Reis").say(words))
    assert ("De outras pessoas" in outsider or "Só posso falar" in outsider, "24/11" in outsider) == (True, False)


@pytest.mark.parametrize(
    "words",
    ["Rogério tem consulta com vcs quinta? sou a esposa", "telefone da Neuza", "qual o celular da dona neuza?"],
)
async def test_nobody_elses_data_is_told_and_a_person_is_offered(front_desk: FrontDesk, words: str):
    answer = await front_desk.visitor("sorriso").say(words)
    assert "utras pessoas" in text(answer)
    assert "Falar com a equipe" in options(answer)
    assert "4002" not in text(answer)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("telefone da clínica", "4002-2000"),
        ("telefone da Dra. Paula", "4002-2000"),
        ("Quando tem consulta?", "horários"),
        ("Ainda tem consulta quinta?", "horários"),
        ("TEM CONSULTA QUINTA?", "horários"),
        ("quero marcar a consulta da minha mãe", "horários"),
    ],
)
async def test_what_the_clinic_is_asked_of_itself_is_answered(front_desk: FrontDesk, words: str, told: str):
    assert told in text(await front_desk.visitor("sorriso").say(words))


async def test_what_is_told_of_an_appointment_is_looked_for_and_begins_no_booking(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("a consulta da minha mãe é que dia?")
    answer = await maria.say("é dia 7 com o Rafael")
    assert ("horários" in text(answer), next(iter(options(answer)))) == (False, "Falar com a equipe")
    neuza = await booked(front_desk, *MOTHER, contact=JOAO, name="João Reis")
    await neuza.say("a consulta da minha mãe é que dia?")
    assert "Neuza Lima" in text(await neuza.say("é amanhã com a Paula"))

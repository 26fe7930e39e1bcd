"""A patient books, by taps, by words, or by both; what the patient reads is what stands in the agenda."""

import json

from tests.journeys.phone import Phone
from tests.journeys.processes import run_gendei

CONFIRMATION = (
    "✅ Sua consulta está confirmada!\n"
    "*Limpeza* com Dra. Paula Lins\n"
    "amanhã, terça-feira, 24/11, às 15h\n"
    "Para: Maria Silva\n"
    "📍 Rua do Sol, 12, Campinas"
)


async def test_a_booking_by_taps_alone(town, maria):
    await maria.say("oi")
    await maria.tap("Marcar horário")
    await maria.tap("Limpeza")
    await maria.tap("ter 24/11 14h")
    told = await maria.tap("Confirmar")
    assert (told.splitlines()[0], await town.agenda_of(maria.number)) == (
        "✅ Sua consulta está confirmada!",
        [("confirmed", "limpeza", "2026-11-24T14:00")],
    )


async def test_a_booking_by_plain_text_alone_as_the_operator_sees_it(town, maria, tmp_path):
    await maria.say("quero marcar uma limpeza amanhã de tarde")
    await maria.say("às 15h")
    told = await maria.say("sim, pode ser")
    listed = await run_gendei(tmp_path, "appointments", "--clinic", "aurora", "--json")
    mine = [item for item in json.loads(listed.out) if item["patientPhone"] == maria.number]
    del mine[0]["id"]
    assert (told.startswith(CONFIRMATION), mine) == (
        True,
        [
            {
                "status": "confirmed",
                "serviceId": "limpeza",
                "professionalId": "paula",
                "patientPhone": maria.number,
                "patientName": "Maria Silva",
                "start": "2026-11-24T15:00:00-03:00",
                "end": "2026-11-24T16:00:00-03:00",
            }
        ],
    )


async def test_what_is_free_tomorrow_afternoon_is_offered_and_nothing_else(maria):
    await maria.say("quero marcar uma limpeza amanhã de tarde")
    assert maria.options == ["ter 24/11 14h", "ter 24/11 15h", "ter 24/11 16h", "ter 24/11 17h", "Outro dia"]


async def test_everything_said_at_once_leaves_only_the_yes(town, maria):
    question = await maria.say("Boa tarde, queria uma limpeza na quarta às 10h com a Dra. Paula")
    told = await maria.say("sim")
    assert ("quarta-feira, 25/11, às 10h" in question, told.splitlines()[2], await town.agenda_of(maria.number)) == (
        True,
        "quarta-feira, 25/11, às 10h",
        [("confirmed", "limpeza", "2026-11-25T10:00")],
    )


async def test_nothing_is_booked_before_the_yes(town, maria):
    await maria.say("limpeza amanhã às 15h")
    assert (maria.options, await town.agenda_of(maria.number)) == (["Confirmar", "Outro horário", "Desistir"], [])


async def test_a_no_books_nothing(town, maria):
    await maria.say("limpeza amanhã às 15h")
    told = await maria.tap("Desistir")
    assert (told, await town.agenda_of(maria.number)) == (
        "Tudo bem, não marquei nada. Precisa de mais alguma coisa?",
        [],
    )


async def test_a_mother_books_for_her_daughter(town, maria):
    await maria.say("quero marcar uma limpeza para minha filha amanhã às 15h")
    await maria.say("Beatriz Silva")
    told = await maria.tap("Confirmar")
    clinic = await town.clinic()
    [booked] = await town.gendei.desk.appointments_of(clinic, maria.number)
    assert ("Para: Beatriz Silva" in told, booked.patient_name) == (True, "Beatriz Silva")


async def test_a_patient_who_shows_no_phone_books_and_is_answered(town):
    hidden = Phone(town, "BR.1349ab", "Cecília Prado")
    await hidden.say("quero marcar limpeza amanhã às 16h")
    await hidden.tap("Confirmar")
    listed = [(message.payload.get("to"), message.payload["recipient"]) for message in hidden.messages]
    assert (await town.agenda_of("BR.1349ab"), set(listed)) == (
        [("confirmed", "limpeza", "2026-11-24T16:00")],
        {(None, "BR.1349ab")},
    )


async def test_another_patient_sees_nothing_of_it(maria, joao):
    await maria.say("limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    told = await joao.say("quais são os meus horários?")
    assert told == "Não encontrei nenhuma consulta no seu número."


async def test_the_other_clinic_answers_for_itself(town, maria, dalva):
    await maria.say("limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    await dalva.say("quero marcar uma consulta amanhã às 10h")
    await dalva.tap("Confirmar")
    of_bromelia = {message.phone_number_id for message in dalva.messages}
    assert (of_bromelia, await town.agenda_of(dalva.number, dalva.clinic_id), await town.agenda_of(dalva.number)) == (
        {"700000000000002"},
        [("confirmed", "consulta", "2026-11-24T10:00")],
        [],
    )


async def test_the_same_person_at_two_clinics_is_two_patients(town, maria, dalva):
    both = Phone(town, maria.number, maria.name, dalva.clinic_id)
    await maria.say("limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    told = await both.say("quais são os meus horários?")
    assert told == "Não encontrei nenhuma consulta no seu número."


async def test_what_was_said_is_marked_as_read_with_an_answer_on_its_way(town, maria):
    await maria.write("oi", message_id="wamid.HELLO")
    await town.graph.wait_until(lambda: len(town.graph.reads) == 1)
    [read] = town.graph.reads
    assert (read.message_id, read.typing) == ("wamid.HELLO", True)

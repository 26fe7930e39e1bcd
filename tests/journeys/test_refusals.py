"""What cannot be done: a clear sentence to the patient, a way on, and nothing half done."""

import pytest


@pytest.fixture
async def of_joao(town, joao):
    return await town.book(joao.number, joao.name, "2026-11-24T15:00")


async def test_a_date_in_the_past_is_said_to_be_past_and_days_are_offered(town, maria):
    over = {
        "ontem": "Ontem, domingo, 22/11, já passou.",
        "dia 20/11/2026": "Sexta-feira, 20/11/2026, já passou.",
        "segunda passada": "Segunda-feira, 16/11/2026, já passou.",
        "3 de novembro": "Terça-feira, 03/11/2026, já passou.",
    }
    for day, why in over.items():
        told = await maria.say(f"quero marcar uma limpeza {day}")
        assert (told.splitlines()[0], maria.options[:2]) == (why, ["seg 23/11", "ter 24/11"]), day
    assert await town.agenda_of(maria.number) == []


async def test_a_closed_day_is_said_to_be_closed(maria):
    told = await maria.say("quero marcar uma limpeza na sexta-feira")
    assert (told.splitlines()[0], maria.options[0]) == (
        "Na sexta-feira, 27/11, estamos fechados.",
        "qui 26/11 9h",
    )


async def test_a_full_day_is_said_to_be_full(town, maria, joao):
    for hour in ("10", "11", "14", "15", "16", "17"):
        await town.book(joao.number, joao.name, f"2026-11-24T{hour}:00")
    told = await maria.say("quero marcar uma limpeza amanhã")
    assert (told.splitlines()[0], [title for title in maria.options if title.startswith("ter 24/11")]) == (
        "Amanhã, terça-feira, 24/11, já não tenho vaga.",
        [],
    )
    assert len(maria.options) > 2


async def test_a_day_that_a_professional_does_not_work_is_said_to_be_that(maria):
    told = await maria.say("quero marcar canal com o Dr. Caio na quarta")
    assert (told.splitlines()[0], maria.options[0].split()[0]) == (
        "Na quarta-feira, 25/11, o Dr. Caio Prado não atende.",
        "ter",
    )


async def test_a_service_that_is_unknown_leads_to_those_there_are(town, maria):
    told = await maria.say("quero marcar um implante amanhã")
    assert told.startswith("Não achei exatamente isso entre os nossos serviços.")
    assert (maria.options, await town.agenda_of(maria.number)) == (["Limpeza", "Tratamento de canal"], [])


STALE = "Essa opção já não vale mais. Vamos ver o que há agora."
GONE = "Não encontrei essa consulta entre as próximas do seu número. Pode já ter passado ou ter sido cancelada."
FORGED = {
    "book|limpeza|paula|2026-11-24T13:00": "Nesse horário não há atendimento.",
    "book|limpeza|paula|2026-11-24T14:17": "Não tenho vaga que comece amanhã, terça-feira, 24/11, às 14h17.",
    "book|limpeza|paula|2026-11-20T15:00": "Sexta-feira, 20/11/2026, já passou.",
    "book|limpeza|paula|2027-11-24T15:00": "Na quarta-feira, 24/11/2027, a agenda ainda não está aberta: "
    "por aqui marco até quarta-feira, 23/12.",
    "book|limpeza|caio|2026-11-24T15:00": "Dr. Caio Prado não faz esse serviço.",
    "book|limpeza|ninguem|2026-11-24T15:00": "Não encontrei esse nome na nossa equipe.",
    "book|consulta|paula|2026-11-24T15:00": STALE,
    "book|limpeza|paula|amanhã": STALE,
    "book|limpeza|paula": "Desculpe, não entendi.",
}


async def test_a_forged_yes_books_nothing_and_is_told_why(town, maria):
    told = {forged: (await maria.forge(forged)).splitlines()[0] for forged in FORGED}
    assert (told, await town.agenda_of(maria.number)) == (FORGED, [])


async def test_a_yes_to_a_free_slot_that_was_never_offered_is_asked_first(town, maria):
    told = await maria.forge("book|limpeza|paula|2026-11-24T15:00")
    assert (told.splitlines()[2], maria.options[0], await town.agenda_of(maria.number)) == (
        "Posso marcar assim?",
        "Confirmar",
        [],
    )


async def test_an_appointment_of_somebody_else_does_not_exist(town, maria, joao, of_joao):
    at = "paula|2026-11-25T09:00"
    kinds = [f"{kind}|{of_joao.id}" for kind in ("cancel_now", "cancel", "move")]
    told = [await maria.forge(value) for value in (*kinds, f"move_to|{of_joao.id}|{at}", f"move_now|{of_joao.id}|{at}")]
    said = [text.endswith(GONE) for text in told]
    assert (said, joao.messages, await town.agenda_of(joao.number), await town.agenda_of(maria.number)) == (
        [True] * 5,
        [],
        [("confirmed", "limpeza", "2026-11-24T15:00")],
        [],
    )


async def test_an_appointment_of_the_other_clinic_does_not_exist(town, maria, dalva):
    hers = await town.book(dalva.number, dalva.name, "2026-11-24T10:00", dalva.clinic_id)
    told = await maria.forge(f"cancel_now|{hers.id}")
    assert (told, await town.agenda_of(dalva.number, dalva.clinic_id)) == (
        GONE,
        [("confirmed", "consulta", "2026-11-24T10:00")],
    )


async def test_a_slot_of_the_other_clinic_does_not_exist(town, dalva):
    told = await dalva.forge("book|limpeza|paula|2026-11-24T15:00")
    assert (told.splitlines()[0], await town.agenda_of(dalva.number, dalva.clinic_id)) == (
        STALE,
        [],
    )


async def test_a_tap_that_means_nothing_is_answered_without_an_apology(town, maria):
    meaningless = ["", "|", "do|format_disk", "day|ontem", "day|2020-01-01", "service|", "🦷" * 60]
    for number, forged in enumerate(meaningless):
        sender = f"+55119777700{number:02d}"
        reply = {"type": "button_reply", "button_reply": {"id": forged, "title": "x"}}
        await town.post(town.maker().message(sender, {"type": "interactive", "interactive": reply}))
        await town.idle()
        assert ["problema" in request.text for request in town.sent_to(sender)] == [False], forged


async def test_who_is_not_understood_three_times_reaches_a_person(town, maria):
    for text in ("xyzzy", "plugh", "frotz"):
        told = await maria.say(text)
    assert (told, (await town.conversation(maria.number))["isHumanTakeover"]) == (
        "Acho melhor uma pessoa da equipe ver isso com você. Já chamei alguém, que responde por aqui assim que puder, "
        "hoje até as 18h.",
        True,
    )

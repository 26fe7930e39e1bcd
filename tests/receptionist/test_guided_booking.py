from datetime import date

from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, options, text

from gendei.booking.appointment import AppointmentStatus


async def test_a_booking_is_made_by_taps_alone(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    shown = await maria.say("oi")
    shown = await maria.tap(options(shown)["Marcar horário"])
    service = next(id_ for title, id_ in options(shown).items() if title.startswith("Profilaxia"))
    shown = await maria.tap(service)
    slot = next(id_ for id_ in options(shown).values() if id_.startswith("slot|"))
    shown = await maria.tap(slot)
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    done = await maria.tap(options(shown)["Confirmar"])
    [booked] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert slot.startswith(f"slot|{booked.service_id}|{booked.professional_id}|{booked.start:%Y-%m-%dT%H:%M}|")
    assert booked.status is AppointmentStatus.CONFIRMED
    assert "confirmada" in text(done)
    assert await front_desk.desk.appointments_of(maria.clinic, JOAO) == []


async def test_a_booking_is_made_by_plain_text_alone(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    offered = await maria.say("quero marcar uma limpeza amanhã de tarde")
    assert "terça-feira, 24/11" in text(offered)
    asked = await maria.say("14h")
    assert "às 14h" in text(asked)
    await maria.say("pode confirmar")
    [booked] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert (booked.service_id, booked.start.date(), booked.start.hour) == ("profilaxia", date(2026, 11, 24), 14)
    assert booked.patient_name == "Maria Silva"


async def test_service_professional_day_and_hour_in_one_message_go_straight_to_the_question(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    asked = await maria.say("limpeza com a Dra. Lívia amanhã às 14h")
    assert list(options(asked)) == ["Confirmar", "Outro horário", "Desistir"]


async def test_an_offer_of_up_to_three_times_says_them_in_the_text_too(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    offered = await maria.say("limpeza amanhã às 14h10")
    assert 1 <= len(offered.replies[-1].options) <= 10


async def test_another_day_after_the_question_is_a_correction(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    corrected = await maria.say("não, melhor quinta")
    assert "quinta-feira, 26/11" in text(corrected)


async def test_a_change_of_service_clears_what_followed_from_it(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    await maria.say("quero marcar um check-up com a dra ana quarta às 9h")
    await maria.say("na verdade é dermatologista")
    assert maria.state["selected_service_id"] == "dermatologia"
    assert "selected_time" not in maria.state


async def test_a_question_in_the_middle_is_answered_and_the_booking_goes_on(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    answered = await maria.say("quanto custa?")
    assert "R$ 180,00" in text(answered)
    assert "Confirmar" in options(answered)


async def test_closed_is_told_apart_with_the_nearest_times(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    closed = await maria.say("limpeza domingo")
    assert "fechados" in text(closed)
    assert any(id_.startswith("slot|") for id_ in options(closed).values())


async def test_a_professional_who_does_not_attend_that_day_is_told_apart(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    away = await maria.say("limpeza com a dra lívia sexta")
    assert "Lívia Nogueira não atende" in text(away)


async def test_a_past_date_is_said_to_be_past(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    assert "já passou" in text(await maria.say("limpeza ontem às 10h"))


async def test_a_date_that_does_not_exist_is_said_not_to(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    assert "não existe" in text(await maria.say("limpeza dia 31/02"))


async def test_two_people_race_for_a_slot_and_the_loser_is_offered_the_nearest(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    slot = "slot|profilaxia|livia|2026-11-24T14:00"
    for visitor in (maria, joao):
        await visitor.say("limpeza amanhã de tarde")
    await maria.tap(slot)
    lost = await joao.tap(slot)
    assert "acabou de ser ocupado" in text(lost)
    offered = [id_ for id_ in options(lost).values() if id_.startswith("slot|")]
    assert offered
    assert not any(id_.startswith(slot) for id_ in offered)


async def test_a_tapped_yes_books_only_the_slot_it_names(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    old_yes = options(await maria.say("limpeza amanhã às 14h com a dra lívia"))["Confirmar"]
    await maria.say("não, melhor quinta")
    asked = await maria.tap(old_yes)
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    await maria.tap(options(asked)["Confirmar"])
    found = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert [f"{appointment.start:%Y-%m-%dT%H:%M}" for appointment in found] == ["2026-11-24T14:00"]


async def test_a_forged_yes_for_a_slot_that_was_never_offered_books_nothing(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.tap("book|profilaxia|livia|2026-11-24T14:00")
    await maria.tap("book|profilaxia|livia|2026-11-24T03:00")
    await maria.tap("book|nada|ninguem|2026-11-24T14:00")
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_the_name_is_asked_where_nobody_told_one(front_desk: FrontDesk):
    anonymous = front_desk.visitor("sorriso", name=None)
    asked = await anonymous.say("limpeza amanhã às 14h")
    assert "Em nome de quem" in text(asked)
    assert "Para: Rosa Lima" in text(await anonymous.say("rosa lima"))


async def test_a_mother_books_for_her_child(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("queria uma limpeza pro meu filho amanhã às 14h")
    await maria.say("Pedro Souza")
    await maria.say("sim")
    [booked] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert booked.patient_name == "Pedro Souza"


async def test_giving_up_leaves_nothing_booked(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    shown = await maria.say("limpeza amanhã às 14h")
    await maria.tap(options(shown)["Desistir"])
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert maria.state.get("selected_service_id") is None


async def test_the_same_hand_offs_run_as_with_a_model(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("quero marcar uma limpeza")
    assert maria.agent == "sales_closer"
    await maria.say("deixa pra lá")
    await maria.say("quais são meus horários marcados?")
    assert maria.agent == "payment"


async def test_what_was_held_is_free_for_others_as_soon_as_the_patient_gives_up(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    shown = await maria.say("limpeza amanhã às 14h")
    await maria.tap(options(shown)["Desistir"])
    assert "Confirmar" in options(await joao.say("limpeza com a dra lívia amanhã às 14h"))


async def test_a_service_that_the_clinic_does_not_have_replaces_no_draft(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã de tarde")
    asked = await maria.say("não, quero marcar um implante")
    assert "Não achei" in text(asked)
    assert maria.state.get("selected_service_id") is None


async def test_a_wish_for_a_time_names_no_service_that_is_missing(front_desk: FrontDesk):
    asked = await front_desk.visitor("sorriso").say("queria marcar um horário com uma dentista")
    assert "Não achei" not in text(asked)


async def test_asking_what_cancelling_would_cost_does_not_end_the_booking(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    answered = await maria.say("e se eu precisar cancelar?")
    assert "Confirmar" in options(answered)

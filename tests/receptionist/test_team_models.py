"""The same team on a scripted model: what a model can and cannot make happen."""

from agents.testing import assistant_message
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, options, text
from tests.receptionist.scripted import call, scripted

from gendei.messages.turns import PatientInput
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.tools.registry import all_tools

SLOT = {"service_id": "profilaxia", "professional_id": "livia", "date": "2026-11-24", "time": "14:00"}


async def test_a_model_books_through_hand_off_search_and_booking(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="amanhã de tarde"),
            call(3, "hold_slot", **SLOT),
            [assistant_message("Posso marcar terça, 24/11, às 14h, com a Dra. Lívia?")],
            call(4, "create_appointment", **SLOT, patient_name="Maria Silva"),
            [assistant_message("Temos, sim. Pronto, te espero lá!")],
        ],
    )
    await maria.say("limpeza amanhã às 14h, pode marcar")
    outcome = await maria.say("isso, pode marcar. tem estacionamento?")
    model.assert_complete()
    [booked] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert f"{booked.start:%d/%m %H:%M}" == "24/11 14:00"
    assert "Sua consulta está confirmada" in text(outcome)
    assert outcome.agent == "sales_closer"
    assert [step.tool for step in outcome.steps] == ["create_appointment"]


async def test_a_slot_that_was_not_offered_is_not_booked(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "create_appointment", **SLOT, patient_name="Maria Silva"),
            [assistant_message("Vou consultar os horários antes.")],
        ],
    )
    outcome = await maria.say("marca limpeza amanhã 14h")
    model.assert_complete()
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert outcome.steps[-1].error is not None


async def test_a_claim_without_a_booking_is_asked_again_and_never_sent(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            [assistant_message("Consulta confirmada para amanhã às 14h!")],
            [assistant_message("Ainda não marquei nada. Qual horário prefere?")],
        ],
    )
    outcome = await maria.say("marca limpeza amanhã 14h")
    model.assert_complete()
    assert text(outcome) == "Ainda não marquei nada. Qual horário prefere?"


async def test_a_model_that_insists_on_a_false_claim_is_replaced_by_guided(front_desk: FrontDesk):
    claim = [assistant_message("Está confirmado!")]
    maria, model = scripted(front_desk, [call(1, "transfer_to_sales_closer"), claim, claim])
    outcome = await maria.say("marca limpeza amanhã 14h")
    model.assert_complete()
    assert text(outcome).splitlines()[0] == "Posso marcar assim?"
    assert outcome.failure == "SaidUntrue"


async def test_a_claim_inside_a_message_with_buttons_is_not_sent_either(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "enviar_opcoes", texto="Sua consulta está confirmada!", opcoes=["Ok"]),
            [assistant_message("Quer que eu procure um horário?")],
        ],
    )
    outcome = await maria.say("marca limpeza amanhã 14h")
    model.assert_complete()
    assert text(outcome) == "Quer que eu procure um horário?"


async def test_the_models_own_words_about_a_standing_appointment_are_the_stores(front_desk: FrontDesk):
    guided = front_desk.visitor("sorriso")
    await guided.say("limpeza amanhã às 14h")
    await guided.say("sim")
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_payment"),
            call(2, "get_patient_appointments"),
            [assistant_message("Sua consulta está confirmada para amanhã às 15h.")],
        ],
    )
    outcome = await maria.say("que horas é a minha amanhã?")
    model.assert_complete()
    assert "às 14h" in text(outcome)
    assert "15h" not in text(outcome)


async def test_another_patients_appointment_is_not_found_for_a_model_either(front_desk: FrontDesk):
    guided = front_desk.visitor("sorriso")
    await guided.say("limpeza amanhã às 14h")
    await guided.say("sim")
    [hers] = await front_desk.desk.appointments_of(guided.clinic, MARIA)
    joao, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_payment"),
            call(2, "get_patient_appointments"),
            call(3, "cancel_appointment", appointment_id=hers.id, reason=None),
            call(4, "reschedule_appointment", appointment_id=hers.id, new_date="2026-11-26", new_time="10:00"),
            call(5, "send_appointment_confirmation", appointment_id=hers.id),
            call(6, "hold_slot", **SLOT | {"time": "15:30"}, appointment_id=hers.id),
            call(7, "hold_slot", **SLOT | {"time": "15:30"}, appointment_id="nobodys"),
            [assistant_message("Não encontrei.")],
        ],
        contact=JOAO,
        name="João",
    )
    outcome = await joao.say(f"cancela {hers.id}")
    model.assert_complete()
    assert [step.error is None for step in outcome.steps] == [True, *[False] * 5]
    assert (await front_desk.desk.appointments_of(guided.clinic, MARIA)) == [hers]
    assert (joao.state.get("question"), {step.reason for step in outcome.steps[-2:]}) == (None, {"not_found"})
    assert "Maria" not in text(outcome)


async def test_no_tool_lets_a_model_say_who_the_patient_is():
    names = {name for tool in all_tools().tools.values() for name in tool.params_json_schema["properties"]}
    assert names.isdisjoint({"patient_phone", "phone", "contact", "clinic_id", "patient_id", "user_id"})


async def test_when_the_api_fails_guided_answers_the_same_message(front_desk: FrontDesk):
    maria, _ = scripted(front_desk, [RuntimeError("quota"), RuntimeError("quota")])
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    assert "Posso marcar assim?" in text(outcome)
    assert outcome.failure == "RuntimeError"


async def test_a_booking_that_stands_is_told_even_when_the_model_then_breaks(front_desk: FrontDesk):
    maria, _ = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "create_appointment", **SLOT, patient_name="Maria Silva"),
            RuntimeError("gone"),
        ],
    )
    maria.was_asked(Kind.BOOK, "profilaxia", "livia", "2026-11-24T14:00")
    outcome = await maria.say("sim, pode marcar. tem estacionamento?")
    assert "Sua consulta está confirmada" in text(outcome)
    assert outcome.failure == "RuntimeError"


async def test_what_is_asked_beside_the_yes_is_answered_by_the_model(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "create_appointment", **SLOT, patient_name="Maria Silva"),
            [assistant_message("Há manobrista, sim.")],
        ],
    )
    maria.was_asked(Kind.BOOK, "profilaxia", "livia", "2026-11-24T14:00")
    outcome = await maria.say("sim, pode marcar. tem estacionamento?")
    model.assert_complete()
    assert ["Há manobrista, sim" in text(outcome), "Sua consulta está confirmada" in text(outcome)] == [True, True]


async def test_a_name_that_only_the_model_says_is_neither_shown_nor_booked(front_desk: FrontDesk):
    made_up = {**SLOT, "patient_name": "Maria Grátis Hoje"}
    maria, _ = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "hold_slot", **made_up),
            call(4, "create_appointment", **made_up),
            [assistant_message("Qual é o nome completo de quem vem?")],
            call(5, "create_appointment", **made_up),
            [assistant_message("Qual é o nome completo de quem vem?")],
        ],
    )
    told = [text(await maria.say("limpeza amanhã às 14h com a Lívia")), text(await maria.say("sim"))]
    assert "Grátis" not in "".join(told)
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_what_is_held_for_somebody_is_shown_and_asked_by_the_system(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "hold_slot", **SLOT, patient_name="Bia Silva"),
            call(4, "create_appointment", **SLOT, patient_name="Bia Silva"),
        ],
    )
    asked = await maria.say("limpeza pra minha filha Bia Silva, amanhã às 14h com a Lívia")
    assert text(asked).splitlines() == [
        "Posso marcar assim?",
        "*Profilaxia (limpeza)* com Dra. Lívia Nogueira",
        "amanhã, terça-feira, 24/11, às 14h",
        "Para: Bia Silva",
        "Valor: R$ 180,00",
    ]
    assert list(options(asked)) == ["Confirmar", "Outro horário", "Desistir"]
    told = await maria.say("sim, amanhã às 14h")
    model.assert_complete()
    [booked] = await front_desk.desk.appointments_of(maria.clinic, MARIA)
    assert (booked.patient_name, "Para: Bia Silva" in text(told), told.failure) == ("Bia Silva", True, None)


async def test_who_is_moved_is_shown_from_and_to_by_the_system(front_desk: FrontDesk):
    guided = front_desk.visitor("sorriso")
    await guided.say("limpeza amanhã às 14h com a dra lívia")
    await guided.say("sim")
    [hers] = await front_desk.desk.appointments_of(guided.clinic, MARIA)
    later = {**SLOT, "time": "09:00"}
    to = {"appointment_id": hers.id, "new_date": later["date"], "new_time": later["time"]}
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_payment"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24", professional_id="livia"),
            call(3, "hold_slot", **later, appointment_id=hers.id, patient_name="Maria Silva"),
            call(4, "reschedule_appointment", **to),
        ],
    )
    asked = await maria.say("dá pra passar pras 9h?")
    assert text(asked).splitlines()[0] == "Posso mudar para este horário?"
    assert "amanhã, terça-feira, 24/11, às 9h" in text(asked)
    told = await maria.say("sim, amanhã às 9h")
    model.assert_complete()
    assert ("às 9h" in text(told), told.failure) == (True, None)


async def test_nobody_is_booked_but_who_the_patient_was_shown(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "hold_slot", **SLOT, patient_name="Bia Silva"),
            call(4, "create_appointment", **SLOT, patient_name="Carla Souza"),
            [assistant_message("Posso marcar a limpeza para Carla Souza, amanhã, terça, 24/11, às 14h?")],
        ],
    )
    await maria.say("limpeza amanhã às 14h com a Lívia")
    await maria.say("sim, amanhã às 14h")
    model.assert_complete()
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_a_hold_for_a_name_that_is_none_asks_nothing(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "hold_slot", **SLOT, patient_name="123"),
            [assistant_message("Qual é o nome completo de quem vem?")],
        ],
    )
    outcome = await maria.say("limpeza amanhã às 14h com a Lívia")
    model.assert_complete()
    assert (text(outcome), outcome.steps[-1].reason) == ("Qual é o nome completo de quem vem?", "invalid_name")


async def test_an_unknown_tool_and_endless_calls_end_in_an_answer(front_desk: FrontDesk):
    days = (f"2026-12-{number:02d}" for number in range(1, 20))
    steps = [call(place, "get_available_slots", service_id="profilaxia", date=day) for place, day in enumerate(days)]
    maria, _ = scripted(front_desk, [call(99, "transfer_to_sales_closer"), call(98, "hack_the_bank"), *steps])
    outcome = await maria.say("quanto custa a limpeza?")
    assert "R$ 180,00" in text(outcome)
    assert outcome.failure == "MaxTurnsExceeded"


async def test_options_show_what_the_clinic_has_and_not_what_a_model_writes(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "enviar_opcoes", texto="Qual?", opcoes=["slot|profilaxia|livia|2026-11-24T14:00", "Outro dia"]),
        ],
    )
    outcome = await maria.say("limpeza amanhã")
    model.assert_complete()
    assert [option.title for option in outcome.replies[-1].options] == ["ter 24/11 14h", "Outro dia"]
    assert outcome.replies[-1].options[0].id.startswith("slot|profilaxia|livia|2026-11-24T14:00|")


async def test_a_model_cannot_take_an_old_button_for_a_yes(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    old_yes = options(await maria.say("limpeza amanhã às 14h com a dra lívia"))["Confirmar"]
    await maria.say("melhor quinta")
    hasty, model = scripted(
        front_desk,
        [
            call(1, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(2, "create_appointment", **SLOT, patient_name="Maria Silva"),
            [assistant_message("Posso marcar terça, 24/11, às 14h?")],
        ],
        agent=maria.agent,
        state=maria.state,
    )
    outcome = await hasty.turn((PatientInput("Confirmar", old_yes, "interactive"), PatientInput("tem wifi?")))
    model.assert_complete()
    assert [step.error is None for step in outcome.steps] == [True, False]
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_the_yes_that_holding_returns_books_when_it_is_tapped(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "get_available_slots", service_id="profilaxia", date="2026-11-24"),
            call(3, "hold_slot", **SLOT),
            call(4, "enviar_opcoes", texto="Posso marcar?", opcoes=["book|profilaxia|livia|2026-11-24T14:00", "Outro"]),
        ],
    )
    asked = await maria.say("limpeza amanhã às 14h com a lívia")
    told = await maria.tap(options(asked)["Confirmar"])
    model.assert_complete()
    assert "Sua consulta está confirmada" in text(told)


async def test_a_model_reads_a_typed_number_as_the_option_it_showed(front_desk: FrontDesk):
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "enviar_opcoes", texto="Qual?", opcoes=["service|profilaxia", "Outro serviço"]),
            [assistant_message("Certo.")],
        ],
    )
    await maria.say("quero marcar")
    await maria.say("1")
    model.assert_complete()
    assert model.last_call.input[-1]["content"] == "1 [service|profilaxia]"

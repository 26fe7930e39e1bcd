"""What patients send besides words, answers to reminders, and the wish for no more messages."""

from datetime import timedelta

import pytest
from tests.receptionist.front_desk import JOAO, MARIA, NOW, FrontDesk, Visitor, options, text
from tests.receptionist.scripted import call, scripted

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.visits import BookingRequest
from gendei.messages.turns import PatientInput, TurnOutcome

QUESTION = "Posso marcar"
WISH = "limpeza amanhã às 14h com a dra lívia"


async def send(visitor: Visitor, kind: str, caption: str = "") -> TurnOutcome:
    """A message of `kind` as the conversation passes it on."""
    return await visitor.say(f"[{kind}] {caption}".strip(), kind=kind)


async def booked(front_desk: FrontDesk, visitor: Visitor) -> Appointment:
    start = NOW.replace(day=24, hour=14, minute=0, tzinfo=visitor.clinic.timezone)
    request = BookingRequest("profilaxia", "livia", start, "Maria Silva", visitor.contact)
    return await front_desk.desk.book(visitor.clinic, visitor.contact, request)


async def status(front_desk: FrontDesk, visitor: Visitor, appointment: Appointment) -> AppointmentStatus:
    return (await front_desk.desk.appointment(visitor.clinic, visitor.contact, appointment.id)).status


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("image", "a equipe vai ver"),
        ("video", "a equipe vai ver"),
        ("document", "a equipe vai ver"),
        ("sticker", "😊"),
        ("location", "Avenida Boa Viagem"),
        ("contacts", "nome completo"),
        ("order", "catálogo"),
        ("audio", "escrever"),
        ("unsupported", "por escrito"),
        ("something_new", "por escrito"),
    ],
)
async def test_every_kind_has_a_sentence_of_its_own(front_desk: FrontDesk, kind: str, told: str):
    assert told in text(await send(front_desk.visitor("sorriso"), kind))


@pytest.mark.parametrize("kind", ["image", "document", "sticker", "location", "order", "audio", "unsupported"])
async def test_an_open_question_is_asked_again_in_the_same_message(front_desk: FrontDesk, kind: str):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    outcome = await send(maria, kind)
    assert len(outcome.replies) == 1
    assert QUESTION in text(outcome)
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []


async def test_the_open_question_of_a_cancellation_is_asked_again_too(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    await maria.say("quero cancelar")
    assert "Sim, cancelar" in options(await send(maria, "image"))
    assert await status(front_desk, maria, appointment) is AppointmentStatus.CONFIRMED


async def test_a_contact_card_in_a_booking_asks_who_it_is_for_before_any_yes(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    await send(maria, "contacts")
    await maria.say("sim")
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []
    assert "Para: Pedro Souza" in text(await maria.say("Pedro Souza"))


async def test_a_caption_is_read_as_words(front_desk: FrontDesk):
    outcome = await send(front_desk.visitor("sorriso"), "image", WISH)
    assert "a equipe vai ver" in text(outcome)
    assert QUESTION in text(outcome)
    assert len(outcome.replies) == 1


async def test_an_emergency_in_a_caption_is_heard(front_desk: FrontDesk):
    assert "192" in text(await send(front_desk.visitor("sorriso"), "image", "estou com dor no peito"))


async def test_words_beside_a_picture_are_answered_with_it(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    inputs = (PatientInput("[image]", kind="image"), PatientInput("quanto custa a limpeza?"))
    outcome = await maria.turn(inputs)
    assert ("a equipe vai ver" in text(outcome), "R$ 180,00" in text(outcome)) == (True, True)


async def test_a_reminders_button_confirms_the_presence_at_its_own_appointment(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    told = await maria.tap(f"confirm_presence|{appointment.id}")
    assert text(told).startswith("👍 Presença confirmada")
    assert "terça-feira, 24/11, às 14h" in text(told)
    assert await status(front_desk, maria, appointment) is AppointmentStatus.CONFIRMED_PRESENCE


async def test_a_presence_that_is_confirmed_twice_is_confirmed(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    first = await maria.tap(f"confirm_presence|{appointment.id}")
    assert text(await maria.tap(f"confirm_presence|{appointment.id}")) == text(first)


async def test_an_open_booking_goes_on_after_the_answer_to_a_reminder(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    await maria.say("quero marcar restauração quinta às 9h")
    told = await maria.tap(f"confirm_presence|{appointment.id}")
    assert "Presença confirmada" in text(told)
    assert any(id_.startswith(("slot|", "book|")) for id_ in options(told).values())


@pytest.mark.parametrize("kind", ["confirm_presence", "move", "cancel"])
async def test_a_reminder_of_somebody_else_does_nothing(front_desk: FrontDesk, kind: str):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    appointment = await booked(front_desk, maria)
    told = await joao.tap(f"{kind}|{appointment.id}")
    assert "Não encontrei" in text(told)
    assert "Maria" not in text(told)
    assert await status(front_desk, maria, appointment) is AppointmentStatus.CONFIRMED


async def test_a_reminder_of_a_cancelled_appointment_is_answered_kindly(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    await front_desk.desk.cancel(maria.clinic, MARIA, appointment.id)
    told = await maria.tap(f"confirm_presence|{appointment.id}")
    assert "foi cancelada" in text(told)
    assert "Marcar horário" in options(told)


async def test_a_reminder_of_a_past_appointment_is_answered_kindly(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    maria.now += timedelta(days=2)
    told = await maria.tap(f"confirm_presence|{appointment.id}")
    assert "já passou" in text(told)
    assert await status(front_desk, maria, appointment) is AppointmentStatus.CONFIRMED


@pytest.mark.parametrize(
    "words",
    ["parar", "Sair", "pare!", "não quero receber mensagens", "parem de mandar mensagem", "me tira: sair da lista"],
)
async def test_a_wish_for_no_more_messages_is_passed_on(front_desk: FrontDesk, words: str):
    outcome = await front_desk.visitor("sorriso").say(words)
    assert (outcome.opt_out, "não envio mais" in text(outcome)) == (True, True)


async def test_a_wish_for_messages_again_is_passed_on(front_desk: FrontDesk):
    assert (await front_desk.visitor("sorriso").say("quero voltar a receber mensagens")).opt_out is False


@pytest.mark.parametrize("words", ["oi", "vou sair do trabalho às 18h", "quero parar de fumar", "limpeza amanhã"])
async def test_other_words_decide_nothing_about_messages(front_desk: FrontDesk, words: str):
    assert (await front_desk.visitor("sorriso").say(words)).opt_out is None


async def test_a_bare_parar_in_a_booking_ends_the_booking_and_keeps_the_reminders(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    outcome = await maria.say("parar")
    assert (outcome.opt_out, "não marquei nada" in text(outcome)) == (None, True)


async def test_no_model_decides_about_messages(front_desk: FrontDesk):
    maria, model = scripted(front_desk, [call(1, "transfer_to_support")])
    outcome = await maria.say("não quero mais receber mensagens")
    assert (outcome.opt_out, len(model.calls)) == (True, 0)


async def test_who_cancels_what_staff_have_closed_meanwhile_is_offered_a_person(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    asked = await maria.say("quero cancelar")
    await front_desk.desk.set_status(maria.clinic, appointment.id, AppointmentStatus.NO_SHOW)
    told = await maria.tap(options(asked)["Sim, cancelar"])
    assert "Falar com a equipe" in options(told)
    assert await status(front_desk, maria, appointment) is AppointmentStatus.NO_SHOW


async def test_who_confirmed_and_cannot_come_cancels(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    appointment = await booked(front_desk, maria)
    await maria.tap(f"confirm_presence|{appointment.id}")
    await maria.tap(options(await maria.say("quero cancelar"))["Sim, cancelar"])
    assert await status(front_desk, maria, appointment) is AppointmentStatus.CANCELLED

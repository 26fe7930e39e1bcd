"""Taps on what was shown before: understood for what they were, and never more than that."""

from datetime import timedelta

import pytest
from tests.receptionist.front_desk import JOAO, MARIA, NOW, FrontDesk, Visitor, options, text

from gendei.booking.visits import BookingRequest
from gendei.receptionist.offers.choices import parse_choice

WISH = "limpeza amanhã às 14h com a dra lívia"
HALF_AN_HOUR = timedelta(minutes=30)


async def starts(front_desk: FrontDesk, visitor: Visitor) -> list[str]:
    found = await front_desk.desk.appointments_of(visitor.clinic, visitor.contact)
    return [f"{appointment.service_id} {appointment.start:%d/%m %H:%M}" for appointment in found]


def slots(shown: dict[str, str]) -> list[str]:
    return [id_ for id_ in shown.values() if id_.startswith("slot|")]


async def test_a_slot_of_the_last_offer_is_asked_about_without_remark(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    offered = await maria.say("limpeza amanhã de tarde")
    asked = await maria.tap(slots(options(offered))[0])
    assert text(asked).startswith("Posso marcar assim?")


async def test_a_slot_of_an_earlier_offer_is_held_and_asked_about_with_a_remark(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    offered = await maria.say("limpeza amanhã de tarde")
    await maria.say("melhor quinta")
    asked = await maria.tap(slots(options(offered))[0])
    assert "lista anterior" in text(asked)
    assert "terça-feira, 24/11" in text(asked)
    assert await starts(front_desk, maria) == []


async def test_after_half_an_hour_an_offer_is_old(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    offered = await maria.say("limpeza amanhã de tarde")
    maria.now += HALF_AN_HOUR
    assert "lista anterior" in text(await maria.tap(slots(options(offered))[0]))


async def test_going_back_to_the_list_after_the_question_is_no_old_offer(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    first, second, *_ = slots(options(await maria.say("limpeza amanhã de tarde")))
    await maria.tap(first)
    assert text(await maria.tap(second)).startswith("Posso marcar assim?")


async def test_an_id_of_before_offers_had_names_counts_as_old(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    asked = await maria.tap("slot|profilaxia|livia|2026-11-24T14:00")
    assert "lista anterior" in text(asked)
    assert "Confirmar" in options(asked)


async def test_a_slot_that_went_is_answered_with_the_nearest(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    wanted = slots(options(await maria.say("limpeza amanhã de tarde")))[0]
    await joao.tap(wanted)
    lost = await maria.tap(wanted)
    assert "acabou de ser ocupado" in text(lost)
    assert slots(options(lost))
    assert "lista anterior" not in text(lost)


async def test_a_slot_that_is_past_is_answered_with_what_comes(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    late = await maria.tap("slot|profilaxia|livia|2026-11-20T14:00|a1b2c3")
    assert "já passou" in text(late)
    assert slots(options(late))


@pytest.mark.parametrize("kind", ["slot", "book"])
async def test_a_service_that_is_gone_leads_to_those_there_are(front_desk: FrontDesk, kind: str):
    maria = front_desk.visitor("sorriso")
    answer = await maria.tap(f"{kind}|radiografia|livia|2026-11-24T14:00|a1b2c3")
    assert "já não vale mais" in text(answer)
    assert any(id_.startswith("service|") for id_ in options(answer).values())


async def test_a_professional_who_left_leads_to_the_others_of_that_service(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    answer = await maria.tap("slot|profilaxia|renata|2026-11-24T14:00|a1b2c3")
    assert "Não encontrei esse nome" in text(answer)
    assert {parse_choice(id_).args[0] for id_ in slots(options(answer))} == {"profilaxia"}  # type: ignore[union-attr]


async def test_a_yes_books_while_its_question_stands(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.tap(options(await maria.say(WISH))["Confirmar"])
    assert await starts(front_desk, maria) == ["profilaxia 24/11 14:00"]


async def test_the_yes_of_a_question_that_was_asked_again_still_stands(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    first = options(await maria.say(WISH))["Confirmar"]
    await maria.say("quanto custa?")
    await maria.tap(first)
    assert await starts(front_desk, maria) == ["profilaxia 24/11 14:00"]


@pytest.mark.parametrize("meanwhile", ["melhor quinta às 10h", "na verdade é restauração", "deixa pra lá", "outro dia"])
async def test_the_yes_of_a_superseded_question_is_asked_again(front_desk: FrontDesk, meanwhile: str):
    maria = front_desk.visitor("sorriso")
    old = options(await maria.say(WISH))["Confirmar"]
    await maria.say(meanwhile)
    asked = await maria.tap(old)
    assert await starts(front_desk, maria) == []
    assert "pergunta anterior" in text(asked)
    assert "terça-feira, 24/11, às 14h" in text(asked)


async def test_a_yes_after_half_an_hour_is_asked_again(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    old = options(await maria.say(WISH))["Confirmar"]
    maria.now += HALF_AN_HOUR
    await maria.tap(old)
    assert await starts(front_desk, maria) == []


async def test_a_typed_yes_after_half_an_hour_is_asked_again_too(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    maria.now += HALF_AN_HOUR
    assert "Confirmar" in options(await maria.say("sim"))
    assert await starts(front_desk, maria) == []


async def test_a_yes_that_comes_twice_books_once_and_shows_it(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    yes = options(await maria.say(WISH))["Confirmar"]
    await maria.tap(yes)
    again = await maria.tap(yes)
    assert "já está na agenda" in text(again)
    assert await starts(front_desk, maria) == ["profilaxia 24/11 14:00"]


async def test_another_patients_yes_is_only_a_question(front_desk: FrontDesk):
    maria, joao = front_desk.visitor("sorriso"), front_desk.visitor("sorriso", contact=JOAO, name="João")
    yes = options(await maria.say(WISH))["Confirmar"]
    await joao.tap(yes)
    assert (await starts(front_desk, joao), await starts(front_desk, maria)) == ([], [])


async def test_an_old_yes_to_cancelling_is_asked_again(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    await maria.say("sim")
    old = options(await maria.say("quero cancelar"))["Sim, cancelar"]
    await maria.say("não")
    asked = await maria.tap(old)
    assert await starts(front_desk, maria) == ["profilaxia 24/11 14:00"]
    await maria.tap(options(asked)["Sim, cancelar"])
    assert await starts(front_desk, maria) == []


async def test_an_old_yes_to_moving_is_asked_again_and_moves_only_its_own(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say(WISH)
    await maria.say("sim")
    old = options(await maria.say("quero remarcar para quinta às 15h20"))["Sim, mudar"]
    await maria.say("melhor sexta")
    asked = await maria.tap(old)
    assert await starts(front_desk, maria) == ["profilaxia 24/11 14:00"]
    await maria.tap(options(asked)["Sim, mudar"])
    assert await starts(front_desk, maria) == ["profilaxia 26/11 15:20"]


async def test_a_button_to_move_what_is_cancelled_is_answered_kindly(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    clinic = maria.clinic
    start = NOW.replace(day=24, hour=14, minute=0, tzinfo=clinic.timezone)
    request = BookingRequest("profilaxia", "livia", start, "Maria Silva", MARIA)
    booked = await front_desk.desk.book(clinic, MARIA, request)
    await front_desk.desk.cancel(clinic, MARIA, booked.id)
    for kind in ("move", "cancel"):
        assert "ter sido cancelada" in text(await maria.tap(f"{kind}|{booked.id}"))

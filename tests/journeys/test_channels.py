"""The same booking over each provider, by words and numbers alone, ends in the same appointment."""

import pytest
from tests.journeys.channels import Caller, open_square

MARIA = "+5511999990001"
BOOKED = [("confirmed", "limpeza", "2026-11-24T15:00")]


@pytest.fixture
async def square(tmp_path):
    async with open_square(tmp_path) as opened:
        yield opened


@pytest.fixture(params=["meta", "evolution", "zapi"])
def maria(request, square) -> Caller:
    return Caller(square, square.lines[request.param], MARIA)


async def test_a_booking_by_numbers_is_the_same_appointment_everywhere(square, maria):
    await maria.say("quero marcar uma limpeza amanhã de tarde")
    await maria.say("2")
    told = await maria.say("1")
    assert (told.splitlines()[0], await square.agenda_of(MARIA)) == ("✅ Sua consulta está confirmada!", BOOKED)


async def test_a_booking_by_words_is_the_same_appointment_everywhere(square, maria):
    await maria.say("quero marcar uma limpeza amanhã de tarde")
    await maria.say("às 15h")
    await maria.say("sim, pode ser")
    assert await square.agenda_of(MARIA) == BOOKED


async def test_a_message_is_answered_once_however_often_it_comes(maria):
    for _ in range(3):
        await maria.say("onde fica?", message_id="3EB0SAME")
    assert len(maria.texts) == 1


async def test_nobody_else_is_written_to(square, maria):
    await maria.say("limpeza amanhã às 15h")
    written = {request.to for line in square.lines.values() for request in line.provider.sent}
    assert written == {MARIA}

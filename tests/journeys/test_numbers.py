"""What became of conversations, told in numbers: real turns of the guided receptionist, read over the JSON API."""

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA
from tests.web.api.conftest import bearer

from gendei.messages.replies import Reply
from gendei.providers.stand_in.graph import Failure
from gendei.staff.actors import Right, terminal


def somebody(town, number: int) -> Phone:
    return Phone(town, f"+55119888800{number:02}", "Rita Melo")


async def numbers(town, clinic_id=AURORA, month=None):
    headers = await bearer(town.gendei, clinic_id, Right.READ, Right.MANAGE)
    answer = await town.client.get("/api/v1/numbers", params={"month": month} if month else None, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def outcomes(town) -> dict[str, int]:
    return (await numbers(town))["totals"]["outcomes"]


TALKS = {
    "booked": ("quero marcar uma limpeza amanhã às 15h", "sim"),
    "answered": ("oi", "quanto custa a limpeza?", "obrigada!"),
    "person": ("qual o endereço?", "quero falar com uma pessoa"),
    "not_understood": ("xpto zzzt blorgh", "quanto custa a limpeza?"),
    "unknown": ("vocês têm wifi?",),
    "asked_again": ("quanto custa a limpeza mesmo?", "quanto custa a limpeza mesmo??"),
    "stopped": ("quero marcar uma limpeza amanhã de tarde",),
    "no_time": ("quero marcar uma limpeza no domingo",),
    "nothing_asked": ("bom dia!", "obrigada!"),
}


@pytest.mark.parametrize("outcome", TALKS)
async def test_a_conversation_counts_by_what_became_of_it(town, outcome):
    rita = somebody(town, 1)
    for words in TALKS[outcome]:
        await rita.say(words)
    assert await outcomes(town) == {outcome: 1}


async def test_what_is_moved_and_cancelled_is_fulfilled_too(town):
    rita, ines, caio = (somebody(town, number) for number in (1, 2, 3))
    for phone, hour in ((rita, "14:00"), (ines, "15:00"), (caio, "16:00")):
        await town.book(phone.number, "Rita Melo", f"2026-11-24T{hour}")
    await rita.say("quero mudar meu horário para quarta às 10h")
    await rita.say("sim")
    await ines.say("quero cancelar minha consulta")
    await ines.say("sim")
    await caio.say("confirmo minha presença")
    assert await outcomes(town) == {"moved": 1, "cancelled": 1, "presence": 1}


async def test_what_does_not_arrive_is_no_answer(town):
    rita = somebody(town, 1)
    town.graph.fail_next(Failure(status=400, code=131026))
    await rita.write("quanto custa a limpeza?")
    await town.idle()
    assert await outcomes(town) == {"failed": 1}


async def test_a_person_who_answers_is_a_person(town):
    rita = somebody(town, 1)
    await rita.say("quanto custa a limpeza?")
    await town.gendei.front_desk.conversations.send(terminal(AURORA), rita.number, Reply("R$ 180,00"))
    await town.idle()
    found = (await numbers(town))["totals"]
    assert (found["outcomes"], found["solved"]) == ({"person": 1}, 0.0)


async def test_only_what_was_fulfilled_counts_as_solved(town):
    for number, talk in enumerate(("booked", "answered", "stopped", "nothing_asked")):
        for words in TALKS[talk]:
            await somebody(town, number).say(words)
    found = (await numbers(town))["totals"]
    assert (found["conversations"], found["solved"], found["withPerson"]) == (4, 0.5, 0)


async def test_a_month_has_visits_value_and_occupancy_of_each_professional(town):
    booked = await town.book(somebody(town, 1).number, "Rita Melo", "2026-11-24T14:00")
    missed = await town.book(somebody(town, 2).number, "Inês Dias", "2026-11-24T15:00")
    gone = await town.book(somebody(town, 3).number, "Caio Reis", "2026-11-24T16:00")
    clinic = await town.clinic()
    await town.gendei.desk.cancel(clinic, None, missed.id)
    await town.gendei.desk.cancel(clinic, None, gone.id)
    await town.book(somebody(town, 4).number, "Bia Luz", "2026-11-24T16:00")  # in the time that was given back
    price = booked.price_cents
    found = await numbers(town)
    [whose] = [each for each in found["professionals"] if each["id"] == booked.professional_id]
    assert (whose["booked"], whose["byPatients"], whose["cancelled"]) == (5, 5, 2)  # and a neighbour's
    assert (whose["valueCents"], whose["lostCents"], whose["refilledCents"]) == (5 * price, price, price)
    assert found["together"]["valueCents"] == 5 * price
    assert found["month"] == "2026-11"


async def test_another_clinic_has_numbers_of_its_own_and_a_reader_none(town):
    for words in TALKS["booked"]:
        await somebody(town, 1).say(words)
    theirs = await numbers(town, BROMELIA)
    assert (theirs["totals"]["conversations"], theirs["together"]["booked"]) == (0, 1)
    for rights in ((Right.READ,), (Right.READ, Right.WRITE)):
        headers = await bearer(town.gendei, AURORA, *rights)
        assert (await town.client.get("/api/v1/numbers", headers=headers)).status_code == 403


@pytest.mark.parametrize(("month", "status"), [("2026-10", 200), ("2025-10", 422), ("2026-12", 422), ("2026-13", 422)])
async def test_months_are_those_of_the_calendar_and_no_others(town, month, status):
    headers = await bearer(town.gendei, AURORA, Right.READ, Right.MANAGE)
    answer = await town.client.get("/api/v1/numbers", params={"month": month}, headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert (answer.json()["month"], len(answer.json()["days"])) == ("2026-10", 31)

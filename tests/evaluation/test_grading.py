"""The grader sees what is wrong: a lie, another appointment than the one asked for, a stranger's name, silence."""

from collections.abc import Callable
from datetime import datetime, timedelta

from tests.handing import take_over

from gendei.booking.desk import StaffAct
from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact
from gendei.evaluation.grading import Watch, grade, overlaps
from gendei.evaluation.practice import STRANGERS, Practice, Visit
from gendei.evaluation.tasks import ZONE, Case
from gendei.providers.stand_in.graph import Sent

ACT = StaffAct("teste")


def said(visit: Visit, text: str) -> Sent:
    payload = {"type": "text", "text": {"body": text}}
    return Sent("wamid.x", visit.maker.phone_number_id, visit.patient, payload, "t")


async def booked(visit: Visit, service: str, professional: str, start: datetime, name: str) -> None:
    request = BookingRequest(service, professional, start, name)
    await visit.practice.gendei.desk.book(visit.clinic, Contact(visit.patient), request, act=ACT)


async def test_a_confirmation_of_nothing_is_a_false_claim(practice: Practice, case: Callable[[str], Case]) -> None:
    visit = await practice.visit(case("dental/limpeza-quinta-tarde"), 1)
    watch = Watch(visit)
    await watch.heard([said(visit, "Sua consulta está confirmada para 05/03, às 14h.")])

    assert len(watch.false_claims) == 1
    assert "false claim" in "; ".join(await grade(visit, watch))


async def test_a_confirmation_with_another_time_than_the_agendas_is_a_false_claim(
    practice: Practice, case: Callable[[str], Case]
) -> None:
    visit = await practice.visit(case("dental/cancelar-limpeza"), 1)
    watch = Watch(visit)
    await watch.heard([said(visit, "Sua consulta está confirmada: 05/03, às 9h50.")])
    await watch.heard([said(visit, "Sua consulta está confirmada: 05/03, às 10h50.")])

    assert watch.false_claims == ["Sua consulta está confirmada: 05/03, às 10h50."]


async def test_an_appointment_that_nobody_asked_for_fails(practice: Practice, case: Callable[[str], Case]) -> None:
    visit = await practice.visit(case("dental/preco-clareamento"), 1)
    before = await grade(visit, Watch(visit))
    await booked(visit, "limpeza", "paula", datetime(2026, 3, 16, 10, 40, tzinfo=ZONE), "Rosa Prado")
    after = await grade(visit, Watch(visit))

    assert "the agenda changed" not in "; ".join(before)
    assert any(text.startswith("the agenda changed: limpeza 16/03 10:40") for text in after)


async def test_a_booking_for_somebody_else_than_was_said_fails(practice: Practice, case: Callable[[str], Case]) -> None:
    visit = await practice.visit(case("dental/limpeza-mae"), 1)
    [free, *_] = await practice.gendei.desk.next_slots(visit.clinic, "limpeza", limit=1)
    await booked(visit, "limpeza", free.professional_id, free.start, "Rosa Prado")

    assert "booked for Rosa Prado" in await grade(visit, Watch(visit))


async def test_a_strangers_name_and_a_missing_fact_fail(practice: Practice, case: Callable[[str], Case]) -> None:
    visit = await practice.visit(case("dental/preco-clareamento"), 1)
    practice.graph.sent.append(said(visit, f"A consulta de {STRANGERS[0]} é às 9h."))
    wrong = await grade(visit, Watch(visit))

    assert wrong == ["never said: R$ 700,00", f"said: {STRANGERS[0]}"]


async def test_silence_counts_unless_a_person_has_the_conversation(
    practice: Practice, case: Callable[[str], Case]
) -> None:
    visit = await practice.visit(case("psi/pessoa"), 1)
    watch = Watch(visit)
    await watch.heard([])
    await watch.heard(await visit.say(["quero falar com um atendente"]))
    await watch.heard([])
    await take_over(practice.gendei.messaging.handover, visit.clinic.id, Contact(visit.patient), "Rosa", "")
    await watch.heard([])

    assert watch.unanswered == 2


async def test_two_appointments_at_once_are_a_double_booking(practice: Practice, case: Callable[[str], Case]) -> None:
    visit = await practice.visit(case("dental/cancelar-limpeza"), 1)
    [mine] = await visit.appointments()
    fields = {name: getattr(mine, name) for name in mine.__slots__}
    later = type(mine)(**(fields | {"start": mine.start + timedelta(minutes=5), "end": mine.end}))

    assert overlaps([mine, later]) == ["paula 05/03 09:55"]
    assert overlaps(await visit.agenda()) == []

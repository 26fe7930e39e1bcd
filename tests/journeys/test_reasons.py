"""Impossible wishes, by day, at night and at the weekend: why not, for what was asked, and the nearest that fits. The
neighbour's appointment stands on Tuesday at nine, and nobody is told whose it is (`Town.outsiders_saw`)."""

from datetime import date, datetime

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import SAO_PAULO, open_town

from gendei.booking.time_blocks import BlockWish, TimeBlocks

TUESDAY = date(2026, 11, 24)


def first_lines(told: str) -> tuple[str, str]:
    """Why not, and what there is instead."""
    why, _, instead = told.partition("\n\n")
    return why, instead.splitlines()[0]


async def test_a_professional_who_does_not_work_then(maria):
    told = await maria.say("quero marcar canal amanhã de manhã")
    assert first_lines(told) == (
        "Quem faz Tratamento de canal é o Dr. Caio Prado, que não atende amanhã, terça-feira, 24/11, de manhã.",
        "Amanhã (24/11), ele tem vaga às 14h e 15h.",
    )
    assert await maria.tap("ter 24/11 14h")
    assert "Posso marcar assim?" in maria.last.text


async def test_lunch_and_night_are_closed(maria):
    for said, hour in (("ao meio-dia e meia", "às 12h30"), ("às 20h", "às 20h")):
        told = await maria.say(f"quero marcar uma limpeza amanhã {said}")
        assert told.splitlines()[0] == f"Amanhã, terça-feira, 24/11, {hour}, estamos fechados."
        assert maria.options[0].startswith("ter 24/11")


async def test_an_hour_that_is_taken_is_full_and_the_same_hour_is_offered_on_other_days(maria):
    told = await maria.say("quero marcar limpeza amanhã às 9h com a Dra. Paula")
    assert first_lines(told) == (
        "Amanhã, terça-feira, 24/11, às 9h, a Dra. Paula Lins já não tem vaga.",
        "Amanhã (24/11), ela tem vaga às 10h, 11h, 14h e 15h.",
    )
    again = await maria.say("mesmo horário, outro dia")
    assert again.startswith("Às 9h, tenho vaga para *Limpeza* nestes dias:")
    assert {title.split()[2] for title in maria.options if title[0] != "O"} == {"9h"}
    assert not any(title.startswith("ter 24/11") for title in maria.options)


async def test_what_staff_blocked_is_not_worked_or_closed_and_never_said_why(town, maria):
    blocks, clinic = TimeBlocks(town.gendei.documents, town.gendei.clock), await town.clinic()
    start, end = (datetime(2026, 11, 24, hour, tzinfo=SAO_PAULO) for hour in (14, 18))
    await blocks.add(clinic, BlockWish("paula", start, end, "Cirurgia da Zoraide"), by="Rita")
    wednesday = date(2026, 11, 25)
    await blocks.add(clinic, BlockWish.whole_days(clinic, wednesday, wednesday, "Dedetização"), by="Rita")
    told = [await maria.say(f"quero marcar limpeza {day}") for day in ("amanhã à tarde", "quarta-feira")]
    assert [text.splitlines()[0] for text in told] == [
        "Quem faz Limpeza é a Dra. Paula Lins, que não atende amanhã, terça-feira, 24/11, à tarde.",
        "Na quarta-feira, 25/11, estamos fechados.",
    ]


async def test_a_booked_out_week_is_full_and_the_next_one_is_offered(town, maria, joao):
    for hour in ("14", "15"):
        booked = await joao.say(f"quero marcar canal amanhã às {hour}h")
        assert "Posso marcar assim?" in booked
        await joao.say("sim")
    told = await maria.say("quero marcar canal amanhã")
    assert first_lines(told) == (
        "Amanhã, terça-feira, 24/11, já não tenho vaga.",
        "O Dr. Caio Prado tem vaga na terça (01/12) e na terça (08/12).",
    )


async def test_a_day_too_far_ahead(maria):
    told = await maria.say("quero marcar limpeza dia 15 de janeiro")
    assert first_lines(told) == (
        "Na sexta-feira, 15/01/2027, a agenda ainda não está aberta: por aqui marco até quarta-feira, 23/12.",
        "A Dra. Paula Lins tem vaga na terça (22/12) e na quarta (23/12).",
    )


@pytest.mark.parametrize(
    ("now", "said", "why"),
    [
        (
            "2026-11-23T09:30",
            "hoje às 10h",
            "Hoje, segunda-feira, 23/11, às 10h, já está muito em cima da hora: por aqui só marco com 1 hora de"
            " antecedência.",
        ),
        ("2026-11-23T22:40", "hoje à tarde", "Hoje, segunda-feira, 23/11, à tarde, já passou."),
        ("2026-11-23T22:40", "hoje ainda", "Hoje, segunda-feira, 23/11, já passou."),
        ("2026-11-23T22:40", "segunda passada", "Segunda-feira, 16/11/2026, já passou."),
        ("2026-11-24T06:30", "hoje às 9h", "Hoje, terça-feira, 24/11, às 9h, já não tenho vaga."),
        ("2026-11-28T15:00", "hoje", "Hoje, sábado, 28/11, estamos fechados."),
        ("2026-11-28T15:00", "amanhã de manhã", "Amanhã, domingo, 29/11, estamos fechados."),
        ("2026-11-29T23:50", "20 de novembro", "Sexta-feira, 20/11/2026, já passou."),
        ("2027-01-02T10:00", "28 de dezembro", "Segunda-feira, 28/12/2026, já passou."),
    ],
)
async def test_before_hours_at_night_and_at_the_weekend(tmp_path, now: str, said: str, why: str):
    async with open_town(tmp_path, now=datetime.fromisoformat(now).replace(tzinfo=SAO_PAULO), outsiders=False) as town:
        if said == "hoje às 9h":
            await town.book("+5519988880001", "Zoraide Quintanilha", "2026-11-24T09:00")
        maria = Phone(town, "+5511999990001", "Maria Silva")
        told = await maria.say(f"quero marcar limpeza {said}")
        assert (told.splitlines()[0], "Zoraide" in told) == (why, False)
        assert len(maria.options) > 1


async def test_the_other_clinics_agenda_is_its_own(town, maria, dalva):
    """Both have a Dra. Paula, "paula"; the outsiders have Tuesday at nine in each."""
    for hour in ("08:30", "09:30", "10:00", "10:30", "11:00", "11:30"):
        await town.book("+5592999990009", "Zoraide Quintanilha", f"{TUESDAY}T{hour}", dalva.clinic_id)
    free = await maria.say("quero marcar limpeza amanhã às 10h")
    assert "Posso marcar assim?" in free
    full = await dalva.say("quero marcar consulta geral na terça às 10h")
    assert full.splitlines()[0] == "Amanhã, terça-feira, 24/11, às 10h, já não tenho vaga."
    assert "Lins" not in full

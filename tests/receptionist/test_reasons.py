"""Who asks for what is not free reads why, what has to give way, and what there is for it."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import JOAO, MARIA, FrontDesk, Visitor, demo_clinic, options, text
from tests.receptionist.scripted import call, scripted

from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic


def slots(outcome: Any) -> list[str]:
    """ "livia 2026-11-26T14:30" of every time that is shown, in order."""
    ids = (id_.split("|") for id_ in options(outcome).values() if id_.startswith(("slot|", "move_to|")))
    return [f"{parts[2]} {parts[3]}" for parts in ids]


async def book(front_desk: FrontDesk, clinic: Clinic, service: str, who: str, *starts: str) -> None:
    for start in starts:
        moment = datetime.fromisoformat(start).replace(tzinfo=clinic.timezone)
        await front_desk.desk.book(clinic, JOAO, BookingRequest(service, who, moment, "Zoraide Quintanilha"))


async def test_an_afternoon_on_which_a_doctor_does_not_attend(front_desk: FrontDesk):
    told = await front_desk.visitor("boa-vida").say("retorno com o dr bruno quinta de tarde")
    assert text(told).splitlines() == [
        "Na quinta-feira, 26/11, à tarde, o Dr. Bruno Carvalho não atende.",
        "",
        "À tarde, ele tem vaga na quarta (25/11) e na segunda (30/11).",
        "Na quinta (26/11), ele tem vaga às 10h20, 10h40 e 11h.",
        "Com a Dra. Ana Souza, tenho vaga na quinta (26/11), à tarde.",
    ]
    assert [slot.partition("T")[0] for slot in slots(told)] == [
        *["bruno 2026-11-25"] * 2,
        "bruno 2026-11-30",
        *["bruno 2026-11-26"] * 3,
        *["ana 2026-11-26"] * 2,
    ]


@pytest.mark.parametrize(
    ("clinic", "said", "why"),
    [
        ("sorriso", "limpeza domingo", "No domingo, 29/11, estamos fechados."),
        ("sorriso", "limpeza no dia 24/12", "Na quinta-feira, 24/12, estamos fechados."),
        ("sorriso", "limpeza amanhã ao meio-dia e meia", "Amanhã, terça-feira, 24/11, às 12h30, estamos fechados."),
        ("sorriso", "limpeza amanhã às 22h", "Amanhã, terça-feira, 24/11, às 22h, estamos fechados."),
        ("sorriso", "limpeza com a dra lívia sexta", "Na sexta-feira, 27/11, a Dra. Lívia Nogueira não atende."),
        (
            "sorriso",
            "canal na quarta de manhã",
            "Quem faz Tratamento de canal é o Dr. Rafael Torres, que não atende na quarta-feira, 25/11, de manhã.",
        ),
        ("sorriso", "limpeza 23/12 de tarde com a livia", "Na quarta-feira, 23/12, a Dra. Lívia Nogueira não atende."),
        ("sorriso", "limpeza amanhã 14h10", "Não tenho vaga que comece amanhã, terça-feira, 24/11, às 14h10."),
        (
            "sorriso",
            "canal sexta às 16h",
            "Na sexta-feira, 27/11, às 16h, o tempo que resta não dá para Tratamento de canal.",
        ),
        (
            "sorriso",
            "limpeza hoje às 9h50",
            "Hoje, segunda-feira, 23/11, às 9h50, já está muito em cima da hora: por aqui só marco com 1 hora de"
            " antecedência.",
        ),
        (
            "sorriso",
            "limpeza dia 10/05/2027",
            "Na segunda-feira, 10/05/2027, a agenda ainda não está aberta: por aqui marco até domingo, 21/02/2027.",
        ),
        ("sorriso", "limpeza hoje às 8h30 da manhã", "Hoje, segunda-feira, 23/11, às 8h30, já passou."),
        ("sorriso", "limpeza segunda passada", "Segunda-feira, 16/11/2026, já passou."),
        ("sorriso", "limpeza 3 de novembro", "Terça-feira, 03/11/2026, já passou."),
        ("sorriso", "limpeza de 3 a 6 de novembro", "Terça-feira, 03/11/2026, já passou."),
        ("psi", "terapia individual domingo", "No domingo, 29/11, estamos fechados."),
    ],
)
async def test_each_reason_is_said_of_what_was_asked_for(front_desk: FrontDesk, clinic: str, said: str, why: str):
    told = await front_desk.visitor(clinic).say(said)
    assert text(told).splitlines()[0] == why
    assert len(options(told)) > 1


async def test_what_is_full_is_full_and_tells_of_nobody(front_desk: FrontDesk):
    clinic = demo_clinic("sorriso")
    afternoon = [f"2026-11-26T{clock}" for clock in ("14:30", "15:20", "16:10", "17:00", "17:50")]
    await book(front_desk, clinic, "profilaxia", "livia", *afternoon)
    told = await front_desk.visitor("sorriso").say("limpeza com a livia quinta à tarde")
    assert text(told).splitlines()[0] == "Na quinta-feira, 26/11, à tarde, a Dra. Lívia Nogueira já não tem vaga."
    assert "Zoraide" not in text(told)
    assert not {f"livia {start}" for start in afternoon} & set(slots(told))
    elsewhere = replace(clinic, id="outra")
    other = replace(front_desk.visitor("sorriso"), clinic=elsewhere)
    assert "livia 2026-11-26T14:30" in slots(await other.say("limpeza com a livia quinta à tarde"))


@pytest.mark.parametrize(
    ("vertical", "named", "has"),
    [
        ("dental", "a Dra. Paula Lins", "A Dra. Paula Lins tem"),  # behind a colleague who has time that day
        ("med", "o Dr. Caio Prates", "Ele tem"),
        ("psi", "Bianca Duarte", "Bianca Duarte tem"),
        ("nutri", "Clara Bastos", "Clara Bastos tem"),
        ("fisio", "Davi Moura", "Davi Moura tem"),
        ("geral", "Marta Viana", "Marta Viana tem"),
    ],
)
async def test_a_professional_is_named_as_their_title_has_it(
    front_desk: FrontDesk, vertical: str, named: str, has: str
):
    clinic = demo_clinic(vertical)
    who = next(professional for professional in clinic.professionals if professional.name in named)
    others = tuple(professional for professional in clinic.professionals if professional is not who)
    tuesdays = replace(who, hours={1: clinic.hours[1]})
    visitor = replace(front_desk.visitor(vertical), clinic=replace(clinic, professionals=(tuesdays, *others)))
    told = text(await visitor.say(f"{clinic.service(who.service_ids[0]).name} com {who.name} na quinta"))
    assert told.splitlines()[0] == f"Na quinta-feira, 26/11, {named} não atende."
    assert f"{has} vaga amanhã (24/11) e na terça (01/12)." in told


async def test_a_day_that_is_over_asks_for_another_one_at_the_same_part_of_the_day(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    asked = await maria.say("limpeza 10 de novembro de manhã")
    assert "Para qual dia?" in text(asked)
    assert {id_.split("|")[0] for id_ in options(asked).values()} == {"day"}
    shown = slots(await maria.say("quinta"))
    assert shown
    assert {slot.split()[1] < "2026-11-26T12:00" for slot in shown} == {True}


async def test_only_the_year_that_was_said_is_far_ahead(front_desk: FrontDesk):
    told = await front_desk.visitor("sorriso").say("limpeza 3 de novembro do ano que vem")
    assert "ainda não está aberta" in text(told)


async def days_at(visitor: Visitor, *said: str) -> list[str]:
    """The times shown or asked about after these messages."""
    for message in said:
        told = await visitor.say(message)
    times = slots(told)
    return times or [id_ for id_ in options(told).values() if id_.startswith(("book|", "move_now|"))]


@pytest.mark.parametrize(
    "words", ["no mesmo horário em outro dia", "mesmo horário, outro dia", "tem esse horário outro dia?"]
)
async def test_the_same_hour_on_another_day_after_an_offer(front_desk: FrontDesk, words: str):
    shown = await days_at(front_desk.visitor("boa-vida"), "consulta geral quinta às 10h com a dra ana", words)
    assert {slot.split("T")[1] for slot in shown} == {"10:00"}
    assert {slot.split()[0] for slot in shown} == {"ana"}
    assert not any("2026-11-26" in slot for slot in shown)
    assert len(shown) > 3


async def test_the_same_hour_on_another_day_after_a_refusal(front_desk: FrontDesk):
    shown = await days_at(
        front_desk.visitor("boa-vida"), "retorno com o dr bruno quinta às 15h", "tem nesse horário outro dia?"
    )
    assert {slot.split("T")[1] for slot in shown} == {"15:00"}


async def test_the_same_hour_on_another_day_after_a_slot_was_taken_meanwhile(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    offered = await maria.say("consulta geral quinta de manhã com a dra ana")
    ten = next(id_ for id_ in options(offered).values() if "2026-11-26T10:00" in id_)
    await book(front_desk, maria.clinic, "consulta", "ana", "2026-11-26T10:00")
    assert "acabou de ser ocupado" in text(await maria.tap(ten))
    shown = await days_at(maria, "e no mesmo horário em outro dia?")
    assert {slot.split("T")[1] for slot in shown} == {"10:00"}
    assert not any("2026-11-26" in slot for slot in shown)


async def test_the_same_part_of_the_day_on_another_day(front_desk: FrontDesk):
    shown = await days_at(
        front_desk.visitor("sorriso"), "limpeza terça à tarde com a lívia", "mesmo horário, em outro dia"
    )
    assert shown
    assert not any("2026-11-24" in slot or slot.split("T")[1] < "12:00" for slot in shown)


async def test_an_hour_that_no_other_day_has_is_said_to_be_that(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza com a livia quinta às 15h")
    told = await maria.say("tem esse horário outro dia?")
    assert text(told).startswith("Às 15h, não tenho vaga em outro dia.\n\nEm outro horário, a Dra. Lívia Nogueira tem")
    assert slots(told)[0] == "livia 2026-11-24T14:50"


async def test_an_appointment_is_moved_to_the_same_hour_of_another_day(front_desk: FrontDesk):
    maria = front_desk.visitor("boa-vida")
    start = datetime(2026, 11, 24, 10, tzinfo=maria.clinic.timezone)
    await front_desk.desk.book(maria.clinic, MARIA, BookingRequest("consulta", "ana", start, "Maria Silva"))
    shown = await days_at(maria, "quero remarcar minha consulta para outro dia no mesmo horário")
    assert {slot.split("T")[1] for slot in shown} == {"10:00"}
    assert not any("2026-11-24" in slot for slot in shown)


async def test_another_day_at_other_hours_is_another_day(front_desk: FrontDesk):
    shown = await days_at(front_desk.visitor("sorriso"), "limpeza quarta às 22h", "tem outro dia a partir das 17h?")
    assert shown
    assert not any("2026-11-25" in slot or slot.split("T")[1] < "17:00" for slot in shown)


ASKED = "Vou ver com a equipe. Qual outro dia prefere?"


async def found_by_a_model(front_desk: FrontDesk, said: str = ASKED, **arguments: Any) -> dict[str, Any]:
    """What get_available_slots answers a model, which then says this to the patient."""
    steps = [
        call(1, "transfer_to_sales_closer"),
        call(2, "get_available_slots", **arguments),
        [assistant_message(said)],
    ]
    visitor, model = scripted(front_desk, steps)
    assert text(await visitor.say("oi")) == said
    model.assert_complete()
    assert model.last_call
    answers = {item["call_id"]: item["output"] for item in model.last_call.input if "output" in item}
    return dict(json.loads(answers["call-2"])["data"])


async def test_a_model_gets_the_reason_and_the_alternatives_as_typed_results(front_desk: FrontDesk):
    said = (
        "Na sexta-feira, 27/11, a Dra. Lívia Nogueira não atende. À tarde, ela tem vaga na quinta, 26/11. Prefere ficar"
        " com a Dra. Paula Lins na sexta, 27/11?"
    )
    found = await found_by_a_model(
        front_desk, said, service_id="profilaxia", professional_id="livia", date="sexta de tarde"
    )
    assert (found["available"], "slots" in found, found["reason"]) == (False, False, "professional_off")
    assert found["reason_text"] == "Na sexta-feira, 27/11, a Dra. Lívia Nogueira não atende."
    assert [(near["gives_way"], near["text"]) for near in found["alternatives"]] == [
        ("day", "À tarde, ela tem vaga na quinta (26/11) e no sábado (28/11)."),
        ("professional", "Com a Dra. Paula Lins, tenho vaga na sexta (27/11), à tarde."),
    ]
    offered = [item["titulo"] for section in found["suggestion"]["secoes"] for item in section["itens"]]
    assert {(chosen.split("|")[2], chosen.split("|")[3][:10]) for chosen in offered} == {
        ("livia", "2026-11-26"),
        ("livia", "2026-11-28"),
        ("paula", "2026-11-27"),
    }


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("domingo", "closed"),
        ("ontem", "past"),
        ("3 de novembro", "past"),
        ("2027-11-03", "too_far"),
        ("amanhã às 22h", "closed_then"),
        ("amanhã às 14h10", "off_grid"),
        ("hoje às 9h50", "too_soon"),
    ],
)
async def test_a_model_gets_each_reason(front_desk: FrontDesk, asked: str, reason: str):
    found = await found_by_a_model(front_desk, service_id="profilaxia", professional_id=None, date=asked)
    assert (found["reason"], found["available"]) == (reason, False)


async def test_a_model_that_asks_for_hours_of_no_day_gets_the_next_days_with_them(front_desk: FrontDesk):
    found = await found_by_a_model(front_desk, service_id="profilaxia", professional_id="livia", date="às 14h")
    starts = [chosen.split("|")[3] for chosen in found["suggestion"]["opcoes"]]
    assert {start[11:] for start in starts} == {"14:00"}
    assert (min(starts)[:10], "more" in found) == ("2026-11-24", False)

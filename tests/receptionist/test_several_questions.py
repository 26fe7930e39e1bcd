"""Several questions in one message: each with an answer gets it, in order, and the booking's question comes last."""

import pytest
from tests.receptionist.front_desk import FrontDesk, options, text


def order_of(told: str, *parts: str) -> list[str]:
    """Those that are in it, as they stand there."""
    return sorted((part for part in parts if part in told), key=told.index)


async def test_each_is_answered_in_order_with_the_times_last(front_desk: FrontDesk):
    told = text(
        await front_desk.visitor("sorriso").say(
            "vcs atendem criança, quanto custa a avaliação, parcela no cartão e tem horário sábado pra minha filha?"
        )
    )
    parts = ["a partir de 3 anos", "R$ 120,00", "em até 6 vezes", "Tenho estes horários"]
    assert order_of(told, *parts) == parts


async def test_no_more_than_three_are_answered_at_once(front_desk: FrontDesk):
    told = text(
        await front_desk.visitor("sorriso").say(
            "onde fica? quanto custa a limpeza? tem estacionamento? quais as formas de pagamento?"
        )
    )
    assert order_of(told, "Boa Viagem, 2500", "R$ 180,00", "manobrista", "Pix") == [
        "Boa Viagem, 2500",
        "R$ 180,00",
        "manobrista",
    ]


@pytest.mark.parametrize("day", ["30/02", "01/11"])
async def test_a_doubt_about_the_day_swallows_no_question(front_desk: FrontDesk, day: str):
    outcome = await front_desk.visitor("sorriso").say(f"limpeza dia {day}, quanto custa e tem estacionamento?")
    parts = ["R$ 180,00", "manobrista", "ara qual dia"]
    assert order_of(text(outcome), *parts) == parts
    assert options(outcome)


async def test_what_nothing_answers_is_said_beside_what_is(front_desk: FrontDesk):
    outcome = await front_desk.visitor("sorriso").say("quanto custa o clareamento? fica branco por quantos anos?")
    assert ("R$ 700,00" in text(outcome), "O resto" in text(outcome)) == (True, True)
    assert "Falar com a equipe" in options(outcome)


async def test_a_list_in_one_question_is_one_question(front_desk: FrontDesk):
    told = text(await front_desk.visitor("sorriso").say("oi, tudo bem? quanto custa limpeza, canal e clareamento?"))
    assert all(price in told for price in ("R$ 180,00", "R$ 950,00", "R$ 700,00"))
    assert "O resto" not in told


async def test_how_to_get_there_is_told_from_the_notes_with_the_address(front_desk: FrontDesk):
    told = text(await front_desk.visitor("boa-vida").say("como chego de metrô?"))
    assert ("Rua das Flores" in told, "300 metros" in told) == (True, True)


@pytest.mark.parametrize("words", ["vaga de emprego", "vcs estão contratando?", "posso deixar meu currículo?"])
async def test_who_looks_for_work_is_offered_a_person_and_no_service(front_desk: FrontDesk, words: str):
    outcome = await front_desk.visitor("sorriso").say(words)
    assert ("Avaliação" in options(outcome), "Falar com a equipe" in options(outcome)) == (False, True)


@pytest.mark.parametrize("words", ["tem vaga amanhã depois do trabalho?", "preciso remarcar, arrumei um emprego"])
async def test_who_speaks_of_their_own_work_does_not(front_desk: FrontDesk, words: str):
    assert "não tenho aqui" not in text(await front_desk.visitor("sorriso").say(words))

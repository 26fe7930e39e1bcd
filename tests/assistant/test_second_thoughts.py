"""What is said on top of a question or of what was shown: taken with it, or ended, and never done by halves."""

import pytest
from tests.assistant.conftest import Desk
from tests.assistant.test_errands import scene
from tests.assistant.test_questions import Talks

ASKED: Talks = [
    (["agenda dia 31/02"], "Essa data ou essa hora não existe. Diga outra."),
    (["o que tenho em 2027?"], "Nenhuma consulta: de sexta-feira 01/01/2027 a quinta-feira 11/02/2027."),
    (["cancela a da maria", "não cancela"], "Certo, não fiz nada."),
    (["cancela a da maria", "deixa, cancela"], "Certo, não fiz nada."),
    (
        ["cancela a da maria", "sim, e cancela a da ana"],
        (
            "Qual delas?\n"
            "1. amanhã, terça-feira, 24/11, às 10h, Ana Lima, Limpeza\n"
            "2. amanhã, terça-feira, 24/11, às 11h, Ana Prado, Limpeza\n"
            "Responda com o número."
        ),
    ),
    (
        ["cancela todas da ana"],
        (
            "Qual delas?\n"
            "1. amanhã, terça-feira, 24/11, às 10h, Ana Lima, Limpeza\n"
            "2. amanhã, terça-feira, 24/11, às 11h, Ana Prado, Limpeza\n"
            "Responda com o número."
        ),
    ),
    (["devolve todas as conversas"], "Não faço isso com tudo de uma vez. Diga qual, uma de cada vez."),
    (
        ["quais serviços vocês fazem"],
        ("• Limpeza: R$ 180,00\n• Tratamento de canal: R$ 950,00, com sinal de R$ 200,00"),
    ),
    (["remarca a maria p 30/02"], "Essa data ou essa hora não existe. Diga outra."),
]

SHOWN: Talks = [
    (
        ["marca limpeza com a paula pra rita melo", "quinta 9h", "11977776666"],
        ("Vou marcar Limpeza com Dra. Paula Lins para Rita Melo, 11977776666, quinta-feira, 26/11, às 9h. Confirma?"),
    ),
    (
        ["cancela a da maria", "sim cancela a da ana prado também"],
        (
            "Vou fazer isto:\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "• cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "11h\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da maria", "sim, e me lembra de ligar pra ela amanhã"],
        (
            "Vou fazer isto:\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "• criar a tarefa “Ligar pra ela”, para amanhã, terça-feira, 24/11\n"
            "Confirma?"
        ),
    ),
    (
        ["cancela a da maria", "sim, e cancela a da ana", "2"],
        (
            "Vou fazer isto:\n"
            "• cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h\n"
            "• cancelar a consulta de Ana Prado (Limpeza com Dra. Paula Lins), amanhã, terça-feira, 24/11, às "
            "11h\n"
            "Confirma?"
        ),
    ),
    (
        ["apaga a consulta da maria"],
        (
            "Vou cancelar a consulta de Maria Silva (Limpeza com Dra. Paula Lins), hoje, segunda-feira, 23/11, "
            "às 15h. Confirma?"
        ),
    ),
    (
        ["desmarca a maria hj pq ta doente e remarca p quinta 15h"],
        (
            "Vou remarcar Maria Silva (Limpeza com Dra. Paula Lins), de hoje, segunda-feira, 23/11, às 15h "
            "para quinta-feira, 26/11, às 15h. Confirma?"
        ),
    ),
]


@pytest.mark.parametrize(("messages", "told"), [*ASKED, *SHOWN])
async def test_it_is_answered_and_nothing_is_done_yet(desk: Desk, messages: list[str], told: str) -> None:
    await scene(desk)
    before = (await desk.agenda(), await desk.tasks())
    answer = await desk.say(*messages)
    assert (answer.message, answer.pending is not None) == (told, (messages, told) in SHOWN)
    assert (await desk.agenda(), await desk.tasks()) == before


async def test_a_name_that_is_like_a_verb_is_a_name(desk: Desk) -> None:
    await desk.converse()
    await desk.book("Márcia Silva", "15:00")
    asked = {
        "cancela a da marcia": "Vou cancelar a consulta de Márcia Silva",
        "a márcia chegou": "Vou registrar a chegada de Márcia Silva",
        "remraca a marcia pra quinta": "Vou remarcar Márcia Silva",
        "marca limpeza pra Márcia Reis quinta 10h 11 97777-6666": "Vou marcar Limpeza com Dra. Paula Lins para Márcia",
    }
    assert {said: (await desk.say("deixa", said)).message[: len(told)] for said, told in asked.items()} == asked


async def test_a_yes_to_both_does_both(desk: Desk) -> None:
    await scene(desk)
    await desk.say("cancela a da maria", "sim cancela a da ana prado também", "sim")
    assert [(name, status) for name, _, status in await desk.agenda()] == [
        ("Carlos Dias", "no_show"),
        ("Maria Silva", "cancelled"),
        ("Ana Lima", "confirmed"),
        ("Ana Prado", "cancelled"),
    ]

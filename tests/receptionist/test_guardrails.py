from datetime import date

import pytest
from tests.receptionist.test_grounding import GUARD

from gendei.receptionist.llm.grounding import Facts
from gendei.receptionist.llm.guardrails import Fault, claims_booking


@pytest.mark.parametrize(
    "text",
    [
        "Consulta confirmada para amanhã às 14h!",
        "Prontinho, agendei sua limpeza para quinta.",
        "Sua sessão foi marcada com a Dra. Ana.",
        "Já está tudo reservado para você.",
        "Remarquei para sexta, às 10h.",
        "Cancelei sua consulta, tudo certo.",
        "Oi! Seu horário está CONFIRMADO. Posso ajudar em algo mais?",
        "Seu agendamento de amanhã foi cancelado.",
        "Deixei marcado para 15h.",
    ],
)
def test_a_statement_that_something_was_booked_is_a_claim(text: str):
    assert claims_booking(text)


@pytest.mark.parametrize(
    "text",
    [
        "Posso marcar para amanhã às 14h?",
        "Quer que eu deixe agendado?",
        "Ainda não há nada marcado para você.",
        "Não encontrei consulta confirmada no seu número.",
        "Só fica marcado depois que você disser sim.",
        "Tenho 14h, 15h e 16h. Qual prefere?",
        "Olá! Como posso ajudar?",
        "A consulta custa R$ 250,00.",
        "Para cancelar, é só me dizer qual.",
    ],
)
def test_a_question_a_condition_and_a_denial_claim_nothing(text: str):
    assert not claims_booking(text)


@pytest.mark.parametrize(
    "said",
    ["Agendei para amanhã, ok?", "Está confirmado 🎉 Posso ajudar em mais algo?", "Marquei às 14h, tudo bem?"],
)
def test_a_word_or_a_picture_behind_it_makes_no_question_of_a_claim(said: str):
    assert claims_booking(said)


def test_who_a_model_is_is_read_before_a_picture_too():
    facts = Facts(today=date(2026, 11, 23))
    assert Fault.PERSON in GUARD.faults("Aqui é a recepcionista Carla, sou humana 🙋‍♀️ Quer ajuda?", facts)

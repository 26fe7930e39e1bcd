"""What is written, as it is read aloud."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.conversation.voice_notes_wording import has_address, spoken

SAID = {
    "R$ 180,00": "cento e oitenta reais.",
    "R$ 1.250,00": "mil duzentos e cinquenta reais.",
    "R$ 1,50": "um real e cinquenta centavos.",
    "R$ 0,01": "um centavo.",
    "R$ 2.000.000,00": "dois milhões de reais.",
    "às 15h30": "às três e meia da tarde.",
    "15h30": "três e meia da tarde.",
    "às 12h": "ao meio-dia.",
    "às 13h15": "à uma e quinze da tarde.",
    "à 1h": "à uma da madrugada.",
    "0h": "meia-noite.",
    "das 8h às 12h": "das oito da manhã ao meio-dia.",
    "das 13h às 19:30": "da uma da tarde às sete e meia da noite.",
    "terça-feira, 24/11": "terça-feira, vinte e quatro de novembro.",
    "ter 24/11 14h": "terça-feira vinte e quatro de novembro duas da tarde.",
    "01/12/2026": "primeiro de dezembro de dois mil e vinte e seis.",
    "2026-11-24": "vinte e quatro de novembro de dois mil e vinte e seis.",
    "(19) 4002-3000": "um nove, quatro zero zero dois, três zero zero zero.",
    "SAMU, 192": "SAMU, um nove dois.",
    "CRO-SP 20001": "CRO-SP dois zero zero zero um.",
    "2 consultas de 30 min": "duas consultas de trinta minutos.",
    "22 vagas": "vinte e duas vagas.",
    "1ª consulta": "primeira consulta.",
    "10%": "dez por cento.",
    "2,5": "dois vírgula cinco.",
    "24h": "vinte e quatro horas.",
    "*Limpeza* com a Dra. Paula": "Limpeza com a doutora Paula.",
    "✅ Pronto!\n• Rua do Sol, 12": "Pronto! Rua do Sol, doze.",
    "Veja https://aurora.test/mapa": "Veja.",
    "👍": "",
}


@pytest.mark.parametrize(("written", "said"), SAID.items())
def test_it_is_read_as_somebody_would(written: str, said: str):
    assert spoken(written) == said


def test_what_is_no_date_stays_two_numbers():
    assert spoken("31/13") == "trinta e um/treze."


@pytest.mark.parametrize(("text", "has"), [("www.aurora.test", True), ("a@aurora.test", True), ("Rua do Sol.", False)])
def test_an_address_is_known_for_one(text: str, has: bool):
    assert has_address(text) is has


@given(st.text(alphabet="0123456789 R$,./:hàs-()%ºªmin\n", max_size=60))
def test_no_digit_is_ever_left_to_the_voice(text: str):
    assert re.findall(r"\d", spoken(text)) == []

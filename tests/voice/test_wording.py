"""What is written, as it is read aloud."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.conversation.speech.wording import has_address, one_of, spoken

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
    "ter 24/11 14h": "terça-feira vinte e quatro de novembro, às duas da tarde.",
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
    "Veja https://aurora.test/mapa": "Veja o endereço escrito aqui.",
    "👍": "",
    # money
    "R$ 100 mil": "cem mil reais.",
    "R$ 2,5 milhões": "dois vírgula cinco milhões de reais.",
    "R$ 150,00 à vista ou 3x de R$ 55,00": "cento e cinquenta reais à vista ou três vezes de cinquenta e cinco reais.",
    "em até 12x sem juros": "em até doze vezes sem juros.",
    "R$ 180,00/mês": "cento e oitenta reais por mês.",
    "R$ 90/sessão": "noventa reais por sessão.",
    # times and hours
    "às 12h30": "ao meio-dia e meia.",
    "às 23h59": "às onze e cinquenta e nove da noite.",
    "às 0h30": "à meia-noite e meia.",
    "8h-18h": "das oito da manhã às seis da tarde.",
    "08:00 – 12:00": "das oito da manhã ao meio-dia.",
    "de 8h a 12h": "das oito da manhã ao meio-dia.",
    "das 8 às 18h": "das oito da manhã às seis da tarde.",
    "15-17h": "das três da tarde às cinco da tarde.",
    "entre 14h e 16h": "entre as duas da tarde e as quatro da tarde.",
    "entre 12h e 13h": "entre o meio-dia e a uma da tarde.",
    "até 18h": "até as seis da tarde.",
    "até às 12h": "até o meio-dia.",
    "às 15:30h": "às três e meia da tarde.",
    "às 8h da manhã": "às oito da manhã.",
    "às 3h da tarde": "às três da tarde.",
    "terça, 24/11: 15h, 15h30 ou 16h": (
        "terça, vinte e quatro de novembro: três da tarde, três e meia da tarde ou quatro da tarde."
    ),
    # how long
    "duração de 1h": "duração de uma hora.",
    "dura 1h30": "dura uma hora e meia.",
    "1h30min": "uma hora e meia.",
    "sessão de 1h30": "sessão de uma hora e meia.",
    "Jejum de 8h": "Jejum de oito horas.",
    "chegue 2h antes": "chegue duas horas antes.",
    "em até 2h": "em até duas horas.",
    "com 24h de antecedência": "com vinte e quatro horas de antecedência.",
    "de 8/8h": "de oito em oito horas.",
    "1/2 comprimido": "meio comprimido.",
    "15/15 dias": "de quinze em quinze dias.",
    # dates
    "seg a sex, 8h às 18h": "segunda-feira a sexta-feira, oito da manhã às seis da tarde.",
    "Seg–Sex: 8h–18h": "segunda-feira a sexta-feira: das oito da manhã às seis da tarde.",
    "sáb 8h às 12h": "sábado oito da manhã ao meio-dia.",
    "seg., 23/11, 14h30": "segunda-feira, vinte e três de novembro, às duas e meia da tarde.",
    "2ª a 6ª feira": "segunda a sexta feira.",
    "3ª e 5ª feira": "terça e quinta feira.",
    "dia 1": "dia primeiro.",
    "1º/12": "primeiro de dezembro.",
    "25.12.2026": "vinte e cinco de dezembro de dois mil e vinte e seis.",
    "23/nov": "vinte e três de novembro.",
    "nov/2026": "novembro de dois mil e vinte e seis.",
    "11/2026": "novembro de dois mil e vinte e seis.",
    "24/11/2026 15:30": "vinte e quatro de novembro de dois mil e vinte e seis, às três e meia da tarde.",
    # numbers to be dialled or shown
    "+5511999990001": "cinco cinco, um um, nove nove nove nove nove, zero zero zero um.",
    "11999990001": "um um, nove nove nove nove nove, zero zero zero um.",
    "0800 123 4567": "zero oito zero zero, um dois três, quatro cinco seis sete.",
    "CPF 123.456.789-09": "CPF um dois três, quatro cinco seis, sete oito nove, zero nove.",
    "CNPJ 12.345.678/0001-90": "CNPJ um dois, três quatro cinco, seis sete oito, zero zero zero um, nove zero.",
    "CRM/SP 12.345": "CRM/SP um dois três quatro cinco.",
    "CEP 13010-000": "CEP um três zero um zero, zero zero zero.",
    "protocolo 20261124": "protocolo dois zero dois, seis um um, dois quatro.",
    "ramal 12": "ramal doze.",
    # addresses of streets
    "R. das Flores, 100 - Centro": "rua das Flores, cem, Centro.",
    "Av. Paulista, 1578, 3º andar, cj. 31": (
        "avenida Paulista, mil quinhentos e setenta e oito, terceiro andar, conjunto trinta e um."
    ),
    "Al. Santos, 45, apto 12B": "alameda Santos, quarenta e cinco, apartamento doze B.",
    "Pça. da Sé, s/n": "praça da Sé, sem número.",
    "Rod. SP-101, km 12": "rodovia SP-cento e um, quilômetro doze.",
    "Rua do Sol, N° 5 - 2º andar": "Rua do Sol, número cinco, segundo andar.",
    # abbreviations
    "Drª Ana e Dr João": "doutora Ana e doutor João.",
    "Sr. José e Sra. Maria": "senhor José e senhora Maria.",
    "Profª Lúcia": "professora Lúcia.",
    "Tel.: (19) 4002-3000": "telefone: um nove, quatro zero zero dois, três zero zero zero.",
    "Obs.: traga RG": "observação: traga RG.",
    "p. ex. limpeza e/ou canal": "por exemplo limpeza e ou canal.",
    "c/ hora marcada, p/ crianças": "com hora marcada, para crianças.",
    "Bem-vindo(a)!": "Bem-vindo!",
    "aprox. 30 min": "aproximadamente trinta minutos.",
    "1o andar, 2a porta": "primeiro andar, segunda porta.",
    # measures
    "70kg": "setenta quilos.",
    "1,75 m": "um vírgula setenta e cinco metros.",
    "36,5 °C": "trinta e seis vírgula cinco graus.",
    "500 mg": "quinhentos miligramas.",
    "20 ml": "vinte mililitros.",
    "de 2 a 3 sessões": "de duas a três sessões.",
    "10-12 dias": "dez a doze dias.",
    "2x por semana": "duas vezes por semana.",
    "2.200 pessoas": "duas mil e duzentas pessoas.",
    "vitamina B12": "vitamina B doze.",
    # what is no word
    "Bom dia ☀️!": "Bom dia!",
    "A & B": "A e B.",
    "👨‍👩‍👧 Família": "Família.",
    "Escreva para oi@aurora.test.": "Escreva para o endereço escrito aqui.",
    "Entre em www.aurora.test/a (é rápido).": "Entre no endereço escrito aqui (é rápido).",
    "Mapa: aurora.com.br/mapa": "Mapa: o endereço escrito aqui.",
    "https://aurora.test": "",
    "Limpeza | 30 min | R$ 180,00": "Limpeza, trinta minutos, cento e oitenta reais.",
    # lists
    "Qual prefere?\n1. 15h\n2. 16h30": "Qual prefere? um, três da tarde. dois, quatro e meia da tarde.",
    "1) Limpeza\n2) Canal": "um, Limpeza. dois, Canal.",
    "1️⃣ Limpeza\n2️⃣ Canal": "um, Limpeza. dois, Canal.",
    "[1] Limpeza": "um, Limpeza.",
    "• Limpeza: R$ 180,00 (30 min)\n• Canal: sob consulta": (
        "Limpeza: cento e oitenta reais (trinta minutos). Canal: sob consulta."
    ),
    "*Confirmado!*\n\n📅 ter, 24/11, às 15h\n👩‍⚕️ Dra. Paula Lins\n📍 Rua do Sol, 12, Campinas": (
        "Confirmado! terça-feira, vinte e quatro de novembro, às três da tarde. doutora Paula Lins. Rua "
        "do Sol, doze, Campinas."
    ),
}


@pytest.mark.parametrize(("written", "said"), SAID.items())
def test_it_is_read_as_somebody_would(written: str, said: str):
    assert spoken(written) == said


def test_what_is_no_date_stays_two_numbers():
    assert spoken("31/13") == "trinta e um/treze."


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("www.aurora.test", True),
        ("a@aurora.test", True),
        ("aurora.com.br", True),
        ("wa.me/5511999990001", True),
        ("Rua do Sol.", False),
        ("Dra. Ana, R$ 1.250,00", False),
    ],
)
def test_an_address_is_known_for_one(text: str, has: bool):
    assert has_address(text) is has


def test_options_are_read_as_a_choice():
    assert (one_of(["15h", "16h30", "✅ Outro dia"]), one_of(["Sim."]), one_of([])) == (
        "três da tarde, quatro e meia da tarde ou Outro dia",
        "Sim",
        "",
    )


def test_of_several_times_the_day_is_named_once():
    assert one_of(["qui 26/11 9h", "qui 26/11 10h", "sex 27/11 9h", "Outro dia"]) == (
        "quinta-feira vinte e seis de novembro, às nove da manhã, dez da manhã, "
        "sexta-feira vinte e sete de novembro, às nove da manhã ou Outro dia"
    )


@given(st.text(alphabet="0123456789 R$,./:hàs-–()[]%ºªxkgdeatéoium@\n", max_size=60))
def test_no_digit_is_ever_left_to_the_voice(text: str):
    assert re.findall(r"\d", spoken(text)) == []

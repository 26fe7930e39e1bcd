"""What tells who a patient is gets a stand-in, however it is written; what was wished stays."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.cases.moved_dates import moved
from gendei.cases.stand_ins import StandIns, known_of
from gendei.cases.vocabulary import folded

WEDNESDAY = date(2026, 11, 25)
SHIFT = date(2026, 3, 4) - WEDNESDAY
OWN = frozenset("dra paula lins limpeza rua das flores 100 unimed r".split())
KNOWN = known_of(["Rita de Cássia Melo", "+5511988880001", "12345678909", "Sol Bento"])


def stand_ins() -> StandIns:
    return StandIns(OWN, KNOWN, WEDNESDAY, SHIFT)


def squeezed(text: str) -> str:
    return "".join(each for each in folded(text) if each.isalnum())


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("aqui é a rita melo", "rita melo"),
        ("R I T A   M E L O", "rita melo"),
        ("Ｒｉｔａ Ｍｅｌｏ", "rita melo"),
        ("ri\u200bta me\u00adlo", "rita melo"),
        ("𝓡𝓲𝓽𝓪 de cassia", "rita cassia"),
        ("meu nome é clara luz da rocha e quero limpeza", "clara luz rocha"),
        ("minha filha flor quer vir", "flor"),
        ("é para o meu filho Kauã Ximenes", "kaua ximenes"),
        ("cpf 123.456.789-09 ou 12345678909 ou 123 456 789 09", "12345678909 456789"),
        ("me liga no (11) 98888-0001 ou 988880001", "988880001 98888"),
        ("1-1-9-8-8-8-8-0-0-0-1", "988880001"),
        ("nove oito oito oito oito zero zero zero um", "oitooito"),
        ("rita.melo+x@correio.example, rita_melo@correio.example", "rita correio"),
        ("rita arroba correio ponto com", "rita correio"),
        ("olha https://perfil.example/ritamelo e @ritamelo", "ritamelo perfil"),
        ("moro na rua das acácias, 457, apto 1203, Jaqueira", "acacias 457 1203 jaqueira"),
        ("carteirinha 0045 8812 7734 9910, prontuário 58213", "0045 8812 9910 58213"),
        ("nasci em 13/07/1961, dia 13 de julho de 1961", "1961 1307 julho"),
        ("sol bento aqui", "solbento"),
        ("So l B ento", "solbento"),
    ],
)
def test_no_form_of_what_is_known_or_told_survives(text: str, secrets: str) -> None:
    cleaned = squeezed(stand_ins().clean(text))
    assert [secret for secret in secrets.split() if secret in cleaned] == []


@pytest.mark.parametrize(
    "text",
    [
        "quanto custa a limpeza com a Dra. Paula? vi por R$ 180,00",
        "quero remarcar para quinta às 14h30, pode ser?",
        "Bom Dia! vocês aceitam Unimed?",
        "onde fica? é na rua das flores 100?",
        "posso pagar em 3x ou 200 reais no pix",
    ],
)
def test_what_was_wished_stays_as_it_was_written(text: str) -> None:
    assert stand_ins().clean(text) == text


def test_the_same_name_has_the_same_stand_in_and_never_the_patients_own() -> None:
    clean = StandIns(OWN, known_of(["Rosa Prado"]), WEDNESDAY, SHIFT).clean
    first, second = clean("sou a Rosa Prado"), clean("a Rosa chegou")
    assert "rosa" not in first.lower()
    assert second.split()[1] in first


def test_an_answer_to_a_question_for_a_name_is_all_name() -> None:
    found = stand_ins()
    assert "luz" not in found.clean("clara luz da paz", is_name=True)
    assert "paz" not in found.clean("é a clara paz de novo")


def test_what_staff_write_of_the_right_answer_keeps_their_words_and_nothing_of_the_patient() -> None:
    found = stand_ins()
    found.clean("aqui é a Zuleide Tatagiba, zu@correio.example, carteirinha 0045 8812 7734")
    fact = "Zuleide, estacione no Estapar, ligue 4002-3100 ou escreva a oi@clinica.example; sexta 27/11"
    assert (
        found.clean_fact(fact)
        == "Rosa, estacione no Estapar, ligue 4002-3100 ou escreva a oi@clinica.example; sexta 06/03"
    )
    kept = found.clean_fact("Rita Melo, zu@correio.example, 0045 8812 7734, 11 98888-0001")
    assert not any(secret in squeezed(kept) for secret in ("rita", "melo", "zucorreio", "8812", "98888"))


@given(st.text(alphabet="aeimrt lot@.-_1890\u200b", max_size=60))
def test_whatever_is_written_around_it_a_full_name_and_a_phone_are_gone(noise: str) -> None:
    cleaned = squeezed(stand_ins().clean(f"{noise} rita de cassia melo {noise} 11 98888-0001 {noise}"))
    assert "ritadecassiamelo" not in cleaned
    assert "98888000" not in cleaned


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quero dia 30 às 15h", "quero dia 9 às 15h"),
        ("pode ser 27/11?", "pode ser 06/03?"),
        ("dia 27/11/2026 às 14h", "dia 06/03 às 14h"),
        ("25 de novembro de 2026", "4 de março"),
        ("dia vinte e sete", "dia 6"),
        ("dias 26 e 27", "dias 5 e 6"),
        ("dia 3 de dezembro", "dia 12 de março"),
        ("em dezembro", "em março"),
        ("nasci em 12/05/1983", "nasci em 01/01/1980"),
        ("2026-11-27", "06/03"),
        ("das 8 às 10, 2x por semana", "das 8 às 10, 2x por semana"),
    ],
)
def test_dates_keep_their_weekday_and_their_distance(text: str, expected: str) -> None:
    assert moved(text, WEDNESDAY, SHIFT) == expected


@given(st.integers(-300, 300))
def test_every_day_near_by_is_moved_by_the_same_weeks(days: int) -> None:
    day = WEDNESDAY + timedelta(days=days)
    assert moved(f"{day:%d/%m/%Y}", WEDNESDAY, SHIFT) == f"{day + SHIFT:%d/%m}"

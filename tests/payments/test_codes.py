"""Codes that are copied to pay, keys that are paid to, and CPF and CNPJ."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.payments.amounts import LARGEST_CENTS, cents_of, decimal_text
from gendei.payments.br_code import NotAPixCode, PixCode, qr_picture, read_code
from gendei.payments.pix_key import PixKey, PixKeyKind, pix_key
from gendei.tax_ids import cnpj_places, cpf_digits

EVP = "123e4567-e12b-12d1-a456-426655440000"
STATIC = (
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
    "5913Fulano de Tal6008BRASILIA62070503***63041D3D"
)
DYNAMIC = (
    "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR"
    "5913Fulano de Tal6008BRASILIA62070503***630464E4"
)
"""Of the Central Bank's manual."""
LOCATION = "pix.example.com/8b3da2f39a4140d1a91abd93113bd441"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (STATIC, PixCode("Fulano de Tal", "BRASILIA", key=EVP)),
        (DYNAMIC, PixCode("Fulano de Tal", "BRASILIA", location=LOCATION, once=True)),
    ],
    ids=["static", "dynamic"],
)
def test_the_published_codes_are_read_and_written(text, code):
    assert (read_code(text), code.text) == (code, text)


NAMES = st.text(st.characters(min_codepoint=65, max_codepoint=122), min_size=1, max_size=15)


@given(
    NAMES,
    st.one_of(st.none(), st.integers(1, LARGEST_CENTS)),
    st.from_regex("[A-Za-z0-9]{1,25}", fullmatch=True),
    st.booleans(),
)
def test_a_code_is_read_as_it_was_made(name, cents, label, once):
    code = PixCode(name, name, key=EVP, cents=cents, label=label, once=once)
    assert read_code(code.text) == code


@given(st.integers(0, len(DYNAMIC) - 1), st.sampled_from("0aZ*"))
def test_a_code_that_was_not_copied_whole_is_refused(place, letter):
    for damaged in (DYNAMIC[:place], DYNAMIC[:place] + letter + DYNAMIC[place + 1 :]):
        if damaged != DYNAMIC:
            with pytest.raises(NotAPixCode):
                read_code(damaged)


@given(st.text(max_size=120))
def test_no_text_breaks_the_reading(text):
    with pytest.raises(NotAPixCode):
        read_code(text)


def test_names_are_written_without_accents_and_cut():
    code = read_code(PixCode("Clínica São João do Coração Imenso", "Itaquaquecetuba do Sul", key=EVP).text)
    assert (code.merchant_name, code.merchant_city) == ("Clinica Sao Joao do Corac", "Itaquaquecetuba")


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"key": EVP, "location": LOCATION},
        {"key": EVP, "cents": 0},
        {"key": EVP, "label": "x" * 26},
        {"key": EVP, "label": "a b"},
        {"location": f"https://{LOCATION}"},
        {"key": EVP, "merchant_name": " "},
    ],
)
def test_what_is_no_code_is_not_made(wrong):
    with pytest.raises(NotAPixCode):
        PixCode(**{"merchant_name": "Fulano", "merchant_city": "Brasilia"} | wrong)


def test_the_picture_of_a_code_is_a_png():
    assert qr_picture(DYNAMIC).startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("529.982.247-25", PixKey(PixKeyKind.CPF, "52998224725")),
        ("12.ABC.345/01DE-35", PixKey(PixKeyKind.CNPJ, "12ABC34501DE35")),
        ("+55 (11) 98765-4321", PixKey(PixKeyKind.PHONE, "+5511987654321")),
        (" Pix@Clinica.Example ", PixKey(PixKeyKind.EMAIL, "pix@clinica.example")),
        (EVP.upper(), PixKey(PixKeyKind.EVP, EVP)),
        ("11987654321", None),
        ("+1 212 555 0100", None),
        ("clinica@", None),
        ("", None),
    ],
)
def test_a_key_is_known_by_its_form(written, key):
    assert pix_key(written) == key
    assert key is None or key.value not in repr(key)


@pytest.mark.parametrize("cpf", ["529.982.247-25", "52998224725"])
def test_a_cpf_is_checked(cpf):
    assert (cpf_digits(cpf), cpf_digits("529.982.247-26"), cpf_digits("1" * 11)) == ("52998224725", None, None)


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ("33.000.167/0001-01", "33000167000101"),
        ("12.abc.345/01de-35", "12ABC34501DE35"),
        ("12ABC34501DE36", None),
        ("12ABC34501DEA5", None),
        ("0" * 14, None),
        ("33.000.167/0001", None),
    ],
)
def test_a_cnpj_is_checked_with_its_letters(written, places):
    assert cnpj_places(written) == places


@given(st.integers(0, LARGEST_CENTS))
def test_an_amount_is_read_as_it_was_written(cents):
    assert {cents_of(decimal_text(cents)), cents_of(Decimal(decimal_text(cents)))} == {cents}


@pytest.mark.parametrize("value", ["", "-1", "1.005", "1,00", "1e3", 1.0, True, None, "NaN", Decimal("NaN"), "9" * 12])
def test_what_is_no_amount_is_none(value):
    assert cents_of(value) is None

"""What a clinic's file says for its reception."""

from pathlib import Path

import pytest
from tests.clinics.test_file import EXAMPLE, load

from gendei.clinic import PersonalDatum
from gendei.errors import ConfigurationError


def test_what_is_kept_of_patients_and_who_overrides_are_chosen_among_what_there_is(tmp_path: Path) -> None:
    more = "personal_data: [cpf, birth_date, cpf]\nbooking: {override: managers}\n"
    clinic, ordinary = load(tmp_path, EXAMPLE + more), load(tmp_path, EXAMPLE)
    assert clinic.personal_data == (PersonalDatum.CPF, PersonalDatum.BIRTH_DATE)
    assert (clinic.booking.override, ordinary.booking.override, ordinary.personal_data) == ("managers", "staff", ())
    with pytest.raises(ConfigurationError) as wrong:
        load(tmp_path, EXAMPLE + "personal_data: [rg]\n")
    assert "personal_data[0]" in str(wrong.value)
    assert "Write one of: birth_date, cpf, plan_card." in str(wrong.value)

import shutil
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gendei.clinic import Clinic, ClinicId
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.verticals import TERM_FORMS, Term, Vertical, load_verticals

CLINIC = Clinic(ClinicId("boa-vida"), "Boa Vida", "med", ZoneInfo("America/Sao_Paulo"), {}, (), ())


@pytest.fixture(scope="module")
def verticals() -> dict[str, Vertical]:
    return load_verticals(data_dir("verticals"))


def test_the_six_verticals_are_there(verticals: dict[str, Vertical]):
    assert sorted(verticals) == ["dental", "fisio", "geral", "med", "nutri", "psi"]


@pytest.mark.parametrize(
    ("slug", "plural", "an_appointment", "council"),
    [
        ("med", "consultas", "uma consulta", "CRM"),
        ("dental", "consultas", "uma consulta", "CRO"),
        ("psi", "sessões", "uma sessão", "CRP"),
        ("nutri", "consultas", "uma consulta", "CRN"),
        ("fisio", "sessões", "uma sessão", "CREFITO"),
        ("geral", "atendimentos", "um atendimento", ""),
    ],
)
def test_each_vertical_has_its_own_words(
    verticals: dict[str, Vertical], slug: str, plural: str, an_appointment: str, council: str
):
    words = verticals[slug].words()
    expected = (plural, plural, an_appointment, council)
    assert (words["appointments"], words["appointment_terms"], words["an_appointment"], verticals[slug].council) == (
        expected
    )


def test_every_vertical_fills_every_form(verticals: dict[str, Vertical]):
    assert {slug for slug, vertical in verticals.items() if vertical.words().keys() != TERM_FORMS} == set()


def test_forms_follow_the_gender():
    feminine = dict(Term(singular="sessão", plural="sessões", gender="f").forms("appointment"))
    masculine = dict(Term(singular="atendimento", plural="atendimentos", gender="m").forms("appointment"))
    names = ["the_appointments", "of_the_appointment", "in_the_appointment", "your_appointments", "new_appointment"]
    assert [feminine[name] for name in names] == [
        "as sessões",
        "da sessão",
        "na sessão",
        "suas sessões",
        "nova sessão",
    ]
    assert [masculine[name] for name in names] == [
        "os atendimentos",
        "do atendimento",
        "no atendimento",
        "seus atendimentos",
        "novo atendimento",
    ]
    assert (feminine["appointment_ending"], masculine["appointment_ending"]) == ("a", "o")


def test_a_form_with_a_capital_begins_a_sentence(verticals: dict[str, Vertical]):
    assert verticals["psi"].words()["Your_appointment"] == "Sua sessão"


def test_a_clinic_overrides_whole_fields_and_keeps_the_rest(verticals: dict[str, Vertical]):
    term = {"singular": "doutor", "plural": "doutores", "gender": "m"}
    clinic = replace(CLINIC, overrides={"professional": term, "arrive_minutes_early": 30})
    own = verticals["med"].for_clinic(clinic)
    assert own == verticals["med"].model_copy(
        update={"professional": Term(singular="doutor", plural="doutores", gender="m"), "arrive_minutes_early": 30}
    )


def test_the_overrides_of_one_clinic_are_not_seen_by_another(verticals: dict[str, Vertical]):
    verticals["med"].for_clinic(replace(CLINIC, overrides={"arrive_minutes_early": 30}))
    assert verticals["med"].for_clinic(replace(CLINIC, id=ClinicId("outra"))).arrive_minutes_early == 15


def test_an_override_that_is_not_valid_names_the_clinic_and_the_field(verticals: dict[str, Vertical]):
    with pytest.raises(ConfigurationError) as caught:
        verticals["med"].for_clinic(replace(CLINIC, overrides={"arive_minutes_early": 30}))
    assert (caught.value.source, caught.value.remedy) == ("clinic boa-vida", 'Did you mean "arrive_minutes_early"?')


def test_a_wrong_vertical_stops_with_file_line_and_field(tmp_path: Path):
    shutil.copytree(data_dir("verticals"), tmp_path, dirs_exist_ok=True)
    path = tmp_path / "psi.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("gender: f", "gender: x"), encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_verticals(tmp_path)
    assert (caught.value.source, caught.value.where) == (str(path), "line 3, appointment.gender")


def test_a_folder_without_verticals_is_refused(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="holds no vertical"):
        load_verticals(tmp_path)

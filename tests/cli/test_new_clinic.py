"""`gendei clinics new, invite`: a clinic without a file."""

import pytest
import yaml

from gendei.cli import new_clinic

GIVEN = ("--name", "Clínica Ipê", "--vertical", "dental", "--address", "Rua do Ipê, 1")


def test_a_script_makes_a_clinic_by_options(gendei):
    made = gendei(
        *("clinics", "new", *GIVEN, "--hours", "mon-wed=09:00-12:00", "--hours", "thu-fri="),
        *("--service", "Profilaxia (limpeza)=180,00", "--service", "Clareamento a laser=1.200,00/90"),
        *("--professional", "Dra. Paula Lins"),
    )
    assert (made.exit_code, made.stdout.strip()) == (0, "clinica-ipe: Clínica Ipê"), made.output
    content = yaml.safe_load(gendei("clinics", "export", "clinica-ipe").stdout)
    assert content["hours"] == {day: ["09:00-12:00"] for day in ("mon", "tue", "wed")}
    assert [(each["id"], each["duration_minutes"], each["price_cents"]) for each in content["services"]] == [
        ("profilaxia-limpeza", 50, 18000),
        ("clareamento-a-laser", 90, 120000),
    ]
    assert content["professionals"][0]["services"] == ["profilaxia-limpeza", "clareamento-a-laser"]
    assert "Terminal" in gendei("clinics", "history", "clinica-ipe").stdout


def test_what_a_script_left_out_is_told_and_the_draft_goes_on(gendei):
    first = gendei("clinics", "new", *GIVEN)
    assert first.exit_code == 1
    assert "gendei clinics new --draft clinica-ipe" in first.stderr
    assert "clinica-ipe" not in gendei("clinics", "list").stdout
    assert gendei("clinics", "new", "--draft", "clinica-ipe", "--professional", "Dra. Paula").exit_code == 0
    assert "clinica-ipe: Clínica Ipê (dental)" in gendei("clinics", "list").stdout
    assert gendei("clinics", "new", "--draft", "clinica-ipe").exit_code == 1


def test_who_sits_at_a_terminal_is_asked_and_keeps_what_was_answered(gendei, monkeypatch):
    monkeypatch.setattr(new_clinic, "on_terminal", lambda: True)
    asked = gendei("clinics", "new", script="Clínica Ipê\nfisio\nRua 1\n220\n")
    assert asked.exit_code != 0  # the input ended in the middle
    assert "gendei clinics new --draft clinica-ipe" in asked.stderr
    answers = "160,00\n-\n-\n-\nCarla Menezes\n\n"
    made = gendei("clinics", "new", "--draft", "clinica-ipe", script=answers)
    assert made.exit_code == 0, made.output
    assert made.output.count("clinica-ipe") == 1
    services = yaml.safe_load(gendei("clinics", "export", "clinica-ipe").stdout)["services"]
    assert [(each["name"], each.get("price_cents")) for each in services] == [
        ("Avaliação", 22000),
        ("Sessão de fisioterapia", 16000),
    ]


@pytest.mark.parametrize("allowed", [False, True])
def test_a_link_is_printed_where_the_deployment_allows_it(gendei, monkeypatch, allowed):
    monkeypatch.setenv("GENDEI_SIGN_UP_BY_INVITATION", str(allowed).lower())
    monkeypatch.setenv("GENDEI_PUBLIC_URL", "https://gendei.test")
    told = gendei("clinics", "invite")
    assert (told.exit_code == 0) is allowed
    assert told.stdout.startswith("https://gendei.test/signup?invitation=" if allowed else "")

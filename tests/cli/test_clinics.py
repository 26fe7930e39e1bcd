"""gendei clinics export, history, set, undo, and import over what staff changed."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import AURORA, Gendei

from gendei.datafile import data_dir

PRICE = "services[limpeza].price_cents"
EVERY_CLINIC = [
    *sorted(data_dir("clinics").glob("*.yaml")),
    *sorted((Path(__file__).parents[2] / "evals" / "clinics").glob("*.yaml")),
    *sorted(AURORA.parent.glob("*.yaml")),
]


@pytest.fixture
def imported(gendei: Gendei) -> Gendei:
    assert gendei("clinics", "import", AURORA).exit_code == 0
    return gendei


@pytest.mark.parametrize("file", EVERY_CLINIC, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_export_import_export_gives_the_same_bytes(gendei, tmp_path, monkeypatch, file):
    monkeypatch.setenv("META_TOKEN", "token")
    assert gendei("clinics", "import", file).exit_code == 0
    first = gendei("clinics", "export", file.stem)
    (tmp_path / "exported.yaml").write_text(first.stdout, encoding="utf-8")

    checked, again = (
        gendei("check", tmp_path / "exported.yaml"),
        gendei("clinics", "import", tmp_path / "exported.yaml"),
    )

    assert (first.exit_code, checked.exit_code, again.exit_code, again.stderr) == (0, 0, 0, "")
    assert gendei("clinics", "export", file.stem).stdout == first.stdout


def test_an_export_shows_no_secret_but_the_variables_name(imported):
    exported = imported("clinics", "export", "aurora").stdout
    assert ("token-a" in exported, 'access_token: "${AURORA_TOKEN}"' in exported) == (False, True)


def test_a_secret_that_the_file_gave_in_the_clear_gets_a_variable_of_its_own(gendei, tmp_path, monkeypatch):
    plain = AURORA.read_text(encoding="utf-8").replace("${AURORA_TOKEN}", "in-the-clear")
    (tmp_path / "plain.yaml").write_text(plain, encoding="utf-8")
    gendei("clinics", "import", tmp_path / "plain.yaml")
    first = gendei("clinics", "export", "aurora").stdout
    (tmp_path / "exported.yaml").write_text(first, encoding="utf-8")
    monkeypatch.setenv("AURORA_CHANNELS_META_700000000000001_ACCESS_TOKEN", "in-the-clear")

    again = gendei("clinics", "import", tmp_path / "exported.yaml")

    assert ("in-the-clear" in first, again.exit_code, again.stderr) == (False, 0, "")
    assert gendei("clinics", "export", "aurora").stdout == first


def test_fields_are_set_listed_and_undone(imported):
    seen = imported("clinics", "set", "aurora", f"{PRICE}=19000", "--preview")
    done = imported("clinics", "set", "aurora", f"{PRICE}=19000", "closed=[2026-12-25]", "--reason", "novo ano")
    listed = json.loads(imported("clinics", "history", "aurora", "--json").stdout)
    undone = imported("clinics", "undo", "aurora", "2")

    assert (seen.stdout, done.exit_code) == (f"{PRICE}: 18000 -> 19000\n", 0)
    assert [(change["revision"], change["name"], change["reason"]) for change in listed] == [
        (2, "Terminal", "novo ano"),
        (1, "Terminal", ""),
    ]
    assert f"{PRICE}: 19000 -> 18000" in undone.stdout
    assert "(undoes 2)" in imported("clinics", "history", "aurora").stdout


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (f"{PRICE}=abc", f"{PRICE}: must be a whole number."),
        ("vertical=denta", 'vertical: there is no vertical "denta". Did you mean "dental"?'),
        ("name=${HOME}", "name: names a variable."),
    ],
)
def test_a_wrong_value_is_refused_with_the_words_of_the_check(imported, field, said):
    refused = imported("clinics", "set", "aurora", field)
    assert (refused.exit_code, said in refused.stderr) == (1, True), refused.stderr


def test_what_is_no_field_with_a_value_is_a_wrong_use(imported):
    assert imported("clinics", "set", "aurora", "name").exit_code == 2


def test_an_import_over_what_staff_changed_is_refused_with_the_list_where_nobody_can_be_asked(imported):
    imported("clinics", "set", "aurora", f"{PRICE}=19000", "name=Aurora Nova")

    refused = imported("clinics", "import", AURORA)

    assert refused.exit_code == 1
    assert f"aurora: changed by staff: {PRICE}: 19000 -> 18000 (Terminal, 2026-11-23" in refused.stderr
    assert "--ours" in refused.stderr
    assert "name: Aurora Nova" in imported("clinics", "export", "aurora").stdout


@pytest.mark.parametrize(
    ("flag", "name", "address"),
    [("--ours", "Aurora Nova", "Rua da Lua, 1"), ("--theirs", "Clínica Aurora", "Rua da Lua, 1")],
)
def test_a_flag_says_whose_word_counts_and_what_staff_left_alone_is_the_files(imported, tmp_path, flag, name, address):
    imported("clinics", "set", "aurora", "name=Aurora Nova")
    text = AURORA.read_text(encoding="utf-8").replace("Rua do Sol, 12, Campinas", address)
    (tmp_path / "aurora.yaml").write_text(text, encoding="utf-8")

    taken = imported("clinics", "import", tmp_path / "aurora.yaml", flag)

    exported = imported("clinics", "export", "aurora").stdout
    assert (taken.exit_code, f"name: {name}\n" in exported, f"address: {address}" in exported) == (0, True, True)
    assert "aurora: address:" in taken.stderr


def test_both_flags_are_a_wrong_use(imported):
    assert imported("clinics", "import", AURORA, "--ours", "--theirs").exit_code == 2


@pytest.mark.parametrize(
    ("answer", "name"), [("ours", "Aurora Nova"), ("theirs", "Clínica Aurora"), ("?", "Aurora Nova")]
)
def test_who_sits_at_a_terminal_is_asked(imported, monkeypatch, answer, name):
    monkeypatch.setattr("gendei.cli.data.on_terminal", lambda: True)
    imported("clinics", "set", "aurora", "name=Aurora Nova")

    asked = imported("clinics", "import", AURORA, script=f"{answer}\n")

    assert (asked.exit_code, "theirs" in asked.stdout) == (int(answer == "?"), True)
    assert f"name: {name}\n" in imported("clinics", "export", "aurora").stdout


def test_an_import_of_what_staff_changed_to_the_same_and_of_other_fields_needs_no_word(imported, tmp_path):
    imported("clinics", "set", "aurora", "name=Aurora Nova")
    text = AURORA.read_text(encoding="utf-8").replace("Clínica Aurora", "Aurora Nova")
    (tmp_path / "aurora.yaml").write_text(text.replace("Rua do Sol", "Rua da Lua"), encoding="utf-8")

    assert imported("clinics", "import", tmp_path / "aurora.yaml").exit_code == 0
    assert "address: Rua da Lua" in imported("clinics", "export", "aurora").stdout


def test_a_secret_that_staff_changed_is_asked_about_and_kept(imported, monkeypatch):
    token = "channels[meta:700000000000001].access_token"
    imported("clinics", "set", "aurora", f"{token}=EAAG-of-staff")

    refused = imported("clinics", "import", AURORA)
    kept = imported("clinics", "import", AURORA, "--ours")
    monkeypatch.setenv("AURORA_TOKEN", "EAAG-of-staff")
    same = imported("clinics", "import", AURORA)

    assert (refused.exit_code, kept.exit_code, same.exit_code) == (1, 0, 0)
    assert f"changed by staff: {token}: another secret" in refused.stderr
    assert "EAAG" not in refused.stderr + refused.stdout + imported("clinics", "history", "aurora").stdout


def test_of_several_files_none_is_stored_where_one_is_refused(imported):
    imported("clinics", "set", "aurora", "name=Aurora Nova")

    refused = imported("clinics", "import", AURORA.with_name("bromelia.yaml"), AURORA)

    assert (refused.exit_code, "bromelia" in imported("clinics", "list").stdout) == (1, False)


def test_a_clinic_that_is_kept_in_its_file_is_changed_by_that_alone(gendei, tmp_path):
    kept = tmp_path / "aurora.yaml"
    kept.write_text(AURORA.read_text(encoding="utf-8") + "kept_in_file: true\n", encoding="utf-8")
    gendei("clinics", "import", kept)

    refused = gendei("clinics", "set", "aurora", "name=Outra")

    assert (refused.exit_code, "arquivo" in refused.stderr) == (1, True)
    assert "kept_in_file: true\n" in gendei("clinics", "export", "aurora").stdout
    assert gendei("clinics", "import", AURORA).exit_code == 0
    assert gendei("clinics", "set", "aurora", "name=Outra").exit_code == 0


def test_a_clinic_that_is_none_is_not_exported(gendei):
    assert gendei("clinics", "export", "nenhuma").exit_code == 1

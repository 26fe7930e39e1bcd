"""keygen, check, clinics import and list."""

import json
from base64 import urlsafe_b64decode
from shutil import copytree

import pytest
from tests.cli.conftest import AURORA, BROMELIA

from gendei.datafile import data_dir


def test_keygen_prints_a_key_of_32_bytes_and_another_each_time(gendei):
    keys = [gendei("keygen").stdout.strip() for _ in range(2)]
    assert ([len(urlsafe_b64decode(key)) for key in keys], keys[0] != keys[1]) == ([32, 32], True)


def test_check_is_content_with_what_comes_with_gendei(gendei):
    result = gendei("check")
    assert (result.exit_code, result.stdout) == (0, "All well.\n")


def test_check_is_content_with_a_good_clinic_and_stores_nothing(gendei, tmp_path):
    result = gendei("check", AURORA, BROMELIA)
    assert (result.exit_code, result.stdout, list(tmp_path.iterdir())) == (0, "All well.\n", [])


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (
            "services: [limpeza]}",
            "services: [limpesa]}",
            'line {line}, professionals[0].services[0]: there is no service "limpesa". Did you mean "limpeza"?',
        ),
        (
            "duration_minutes: 60, price_cents: 18000",
            "duration_minutes: um, price_cents: 18000",
            "services[0].duration_minutes",
        ),
        ("vertical: dental", "vertical: dentall", "vertical"),
        ("timezone: America/Sao_Paulo", "timezone: America/Sampa", "timezone"),
        ('mon: ["09:00-12:00"', 'mon: ["12:00-09:00"', "hours.mon"),
        ("name: Clínica Aurora", "nome: Clínica Aurora", "nome"),
        ("${AURORA_TOKEN}", "${NO_SUCH_TOKEN}", "NO_SUCH_TOKEN"),
        ("id: aurora", "id: aurora: x", "is not YAML"),
    ],
    ids=["service", "type", "vertical", "timezone", "hours", "field", "variable", "syntax"],
)
def test_check_names_file_line_field_and_remedy(gendei, tmp_path, good, bad, said):
    text = AURORA.read_text(encoding="utf-8")
    file = tmp_path / "clinic.yaml"
    file.write_text(text.replace(good, bad, 1), encoding="utf-8")
    line = text[: text.index(good)].count("\n") + 1
    result = gendei("check", file)
    expected = (1, True, True, True)
    shown = result.stderr
    assert (
        result.exit_code,
        str(file) in shown,
        f"line {line}" in shown,
        said.format(line=line) in shown,
    ) == expected, shown


def test_check_reports_the_problems_of_every_file_at_once(gendei, tmp_path):
    files = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for file, good in zip(files, (AURORA, BROMELIA), strict=True):
        file.write_text(good.read_text(encoding="utf-8").replace("vertical: ", "vertical: x"), encoding="utf-8")
    shown = gendei("check", *files).stderr
    assert [f"{file}: line" in shown for file in files] == [True, True]


@pytest.mark.parametrize(
    ("file", "good", "bad", "said"),
    [
        ("prompts/sales_closer.md", "- get_services", "- get_servics", 'Did you mean "get_services"?'),
        ("prompts/greeter.md", "{clinic_name}", "{clinic_nome}", "clinic_nome"),
        ("prompts/phrases.yaml", "{clinic_name}", "{clinic_nome}", "clinic_nome"),
        ("verticals/dental.yaml", "gender: f", "gender: x", "gender"),
    ],
)
def test_a_bad_prompt_or_vertical_stops_check_and_serve_alike(gendei, tmp_path, monkeypatch, file, good, bad, said):
    folder, spoilt = file.split("/")[0], tmp_path / file
    copytree(data_dir(folder), tmp_path / folder)
    text = spoilt.read_text(encoding="utf-8")
    assert good in text
    spoilt.write_text(text.replace(good, bad, 1), encoding="utf-8")
    monkeypatch.setenv(f"GENDEI_{folder.upper()}_DIR", str(tmp_path / folder))
    results = [gendei("check"), gendei("serve", "--port", "0")]
    told = [
        (snapshot.exit_code, f"{spoilt}: line " in snapshot.stderr, said in snapshot.stderr) for snapshot in results
    ]
    assert told == [(1, True, True)] * 2, [snapshot.stderr for snapshot in results]


def test_an_imported_clinic_is_listed_with_its_number_and_without_its_token(gendei):
    imported = gendei("clinics", "import", AURORA, BROMELIA)
    listed = gendei("clinics", "list")
    assert (imported.stdout.splitlines(), listed.stdout.splitlines()) == (
        [
            "aurora: Clínica Aurora, 2 services, 2 professionals",
            "bromelia: Clínica Bromélia, 1 service, 1 professional",
        ],
        [
            "aurora: Clínica Aurora (dental), meta 700000000000001",
            "bromelia: Clínica Bromélia (med), meta 700000000000002",
        ],
    )


def test_the_clinics_are_an_array_of_objects_for_scripts_and_without_their_tokens(gendei):
    before = gendei("clinics", "list", "--json").stdout
    gendei("clinics", "import", AURORA)
    assert (json.loads(before), json.loads(gendei("clinics", "list", "--json").stdout)) == (
        [],
        [
            {
                "id": "aurora",
                "name": "Clínica Aurora",
                "vertical": "dental",
                "channels": [{"provider": "meta", "number": "700000000000001"}],
            }
        ],
    )


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["clinics", "list"], "There is no clinic. Add one"),
        (["appointments", "--clinic", "aurora"], "no appointments"),
        (["speech", "--clinic", "aurora"], "cost nothing"),
    ],
)
def test_a_list_of_nothing_says_so_to_people_and_prints_no_line(gendei, command, told):
    if command[0] != "clinics":
        gendei("clinics", "import", AURORA)
    result, as_json = gendei(*command), gendei(*command, "--json")
    assert (result.exit_code, result.stdout, told in result.stderr) == (0, "", True)
    assert (as_json.stdout, as_json.stderr) == ("[]\n", "")


def test_an_import_with_one_bad_file_imports_none(gendei, tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text(BROMELIA.read_text(encoding="utf-8").replace("vertical: med", "vertical: mad"), encoding="utf-8")
    result = gendei("clinics", "import", AURORA, bad)
    assert (result.exit_code, str(bad) in result.stderr, gendei("clinics", "list").stdout) == (1, True, "")


def test_a_number_of_another_clinic_is_not_taken_from_it(gendei, tmp_path):
    gendei("clinics", "import", AURORA)
    thief = tmp_path / "thief.yaml"
    thief.write_text(
        BROMELIA.read_text(encoding="utf-8").replace("700000000000002", "700000000000001"), encoding="utf-8"
    )
    result = gendei("clinics", "import", thief)
    assert (result.exit_code, "belongs to the clinic aurora already" in result.stderr) == (1, True)


def test_without_a_key_no_token_is_stored(gendei, monkeypatch):
    monkeypatch.delenv("GENDEI_SECRET_KEY")
    result = gendei("clinics", "import", AURORA)
    assert (result.exit_code, "GENDEI_SECRET_KEY" in result.stderr, "token-a" in result.stderr) == (1, True, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GENDEI_DATABASE", "postgres://x"),
        ("GENDEI_QUIET_SECONDS", "soon"),
        ("GENDEI_NOW", "2026-11-23T09:00"),
        ("GENDEI_MODEL", "gpt"),
        ("GENDEI_SECRET_KEY", "short"),
        ("GENDEI_PROMPTS_DIR", "/nowhere"),
    ],
)
def test_a_variable_that_cannot_be_used_stops_the_start_and_is_named(gendei, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    result = gendei("serve", "--port", "0")
    assert (result.exit_code, name in result.stderr, "Traceback" in result.output) == (1, True, False), result.output


def test_the_api_model_asks_for_its_key(gendei, monkeypatch):
    monkeypatch.setenv("GENDEI_MODEL", "api")
    result = gendei("serve", "--port", "0")
    assert (result.exit_code, "OPENAI_API_KEY" in result.stderr) == (1, True)


SLIPS = [
    (
        "price_cents: 18000",
        "price_cents: 180",
        "services[0].price_cents: is only R$ 1,80. If R$ 180,00 is meant, write 18000.",
    ),
    (
        "price_cents: 18000",
        "price_cents: 1000",
        "services[0].price_cents: is R$ 10,00, far less than is usual. If R$ 1.000,00 is meant, write 100000.",
    ),
    (
        "price_cents: 95000",
        "price_cents: 9500000",
        "services[1].price_cents: is R$ 95.000,00, far more than is usual. If R$ 950,00 is meant, write 95000.",
    ),
    ("deposit_cents: 20000", "deposit_cents: 200", "services[1].deposit_cents: is only R$ 2,00."),
]


def three_services() -> str:
    """Aurora's file, with a service more."""
    text = AURORA.read_text(encoding="utf-8").replace("services: [canal]}", "services: [canal, placa]}")
    placa = "  - {id: placa, name: Placa, duration_minutes: 30, price_cents: 60000}\nprofessionals:"
    return text.replace("services: [canal]\n", "services: [canal, placa]\n").replace("professionals:", placa)


@pytest.mark.parametrize("command", [("check",), ("clinics", "import")])
@pytest.mark.parametrize(("good", "bad", "said"), SLIPS)
def test_a_likely_slip_of_centavos_is_warned_of_and_taken(gendei, tmp_path, command, good, bad, said):
    text = three_services()
    file = tmp_path / "clinic.yaml"
    file.write_text(text.replace(good, bad, 1), encoding="utf-8")
    line = text[: text.index(good)].count("\n") + 1
    result = gendei(*command, file)
    assert (result.exit_code, result.stderr.startswith(f"warning: {file}: line {line}, {said}")) == (0, True), (
        result.stderr
    )


@pytest.mark.parametrize("price", [1000, 18000, 450000])
def test_ordinary_prices_are_not_warned_of(gendei, tmp_path, price):
    file = tmp_path / "clinic.yaml"
    text = AURORA.read_text(encoding="utf-8").replace("price_cents: 95000, deposit_cents: 20000", "price_cents: 30000")
    file.write_text(text.replace("price_cents: 18000", f"price_cents: {price}", 1), encoding="utf-8")
    assert (gendei("check", file).exit_code, gendei("check", file).stderr) == (0, "")


@pytest.mark.parametrize("file", sorted(data_dir("clinics").glob("*.yaml")), ids=lambda file: file.stem)
def test_the_demo_clinics_are_not_warned_of(gendei, monkeypatch, file):
    monkeypatch.setenv("META_TOKEN", "none")
    assert gendei("check", file).stderr == ""


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("Brasilia", "America/Sao_Paulo"), ("Brasília", "America/Sao_Paulo"), ("GMT-3", "America/Sao_Paulo")),
        *(
            ("Sao Paulo", "America/Sao_Paulo"),
            ("America/Sao_Paolo", "America/Sao_Paulo"),
            ("Acre", "America/Rio_Branco"),
        ),
        *(("Manaus", "America/Manaus"), ("Lisboa", "Europe/Lisbon")),
    ],
)
def test_a_zone_by_the_name_of_a_place_is_told_which_one_is_meant(gendei, tmp_path, written, meant):
    file = tmp_path / "clinic.yaml"
    file.write_text(AURORA.read_text(encoding="utf-8").replace("America/Sao_Paulo", written), encoding="utf-8")
    told = f'{file}: line 5, timezone: there is no such time zone. Did you mean "{meant}"?\n'
    assert gendei("check", file).stderr == told


def test_a_zone_like_no_other_is_told_the_few_of_brazil_and_not_all_of_the_world(gendei, tmp_path):
    file = tmp_path / "clinic.yaml"
    file.write_text(AURORA.read_text(encoding="utf-8").replace("America/Sao_Paulo", "horário daqui"), encoding="utf-8")
    told = gendei("check", file).stderr
    assert ("Known: America/Sao_Paulo, " in told, "Europe/" in told, len(told) < 500) == (True, False, True)

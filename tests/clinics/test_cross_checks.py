"""All that is wrong with clinic files, told in one run."""

from pathlib import Path
from shutil import copytree

import pytest
from tests.clinics.test_file import BOX, ENVIRONMENT, EXAMPLE, VERTICALS, problems

from gendei.checking import check_data
from gendei.clinics.file import load_clinics
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError

WRONG = """\
id: boa-vida
vertical: med
timezone: America/Sao_Paulo
hours: {mon: ["08:00-12:00"]}
channels:
  - {provider: meta, phone_number_id: "106540352242922", access_token: "${NO_SUCH_TOKEN}"}
  - {provider: evolution, instance: a, base_url: "http://a.test", api_key: k, webhook_secret: short}
  - {provider: web, site: a, origins: "https://a.test/contato"}
  - {provider: telegram}
services:
  - {id: consulta, name: Consulta, duration_minutes: um, price_cents: 100, deposit_cents: 200}
  - {id: consulta, name: Outra, duration_minutes: 30}
professionals:
  - {id: ana, name: Ana, services: [consultas], time_off: [{start: "2026-12-20", end: "2026-12-18"}]}
templates:
  remindr: {name: a}
  booked: {name: a, parameters: [pacient]}
mcp_servers:
  - {name: records, url: "https://10.0.0.1/mcp", agents: [], tools: [x]}
  - {name: other, url: records, agents: [support], tools: [x]}
"""


def test_no_mistake_hides_another(tmp_path: Path):
    assert [(where, problem) for where, problem, _ in problems(tmp_path, WRONG)] == [
        ("line 1, name", "is missing."),
        ("line 6, channels[0].access_token", "the variable NO_SUCH_TOKEN is not set."),
        ("line 7, channels[1].base_url", "must be an https address (http only on this machine)."),
        ("line 7, channels[1].webhook_secret", "must be 16 to 128 letters, digits, - or _."),
        (
            "line 8, channels[2].origins",
            "must be origins such as https://www.example.org, with a blank between them.",
        ),
        ("line 9, channels[3].provider", "there is no such provider."),
        ("line 11, services[0]", 'no professional performs "consulta".'),
        ("line 11, services[0].duration_minutes", "must be a whole number."),
        ("line 11, services[0].deposit_cents", "the deposit is more than the price."),
        ("line 12, services[1].id", "another one has this id."),
        ("line 12, services[1]", 'no professional performs "consulta".'),
        ("line 14, professionals[0].services[0]", 'there is no service "consultas".'),
        ("line 14, professionals[0].time_off[0]", "ends before it starts."),
        ("line 16, templates.remindr", "there is no such purpose."),
        ("line 17, templates.booked.parameters[0]", "nothing fills this parameter."),
        ("line 19, mcp_servers[0].url", "is an address that is not connected to."),
        ("line 19, mcp_servers[0].agents", "has 0 entries, and must have 1 or more."),
        ("line 20, mcp_servers[1].url", "must be an address."),
    ]


def together(folder: Path, *texts: str) -> list[tuple[str, str, str]]:
    """(file, where, problem) of each problem of these files."""
    paths = [folder / f"{index}.yaml" for index in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_clinics(paths, ENVIRONMENT, VERTICALS, BOX)
    return [(Path(problem.source).name, problem.where, problem.problem) for problem in caught.value.problems]


def test_everything_that_two_clinics_both_claim_is_named_where_it_stands(tmp_path: Path):
    text = EXAMPLE.replace("services:\n", "  - {provider: web, site: boa-vida}\nservices:\n", 1)
    first = tmp_path / "0.yaml"
    assert together(tmp_path, text, text) == [
        ("1.yaml", "line 1, id", f'id "boa-vida" belongs to {first} already.'),
        ("1.yaml", "line 8, channels[0].phone_number_id", f'meta "106540352242922" belongs to {first} already.'),
        ("1.yaml", "line 9, channels[1].site", f'web "boa-vida" belongs to {first} already.'),
    ]


def test_a_wrong_vertical_hides_nothing_of_the_clinics_and_is_told_of_once(tmp_path: Path):
    copytree(data_dir("verticals"), tmp_path / "verticals")
    vertical = tmp_path / "verticals" / "med.yaml"
    vertical.write_text(vertical.read_text(encoding="utf-8").replace("gender: f", "gender: x", 1), encoding="utf-8")
    files = [tmp_path / "its.yaml", tmp_path / "other.yaml"]
    files[0].write_text(EXAMPLE.replace("duration_minutes: 30", "duration_minutes: um"), encoding="utf-8")
    files[1].write_text(
        EXAMPLE.replace("id: boa-vida", "id: b").replace("vertical: med", "vertical: dentol"), encoding="utf-8"
    )
    found = check_data(data_dir("prompts"), tmp_path / "verticals", files, ENVIRONMENT, ())
    assert [(Path(problem.source).name, problem.where) for problem in found if not problem.source.endswith(".md")] == [
        ("med.yaml", "line 3, appointment.gender"),
        ("its.yaml", "line 10, services[0].duration_minutes"),
        ("other.yaml", "line 3, vertical"),
        ("other.yaml", "line 8, channels[0].phone_number_id"),
    ]


def test_what_two_clinics_claim_is_told_beside_what_else_is_wrong_and_shows_no_secret(tmp_path: Path):
    text = EXAMPLE.replace('"106540352242922"', '"${META_TOKEN}"').replace("id: boa-vida\n", "id: Boa\n")
    found = together(tmp_path, text, text)
    assert [(file, where) for file, where, _ in found] == [
        ("0.yaml", "line 1, id"),
        ("0.yaml", "line 8, channels[0].phone_number_id"),
        ("1.yaml", "line 1, id"),
        ("1.yaml", "line 1, id"),
        ("1.yaml", "line 8, channels[0].phone_number_id"),
        ("1.yaml", "line 8, channels[0].phone_number_id"),
    ]
    assert "EAAG" not in str(found)

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from gendei.checking import check_data
from gendei.clinic import BookingPolicy, Clinic, Location, Professional, Service, TimeOff, TimeRange
from gendei.clinic_services import ModelStyle
from gendei.clinics.file import load_clinics
from gendei.clinics.stored import CLINIC
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.secrets import SecretBox, new_key
from gendei.verticals import load_verticals

BOX = SecretBox(new_key())
VERTICALS = load_verticals(data_dir("verticals"))
ZONE = ZoneInfo("America/Sao_Paulo")
ENVIRONMENT = {"META_TOKEN": "EAAG-secret"}
EXAMPLE = """\
id: boa-vida
name: Clínica Boa Vida
vertical: med
timezone: America/Sao_Paulo
hours: {mon: ["08:00-12:00", "13:00-18:00"], sat: ["08:00-12:00"]}
closed: ["2026-12-25"]
channels:
  - {provider: meta, phone_number_id: "106540352242922", access_token: "${META_TOKEN}"}
services:
  - {id: consulta, name: Consulta Geral, duration_minutes: 30, price_cents: 25000, deposit_cents: 5000}
professionals:
  - {id: ana, name: Dra. Ana Souza, services: [consulta]}
"""

Change = Callable[[dict[str, Any]], None]


def load(folder: Path, text: str = EXAMPLE, environment: Mapping[str, str] = ENVIRONMENT) -> Clinic:
    path = folder / "clinic.yaml"
    path.write_text(text, encoding="utf-8")
    return load_clinics([path], environment, VERTICALS, BOX)[0]


def problems(folder: Path, text: str, environment: Mapping[str, str] = ENVIRONMENT) -> list[tuple[str, str, str]]:
    with pytest.raises(ConfigurationError) as caught:
        load(folder, text, environment)
    return [(problem.where, problem.problem, problem.remedy) for problem in caught.value.problems]


def changed(change: Change) -> str:
    """The example with a change of its data, one field a line."""
    data = yaml.safe_load(EXAMPLE)
    change(data)
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def test_the_example_of_the_design_becomes_a_clinic(tmp_path: Path):
    clinic = load(tmp_path)
    morning = TimeRange(480, 720)
    assert (clinic.id, clinic.name, clinic.vertical, clinic.timezone) == ("boa-vida", "Clínica Boa Vida", "med", ZONE)
    assert clinic.hours == {0: (morning, TimeRange(780, 1080)), 5: (morning,)}
    assert clinic.closed == {date(2026, 12, 25)}
    assert clinic.services == (Service("consulta", "Consulta Geral", 30, 25000, 5000),)
    assert clinic.professionals == (Professional("ana", "Dra. Ana Souza", ("consulta",)),)
    assert clinic.booking == BookingPolicy(lead_minutes=120, horizon_days=60, buffer_minutes=0)


def test_a_clinic_has_its_place_on_the_map_where_the_file_has_it(tmp_path: Path):
    placed = EXAMPLE + "location: {latitude: -23.5614, longitude: -46}\n"
    assert (load(tmp_path, placed).location, load(tmp_path).location) == (Location(-23.5614, -46.0), None)


@pytest.mark.parametrize(
    ("place", "where", "problem"),
    [
        ("{latitude: -90.1, longitude: 0}", "location.latitude", "must not be less than -90."),
        ("{latitude: 90.1, longitude: 0}", "location.latitude", "must not be more than 90."),
        ("{latitude: .nan, longitude: 0}", "location.latitude", "must not be more than 90."),
        ("{latitude: 0, longitude: 180.1}", "location.longitude", "must not be more than 180."),
        ("{latitude: 0, longitude: -180.1}", "location.longitude", "must not be less than -180."),
        ("{latitude: 0}", "location.longitude", "is missing."),
        ("{longitude: 0}", "location.latitude", "is missing."),
        ('{latitude: "0", longitude: 0}', "location.latitude", "must be a number."),
        ("Rua das Flores", "location", "must be a group of fields."),
    ],
)
def test_what_is_no_place_on_the_map_is_named(tmp_path: Path, place: str, where: str, problem: str):
    [(found, said, _)] = problems(tmp_path, f"{EXAMPLE}location: {place}\n")
    assert (found, said) == (f"line 13, {where}", problem)


def test_the_token_is_sealed_for_its_clinic_and_shown_nowhere(tmp_path: Path):
    clinic = load(tmp_path)
    assert BOX.open_channel(clinic.channels[0], "access_token") == "EAAG-secret"
    assert "EAAG" not in repr(clinic)


def test_a_professional_has_hours_time_off_and_names_of_its_own(tmp_path: Path):
    def change(data: dict[str, Any]) -> None:
        data["professionals"][0] |= {
            "hours": {"tue": ["09:00-12:00"]},
            "time_off": [
                {"start": "2026-12-20", "end": "2026-12-21", "reason": "Férias"},
                {"start": "2026-11-24 14:00", "end": "2026-11-24 16:00"},
            ],
            "council": "CRM-SP 123456",
            "aliases": ["doutora Ana"],
        }

    (ana,) = load(tmp_path, changed(change)).professionals
    assert ana.hours == {1: (TimeRange(540, 720),)}
    assert ana.time_off == (
        TimeOff(datetime(2026, 12, 20, tzinfo=ZONE), datetime(2026, 12, 22, tzinfo=ZONE), "Férias"),
        TimeOff(datetime(2026, 11, 24, 14, tzinfo=ZONE), datetime(2026, 11, 24, 16, tzinfo=ZONE)),
    )
    assert ana.time_off[1].start.astimezone(UTC).hour == 17
    assert (ana.council_number, ana.aliases) == ("CRM-SP 123456", ("doutora Ana",))


@pytest.mark.parametrize(
    ("old", "new", "where", "problem", "remedy"),
    [
        ("id: boa-vida", "id: Boa Vida", "line 1, id", "must be a short id.", "Use a-z, 0-9 and -, at most 40"),
        ("vertical: med", "vertical: mde", "line 3, vertical", 'there is no vertical "mde".', "Did you mean"),
        ("Sao_Paulo", "Sao_Paolo", "line 4, timezone", "there is no such time zone.", '"America/Sao_Paulo"?'),
        ("mon:", "x:", "line 5, hours.x", "there is no such field.", "Known: mon, tue, wed, thu, fri, sat, sun."),
        ("mon:", "seg:", "line 5, hours.seg", "there is no such field.", 'Write "mon".'),
        ("mon:", "Terça-feira:", "line 5, hours.Terça-feira", "there is no such field.", 'Write "tue".'),
        ("sat:", "sabado:", "line 5, hours.sabado", "there is no such field.", 'Write "sat".'),
        (
            '["08:00-12:00", "13:00-18:00"]',
            '["13:00-18:00", "08:00-12:00"]',
            "line 5, hours.mon",
            "the ranges overlap or are out of order.",
            "early to late",
        ),
        (
            '"08:00-12:00", "13',
            '"8-12", "13',
            "line 5, hours.mon[0]",
            "must be a time range within one day.",
            '"08:00-12:00", in quotes',
        ),
        (
            '["08:00-12:00"]',
            "[13:00]",
            "line 5, hours.sat[0]",
            "YAML reads this time as a number.",
            'Put it in quotes: "13:00".',
        ),
        ('"2026-12-25"', "25/12", "line 6, closed[0]", "must be a date.", '"2026-12-25"'),
        ("provider: meta", "provider: telegram", "line 8, channels[0].provider", "there is no such provider.", "meta"),
        (
            '"106540352242922"',
            "106540352242922",
            "line 8, channels[0].phone_number_id",
            "must be text.",
            "Put it in quotes.",
        ),
        (
            '"106540352242922"',
            '"+55 11 4002"',
            "line 8, channels[0].phone_number_id",
            "must be 5 to 20 digits.",
            "Copy it",
        ),
        ("access_token", "token", "line 8, channels[0].access_token", "is missing.", "Add it."),
        (
            "25000",
            "250.00",
            "line 10, services[0].price_cents",
            "money is whole centavos.",
            "R$ 250,00 is written 25000",
        ),
        ("25000", "-1", "line 10, services[0].price_cents", "must not be less than 0.", "Write 0 or more."),
        (
            "deposit_cents: 5000",
            "deposit_cents: 30000",
            "line 10, services[0].deposit_cents",
            "the deposit is more than",
            "Lower",
        ),
        ("duration_minutes: 30, ", "", "line 10, services[0].duration_minutes", "is missing.", "Add it."),
        (
            "services: [consulta]",
            "services: [consultas]",
            "line 12, professionals[0].services[0]",
            'there is no service "consultas".',
            'Did you mean "consulta"?',
        ),
        ("id: ana", "id: any", "line 12, professionals[0].id", "this id has a meaning of its own.", "Choose another"),
        (
            "{id: ana",
            "{hours: {}, id: ana",
            "line 12, professionals[0]",
            "never works.",
            "Give hours",
        ),
        (
            "{id: ana",
            "{time_off: [{start: '2026-12-20', end: '2026-12-18'}], id: ana",
            "line 12, professionals[0].time_off[0]",
            "ends before it starts.",
            "Correct",
        ),
    ],
)
def test_an_error_names_line_field_and_what_to_write(
    tmp_path: Path, old: str, new: str, where: str, problem: str, remedy: str
):
    assert old in EXAMPLE
    found = problems(tmp_path, EXAMPLE.replace(old, new, 1))
    assert any(at == where and said.startswith(problem) and remedy in cure for at, said, cure in found), found


def test_ids_are_given_once(tmp_path: Path):
    text = changed(lambda data: data["services"].append(data["services"][0] | {"name": "Outra"}))
    assert [problem for _, problem, _ in problems(tmp_path, text)] == ["another one has this id."]


def test_every_service_has_somebody_who_performs_it(tmp_path: Path):
    text = changed(lambda data: data["services"].append({"id": "retorno", "name": "Retorno", "duration_minutes": 20}))
    assert [problem for _, problem, _ in problems(tmp_path, text)] == ['no professional performs "retorno".']


def test_an_unknown_vertical_is_named_beside_the_errors_of_other_fields(tmp_path: Path):
    text = EXAMPLE.replace("vertical: med", "vertical: mde").replace("duration_minutes: 30", "duration_minutes: um")
    assert [(where, problem) for where, problem, _ in problems(tmp_path, text)] == [
        ("line 3, vertical", 'there is no vertical "mde".'),
        ("line 10, services[0].duration_minutes", "must be a whole number."),
    ]


def test_an_override_is_checked_against_the_vertical(tmp_path: Path):
    found = problems(tmp_path, EXAMPLE + "overrides:\n  councel: CRM\n")
    assert found == [("line 14, overrides.councel", "there is no such field.", 'Did you mean "council"?')]


def test_a_missing_variable_hides_no_other_mistake(tmp_path: Path):
    text = EXAMPLE.replace("duration_minutes: 30", "duration_minutes: um")
    text += "overrides: {councel: CRM, arrive_minutes_early: no}\n"
    assert [where for where, _, _ in problems(tmp_path, text, {})] == [
        "line 8, channels[0].access_token",
        "line 10, services[0].duration_minutes",
        "line 13, overrides.councel",
        "line 13, overrides.arrive_minutes_early",
    ]


def test_a_missing_variable_is_named(tmp_path: Path):
    (found,) = problems(tmp_path, EXAMPLE, {})
    assert found[:2] == ("line 8, channels[0].access_token", "the variable META_TOKEN is not set.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vertical: med", 'vertical: "${META_TOKEN}"'),
        ("id: boa-vida", 'id: "${META_TOKEN}"'),
        ("timezone: America/Sao_Paulo", 'timezone: "${META_TOKEN}"'),
        ("provider: meta", 'provider: "${META_TOKEN}"'),
        ('"106540352242922"', '"${META_TOKEN}"'),
        ("services: [consulta]", 'services: ["${META_TOKEN}"]'),
        ("25000", '"${META_TOKEN}"'),
        ('["2026-12-25"]', '["${META_TOKEN}"]'),
    ],
)
def test_a_token_in_the_wrong_place_is_never_shown(tmp_path: Path, old: str, new: str):
    assert old in EXAMPLE
    assert "EAAG" not in str(problems(tmp_path, EXAMPLE.replace(old, new, 1)))


def test_the_demo_clinics_load(tmp_path: Path):
    clinics = load_clinics(sorted(data_dir("clinics").glob("*.yaml")), ENVIRONMENT, VERTICALS, BOX)
    assert [(clinic.id, clinic.vertical, len(clinic.professionals)) for clinic in clinics] == [
        ("boa-vida", "med", 3),
        ("sorriso", "dental", 3),
    ]


def test_everything_that_is_delivered_passes_the_check():
    clinics = sorted(data_dir("clinics").glob("*.yaml"))
    tools = {
        tool
        for path in data_dir("prompts").glob("[a-z]*.md")
        for tool in yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1])["tools"]
    }
    assert check_data(data_dir("prompts"), data_dir("verticals"), clinics, ENVIRONMENT, tools) == ()


def test_the_check_reports_every_file_with_a_problem(tmp_path: Path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(EXAMPLE.replace("vertical: med", "vertical: x"), encoding="utf-8")
    paths = sorted(tmp_path.glob("*.yaml"))
    found = check_data(data_dir("prompts"), data_dir("verticals"), paths, ENVIRONMENT, ())
    sources = {Path(problem.source).name for problem in found}
    assert {"a.yaml", "b.yaml", "support.md"} <= sources


EVOLUTION = {
    "provider": "evolution",
    "instance": "boa-vida",
    "base_url": "https://evolution.clinica.test",
    "api_key": "the key",
    "webhook_secret": "0123456789abcdef",
}
ZAPI = {
    "provider": "zapi",
    "instance_id": "3C0FFEE0AA",
    "token": "T0KEN0FZAPI",
    "client_token": "the client token",
    "webhook_secret": "0123456789abcdef",
}


def with_channel(fields: dict[str, Any]) -> str:
    return changed(lambda data: data.update(channels=[fields]))


def test_an_evolution_channel_has_its_secrets_sealed_and_its_settings_readable(tmp_path: Path):
    (channel,) = load(tmp_path, with_channel(EVOLUTION | {"interactive": True})).channels
    assert (channel.provider, channel.external_id, sorted(channel.sealed), channel.settings) == (
        "evolution",
        "boa-vida",
        ["api_key", "webhook_secret"],
        {"base_url": "https://evolution.clinica.test", "interactive": "true"},
    )
    assert BOX.open_channel(channel, "webhook_secret") == "0123456789abcdef"


def test_a_zapi_channel_has_its_secrets_sealed_and_usual_settings(tmp_path: Path):
    (channel,) = load(tmp_path, with_channel(ZAPI)).channels
    assert (channel.provider, channel.external_id, sorted(channel.sealed), channel.settings) == (
        "zapi",
        "3C0FFEE0AA",
        ["client_token", "token", "webhook_secret"],
        {"base_url": "https://api.z-api.io", "interactive": "false"},
    )


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8080", "http://localhost:9000/evolution", "https://a.b:8443/x/", "https://10.0.0.2"]
)
def test_an_address_is_https_or_on_this_machine(tmp_path: Path, address: str):
    (channel,) = load(tmp_path, with_channel(EVOLUTION | {"base_url": address})).channels
    assert channel.settings["base_url"] == address


@pytest.mark.parametrize(
    ("fields", "where", "problem", "remedy"),
    [
        (EVOLUTION | {"base_url": "http://evolution.test"}, "base_url", "must be an https address", "Copy it"),
        (EVOLUTION | {"base_url": "http://127.0.0.1.evil.test"}, "base_url", "must be an https address", "Copy it"),
        (EVOLUTION | {"base_url": "https://user:pass@a.test"}, "base_url", "must be an https address", "Copy it"),
        (EVOLUTION | {"base_url": "https://a.test?x=1"}, "base_url", "must be an https address", "Copy it"),
        (EVOLUTION | {"webhook_secret": "short"}, "webhook_secret", "must be 16 to 128 letters", "openssl rand"),
        (EVOLUTION | {"webhook_secret": "with/slashes/in/it"}, "webhook_secret", "must be 16 to 128", "openssl rand"),
        (EVOLUTION | {"interactive": "sim"}, "interactive", "must be true or false.", "Write true or false."),
        (EVOLUTION | {"instance": "a/b"}, "instance", "must be 1 to 100 letters", "Copy it from the provider."),
        (EVOLUTION | {"apikey": "x"}, "apikey", "there is no such field.", 'Did you mean "api_key"?'),
        (EVOLUTION | {"base_url": ""}, "base_url", "is missing.", "Add it."),
        (ZAPI | {"token": "a/b"}, "token", "must be 8 to 128 letters and digits.", "Copy it from the provider."),
        (ZAPI | {"client_token": ""}, "client_token", "is missing.", "Add it."),
        (ZAPI | {"provider": "z-api"}, "provider", "there is no such provider.", 'Did you mean "zapi"?'),
    ],
)
def test_what_is_wrong_with_a_channel_is_named(
    tmp_path: Path, fields: dict[str, Any], where: str, problem: str, remedy: str
):
    ((place, found, advice),) = problems(tmp_path, with_channel(fields))
    assert (place.endswith(f"channels[0].{where}"), found.startswith(problem), remedy in advice) == (True, True, True)


def test_a_list_of_origins_is_told_to_be_one_text(tmp_path: Path):
    web = {"provider": "web", "site": "boa-vida", "origins": ["https://a.test", "https://b.test"]}
    ((place, problem, remedy),) = problems(tmp_path, with_channel(web))
    expected = ("must be one text, not a list.", 'Write them in one text with a blank between, as "... ...".')
    assert (place.endswith("channels[0].origins"), (problem, remedy)) == (True, expected)


def test_no_secret_of_a_channel_stands_in_an_error(tmp_path: Path):
    ((_, problem, remedy),) = problems(tmp_path, with_channel(ZAPI | {"token": "not a token!"}))
    assert "not a token" not in problem + remedy


def test_how_a_model_may_speak_to_a_clinics_patients_is_its_own_to_say(tmp_path: Path):
    styles = [
        load(tmp_path, f"{EXAMPLE}{line}").model_style for line in ("", "model_style: strict\n", "model_style: free")
    ]
    assert styles == [None, ModelStyle.STRICT, ModelStyle.FREE]
    assert "modelStyle" not in CLINIC.write(load(tmp_path))
    [(where, problem, remedy)] = problems(tmp_path, f"{EXAMPLE}model_style: careful\n")
    assert ("model_style" in where, "free" in problem + remedy, "strict" in problem + remedy) == (True, True, True)

"""demo and chat with a script on standard input, and appointments, as a new user runs them."""

import json
import re
import socket

import pytest
from tests.cli.conftest import AURORA, BROMELIA

BOOK = "quero marcar uma limpeza amanhã de tarde\n1\n1\n"


def test_a_scripted_demo_books(gendei):
    result = gendei("demo", "--clinic", "sorriso", script=BOOK)
    assert (result.exit_code, "✅ Sua consulta está confirmada!" in result.stdout) == (0, True), result.output


def test_the_demo_shows_what_was_said_and_options_with_their_numbers(gendei):
    lines = gendei("demo", "--clinic", "sorriso", script="oi\n").stdout.splitlines()
    assert lines == [
        "> oi",
        "",
        "Sorriso Odontologia:",
        "  Olá, Maria! Sou a assistente virtual da Sorriso Odontologia. Como posso ajudar?",
        "  [1] Marcar horário",
        "  [2] Meus horários",
        "  [3] Falar com a equipe",
        "",
    ]


def test_a_script_ends_where_a_person_would_leave(gendei):
    result = gendei("demo", script="/sair\nonde fica?\n")
    assert (result.exit_code, result.stdout) == (0, "")


def test_the_demo_needs_no_variable_at_all(gendei, monkeypatch):
    for name in ("GENDEI_SECRET_KEY", "GENDEI_NOW"):
        monkeypatch.delenv(name)
    result = gendei("demo", script="onde fica?\n")
    pin = "📍 Clínica Boa Vida, Rua das Flores, 100, São Paulo"
    assert (result.exit_code, pin in result.stdout) == (0, True), result.output


def test_the_demo_remembers_what_was_booked(gendei):
    gendei("demo", "--clinic", "sorriso", script=BOOK)
    again = gendei("demo", "--clinic", "sorriso", script="quais são os meus horários?\n")
    assert "• Profilaxia (limpeza) com" in again.stdout


def test_the_demo_of_another_phone_sees_none_of_it(gendei):
    gendei("demo", "--clinic", "sorriso", script=BOOK)
    other = gendei("demo", "--clinic", "sorriso", "--from", "+5581988887777", script="meus horários\n")
    assert "Não encontrei nenhuma consulta no seu número." in other.stdout


@pytest.mark.parametrize("command", ["demo", "chat"])
def test_what_is_no_phone_is_refused(gendei, command):
    result = gendei(command, "--from", "abc", script="oi\n")
    assert (result.exit_code, result.stdout, "+5511999990001" in result.stderr) == (2, "", True)


def test_a_demo_clinic_that_there_is_not_is_said_so(gendei):
    result = gendei("demo", "--clinic", "nowhere", script="oi\n")
    told = "gendei: There is no clinic nowhere. Name one of these with --clinic: boa-vida, sorriso\n"
    assert (result.exit_code, result.stderr) == (1, told)


def test_the_pages_of_a_demo_clinic_that_there_is_not_are_said_so_too(gendei):
    result = gendei("demo", "--pages", "--no-open", "--clinic", "nowhere")
    assert (result.exit_code, "--clinic: boa-vida, sorriso" in result.stderr) == (1, True), result.output


def test_chat_says_which_clinics_there_are(gendei):
    none = gendei("chat", script="oi\n").stderr
    gendei("clinics", "import", AURORA, BROMELIA)
    several, unknown = (gendei("chat", *value, script="oi\n").stderr for value in ([], ["--clinic", "nowhere"]))
    assert ("gendei clinics import FILE" in none, several, unknown) == (
        True,
        "gendei: There are several clinics. Name one of these with --clinic: aurora, bromelia\n",
        "gendei: There is no clinic nowhere. Name one of these with --clinic: aurora, bromelia\n",
    )


def test_a_list_shows_its_sections_and_what_stands_below_a_title(gendei):
    script = "limpeza amanhã às 15h\n1\noutra limpeza quinta às 9h\n1\nmeus horários\n"
    gendei("clinics", "import", AURORA)
    shown = gendei("chat", script=script).stdout.splitlines()[-7:-1]
    assert (shown[0], shown[1], shown[3]) == (
        "  Mudar horário:",
        "  [1] ter 24/11 15h — Limpeza — Dra. Paula Lins",
        "  Cancelar:",
    )


def test_a_port_that_is_taken_is_said_to_be(gendei):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = gendei("demo", "--port", str(taken.getsockname()[1]), script="oi\n")
    assert (result.exit_code, "Choose another with --port" in result.stderr) == (1, True)


def test_chat_talks_to_the_operators_own_clinic(gendei):
    gendei("clinics", "import", AURORA)
    result = gendei("chat", script="onde fica?\n")
    assert (result.exit_code, "  📍 Rua do Sol, 12, Campinas" in result.stdout.splitlines()) == (0, True), result.output


def test_chat_asks_which_clinic_where_there_are_several(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    assert (
        gendei("chat", script="oi\n").exit_code,
        gendei("chat", "--clinic", "bromelia", script="oi\n").exit_code,
    ) == (
        1,
        0,
    )


SECRET = "0123456789abcdef"
CHANNELS = {
    "no channel": "[]",
    "Evolution API": "[{provider: evolution, instance: aurora, base_url: 'https://evolution.invalid', api_key: key, "
    f"webhook_secret: {SECRET}}}]",
    "Z-API": "[{provider: zapi, instance_id: ABCDEF123456, token: ABCDEF123456, client_token: token, "
    f"webhook_secret: {SECRET}}}]",
}


@pytest.mark.parametrize("channels", CHANNELS.values(), ids=CHANNELS)
def test_chat_talks_to_a_clinic_without_a_meta_number_and_leaves_its_channels_alone(gendei, tmp_path, channels):
    gendei("clinics", "import", with_channels(tmp_path, channels))
    before = gendei("clinics", "list").stdout

    result = gendei("chat", script="limpeza amanhã às 15h\n1\n")

    assert ("✅ Sua consulta está confirmada!" in result.stdout, "meta" in before) == (True, False), result.output
    assert gendei("clinics", "list").stdout == before


def test_chat_needs_no_key_where_the_clinic_has_no_secret(gendei, tmp_path, monkeypatch):
    gendei("clinics", "import", with_channels(tmp_path, "[]"))
    monkeypatch.delenv("GENDEI_SECRET_KEY")

    result = gendei("chat", script="onde fica?\n")
    assert (result.exit_code, "Rua do Sol, 12" in result.stdout) == (0, True), result.output


def with_channels(folder, channels):
    """The file of a clinic like Aurora, with these channels."""
    file, text = folder / "clinic.yaml", AURORA.read_text(encoding="utf-8")
    file.write_text(re.sub(r"channels:\n(  .*\n)+", f"channels: {channels}\n", text), encoding="utf-8")
    return file


@pytest.fixture
def booked(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    gendei(
        "chat",
        "--clinic",
        "aurora",
        "--name",
        "Ana Lima",
        script="limpeza amanhã às 15h\n1\noutra limpeza quinta às 9h\n1\nquero cancelar\n1\n1\n",
    )


def test_appointments_are_an_array_of_objects_with_exactly_these_fields_in_this_order(gendei, booked):
    rows = [list(row.items()) for row in json.loads(gendei("appointments", "--clinic", "aurora", "--json").stdout)]
    ids = [row.pop(0) for row in rows]
    whose = [("patientPhone", "+5511999990001"), ("patientName", "Ana Lima")]
    what = [("serviceId", "limpeza"), ("professionalId", "paula")]
    assert ([name for name, _ in ids], len(set(ids)), rows) == (
        ["id", "id"],
        2,
        [
            [
                ("status", "cancelled"),
                *what,
                *whose,
                ("start", "2026-11-24T15:00:00-03:00"),
                ("end", "2026-11-24T16:00:00-03:00"),
            ],
            [
                ("status", "confirmed"),
                *what,
                *whose,
                ("start", "2026-11-26T09:00:00-03:00"),
                ("end", "2026-11-26T10:00:00-03:00"),
            ],
        ],
    )


def test_appointments_for_people_are_one_a_line_and_those_of_one_clinic(gendei, booked):
    [_, second] = gendei("appointments", "--clinic", "aurora").stdout.splitlines()
    elsewhere = gendei("appointments", "--clinic", "bromelia").stdout
    expected = "2026-11-26 09:00  confirmed            Limpeza, Dra. Paula Lins: Ana Lima ["
    assert (second[: len(expected)], elsewhere) == (expected, "")


def test_appointments_of_a_clinic_that_there_is_not_are_an_error(gendei):
    result = gendei("appointments", "--clinic", "nowhere", "--json")
    assert (result.exit_code, result.stdout, "there is no clinic nowhere" in result.stderr) == (1, "", True)

"""gendei users, tokens and audit."""

import json
import re

import pyotp
import pytest
from tests.cli.conftest import AURORA, BROMELIA

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.settings import Settings
from gendei.staff.access.sign_in import Credentials

PASSWORD = "girassol na janela"
RITA = "rita@aurora.test"


@pytest.fixture(autouse=True)
def clinics(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)


@pytest.fixture
def add(gendei):
    def added(email=RITA, *more, clinic="aurora", role="atendente", password=PASSWORD):
        where = ["--clinic", clinic] if clinic else []
        options = ["--name", "Rita", "--role", role, "--password-stdin", *where, *more]
        return gendei("users", "add", email, *options, script=f"{password}\n")

    return added


def test_a_user_is_added_with_a_password_from_stdin_and_listed(gendei, add):
    assert add().stdout == f"{RITA}: Rita, atendente, aurora\n"
    add("olga@x.com", clinic="", role="operador")
    listed = [gendei("users", "list", *where).stdout.splitlines() for where in ([], ["--clinic", "bromelia"])]
    assert listed == [
        ["olga@x.com: Rita, operador, no clinic", f"{RITA}: Rita, atendente, aurora"],
        ["There is no user. Add one with `gendei users add`."],
    ]


def test_a_password_that_is_asked_for_is_not_shown(gendei):
    options = ["--name", "Rita", "--role", "gestor", "--clinic", "aurora"]
    result = gendei("users", "add", RITA, *options, script=f"{PASSWORD}\n{PASSWORD}\n")
    assert (result.exit_code, PASSWORD in result.output, "Rita, gestor, aurora" in result.stdout) == (0, False, True)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"email": "rita"}, "Write it as name@example.com"),
        ({"password": "senha12345"}, "at least 10 characters"),
        ({"password": ""}, "at least 10 characters"),
        ({"clinic": "nowhere"}, "gendei clinics list"),
        ({"clinic": ""}, "belongs to no clinic, and everybody else to one"),
        ({"role": "operador"}, "belongs to no clinic"),
        ({"role": "boss"}, "atendente"),
    ],
)
def test_what_cannot_be_added_says_what_to_do(gendei, add, changed, said):
    result = add(**changed)
    shown = re.sub(r"[\s│]+", " ", result.output)
    assert (result.exit_code != 0, said in shown, "Traceback" in shown) == (True, True, False), shown
    assert gendei("users", "list").stdout == "There is no user. Add one with `gendei users add`.\n"


def test_an_address_is_added_once(add):
    add()
    again = add(clinic="bromelia")
    assert (again.exit_code, "gendei users list" in again.stderr) == (1, True)


def test_a_user_is_disabled_and_enabled(gendei, add):
    add()
    shown = [gendei("users", what, RITA).stdout for what in ("disable", "enable")]
    assert shown == [f"{RITA}: Rita, atendente, aurora, disabled\n", f"{RITA}: Rita, atendente, aurora\n"]


def test_a_user_is_given_another_role_unless_nobody_manages_the_clinic_then(gendei, add):
    add(role="gestor")
    refused = gendei("users", "role", RITA, "atendente")
    add("gil@aurora.test")
    made = gendei("users", "role", "gil@aurora.test", "gestor")
    assert (refused.exit_code, "Make a colleague gestor first" in refused.output) == (1, True)
    assert made.stdout == "gil@aurora.test: Rita, gestor, aurora\n"


@pytest.mark.parametrize("what", ["disable", "enable", "password", "totp"])
def test_who_is_not_there_is_named_a_way_to_find_out(gendei, what):
    result = gendei("users", what, "nobody@x.com")
    assert (result.exit_code, "gendei users list" in result.stderr) == (1, True)


def test_a_password_is_changed(gendei, add):
    add()
    result = gendei("users", "password", RITA, "--password-stdin", script="outra frase bem longa\n")
    assert result.stdout == f"{RITA} has a new password, and is signed out everywhere\n"


def test_the_sessions_of_a_user_are_listed_and_ended(gendei, add):
    async def enter() -> None:
        async with opened(Settings.load()) as stored:
            await stored.staff.sign_in.enter(Credentials(RITA, PASSWORD, agent="Firefox da recepção"))

    add()
    run(enter())
    shown = [gendei("users", "sessions", RITA, *end).stdout for end in ([], ["--end"], [])]
    assert ["Firefox da recepção" in value for value in shown] == [True, True, False]


def test_who_is_signed_in_nowhere_has_no_session_to_end(gendei, add):
    add()
    assert gendei("users", "sessions", RITA, "--end").stdout == "The user is signed in nowhere.\n"


def test_a_second_factor_wants_a_code_of_its_secret(gendei, add, monkeypatch):
    add()
    known = pyotp.random_base32()
    monkeypatch.setattr("gendei.cli.users.new_totp_secret", lambda: known)
    wrong = gendei("users", "totp", RITA, script="x\n")
    right = gendei("users", "totp", RITA, script=f"{pyotp.TOTP(known).now()}\n")
    assert (wrong.exit_code, right.exit_code, "otpauth://totp/" in right.stdout) == (1, 0, True)
    assert "with codes" in gendei("users", "list").stdout
    assert gendei("users", "totp", RITA, "--off").stdout == f"{RITA} needs no code any more\n"
    assert "with codes" not in gendei("users", "list").stdout


def test_a_token_is_printed_once_and_listed_without_it(gendei):
    made = gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "read", "--scope", "write")
    text = made.stdout.strip()
    listed = gendei("tokens", "list", "--clinic", "aurora").stdout
    assert (
        re.fullmatch(r"gdt_[\w-]{43}", text) is not None,
        text in listed,
        "BI (read, write), for ever" in listed,
    ) == (
        True,
        False,
        True,
    )
    assert gendei("tokens", "list", "--clinic", "bromelia").stdout == "The clinic has no token.\n"


def test_a_token_that_writes_has_to_read_too(gendei):
    made = gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "write")
    assert (made.exit_code, made.stdout, "give the token `read` too" in made.stderr) == (1, "", True)
    assert gendei("tokens", "list", "--clinic", "aurora").stdout == "The clinic has no token.\n"


def test_a_token_that_operates_is_not_offered(gendei):
    made = gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "read", "--scope", "operate")
    assert (made.exit_code, "'operate' is not one of 'read'" in made.stderr) == (2, True)
    assert gendei("tokens", "list", "--clinic", "aurora").stdout == "The clinic has no token.\n"


def test_a_token_is_revoked_by_its_own_clinic_alone(gendei):
    gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "read", "--days", "30")
    token_id = gendei("tokens", "list", "--clinic", "aurora").stdout.partition(":")[0]
    elsewhere = gendei("tokens", "revoke", token_id, "--clinic", "bromelia")
    assert (elsewhere.exit_code, "gendei tokens list" in elsewhere.stderr) == (1, True)
    assert gendei("tokens", "revoke", token_id, "--clinic", "aurora").stdout.startswith(f"revoked: {token_id}: BI")
    assert gendei("tokens", "list", "--clinic", "aurora").stdout == "The clinic has no token.\n"


def test_a_users_token_is_good_for_no_more_than_the_user(gendei, add):
    add()
    options = ["--clinic", "aurora", "--name", "meu", "--user", RITA]
    refused = gendei("tokens", "add", *options, "--scope", "manage")
    made = gendei("tokens", "add", *options, "--scope", "read")
    assert (refused.exit_code, made.exit_code) == (1, 0)
    assert f"meu (read), of {RITA}, for ever" in gendei("tokens", "list", "--clinic", "aurora").stdout


def test_the_audit_is_listed_and_filtered_as_text_and_as_json(gendei, add):
    add()
    gendei("users", "disable", RITA)
    lines = gendei("audit", "--clinic", "aurora").stdout.splitlines()
    assert [line.split("  ")[1:4] for line in lines] == [
        ["terminal", "user.changed", RITA],
        ["terminal", "user.added", RITA],
    ]
    entries = json.loads(gendei("audit", "--clinic", "aurora", "--action", "user.changed", "--json").stdout)
    assert [(entry["subject"], entry["detail"]) for entry in entries] == [(RITA, {"what": "disabled"})]
    assert gendei("audit", "--clinic", "bromelia").stdout == "Nothing.\n"


def test_the_audit_is_narrowed_to_days_of_the_clinics_own(gendei, monkeypatch):
    monkeypatch.setenv("GENDEI_NOW", "2026-11-23T22:30:00-03:00")  # Tuesday in UTC
    assert gendei("clinics", "set", "aurora", "closed=[2026-12-25]").exit_code == 0
    for days in (("--from", "2026-11-23"), ("--to", "2026-11-23"), ("--from", "2026-11-23", "--to", "2026-11-23")):
        assert "clinic.changed" in gendei("audit", "--clinic", "aurora", *days).stdout
    for days in (("--from", "2026-11-24"), ("--to", "2026-11-22")):
        assert gendei("audit", "--clinic", "aurora", *days).stdout == "Nothing.\n"
    assert gendei("audit", "--clinic", "aurora", "--from", "23/11/2026").exit_code == 2


def test_the_audit_tells_several_things_with_commas_between_them(gendei):
    gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "read", "--scope", "write")
    assert gendei("audit", "--clinic", "aurora").stdout.endswith("  name=BI scopes=read,write\n")


def test_the_audit_of_a_clinic_that_is_not_there_is_refused(gendei):
    result = gendei("audit", "--clinic", "nowhere")
    assert (result.exit_code, "gendei clinics list" in result.stderr) == (1, True)


def test_without_a_password_a_script_is_told_how_to_give_one(gendei):
    result = gendei("users", "add", RITA, "--name", "Rita", "--role", "atendente", "--clinic", "aurora", script="")
    assert (result.exit_code, "--password-stdin" in result.stderr) == (2, True), result.output
    assert RITA not in gendei("users", "list").stdout

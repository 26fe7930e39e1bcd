"""Operators' commands: whoever has not the right is refused, and people are asked before what cannot be taken back."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from pydantic import ValidationError
from tests.cli.conftest import AURORA as AURORA_FILE
from tests.cli.conftest import gendei, variables
from tests.staff.door import AURORA, GIL, OLGA, OTAVIO, RITA, Door, open_door

from gendei.clinics.directory import Directory
from gendei.commands import access, new_clinics, operation
from gendei.commands.operation import OperatorCall, OperatorCommand
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden, Right
from gendei.staff.operation import Operation
from gendei.staff.staff import Staff

__all__ = ["gendei", "variables"]
COMMANDS: list[OperatorCommand[Any, Any]] = [
    command
    for module in (access, new_clinics, operation)
    for command in vars(module).values()
    if type(command) is OperatorCommand
]
OF_RITA = access.OfUser(email=RITA)


@dataclass(frozen=True)
class Store:
    staff: Staff
    operation: Operation


@pytest.fixture
async def door():
    async with open_door() as opened:
        yield opened


def call_of(door: Door, actor) -> OperatorCall:
    directory = Directory(door.documents, door.clock)
    return OperatorCall(Store(door.staff, Operation(door.documents, directory, door.clock)), actor)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
async def test_whoever_has_not_the_right_that_a_command_names_is_refused(door, command):
    for email in (GIL, OLGA):
        actor = await door.actor(email)
        right = actor.managing if command.right is Right.MANAGE else command.right
        call = call_of(door, replace(actor, rights=frozenset(Right) - {right}))
        with pytest.raises(Forbidden):
            await command.do(call, command.arguments.model_construct())


@pytest.mark.parametrize(
    ("command", "given"),
    [
        (access.DISABLE_USER, OF_RITA),
        (access.ENABLE_USER, OF_RITA),
        (access.REMOVE_TOTP, OF_RITA),
        (access.END_SESSIONS, OF_RITA),
        (access.SET_ROLE, access.SetRole(email=RITA, role="gestor")),
        (access.SET_PASSWORD, access.SetPassword(email=RITA, password="outra frase bem longa")),
    ],
)
async def test_who_manages_another_clinic_finds_nobody(door, command, given):
    before = await door.stored("gendei_users")
    with pytest.raises(NotFound):
        await command.do(call_of(door, await door.actor(OTAVIO)), given)
    assert await door.stored("gendei_users") == before


async def test_who_manages_no_clinic_makes_own_tokens_alone(door):
    call = call_of(door, await door.actor(RITA))
    token, _ = await access.ADD_TOKEN.do(call, access.AddToken(name="meu", scope=["read"], user=RITA))
    for whose in ("", GIL):
        with pytest.raises(Forbidden):
            await access.ADD_TOKEN.do(call, access.AddToken(name="x", scope=["read"], user=whose))
    assert (token.user_id, token.clinic_id) == (RITA, AURORA)


async def test_an_operador_makes_a_token_for_another_one_at_the_clinic_that_both_serve(door):
    acting = await door.actor(OLGA, AURORA)
    given = access.AddToken(name="BI", scope=["read"], user=OLGA, days=1)
    token, text = await access.ADD_TOKEN.do(call_of(door, replace(acting, user_id="terminal")), given)
    assert (token.user_id, (await door.staff.tokens.actor_of(text)).clinic_id) == (OLGA, AURORA)


def test_a_password_is_kept_as_it_was_given_and_never_shown():
    given = access.SetPassword(email=f" {RITA} ", password=" com espaço no fim ")
    assert (given.email, given.password) == (RITA, " com espaço no fim ")
    assert "espaço" not in repr(given)
    with pytest.raises(ValidationError) as caught:
        access.SetPassword(email=RITA, password="segredo" * 1000)
    assert "segredo" not in str(caught.value)


@pytest.fixture
def token(gendei):
    """The id of a token of Aurora's."""
    gendei("clinics", "import", AURORA_FILE, AURORA_FILE.with_name("bromelia.yaml"))
    gendei("tokens", "add", "--clinic", "aurora", "--name", "BI", "--scope", "read")
    return gendei("tokens", "list", "--clinic", "aurora").stdout.partition(":")[0]


@pytest.mark.parametrize(("answer", "is_left"), [("n", True), ("y", False)])
def test_on_a_terminal_people_are_asked_before_what_cannot_be_taken_back(gendei, token, monkeypatch, answer, is_left):
    monkeypatch.setattr("gendei.cli.offers.on_terminal", lambda: True)
    asked = gendei("tokens", "revoke", token, "--clinic", "aurora", script=f"{answer}\n")
    left = gendei("tokens", "list", "--clinic", "aurora").stdout
    assert ("This cannot be taken back" in asked.output, token in left, asked.exit_code) == (True, is_left, is_left)


@pytest.mark.parametrize(("terminal", "more"), [(False, []), (True, ["--yes"])])
def test_scripts_and_who_says_yes_beforehand_are_not_asked(gendei, token, monkeypatch, terminal, more):
    monkeypatch.setattr("gendei.cli.offers.on_terminal", lambda: terminal)
    done = gendei("tokens", "revoke", token, "--clinic", "aurora", *more)
    assert (done.stdout, done.exit_code) == (f"revoked: {token}: BI (read), for ever\n", 0)


def test_what_is_not_valid_ends_with_status_2(gendei, token):
    told = gendei("tokens", "add", "--clinic", "aurora", "--name", "x", "--scope", "read", "--days", "4000")
    assert (told.exit_code, "--days" in told.stderr) == (2, True)

"""Users: who may be added, by whom, and what a change ends."""

import asyncio

import pyotp
import pytest
from argon2 import profiles
from tests.staff.door import AURORA, BROMELIA, GIL, HOME, OLGA, OTAVIO, PASSWORD, RITA, WRONG, Door, open_door

from gendei.errors import NotFound
from gendei.staff.access.accounts import LastGestor, UserExists, WrongCode, WrongPassword
from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.access.passwords import Passwords, WeakPassword
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.access.users import BadEmail
from gendei.staff.actors import Forbidden, Right, Role, terminal

NEW_PASSWORD = "gerânio no quintal"


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


async def test_an_address_is_one_users_however_it_is_written(door: Door):
    with pytest.raises(UserExists):
        await door.staff.accounts.add(terminal(BROMELIA), "  RITA@Aurora.test ", "Rita", Role.ATENDENTE, PASSWORD)


@pytest.mark.parametrize(
    "email", ["", "rita", "rita@", "@x.com", "a b@x.com", "a/b@x.com", "rita@x", "a@b@c.com", "x" * 250 + "@x.com"]
)
async def test_what_is_no_address_is_refused(door: Door, email: str):
    with pytest.raises(BadEmail):
        await door.staff.accounts.add(terminal(AURORA), email, "Rita", Role.ATENDENTE, PASSWORD)


@pytest.mark.parametrize(
    "password",
    [
        "curta",
        "nove letr",
        "x" * 201,
        "aaaaaaaaaaaa",
        "1234567890",
        "0987654321",
        "qwertyuiop",
        "abcdefghijkl",
        "senha12345",
        "Password123",
        "gendei2026",
        "joana12345",
        "vitoria2026",
        "moreira-2026",
    ],
)
async def test_an_obvious_password_is_refused(door: Door, password: str):
    with pytest.raises(WeakPassword):
        await door.staff.accounts.add(
            terminal(AURORA), "joana.moreira@x.com", "Joana Vitoria", Role.ATENDENTE, password
        )


@pytest.mark.parametrize("password", [PASSWORD, "três gatos pretos", "c7!kQ0zR-2", "correto cavalo bateria"])
async def test_a_password_of_some_words_is_taken(door: Door, password: str):
    user = await door.staff.accounts.add(terminal(AURORA), "nova@x.com", "Nova", Role.ATENDENTE, password)
    session, _ = await door.enter("nova@x.com", password)
    assert session.user.id == user.id


def test_a_password_costs_what_rfc_9106_asks_of_a_service():
    hasher = Passwords().hasher
    costs = (hasher.time_cost, hasher.memory_cost, hasher.parallelism, hasher.type)
    wanted = profiles.RFC_9106_LOW_MEMORY
    assert costs == (wanted.time_cost, wanted.memory_cost, wanted.parallelism, wanted.type)


async def test_the_store_holds_argon2id_and_no_password(door: Door):
    stored = await door.stored("gendei_users")
    assert ({user["passwordHash"][:10] for user in stored}, PASSWORD in str(stored)) == ({"$argon2id$"}, False)


async def test_a_user_is_shown_without_the_hash(door: Door):
    assert "argon2" not in repr(await door.staff.accounts.find(terminal(), RITA))


async def test_a_gestor_lists_the_own_clinic_and_the_terminal_everybody(door: Door):
    listed = [await door.staff.accounts.list(by) for by in (await door.actor(GIL), terminal())]
    assert [[user.id for user in users] for users in listed] == [[GIL, RITA], sorted([GIL, RITA, OTAVIO, OLGA])]


CHANGES = [
    lambda accounts, by, email: accounts.find(by, email),
    lambda accounts, by, email: accounts.disable(by, email),
    lambda accounts, by, email: accounts.enable(by, email),
    lambda accounts, by, email: accounts.set_role(by, email, Role.GESTOR),
    lambda accounts, by, email: accounts.set_password(by, email, PASSWORD),
    lambda accounts, by, email: accounts.remove_totp(by, email),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("whose", [RITA, OLGA, "nobody@x.com"])
async def test_a_gestor_of_another_clinic_finds_nobody(door: Door, change, whose: str):
    before = await door.stored("gendei_users")
    with pytest.raises(NotFound):
        await change(door.staff.accounts, await door.actor(OTAVIO), whose)
    assert await door.stored("gendei_users") == before


@pytest.mark.parametrize("change", [*CHANGES, lambda accounts, by, email: accounts.list(by)])
async def test_an_atendente_changes_nobody(door: Door, change):
    with pytest.raises(Forbidden):
        await change(door.staff.accounts, await door.actor(RITA), RITA)


async def test_an_operador_who_acts_for_a_clinic_changes_its_users_alone(door: Door):
    acting = await door.actor(OLGA, AURORA)
    assert (await door.staff.accounts.disable(acting, RITA)).disabled
    with pytest.raises(NotFound):
        await door.staff.accounts.disable(acting, OTAVIO)


@pytest.mark.parametrize(("who", "role"), [(GIL, Role.OPERADOR), (RITA, Role.ATENDENTE)])
async def test_nobody_adds_a_user_with_more_than_they_manage(door: Door, who: str, role: Role):
    with pytest.raises(Forbidden):
        await door.staff.accounts.add(await door.actor(who), "nova@x.com", "Nova", role, PASSWORD)


@pytest.mark.parametrize(("at", "role"), [(terminal(AURORA), Role.OPERADOR), (terminal(), Role.GESTOR)])
async def test_an_operador_has_no_clinic_and_everybody_else_has(door: Door, at, role: Role):
    with pytest.raises(Forbidden):
        await door.staff.accounts.add(at, "nova@x.com", "Nova", role, PASSWORD)


async def test_rights_follow_from_the_role(door: Door):
    found = [set((await door.actor(email)).rights) for email in (RITA, GIL, OLGA)]
    staff = {Right.READ, Right.WRITE, Right.OVERRIDE, Right.PERSONAL_DATA}
    assert found == [staff, staff | {Right.MANAGE}, {Right.OPERATE}]


async def test_an_operador_sees_a_clinic_only_when_acting_for_it(door: Door):
    at_home, acting = await door.actor(OLGA), await door.actor(OLGA, AURORA)
    assert (at_home.clinic_id, at_home.may(Right.READ)) == ("", False)
    assert (acting.clinic_id, acting.may(Right.MANAGE)) == (AURORA, True)


async def test_a_member_of_a_clinic_cannot_act_for_another(door: Door):
    assert (await door.actor(GIL, BROMELIA)).clinic_id == AURORA


@pytest.mark.parametrize(
    "change",
    [
        lambda accounts: accounts.disable(terminal(), RITA),
        lambda accounts: accounts.set_role(terminal(), RITA, Role.GESTOR),
        lambda accounts: accounts.set_password(terminal(), RITA, "outra senha bem longa"),
        lambda accounts: accounts.remove_totp(terminal(), RITA),
    ],
)
async def test_a_change_of_a_user_ends_the_sessions_of_this_one_alone(door: Door, change):
    (_, of_rita), (_, of_gil) = await door.enter(RITA), await door.enter(GIL)
    await change(door.staff.accounts)
    other = door.another_process().sessions
    assert [await other.find(cookie) is not None for cookie in (of_rita, of_gil)] == [False, True]


async def test_a_user_who_is_enabled_again_signs_in_again(door: Door):
    _, cookie = await door.enter()
    await door.staff.accounts.disable(terminal(), RITA)
    await door.staff.accounts.enable(terminal(), RITA)
    assert await door.another_process().sessions.find(cookie) is None
    assert (await door.enter())[0].user.id == RITA


async def test_a_gestor_gives_a_colleague_another_role_and_back(door: Door):
    gil = await door.actor(GIL)
    roles = [(await door.staff.accounts.set_role(gil, RITA, role)).role for role in (Role.GESTOR, Role.ATENDENTE)]
    told = [entry.detail["what"] for entry in await door.audited(AURORA) if entry.action == "user.changed"]
    assert (roles, told) == ([Role.GESTOR, Role.ATENDENTE], ["role_atendente", "role_gestor"])


async def test_a_clinic_keeps_somebody_who_manages_it(door: Door):
    accounts, gil = door.staff.accounts, await door.actor(GIL)
    with pytest.raises(LastGestor):
        await accounts.set_role(gil, GIL, Role.ATENDENTE)
    await accounts.set_role(gil, RITA, Role.GESTOR)
    rita = await door.actor(RITA)
    outcomes = await asyncio.gather(
        accounts.set_role(gil, RITA, Role.ATENDENTE),
        accounts.set_role(rita, GIL, Role.ATENDENTE),
        return_exceptions=True,
    )
    roles = sorted(user.role for user in await accounts.list(terminal(AURORA)))
    assert (sum(isinstance(outcome, LastGestor) for outcome in outcomes), roles) == (1, [Role.ATENDENTE, Role.GESTOR])


@pytest.mark.parametrize(("whose", "role"), [(OLGA, Role.GESTOR), (RITA, Role.OPERADOR)])
async def test_nobody_becomes_an_operador_or_stops_being_one(door: Door, whose: str, role: Role):
    with pytest.raises(Forbidden):
        await door.staff.accounts.set_role(terminal(), whose, role)


async def test_a_second_factor_is_taken_only_with_its_code_and_kept_sealed(door: Door):
    secret = new_totp_secret()
    with pytest.raises(WrongCode):
        await door.staff.accounts.set_totp(terminal(), RITA, secret, "000000x")
    await door.staff.accounts.set_totp(terminal(), RITA, secret, pyotp.TOTP(secret).at(door.now))
    stored = str(await door.stored("gendei_users"))
    assert ('"totp": None' in stored, secret in stored) == (False, False)


async def test_each_change_stands_in_the_audit_of_the_users_clinic_alone(door: Door):
    await door.staff.accounts.disable(await door.actor(GIL), RITA)
    await door.staff.accounts.set_password(terminal(), RITA, "outra senha bem longa")
    found = [(entry.user_id, entry.action, entry.subject, entry.detail) for entry in await door.audited(AURORA)][:2]
    assert found == [
        ("terminal", "user.changed", RITA, {"what": "password"}),
        (GIL, "user.changed", RITA, {"what": "disabled"}),
    ]
    assert RITA not in str(await door.audited(BROMELIA))


async def test_the_own_password_is_changed_by_who_knows_it_and_ends_the_sessions(door: Door):
    _, cookie = await door.enter(RITA)
    rita = await door.actor(RITA)
    with pytest.raises(WrongPassword):
        await door.staff.accounts.change_own_password(rita, WRONG, NEW_PASSWORD, HOME)
    await door.staff.accounts.change_own_password(rita, PASSWORD, NEW_PASSWORD, HOME)
    assert await door.another_process().sessions.find(cookie) is None
    await door.enter(RITA, NEW_PASSWORD)


async def test_guessing_the_own_password_costs_patience(door: Door):
    rita = await door.actor(RITA)
    for _ in range(5):
        with pytest.raises(WrongPassword):
            await door.staff.accounts.change_own_password(rita, WRONG, NEW_PASSWORD, HOME)
    with pytest.raises(TooManyAttempts):
        await door.staff.accounts.change_own_password(rita, PASSWORD, NEW_PASSWORD, HOME)


async def test_the_own_second_factor_is_set_and_removed_with_the_password(door: Door):
    rita, secret = await door.actor(RITA), new_totp_secret()
    code = pyotp.TOTP(secret).at(door.now)
    with pytest.raises(WrongPassword):
        await door.staff.accounts.set_own_totp(rita, WRONG, secret, code, HOME)
    with pytest.raises(WrongCode):
        await door.staff.accounts.set_own_totp(rita, PASSWORD, secret, "000000", HOME)
    assert (await door.staff.accounts.set_own_totp(rita, PASSWORD, secret, code, HOME)).totp is not None
    assert (await door.staff.accounts.remove_own_totp(rita, PASSWORD, HOME)).totp is None
    assert [action for action in await door.actions(AURORA) if action[1] == "user.changed"] == [
        (RITA, "user.changed", RITA)
    ] * 2


async def test_a_program_of_the_clinic_has_no_account(door: Door):
    with pytest.raises(NotFound):
        await door.staff.accounts.own(terminal(AURORA))

"""A clinic's manager learns by no answer whether an address has an account elsewhere, and takes nobody's account."""

import pytest
from tests.staff.door import AURORA, BROMELIA, GIL, HOME, OLGA, OTAVIO, PASSWORD, WRONG, Door, open_door

from gendei.errors import NotFound
from gendei.staff.access.accounts import SeveralAccounts, UserExists
from gendei.staff.access.sign_in import Credentials, SignInRefused
from gendei.staff.actors import NO_CLINIC, RIGHTS, Role, terminal
from gendei.staff.colleagues import Colleagues

FREE = "nova@nowhere.test"
GIVEN = "gerânio no quintal"
"""The password that the manager hands over."""


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


async def signed_in(door: Door, email: str, password: str):
    """Who comes in, at which clinic; None for nobody."""
    try:
        session, _ = await door.staff.sign_in.enter(Credentials(email, password, "", HOME, "browser"))
    except SignInRefused:
        return None
    return session.user.address, session.actor.clinic_id


async def managed(door: Door, email: str) -> str:
    """All that a manager sees of adding `email` and of what can be done with the account, but for the address."""
    gil, accounts = await door.actor(GIL), door.staff.accounts
    user = await accounts.add(gil, email, "Nova", Role.ATENDENTE, GIVEN)
    seen: list[object] = [user.id, user.address, user.clinic_id, user.role]
    seen.append([(named.id, named.address, named.name, named.disabled) for named in await accounts.list(gil)])
    seen += [await signed_in(door, email, password) for password in (GIVEN, WRONG)]
    seen += [await Colleagues(door.documents).list(gil), len(await door.staff.sessions.of_user(gil, user.id))]
    seen.append(await accounts.known_as(gil, email))
    for change in (
        accounts.set_role(gil, user.id, Role.GESTOR),
        accounts.set_password(gil, email, PASSWORD + "!"),
        accounts.remove_totp(gil, user.id),
        accounts.disable(gil, email),
        accounts.enable(gil, user.id),
    ):
        changed = await change
        seen.append((changed.id, changed.role, changed.disabled, changed.epoch))
    seen += [len(await door.staff.sessions.of_user(gil, user.id)), await door.actions(AURORA)]
    with pytest.raises(UserExists):
        await accounts.add(gil, email.upper(), "Nova", Role.ATENDENTE, GIVEN)
    return repr(seen).replace(email, "ADDRESS")


async def test_every_address_gets_the_same_answer_and_an_account_that_works_as_every_other():
    seen = []
    for email in (FREE, OTAVIO, OLGA):
        async with open_door() as door:
            seen.append(await managed(door, email))
    assert (seen[1:], "('ADDRESS', 'aurora')" in seen[0]) == ([seen[0]] * 2, True)


@pytest.mark.parametrize("email", [FREE, OTAVIO], ids=["free", "of another clinic"])
async def test_to_sign_in_takes_the_work_of_two_accounts_also_where_there_is_one_or_none(door: Door, email: str):
    await door.staff.accounts.add(await door.actor(GIL), email, "Nova", Role.ATENDENTE, GIVEN)
    before = door.hasher.worked
    await signed_in(door, email, WRONG)
    wrong, before = door.hasher.worked - before, door.hasher.worked
    await signed_in(door, email, GIVEN)
    right, before = door.hasher.worked - before, door.hasher.worked
    await signed_in(door, "nobody@nowhere.test", GIVEN)
    first, before = door.hasher.worked - before, door.hasher.worked
    await signed_in(door, "nobody@nowhere.test", GIVEN)
    nobody = door.hasher.worked - before
    assert (wrong, right, nobody, first - nobody) == (2, 2, 2, 1)  # nobody's hash is made once a process


async def test_the_account_elsewhere_is_untouched_and_each_password_opens_its_own(door: Door):
    gil, accounts = await door.actor(GIL), door.staff.accounts
    added = await accounts.add(gil, OTAVIO, "Otávio", Role.GESTOR, GIVEN)
    own, other = await signed_in(door, OTAVIO, PASSWORD), await signed_in(door, OTAVIO, GIVEN)
    await accounts.disable(gil, OTAVIO)
    after = await signed_in(door, OTAVIO, PASSWORD), await signed_in(door, OTAVIO, GIVEN)
    assert (own, other, after) == ((OTAVIO, BROMELIA), (OTAVIO, AURORA), ((OTAVIO, BROMELIA), None))
    assert (await accounts.find(terminal(BROMELIA), OTAVIO)).epoch == 1
    assert added.id != OTAVIO


async def test_who_has_an_account_of_the_same_address_reaches_nothing_of_the_other(door: Door):
    await door.enter(OTAVIO)
    accounts, sessions = door.staff.accounts, door.staff.sessions
    impostor = (await accounts.add(await door.actor(GIL), OTAVIO, "Otávio", Role.GESTOR, GIVEN)).actor()
    [victims] = await sessions.of_user(terminal(), OTAVIO)
    with pytest.raises(NotFound):
        await sessions.of_user(impostor, OTAVIO)
    with pytest.raises(NotFound):
        await sessions.revoke(impostor, victims.id)
    assert ((await accounts.own(impostor)).clinic_id, (await accounts.find(impostor, OTAVIO)).clinic_id) == (
        AURORA,
        AURORA,
    )
    assert impostor.rights == RIGHTS[Role.GESTOR]


async def test_who_operates_is_told_and_names_the_account_by_its_id(door: Door):
    accounts = door.staff.accounts
    first = await accounts.add(await door.actor(GIL), FREE, "Nova", Role.ATENDENTE, GIVEN)
    second = await accounts.add(await door.actor(OTAVIO), FREE, "Nova", Role.ATENDENTE, PASSWORD)
    for by in (terminal(AURORA), terminal(BROMELIA)):
        with pytest.raises(UserExists):
            await accounts.add(by, FREE, "Nova", Role.ATENDENTE, PASSWORD)
    with pytest.raises(SeveralAccounts):
        await accounts.find(terminal(), FREE)
    found = [await accounts.find(terminal(), entry.id) for entry in (first, second)]
    assert [owned.clinic_id for owned in found] == [AURORA, BROMELIA]
    assert [(await accounts.find(terminal(clinic), FREE)).id for clinic in (AURORA, BROMELIA)] == [first.id, second.id]


async def test_wrong_passwords_stand_in_the_audit_of_each_clinic_of_the_address(door: Door):
    added = await door.staff.accounts.add(await door.actor(GIL), OTAVIO, "Otávio", Role.ATENDENTE, GIVEN)
    await signed_in(door, OTAVIO, WRONG)
    assert await door.actions(AURORA) == [(added.id, "session.refused", added.id)]
    assert await door.actions(BROMELIA) == [(OTAVIO, "session.refused", OTAVIO)]
    assert await door.actions(NO_CLINIC) == []

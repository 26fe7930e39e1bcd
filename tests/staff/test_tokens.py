"""Tokens of programs: whose they are, what they may, and until when."""

from datetime import timedelta

import pytest
from tests.staff.door import AURORA, BROMELIA, GIL, OLGA, OTAVIO, RITA, Door, open_door

from gendei.errors import NaiveTime, NotFound
from gendei.staff.actors import Forbidden, Right, terminal
from gendei.staff.recent import KEPT

READ, WRITE, MANAGE, OPERATE = Right.READ, Right.WRITE, Right.MANAGE, Right.OPERATE


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


async def test_a_clinics_token_acts_for_it_with_its_scopes(door: Door):
    token, text = await door.staff.tokens.add(await door.actor(GIL), "Relatórios", [READ])
    actor = await door.another_process().tokens.actor_of(text)
    assert (actor.clinic_id, actor.user_id, actor.name, actor.rights) == (
        AURORA,
        f"token:{token.id[:12]}",
        "Relatórios",
        {READ},
    )


async def test_the_store_and_the_audit_hold_no_token(door: Door):
    _, text = await door.staff.tokens.add(await door.actor(GIL), "x", [READ])
    assert text.removeprefix("gdt_") not in str([await door.stored("gendei_tokens"), await door.audited(AURORA)])


@pytest.mark.parametrize("text", [None, "", "x", "gdt_", "gdt_short", "gdt_" + "A" * 43, "GDT_" + "A" * 43, "é" * 47])
async def test_what_is_no_token_is_nobody(door: Door, text: str | None):
    assert await door.staff.tokens.actor_of(text) is None


async def test_an_expired_token_is_nobody(door: Door):
    gil, expires_at = await door.actor(GIL), door.now + timedelta(days=1)
    _, text = await door.staff.tokens.add(gil, "x", [READ], expires_at=expires_at)
    before = await door.staff.tokens.actor_of(text)
    door.now = expires_at
    assert (before is not None, await door.staff.tokens.actor_of(text)) == (True, None)


async def test_an_expiry_without_a_zone_is_refused(door: Door):
    with pytest.raises(NaiveTime):
        await door.staff.tokens.add(terminal(AURORA), "x", [READ], expires_at=door.now.replace(tzinfo=None))


async def test_a_revoked_token_is_nobody_here_at_once_and_elsewhere_within_seconds(door: Door):
    gil, elsewhere = await door.actor(GIL), door.another_process().tokens
    token, text = await door.staff.tokens.add(gil, "x", [READ])
    assert await elsewhere.actor_of(text) == await door.staff.tokens.actor_of(text) is not None
    await door.staff.tokens.revoke(gil, token.id[:12])
    door_says = await door.staff.tokens.actor_of(text)
    door.now += KEPT
    assert (door_says, await elsewhere.actor_of(text)) == (None, None)
    assert [action for _, action, _ in await door.actions(AURORA)] == ["token.created", "token.revoked"]


@pytest.mark.parametrize(
    ("who", "scopes"), [(RITA, [READ]), (GIL, []), (GIL, [READ, OPERATE]), (OLGA, [OPERATE]), (OLGA, [READ])]
)
async def test_nobody_makes_a_clinics_token_with_more_than_they_may(door: Door, who: str, scopes: list[Right]):
    with pytest.raises(Forbidden):
        await door.staff.tokens.add(await door.actor(who), "x", scopes)


async def test_an_operador_at_a_clinic_makes_its_tokens_but_none_that_operates(door: Door):
    acting = await door.actor(OLGA, AURORA)
    token, _ = await door.staff.tokens.add(acting, "x", [MANAGE])
    assert (token.clinic_id, token.created_by) == (AURORA, OLGA)
    with pytest.raises(Forbidden):
        await door.staff.tokens.add(acting, "x", [OPERATE])


async def test_another_clinic_neither_sees_nor_revokes_a_token(door: Door):
    token, text = await door.staff.tokens.add(await door.actor(GIL), "x", [READ])
    outsider = await door.actor(OTAVIO)
    assert await door.staff.tokens.list(outsider) == []
    with pytest.raises(NotFound):
        await door.staff.tokens.revoke(outsider, token.id)
    assert await door.staff.tokens.actor_of(text) is not None


@pytest.mark.parametrize("token_id", ["", "zzz", "../x"])
async def test_what_names_no_token_revokes_none(door: Door, token_id: str):
    _, text = await door.staff.tokens.add(await door.actor(GIL), "x", [READ])
    with pytest.raises(NotFound):
        await door.staff.tokens.revoke(await door.actor(GIL), token_id)
    assert await door.staff.tokens.actor_of(text) is not None


# A user's own


async def test_users_make_tokens_of_their_own_within_their_rights(door: Door):
    rita = await door.actor(RITA)
    _, text = await door.staff.tokens.add(rita, "Assistente", [READ], user=rita)
    actor = await door.staff.tokens.actor_of(text)
    assert (actor.user_id, actor.name, actor.rights) == (RITA, "Rita (Assistente)", {READ})
    with pytest.raises(Forbidden):
        await door.staff.tokens.add(rita, "Assistente", [MANAGE], user=rita)


async def test_a_token_made_for_a_user_is_the_users_and_the_audit_names_who_made_it(door: Door):
    rita = await door.actor(RITA)
    token, text = await door.staff.tokens.add(terminal(AURORA), "Assistente", [READ], user=rita)
    with pytest.raises(Forbidden):
        await door.staff.tokens.add(terminal(AURORA), "Assistente", [MANAGE], user=rita)
    [made, *_] = await door.staff.audit.search(await door.actor(GIL))
    assert (token.created_by, made.user_id, made.detail["user"]) == ("terminal", "terminal", RITA)
    assert (await door.staff.tokens.actor_of(text)).user_id == RITA


@pytest.mark.parametrize(("who", "clinic"), [(RITA, AURORA), (OTAVIO, BROMELIA)])
async def test_nobody_makes_a_token_for_a_colleague_or_for_another_clinics_user(door: Door, who: str, clinic: str):
    with pytest.raises(Forbidden):
        await door.staff.tokens.add(await door.actor(who), "x", [READ], user=await door.actor(GIL))
    assert await door.staff.tokens.list(terminal(clinic)) == []


async def test_a_users_token_ends_with_the_user(door: Door):
    rita = await door.actor(RITA)
    _, text = await door.staff.tokens.add(rita, "x", [READ], user=rita)
    await door.staff.accounts.disable(await door.actor(GIL), RITA)
    assert await door.another_process().tokens.actor_of(text) is None


async def test_users_see_their_own_tokens_and_a_gestor_all_of_the_clinic(door: Door):
    tokens = door.staff.tokens
    await tokens.add(await door.actor(GIL), "da clínica", [READ])
    rita = await door.actor(RITA)
    await tokens.add(rita, "da Rita", [READ], user=rita)
    seen = {who: [token.name for token in await tokens.list(await door.actor(who))] for who in (RITA, GIL, OTAVIO)}
    assert seen == {RITA: ["da Rita"], GIL: ["da Rita", "da clínica"], OTAVIO: []}


async def test_an_atendente_does_not_revoke_the_clinics_token(door: Door):
    token, _ = await door.staff.tokens.add(await door.actor(GIL), "da clínica", [READ])
    with pytest.raises(NotFound):
        await door.staff.tokens.revoke(await door.actor(RITA), token.id)


async def test_an_operadoras_own_token_is_good_at_the_clinic_for_which_it_was_made(door: Door):
    olga = await door.actor(OLGA, BROMELIA)
    _, text = await door.staff.tokens.add(olga, "x", [READ], user=olga)
    actor = await door.staff.tokens.actor_of(text)
    assert (actor.clinic_id, actor.rights) == (BROMELIA, {READ})

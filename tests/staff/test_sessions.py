"""Sessions: which cookies open, and until when."""

import pytest
from tests.staff.door import AURORA, BROMELIA, GIL, OLGA, OTAVIO, RITA, SECRET_KEY, Door, open_door

from gendei.clinic import ClinicId
from gendei.errors import NotFound, StoreUnavailable
from gendei.secrets import SecretBox, new_key
from gendei.staff.access.sessions import IDLE, LONGEST, TOUCHED_EVERY, Sessions
from gendei.staff.actors import NO_CLINIC, Forbidden, Right
from gendei.staff.recent import KEPT
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


async def test_a_cookie_finds_its_user_in_every_process(door: Door):
    session, cookie = await door.enter()
    found = [await process.sessions.find(cookie) for process in (door.staff, door.another_process())]
    assert [entry and (entry.id, entry.user.id, entry.actor.clinic_id) for entry in found] == [
        (session.id, RITA, AURORA)
    ] * 2


async def test_the_store_holds_no_cookie(door: Door):
    _, cookie = await door.enter()
    stored = str([await door.stored("gendei_sessions"), await door.audited(AURORA)])
    assert cookie.partition(".")[0] not in stored


class Unreachable(SqliteDocuments):
    """A store that says so when it is asked."""

    async def get(self, path: str):
        raise StoreUnavailable


def forged(cookie: str) -> list[str | None]:
    token, _, signature = cookie.partition(".")
    other = "A" if token[0] != "A" else "B"
    return [
        None,
        "",
        "x",
        token,
        f"{token}.",
        f"{token}.{signature[:-1]}",
        f"{other}{token[1:]}.{signature}",
        f"{token}.{signature[::-1]}",
        f"{cookie}\n",
        f"é{cookie[1:]}",
        cookie * 100,
    ]


async def test_a_forged_cookie_never_reaches_the_store(door: Door):
    _, cookie = await door.enter()
    store = await Unreachable.open(":memory:")
    sessions = Sessions(store, SecretBox(SECRET_KEY), door.clock)
    assert [await sessions.find(value) for value in forged(cookie)] == [None] * len(forged(cookie))
    with pytest.raises(StoreUnavailable):
        await sessions.find(cookie)
    await store.close()


async def test_a_cookie_of_another_key_is_forged(door: Door):
    _, cookie = await door.enter()
    assert await Sessions(door.documents, SecretBox(new_key()), door.clock).find(cookie) is None


async def test_a_session_that_is_not_used_expires(door: Door):
    _, cookie = await door.enter()
    door.now += IDLE
    assert [await process.sessions.find(cookie) for process in (door.staff, door.another_process())] == [None, None]


async def test_a_session_that_is_used_goes_on_until_it_is_too_old(door: Door):
    session, cookie = await door.enter()
    for _ in range(int(LONGEST / (IDLE / 2)) - 1):
        door.now += IDLE / 2
        assert await door.staff.sessions.find(cookie) is not None
    door.now = session.created_at + LONGEST
    assert await door.staff.sessions.find(cookie) is None


async def test_use_is_written_down_now_and_then(door: Door):
    _, cookie = await door.enter()
    seen = []
    for _ in range(3):
        door.now += TOUCHED_EVERY / 2
        await door.staff.sessions.find(cookie)
        seen.append((await door.stored("gendei_sessions"))[0]["seenAt"])
    assert len(set(seen)) == 2


async def test_a_page_that_only_stands_open_expires(door: Door):
    _, cookie = await door.enter()
    for _ in range(3):
        door.now += IDLE / 4
        assert await door.staff.sessions.find(cookie, is_use=False) is not None
    door.now += IDLE / 4
    assert await door.staff.sessions.find(cookie, is_use=False) is None


async def test_signing_out_ends_it_here_at_once_and_elsewhere_within_seconds(door: Door):
    session, cookie = await door.enter()
    elsewhere = door.another_process().sessions
    assert await elsewhere.find(cookie)
    await door.staff.sessions.end(session)
    assert await door.staff.sessions.find(cookie) is None
    door.now += KEPT
    assert await elsewhere.find(cookie) is None
    assert (await door.actions(AURORA))[-1] == (RITA, "session.signed_out", RITA)


async def test_a_user_that_is_disabled_is_out_of_open_pages_within_seconds(door: Door):
    _, cookie = await door.enter()
    elsewhere = door.another_process()
    assert await elsewhere.sessions.find(cookie)
    await door.staff.accounts.disable(await door.actor(GIL), RITA)
    door.now += KEPT
    assert await elsewhere.sessions.find(cookie) is None


async def test_use_at_the_moment_of_signing_out_does_not_revive_a_session(door: Door):
    session, cookie = await door.enter()
    door.now += TOUCHED_EVERY
    await door.another_process().sessions.end(session)
    assert await door.staff.sessions.find(cookie) is None
    assert await door.stored("gendei_sessions") == []


# Somebody else's


async def test_users_see_their_own_sessions_and_a_gestor_those_of_the_clinic(door: Door):
    session, _ = await door.enter()
    found = [await door.staff.sessions.of_user(await door.actor(who), RITA) for who in (RITA, GIL)]
    assert [[entry.id for entry in sessions] for sessions in found] == [[session.id]] * 2


@pytest.mark.parametrize(("who", "whose"), [(OTAVIO, RITA), (RITA, GIL), (GIL, OLGA), (OTAVIO, "nobody@x.com")])
async def test_others_neither_see_nor_end_a_session(door: Door, who: str, whose: str):
    session, cookie = await door.enter(whose if "x.com" not in whose else RITA)
    actor, sessions = await door.actor(who), door.another_process().sessions
    with pytest.raises(NotFound):
        await sessions.of_user(actor, whose)
    with pytest.raises(NotFound):
        await sessions.revoke(actor, session.id)
    assert await door.another_process().sessions.find(cookie) is not None


async def test_a_gestor_ends_a_session_of_the_clinic(door: Door):
    (session, cookie), gil = await door.enter(), await door.actor(GIL)
    await door.staff.sessions.revoke(gil, session.id)
    assert await door.staff.sessions.find(cookie) is None
    assert (await door.actions(AURORA))[-1] == (GIL, "session.revoked", RITA)


@pytest.mark.parametrize("session_id", ["", "x", "../gendei_users/rita", "0" * 64])
async def test_what_is_no_session_is_not_found(door: Door, session_id: str):
    with pytest.raises(NotFound):
        await door.staff.sessions.revoke(await door.actor(GIL), session_id)


# An operador at a clinic


async def test_an_operadora_acts_for_a_clinic_that_she_chose_and_its_audit_says_so(door: Door):
    session, cookie = await door.enter(OLGA)
    await door.staff.sessions.act_for(session, AURORA)
    actor = (await door.staff.sessions.find(cookie)).actor
    assert (actor.clinic_id, actor.user_id, actor.may(Right.MANAGE)) == (AURORA, OLGA, True)
    assert await door.actions(AURORA) == [(OLGA, "session.clinic_chosen", OLGA)]
    assert await door.actions(BROMELIA) == []


async def test_leaving_a_clinic_takes_the_rights_away(door: Door):
    session, cookie = await door.enter(OLGA)
    await door.staff.sessions.act_for(session, AURORA)
    await door.staff.sessions.act_for(session, NO_CLINIC)
    actor = (await door.staff.sessions.find(cookie)).actor
    assert (actor.clinic_id, actor.rights) == (NO_CLINIC, {Right.OPERATE})


@pytest.mark.parametrize("who", [RITA, GIL, OTAVIO])
async def test_staff_of_a_clinic_choose_no_other(door: Door, who: str):
    session, cookie = await door.enter(who)
    for clinic in (AURORA, BROMELIA, NO_CLINIC, ClinicId("x")):
        with pytest.raises(Forbidden):
            await door.staff.sessions.act_for(session, clinic)
    assert (await door.staff.sessions.find(cookie)).actor == session.actor


async def test_an_ended_session_chooses_no_clinic(door: Door):
    session, _ = await door.enter(OLGA)
    await door.staff.sessions.end(session)
    with pytest.raises(NotFound):
        await door.staff.sessions.act_for(session, AURORA)


# Forms


async def test_a_forms_token_is_good_for_its_session_in_every_process_and_for_no_other(door: Door):
    (mine, _), (other, _) = await door.enter(), await door.enter()
    token, sessions = door.staff.sessions.form_token(mine), door.another_process().sessions
    good = [sessions.is_form_token(value, token) for value in (mine, other)]
    assert (good, sessions.is_form_token(mine, ""), sessions.is_form_token(mine, "é")) == ([True, False], False, False)

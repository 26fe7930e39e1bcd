"""The same on Firestore, where two sign-ins with one code are a race of two transactions."""

import asyncio
from contextlib import suppress
from uuid import uuid4

import pyotp
import pytest
from tests.staff.door import AURORA, GIL, PASSWORD, RITA, WRONG, Door, open_door

from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.access.sign_in import Credentials, SignInRefused
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import Right, terminal
from gendei.staff.recent import KEPT
from gendei.store.firestore import FirestoreDocuments


@pytest.fixture
async def door(firestore_emulator: str):
    async with open_door(
        await FirestoreDocuments.open(f"door-{uuid4().hex[:12]}", emulator=firestore_emulator)
    ) as door:
        yield door


async def test_a_session_and_a_token_open_and_end_in_every_process(door: Door):
    gil, elsewhere = await door.actor(GIL), door.another_process()
    (_, cookie), (token, text) = await door.enter(), await door.staff.tokens.add(gil, "x", [Right.READ])
    assert [await elsewhere.sessions.find(cookie), await elsewhere.tokens.actor_of(text)].count(None) == 0
    await door.staff.accounts.disable(gil, RITA)
    await door.staff.tokens.revoke(gil, token.id)
    door.now += KEPT
    assert [await elsewhere.sessions.find(cookie), await elsewhere.tokens.actor_of(text)] == [None, None]
    assert {RITA, token.id} <= {entry.subject for entry in await door.audited(AURORA)}


async def test_many_attempts_at_once_are_counted_one_by_one(door: Door):
    async def attempt() -> str:
        try:
            await door.staff.sign_in.enter(Credentials(RITA, WRONG, "", "198.51.100.7"))
        except (SignInRefused, TooManyAttempts) as refused:
            return type(refused).__name__
        return "in"

    outcomes = await asyncio.gather(*(attempt() for _ in range(10)))
    assert sorted(outcomes) == ["SignInRefused"] * 5 + ["TooManyAttempts"] * 5


async def test_a_code_that_comes_twice_at_once_opens_once(door: Door):
    secret, opened = new_totp_secret(), []
    await door.staff.accounts.set_totp(terminal(), RITA, secret, pyotp.TOTP(secret).at(door.now))
    door.advance(hours=1)
    code = pyotp.TOTP(secret).at(door.now)

    async def use() -> None:
        with suppress(SignInRefused):
            opened.append(await door.enter(RITA, PASSWORD, code))

    await asyncio.gather(use(), use())
    assert len(opened) == 1

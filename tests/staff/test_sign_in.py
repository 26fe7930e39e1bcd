"""Passwords, codes and pauses."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import pyotp
import pytest
from tests.staff.door import AURORA, BROMELIA, GIL, HOME, OLGA, OTAVIO, PASSWORD, RITA, WRONG, Door, open_door

from gendei.staff.access.attempts import FOR_EMAIL, TooManyAttempts, network_of
from gendei.staff.access.sign_in import Credentials, SignInRefused
from gendei.staff.access.totp import matched_step, new_totp_secret
from gendei.staff.actors import NO_CLINIC, terminal
from gendei.staff.staff import Staff


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


async def enter(staff: Staff, email: str = RITA, password: str = WRONG, address: str = HOME) -> str:
    """What came of it, as one word."""
    try:
        await staff.sign_in.enter(Credentials(email, password, "", address))
    except (SignInRefused, TooManyAttempts) as refused:
        return type(refused).__name__
    return "in"


async def test_the_right_password_makes_a_session_of_the_user(door: Door):
    session, _ = await door.enter(" Rita@AURORA.test ")
    assert (session.actor.user_id, session.actor.clinic_id, session.agent) == (RITA, AURORA, "browser")


@pytest.mark.parametrize(
    ("email", "password"), [(RITA, WRONG), ("nobody@x.com", PASSWORD), ("no address", PASSWORD), (RITA, "")]
)
async def test_what_is_wrong_is_not_said(door: Door, email: str, password: str):
    with pytest.raises(SignInRefused) as refused:
        await door.enter(email, password)
    assert str(refused.value) == SignInRefused.__doc__


@pytest.mark.parametrize("email", [RITA, "nobody@x.com", "no address"])
async def test_a_password_is_compared_also_for_nobody(door: Door, email: str):
    assert (await enter(door.staff, email), door.hasher.compared) == ("SignInRefused", 1)


async def test_a_disabled_user_gets_the_answer_of_a_wrong_password(door: Door):
    await door.staff.accounts.disable(terminal(), RITA)
    assert (await enter(door.staff, RITA, PASSWORD), door.hasher.compared) == ("SignInRefused", 1)


async def test_who_came_in_and_who_did_not_stands_in_the_audit_of_their_clinic_alone(door: Door):
    await door.enter()
    await enter(door.staff, RITA)
    await enter(door.staff, "nobody@x.com")
    assert await door.actions(AURORA) == [(RITA, "session.signed_in", RITA), (RITA, "session.refused", RITA)]
    assert (await door.actions(BROMELIA), await door.actions(NO_CLINIC)) == (
        [],
        [("unknown", "session.refused", "unknown")],
    )


# Pauses


async def test_failures_make_an_email_pause_and_the_pause_grows(door: Door):
    minutes = []
    for _ in range(FOR_EMAIL.free):
        await enter(door.staff)
    for _ in range(6):
        await enter(door.staff)
        with pytest.raises(TooManyAttempts) as pause:
            await door.enter(RITA, PASSWORD)
        minutes.append(pause.value.minutes)
        door.advance(minutes=minutes[-1])
    assert minutes == [1, 2, 4, 8, 15, 15]


async def test_in_a_pause_even_the_right_password_is_not_looked_at(door: Door):
    outcomes = [await enter(door.staff) for _ in range(FOR_EMAIL.free + 2)]
    compared = door.hasher.compared
    assert (outcomes[-1], await enter(door.staff, RITA, PASSWORD), door.hasher.compared) == (
        "TooManyAttempts",
        "TooManyAttempts",
        compared,
    )


async def test_after_the_pause_the_right_password_opens_and_the_count_begins_anew(door: Door):
    for _ in range(FOR_EMAIL.free + 1):
        await enter(door.staff)
    door.advance(minutes=1)
    assert await enter(door.staff, RITA, PASSWORD) == "in"
    assert [await enter(door.staff) for _ in range(FOR_EMAIL.free + 1)] == ["SignInRefused"] * (FOR_EMAIL.free + 1)


async def test_a_pause_of_one_address_or_email_is_nobody_elses(door: Door):
    for _ in range(FOR_EMAIL.free + 2):
        await enter(door.staff)
    assert await enter(door.staff, OTAVIO, PASSWORD) == "in"


async def test_an_email_that_nobody_has_pauses_alike(door: Door):
    outcomes = [[await enter(door.staff, email) for _ in range(7)] for email in (RITA, "nobody@x.com")]
    assert outcomes[0] == outcomes[1] == ["SignInRefused"] * 5 + ["TooManyAttempts"] * 2


async def test_all_processes_count_together(door: Door):
    processes = [door.another_process() for _ in range(3)]
    outcomes = [await enter(processes[turn % 3]) for turn in range(6)]
    assert outcomes == ["SignInRefused"] * 5 + ["TooManyAttempts"]


async def test_many_at_once_are_no_way_around_the_count(door: Door):
    outcomes = await asyncio.gather(*(enter(door.staff) for _ in range(20)))
    assert sorted(outcomes) == ["SignInRefused"] * 5 + ["TooManyAttempts"] * 15


async def test_a_failure_that_was_counted_by_a_clock_ahead_of_ours_makes_nobody_wait(door: Door):
    await enter(door.staff)
    door.advance(seconds=-2)
    assert await enter(door.staff) == "SignInRefused"


async def test_an_address_that_tries_many_emails_pauses_for_all_of_them(door: Door):
    outcomes = [await enter(door.staff, f"somebody{number}@x.com") for number in range(23)]
    assert outcomes == ["SignInRefused"] * 21 + ["TooManyAttempts"] * 2
    assert await enter(door.staff, RITA, PASSWORD) == "TooManyAttempts"
    assert await enter(door.staff, RITA, PASSWORD, "203.0.113.1") == "in"


async def test_signing_in_oneself_buys_no_attempts_at_others(door: Door):
    outcomes = []
    for number in range(24):
        outcomes.append(await enter(door.staff, f"somebody{number}@x.com"))
        await enter(door.staff, OTAVIO, PASSWORD)
    assert outcomes[-1] == "TooManyAttempts"


async def test_failures_are_forgotten_after_a_day(door: Door):
    for _ in range(FOR_EMAIL.free):
        await enter(door.staff)
    door.advance(hours=24)
    assert [await enter(door.staff) for _ in range(FOR_EMAIL.free)] == ["SignInRefused"] * FOR_EMAIL.free
    assert await enter(door.staff, RITA, PASSWORD) == "in"


async def test_what_has_expired_is_swept_by_the_next_sign_in(door: Door):
    await enter(door.staff, "nobody@x.com")
    await door.enter(GIL)
    door.advance(days=8)
    await door.enter(RITA)
    left = [session["userId"] for session in await door.stored("gendei_sessions")]
    assert (left, await door.stored("gendei_attempts")) == ([RITA], [])


async def test_the_store_shows_no_address_that_was_tried(door: Door):
    await enter(door.staff, "segredo@x.com")
    stored = await door.stored("gendei_attempts")
    assert (len(stored), "segredo" in str(stored), HOME in str(stored)) == (2, False, False)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:198.51.100.7", "::ffff:198.51.100.7"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address: str, network: str):
    assert network_of(address) == network


# Codes


@pytest.fixture
async def totp(door: Door) -> pyotp.TOTP:
    """Rita's authenticator, an hour after it was set up."""
    secret = new_totp_secret()
    await door.staff.accounts.set_totp(terminal(), RITA, secret, pyotp.TOTP(secret).at(door.now))
    door.advance(hours=1)
    return pyotp.TOTP(secret)


async def test_with_a_second_factor_the_password_alone_is_refused(door: Door, totp: pyotp.TOTP):
    assert await enter(door.staff, RITA, PASSWORD) == "SignInRefused"
    assert (await door.enter(code=f" {totp.at(door.now)[:3]} {totp.at(door.now)[3:]}"))[0].user.id == RITA


async def test_the_code_alone_is_refused(door: Door, totp: pyotp.TOTP):
    with pytest.raises(SignInRefused):
        await door.enter(RITA, WRONG, totp.at(door.now))


async def test_a_code_opens_once(door: Door, totp: pyotp.TOTP):
    code = totp.at(door.now)
    await door.enter(code=code)
    with pytest.raises(SignInRefused):
        await door.enter(code=code)


async def test_a_code_that_comes_twice_at_once_opens_once(door: Door, totp: pyotp.TOTP):
    code, opened = totp.at(door.now), []

    async def use() -> None:
        with suppress(SignInRefused, TooManyAttempts):
            opened.append(await door.enter(code=code))

    await asyncio.gather(use(), use(), use())
    assert len(opened) == 1


@pytest.mark.parametrize(("seconds", "fits"), [(-60, False), (-30, True), (0, True), (30, True), (60, False)])
async def test_a_phones_clock_may_be_off_by_half_a_minute(door: Door, seconds: int, fits: bool):
    secret = new_totp_secret()
    code = pyotp.TOTP(secret).at(door.now + timedelta(seconds=seconds))
    assert (matched_step(secret, code, door.now, 0) is not None) == fits


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "१२३४५६"])
def test_what_is_no_code_never_fits(code: str, door: Door):
    assert matched_step(new_totp_secret(), code, door.now, 0) is None


async def test_the_operadora_begins_at_no_clinic(door: Door):
    assert (await door.enter(OLGA))[0].actor.clinic_id == NO_CLINIC

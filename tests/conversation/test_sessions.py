"""Sittings of a conversation."""

from datetime import timedelta

from tests.conversation.cast import MARIA_HERE, MARIA_THERE, NOON, World, text

from gendei.conversation.stored.conversation import MOST_MESSAGES, Session, SessionStatus, session_after


def status(session: Session, minutes: float, **where: bool) -> SessionStatus:
    where = {"is_human_takeover": False, "is_closed": False, **where}
    return session.status(NOON + timedelta(minutes=minutes), **where)


def test_a_session_is_active_paused_or_terminated():
    session = session_after(None, 2, NOON)
    assert [
        status(session, 29),
        status(session, 29, is_human_takeover=True),
        status(session, 30),
        status(session, 1, is_closed=True),
    ] == [SessionStatus.ACTIVE, SessionStatus.PAUSED, SessionStatus.TERMINATED, SessionStatus.TERMINATED]


def test_what_is_said_within_half_an_hour_goes_on():
    first = session_after(None, 2, NOON)
    second = session_after(first, 2, NOON + timedelta(minutes=29))
    assert (second.id, second.messages, second.started_at) == (first.id, 4, NOON)


def test_another_begins_after_a_pause_a_closing_or_a_hundred_messages():
    first = session_after(None, 2, NOON)
    full = session_after(first, MOST_MESSAGES, NOON)
    others = (
        session_after(first, 1, NOON + timedelta(minutes=30)),
        session_after(first, 1, NOON, was_closed=True),
        session_after(full, 1, NOON),
    )
    assert [(other.id != first.id, other.messages) for other in others] == [(True, 1)] * 3


async def test_a_turn_counts_both_sides_and_loses_no_message(world: World):
    async with world.messaging:
        for number in range(3):
            await world.accept(text(f"wamid.{number}", "oi"))
            await world.idle()
        first = (await world.conversation()).session
        world.clock.advance(1800)
        await world.accept(text("wamid.9", "oi"))
        await world.idle()
    second = (await world.conversation()).session
    assert (first.messages, second.messages, first.id != second.id, len(await world.history())) == (6, 2, True, 8)
    assert (await world.conversation(MARIA_THERE)).session is None
    assert (await world.conversation(MARIA_HERE)).session == second

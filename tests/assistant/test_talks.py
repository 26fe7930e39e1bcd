"""What may be asked, and what is kept of it: for its own user only, half an hour at a time."""

import asyncio
from datetime import timedelta

import pytest
from tests.assistant.conftest import BIA, OLGA, RUI, Desk

from gendei.assistant.requests import RequestFault, RequestRefused, Said
from gendei.assistant.talks import CONTEXT, Talks
from gendei.errors import NotFound

TURN = [Said("user", "oi"), Said("assistant", "Olá!")]


REFUSED: list[tuple[str, list[Said] | None, RequestFault]] = [
    (" \n ", None, RequestFault.BLANK),
    ("\u200b", None, RequestFault.BLANK),
    ("cancela\x00", None, RequestFault.BLANK),
    ("x" * 2001, None, RequestFault.TOO_LONG),
    ("oi", TURN * 11, RequestFault.HISTORY_TOO_LONG),
    ("oi", [*TURN, Said("assistant", "Olá!"), Said("user", "oi")], RequestFault.HISTORY_ORDER),
    ("oi", TURN[:1], RequestFault.HISTORY_ORDER),
    ("oi", [Said("user", " "), TURN[1]], RequestFault.HISTORY_BLANK),
]


async def test_what_may_not_be_asked_is_refused_and_not_stored(desk: Desk) -> None:
    for message, history, fault in REFUSED:
        with pytest.raises(RequestRefused) as refused:
            await desk.gendei.assistant.say(BIA, message, history=history)
        assert (message, refused.value.fault) == (message, fault)
        assert desk.gendei.assistant.texts.request(fault).endswith(".")
    assert await desk.gendei.assistant.talks.latest(BIA) == []


async def test_two_thousand_characters_and_twenty_messages_are_taken(desk: Desk) -> None:
    answer = await desk.gendei.assistant.say(BIA, "x" * 2000, history=TURN * 10)
    assert answer.message.startswith("Não entendi.")


async def test_half_an_hour_of_silence_begins_another_talk(desk: Desk) -> None:
    first = await desk.say("oi")
    desk.clock.now += timedelta(minutes=30)
    same = await desk.say("oi")
    desk.clock.now += timedelta(minutes=31)
    other = await desk.say("quem está esperando?")
    talks = desk.gendei.assistant.talks
    assert (same.talk_id, [entry.id for entry in await talks.latest(BIA)]) == (
        first.talk_id,
        [other.talk_id, first.talk_id],
    )
    kept = [message.said for message in await talks.messages(BIA, other.talk_id)]
    assert kept == [Said("user", "quem está esperando?"), Said("assistant", "Ninguém está esperando por uma pessoa.")]


async def test_two_first_messages_at_once_begin_one_talk_whichever_processes_take_them(desk: Desk) -> None:
    here, there = desk.gendei.assistant.talks, Talks(desk.gendei.documents, desk.clock)
    for talks in (1, 2):
        opened = [await item.open(BIA) for item in (here, there)]
        await asyncio.gather(*(item.record(BIA, talk, TURN) for item, talk in zip((here, there), opened, strict=True)))
        assert [item.count for item in await here.latest(BIA)] == [4] * talks
        desk.clock.now += timedelta(minutes=31)


async def test_a_talk_that_was_taken_up_again_is_followed_by_a_new_one_and_no_old_one(desk: Desk) -> None:
    asked, talks = await desk.say("cria tarefa comprar luvas"), desk.gendei.assistant.talks
    assert asked.pending is not None
    await desk.gendei.assistant.decide(BIA, asked.talk_id, asked.pending.id, yes=True)
    desk.clock.now += timedelta(minutes=31)
    second = await desk.say("oi")
    desk.clock.now += timedelta(minutes=31)
    await desk.gendei.assistant.decide(BIA, asked.talk_id, asked.pending.id, yes=True)
    desk.clock.now += timedelta(minutes=31)
    third = await desk.say("oi")
    assert [entry.id for entry in await talks.latest(BIA)] == [third.talk_id, asked.talk_id, second.talk_id]


async def test_who_names_a_talk_that_is_over_goes_on_with_the_one_under_way(desk: Desk) -> None:
    first = await desk.say("oi")
    desk.clock.now += timedelta(minutes=31)
    second = await desk.say("oi")
    third = await desk.gendei.assistant.say(BIA, "oi", first.talk_id)
    assert (third.talk_id, second.talk_id != first.talk_id) == (second.talk_id, True)


async def test_all_that_was_said_is_kept_and_the_last_of_it_read_again(desk: Desk) -> None:
    answer = await desk.say(*["oi"] * 13)
    talks = desk.gendei.assistant.talks
    kept, talk = await talks.messages(BIA, answer.talk_id), await talks.get(BIA, answer.talk_id)
    assert (len(kept), talk.count, len(talk.recent), talk.preview) == (26, 26, CONTEXT, "oi")


async def test_nobody_else_sees_a_talk(desk: Desk) -> None:
    answer, talks = await desk.say("oi"), desk.gendei.assistant.talks
    for other in (RUI, OLGA):
        assert await talks.latest(other) == []
        with pytest.raises(NotFound):
            await talks.messages(other, answer.talk_id)
        with pytest.raises(NotFound):
            await desk.gendei.assistant.say(other, "oi", answer.talk_id)

"""Everything that a patient sends is kept in the history; what asks for something starts a turn, the rest is silent."""

from typing import Any

import pytest
from tests.conversation.cast import (
    BOA_VIDA,
    MARIA_THERE,
    SORRISO,
    World,
    column,
    text,
    wordless,
)

from gendei.messages.message import IncomingMessage, MessageType

KINDS = [
    text("wamid.1", "oi"),
    wordless("wamid.1", MessageType.LOCATION, details={"latitude": -23.5, "longitude": -46.6, "name": "Casa"}),
    wordless("wamid.1", MessageType.CONTACTS, details={"contacts": [{"name": "Ana", "phones": [{"phone": "1"}]}]}),
    wordless("wamid.1", MessageType.ORDER, details={"items": [{"product_retailer_id": "x", "quantity": 2}]}),
    wordless("wamid.1", MessageType.STICKER, media_id="s", details={"animated": True}),
    wordless("wamid.1", MessageType.UNSUPPORTED, details={"unsupported_type": "video_note"}),
    wordless("wamid.1", MessageType.DOCUMENT, media_id="d", caption="laudo", details={"filename": "l.pdf"}),
]


@pytest.mark.parametrize("message", KINDS, ids=lambda item: item.type)
async def test_each_kind_of_message_is_kept_whole_and_answered(world: World, message: IncomingMessage) -> None:
    async with world.messaging:
        await world.accept(message)
        await world.idle()

    kept = (await world.history())[0]
    assert kept["type"] == message.type
    assert {name: kept["details"][name] for name in message.details} == message.details
    assert [(item.kind, item.text) for item in world.receptionist.turns[0].inputs] == [(message.type, message.words)]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": MessageType.IMAGE, "caption": "quero marcar"}, "quero marcar"),
        ({"kind": MessageType.IMAGE}, ""),
        ({"kind": MessageType.LOCATION, "details": {"name": "amanhã às 15h"}}, ""),
        ({"kind": MessageType.CONTACTS, "details": {"contacts": [{"name": "amanhã 15h"}]}}, ""),
        ({"kind": MessageType.ORDER, "text": "amanhã 15h"}, ""),
    ],
)
def test_captions_are_words_and_places_cards_and_baskets_are_not(fields: dict[str, Any], words: str) -> None:
    assert wordless("wamid.1", **fields).words == words


SILENT = [
    {"kind": MessageType.REACTION, "details": {"message_id": "wamid.1", "emoji": "👍"}},
    {"kind": MessageType.SYSTEM, "details": {"event": "customer_identity_changed"}},
    {"kind": MessageType.SYSTEM, "details": {"event": "edit", "original_message_id": "wamid.1", "text": "oi!"}},
    {"kind": MessageType.SYSTEM, "details": {"event": "revoke", "original_message_id": "wamid.1"}},
    {"kind": MessageType.UNSUPPORTED, "details": {"unsupported_type": "pin"}},
    {"kind": MessageType.UNSUPPORTED, "details": {"unsupported_type": "poll_update"}},
]


@pytest.mark.parametrize("fields", SILENT, ids=str)
async def test_what_is_about_an_earlier_message_is_kept_in_silence(world: World, fields: dict[str, Any]) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await world.accept(wordless("wamid.2", **fields))
        await world.idle()

    kept = next(message for message in await world.history() if message["id"] == "wamid.2")
    assert {name: kept["details"][name] for name in fields["details"]} == fields["details"]
    assert world.provider.texts() == ["re: oi"]
    assert (await world.conversation()).unread == 1


async def test_silence_beside_words_is_no_part_of_the_turn(world: World) -> None:
    await world.accept(
        text("wamid.1", "oi"),
        wordless("wamid.2", MessageType.REACTION, details={"message_id": "x", "emoji": "👍"}),
    )
    async with world.messaging:
        await world.messaging.worker.sweep()
        await world.idle()

    assert world.receptionist.heard() == [("oi",)]
    assert len([message for message in await world.history() if message["role"] == "user"]) == 2


@pytest.mark.parametrize(("details", "removed"), [({"emoji": "👍"}, False), ({"emoji": None}, True), ({}, True)])
async def test_a_reaction_that_is_taken_back_is_seen_as_that(
    world: World, details: dict[str, Any], removed: bool
) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.accept(wordless("wamid.2", MessageType.REACTION, details={"message_id": "wamid.1"} | details))
        await world.idle()

    kept = next(message for message in await world.history() if message["id"] == "wamid.2")
    assert (kept["details"]["removed"], kept["details"]["message_id"]) == (removed, "wamid.1")


@pytest.mark.parametrize("apart", [True, False])
async def test_an_edit_and_a_deletion_are_marked_on_the_message(world: World, apart: bool) -> None:
    edit = {"event": "edit", "original_message_id": "wamid.1", "text": "às 10h"}
    async with world.messaging:
        await world.accept(text("wamid.1", "às 9h"), text("wamid.2", "ops"))
        if apart:
            await world.idle()
        await world.accept(
            wordless("wamid.3", MessageType.SYSTEM, details=edit),
            wordless("wamid.4", MessageType.SYSTEM, details={"event": "revoke", "original_message_id": "wamid.2"}),
        )
        await world.idle()

    kept = {message["id"]: message for message in await world.history()}
    assert (kept["wamid.1"]["content"], kept["wamid.1"]["edited"]["text"]) == ("às 9h", "às 10h")
    assert "deletedAt" in kept["wamid.2"]
    assert "deletedAt" not in kept["wamid.1"]


async def test_nobody_edits_what_another_patient_or_the_clinic_wrote(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        [_, answer] = await world.history()
        for message_id, target, clinic_id in (("wamid.8", answer["id"], BOA_VIDA), ("wamid.9", "wamid.1", SORRISO)):
            details = {"event": "revoke", "original_message_id": target}
            await world.accept(
                wordless(message_id, MessageType.SYSTEM, details=details),
                clinic_id=clinic_id,
            )
            await world.idle()

    assert ["deletedAt" in message for message in await world.history()] == [False, False, False]
    assert column(await world.history(MARIA_THERE), "id") == []

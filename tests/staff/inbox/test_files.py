"""Files that staff send: kept before the commit, sent whatever dies in between, and shown as the patient has them."""

from pathlib import Path
from shutil import rmtree

import pytest
from tests.conversation.cast import BOA_VIDA, MARIA, SORRISO, World, status, text
from tests.staff.inbox.desk import BIA, OLGA, TEXTS, actions_in_audit, explain, front_desk

from gendei.clinics.directory import Directory
from gendei.conversation.files.clinic_files import FileRefused
from gendei.errors import NotFound
from gendei.messages.message import DeliveryState, OutgoingMedia
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.inbox.messages_shown import Item
from gendei.store.media_folder import FolderMedia
from gendei.store.sqlite import SqliteDocuments

PHOTO, SOUND = b"\xff\xd8\xff\xe0" + bytes(range(256)), b"ID3" + bytes(range(256))


@pytest.fixture
async def world(documents: SqliteDocuments, directory: Directory, tmp_path: Path) -> World:
    """Maria wrote to Boa Vida, and was answered; the process has ended."""
    world = World(documents, directory, explain=explain, left_note=TEXTS.left_note, media=FolderMedia(tmp_path / "m"))
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria Silva"))
        await world.idle()
    return world


async def sent_file(desk: FrontDesk, content: bytes, name: str, caption: str = "") -> str:
    file = await desk.own_files.add(BIA, name, "", content)
    return await desk.conversations.send_file(BIA, MARIA, file.id, caption)


async def last(desk: FrontDesk, count: int = 1) -> list[Item]:
    view = await desk.views.view(BIA, MARIA)
    return [item for item in view.items if item.event is None][-count:]


async def start_another(world: World) -> World:
    """Another process takes up what stands in the store, until nothing is to be done."""
    heir = world.another()
    async with heir.messaging:
        await heir.idle()
    return heir


async def test_a_file_that_was_committed_goes_although_the_process_died_before(world: World, desk: FrontDesk) -> None:
    await sent_file(desk, PHOTO, "fachada.jpg", "A entrada é esta.")
    heir = await start_another(world)
    [message] = heir.provider.sent
    expected = OutgoingMedia(message.media.kind, "", "image/jpeg", "fachada.jpg", content=PHOTO)  # type: ignore[union-attr]
    assert (world.provider.texts()[1:], message.reply.text, message.media) == ([], "A entrada é esta.", expected)


async def test_staff_see_it_with_its_words_its_file_and_its_tick(world: World, desk: FrontDesk) -> None:
    message_id = await sent_file(desk, PHOTO, "fachada.jpg", "A entrada é esta.")
    heir = await start_another(world)
    async with heir.messaging:
        await heir.accept(statuses=[status("out.1", DeliveryState.READ, reference=message_id)])
        await heir.idle()
    [item] = await last(desk)
    file = await desk.files.find(BIA, MARIA, message_id)
    async with desk.files.reading(file) as chunks:
        kept = b"".join([chunk async for chunk in chunks])
    assert (item.type, item.text, item.delivery and item.delivery.state) == ("image", "A entrada é esta.", "read")
    assert (file.file_name, kept) == ("fachada.jpg", PHOTO)
    assert (await desk.inbox.list(BIA)).rows[0].preview == "[image] A entrada é esta."
    assert ("Bia", "conversation.message_sent", MARIA) in await actions_in_audit(world, BIA)


async def test_the_words_with_a_recording_follow_it(world: World, desk: FrontDesk) -> None:
    await sent_file(desk, SOUND, "recado.mp3", "Ouça até o fim.")
    heir = await start_another(world)
    assert [(request.media is not None, request.reply.text) for request in heir.provider.sent] == [
        (True, "[audio]"),
        (False, "Ouça até o fim."),
    ]
    assert [(message.type, message.text) for message in await last(desk, 2)] == [
        ("audio", ""),
        ("text", "Ouça até o fim."),
    ]


async def test_a_file_that_is_gone_fails_and_staff_see_it(world: World, desk: FrontDesk, tmp_path: Path) -> None:
    await sent_file(desk, PHOTO, "fachada.jpg")
    rmtree(tmp_path / "m")
    heir = await start_another(world)
    [item] = await last(desk)
    assert (heir.provider.sent, item.delivery and item.delivery.state) == ([], "failed")
    assert item.delivery
    assert item.delivery.explanation == "A mensagem não pôde ser enviada."


async def test_another_clinic_neither_finds_nor_sends_it(world: World, desk: FrontDesk) -> None:
    file = await desk.own_files.add(BIA, "fachada.jpg", "", PHOTO)
    with pytest.raises(NotFound):
        await desk.own_files.find(OLGA, file.id)
    with pytest.raises(NotFound):
        await front_desk(world).conversations.send_file(OLGA, MARIA, file.id)
    assert (OLGA.clinic_id, file.name.clinic_id) == (SORRISO, BOA_VIDA)


async def test_a_caption_that_is_too_long_and_a_file_of_no_known_kind_are_refused(
    world: World, desk: FrontDesk
) -> None:
    with pytest.raises(TooMuch):
        await sent_file(desk, PHOTO, "fachada.jpg", "x" * 1025)
    with pytest.raises(FileRefused):
        await desk.own_files.add(BIA, "fachada.jpg", "image/jpeg", b"PK\x03\x04 not a photo")
    assert [message.who for message in await last(desk)] == ["bot"]

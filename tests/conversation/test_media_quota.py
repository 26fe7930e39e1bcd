"""Patients' files: nobody fills the disk, every message is kept, staff see why a file is not, and files have a term."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contracts.conftest import SHARED, Engine
from tests.conversation.cast import BOA_VIDA, MARIA_HERE, NOON, SORRISO, clinic
from tests.conversation.test_media import PDF, PHOTO, Studio, file

from gendei.clinic import Contact, MediaPolicy
from gendei.clinics.directory import Directory
from gendei.clinics.stored import clinic_data, clinic_from, parts_data
from gendei.conversation.files.media import MIB, Fetch
from gendei.conversation.files.quota import CLINIC, CONTACT, KEPT, MediaQuota, OverQuota
from gendei.documents import Documents
from gendei.messages.keys import ConversationKey
from gendei.messages.message import MessageType
from gendei.store.sqlite import SqliteDocuments
from gendei.web.pages.page_texts import page_texts


@pytest.fixture
async def studio(documents: SqliteDocuments, directory: Directory, tmp_path: Path) -> AsyncIterator[Studio]:
    made = Studio(documents, directory, tmp_path / "media")
    async with made.messaging:
        yield made


async def limit(studio: Studio, **limits: int) -> None:
    await studio.world.directory.import_clinic(replace(clinic(BOA_VIDA), media=replace(MediaPolicy(), **limits)))


async def states(studio: Studio, *message_ids: str) -> list[tuple[str, str]]:
    found = [await studio.media(message_id) or {} for message_id in message_ids]
    return [(media["state"], media.get("reason", "")) for media in found]


async def test_beyond_a_contacts_day_the_message_stays_without_its_file_and_staff_see_why(studio: Studio):
    await limit(studio, contact_files_per_day=2)
    for number in range(4):
        await studio.send(file(message_id=f"wamid.{number}", caption=f"foto {number}"))
    assert await states(studio, *(f"wamid.{number}" for number in range(4))) == [
        ("stored", ""),
        ("stored", ""),
        ("failed", CONTACT),
        ("failed", CONTACT),
    ]
    assert (len(studio.kept()), len(studio.files.asked)) == (2, 2)
    message = (await studio.documents.get(MARIA_HERE.message_path("wamid.3"))).data or {}
    assert message["details"]["caption"] == "foto 3"
    assert [words for words in studio.receptionist.heard() if "foto 3" in words] != []
    await studio.send(file(message_id="wamid.b"), clinic_id=SORRISO)
    assert len(studio.kept()) == 3
    studio.clock.advance(24 * 3600)
    await studio.send(file(message_id="wamid.next"))
    assert await states(studio, "wamid.next") == [("stored", "")]


async def test_a_file_that_is_larger_than_what_is_left_leaves_nothing_on_the_disk(studio: Studio):
    await limit(studio, contact_mb_per_day=1)
    studio.files.content["large"] = PHOTO[:4] + bytes(MIB)
    await studio.send(file("large", message_id="wamid.large"))
    await studio.send(file(message_id="wamid.small"))
    assert await states(studio, "wamid.large", "wamid.small") == [("failed", CONTACT), ("stored", "")]
    assert [path.stat().st_size for path in studio.kept()] == [len(PHOTO)]


def test_staff_read_why_in_portuguese():
    words = page_texts("inbox")
    assert all("arquivo" in words[f"media_{reason}"] for reason in (CONTACT, CLINIC, KEPT, "expired"))


async def test_after_its_term_a_file_is_deleted_and_the_history_says_so(studio: Studio):
    await limit(studio, keep_days=30)
    await studio.send(file(message_id="wamid.old"))
    studio.clock.advance(20 * 24 * 3600)
    await studio.send(file("pdf", MessageType.DOCUMENT, message_id="wamid.new", mime_type="application/pdf"))
    await studio.send(file(message_id="wamid.b"), clinic_id=SORRISO)
    studio.clock.advance(11 * 24 * 3600)
    await studio.fetcher._downloads.expire()
    await studio.fetcher._downloads.expire()
    assert await states(studio, "wamid.old", "wamid.new") == [("expired", ""), ("stored", "")]
    assert sorted(path.stat().st_size for path in studio.kept()) == sorted([len(PDF), len(PHOTO)])
    use = (await studio.documents.get(f"gendei_clinics/{BOA_VIDA}/media_use/kept")).data
    assert use == {"files": 1, "bytes": len(PDF)}


async def test_a_clinic_may_keep_files_for_ever(studio: Studio):
    await limit(studio, keep_days=0)
    await studio.send(file())
    studio.clock.advance(4000 * 24 * 3600)
    await studio.fetcher._downloads.expire()
    assert (await states(studio, "wamid.1"), len(studio.kept())) == ([("stored", "")], 1)


@pytest.fixture(params=SHARED)
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Documents]:
    engine: Engine = SHARED[request.param](request)
    opened = await engine.open()
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"contact_files_per_day": 3}, CONTACT),
        ({"contact_mb_per_day": 3}, CONTACT),
        ({"clinic_files_per_day": 3}, CLINIC),
        ({"clinic_mb_per_day": 3}, CLINIC),
        ({"kept_mb": 3}, KEPT),
    ],
)
async def test_of_many_files_at_once_no_more_are_kept_than_the_quota(
    store: Documents, limits: dict[str, int], reason: str
):
    limited = replace(clinic(BOA_VIDA), media=replace(MediaPolicy(), **limits))
    quotas = [MediaQuota(store, lambda: NOON) for _ in range(2)]

    def fetch(number: int) -> Fetch:
        whose = Contact("+5511999990001") if reason is CONTACT else Contact(f"+551199999000{number}")
        key = ConversationKey(limited.id, whose)
        path = key.message_path(f"wamid.{number}")
        return Fetch(key, path, "meta", "1001", MessageType.IMAGE, "photo", None, None, None, 0, NOON)

    async def take(number: int) -> str:
        try:
            await quotas[number % 2].take(limited, fetch(number), MIB)
            await quotas[(number + 1) % 2].take(limited, fetch(number), MIB)  # the same once more, after a failure
        except OverQuota as over:
            return str(over)
        return "kept"

    told = await asyncio.gather(*(take(number) for number in range(8)))
    assert sorted(told) == sorted(["kept"] * 3 + [reason] * 5)


def test_a_clinic_sets_its_quotas_and_one_that_was_stored_before_has_the_defaults():
    own = replace(clinic(BOA_VIDA), media=MediaPolicy(30, 1, 2, 3, 4, 5))
    data, parts = clinic_data(own, 1), [part for _, part in parts_data(own, 1)]
    old = {name: value for name, value in data.items() if name != "media"}
    assert clinic_from(own.id, data, parts).media == MediaPolicy(30, 1, 2, 3, 4, 5)
    assert clinic_from(own.id, old, parts).media == MediaPolicy()

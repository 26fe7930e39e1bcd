"""The form of an address, and what it costs to find out whose it is when a message arrives."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conversation.cast import BOA_VIDA, World

from gendei.clinic import Contact
from gendei.conversation.stored.contacts import Contacts, canonical
from gendei.documents import Documents, Snapshot

PHONE, USER = Contact("+5511988887777"), Contact("BR.1349")


class CountingDocuments:
    """A real store that counts the reads of single documents."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.reads = 0

    async def get(self, path: str) -> Snapshot:
        self.reads += 1
        return await self._documents.get(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("+551188887777", "+5511988887777"),
        ("+5511988887777", "+5511988887777"),
        ("+554199998888", "+5541999998888"),
        ("+551133334444", "+551133334444"),
        ("+555132145678", "+555132145678"),
        ("+551111112222", "+551111112222"),
        ("+14155550100", "+14155550100"),
        ("+541188887777", "+541188887777"),
        ("+551088887777", "+551088887777"),
        ("BR.1349", "BR.1349"),
        ("1234567890@lid", "1234567890@lid"),
        ("", ""),
    ],
)
def test_a_brazilian_mobile_always_has_its_ninth_digit_and_nothing_else_changes(address: str, form: str) -> None:
    assert canonical(address) == form


@given(st.text() | st.from_regex(r"\+55\d{8,12}", fullmatch=True))
def test_the_form_of_an_address_is_final(address: str) -> None:
    assert canonical(canonical(address)) == canonical(address)


async def test_a_message_by_phone_is_taken_in_with_one_commit_and_no_read(world: World) -> None:
    counting = CountingDocuments(world.documents)
    contacts = Contacts(counting, world.clock)

    assert await contacts.at_the_door(BOA_VIDA, "+551188887777") == PHONE
    assert counting.reads == 0


async def test_an_address_without_a_phone_is_looked_up_once_a_minute(world: World) -> None:
    counting = CountingDocuments(world.documents)
    contacts = Contacts(counting, world.clock)

    for _ in range(3):
        assert await contacts.at_the_door(BOA_VIDA, USER) == USER
    assert counting.reads == 1
    world.clock.advance(61)
    await contacts.at_the_door(BOA_VIDA, USER)
    assert counting.reads == 2

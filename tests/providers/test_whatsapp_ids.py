"""Who is behind WhatsApp's addresses, and how to write to them."""

import pytest

from gendei.messages.message import OutgoingMessage
from gendei.messages.replies import Reply
from gendei.providers.numbered import Unsendable
from gendei.providers.whatsapp_ids import Person, is_person, person, recipient

PHONE, LID = "5511987654321@s.whatsapp.net", "81234567890123@lid"


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        ((PHONE,), Person("+5511987654321", None)),
        (("5511987654321:12@s.whatsapp.net",), Person("+5511987654321", None)),
        (("5511987654321@c.us",), Person("+5511987654321", None)),
        (("551187654321@s.whatsapp.net",), Person("+551187654321", None)),
        (("5511987654321",), Person("+5511987654321", None)),
        ((LID,), Person(None, "81234567890123@lid", hidden=True)),
        ((LID, PHONE), Person("+5511987654321", "81234567890123@lid", hidden=True)),
        ((PHONE, LID), Person("+5511987654321", "81234567890123@lid")),
        ((LID, None, 7, {}), Person(None, "81234567890123@lid", hidden=True)),
    ],
)
def test_an_address_is_a_phone_or_a_hidden_number(addresses, expected):
    assert person(*addresses) == expected


@pytest.mark.parametrize("address", ["", "maria", "@lid", "1@lid", "a/b@lid", "٣٣٣٣٣٣٣@lid", f"{PHONE}\n", None, 5511])
def test_what_is_no_address_of_a_person_is_nobody(address):
    assert person(address) is None


def test_the_phone_keys_the_conversation_and_the_hidden_number_is_an_alias():
    both = person(LID, PHONE)
    assert (both.contact, both.aliases) == ("+5511987654321", ("81234567890123@lid",))


def test_a_hidden_number_alone_keys_the_conversation():
    hidden = person(LID)
    assert (hidden.contact, hidden.aliases) == ("81234567890123@lid", ())


@pytest.mark.parametrize(
    "address", ["123-456@g.us", "120363@g.us", "5511-group", "status@broadcast", "12@broadcast", "77@newsletter"]
)
def test_groups_broadcasts_and_channels_are_no_person(address):
    assert is_person(address) is False


def outgoing(phone: str | None, user_id: str | None = None) -> OutgoingMessage:
    return OutgoingMessage(phone, user_id, Reply("Olá!"), "out-1")


def test_a_phone_goes_without_a_plus():
    assert recipient(outgoing("+55 (11) 98765-4321", LID)) == "5511987654321"


def test_a_hidden_number_goes_as_it_came():
    assert recipient(outgoing(None, LID)) == LID


@pytest.mark.parametrize("message", [outgoing(None), outgoing(""), outgoing(None, "BR.1349"), outgoing("5" * 16)])
def test_what_would_reach_nobody_or_a_group_does_not_go(message):
    with pytest.raises(Unsendable):
        recipient(message)

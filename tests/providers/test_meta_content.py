"""Every inbound type of Meta's as fields of our IncomingMessage."""

import json
from datetime import UTC, datetime

import pytest
from tests.providers import bodies

from gendei.messages.message import IncomingMessage, MessageType
from gendei.providers.meta_webhook import parse

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)


def only(content: bodies.Json, **more: object) -> IncomingMessage:
    (received,) = parse(json.dumps(bodies.one(content, **more)).encode(), NOW).received
    (message,) = received.messages
    return message


def test_a_text_has_its_words():
    assert only(bodies.text("Olá, ção 👋")).content == "Olá, ção 👋"


def test_an_empty_text_stays_a_text():
    message = only(bodies.text(""))
    assert (message.type, message.text) == (MessageType.TEXT, "")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (bodies.IMAGE, (MessageType.IMAGE, "MED1", "image/jpeg", "https://m.test/1", "guia", {"sha256": "c2hh"})),
        (
            bodies.VOICE,
            (MessageType.AUDIO, "MED2", "audio/ogg; codecs=opus", None, None, {"sha256": "c2hh", "voice": True}),
        ),
        (
            bodies.DOCUMENT,
            (
                MessageType.DOCUMENT,
                "MED3",
                "application/pdf",
                None,
                None,
                {"sha256": "c2hh", "filename": "exame.pdf"},
            ),
        ),
        (
            bodies.STICKER,
            (MessageType.STICKER, "MED4", "image/webp", None, None, {"sha256": "c2hh", "animated": True}),
        ),
    ],
    ids=["image", "voice", "document", "sticker"],
)
def test_media_can_be_fetched_by_id_or_url(content, expected):
    found = only(content)
    assert (found.type, found.media_id, found.mime_type, found.media_url, found.caption, found.details) == expected


def test_a_location_has_its_coordinates():
    found = only(bodies.LOCATION)
    expected = (MessageType.LOCATION, {"latitude": -23.56, "longitude": -46.65, "name": "Casa"})
    assert (found.type, found.details) == expected


def test_a_shared_card_keeps_names_phones_and_origin():
    phone = {"phone": "+55 11 98888-7777", "wa_id": "5511988887777", "type": "CELL"}
    expected = {"contacts": [{"name": "João Alves", "phones": [phone], "origin": "other"}]}
    assert only(bodies.CARD).details == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (bodies.BUTTON_REPLY, (MessageType.INTERACTIVE, "do|book", "Agendar")),
        (bodies.LIST_REPLY, (MessageType.INTERACTIVE, "day|2026-06-11", "Quinta, 11/06")),
        (bodies.FORM_REPLY, (MessageType.INTERACTIVE, None, "Enviado")),
        (bodies.TEMPLATE_BUTTON, (MessageType.BUTTON, "confirm|a1", "Confirmar")),
    ],
    ids=["button", "list", "form", "template button"],
)
def test_a_tap_has_the_id_and_title_of_its_option(content, expected):
    found = only(content)
    assert (found.type, found.button_payload, found.button_title) == expected


def test_a_form_keeps_its_answers_as_the_json_that_it_sent():
    assert only(bodies.FORM_REPLY).details == {"interactive": "nfm_reply", "name": "flow", "response_json": '{"a":1}'}


def test_an_answer_names_the_message_that_it_answers():
    assert only(bodies.LIST_REPLY).reply_to == "wamid.OUT9"


def test_a_reaction_names_its_message_and_starts_no_turn():
    found = only(bodies.REACTION)
    assert (found.type, found.reply_to, found.details["emoji"], found.starts_turn) == (
        MessageType.REACTION,
        "wamid.OUT1",
        "👍",
        False,
    )


@pytest.mark.parametrize("reaction", [{"message_id": "wamid.OUT1"}, {"message_id": "wamid.OUT1", "emoji": ""}])
def test_a_reaction_taken_back_has_no_emoji(reaction):
    assert only({"type": "reaction", "reaction": reaction}).details == {"message_id": "wamid.OUT1", "emoji": None}


def test_an_order_keeps_its_lines():
    found = only(bodies.ORDER)
    line = {"product_retailer_id": "p1", "quantity": 2, "item_price": 30.5, "currency": "BRL"}
    assert (found.text, found.details) == ("Quero este", {"catalog_id": "77", "items": [line]})


def test_a_change_of_number_is_a_system_notice_with_both_identities():
    found = only(bodies.NEW_NUMBER)
    expected = {
        "event": "user_changed_number",
        "wa_id": "5511900001111",
        "user_id": "BR.NEW1",
        "previous_user_id": "BR.OLD1",
        "body": "mudou de número",
    }
    assert (found.type, found.starts_turn, found.details) == (MessageType.SYSTEM, False, expected)


def test_a_change_of_user_id_without_sender_belongs_to_the_previous_one():
    assert only(bodies.NEW_USER_ID, sender=None).sender == "BR.OLD1"


def test_what_meta_does_not_support_says_what_it_was():
    found = only(bodies.POLL)
    expected = {
        "unsupported_type": "poll_creation",
        "error_code": 131051,
        "errors": ["131051 Message type unknown: Message type is currently not supported."],
    }
    assert (found.type, found.details) == (MessageType.UNSUPPORTED, expected)


def test_what_is_unavailable_keeps_its_code():
    assert only(bodies.UNAVAILABLE).details["error_code"] == 131060


def test_an_edit_is_a_notice_with_the_new_text():
    found = only(bodies.EDIT)
    expected = {"event": "edit", "original_message_id": "wamid.IN0", "text": "às 15h"}
    assert (found.type, found.details) == (MessageType.SYSTEM, expected)


def test_a_revocation_names_the_message_taken_back():
    found = only(bodies.REVOKE)
    expected = (MessageType.SYSTEM, {"event": "revoke", "original_message_id": "wamid.IN0"})
    assert (found.type, found.details) == expected


@pytest.mark.parametrize(
    "content",
    [
        {"type": "hologram", "hologram": {"id": "1"}},
        {"type": "unknown"},
        {},
        {"type": 7},
        {"type": "text"},
        {"type": "text", "text": {"body": 7}},
        {"type": "interactive"},
        {"type": "interactive", "interactive": {"type": "button_reply"}},
        {"type": "interactive", "interactive": {"type": []}},
        {"type": "location", "location": {"latitude": "north"}},
        {"type": "image", "image": None},
    ],
)
def test_what_cannot_be_read_is_unsupported_and_not_lost(content):
    assert only(content).type is MessageType.UNSUPPORTED


def test_an_advertisement_that_brought_the_patient_is_kept():
    found = only(bodies.text("Oi"), referral={"source_type": "ad", "source_id": "120", "ctwa_clid": "c", "image": {}})
    assert found.details == {"referral": {"source_id": "120", "source_type": "ad", "ctwa_clid": "c"}}


def test_a_forwarded_message_says_so():
    assert only(bodies.text("Oi"), context={"forwarded": True}).details == {"forwarded": True}

"""Evolution API's bodies: who wrote what, what became of ours, and what is never a turn."""

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.providers.evolution_simulator import EvolutionWebhooks

from gendei.messages.message import DeliveryState, Echo, MessageType, StatusUpdate
from gendei.providers.evolution_webhook import parse
from gendei.providers.webhook_body import NotAWebhook, Parsed

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SENT_AT = datetime(2026, 6, 10, 11, 59, tzinfo=UTC)
MARIA, LID = "+5511987654321", "81234567890123@lid"
MAKER = EvolutionWebhooks("aurora", "a secret", clock=lambda: SENT_AT)


def read(signed) -> Parsed:
    return parse(signed[0], NOW)


def first(content: dict, **data):
    """The one message of Maria's with `content`; `data` replaces fields of the event's data."""
    body = json.loads(MAKER.message(MARIA, content, message_id="3EB0IN1")[0])
    body["data"] |= data
    return parse(json.dumps(body).encode(), NOW).received[0].messages[0]


def keyed(**key) -> Parsed:
    """A text with fields of its key replaced."""
    body = json.loads(MAKER.text(MARIA, "Oi", message_id="3EB0IN1")[0])
    body["data"]["key"] |= key
    return parse(json.dumps(body).encode(), NOW)


def test_a_text_is_somebodys_message_to_an_instance():
    (received,) = read(MAKER.text(MARIA, "Oi, tudo bem?", name="Maria", message_id="3EB0IN1")).received
    (message,) = received.messages
    assert (received.external_id, message.id, message.sender, message.phone, message.sender_name) == (
        "aurora",
        "3EB0IN1",
        MARIA,
        MARIA,
        "Maria",
    )
    assert (message.type, message.text, message.timestamp) == (MessageType.TEXT, "Oi, tudo bem?", SENT_AT)


def test_the_clinics_own_number_and_key_are_never_read():
    assert "5519900000000" not in repr(read(MAKER.text(MARIA, "Oi"))) + repr(read(MAKER.status("1", "READ")))
    assert "never-to-be-read" not in repr(read(MAKER.text(MARIA, "Oi")))


def test_a_hidden_number_with_its_phone_beside_it_is_the_phone():
    (received,) = keyed(remoteJid=LID, remoteJidAlt="5511987654321@s.whatsapp.net").received
    (message,) = received.messages
    assert (message.sender, message.phone, message.user_id, message.aliases) == (MARIA, MARIA, LID, (LID,))


def test_the_phone_of_a_hidden_number_may_stand_in_sender_pn():
    (received,) = keyed(remoteJid=LID, senderPn="5511987654321@s.whatsapp.net").received
    assert received.messages[0].sender == MARIA


def test_a_phone_with_its_hidden_number_beside_it_has_an_alias():
    (received,) = keyed(remoteJidAlt=LID).received
    (message,) = received.messages
    assert (message.sender, message.user_id, message.aliases) == (MARIA, None, (LID,))


def test_a_hidden_number_alone_is_the_sender():
    (received,) = keyed(remoteJid=LID).received
    (message,) = received.messages
    assert (message.sender, message.phone, message.user_id, message.aliases) == (LID, None, LID, ())


@pytest.mark.parametrize("jid", ["120363041@g.us", "status@broadcast", "123@broadcast", "120363@newsletter"])
def test_groups_broadcasts_and_channels_are_left_out(jid):
    assert keyed(remoteJid=jid, participant="5511987654321@s.whatsapp.net") == Parsed(())


def test_what_staff_wrote_on_the_clinics_phone_is_an_echo():
    (received,) = read(MAKER.echo(MARIA, "Aqui é a Rosa", message_id="3EB0X")).received
    assert (received.messages, received.echoes) == ((), (Echo("3EB0X", MARIA, SENT_AT, "Aqui é a Rosa"),))


def test_the_other_side_of_an_echo_is_the_patient_and_not_the_clinic():
    (received,) = keyed(remoteJid=LID, fromMe=True, senderPn="5519900000000@s.whatsapp.net").received
    assert received.echoes[0].to == LID


@pytest.mark.parametrize(
    "content", [{"reactionMessage": {"key": {"id": "1"}, "text": "👍"}}, {"pollCreationMessageV3": {"name": "?"}}]
)
def test_a_reaction_or_a_poll_of_staff_is_no_echo(content):
    assert read(MAKER.message(MARIA, content, from_me=True)) == Parsed(())


def test_what_was_sent_through_the_api_is_not_read_twice():
    data = json.loads(MAKER.echo(MARIA, "Olá")[0])["data"]
    assert read(MAKER.event("send.message", data)) == Parsed(())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"extendedTextMessage": {"text": "Oi"}}, "Oi"),
        ({"ephemeralMessage": {"message": {"conversation": "Oi"}}}, "Oi"),
        ({"messageContextInfo": {"x": 1}, "conversation": "Oi"}, "Oi"),
    ],
)
def test_a_text_may_be_wrapped(content, text):
    assert (first(content).type, first(content).text) == (MessageType.TEXT, text)


def test_a_reply_names_what_it_replies_to():
    quoting = {"extendedTextMessage": {"text": "Sim", "contextInfo": {"stanzaId": "3EB0OUT"}}}
    assert first(quoting).reply_to == "3EB0OUT"
    assert first({"conversation": "Sim"}, contextInfo={"stanzaId": "3EB0OUT"}).reply_to == "3EB0OUT"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("imageMessage", MessageType.IMAGE),
        ("videoMessage", MessageType.VIDEO),
        ("documentMessage", MessageType.DOCUMENT),
        ("audioMessage", MessageType.AUDIO),
        ("stickerMessage", MessageType.STICKER),
    ],
)
def test_a_file_is_fetched_by_its_messages_id(name, kind):
    found = first({name: {"mimetype": "x/y", "caption": "meu exame", "url": "https://mmg.whatsapp.net/encrypted"}})
    assert (found.type, found.media_id, found.media_url, found.mime_type, found.caption) == (
        kind,
        "3EB0IN1",
        None,
        "x/y",
        "meu exame",
    )


def test_a_file_in_a_bucket_has_its_address():
    assert first({"imageMessage": {}, "mediaUrl": "https://s3.test/1"}).media_url == "https://s3.test/1"


def test_a_captioned_document_is_found_in_its_wrapper():
    inner = {"documentMessage": {"fileName": "exame.pdf", "caption": "segue"}}
    found = first({"documentWithCaptionMessage": {"message": inner}})
    assert (found.type, found.details, found.caption) == (MessageType.DOCUMENT, {"filename": "exame.pdf"}, "segue")


def test_a_voice_note_says_so():
    assert first({"audioMessage": {"ptt": True, "seconds": 4}}).details == {"seconds": 4, "voice": True}


def test_a_place_and_a_card_are_kept():
    place = first({"locationMessage": {"degreesLatitude": -23.5, "degreesLongitude": -46.6, "name": "Casa"}})
    card = first({"contactMessage": {"displayName": "João", "vcard": "BEGIN\nitem1.TEL;waid=5511988:+55 11 988\nEND"}})
    assert place.details == {"name": "Casa", "latitude": -23.5, "longitude": -46.6}
    assert card.details["contacts"] == [
        {"name": "João", "phones": [{"phone": "+55 11 988", "wa_id": "5511988"}], "origin": "other"}
    ]


@pytest.mark.parametrize(
    "content",
    [
        {"buttonsResponseMessage": {"selectedButtonId": "do|book", "selectedDisplayText": "Marcar"}},
        {"templateButtonReplyMessage": {"selectedId": "do|book", "selectedDisplayText": "Marcar"}},
        {"listResponseMessage": {"title": "Marcar", "singleSelectReply": {"selectedRowId": "do|book"}}},
        {
            "interactiveResponseMessage": {
                "nativeFlowResponseMessage": {"paramsJson": '{"id": "do|book", "display_text": "Marcar"}'}
            }
        },
    ],
)
def test_a_tap_is_known_by_its_id(content):
    found = first(content)
    assert (found.type, found.button_payload, found.button_title) == (MessageType.INTERACTIVE, "do|book", "Marcar")


def test_a_tap_without_a_title_still_has_its_id():
    found = first({"buttonsResponseMessage": {"selectedButtonId": "do|book"}})
    assert (found.button_payload, found.button_title) == ("do|book", None)


@pytest.mark.parametrize("broken", ['{"id": "do', "", None, "[]", '"\\ud83d"', "[" * 100_000])
def test_a_broken_answer_leaves_its_words(broken):
    flow = {"nativeFlowResponseMessage": {"paramsJson": broken}, "body": {"text": "Marcar"}}
    found = first({"interactiveResponseMessage": flow})
    assert (found.type, found.button_payload, found.button_title) == (MessageType.INTERACTIVE, None, "Marcar")


def test_an_empty_tap_is_asked_again():
    found = first({"buttonsResponseMessage": {}})
    assert (found.type, found.starts_turn) == (MessageType.UNSUPPORTED, True)


@pytest.mark.parametrize(
    "content",
    [
        {"reactionMessage": {"key": {"id": "1"}, "text": "👍"}},
        {"pollCreationMessage": {"name": "Qual?"}},
        {"pollUpdateMessage": {"vote": {}}, "messageContextInfo": {}},
        {"pinInChatMessage": {"key": {}}},
        {"protocolMessage": {"type": "REVOKE", "key": {"id": "3EB0"}}},
        {"protocolMessage": {"type": 14, "key": {"id": "3EB0"}, "editedMessage": {"conversation": "15h"}}},
        {"editedMessage": {"message": {"protocolMessage": {"type": "MESSAGE_EDIT", "key": {"id": "3EB0"}}}}},
    ],
)
def test_what_was_done_to_an_earlier_message_starts_no_turn(content):
    assert first(content).starts_turn is False


def test_an_edit_names_the_message_and_its_new_words():
    edit = {"type": 14, "key": {"id": "3EB0"}, "editedMessage": {"conversation": "15h"}}
    expected = {"event": "edit", "original_message_id": "3EB0", "text": "15h"}
    assert first({"protocolMessage": edit}).details == expected


def test_edits_and_deletions_that_come_as_events_have_an_id_of_their_own():
    key = {"remoteJid": "5511987654321@s.whatsapp.net", "fromMe": False, "id": "3EB0"}
    edit = {"key": key, "editedMessage": {"conversation": "15h"}, "timestampMs": "1781092800000"}
    edited, deleted = read(MAKER.event("messages.edited", edit)), read(MAKER.event("messages.delete", key))
    found = [parsed.received[0].messages[0] for parsed in (edited, deleted)]
    assert [(entry.id, entry.details["event"], entry.details["original_message_id"]) for entry in found] == [
        ("3EB0:edit:20260610120000", "edit", "3EB0"),
        ("3EB0:revoke", "revoke", "3EB0"),
    ]


@pytest.mark.parametrize("content", [{}, {"messageContextInfo": {"a": 1}}, {"protocolMessage": {"type": 3}}])
def test_a_message_without_content_waits_for_its_content(content):
    """It comes again under the same id, which must still be free then."""
    assert read(MAKER.message(MARIA, content)) == Parsed(())


def test_what_nobody_knows_is_kept_and_asked_about():
    found = first({"newThingMessage": {"a": 1}})
    assert (found.type, found.details, found.starts_turn) == (
        MessageType.UNSUPPORTED,
        {"unsupported_type": "newThing"},
        True,
    )


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ("SERVER_ACK", DeliveryState.SENT),
        ("DELIVERY_ACK", DeliveryState.DELIVERED),
        ("READ", DeliveryState.READ),
        ("PLAYED", DeliveryState.PLAYED),
    ],
)
def test_a_status_is_about_a_message_of_ours(told, state):
    (received,) = read(MAKER.status("3EB0OUT", told)).received
    assert received.statuses == (StatusUpdate("3EB0OUT", state, NOW),)


def test_an_error_is_a_failure_with_a_reason():
    (received,) = read(MAKER.status("3EB0OUT", "ERROR")).received
    assert (received.statuses[0].state, received.statuses[0].error) == (
        DeliveryState.FAILED,
        "ERROR the message could not be delivered",
    )


@pytest.mark.parametrize("told", ["PENDING", "DELETED", "", "NEW", None, [], {}, True])
def test_other_statuses_and_votes_say_nothing(told):
    data = {"keyId": "3EB0OUT", "remoteJid": "5511987654321@s.whatsapp.net", "fromMe": True, "status": told}
    assert read(MAKER.event("messages.update", data)) == Parsed(())


def test_a_status_of_a_patients_message_says_nothing():
    data = {"keyId": "3EB0IN", "remoteJid": "5511987654321@s.whatsapp.net", "fromMe": False, "status": "READ"}
    assert read(MAKER.event("messages.update", data)) == Parsed(())


def test_the_older_form_of_a_status_and_several_at_once_are_read():
    old = [{"key": {"id": str(place), "fromMe": True}, "update": {"status": place}} for place in (2, 3)]
    (received,) = read(MAKER.event("messages.update", old)).received
    assert [item.state for item in received.statuses] == [DeliveryState.SENT, DeliveryState.DELIVERED]


@pytest.mark.parametrize("event", ["messages.upsert", "MESSAGES_UPSERT", "messages-upsert"])
def test_an_event_is_known_by_any_of_its_spellings(event):
    data = json.loads(MAKER.text(MARIA, "Oi")[0])["data"]
    assert len(read(MAKER.event(event, data)).received) == 1


@pytest.mark.parametrize("event", ["qrcode.updated", "connection.update", "contacts.update", "call"])
def test_other_events_hold_nothing_for_us(event):
    assert read(MAKER.event(event, [{"id": 1}])) == Parsed(())


def test_malformed_parts_are_counted_and_the_rest_is_read():
    good = json.loads(MAKER.text(MARIA, "Oi")[0])["data"]
    parsed = read(MAKER.event("messages.upsert", [7, {**good, "key": {"remoteJid": "x", "id": "1"}}, good]))
    assert (parsed.skipped, len(parsed.received[0].messages)) == (2, 1)


@pytest.mark.parametrize("timestamp", ["soon", None, {"low": 1}, "1" * 400, 1e300])
def test_a_time_that_cannot_be_read_is_the_arrival(timestamp):
    assert first({"conversation": "Oi"}, messageTimestamp=timestamp).timestamp == NOW


@pytest.mark.parametrize("body", [b"", b"hello", b"[]", b"{}", b'{"event": "messages.upsert"}', b'{"instance": "a"}'])
def test_what_is_no_webhook_is_refused(body):
    with pytest.raises(NotAWebhook):
        parse(body, NOW)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([LID, MARIA, "READ"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.sampled_from(["key", "id"]), inner)
    ),
    max_leaves=12,
)
KINDS = ["conversation", "imageMessage", "listResponseMessage", "protocolMessage", "contactMessage", "editedMessage"]
EVENTS = st.sampled_from(["messages.upsert", "messages.update", "messages.edited", "messages.delete"])


@given(EVENTS, JSON)
def test_no_data_of_any_event_raises(event, data):
    assert isinstance(read(MAKER.event(event, data)), Parsed)


@given(st.sampled_from(KINDS), JSON, JSON)
def test_no_content_raises(kind, content, context):
    body = json.loads(MAKER.message(MARIA, {kind: content})[0])
    body["data"]["contextInfo"] = context
    assert isinstance(parse(json.dumps(body).encode(), NOW), Parsed)


@given(st.binary(max_size=60) | JSON.map(lambda tree: json.dumps(tree).encode()))
def test_any_bytes_are_a_webhook_or_not(body):
    with suppress(NotAWebhook):
        assert isinstance(parse(body, NOW), Parsed)

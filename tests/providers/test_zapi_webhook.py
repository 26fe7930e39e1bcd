"""Z-API's callbacks: who wrote what, what became of ours, and what is never a turn."""

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.providers.zapi_simulator import ZapiWebhooks

from gendei.messages.message import DeliveryState, Echo, MessageType, StatusUpdate
from gendei.providers.webhook_body import NotAWebhook, Parsed
from gendei.providers.zapi_webhook import parse

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SENT_AT = datetime(2026, 6, 10, 11, 59, tzinfo=UTC)
MARIA, LID = "+5511987654321", "81234567890123@lid"
MAKER = ZapiWebhooks("3C0FFEE0AA", clock=lambda: SENT_AT)


def read(signed) -> Parsed:
    return parse(signed[0], NOW)


def first(content: dict, **more):
    return read(MAKER.message(MARIA, content, message_id="3EB0IN1", **more)).received[0].messages[0]


def test_a_text_is_somebodys_message_to_an_instance():
    (received,) = read(MAKER.text(MARIA, "Oi, tudo bem?", name="Maria", message_id="3EB0IN1")).received
    (message,) = received.messages
    assert (received.external_id, message.id, message.sender, message.phone, message.sender_name) == (
        "3C0FFEE0AA",
        "3EB0IN1",
        MARIA,
        MARIA,
        "Maria",
    )
    assert (message.type, message.text, message.timestamp) == (MessageType.TEXT, "Oi, tudo bem?", SENT_AT)


def test_a_phone_with_its_hidden_number_beside_it_has_an_alias():
    found = first({"text": {"message": "Oi"}}, chatLid=LID)
    assert (found.sender, found.user_id, found.aliases) == (MARIA, None, (LID,))


def test_a_hidden_number_alone_is_the_sender():
    (received,) = read(MAKER.text(LID, "Oi")).received
    (message,) = received.messages
    assert (message.sender, message.phone, message.user_id, message.aliases) == (LID, None, LID, ())


@pytest.mark.parametrize(
    "more",
    [
        {"isGroup": True, "participantPhone": "5511987654321"},
        {"phone": "120363041-group"},
        {"isNewsletter": True},
        {"phone": "120363@newsletter"},
        {"broadcast": True},
        {"phone": "status@broadcast"},
        {"waitingMessage": True},
        {"fromMe": True, "fromApi": True},
    ],
)
def test_what_is_no_message_of_one_patient_is_left_out(more):
    assert read(MAKER.message(MARIA, {"text": {"message": "Oi"}}, **more)) == Parsed(())


def test_what_staff_wrote_on_the_clinics_phone_is_an_echo():
    (received,) = read(MAKER.echo(MARIA, "Aqui é a Rosa", message_id="3EB0X")).received
    assert (received.messages, received.echoes) == ((), (Echo("3EB0X", MARIA, SENT_AT, "Aqui é a Rosa"),))


def test_the_other_side_of_an_echo_is_the_patient_and_not_the_clinic():
    signed = MAKER.message(MARIA, {"text": {"message": "Oi"}}, fromMe=True, senderLid="999999999@lid")
    assert read(signed).received[0].echoes[0].to == MARIA


@pytest.mark.parametrize("content", [{"reaction": {"value": "👍"}}, {"notification": "REVOKE"}, {"poll": {"a": 1}}])
def test_a_reaction_or_a_notice_of_staff_is_no_echo(content):
    assert read(MAKER.message(MARIA, content, fromMe=True)) == Parsed(())


@pytest.mark.parametrize("kind", ["image", "audio", "video", "document", "sticker"])
def test_a_file_is_fetched_by_its_address(kind):
    content = {f"{kind}Url": "https://f.z-api.test/1", "mimeType": "x/y", "caption": "meu exame"}
    found = first({kind: content})
    assert (found.type, found.media_id, found.media_url, found.mime_type, found.caption) == (
        MessageType(kind),
        None,
        "https://f.z-api.test/1",
        "x/y",
        "meu exame",
    )


def test_a_voice_note_and_a_file_name_are_kept():
    assert first({"audio": {"ptt": True, "seconds": 4}}).details == {"seconds": 4, "voice": True}
    assert first({"document": {"fileName": "exame.pdf"}}).details == {"filename": "exame.pdf"}


@pytest.mark.parametrize(
    "content",
    [
        {"buttonsResponseMessage": {"buttonId": "do|book", "message": "Marcar"}},
        {"listResponseMessage": {"selectedRowId": "do|book", "title": "Marcar", "message": "a descrição"}},
    ],
)
def test_a_tap_is_known_by_its_id(content):
    found = first(content)
    assert (found.type, found.button_payload, found.button_title) == (MessageType.INTERACTIVE, "do|book", "Marcar")


def test_a_reply_names_what_it_replies_to():
    assert first({"text": {"message": "Sim"}}, referenceMessageId="3EB0OUT").reply_to == "3EB0OUT"


def test_a_reaction_names_what_it_is_about():
    found = first({"reaction": {"value": "👍", "referencedMessage": {"messageId": "3EB0OUT"}}})
    assert (found.type, found.reply_to, found.details["emoji"]) == (MessageType.REACTION, "3EB0OUT", "👍")


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ({"reaction": {"value": "👍"}}, {}),
        ({"poll": {"question": "Qual?"}}, {}),
        ({"pollVote": {"options": []}}, {}),
        ({"notification": "CALL_MISSED_VOICE"}, {}),
        ({"text": {"message": "às 15h"}}, {"isEdit": True}),
    ],
)
def test_what_is_no_new_message_starts_no_turn(content, more):
    assert first(content, **more).starts_turn is False


def test_an_edit_names_the_message_and_its_new_words_under_an_id_of_its_own():
    found = first({"text": {"message": "às 15h"}}, isEdit=True)
    assert (found.id, found.details) == (
        "3EB0IN1:edit:20260610115900",
        {"event": "edit", "original_message_id": "3EB0IN1", "text": "às 15h"},
    )


def test_what_nobody_knows_is_kept_and_asked_about():
    found = first({"newThing": {"a": 1}})
    assert (found.type, found.details, found.starts_turn) == (
        MessageType.UNSUPPORTED,
        {"unsupported_type": "newThing"},
        True,
    )


def test_a_place_a_card_and_a_basket_are_kept():
    place = first({"location": {"latitude": -23.5, "longitude": -46.6, "url": ""}})
    card = first({"contact": {"displayName": "João", "phones": ["5511988887777", 7]}})
    basket = first({"order": {"orderId": "1", "message": "Quero", "products": [{"name": "Kit", "quantity": 2}]}})
    assert (place.details["latitude"], card.details["contacts"][0]["phones"], basket.details["items"]) == (
        -23.5,
        [{"phone": "5511988887777"}],
        [{"name": "Kit", "quantity": 2}],
    )


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ("SENT", DeliveryState.SENT),
        ("RECEIVED", DeliveryState.DELIVERED),
        ("READ", DeliveryState.READ),
        ("PLAYED", DeliveryState.PLAYED),
    ],
)
def test_a_status_is_about_several_messages(told, state):
    (received,) = read(MAKER.status(["3EB0A", "3EB0B"], told)).received
    assert received.statuses == (StatusUpdate("3EB0A", state, SENT_AT), StatusUpdate("3EB0B", state, SENT_AT))


def test_what_we_read_ourselves_says_nothing():
    assert read(MAKER.status(["3EB0A"], "READ_BY_ME")) == Parsed(())


def test_malformed_ids_of_a_status_are_counted():
    parsed = read(MAKER.status(["3EB0A", "", 7], "READ"))
    assert (parsed.skipped, len(parsed.received[0].statuses)) == (2, 1)


def test_leaving_the_queue_is_sent_and_an_error_is_a_failure():
    sent = read(MAKER.callback("DeliveryCallback", {"messageId": "3EB0A", "phone": "5511"})).received[0].statuses[0]
    failed = MAKER.callback("DeliveryCallback", {"messageId": "3EB0A", "error": "Phone number does not exist"})
    assert (sent.state, read(failed).received[0].statuses[0].state) == (DeliveryState.SENT, DeliveryState.FAILED)


@pytest.mark.parametrize("kind", ["ConnectedCallback", "DisconnectedCallback", "PresenceChatCallback", "Other"])
def test_other_callbacks_hold_nothing_for_us(kind):
    assert read(MAKER.callback(kind, {"phone": "5511987654321"})) == Parsed(())


@pytest.mark.parametrize("more", [{"messageId": None}, {"messageId": "x" * 600}, {"phone": "maria"}])
def test_a_message_without_an_id_or_a_sender_is_counted(more):
    assert read(MAKER.message(MARIA, {"text": {"message": "Oi"}}, **more)) == Parsed((), skipped=1)


@pytest.mark.parametrize("body", [b"", b"hello", b"[]", b"{}", b'{"type": "ReceivedCallback"}', b'{"instanceId": "a"}'])
def test_what_is_no_webhook_is_refused(body):
    with pytest.raises(NotAWebhook):
        parse(body, NOW)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from([LID, "READ"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = "text image audio contact order reaction poll isEdit momment phone ids status senderName notification chatLid"
KINDS = st.sampled_from(["ReceivedCallback", "MessageStatusCallback", "DeliveryCallback"])


@given(KINDS, st.dictionaries(st.sampled_from(FIELDS.split()), JSON, max_size=5))
def test_no_fields_of_any_callback_raise(kind, fields):
    whole = {"messageId": "1", "phone": "5511987654321", "text": {"message": "Oi"}, **fields}
    assert isinstance(read(MAKER.callback(kind, whole)), Parsed)


@given(st.binary(max_size=60) | JSON.map(lambda tree: json.dumps(tree).encode()))
def test_any_bytes_are_a_webhook_or_not(body):
    with suppress(NotAWebhook):
        assert isinstance(parse(body, NOW), Parsed)

"""The envelope: signatures, identities, batches, statuses, and whatever else a body may hold."""

import hmac
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.providers import bodies
from tests.providers.bodies import MARIA, MARIA_ID, NUMBER, contact, envelope, message, one, text, value

from gendei.messages.message import DeliveryState
from gendei.providers.meta_webhook import parse, verify_signature
from gendei.providers.webhook_body import NotAWebhook, Parsed

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SENT_AT = datetime.fromtimestamp(int(bodies.SECONDS), UTC)
SECRET = b"app secret"


def read(body: object) -> Parsed:
    return parse(json.dumps(body).encode(), NOW)


def first(body: object):
    return read(body).received[0].messages[0]


def signed(body: bytes, secret: bytes = SECRET) -> str:
    return "sha256=" + hmac.digest(secret, body, "sha256").hex()


@given(st.binary())
def test_a_signature_of_the_same_bytes_is_good(body):
    assert verify_signature(SECRET, body, signed(body))


@given(st.binary(), st.binary())
def test_a_signature_of_other_bytes_is_bad(body, other):
    assert verify_signature(SECRET, body, signed(other)) == (body == other)


@given(st.text())
def test_no_header_raises_and_none_is_good_by_chance(header):
    assert not verify_signature(SECRET, b"{}", header)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        signed(b"{}")[7:],
        signed(b"{}").upper(),
        signed(b"{}").replace("sha256", "sha512"),
        signed(b"{}") + "0",
        signed(b"{}")[:-1],
        signed(b"{}", b"another secret"),
        "sha256=" + "é" * 64,
    ],
)
def test_any_other_form_of_the_header_is_bad(header):
    assert not verify_signature(SECRET, b"{}", header)


def test_an_empty_secret_verifies_nothing():
    assert not verify_signature(b"", b"{}", signed(b"{}", b""))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"hello",
        b"\xff\xfe{}",
        b"[]",
        b"null",
        b'{"entry": []}',
        b'{"object": "page", "entry": []}',
        b"[" * 200_000,
        b'{"object": "whatsapp_business_account", "n": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_what_is_not_a_whatsapp_webhook_is_refused(body):
    with pytest.raises(NotAWebhook):
        parse(body, NOW)


def test_the_refusal_holds_nothing_of_the_body():
    with pytest.raises(NotAWebhook) as refused:
        parse(b'{"segredo de paciente', NOW)
    assert (refused.value.__cause__, refused.value.__suppress_context__, "segredo" in str(refused.value)) == (
        None,
        True,
        False,
    )


def test_a_message_has_the_senders_phone_name_and_own_time():
    found = first(one(text("Oi")))
    assert (found.id, found.sender, found.phone, found.sender_name, found.timestamp) == (
        "wamid.IN1",
        f"+{MARIA}",
        f"+{MARIA}",
        "Maria Alves",
        SENT_AT,
    )


@pytest.mark.parametrize("sender", [None, ""])
def test_without_a_phone_the_user_id_is_the_sender(sender):
    body = envelope(
        value(
            contacts=[contact(wa_id=sender, user_id=MARIA_ID)],
            messages=[message(text("Oi"), sender=sender, from_user_id=MARIA_ID)],
        )
    )
    found = first(body)
    assert (found.sender, found.phone, found.user_id, found.sender_name) == (MARIA_ID, None, MARIA_ID, "Maria Alves")


def test_with_both_the_phone_is_the_sender_and_the_user_id_is_known():
    found = first(one(text("Oi"), from_user_id=MARIA_ID))
    assert (found.sender, found.user_id) == (f"+{MARIA}", MARIA_ID)


def test_the_messages_own_sender_wins_over_the_contacts():
    body = envelope(
        value(
            contacts=[contact(wa_id="5511900000000", user_id=MARIA_ID)],
            messages=[message(text("Oi"), from_user_id=MARIA_ID)],
        )
    )
    assert first(body).sender == f"+{MARIA}"


def test_names_go_with_their_senders_in_whatever_order():
    people = [contact("João", "5511900000002"), contact("Ana", "5511900000001")]
    messages = [
        message(text("1"), message_id="a", sender="5511900000001"),
        message(text("2"), message_id="b", sender="5511900000002"),
        message(text("3"), message_id="c", sender="5511900000003"),
    ]
    (received,) = read(envelope(value(contacts=people, messages=messages))).received
    assert [found.sender_name for found in received.messages] == ["Ana", "João", None]


def test_a_message_without_contacts_is_read():
    assert first(envelope(value(messages=[message(text("Oi"))]))).sender_name is None


@pytest.mark.parametrize("timestamp", [None, "", "soon", "1e400", "99999999999999999999", [], "-99999999999999"])
def test_a_timestamp_that_cannot_be_read_is_the_arrival(timestamp):
    assert first(one({**text("Oi"), "timestamp": timestamp})).timestamp == NOW


def test_every_entry_change_message_and_status_is_read_by_number():
    a1, a2, b1 = (message(text("Oi"), message_id=message_id) for message_id in ("a1", "a2", "b1"))
    body = envelope(value(messages=[a1, a2], statuses=[bodies.DELIVERED]), value("222", messages=[b1]))
    body["entry"].append(envelope(value(statuses=[bodies.FAILED]))["entry"][0])
    summary = [
        (item.external_id, [found.id for found in item.messages], [found.message_id for found in item.statuses])
        for item in read(body).received
    ]
    assert summary == [(NUMBER, ["a1", "a2"], ["wamid.OUT1", "wamid.OUT2"]), ("222", ["b1"], [])]


def test_a_status_carries_our_reference():
    (status,) = read(envelope(value(contacts=[contact()], statuses=[bodies.DELIVERED]))).received[0].statuses
    assert (status.message_id, status.state, status.timestamp, status.reference, status.error) == (
        "wamid.OUT1",
        DeliveryState.DELIVERED,
        SENT_AT,
        "out-1",
        None,
    )


def test_a_failure_says_why_also_without_contacts():
    (status,) = read(envelope(value(statuses=[bodies.FAILED]))).received[0].statuses
    expected = (DeliveryState.FAILED, "131047 Re-engagement message: More than 24 hours have passed.")
    assert (status.state, status.error) == expected


@pytest.mark.parametrize("state", ["sent", "delivered", "read", "played", "failed"])
def test_every_state_of_metas_is_known(state):
    (status,) = read(envelope(value(statuses=[{"id": "x", "status": state}]))).received[0].statuses
    assert status.state == state


def test_the_dashboards_test_is_read():
    assert first(bodies.DASHBOARD_TEST).id == "ABGGFlA5Fpa"


@pytest.mark.parametrize("field", ["smb_message_echoes", "standby", "message_echoes", "account_update", "flows"])
def test_other_fields_are_ignored(field):
    assert read(envelope(value(messages=[message(text("Oi"))]), field=field)) == Parsed(())


def test_errors_of_the_account_are_reported():
    body = envelope(value(errors=[{"code": 131000, "title": "Something went wrong"}]))
    assert read(body) == Parsed((), errors=("131000 Something went wrong",))


def test_unknown_fields_change_nothing():
    body = one(text("Oi"), from_parent_user_id="BR.ENT.1", novelty={"deep": [1, {}]})
    body["entry"][0] |= {"time": 1, "more": None}
    assert first(body) == first(one(text("Oi")))


@pytest.mark.parametrize(
    "broken",
    [
        "a word",
        {"from": MARIA, **text("no id")},
        {"id": "wamid.X", **text("no sender")},
        {"id": "wamid.X", "from": "status@broadcast", **text("no phone")},
        {"id": "wamid.X", "from_user_id": "BR/1", **text("no user id")},
        {"id": "w" * 600, "from": MARIA, **text("no id of WhatsApp's")},
        message(text("said to a group"), group_id="G1"),
    ],
    ids=["not an object", "no id", "no sender", "no phone", "no user id", "endless id", "group"],
)
def test_a_broken_part_is_skipped_and_counted_and_the_rest_is_read(broken):
    parsed = read(envelope(value(messages=[broken, message(text("Oi"))])))
    assert ([found.text for found in parsed.received[0].messages], parsed.skipped) == (["Oi"], 1)


def test_messages_for_no_number_are_skipped():
    assert read(envelope({"messages": [message(text("Oi"))], "statuses": [bodies.DELIVERED]})) == Parsed((), skipped=2)


def test_half_of_a_surrogate_pair_becomes_text_that_a_store_takes():
    found = parse(json.dumps(one(text("a"))).replace('"a"', '"\\ud83d\\udc4b \\ud83d \\u00e7"').encode(), NOW)
    assert found.received[0].messages[0].text == "👋 ? ç"


def test_numbers_that_are_no_json_do_not_reach_the_store():
    body = json.dumps(one(bodies.LOCATION)).replace("-46.65", "Infinity").encode()
    assert parse(body, NOW).received[0].messages[0].details == {"unsupported_type": "location"}


KEYS = st.sampled_from(
    [
        *("id", "from", "from_user_id", "timestamp", "type", "text", "body", "image", "location", "latitude"),
        *("longitude", "interactive", "button_reply", "nfm_reply", "reaction", "contacts", "order", "system", "edit"),
        *("message", "errors", "code", "title", "error_data", "details", "context", "referral", "metadata"),
        *("phone_number_id", "profile", "name", "wa_id", "user_id", "messages", "statuses", "status", "group_id"),
    ]
)
WORDS = st.sampled_from(["text", "image", "interactive", "system", "contacts", "failed", "sent", "button_reply", "1"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6))


@given(TREES)
def test_nothing_inside_a_change_raises(tree):
    assert read(envelope(value(messages=[tree], statuses=[tree], contacts=[tree], errors=[tree]), tree)).skipped >= 0


@given(TREES)
def test_a_known_message_with_any_content_is_kept_in_a_form_that_a_store_takes(tree):
    for kind in ("text", "image", "contacts", "interactive", "order", "location", "reaction", "system", "edit"):
        (received,) = read(one({"type": kind, kind: tree, "context": tree, "referral": tree, "errors": tree})).received
        assert received.messages[0].id == "wamid.IN1"
        json.dumps(received.messages[0].details, allow_nan=False, ensure_ascii=False).encode()


@given(st.dictionaries(st.sampled_from(["object", "entry", "changes"]), TREES))
def test_any_json_is_read_or_refused(tree):
    for body in (tree, {"object": "whatsapp_business_account", **tree}):
        try:
            read(body)
        except NotAWebhook:
            continue

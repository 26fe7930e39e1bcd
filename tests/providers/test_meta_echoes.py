"""What Meta's webhooks tell beside messages: the clinic's own phone, other addresses, kinds of failure."""

import json
from datetime import UTC, datetime

import pytest
from tests.providers import bodies
from tests.providers.bodies import MARIA, MARIA_ID, NUMBER, contact, envelope, message, one, text, value

from gendei.messages.message import Echo, FailureKind
from gendei.providers.meta_webhook import parse
from gendei.providers.webhook_body import Parsed

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SENT_AT = datetime.fromtimestamp(int(bodies.SECONDS), UTC)


def read(body: object) -> Parsed:
    return parse(json.dumps(body).encode(), NOW)


def first(body: object):
    return read(body).received[0].messages[0]


def echoed(**echo) -> Parsed:
    """What staff wrote to Maria on the phone of a number that is also in the app, with fields replaced."""
    whole = {"from": "551130004000", "to": MARIA, "id": "wamid.ECHO", "timestamp": bodies.SECONDS, **text("Oi"), **echo}
    return read(envelope(value(message_echoes=[whole]), field="smb_message_echoes"))


def test_what_staff_wrote_on_the_clinics_phone_is_an_echo():
    (received,) = echoed().received
    assert (received.external_id, received.messages, received.echoes) == (
        NUMBER,
        (),
        (Echo("wamid.ECHO", f"+{MARIA}", SENT_AT, "Oi"),),
    )


def test_an_echo_to_somebody_without_a_phone_names_the_user_id():
    assert echoed(to=None, to_user_id=MARIA_ID).received[0].echoes[0].to == MARIA_ID


@pytest.mark.parametrize(
    "echo", [{"id": None}, {"to": "maria"}, {"group_id": "1"}, bodies.REACTION, bodies.NEW_USER_ID, {"to": None}]
)
def test_what_is_no_echo_of_words_to_one_patient_is_counted(echo):
    assert echoed(**echo) == Parsed((), skipped=1)


def test_the_other_addresses_of_a_sender_are_aliases():
    both = envelope(value(contacts=[contact(user_id=MARIA_ID)], messages=[message(text("Oi"))]))
    alone = envelope(value(messages=[message(text("Oi"), sender=None, from_user_id=MARIA_ID)]))
    assert (first(both).aliases, first(alone).aliases) == ((MARIA_ID,), ())


def test_a_change_of_number_names_the_old_and_the_new_addresses():
    found = first(one(bodies.NEW_NUMBER))
    assert (found.sender, found.aliases) == (f"+{MARIA}", ("+5511900001111", "BR.NEW1", "BR.OLD1"))


def test_a_change_of_user_id_without_a_sender_is_about_the_old_one():
    found = first(envelope(value(messages=[message(bodies.NEW_USER_ID, sender=None)])))
    assert (found.sender, found.aliases) == ("BR.OLD1", ("BR.NEW1",))


def test_a_failed_status_says_what_kind_of_failure_it_is():
    failed = {"id": "wamid.OUT1", "status": "failed", "timestamp": bodies.SECONDS, "errors": [{"code": 131047}]}
    assert read(envelope(value(statuses=[failed]))).received[0].statuses[0].kind is FailureKind.WINDOW_CLOSED

"""That an ordinary status makes of the documents what it makes of the whole entry."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.conversation.cast import BOA_VIDA, MARIA, NOON, status

from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Initiative, OutboxEntry, OutboxStatus, enqueue
from gendei.conversation.outbound.progress import history_path, is_ordinary, progressed, shown
from gendei.conversation.outbound.statuses import _shown
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.history import Author
from gendei.messages.message import DeliveryState, MessageCharge
from gendei.messages.replies import Reply

LATER = NOON + timedelta(hours=1)
CHARGES = st.sampled_from([None, MessageCharge("service", charged=True, model="PMP"), MessageCharge("utility", False)])


def entry() -> OutboxEntry:
    _, writes = enqueue(Conversation(BOA_VIDA, MARIA, NOON, NOON), [Reply("oi")], author=Author.BOT, now=NOON)
    return OUTBOX_ENTRY.read(writes[0].data or {}, id="e1")


ENTRIES = st.builds(
    replace,
    st.just(entry()),
    status=st.sampled_from(OutboxStatus),
    delivery_state=st.sampled_from([None, *DeliveryState]),
    provider_message_id=st.sampled_from([None, "wamid.1"]),
    replaced_id=st.sampled_from([None, "wamid.0", "wamid.1"]),
    initiative=st.sampled_from([None, Initiative("reminder")]),
    error=st.sampled_from([None, "131026 no"]),
    settle_by=st.sampled_from([None, NOON]),
    expire_at=st.sampled_from([None, NOON]),
    charge=CHARGES,
)
UPDATES = st.builds(replace, st.builds(status, st.just("wamid.1"), st.sampled_from(DeliveryState)), charge=CHARGES)


@given(before=ENTRIES, update=UPDATES)
def test_an_ordinary_status_makes_of_the_document_what_it_makes_of_the_entry(before, update) -> None:  # type: ignore[no-untyped-def]
    document = OUTBOX_ENTRY.write(before)
    if not is_ordinary(document, update):
        return
    after, message = before.reported(update, LATER), {"content": "oi", "explanation": "no"}
    found = progressed(document, update, LATER)
    if found is None:
        assert after is before
        return
    assert found == OUTBOX_ENTRY.write(after)
    assert history_path(found, before.id) == after.history_path
    assert shown(message, found) == _shown(message, after)
    assert not before.is_open
    assert not after.is_open


def test_what_was_sent_once_and_did_not_fail_is_ordinary() -> None:
    sent = OUTBOX_ENTRY.write(entry().claimed("us", NOON).accepted("wamid.1", NOON))

    assert [is_ordinary(sent, status("wamid.1", state)) for state in DeliveryState] == [
        state is not DeliveryState.FAILED for state in DeliveryState
    ]

from dataclasses import replace
from datetime import timedelta

from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NOON, text

from gendei.conversation.stored.contacts import folded_together
from gendei.conversation.stored.conversation import CONVERSATION, Conversation, Failure, FailureReason
from gendei.documents import MAX_DOCUMENT_BYTES
from gendei.messages.keys import ConversationKey
from gendei.messages.message import INCOMING, Arrival, IncomingMessage, MessageRole, MessageType
from gendei.store.encoding import encode

NEW = Conversation(BOA_VIDA, MARIA, NOON, NOON)


def arrival(message: IncomingMessage) -> Arrival:
    return Arrival(message.id, message, NOON, "meta", "1001")


def test_a_conversation_comes_back_from_the_store_as_it_went() -> None:
    full = replace(
        NEW.received([arrival(text("1", sender_name="Maria"))]).taken_over("dúvida", NOON, "Bia"),
        agent_state={"step": "date"},
        last_failure=Failure(FailureReason.TURN_FAILED, "TimeoutError", NOON),
    )

    assert CONVERSATION.read(CONVERSATION.write(full)) == full


def test_of_two_that_are_one_patients_a_person_has_both_and_a_wait_goes_on() -> None:
    free, waits = replace(NEW, contact=JOAO), NEW.taken_over("recibo", NOON)
    taken = replace(NEW, contact=JOAO).taken_over("", NOON, "Bia")
    together = [folded_together(*pair) for pair in ((waits, taken), (taken, waits), (waits, free), (free, waits))]
    assert [(each.has_person, each.waiting_for_person, each.taken_over_by) for each in together] == [
        (True, False, "Bia"),
        (True, False, "Bia"),
        (False, True, None),
        (False, True, None),
    ]


def test_the_window_keeps_the_last_fifty_messages() -> None:
    conversation = NEW
    for number in range(60):
        conversation = conversation.said(MessageRole.USER, str(number), NOON)

    assert [message["content"] for message in conversation.messages] == [str(number) for number in range(10, 60)]


def test_the_largest_window_fits_a_document() -> None:
    conversation = NEW
    for _ in range(60):
        conversation = conversation.said(MessageRole.USER, "😀" * 10_000, NOON)

    assert len(encode("a/b", CONVERSATION.write(conversation))) < MAX_DOCUMENT_BYTES
    assert len(encode("a/b", CONVERSATION.write(conversation)).encode()) < MAX_DOCUMENT_BYTES


def test_the_receptionist_is_given_the_whole_window_with_its_times() -> None:
    conversation = NEW
    for number in range(30):
        conversation = conversation.said(MessageRole.USER, str(number), NOON)

    assert [message["content"] for message in conversation.history] == [str(number) for number in range(30)]
    assert {message["timestamp"] for message in conversation.history} == {NOON.isoformat()}


def test_the_service_window_counts_from_when_the_patient_wrote() -> None:
    written = NOON - timedelta(hours=3)

    assert NEW.received([arrival(text("1", at=written))]).last_inbound_at == written


def test_a_message_redelivered_late_does_not_move_the_service_window_back() -> None:
    conversation = NEW.received([arrival(text("1"))]).received([arrival(text("0", at=NOON - timedelta(days=2)))])

    assert conversation.last_inbound_at == NOON


def test_a_timestamp_of_the_future_opens_the_service_window_only_now() -> None:
    assert NEW.received([arrival(text("1", at=NOON + timedelta(days=2)))]).last_inbound_at == NOON


def test_messages_that_arrive_together_keep_their_order_in_time() -> None:
    conversation = NEW.received([arrival(text("1", "a")), arrival(text("2", "b"))])

    first, second = (message["timestamp"] for message in conversation.messages)
    assert first < second


def test_the_reason_of_the_first_take_over_stands_when_a_person_comes() -> None:
    waiting = NEW.taken_over("pediu um atendente", NOON)

    taken = waiting.taken_over("", NOON + timedelta(minutes=5), "Bia")
    assert (taken.takeover_reason, taken.taken_over_at, taken.taken_over_by) == ("pediu um atendente", NOON, "Bia")


def test_a_key_is_read_back_from_its_text() -> None:
    key = ConversationKey(BOA_VIDA, MARIA)

    assert ConversationKey.parse(key.text) == key


def test_a_contact_cannot_climb_out_of_its_clinic() -> None:
    key = ConversationKey(BOA_VIDA, "../../sorriso/conversations/x")  # type: ignore[arg-type]  # a Contact is a str

    assert key.path.startswith("gendei_clinics/boa-vida/conversations/")
    assert key.path.count("/") == 3


def test_a_message_comes_back_from_the_store_as_it_went() -> None:
    message = text("1", type=MessageType.AUDIO, media_id="m1", mime_type="audio/ogg", details={"voice": True})

    assert INCOMING.read(INCOMING.write(message)) == message

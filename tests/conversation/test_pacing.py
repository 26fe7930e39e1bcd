"""Token buckets: 45 at once and then one in 6 seconds to a patient; so many a second through a number."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.conversation.cast import JOAO, MARIA, MARIA_HERE, NOON, Watchmaker

from gendei.clinic import Channel, ClinicId, Contact
from gendei.conversation.outbound.pacing import Bucket, Pacing
from gendei.messages.keys import ConversationKey

BOA_VIDA = ClinicId("boa-vida")
CHANNEL = Channel("meta", "1001")
SLOW = Channel("meta", "1001", settings={"messages_per_second": "2"})
JOAO_HERE = ConversationKey(BOA_VIDA, JOAO)


def waits(pacing: Pacing, key: ConversationKey, count: int, channel: Channel = CHANNEL) -> list[float]:
    return [round(pacing.wait(f"{key.text}{number}", key, channel), 3) for number in range(count)]


def test_a_burst_of_45_goes_to_one_patient_and_then_one_in_six_seconds() -> None:
    assert waits(Pacing(Watchmaker()), MARIA_HERE, 48)[44:] == [0, 6, 12, 18]


def test_what_was_borrowed_is_paid_back_by_waiting() -> None:
    clock = Watchmaker()
    pacing = Pacing(clock)
    waits(pacing, MARIA_HERE, 45)
    clock.advance(12)

    assert [pacing.wait(f"later{number}", MARIA_HERE, CHANNEL) for number in range(3)] == [0, 0, 6]


def test_one_patients_burst_does_not_slow_another() -> None:
    pacing = Pacing(Watchmaker())
    waits(pacing, MARIA_HERE, 60)

    assert pacing.wait("joao", JOAO_HERE, CHANNEL) == 0


def test_the_same_person_at_another_clinic_has_a_budget_of_its_own() -> None:
    pacing = Pacing(Watchmaker())
    waits(pacing, MARIA_HERE, 60)

    assert pacing.wait("there", ConversationKey(ClinicId("sorriso"), MARIA), Channel("meta", "2002")) == 0


def test_a_number_sends_so_many_a_second_and_who_waits_comes_one_after_the_other() -> None:
    pacing = Pacing(Watchmaker())
    keys = [ConversationKey(BOA_VIDA, Contact(f"+551199999{number:04d}")) for number in range(5)]

    assert [pacing.wait(key.text, key, SLOW) for key in keys] == [0, 0, 0.5, 1, 1.5]


def test_asking_again_for_the_same_message_takes_nothing_more() -> None:
    clock = Watchmaker()
    pacing = Pacing(clock)
    waits(pacing, MARIA_HERE, 45)
    asked = [pacing.wait("m", MARIA_HERE, CHANNEL) for _ in range(3)]
    clock.advance(6)

    assert (asked, pacing.wait("m", MARIA_HERE, CHANNEL), pacing.wait("n", MARIA_HERE, CHANNEL)) == ([6, 6, 6], 0, 6)


def test_a_held_number_sends_nothing_and_another_goes_on() -> None:
    clock = Watchmaker()
    pacing = Pacing(clock)
    pacing.hold(("meta", "1001"), 60)
    held = pacing.wait("m", MARIA_HERE, CHANNEL), pacing.wait("n", JOAO_HERE, Channel("meta", "2002"))
    clock.advance(60)

    assert (held, pacing.wait("m", MARIA_HERE, CHANNEL)) == ((60, 0), 0)


@given(st.lists(st.floats(0, 30), min_size=1, max_size=120))
def test_however_messages_come_no_window_holds_more_than_the_budget(pauses: list[float]) -> None:
    bucket, now, sent = Bucket(6, 45), NOON.timestamp(), []
    for pause in pauses:
        now += pause
        sent.append(bucket.take(now))

    def within(start: float, span: float) -> int:
        return sum(start <= at < start + span for at in sent)

    assert all(within(start, span) <= 45 + span / 6 + 1e-6 for start in sent[:10] for span in (6, 60))


def test_a_clock_that_steps_back_stops_nobody() -> None:
    clock = Watchmaker()
    pacing = Pacing(clock)
    pacing.wait("m", MARIA_HERE, CHANNEL)
    clock.now = NOON - timedelta(seconds=60)

    assert pacing.wait("n", MARIA_HERE, CHANNEL) == 0

from hypothesis import given
from hypothesis import strategies as st

from gendei.conversation.turns.recording import GAP, MOST_CHARACTERS, earlier, excerpt, excerpts
from gendei.messages.turns import PatientInput


def messages(*texts: str) -> list[PatientInput]:
    return [PatientInput(text) for text in texts]


def test_an_ordinary_turn_is_understood_whole() -> None:
    inputs = messages("oi", "quero marcar", "x" * (MOST_CHARACTERS - 14))

    assert excerpts(inputs) == tuple(inputs)


def test_of_a_long_turn_the_first_and_the_last_words_are_understood() -> None:
    inputs = messages("quero marcar", "a" * 4000, "amanhã às 15h")
    first, cut, last = excerpts(inputs)

    assert (first.text, last.text) == ("quero marcar", "amanhã às 15h")
    assert GAP in cut.text


def test_of_thirty_messages_the_ones_in_the_middle_are_left_out() -> None:
    inputs = messages(*(f"{number:04} " * 800 for number in range(30)))
    kept = excerpts(inputs)

    assert [message.text[:4] for message in kept] == ["0000", "0029"]


def test_pictures_and_taps_between_count_without_their_text() -> None:
    tap, picture = PatientInput("x" * 50, choice="slot|1"), PatientInput("y" * 50, kind="image")
    inputs = [*messages("a" * 1500), tap, picture, *messages("b" * 1500)]
    kept = excerpts(inputs)

    assert [(message.choice, message.kind, message.text) for message in kept[1:3]] == [
        ("slot|1", "text", ""),
        (None, "image", ""),
    ]


@given(st.lists(st.text(max_size=300), max_size=30), st.integers(2, 400))
def test_no_more_than_the_most_is_ever_understood(texts: list[str], most: int) -> None:
    kept = excerpts(messages(*texts), most)

    assert sum(len(message.text.replace(GAP, "")) for message in kept) <= most
    assert [text for text in texts if text] == [message.text for message in kept if message.text] or sum(
        map(len, texts)
    ) > most


@given(st.text(max_size=5000))
def test_an_earlier_message_is_cut_to_its_ends(text: str) -> None:
    cut = excerpt(text)
    [kept] = earlier([{"role": "user", "content": text, "timestamp": "t"}])

    assert (len(cut) <= MOST_CHARACTERS, cut[:900], cut[-900:]) == (True, text[:900], text[-900:])
    assert kept == {"role": "user", "content": cut, "timestamp": "t"}

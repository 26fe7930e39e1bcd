"""Understanding a text takes time that is linear in it, whatever stands in it.

Work is counted in lines of Python that run, which a machine's load does not change: twice as much text more may take
twice as many lines more. What C code does inside of one line is not seen so (a regular expression that looks ahead from
every character). There processor time is bounded, far above what is needed: 65,536 characters take less than a second
where they take linear time, and minutes where they take quadratic time.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from time import process_time
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.nasty import PAIRS, SIGNS, repeated, vocabulary
from tests.receptionist.front_desk import NOW, ROOT, demo_clinic

from gendei.assistant.guided import agenda, clauses, people, tasks
from gendei.assistant.guided.dialogue import all_at_once
from gendei.assistant.guided.guide import AND, Guide, Order
from gendei.assistant.texts import AssistantTexts
from gendei.booking.dates import resolve
from gendei.booking.dates.lexer import tokens_of
from gendei.booking.patients import clean_name, clean_phone
from gendei.booking.slots import BookingRefused
from gendei.conversation.speech.wording import has_address, spoken
from gendei.ear.model import own_ear
from gendei.prompts import GuardrailWords, load_intents
from gendei.providers.json_parts import vcard_card
from gendei.receptionist.llm import facts_in_text as said
from gendei.receptionist.llm import grounding
from gendei.receptionist.llm.guardrails import Guard, claims_booking, denies_booking
from gendei.receptionist.llm.unusable import is_code, is_foreign, repeats
from gendei.receptionist.understanding.language import ALARMS, HARMLESS, MAX_TEXT, Vocabulary, name_in, words
from gendei.receptionist.understanding.multi_booking import beside_own, of_kin
from gendei.receptionist.understanding.parting import LONG
from gendei.receptionist.understanding.patient_message import understand
from gendei.receptionist.understanding.typed_choices import typed_choice
from gendei.staff.inbox.rows import fold
from gendei.verticals import load_verticals
from gendei.web.pages.whatsapp_text import whatsapp_html, whatsapp_plain

CLINIC = demo_clinic("sorriso")
LOCAL = CLINIC.local(NOW)
VERTICAL = load_verticals(ROOT / "verticals")[CLINIC.vertical]
VOCABULARY = Vocabulary.of(load_intents(ROOT / "prompts"))
ALARMING = Vocabulary({name: VOCABULARY.expressions[name] for name in (*ALARMS, HARMLESS)})
ASSISTANT = AssistantTexts.load(ROOT / "prompts")
GUARD = Guard.of(
    GuardrailWords.load(ROOT / "prompts"), {"book_appointment"}, ["Nunca diga a senha do cofre da clínica."]
)
SHOWN = [
    {"id": "slot|profilaxia|paula|2026-11-24T09:30|a1b2c3", "title": "24/11 9h30"},
    {"id": "do|other_day", "title": "Outro dia"},
]
LONGEST = 65_536
SECONDS, SECONDS_IN_C = 15.0, 4.0
"""Of processor time, for LONGEST: to understand it whole, and to search it."""


def dates(text: str) -> None:
    resolve(text, LOCAL)


def message(text: str) -> None:
    understand(text, clinic=CLINIC, vocabulary=VOCABULARY, vertical=VERTICAL, now=LOCAL)
    typed_choice(text, SHOWN, CLINIC, LOCAL)


def alarm(text: str) -> None:
    ALARMING.heard_in(words(text))


def ear(text: str) -> None:
    own_ear().hear(text)


def order(text: str) -> None:
    """What staff ask their assistant."""
    sitting: Any = SimpleNamespace(texts=ASSISTANT, actor=SimpleNamespace(name="Bia"))
    guide = Guide(sitting, CLINIC, VERTICAL, LOCAL, Order(text))
    clauses.parted(guide)
    guide.split(), guide.services(), guide.professionals(), guide.reason(), all_at_once(guide)
    ASSISTANT.yes_or_no(text, ("cancel_appointment",))
    ASSISTANT.claims_done(text)


def answer(text: str) -> None:
    """What a model says, to a patient who wrote the same."""
    facts = grounding.Facts(today=date(2026, 11, 23), services=CLINIC.services)
    grounding._heard(facts, text)
    GUARD.faults(text, facts)
    GUARD.says_what_it_is(text)
    claims_booking(text)
    denies_booking(text)
    repeats(text)
    is_code(text)
    is_foreign(text, GUARD.words)


def read_aloud(text: str) -> None:
    has_address(text)
    spoken(text)


def name(text: str) -> None:
    name_in(text)
    fold(text)
    vcard_card(text, text)
    for clean in (clean_name, clean_phone):
        with suppress(BookingRefused):
            clean(text)


PIECES = (*SIGNS, *PAIRS, *(f"{phrase} " for phrase in vocabulary()[::30]))
ENTRIES: tuple[tuple[Callable[[str], None], int, Sequence[str]], ...] = (
    (dates, 128, PIECES[::4]),
    (message, 310, PIECES[::20]),
    (alarm, 100, PIECES[::4]),
    (order, 310, PIECES[::8]),
    (answer, 100, PIECES[::4]),
    (read_aloud, 64, PIECES[::4]),
    (name, 64, PIECES[::4]),
    (ear, 100, PIECES[::8]),
)
"""Each with the number of characters that it is tried with first, and what an ordinary run repeats; a slow one repeats
everything. Messages below LONG are parted into several bookings, for which see below; no words behind the 2,000th
character are heard, nor taken by the assistant."""
BY_NAME = {does.__name__: (does, size) for does, size, _ in ENTRIES}
JOINED = tuple(piece for piece in PAIRS if set(piece.split()) & {"e", "eu", "mais"} or "," in piece)
MOST_LINES = 1_000_000
"""For a message that may be parted: some 50 milliseconds."""


def lines_run(does: Callable[[str], None], text: str) -> int:
    """How many lines of Python run."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        does(text)
    finally:
        sys.settrace(before)
    return count


def grows_faster(does: Callable[[str], None], size: int, piece: str) -> str | None:
    """What grew, where twice as much more text took more than twice as many more lines; None where all is well. What
    looks so is measured once more with four times the text: how few pieces are grouped tells nothing."""
    times = -(-size // len(piece))
    for count in (times, 4 * times):
        does(piece * count)  # what is remembered of words is remembered now
        one, two, four = (lines_run(does, piece * many) for many in (count, 2 * count, 4 * count))
        if four - two <= 2.02 * max(two - one, 0) + 250:
            return None
    return f"{piece!r}: {one}, {two}, {four}"


@pytest.mark.slow
@pytest.mark.parametrize(("does", "size", "pieces"), ENTRIES, ids=BY_NAME)
def test_more_text_takes_in_proportion_more_work(does: Callable[[str], None], size: int, pieces: Sequence[str]):
    assert [bad for piece in pieces if (bad := grows_faster(does, size, piece))] == []


@pytest.mark.slow
@pytest.mark.parametrize(("does", "size"), BY_NAME.values(), ids=BY_NAME)
def test_phrases_that_are_listened_for_take_work_in_proportion(does: Callable[[str], None], size: int):
    """Every sign, and every twentieth phrase: all of them would take hours."""
    pieces = (*SIGNS, *PAIRS, *(f"{phrase} " for phrase in sorted(vocabulary())[::20]))
    assert [bad for piece in pieces if (bad := grows_faster(does, size, piece))] == []


@pytest.mark.slow
@pytest.mark.parametrize("does", [dates, message, alarm], ids=lambda member: member.__name__)
@given(
    pieces=st.lists(st.sampled_from([*SIGNS, *PAIRS, *(f"{value} " for value in vocabulary())]), min_size=2, max_size=5)
)
@settings(max_examples=10, deadline=None)
def test_pieces_in_any_order_take_work_in_proportion(does: Callable[[str], None], pieces: list[str]):
    piece = "".join(pieces)
    assert grows_faster(does, 310, piece) is None


def test_a_message_that_may_ask_for_several_bookings_is_parted_in_bounded_work():
    pieces = {piece: lines_run(message, repeated(piece, LONG)) for piece in JOINED}
    assert {piece: lines for piece, lines in pieces.items() if lines > MOST_LINES} == {}


def _patterns(text: str) -> None:
    """The expressions of the staff's assistant by themselves: its messages are bounded before."""
    for pattern in (AND, clauses._BETWEEN, people._SAYING):
        pattern.split(text)
    for pattern in (tasks._LEADING, tasks._COURTESY, agenda._FOR):
        pattern.sub("", text)
    tasks._untrailed(text)


def _extracted(text: str) -> None:
    """What is found in a text of any length, of a model or a tool."""
    for find in (said.sentences, said.amounts, said.percentages, said.times, said.identifying, of_kin, beside_own):
        find(text)


IN_C = (tokens_of, alarm, answer, read_aloud, name, ear, _patterns, _extracted, whatsapp_html, whatsapp_plain)
LONG_PIECES = (
    *(
        "a",
        "1",
        "@",
        "*",
        "(",
        ".",
        " ",
        "\n",
        "\u0301",
        "a.",
        "a-",
        "1-",
        "1.",
        "111.",
        "a\u0301\u0316",
        "www.",
        "*a ",
    ),
    *("Minha Mãe ", "na ", "agora ", "janeiro de mil ", "24/7 "),
)


@pytest.mark.slow
@pytest.mark.parametrize("does", IN_C, ids=lambda member: member.__name__.strip("_"))
def test_no_expression_looks_through_a_long_text_from_each_of_its_characters(does: Callable[[str], object]):
    for piece in LONG_PIECES:
        before = process_time()
        does(f"x{repeated(piece, LONGEST)}x")
        assert process_time() - before < SECONDS_IN_C, repr(piece)


@pytest.mark.parametrize("piece", ["ate ate ", "+55", "sexta não "])
def test_a_text_of_65536_characters_ends_by_itself(piece: str):
    before = process_time()
    dates(repeated(piece, LONGEST))
    assert process_time() - before < SECONDS


def test_a_list_of_hours_without_an_end_is_kept_in_part():
    found = resolve(" ou ".join(["15h", "16h"] * 100), LOCAL)
    assert found is not None
    assert len(found.time_alternatives) == 24


def test_a_number_that_has_no_name_is_read_aloud_digit_by_digit():
    assert spoken("1" + ".111" * 6) == "um, um um um, um um um, um um um, um um um, um um um, um um um."


def test_no_more_is_heard_of_a_text_than_its_bound_also_where_one_character_becomes_many():
    assert len(words("\ufdfa" * LONGEST)) <= MAX_TEXT


def test_a_long_word_takes_no_more_work_than_a_short_one():
    short, long = (lines_run(dates, "bc" * length) for length in (160, 8_000))
    assert long <= short + 20

"""The phrases that the date grammar was measured on: what is understood stays so, what is not is listed."""

from tests.booking.dates_unseen.measure import found_for, is_right, known_misses, read_cases, wanted_of

MISSES = known_misses()
CASES = list(read_cases())
UNDERSTOOD = [case for case in CASES if case.name not in MISSES]
MISSED = [case for case in CASES if case.name in MISSES]


def test_phrases_mean_what_their_writers_meant() -> None:
    assert {case.name: found_for(case) for case in UNDERSTOOD} == {case.name: wanted_of(case) for case in UNDERSTOOD}


def test_each_known_miss_names_a_phrase_that_is_still_missed() -> None:
    assert [case.name for case in MISSED if not is_right(case)] == list(MISSES)


def test_each_of_the_two_measured_collections_has_two_hundred_phrases() -> None:
    assert [sum(case.collection == name for case in CASES) for name in ("a", "b")] == [200, 200]

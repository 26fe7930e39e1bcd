"""Histograms of how long something took."""

import pytest

from gendei.observing.durations import BOUNDS, Durations, Histogram


def test_an_observation_is_in_the_class_whose_end_it_does_not_pass():
    histogram = Histogram()
    for seconds in (0.01, 0.0101, 61.0):
        histogram.observe(seconds)
    classes = dict(zip([*BOUNDS, None], histogram.classes, strict=True))
    assert {end: count for end, count in classes.items() if count} == {0.01: 1, 0.025: 1, None: 1}
    assert (histogram.count, histogram.total) == (3, pytest.approx(61.0201))


def test_what_ends_well_is_ok():
    durations = Durations()
    with durations.measured():
        pass
    assert {result: item.count for result, item in durations.by_result.items()} == {"ok": 1}


@pytest.mark.parametrize(("error", "result"), [(KeyError("x"), "missing"), (ValueError("x"), "failed")])
def test_what_an_error_ends_is_counted_by_its_name_and_the_error_goes_on(error, result):
    durations = Durations()
    with pytest.raises(type(error)), durations.measured({LookupError: "missing"}):
        raise error
    assert {name: item.count for name, item in durations.by_result.items()} == {result: 1}

"""What Meta's codes mean: try again, give up, or stop the number."""

import pytest

from gendei.messages.channels import Permanent, Transient
from gendei.providers.meta_errors import refusal, reported_kind


@pytest.mark.parametrize("code", [1, 2, 131000, 131016, 133004, 130429, 131056, 131057, 2494100, 4, 17, 341, 80007])
def test_what_passes_is_tried_again(code):
    assert isinstance(refusal(400, code), Transient)


@pytest.mark.parametrize("code", [0, 3, 10, 190, 200, 250, 299, 368, 131005, 131031, 131037, 131042, 131045, 133010])
def test_what_fails_for_everybody_stops_the_number(code):
    outcome = refusal(400, code)
    assert isinstance(outcome, Permanent)
    assert outcome.stop_channel


@pytest.mark.parametrize(
    "code",
    [
        *(33, 100, 130403, 130472, 130497, 131008, 131009, 131021, 131026, 131030, 131047, 131048, 131049, 131050),
        *(131051, 131053, 131062, 131064, 132000, 132018, 132068, 134011, 135000, 137000, 2046),
    ],
)
def test_what_fails_for_this_message_is_given_up(code):
    outcome = refusal(400, code)
    assert isinstance(outcome, Permanent)
    assert not outcome.stop_channel


def test_the_reason_starts_with_the_code():
    assert refusal(400, 131047).reason.startswith("131047 the 24-hour service window is closed")


def test_the_code_decides_and_not_the_status():
    assert isinstance(refusal(500, 131047), Permanent)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_without_a_known_code_the_status_decides(status):
    assert (type(refusal(status, None)), type(refusal(status, 999_999))) == (Transient, Transient)


@pytest.mark.parametrize("status", [301, 307, 400, 404, 418])
def test_an_unknown_refusal_is_given_up(status):
    assert refusal(status, None) == refusal(status, None)
    assert isinstance(refusal(status, 999_999), Permanent)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        *((1, "temporary"), (131016, "temporary"), (130429, "throughput"), (131056, "pair_rate")),
        *((131057, "maintenance"), (4, "call_rate"), (80007, "call_rate"), (0, "channel"), (190, "channel")),
        *((131048, "restricted"), (131064, "restricted"), (131026, "undeliverable"), (131047, "window_closed")),
        *((130472, "not_now"), (131049, "not_now"), (131050, "opted_out"), (132001, "template"), (100, "refused")),
    ],
)
def test_a_code_means_the_same_at_once_and_by_status(code, kind):
    outcome = refusal(400, code)
    at_once = outcome.failure_kind if isinstance(outcome, Permanent) else outcome.kind
    assert (at_once, reported_kind([{"code": code}])) == (kind, kind)


@pytest.mark.parametrize("errors", [None, "131047", [], [None], [{}], [{"code": "x"}], [{"code": True}]])
def test_errors_that_cannot_be_read_are_a_refusal(errors):
    assert reported_kind(errors) == "refused"


def test_waiting_honours_the_header_where_it_asks_for_more():
    waits = [refusal(429, 130429, seconds) for seconds in (None, 0.5, 30)]
    assert [outcome.retry_after for outcome in waits if isinstance(outcome, Transient)] == [1, 1, 30]

"""The verdicts of the measurement on public collections: what counts as right, and what as worse."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from tests.booking.dates_public.expected import Expected, Phrase, Verdict, judged
from tests.booking.dates_public.scope import by_clinic, has_month_first, out_by_words

NOW = datetime(2026, 11, 24, 10, tzinfo=ZoneInfo("America/Sao_Paulo"))
TOMORROW = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("amanhã às 15h", Expected(first=TOMORROW, last=TOMORROW, times=(time(15),)), Verdict.RIGHT),
        ("hoje às 16h", Expected(first=TOMORROW, last=TOMORROW, times=(time(15),)), Verdict.WRONG_HOUR),
        ("hoje às 15h", Expected(first=TOMORROW, last=TOMORROW, times=(time(15),)), Verdict.WRONG_DAY),
        ("amanhã", Expected(first=TOMORROW, last=TOMORROW, times=(time(15),)), Verdict.NOT_UNDERSTOOD),
        ("às 15h", Expected(first=NOW.date(), last=NOW.date(), times=(time(15),)), Verdict.RIGHT),
        ("já", Expected(first=NOW.date(), last=NOW.date(), hour_is_free=True), Verdict.NOT_UNDERSTOOD),
        ("10/11/2026", Expected(first=date(2026, 11, 10), last=date(2026, 11, 10)), Verdict.RIGHT),
        ("31/02", Expected(impossible=True), Verdict.RIGHT),
        ("nada", Expected(), Verdict.RIGHT),
    ],
)
def test_a_wrong_hour_counts_before_a_wrong_day(text: str, expected: Expected, verdict: Verdict) -> None:
    assert judged(Phrase(text, NOW, expected)) is verdict


def test_scope_is_decided_by_kind() -> None:
    assert out_by_words("no próximo inverno") == "a season"
    assert not out_by_words("na próxima semana")
    assert has_month_first("12/24", date(2026, 12, 24))
    assert not has_month_first("2026.12.24", date(2026, 12, 24))


def test_hours_are_held_to_the_conventions_of_this_project() -> None:
    assert by_clinic("às três", time(3)) == (time(15),)
    assert by_clinic("às 3 da manhã", time(3)) == (time(3),)
    assert by_clinic("das 4 às 7", time(4), time(7)) == (time(16), time(19))

"""Dates and times in Portuguese: the corpus, the properties that must always hold, and the calendar."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gendei.booking.dates import Resolution, describe, resolve
from gendei.booking.dates.calendar import easter, feast_in, next_holiday, nth_weekday
from gendei.booking.dates.spelling import canonical
from gendei.booking.dates.words import FALSE_FRIENDS
from gendei.errors import NaiveTime

CORPUS = Path(__file__).with_name("date_corpus.tsv")
ZONE = ZoneInfo("America/Sao_Paulo")
TUESDAY = datetime(2026, 11, 24, 10, tzinfo=ZONE)

moments = st.builds(
    lambda day, minutes: datetime.combine(day, time(minutes // 60, minutes % 60), ZONE),
    st.dates(date(2020, 1, 1), date(2040, 12, 31)),
    st.integers(0, 24 * 60 - 1),
)
days = st.dates(date(2015, 1, 1), date(2060, 12, 31))
vocabulary = st.sampled_from(
    "segunda terça qui sex domingo feira que vem próxima essa outra passada dia dias 1 3 15 31 32 2026 de do da a às "
    "as até das entre e ou não menos , ? / - : 15h 25h 15:30 31/02 15/12 12/11/2025 hoje amanhã ontem depois antes "
    "semana mês ano fim começo manhã tarde noite meia meio daqui há em feriado véspera carnaval natal santa dezembro "
    "março fds agora sem ser primeira última três quinze uma pras horas minutos bom boa almoço cedo desde útil pós "
    "penúltimo quinto rua pouco quarto retrasado nem ponto 5/6/95 30 8:00am p.m. 12/2026 2026/12/03 13-15 15.30 maio "
    "seguinte sáb esta noite foi primeiros últimos são minutos 30/11-4/12".split()
)


def read_corpus() -> Iterator[tuple[datetime, str, str]]:
    now = TUESDAY
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line.startswith("@now "):
            now = datetime.fromisoformat(line.removeprefix("@now ")).replace(tzinfo=ZONE)
        elif line and not line.startswith("#"):
            phrase, meaning = line.split("\t")
            yield now, phrase, meaning


PHRASES = list(read_corpus())


def meaning_of(found: Resolution | None) -> str:
    """The resolution in the corpus's notation."""
    if found is None:
        return "-"
    words: list[str] = []
    if found.date:
        words.append(f"{found.date}{f'..{found.end_date}' if found.end_date else ''}{'...' if found.open_end else ''}")
    if found.time:
        words.append(f"{found.time:%H:%M}")
    if found.time_from or found.time_to:
        words.append("~".join(f"{bound:%H:%M}" if bound else "" for bound in (found.time_from, found.time_to)))
    if found.slot:
        words.append(found.slot)
    for name, several in (("or", found.alternatives), ("or_time", found.time_alternatives), ("not", found.excluded)):
        if several:
            shown = (f"{value:%H:%M}" if isinstance(value, time) else str(value) for value in several)
            words.append(f"{name}={','.join(shown)}")
    words += [name for name, flag in (("past", found.past), ("impossible", found.impossible)) if flag]
    return " ".join(words)


@pytest.mark.parametrize("now", dict.fromkeys(now for now, _, _ in PHRASES), ids=str)
def test_corpus(now: datetime) -> None:
    expected = {phrase: meaning for at, phrase, meaning in PHRASES if at == now}
    assert {phrase: meaning_of(resolve(phrase, now)) for phrase in expected} == expected


def test_case_and_surrounding_words_change_nothing() -> None:
    told = [item for item in PHRASES if item[2] != "-" and "?" not in item[1]]
    expected = {
        (now, f"Oi! Queria marcar: {phrase.capitalize()} 🙏"): meaning
        for now, phrase, meaning in told
        if not phrase.startswith(("não", "dia d", "agora"))
    }
    assert {(now, text): meaning_of(resolve(text, now)) for now, text in expected} == expected


@pytest.mark.parametrize(
    ("phrase", "over"),
    [
        ("3/11", date(2026, 11, 3)),
        ("dia 3 de novembro", date(2026, 11, 3)),
        ("terça 3/11", date(2026, 11, 3)),
        ("de 3 a 7 de novembro", date(2026, 11, 3)),
        ("a partir de 3/11", date(2026, 11, 3)),
        ("primeiro de setembro", date(2026, 9, 1)),
        ("10/03", None),  # the next one is nearer
        ("3/11/2027", None),
        ("3 de novembro do ano que vem", None),
        ("24/11", None),  # today
        ("dia 3", None),  # of the next month
        ("em outubro", None),
        ("de 20/11 a 5/12", None),  # begun and not over
        ("3/11 ou 25/11", None),
        ("dias 3 e 25 de novembro", None),
    ],
)
def test_a_day_without_a_year_that_is_just_over_is_told_beside_the_next_one(phrase: str, over: date | None) -> None:
    found = resolve(phrase, TUESDAY)
    assert found is not None
    assert (found.over, found.past, found.date is not None and found.date >= TUESDAY.date()) == (over, False, True)


def test_in_january_a_day_of_december_is_just_over() -> None:
    found = resolve("28/12", TUESDAY.replace(year=2027, month=1, day=5))
    assert found is not None
    assert (found.over, found.date) == (date(2026, 12, 28), date(2027, 12, 28))


def test_the_corpus_is_large() -> None:
    assert len(PHRASES) >= 400


@given(st.text(), moments)
@example("dia 15 \u0301\u0301", TUESDAY)
@example("1" * 5000, TUESDAY)
def test_no_text_makes_it_raise(text: str, now: datetime) -> None:
    resolve(text, now)


@given(st.lists(vocabulary, max_size=9).map(" ".join), moments)
@settings(max_examples=300)
def test_a_resolved_day_is_never_before_today_unless_it_is_said_to_be_past(text: str, now: datetime) -> None:
    found = resolve(text, now)
    if found and found.date and not found.past:
        assert found.date >= now.date()
        assert found.end_date is None or found.end_date > found.date


@given(st.lists(vocabulary, max_size=9).map(" ".join), moments)
@settings(max_examples=200)
@example("de manhã, não de manhã", TUESDAY)
def test_hours_begin_before_they_end(text: str, now: datetime) -> None:
    found = resolve(text, now)
    if found and found.time_from and found.time_to:
        assert found.time_from < found.time_to


@given(st.lists(vocabulary, max_size=9).map(" ".join), moments)
@settings(max_examples=200)
def test_spans_lie_inside_the_text_in_order_and_apart(text: str, now: datetime) -> None:
    found = resolve(text, now)
    edges = [edge for span in found.spans for edge in span] if found else [0]
    assert edges == sorted(set(edges))
    assert 0 <= edges[0] <= edges[-1] <= len(text)


@given(days, moments)
def test_a_described_day_is_read_back(day: date, now: datetime) -> None:
    found = resolve(describe(day, now), now)
    assert found
    assert (found.date, found.past) == (day, day < now.date())


@given(days, st.times().map(lambda at: at.replace(second=0, microsecond=0)), moments)
def test_a_described_moment_is_read_back(day: date, at: time, now: datetime) -> None:
    found = resolve(describe(datetime.combine(day, at, ZONE), now), now)
    assert found
    midnight_tonight = day == now.date() and at == time(0)
    assert (found.date, found.time) == (day + timedelta(days=midnight_tonight), at)


@given(st.sampled_from([(now, phrase) for now, phrase, meaning in PHRASES if meaning != "-"]))
def test_a_described_resolution_is_read_back(case: tuple[datetime, str]) -> None:
    now, phrase = case
    found = resolve(phrase, now)
    assert found
    again = resolve(describe(found, now), now)
    if found.date or found.time or found.time_from or found.time_to or found.slot:
        assert again
        assert (again.date, again.end_date, again.open_end) == (found.date, found.end_date, found.open_end)
        assert (again.time, again.time_from, again.time_to) == (found.time, found.time_from, found.time_to)


@pytest.mark.parametrize(("text", "expected"), [("15.30", time(15, 30)), ("16.00", time(16)), ("nota 16.30", None)])
def test_hours_with_a_dot_need_the_message_to_themselves(text: str, expected: time | None) -> None:
    found = resolve(text, TUESDAY)
    assert (found.time if found else None) == expected


def test_a_naive_now_is_refused() -> None:
    with pytest.raises(NaiveTime):
        resolve("amanhã", TUESDAY.replace(tzinfo=None))
    with pytest.raises(NaiveTime):
        describe(date(2026, 11, 24), TUESDAY.replace(tzinfo=None))


def test_a_naive_moment_is_not_described() -> None:
    with pytest.raises(NaiveTime):
        describe(TUESDAY.replace(tzinfo=None), TUESDAY)


def test_today_is_that_of_the_zone_that_now_carries() -> None:
    found = resolve("hoje", datetime(2026, 11, 25, 1, tzinfo=UTC).astimezone(ZONE))
    assert found
    assert found.date == date(2026, 11, 24)


def test_decomposed_accents_and_wide_digits_are_read() -> None:
    found = resolve("amanha\u0303 a\u0300s 15h", TUESDAY)
    assert found
    assert (found.date, found.time) == (date(2026, 11, 25), time(15))


def test_spans_leave_the_rest_of_the_message() -> None:
    text = "oi queria marcar uma limpeza amanhã de tarde pode ser?"
    found = resolve(text, TUESDAY)
    assert found
    assert [text[start:end] for start, end in found.spans] == ["amanhã de tarde"]


def test_no_real_word_is_mended_into_a_date() -> None:
    assert [word for word in sorted(FALSE_FRIENDS) if canonical(word) != word] == []


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (date(2026, 11, 24), "hoje, terça-feira, 24/11"),
        (date(2026, 11, 25), "amanhã, quarta-feira, 25/11"),
        (date(2026, 11, 30), "segunda-feira, 30/11"),
        (date(2027, 3, 15), "segunda-feira, 15/03/2027"),
        (date(2026, 3, 16), "segunda-feira, 16/03/2026"),
        (datetime(2026, 11, 28, 14, 30, tzinfo=ZONE), "sábado, 28/11, às 14h30"),
        (datetime(2026, 11, 28, 6, tzinfo=ZONE), "sábado, 28/11, às 6h da manhã"),
        (Resolution(date=date(2026, 11, 28), time_from=time(12), time_to=time(18)), "sábado, 28/11, à tarde"),
        (Resolution(time_from=time(18)), "a partir das 18h"),
        (Resolution(), ""),
    ],
)
def test_describe(what: date | Resolution, expected: str) -> None:
    assert describe(what, TUESDAY) == expected


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (2000, (4, 23)),
        (2008, (3, 23)),
        (2011, (4, 24)),
        (2024, (3, 31)),
        (2025, (4, 20)),
        (2026, (4, 5)),
        (2038, (4, 25)),
    ],
)
def test_easter(year: int, expected: tuple[int, int]) -> None:
    assert easter(year) == date(year, *expected)


@pytest.mark.parametrize("year", range(2024, 2040))
def test_movable_feasts_fall_on_their_weekdays(year: int) -> None:
    weekdays = [
        feast_in(name, year).weekday() for name in ("carnaval", "cinzas", "sexta santa", "pascoa", "corpus christi")
    ]
    assert weekdays == [1, 2, 4, 6, 3]


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (date(2026, 11, 20), date(2026, 11, 20)),
        (date(2026, 11, 21), date(2026, 12, 25)),
        (date(2026, 12, 26), date(2027, 1, 1)),
        (date(2027, 1, 2), date(2027, 2, 9)),
        (date(2027, 2, 10), date(2027, 3, 26)),
    ],
)
def test_next_holiday(today: date, expected: date) -> None:
    assert next_holiday(today) == expected


@given(days, st.integers(0, 6))
def test_the_last_weekday_of_a_month_is_followed_by_one_in_the_next(day: date, weekday: int) -> None:
    last = nth_weekday(day.year, day.month, weekday, -1)
    assert last
    assert (last.weekday(), (last + timedelta(days=7)).month) == (weekday, day.month % 12 + 1)


@pytest.mark.parametrize("weekday", ["segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"])
@given(now=moments)
def test_a_weekday_is_within_the_coming_week(weekday: str, now: datetime) -> None:
    found = resolve(weekday, now)
    assert found
    assert found.date
    assert 1 <= (found.date - now.date()).days <= 7


@pytest.mark.parametrize(
    "phrase",
    [
        *("feriado de ", "março de ", "em março de ", "véspera de ", "essa ", "próxima ", "dia 1, ", "1 e ", "entre "),
        *("segunda a ", "depois de ", "até ", "fim do ", "segunda ", "12/", "a ", "não ", "daqui a ", "quinze pras "),
        *("semana do ", "menos segunda e ", "a outra ", "15h ou ", "das 8 às ", "dia 5 do ", "antes do "),
    ],
)
def test_a_phrase_repeated_to_the_length_limit_of_whatsapp_is_survived(phrase: str) -> None:
    resolve((phrase * 4096)[:4096], TUESDAY)

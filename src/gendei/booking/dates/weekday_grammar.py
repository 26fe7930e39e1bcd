"""The grammar of weekdays, and of telling "segunda" the day from "segunda" the ordinal."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Day, Which
from gendei.booking.dates.patterns import after, reader, rule
from gendei.booking.dates.words import LISTS, PARTS, WEEKDAY_PLURALS, WEEKDAY_SHORT, WEEKDAYS, words

_BEFORE_SHORT = LISTS["before_short_weekdays"]
_LOOSELY_BEFORE_SHORT = words("para de da a as e ou")
_NOTHING_ELSE = words("seg qua qui sab")
"""Short weekdays that are no other word."""
_LISTING = words("e ou , a - ate /")
_PICKED = (Which.COMING, Which.THIS)


def _of_month(nth: int, weekday: int, month: Day) -> Day | None:
    fits = nth and nth <= 5 and month.is_calendar_period and month.has_month
    return replace(month, weekday=weekday, nth=nth) if fits else None


def _of_week(day: Day, week: Day) -> Day | None:
    return replace(week, weekday=day.weekday) if day.which in _PICKED else None


def _picked(day: Day, later: Which) -> Day:
    return day if later is Which.COMING else replace(day, which=later)


def _only_week(period: Day) -> Day | None:
    return replace(period, which=Which.COMING) if period.week is not None and period.slice is None else None


weekday_phrase = rule(
    "weekday_phrase",  # "quinta", "essa sexta-feira", "a próxima terça", "primeira segunda de dezembro"
    ("DETERMINERS? {nth} {weekday} em? {of_whole}", _of_month),
    ("{this_weekday} retrasada", lambda day: replace(day, which=Which.LAST, nudge=-7)),
    ("{this_weekday} {its_week}", _of_week),
    ("{this_weekday} {later}", _picked),
)
rule(
    "this_weekday",
    (
        "a|o|na|no|as|os|da|do|toda|todo? dia? {which} {weekday}",
        lambda which, weekday: Day(weekday=weekday, which=which),
    ),
)
rule(
    "its_week",  # "da semana que vem", "dessa semana", "da outra"
    ("OF_WEEK {period}", _only_week),
    ("&OF_WEEK {period}", _only_week),
    ("da proxima !WEEKDAYS", Day(week=1)),
    ("da outra !WEEKDAYS", Day(week=1, week_disputed=True)),
)


def _weekday(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """The weekday (Monday is 0) named at this position, with the position behind it."""
    word, feira = cursor.word(at), after(cursor, at + 1, "[feira]")
    if word in WEEKDAYS:
        return None if feira is None and _counts(cursor, at + 1) else (WEEKDAYS[word], feira or at + 1)
    if word in WEEKDAY_PLURALS:
        introduced = cursor.word(at - 1) in LISTS["before_plural_weekdays"] or feira
        return (WEEKDAY_PLURALS[word], feira or at + 1) if introduced else None
    if word == "cesta" and feira:
        return WEEKDAYS["sexta"], feira
    if word in WEEKDAY_SHORT:
        return (WEEKDAY_SHORT[word], feira or at + 1) if _short_is_day(cursor, at) else None
    return _numbered_weekday(cursor, at, feira)


reader("weekday", _weekday, starts="WEEKDAYS|WEEKDAY_PLURALS|WEEKDAY_SHORT|DIGITS|cesta")
rule("feira", "feira|feiras|f", "- feira|f")


def _counts(cursor: Cursor, at: int) -> bool:
    """ "segunda via", "quinta sessão", "segunda semana de maio"; but "segunda semana que vem"."""
    if cursor.word(at) == "semana":
        return cursor.word(at + 1) in ("de", "do", "da")
    return cursor.word(at) in LISTS["ordinal_heads"] and not after(cursor, at, "parte da")


def _numbered_weekday(cursor: Cursor, at: int, feira: int | None) -> tuple[int, int] | None:
    """ "3ª feira", "5a-feira", "6ª às 15h"; "2ª via" and "3ª sessão" count."""
    ordinal = cursor.numbers(at, TokenKind.ORDINAL)
    digits = ordinal or cursor.numbers(at, TokenKind.NUMBER)
    if not digits or not 2 <= digits[0] <= 6:
        return None
    if feira:
        return digits[0] - 2, feira
    if not ordinal or cursor.raw(at)[-1] not in "ªa" or _counts(cursor, at + 1):
        return None
    placed = cursor.word(at - 1) in _BEFORE_SHORT | {"para", "ou", "e", ",", "a", "de"}
    followed = cursor.ends(at + 1) or _is_time(cursor, at + 1) or after(cursor, at + 1, "que vem")
    return (digits[0] - 2, at + 1) if placed or followed else None


def _short_is_day(cursor: Cursor, at: int) -> bool:
    """Whether "ter", "sex" or "dom" names a day: by its neighbours, since each is another word too."""
    word, before, behind = cursor.word(at), cursor.word(at - 1), cursor.word(at + 1)
    if cursor.kind(at - 1) is TokenKind.NUMBER:
        return False
    if before in _BEFORE_SHORT or cursor.size == 1:
        return True
    verb = word == "ter" and (before in LISTS["modal"] or (at > 0 and before.endswith("r")))
    followed = _is_time(cursor, at + 1) or behind in ("agora", "proxima", "feira", "passada", "-")
    followed = followed or after(cursor, at + 1, "que vem") is not None or cursor.kind(at + 1) is TokenKind.DATE
    followed = followed or (word != "ter" and _is_day_word(cursor, at + 1))
    followed = followed or (behind in _LISTING and _is_day_word(cursor, at + 2))
    if followed and not verb:
        return True
    if word != "ter" and _is_day_word(cursor, at - 1) and not cursor.counts_things(at + 1):
        return True
    if _is_day_word(cursor, at - 2) and before in _LISTING:
        return True
    by_itself = word in _NOTHING_ELSE or before in _LOOSELY_BEFORE_SHORT
    return cursor.ends(at + 1) and (by_itself or at == 0 or cursor.kind(at - 1) is TokenKind.MARK)


def _is_day_word(cursor: Cursor, at: int) -> bool:
    return cursor.word(at) in WEEKDAYS or cursor.word(at) in WEEKDAY_SHORT


def _is_time(cursor: Cursor, at: int) -> bool:
    if cursor.kind(at) is TokenKind.CLOCK or cursor.word(at) in PARTS or cursor.word(at) in ("cedo", "as"):
        return True
    if cursor.kind(at) is TokenKind.NUMBER:
        return cursor.word(at + 1) in ("horas", "da", "e") or cursor.ends(at + 1)
    behind = cursor.word(at + 1) in PARTS or cursor.kind(at + 1) is TokenKind.NUMBER
    return cursor.word(at) in ("de", "a", "da", "na", "dia") and behind

"""Tells what is only told ("caí em janeiro", "saio 17h20", "porque de manhã eu trabalho") from what is asked for.

What is told counts only where nothing of its kind is asked for."""

import re

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Day, Edge, Hours
from gendei.booking.dates.words import LISTS, PAST_VERBS, words

_REACH = 6
_PAST = re.compile(
    r"^(?!(?:meu|seu|eu|vou|sou|dou|estou|ou|deu|cadeu|euro|museu)$)\w{2,}(?:ei|ou|iu|eu|aram|eram|iram)$"
)
_PAST_WORDS = PAST_VERBS | words("cai disse deu veio pedi quis soube houve era estava tava tinha fazia")
_REASONS = words("porque pq porq pois")
_BECAUSE = words("que q")
_SUBJECTS = words("eu ele ela gente nos meu minha")
_BUSY_VERBS = LISTS["busy_verbs"]
_OWN_HOURS = LISTS["own_hours"]
_AWAY = words("estou to fico fica vou viajo viajando estarei")
_SMALL = words("a as o os de da do das na no em la ate pra para por volta umas uns meia tipo so ja la")


def is_told(cursor: Cursor, meaning: Day | Hours, start: int, end: int) -> bool:
    """Whether the expression at tokens [start, end) tells what was, why something is wished, or when somebody is
    busy."""
    if cursor.asks(start) and not isinstance(meaning, Day):
        return False
    if isinstance(meaning, Day) and (_happened(cursor, meaning, start) or _is_away(cursor, meaning, start)):
        return True
    return _is_reason(cursor, start, end) or (isinstance(meaning, Hours) and _is_own_hour(cursor, meaning, start))


def _happened(cursor: Cursor, day: Day, start: int) -> bool:
    """A month, a year or a span that is over by a verb before it in the clause ("operei em agosto")."""
    if not (day.has_month or day.year_shift is not None) or (day.day is not None and day.month is None):
        return False
    return any(_is_past(word) for word in _before(cursor, start))


def _is_past(word: str) -> bool:
    return word in _PAST_WORDS or _PAST.match(word) is not None


def _is_away(cursor: Cursor, day: Day, start: int) -> bool:
    """ "Tô em Caruaru até domingo", "fica de gesso até dia 20"."""
    return day.edge is Edge.UNTIL and any(word in _AWAY for word in _before(cursor, start))


def _is_reason(cursor: Cursor, start: int, end: int) -> bool:
    """ "Porque de manhã eu trabalho", "pq saio 17:20", "que quinta vem o técnico"."""
    before = _before(cursor, start)
    if any(word in _REASONS for word in before):
        return True
    at = start - 1
    while cursor.word(at) in _SMALL:
        at -= 1
    told = {cursor.word(end - 1), cursor.word(end)}
    return cursor.word(at) in _BECAUSE and not told.isdisjoint(_SUBJECTS | _BUSY_VERBS)


def _is_own_hour(cursor: Cursor, hours: Hours, start: int) -> bool:
    """ "Entro às 9", "tenho audiência às 11": an hour of one's own, and no interval."""
    if hours.hour is None or hours.until is not None:
        return False
    at, steps = start - 1, 0
    while steps < _REACH // 2 and cursor.kind(at) is TokenKind.WORD and cursor.word(at) not in _OWN_HOURS:
        at, steps = at - 1, steps + 1
    return cursor.word(at) in _OWN_HOURS


def _before(cursor: Cursor, start: int) -> list[str]:
    """The words before it in its clause, the nearest first."""
    found: list[str] = []
    at = start - 1
    while len(found) < _REACH and cursor.kind(at) not in (None, TokenKind.MARK):
        found.append(cursor.word(at))
        at -= 1
    return found

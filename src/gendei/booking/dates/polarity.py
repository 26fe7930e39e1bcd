"""Tells what the patient asks for from what is ruled out ("menos sexta", "quinta não posso") and from what is only told
("caí em janeiro", "saio 17h20", "porque de manhã eu trabalho"), which counts where nothing of its kind is asked for."""

import re

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.nodes import Day, Edge, Hours
from gendei.booking.dates.patterns import after, before, condition, rule
from gendei.booking.dates.words import LISTS

_CLAUSE = 6
_PAST = re.compile(
    r"^(?!(?:meu|seu|eu|vou|sou|dou|estou|ou|deu|cadeu|euro|museu)$)\w{2,}(?:ei|ou|iu|eu|aram|eram|iram)$"
)
_EXCLUDING = (
    "sem ser SMALL*",
    "a nao ser SMALL*",
    "!<ou|pelo|ao menos SMALL*",
    "em|inves|ao vez SMALL*",
    "nem|inves|nunca SMALL*",
    "no lugar SMALL*",
)
_OCCUPIED = (
    "DOING um|uma? ACTIVITIES|FESTIVITIES",
    "BEING de ACTIVITIES|FESTIVITIES",
    "BEING HARD_TIMES",
    "!<NOUN_BEFORE trabalho|estudo|viajo",
    "SUBJECTS trabalha|estuda|viaja",
)
_AGREEING = tuple(f"{pattern} SMALL|ser|ALL_DAY*" for pattern in _OCCUPIED)


# What is ruled out


def is_excluded(cursor: Cursor, start: int, end: int) -> bool:
    """Whether the expression at tokens [start, end) is one that the patient does not want."""
    return is_excluded_list(cursor, start) or _is_refused_before(cursor, start) or _is_refused_behind(cursor, end)


def is_refused(cursor: Cursor, start: int) -> bool:
    """Whether the words before it say that nobody can come then ("não posso na sexta", "ela tem aula de manhã"); what
    is listed behind it with an "e" is meant too."""
    return _is_refused_before(cursor, start) or (not cursor.asks(start) and before(cursor, start, *_AGREEING))


def ends_occupied(cursor: Cursor, at: int) -> bool:
    """Whether the words up to this position tell what somebody does at that time."""
    return before(cursor, at + 1, *_OCCUPIED)


def is_excluded_list(cursor: Cursor, start: int) -> bool:
    """Whether "menos", "sem ser" or "em vez de" stands before it, which rule out all that they list."""
    return before(cursor, start, *_EXCLUDING)


def follows_nem(cursor: Cursor, start: int) -> bool:
    """Whether the expression there is ruled out by "nem", which is said again before each day that it holds for."""
    return before(cursor, start, "nem SMALL|ser*")


def _is_refused_before(cursor: Cursor, start: int) -> bool:
    """ "não posso na sexta", "não quero quinta", "não sexta"; "não tem sexta?" asks for it."""
    if before(cursor, start, "nao REFUSAL_LINKS|REFUSING* REFUSING REFUSAL_LINKS*"):
        return True
    return not cursor.asks(start) and before(cursor, start, "nao REFUSAL_LINKS|REFUSING*")


def _is_refused_behind(cursor: Cursor, end: int) -> bool:
    """ "sexta não posso", "sexta não, sábado", "quinta é ruim", "de tarde eu trabalho"."""
    return _refusal(cursor, end) is not None or (not cursor.asks(end) and _occupation(cursor, end) is not None)


_refusal = rule("refusal", "eu|para|ai|tambem|tb|tbm? mim|eu? ja|acho|infelizmente? que? [refused]")
rule(
    "refused",
    "nao REFUSING|serve|consigo|vai|e|tenho|estou|to|funciona",
    "nao da|pode|rola [unasked]",
    "nao $ [unasked]",
    "nao mas|so",
    ", nao REFUSING",
    "e|ta|esta|to|fica|vai|estou? muito|ser|meio|bem? HARD_TIMES",
)
condition("unasked", lambda cursor, at: not cursor.asks(at - 1))
_occupation = rule(
    "occupation",  # "de tarde eu trabalho", "terça ela tem aula", "essa semana tô sem tempo"
    "SUBJECTS|minha|meu|a|o* tenho|terei [word] um|uma? !BOOKED",
    "SUBJECTS|minha|meu|a|o* DOING|e ACTIVITIES|FESTIVITIES",
    "SUBJECTS|minha|meu|a|o* BEING sem tempo|chance|condicoes",
    "SUBJECTS|minha|meu|a|o* trabalho|estudo|viajo [said]",
    "SUBJECTS|minha|meu|a|o SUBJECTS|minha|meu|a|o* trabalha|estuda|viaja [said]",
)
rule("said", "$", "e|mas")
condition("word", lambda cursor, at: cursor.is_word(at))


# What is told


def is_told(cursor: Cursor, meaning: Day | Hours, start: int, end: int) -> bool:
    """Whether the expression at tokens [start, end) tells what was, why something is wished, or when somebody is
    busy."""
    clause = _words_before(cursor, start)
    if isinstance(meaning, Day):
        # "Operei em agosto", "tô em Caruaru até domingo"
        away = meaning.edge is Edge.UNTIL and not LISTS["away"].isdisjoint(clause)
        if away or (
            _is_span(meaning)
            and any(word in LISTS["past"] | LISTS["past_verbs"] or _PAST.match(word) for word in clause)
        ):
            return True
    elif cursor.asks(start):
        return False
    elif meaning.hour is not None and meaning.until is None and not LISTS["own_hours"].isdisjoint(clause[:4]):
        return True
    # "Porque de manhã eu trabalho", "que quinta vem o técnico"
    busy = after(cursor, end - 1, "TELLING") or after(cursor, end, "TELLING")
    return not LISTS["reasons"].isdisjoint(clause) or (bool(busy) and before(cursor, start, "que AROUND*"))


def _is_span(day: Day) -> bool:
    """Whether it is a month, a year or a date, which a verb before it says to be over."""
    return (day.has_month or day.year_shift is not None) and (day.day is None or day.month is not None)


def _words_before(cursor: Cursor, start: int) -> list[str]:
    """The words before it in its clause, the nearest first."""
    found: list[str] = []
    while len(found) < _CLAUSE and start > 0 and not cursor.ends(start - 1):
        start -= 1
        found.append(cursor.word(start))
    return found

"""The grammar of hours: exact ones, parts of the day, bounds and ranges, from tokens to `Hours` trees."""

from dataclasses import replace

from gendei.booking.dates.clock_grammar import UNITS, HoursFound, minutes_behind, point, with_part
from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Edge, Hours, Part
from gendei.booking.dates.period_grammar import THIS
from gendei.booking.dates.words import DIMINUTIVES, NOT_A_PART_AFTER, ORDINALS, PARTS, WEEKDAYS

_NOON, _LUNCH_OVER, _EVENING = 12 * 60, 13 * 60, 18 * 60
_STRETCHES: dict[str, dict[Part | str, tuple[int, int]]] = {
    "comeco": {
        Part.MORNING: (6 * 60, 9 * 60),
        Part.AFTERNOON: (12 * 60, 14 * 60),
        Part.NIGHT: (18 * 60, 20 * 60),
        "dia": (6 * 60, 9 * 60),
    },
    "meio": {Part.MORNING: (9 * 60, 11 * 60), Part.AFTERNOON: (14 * 60, 16 * 60)},
    "fim": {
        Part.MORNING: (10 * 60, 12 * 60),
        Part.AFTERNOON: (16 * 60, 18 * 60),
        Part.NIGHT: (21 * 60, 23 * 60),
        "dia": (16 * 60, 18 * 60),
        "expediente": (16 * 60, 18 * 60),
    },
}
_OCCASIONS: dict[str, dict[Edge, tuple[int | None, int | None]]] = {
    "almoco": {Edge.BEFORE: (None, _NOON), Edge.AFTER: (_LUNCH_OVER, _EVENING), Edge.ON: (_NOON, 14 * 60)},
    **{
        work: {Edge.BEFORE: (None, 9 * 60), Edge.AFTER: (_EVENING, None)}
        for work in ("trabalho", "servico", "expediente", "trampo")
    },
    "meiodia": {Edge.BEFORE: (None, _NOON), Edge.AFTER: (_NOON, None)},
}


def hours_at(cursor: Cursor, at: int) -> HoursFound | None:
    """The longest expression for hours that begins exactly here."""
    return (
        _span(cursor, at)
        or _bounded(cursor, at)
        or _delay(cursor, at)
        or point(cursor, at, introduced=False)
        or _slot(cursor, at)
        or _stretch(cursor, at)
        or _part(cursor, at)
    )


def _bounded(cursor: Cursor, at: int) -> HoursFound | None:
    """ "depois das 18h", "a partir das 2 da tarde", "até as 10", "antes do almoço"."""
    edge, behind = _edge(cursor, at)
    behind = cursor.after(behind, "no", "maximo") or behind
    start = cursor.skip(behind, {"de", "do", "da", "das", "o", "a", "as"}, {"hora", "horas", "horario"}, {"de", "do"})
    occasion = _OCCASIONS.get(cursor.word(start), {}).get(edge)
    if occasion and (edge is not Edge.ON or cursor.word(at) in ("na", "no", "hora", "horas", "horario")):
        return Hours(window=occasion), start + 1
    if edge is Edge.ON:
        return None
    behind = behind + 1 if cursor.word(behind) == "de" and cursor.word(behind + 1) in ("as", "a", "o") else behind
    found = point(cursor, behind, introduced=cursor.word(behind) in ("das", "as", "de"))
    found = found or (point(cursor, behind + 1, introduced=True) if cursor.word(behind + 1) == "uns" else None)
    if found is None:
        return None
    hours, end = found
    first = replace(hours, edge=Edge.FROM if edge is Edge.AFTER else Edge.UNTIL if edge is Edge.BEFORE else edge)
    if first.edge is Edge.FROM and cursor.word(end) == "ate":
        last = point(cursor, end + 1, introduced=True)
        if last:
            return replace(first, edge=Edge.ON, until=last[0]), last[1]
    return first, end


def _edge(cursor: Cursor, at: int) -> tuple[Edge, int]:
    starting = cursor.after(at, "a", "partir") or cursor.after(at, {"apartir", "desde"})
    if starting:
        return Edge.FROM, starting
    behind = cursor.word(at) in ("depois", "passando", "passado", "passada")
    if behind and cursor.word(at + 1) in ("das", "de", "do", "da", "as", "ao"):
        return Edge.AFTER, at + 1
    if cursor.word(at) == "depois" and cursor.kind(at + 1) is TokenKind.CLOCK:
        return Edge.AFTER, at + 1
    if cursor.word(at) == "antes" and not cursor.ends(at + 1):
        return Edge.BEFORE, at + 1
    if cursor.word(at) == "ate":
        return Edge.UNTIL, at + 1
    no_later = cursor.after(at, "nao", "mais", {"que", "do", "tarde"})
    if no_later:
        return Edge.UNTIL, cursor.after(no_later, {"que", "do"}) or no_later
    return Edge.ON, cursor.skip(at, {"na", "no"})


def _span(cursor: Cursor, at: int) -> HoursFound | None:
    """ "das 14 às 16", "de 2 a 4 da tarde", "entre 2 e 4", "14h-16h", "14-16h"."""
    hyphenated = _hyphenated(cursor, at)
    if hyphenated:
        return hyphenated
    opening = cursor.word(at)
    opened = opening in ("das", "de", "entre", "da", "do")
    start = at + 1 if opened else at
    first = _end_of_span(cursor, start, introduced=opening in ("das", "entre"))
    if first is None:
        return None
    hours, end, certain = first
    joint = cursor.word(end)
    if joint not in ({"e"} if opening == "entre" else {"a", "as", "ate", "ao", "-"}):
        return None
    last = _end_of_span(cursor, end if joint in ("as", "ao") else end + 1, introduced=True)
    if last is None:
        return None
    if not (certain or last[2] or opening in ("das", "entre") or joint == "as" or _has_day(cursor, at, last[1])):
        return None
    return replace(hours, until=last[0]), last[1]


def _has_day(cursor: Cursor, start: int, end: int) -> bool:
    """Whether the span at tokens [start, end) stands beside a day, so that "de 5 a 7" are hours."""
    before = cursor.word(start - 1)
    if before in ("hoje", "amanha", "feira") or (before in WEEKDAYS and before not in ORDINALS):
        return True
    return _names_day(cursor, end) or (cursor.word(end) in ("em", "no", "na", "de") and _names_day(cursor, end + 1))


def _names_day(cursor: Cursor, at: int) -> bool:
    """Whether one day is named there: relative, a weekday, or a number with its month."""
    if cursor.word(at) in ("hoje", "amanha") or cursor.word(at) in WEEKDAYS:
        return True
    number = cursor.day_number(at)
    by_month = number is not None and cursor.month(cursor.of(number[1]), shortened=True) is not None
    return by_month or cursor.kind(at) is TokenKind.DATE


def _end_of_span(cursor: Cursor, at: int, *, introduced: bool) -> tuple[Hours, int, bool] | None:
    """One end of a range; the last value is whether it can only be an hour."""
    found = point(cursor, at, introduced=introduced)
    if found:
        certain = cursor.word(found[1] - 1) not in ("", "e") or cursor.kind(at) is TokenKind.CLOCK
        return *found, certain or cursor.kind(found[1] - 1) is TokenKind.CLOCK
    number = cursor.number(at)
    if number is None or number[0] > 23 or cursor.counts_things(number[1]) or cursor.word(number[1]) in UNITS:
        return None
    minute, end = minutes_behind(cursor, number[1]) if cursor.word(number[1] + 1) == "meia" else (0, number[1])
    return Hours(hour=number[0], minute=minute, literal=number[0] > 12), end, False


def _hyphenated(cursor: Cursor, at: int) -> HoursFound | None:
    start = cursor.skip(at, {"das", "de", "entre", "as"})
    if cursor.word(start) != "hours-range":
        return None
    first, last = cursor.tokens[start].numbers
    end = cursor.skip(start + 1, {"horas"})
    until, behind = with_part(cursor, Hours(hour=last, literal=last > 12), end)
    certain = start > at or behind > start + 1
    of_month = cursor.month(cursor.of(start + 1), shortened=True) is not None
    if not certain or of_month or first > 23 or last > 23:
        return None
    return Hours(hour=first, literal=first > 12, until=until), behind


def _delay(cursor: Cursor, at: int) -> HoursFound | None:
    """ "daqui a duas horas", "em meia hora", "daqui a pouco", "pra agora"."""
    if cursor.word(at) == "agora" or cursor.word(at + 1) in ("momento", "instante"):
        return _now(cursor, at)
    if cursor.word(at - 1) == "hoje" and cursor.after(at, "mais", "tarde"):
        return Hours(delay=0, edge=Edge.FROM), at + 2
    backwards = cursor.word(at) in ("ha", "faz", "fazem")
    start = cursor.skip(at + 1, {"a", "ha"}, {"uns", "mais"})
    if cursor.word(at) not in ("daqui", "em", "ha", "faz", "fazem") and not cursor.after(at, "dentro", "de"):
        return None
    start = cursor.skip(at + 2, {"uns"}) if cursor.word(at) == "dentro" else start
    if cursor.word(start) in ("pouco", "pouquinho") and cursor.word(at) == "daqui":
        return Hours(delay=0, edge=Edge.FROM), start + 1
    found = _duration(cursor, start)
    if found is None:
        return None
    minutes, end = found
    return Hours(delay=-minutes if backwards else minutes), cursor.skip(end, {"atras"})


def _now(cursor: Cursor, at: int) -> HoursFound | None:
    """ "pra agora", "neste momento"."""
    moment = cursor.after(at, THIS, {"momento", "instante"}) or cursor.after(at, "agora")
    if moment is None:
        return None
    end = cursor.skip(moment, {"mesmo"})
    placed = cursor.word(at - 1) == "para" or cursor.after(at - 2, "pode", "ser") is not None or at == 0
    return (Hours(delay=0), end) if placed and cursor.ends(end) else None


def _duration(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """Minutes in "duas horas", "meia hora", "uma hora e meia", "40 minutos", "2h30"."""
    half = cursor.after(at, "meia", {"horas", "horinha"})
    if half:
        return 30, half
    clock = cursor.numbers(at, TokenKind.CLOCK)
    if clock and ":" not in cursor.tokens[at].raw:
        minute, end = minutes_behind(cursor, at + 1)
        return clock[0] * 60 + (clock[1] or minute), end
    number = cursor.number(at)
    if number is None or number[0] > 1000:
        return None
    if cursor.word(number[1]) == "minutos":
        return number[0], number[1] + 1
    if cursor.word(number[1]) in ("horas", "horinha"):
        minute, end = minutes_behind(cursor, number[1] + 1)
        return number[0] * 60 + minute, end
    return None


def _slot(cursor: Cursor, at: int) -> HoursFound | None:
    """ "O primeiro horário", "a última do dia", "o último da tarde"."""
    start = cursor.skip(at, {"no", "o", "do", "na"})
    slot = {"primeiro": "first", "primeira": "first", "ultima": "last"}.get(cursor.word(start))
    if slot is None:
        return None
    end = cursor.after(start + 1, {"horario", "horarios", "horas", "hora", "vaga", "horarinho"})
    whole_day = cursor.after(start + 1, "do", "dia")
    if end is None and whole_day and cursor.number(whole_day) is None:
        end = whole_day
    elif end is None and cursor.word(start + 1) == "da" and cursor.word(start + 2) in PARTS:
        end = start + 1
    return (Hours(slot="first" if slot == "first" else "last"), end) if end else None


def _stretch(cursor: Cursor, at: int) -> HoursFound | None:
    """ "fim da tarde", "começo da manhã", "final do dia", "de manhã cedo", "tardinha"."""
    start = cursor.skip(at, {"no", "na", "o", "a", "para", "de", "bem"}, {"bem"})
    stretch = _STRETCHES.get(cursor.word(start))
    if stretch:
        behind = cursor.of(start + 1)
        window = stretch.get(PARTS.get(cursor.word(behind), cursor.word(behind)))
        noon = cursor.word(start) == "meio" and behind == start + 1
        return (Hours(window=window), behind + 1) if window and not noon else None
    window = DIMINUTIVES.get(cursor.word(start))
    if window is None:
        return None
    if cursor.word(start) == "cedo" and cursor.word(start - 1) in ("mais", "muito", "tao", "e"):
        return None
    end = cursor.after(start + 1, {"da", "de", "pela"}, "manha") or start + 1
    return Hours(window=window), end


def _part(cursor: Cursor, at: int) -> HoursFound | None:
    """ "de manhã", "à tarde", "na parte da noite", "a tarde toda", "hoje noite"."""
    start = cursor.skip(at, {"na", "no", "a"}, {"parte", "periodo", "turno", "horario"})
    start = cursor.skip(
        start, {"de", "da", "a", "pela", "na", "as", "nas", "para", "das"}, {"a", "parte"}, {"de", "da"}
    )
    part = PARTS.get(cursor.word(start))
    if part is None:
        plural = cursor.word(start)
        part = PARTS.get(plural[:-1]) if plural.endswith("s") and start > at else None
    if part is None or (start == at and _is_adverb(cursor, start)):
        return None
    end = cursor.skip(start + 1, {"toda", "inteira"})
    if part is Part.MORNING and cursor.word(end) in ("cedo", "cedinho", "bem"):
        early = cursor.skip(end, {"bem"})
        if cursor.word(early) in ("cedo", "cedinho"):
            return Hours(window=(6 * 60, 9 * 60)), early + 1
    return Hours(part=part), end


def _is_adverb(cursor: Cursor, at: int) -> bool:
    """ "mais tarde", "muito tarde", "tarde demais": late, not the afternoon."""
    if cursor.word(at - 1) == "esta":
        return cursor.tokens[at - 1].raw.lower() == "está" or cursor.word(at - 2) in NOT_A_PART_AFTER
    return cursor.word(at - 1) in NOT_A_PART_AFTER | {"e", "era", "ficou"} or cursor.word(at + 1) == "demais"

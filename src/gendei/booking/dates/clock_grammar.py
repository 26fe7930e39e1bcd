"""The grammar of one exact hour: "15h30", "às três e meia", "quinze pras três", "meio-dia"."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Edge, Hours, Part
from gendei.booking.dates.words import A_BIT, DURATION_AFTER, DURATION_BEFORE, PARTS, words

HoursFound = tuple[Hours, int]

_TO_HOUR = frozenset({"do", "o", "a", "as", "ao", "pelas", "pela", "das", "nas", "da"})
_RANKS = frozenset({"primeira", "primeiro", "proxima", "ultima"})
"""Behind a number they count something: "nas duas primeiras semanas"."""
_BEFORE_HOUR = frozenset({"as", "pelas", "uns", "das", "nas", "tipo"})


def point(cursor: Cursor, at: int, *, introduced: bool) -> HoursFound | None:
    """An exact hour. `introduced`: the words before promise one, so that a bare number will do."""
    start, introduced = _introduction(cursor, at, introduced=introduced)
    found = (
        _midday(cursor, start)
        or _minutes_past(cursor, start)
        or _minutes_to(cursor, start)
        or _clock(cursor, start)
        or _spoken(cursor, start, introduced=introduced)
    )
    if found is None:
        return None
    hours, end = found
    end = cursor.skip(end, {"em"}, {"ponto"}) if cursor.after(end, "em", "ponto") else end
    if hours.part is None:
        hours, end = with_part(cursor, hours, end)
        if hours.part is not None and hours.minute == 0:
            minute, behind = minutes_behind(cursor, end)
            # "entre 2 da tarde e 5" has no minutes.
            if cursor.word(behind - 1) in ("meia", "minutos"):
                hours, end = replace(hours, minute=minute), behind
    onwards = cursor.after(end, "em", "diante")
    if onwards:
        hours, end = replace(hours, edge=Edge.FROM), onwards
    possible = hours.hour is not None and hours.hour <= 23 and hours.minute <= 59
    return (hours if possible else Hours(impossible=True)), end


def _introduction(cursor: Cursor, at: int, *, introduced: bool) -> tuple[int, bool]:
    """Behind "às", "por volta das", "lá pelas", "umas", "tipo", and whether one of them stood there."""
    start = at
    for phrase in (
        ("por", "volta", {"de", "das", "da", "do"}),
        ("perto", {"de", "das", "da", "do"}),
        ("em", "torno", {"de", "das", "da", "do"}),
        ("cerca", {"de", "das"}),
        ("mais", "ou", "menos"),
    ):
        start = cursor.after(start, *phrase) or start
    start = cursor.skip(start, {"la"}, {"tipo"})
    if _is_towards(cursor, start):
        return start + 1, True
    start = cursor.skip(start, _TO_HOUR, {"uns"}, {"as"})
    sure = start > at and (cursor.word(start - 1) in _BEFORE_HOUR or start - at > 1)
    return start, introduced or sure or (start > at and cursor.word(start - 1) in ("a", "ao", "da"))


def _is_towards(cursor: Cursor, at: int) -> bool:
    """ "lá pras 3", "pras 9"; "pras duas" alone may be for both of them."""
    number = cursor.number(at + 1) if cursor.word(at) == "para" else None
    if number is None or cursor.tokens[at].raw.lower() != "pras":
        return False
    return cursor.word(at - 1) == "la" or number[0] > 2


def _clock(cursor: Cursor, at: int) -> HoursFound | None:
    """ "15h", "15h30", "15:30", "3h e meia", "14 horas e 15 minutos"."""
    numbers = cursor.numbers(at, TokenKind.CLOCK)
    if numbers is None:
        return None
    hour, minute = numbers
    token = cursor.tokens[at]
    end = at + 1
    if minute == 0 and ":" not in token.raw:
        minute, end = minutes_behind(cursor, end)
    if _is_duration(cursor, at, end):
        return None
    introduced = cursor.word(at - 1) in _BEFORE_HOUR
    if hour == 24 and introduced:
        hour = 0
    if hour >= 24 and not introduced and hour != 25:
        return None
    return Hours(hour=hour, minute=minute, literal=token.literal or hour == 0 or hour > 12), end


def _is_duration(cursor: Cursor, at: int, end: int) -> bool:
    """ "dura 2h", "24h antes", "1 hora de duração": how long, not when."""
    if cursor.word(end) in DURATION_AFTER or cursor.after(
        end, "de", {"duracao", "antecedencia", "atraso", "espera", "viagem"}
    ):
        return True
    return cursor.word(at - 1) in DURATION_BEFORE or cursor.word(at - 2) in DURATION_BEFORE - {"por", "quase", "cada"}


def minutes_behind(cursor: Cursor, at: int) -> tuple[int, int]:
    """ "e meia", "e quinze", "e 15 minutos"; "e pouco"; (0, at) where no minutes follow."""
    if cursor.word(at) != "e":
        return 0, at
    if cursor.word(at + 1) == "meia" or (cursor.word(at + 1) == "meio" and cursor.word(at - 1) in ("dia", "meiodia")):
        return 30, at + 2
    if cursor.after(at + 1, "um", "quarto"):
        return 15, at + 3
    if cursor.word(at + 1) in A_BIT:
        return 0, at + 2
    number = cursor.number(at + 1)
    if number is None or not 0 < number[0] < 60 or cursor.counts_things(number[1]):
        return 0, at
    minute, end = number
    named = cursor.word(end) == "minutos"
    if not named and (minute % 5 or minute < 5 or cursor.word(end) in ("horas", "dia", "para", "h")):
        return 0, at
    return minute, end + 1 if named else end


def _spoken(cursor: Cursor, at: int, *, introduced: bool) -> HoursFound | None:
    """ "às três", "3 da tarde", "três e meia", "quinze horas": a number that its neighbours make an hour."""
    found = cursor.number(at)
    if found is None:
        return None
    hour, end = found
    if 100 <= hour <= 2359:
        return _undivided(cursor, hour, end, introduced=introduced)
    indefinite = cursor.word(at) in ("um", "uma")
    named = cursor.word(end) == "horas" and not indefinite
    end = end + 1 if cursor.word(end) == "horas" else end
    minute, behind = minutes_behind(cursor, end)
    half = behind > end and (cursor.word(behind - 1) == "meia" or cursor.word(behind - 1) in A_BIT)
    part = with_part(cursor, Hours(hour=hour), behind)[0].part
    meridiem = cursor.word(behind) in ("pm", "am")
    sure_introduction = introduced and not cursor.counts_things(behind) and cursor.word(behind) not in UNITS
    vague = cursor.word(at - 1) in ("a", "ao", "da") and not (named or half or part or indefinite)
    sharp = cursor.after(behind, "em", "ponto") is not None
    begins = at == 0 or cursor.kind(at - 1) is TokenKind.MARK or cursor.word(at - 1) in ("sao", "ser")
    alone = behind > end and begins and cursor.ends(behind)
    if hour == 0 and not named and cursor.word(at - 1) not in _BEFORE_HOUR:
        return None
    if not (named or half or part or meridiem or sharp or alone or (sure_introduction and not vague)):
        return None
    if cursor.word(behind) in UNITS | _RANKS or _is_duration(cursor, at, end) or (half and hour > 24):
        return None
    if hour >= 24 and not (introduced and hour < 100):
        return None
    if hour == 24:
        hour = 0
    literal = hour == 0 or hour > 12
    return Hours(hour=hour, minute=minute, literal=literal, bare=not (literal or named)), behind


def _undivided(cursor: Cursor, number: int, end: int, *, introduced: bool) -> HoursFound | None:
    """ "1530h", "às 1530"."""
    hour, minute = divmod(number, 100)
    named = cursor.word(end) == "horas"
    meridiem = cursor.word(end) in ("am", "pm")
    if minute > 59 or not (named or introduced or meridiem) or not cursor.ends(end + (named or meridiem)):
        return None
    return Hours(hour=hour, minute=minute, literal=hour > 12), end + named


UNITS = words("dia semana mes ano reais vez % real pessoa kg hora minutos")


def with_part(cursor: Cursor, hours: Hours, at: int) -> HoursFound:
    """The hour with "da tarde", "da noite", "pm" behind it."""
    behind = cursor.skip(at, ("da", "de", "a", "na"))
    if (part := PARTS.get(cursor.word(behind))) is not None:
        return replace(hours, part=part), behind + 1
    if cursor.word(at) in ("pm", "am"):
        later = cursor.word(at) == "pm"
        hour = hours.hour + 12 if later and hours.hour is not None and hours.hour < 12 else hours.hour
        return replace(hours, hour=hour, literal=True, part=Part.AFTERNOON if later else Part.MORNING), at + 1
    return hours, at


def _midday(cursor: Cursor, at: int) -> HoursFound | None:
    noon = cursor.after(at, {"meio", "mei"}, "dia") or cursor.after(at, "meiodia")
    midnight = cursor.after(at, "meia", "noite") or cursor.after(at, "meianoite")
    end = noon or midnight
    if end is None:
        return None
    minute, end = minutes_behind(cursor, end)
    return Hours(hour=12 if noon else 0, minute=minute, literal=True, part=None), end


def _minutes_past(cursor: Cursor, at: int) -> HoursFound | None:
    """ "20 minutos depois das seis", and "são quinze depois das oito"."""
    number = cursor.number(at)
    if number is None or not 0 < number[0] < 60:
        return None
    named = cursor.word(number[1]) == "minutos"
    behind = cursor.after(number[1] + named, "depois", {"das", "da", "do"})
    if behind is None or not (named or cursor.word(at - 1) == "sao"):
        return None
    found = _midday(cursor, behind) or _clock(cursor, behind) or _spoken(cursor, behind, introduced=True)
    return (replace(found[0], minute=number[0]), found[1]) if found and not found[0].minute else None


def _minutes_to(cursor: Cursor, at: int) -> HoursFound | None:
    """ "quinze pras três", "10 para as 4", "vinte para o meio-dia"."""
    if cursor.word(at - 1) in ("das", "de"):
        return None  # "das 7 pras 8": from the one to the other
    start = cursor.skip(at, {"faltando"})
    quarter = cursor.after(start, "um", "quarto")
    number = (15, quarter) if quarter else cursor.number(start)
    if number is None or not 0 < number[0] < 60:
        return None
    behind = cursor.after(cursor.skip(number[1], {"minutos"}), "para")
    if behind is None:
        return None
    plural = cursor.tokens[behind - 1].raw.lower() in ("pras", "pros")
    start = cursor.skip(behind, {"as", "a", "o"})
    target = cursor.number(start)
    round_hour = target is not None and cursor.ends(target[1]) and number[0] % 5 == 0
    if start == behind and not plural and not round_hour and not cursor.after(start, {"meio", "meia"}):
        return None
    found = _midday(cursor, start) or _clock(cursor, start)
    if found is None:
        if target is None or target[0] > 24 or cursor.counts_things(target[1]):
            return None
        found = Hours(hour=target[0] % 24, literal=target[0] > 12), target[1]
    hours, end = found
    full = hours.hour or 0
    before = (full * 60 - number[0]) % (24 * 60)
    earlier = 12 if full == 1 else before // 60
    return Hours(hour=earlier, minute=before % 60, literal=hours.literal and earlier != 12), end

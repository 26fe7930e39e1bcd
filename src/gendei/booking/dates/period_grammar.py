"""The grammar of feasts, and of weeks, months and years."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor, remembered
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Day, Slice, Which
from gendei.booking.dates.words import (
    BIRTHS,
    COMMERCIAL_FEASTS,
    FEAST_STARTS,
    FEASTS,
    MONTHS_SHORT,
    words,
)

DayFound = tuple[Day, int]

THIS = words("essa esse esta este nessa nesse nesta neste dessa desse desta deste")
NEXT = frozenset({"proxima"})
OTHER = frozenset({"outra"})
LAST = frozenset({"ultima", "passada", "anterior"})
DETERMINERS = words("a o na no da do em para toda todo pela pelo as os")
_SLICES = {"comeco": Slice.BEGINNING, "meio": Slice.MIDDLE, "meados": Slice.MIDDLE, "fim": Slice.END}
_MOST_DETERMINERS = 3


@remembered
def feast(cursor: Cursor, at: int) -> DayFound | None:
    """A holiday by name, or "feriado" for the next one."""
    return _any_holiday(cursor, at) or _named_feast(cursor, at)


def _named_feast(cursor: Cursor, at: int) -> DayFound | None:
    if cursor.word(at) not in FEAST_STARTS:
        return None
    for length in (4, 3, 2, 1):
        name = FEASTS.get(tuple(cursor.words[at : at + length]))
        if name is None or at + length > cursor.size:
            continue
        if name == "natal" and (cursor.word(at - 1) in BIRTHS | {"em"}):
            return None
        if name in COMMERCIAL_FEASTS and not _stands_as_day(cursor, at, at + length):
            return None
        return year_of_feast(cursor, Day(feast=name), at + length)
    return None


def _any_holiday(cursor: Cursor, at: int) -> DayFound | None:
    start = cursor.skip(at, NEXT | THIS)
    end = cursor.after(start, "feriado")
    if end is None:
        return None
    named = _named_feast(cursor, cursor.skip(cursor.of(end), {"dia"})) or _named_feast(cursor, cursor.of(end))
    if named:
        return named
    end = cursor.after(end, "que", "vem") or end
    return Day(feast="feriado"), cursor.after(end, {"nacional", "prolongado"}) or end


def _stands_as_day(cursor: Cursor, at: int, end: int) -> bool:
    introduced = cursor.word(at - 1) in ("no", "ate", "para", "ao", "apos", "em")
    placed = cursor.word(at - 2) in ("antes", "depois", "vespera", "semana")
    return introduced or placed or (at == 0 and end == cursor.size)


def year_of_feast(cursor: Cursor, day: Day, at: int) -> DayFound:
    behind = cursor.of(at)
    if behind > at and (year := cursor.year(behind)):
        return replace(day, year=year), behind + 1
    found = period(cursor, behind) if behind > at else None
    if found and found[0].year_shift is not None and found[0].slice is None:
        return replace(day, year_shift=found[0].year_shift), found[1]
    return (replace(day, year_shift=-1), at + 1) if cursor.word(at) == "passada" else (day, at)


@remembered
def period(cursor: Cursor, at: int) -> DayFound | None:
    """A week, month or year, or a stretch of one: "semana que vem", "fim do mês", "segunda quinzena de maio"."""
    return (
        _weekend(cursor, at)
        or _nth_week(cursor, at)
        or _nth_month(cursor, at)
        or _slice(cursor, at)
        or whole_period(cursor, at)
    )


def _weekend(cursor: Cursor, at: int) -> DayFound | None:
    start, which = which_before(cursor, cursor.skip(at, DETERMINERS))
    end = cursor.after(start, "fds") or cursor.after(start, "fim", "de", {"semana", "sem"})
    if end is None:
        return None
    later, end = which_behind(cursor, end)
    which = later if which is Which.COMING else which
    day = Day(slice=Slice.WEEKEND, which=which)
    if which is Which.COMING:
        behind = cursor.of(end)
        whole = whole_period(cursor, behind) if behind > end else None
        if whole and whole[0].week is not None:
            return replace(day, week=whole[0].week), whole[1]
    return day, end


def which_before(cursor: Cursor, at: int) -> tuple[int, Which]:
    """The word that picks the day, in front of it: "essa", "a próxima", "essa próxima", "na outra", "última"."""
    which = Which.COMING
    for _ in range(_MOST_DETERMINERS):
        word = cursor.word(at)
        if word in THIS:
            which = Which.THIS
        elif word in NEXT:
            which = Which.NEXT
        elif word in OTHER:
            which = Which.OTHER
        elif word in LAST:
            which = Which.LAST
        else:
            break
        at += 1
    return at, which


def which_behind(cursor: Cursor, at: int) -> tuple[Which, int]:
    """The words that pick the day, behind it: "que vem", "agora", "passada", "seguinte", "sem ser essa", which holds
    behind "que vem" too."""
    coming = cursor.after(at, "que", {"vem", "ven", "vm", "entra", "vier", "vinha"}) or cursor.after(
        at, {"proxima", "vem"}
    )
    if coming:
        spared = _not_this(cursor, coming)
        return (Which.NOT_THIS, spared) if spared else (Which.NEXT, coming)
    if cursor.word(at) in ("agora", "mesmo"):
        return Which.THIS, at + 1
    if cursor.word(at) in ("passada", "anterior") or cursor.after(at, "que", "passou"):
        return Which.LAST, at + (2 if cursor.word(at) == "que" else 1)
    if cursor.word(at) in ("seguinte", "retrasada"):
        return (Which.OTHER, at + 1) if cursor.word(at) == "seguinte" else (Which.LAST, at + 1)
    spared = _not_this(cursor, at)
    return (Which.NOT_THIS, spared) if spared else (Which.COMING, at)


def _not_this(cursor: Cursor, at: int) -> int | None:
    """ "sem ser essa", ", essa não, a outra", "mas não nessa", "tirando essa agora"."""
    start = cursor.skip(at, {","}, {"mas", "so"}, {"que"})
    behind = (
        cursor.after(start, {"sem", "nao"}, {"ser", "seja", "pode"}, THIS)
        or cursor.after(start, {"nao", "menos"}, THIS)
        or cursor.after(start, "sem", "ser", {"a", "na"}, "proxima")
        or cursor.after(start, "sem", "ser", {"a", "na"}, "agora")
        or cursor.after(start, THIS, "nao")
    )
    if behind is None or cursor.tokens[behind - 1].raw.lower() == "está":
        return None
    behind = cursor.skip(behind, {"agora", "semana", "que"}, {"vem"})
    return echo_end(cursor, cursor.skip(behind, {","}, {"mas", "so", "e"}, {"sim"})) or behind


def echo_end(cursor: Cursor, at: int) -> int | None:
    """Behind "a outra", "na seguinte", "a que vem": the same day, one week on."""
    start = cursor.skip(at, {"para"}, {"a", "na", "da", "o", "no", "em"})
    behind = cursor.after(start, {"outra", "seguinte"}) or (
        (cursor.after(start, "proxima") or cursor.after(start, "que", "vem")) if start > at else None
    )
    return behind if behind and (cursor.ends(behind) or not _noun_follows(cursor, behind)) else None


def _noun_follows(cursor: Cursor, at: int) -> bool:
    return cursor.kind(at) is TokenKind.WORD and cursor.word(at) not in (
        "de as a pode por se tem da pela na no sim que depois ate entao para antes entre mesmo ta eu com".split()
    )


def _nth_week(cursor: Cursor, at: int) -> DayFound | None:
    """ "segunda semana de dezembro", "primeira quinzena do mês que vem"."""
    at = cursor.skip(at, DETERMINERS)
    nth = cursor.nth(at)
    what = cursor.word(at + 1)
    if not nth or what not in ("semana", "quinzena"):
        return None
    behind = cursor.of(at + 2)
    whole = whole_period(cursor, behind) if behind > at + 2 or cursor.word(behind) in THIS else None
    if whole is None and behind > at + 2 and cursor.month(behind, shortened=True):
        whole = Day(month=MONTHS_SHORT[cursor.word(behind)]), behind + 1
    if whole is None or not whole[0].has_month or nth > (5 if what == "semana" else 2):
        return None
    if what == "semana":
        return replace(whole[0], nth=nth), whole[1]
    half = Slice.FIRST_HALF if nth == 1 else Slice.SECOND_HALF
    return replace(whole[0], slice=half), whole[1]


def _nth_month(cursor: Cursor, at: int) -> DayFound | None:
    """ "terceiro mês de 2027", "décimo segundo mês do ano que vem", "último mês do ano"."""
    found = cursor.ordinal(cursor.skip(at, DETERMINERS))
    if found is None or cursor.word(found[1]) != "mes" or not -1 <= found[0] <= 12:
        return None
    behind = cursor.of(found[1] + 1)
    month = Day(month=found[0] % 13)
    if named := cursor.year(behind):
        return replace(month, year=named), behind + 1
    year = whole_period(cursor, behind) or whole_period(cursor, behind - 1) if behind > found[1] + 1 else None
    if year is None or year[0].year_shift is None:
        return None
    return replace(month, year_shift=year[0].year_shift), year[1]


def year_in_two_digits(cursor: Cursor, at: int) -> bool:
    """Whether "82" stands there behind a month: no day, no hour, and nothing that it counts."""
    number = cursor.numbers(at, TokenKind.NUMBER)
    return number is not None and 31 < number[0] < 100 and cursor.ends(at + 1)


def _slice(cursor: Cursor, at: int) -> DayFound | None:
    start = cursor.skip(at, DETERMINERS)
    part = _SLICES.get(cursor.word(start))
    if part is None:
        return None
    behind = cursor.of(start + 1)
    whole = whole_period(cursor, behind) or whole_period(cursor, start + 1)
    if whole is None and cursor.word(behind) in ("semana", "mes", "ano") and behind > start + 1:
        whole = _THIS_PERIOD[cursor.word(behind)], behind + 1
    return (replace(whole[0], slice=part), whole[1]) if whole else None


_THIS_PERIOD = {"semana": Day(week=0), "mes": Day(month_shift=0), "ano": Day(year_shift=0)}


@remembered
def whole_period(cursor: Cursor, at: int) -> DayFound | None:
    start, which = which_before(cursor, cursor.skip(at, DETERMINERS))
    noun = "semana" if cursor.word(start) == "sem" and _shortened_week(cursor, start, which) else cursor.word(start)
    numbered = cursor.numbers(start + 1, TokenKind.NUMBER) if noun == "mes" else None
    if numbered and 1 <= numbered[0] <= 12 and cursor.ends(start + 2):
        return Day(month=numbered[0]), start + 2
    if noun not in _THIS_PERIOD:
        return _named_month(cursor, at, start, which) or _named_year(cursor, at)
    later, end = which_behind(cursor, start + 1)
    which = later if later is not Which.COMING else which
    if which is Which.COMING:
        if cursor.word(start - 1) in ("da", "do", "na", "no") and cursor.after(end, "que", "vem"):
            return None
        # "do mês" after a day number or an ordinal is the present one; on its own "o mês" says nothing.
        present = cursor.word(start - 1) in ("do", "da", "deste") and at < start and noun in ("mes", "ano")
        return (_THIS_PERIOD[noun], end) if present else None
    moved = {Which.THIS: 0, Which.NEXT: 1, Which.OTHER: 1, Which.NOT_THIS: 1, Which.LAST: -1}[which]
    if cursor.word(end - 1) == "retrasada":
        moved = -2
    day = {
        "semana": Day(week=moved, which=which, week_disputed=which is Which.OTHER),
        "mes": Day(month_shift=moved, which=which),
        "ano": Day(year_shift=moved, which=which),
    }[noun]
    return day, end


def _shortened_week(cursor: Cursor, at: int, which: Which) -> bool:
    return which is not Which.COMING or cursor.after(at + 1, "que", "vem") is not None


def _named_month(cursor: Cursor, at: int, start: int, which: Which) -> DayFound | None:
    introduced = start > at or cursor.word(at - 1) in ("de", "em", "mes", "ate")
    month = cursor.month(start, shortened=False)
    if month is None:
        shortened = cursor.word(at - 1) == "em" or cursor.word(at) == "em"
        month = cursor.month(start, shortened=True) if shortened else None
    if month is None or not is_month(cursor, month[1] - 1, introduced=introduced):
        return None
    later, end = which_behind(cursor, month[1])
    which = later if later is not Which.COMING else which
    if which in (Which.LAST, Which.THIS):
        return Day(month=month[0], which=which), end
    behind = cursor.skip(end, {"de", "do", "desse", "deste", "/"})
    number = cursor.numbers(behind, TokenKind.NUMBER)
    if number and (1900 <= number[0] <= 2199 or year_in_two_digits(cursor, behind)):
        return Day(month=month[0], year=number[0]), behind + 1
    named_year = cursor.word(which_before(cursor, cursor.skip(behind, DETERMINERS))[0]) == "ano"
    year = whole_period(cursor, behind) if behind > end and named_year else None
    if year and year[0].year_shift is not None:
        return Day(month=month[0], year_shift=year[0].year_shift), year[1]
    return Day(month=month[0]), end


def is_month(cursor: Cursor, at: int, *, introduced: bool) -> bool:
    """ "Marco" is a name and "maiô" a garment: only the accents or the context make them months."""
    raw = cursor.tokens[at].raw.lower()
    if cursor.word(at) == "marco":
        return introduced or "ç" in raw or "c\u0327" in raw
    return "ô" not in raw


def _named_year(cursor: Cursor, at: int) -> DayFound | None:
    if cursor.word(at) not in ("em", "de"):
        return None
    number = cursor.numbers(cursor.skip(at + 1, {"ano"}), TokenKind.NUMBER)
    if number is None or not 2000 <= number[0] <= 2199 or not cursor.ends(at + 2):
        return None
    return Day(year=number[0]), at + 2


def echo(cursor: Cursor, at: int) -> DayFound | None:
    """ "a outra", "na seguinte", where the message named a day or week before."""
    end = echo_end(cursor, at)
    return (Day(echo=True), end) if end else None

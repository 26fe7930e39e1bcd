"""The grammar of feasts, of weeks, months and years, and of what is counted from today."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.nodes import Day, Slice, Unit, Which
from gendei.booking.dates.patterns import reader, rule, skip
from gendei.booking.dates.words import FEASTS, LISTS

_WHICH = {
    **dict.fromkeys(LISTS["this"], Which.THIS),
    **dict.fromkeys(LISTS["last"], Which.LAST),
    "proxima": Which.NEXT,
    "outra": Which.OTHER,
}
_SLICES = {"comeco": Slice.BEGINNING, "meio": Slice.MIDDLE, "meados": Slice.MIDDLE, "fim": Slice.END}
_MOVED = {Which.THIS: 0, Which.NEXT: 1, Which.OTHER: 1, Which.NOT_THIS: 1, Which.LAST: -1}


def _which_before(cursor: Cursor, at: int) -> tuple[Which, int]:
    """The words that pick the day, in front of it: "essa", "a próxima", "essa próxima", "na outra semana"."""
    which, end = Which.COMING, at
    while cursor.word(end) in _WHICH and end - at < 3:
        which = _WHICH[cursor.word(end)]
        end += 1
    return which, end


reader("which", _which_before, starts="THIS|LAST|proxima|outra", optional=True)
rule(
    "spared",  # "sem ser essa", ", essa não, a outra", "mas não nessa", "tirando essa agora"
    ",? mas|so? que? [spare] !~está agora|semana|que? vem? [spared_for]?",
)
rule(
    "spare",
    "sem|nao ser|seja|pode THIS",
    "nao|menos THIS",
    "sem ser a|na proxima|agora",
    "THIS nao",
)
rule("spared_for", ",? mas|so|e? sim? [echo]")
_which_behind = rule(
    "which_behind",
    ("que vem|ven|vm|entra|vier|vinha [spared]", Which.NOT_THIS),
    ("proxima|vem [spared]", Which.NOT_THIS),
    ("que vem|ven|vm|entra|vier|vinha", Which.NEXT),
    ("proxima|vem", Which.NEXT),
    ("agora|mesmo", Which.THIS),
    ("passada|anterior|retrasada", Which.LAST),
    ("que passou", Which.LAST),
    ("seguinte", Which.OTHER),
    ("[spared]", Which.NOT_THIS),
)


def _later(cursor: Cursor, at: int) -> tuple[Which, int]:
    """The words that pick the day, behind it."""
    return _which_behind(cursor, at) or (Which.COMING, at)


reader("later", _later)

echo = rule(
    "echo",  # "a outra", "na seguinte": the same day, one week on
    ("para? a|na|da|o|no|em? outra|seguinte [no_noun]", Day(echo=True)),
    ("para? a|na|da|o|no|em? <para|a|na|da|o|no|em proxima [no_noun]", Day(echo=True)),
    ("para? a|na|da|o|no|em? <para|a|na|da|o|no|em que vem [no_noun]", Day(echo=True)),
)
rule("no_noun", "[no_word]", "&NO_NOUNS")


def _either(which: Which, later: Which) -> Which:
    """The word behind the day counts before the one in front of it."""
    return which if later is Which.COMING else later


# Weeks, months and years


def _period(unit: str, shift: int = 0, which: Which = Which.COMING) -> Day:
    week, month, year = (shift if unit == noun else None for noun in ("semana", "mes", "ano"))
    disputed = week is not None and which is Which.OTHER
    return Day(week=week, month_shift=month, year_shift=year, which=which, week_disputed=disputed)


def _shifted(which: Which, unit: str, later: Which) -> Day | None:
    """ "semana que vem", "no outro mês", "ano passado"."""
    picked = _either(which, later)
    return None if picked is Which.COMING else _period(unit, _MOVED[picked], picked)


def _before_last(_: Which, unit: str) -> Day:
    return _period(unit, -2, Which.LAST)


whole_period = rule(
    "whole",
    ("DETERMINERS? {which} mes {digits} $", lambda _, month: Day(month=month) if 1 <= month <= 12 else None),
    ("DETERMINERS? {which} {unit} retrasada", _before_last),
    ("DETERMINERS? {which} {unit} {later}", _shifted),
    # "Do mês" behind a day or an ordinal is the present one; "o mês" says nothing.
    ("da|do =mes|ano", _period),
    "month_by_name",
    ("em|de {year} $", lambda year: Day(year=year) if year >= 2000 else None),
)
rule("unit", "=semana|mes|ano", ("sem &que", "semana"), ("<THIS|LAST|proxima|outra sem", "semana"))
rule(
    "of_whole",
    "&THIS {whole}",
    "OF {whole}",
    "&OF {whole}",
    ("OF {year}", lambda year: Day(year=year)),
    ("OF =semana|mes|ano", _period),
)


def _month_by_name(cursor: Cursor, at: int) -> tuple[Day, int] | None:
    """ "Em janeiro", "março que vem", "dez" behind an "em"; "maio de 2027"."""
    which, start = _which_before(cursor, skip(cursor, at, "DETERMINERS"))
    month = cursor.month(start, shortened="em" in (cursor.word(at - 1), cursor.word(at)))
    introduced = start > at or cursor.word(at - 1) in ("de", "em", "mes", "ate")
    if month is None or not is_month(cursor, start, introduced=introduced):
        return None
    later, end = _later(cursor, month[1])
    picked = _either(which, later)
    if picked in (Which.LAST, Which.THIS):
        return Day(month=month[0], which=picked), end
    return with_year(cursor, Day(month=month[0]), end)


reader("month_by_name", _month_by_name)


def is_month(cursor: Cursor, at: int, *, introduced: bool) -> bool:
    """ "Marco" is a name and "maiô" a garment: only the accents or the context make them months."""
    raw = cursor.raw(at)
    if cursor.word(at) == "marco":
        return introduced or "ç" in raw or "c\u0327" in raw
    return "ô" not in raw


its_year = rule(
    "its_year",
    ("passada", Day(year_shift=-1)),
    ("OF|/|,? {year}", lambda year: Day(year=year)),
    ("OF|/|,? {digits} $", lambda year: Day(year=year) if 31 < year < 100 else None),
    ("/ {digits}", lambda year: Day(year=year or 2000) if year < 100 else None),
    "OF|/|, {which_year}",
    "&THIS {which_year}",
)
rule(
    "which_year",  # and no more: "março de março de março" has no end
    ("DETERMINERS? {which} =ano retrasada", _before_last),
    ("DETERMINERS? {which} =ano {later}", _shifted),
)


def with_year(cursor: Cursor, day: Day, at: int) -> tuple[Day, int]:
    """The day with the year that follows, if one does: "de 2027", "/27", "do ano que vem", "passado"."""
    found = its_year(cursor, at)
    return (replace(day, year=found[0].year, year_shift=found[0].year_shift), found[1]) if found else (day, at)


def _nth_week(nth: int, what: str, month: Day) -> Day | None:
    if not month.has_month or not nth or nth > (5 if what == "semana" else 2):
        return None
    half = Slice.FIRST_HALF if nth == 1 else Slice.SECOND_HALF
    return replace(month, nth=nth) if what == "semana" else replace(month, slice=half)


def _weekend(which: Which, later: Which) -> Day:
    return Day(slice=Slice.WEEKEND, which=_either(which, later))


def _weekend_of(which: Which, whole: Day) -> Day | None:
    """ "O fim de semana da semana que vem"."""
    return None if whole.week is None or which is not Which.COMING else Day(slice=Slice.WEEKEND, week=whole.week)


def _slice(part: str, whole: Day) -> Day:
    return replace(whole, slice=_SLICES[part])


period = rule(
    "period",
    ("DETERMINERS? {which} [weekend] OF {whole}", _weekend_of),
    ("DETERMINERS? {which} [weekend] {later}", _weekend),
    # "segunda semana de dezembro", "primeira quinzena do mês que vem"
    ("DETERMINERS? {nth} =semana|quinzena OF {whole}", _nth_week),
    ("DETERMINERS? {nth} =semana|quinzena &THIS {whole}", _nth_week),
    (
        "DETERMINERS? {nth} =semana|quinzena OF {short_month}",
        lambda nth, what, month: _nth_week(nth, what, Day(month=month)),
    ),
    # "terceiro mês de 2027", "último mês do ano"
    (
        "DETERMINERS? {ordinal} mes {its_year}",
        lambda nth, year: replace(year, month=nth % 13) if -1 <= nth <= 12 else None,
    ),
    ("DETERMINERS? {ordinal} mes do ano", lambda nth: Day(month=nth % 13, year_shift=0) if -1 <= nth <= 12 else None),
    ("DETERMINERS? =comeco|meio|meados|fim {of_whole}", _slice),
    ("DETERMINERS? =comeco|meio|meados|fim {whole}", _slice),
    "whole",
)
rule("weekend", ("fds", True), "fim de semana|sem")


# Feasts


def _feast_by_name(cursor: Cursor, at: int) -> tuple[Day, int] | None:
    for length in (4, 3, 2, 1):
        name = FEASTS.get(tuple(cursor.words[at : at + length]))
        if name is None:
            continue
        end = at + length
        if name == "natal" and cursor.word(at - 1) in LISTS["births"] | {"em"}:
            return None
        if name in LISTS["commercial_feasts"] and not _stands_as_day(cursor, at, end):
            return None
        # "Natal/6ª": no year.
        return (Day(feast=name), end) if cursor.word(end) == "/" else with_year(cursor, Day(feast=name), end)
    return None


def _stands_as_day(cursor: Cursor, at: int, end: int) -> bool:
    introduced = cursor.word(at - 1) in ("no", "ate", "para", "ao", "em")
    placed = cursor.word(at - 2) in ("antes", "depois", "vespera", "semana")
    return introduced or placed or (at == 0 and end == cursor.size)


reader("feast_by_name", _feast_by_name, starts="FEAST_STARTS")
feast = rule(
    "feast",  # a holiday by name, or "feriado" for the next one
    "proxima|THIS? feriado OF? dia? {feast_by_name}",
    "proxima|THIS? feriado OF? {feast_by_name}",
    ("proxima|THIS? feriado que vem nacional|prolongado?", Day(feast="feriado")),
    ("proxima|THIS? feriado nacional|prolongado?", Day(feast="feriado")),
    "feast_by_name",
)


# Counted from today: hoje, daqui a 15 dias, nos próximos 3 dias

_UNITS: dict[str, Unit] = {"dia": "day", "semana": "week", "mes": "month", "ano": "year"}
_NAMED = {"hoje": 0, "amanha": 1, "ontem": -1, "anteontem": -2}
_LONGEST_COUNT = 1000
_TODAY, _TOMORROW = Day(shift=(0, "day")), Day(shift=(1, "day"))
_Count = tuple[int, Unit]


def _ahead(count: _Count) -> Day:
    return Day(shift=count)


def _back(count: _Count) -> Day:
    return Day(shift=(-count[0], count[1]))


def _eight_days(number: int) -> Day | None:
    """Today is counted, so they are one week and two."""
    return {8: Day(shift=(1, "week")), 15: Day(shift=(2, "week"))}.get(number)


def _stretch(before: int | None, rank: str, behind: int | None, noun: str) -> Day | None:
    """ "nos próximos 3 dias", "3 próximas semanas", "próxima quinzena"."""
    amount, unit = before or behind, _UNITS.get(noun)
    if unit is None:
        amount, unit = 15, "day"
    if amount is None or not 0 < amount <= _LONGEST_COUNT:
        return None
    return Day(span=(amount if rank == "proxima" else -amount, unit))


def _stretch_of(before: int | None, rank: str, behind: int | None, noun: str, whole: Day) -> Day | None:
    """ "nos primeiros dez dias de maio", "as últimas duas semanas do mês"."""
    amount = before or behind
    if amount is None or not 0 < amount <= _LONGEST_COUNT:
        return None
    return replace(whole, span=(amount if rank in ("primeiro", "primeira") else -amount, _UNITS[noun]))


relative = rule(
    "relative",
    ("depois OF? amanha", Day(shift=(2, "day"))),
    ("antes OF? ontem", Day(shift=(-2, "day"))),
    ("amanha ou depois $", replace(_TOMORROW, others=(Day(shift=(2, "day")),))),
    ("=hoje|amanha|ontem|anteontem", lambda word: Day(shift=(_NAMED[word], "day"))),
    ("THIS !~está &PARTS", _TODAY),
    ("agora ... a|de|cedo? PARTS", _TODAY),
    ("para semana $", Day(week=1)),
    ("proxima dia util|uteis", Day(feast="dia util")),
    ("proxima dia $", _TOMORROW),
    ("de hoje a {number} $", _eight_days),
    ("ha|faz|fazem uns|mais? de? {count} atras?", _back),
    ("daqui a|ha|ah|as? mais? uns? {count}", _ahead),
    ("em mais? uns? {count}", _ahead),
    ("dentro|com de uns? {count}", _ahead),
    ("de|a hoje a {count}", _ahead),
    ("{count} atras|passada", _back),
    ("PLURAL_ARTICLES? {number}? =LAST|primeiro|primeira {number}? =dia|semana|mes|ano {of_whole}", _stretch_of),
    ("PLURAL_ARTICLES? {number}? =proxima|LAST {number}? =dia|semana|mes|ano|quinzena", _stretch),
    ("PLURAL_ARTICLES? proxima dia ~s", Day(span=(5, "day"))),
    ("PLURAL_ARTICLES? LAST dia ~s", Day(span=(-5, "day"))),
)
rule(
    "count",  # "15 dias", "uma semana", "um mês e meio"
    ("{number} quinzena", lambda amount: (15 * amount, "day")),
    ("{number} mes e meio", lambda amount: (30 * amount + 15, "day")),
    ("{number} =dia|semana|mes|ano", lambda amount, noun: (amount, _UNITS[noun]) if amount <= _LONGEST_COUNT else None),
)

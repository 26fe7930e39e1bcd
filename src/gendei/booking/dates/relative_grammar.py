"""The grammar of what is counted from today: hoje, daqui a 15 dias, nos próximos 3 dias."""

from dataclasses import replace

from gendei.booking.dates.nodes import Day, Unit
from gendei.booking.dates.patterns import rule

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

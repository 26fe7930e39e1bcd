"""The grammar of hours: exact ones, parts of the day, bounds and ranges, from tokens to `Hours` trees."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Edge, Hours, Part
from gendei.booking.dates.patterns import after, condition, reader, rule, skip
from gendei.booking.dates.words import DIMINUTIVES, LISTS, ORDINALS, PARTS, STRETCHES, WEEKDAYS

HoursFound = tuple[Hours, int]

_WORK: dict[Edge, tuple[int | None, int | None]] = {Edge.BEFORE: (None, 9 * 60), Edge.AFTER: (18 * 60, None)}
_OCCASIONS: dict[str, dict[Edge, tuple[int | None, int | None]]] = {
    "almoco": {Edge.BEFORE: (None, 12 * 60), Edge.AFTER: (13 * 60, 18 * 60)},
    "meiodia": {Edge.BEFORE: (None, 12 * 60), Edge.AFTER: (12 * 60, None)},
    **dict.fromkeys(("trabalho", "servico", "expediente", "trampo"), _WORK),
}


def _window(since: int, until: int) -> Hours:
    return Hours(window=(since, until))


# One exact hour


def _hour(cursor: Cursor, at: int, *, introduced: bool = False) -> HoursFound | None:
    """An exact hour. `introduced`: the words before promise one, so that a bare number will do."""
    start = skip(cursor, at, "[roughly]? [roughly]? la? tipo?")
    if _is_towards(cursor, start):
        start, introduced = start + 1, True
    else:
        start = skip(cursor, start, "TO_HOUR? uns? as?")
        introduced = introduced or start - at > 1 or (start > at and cursor.word(at) not in ("do", "o", "pela", "la"))
    found = _exact(cursor, start) or _spoken(cursor, start, introduced=introduced)
    if found is None:
        return None
    hours, end = found[0], skip(cursor, found[1], "em ponto")
    if hours.part is None:
        hours, end = with_part(cursor, hours, end)
        # "entre 2 da tarde e 5" has no minutes.
        if hours.part is not None and hours.minute == 0 and (minutes := _sure_minutes(cursor, end)):
            hours, end = replace(hours, minute=minutes[0]), minutes[1]
    if onwards := after(cursor, end, "em diante"):
        hours, end = replace(hours, edge=Edge.FROM), onwards
    possible = hours.hour is not None and hours.hour <= 23 and hours.minute <= 59
    return (hours if possible else Hours(impossible=True)), end


hour = reader("hour", _hour)
told_hour = reader("told_hour", partial(_hour, introduced=True))
rule(
    "roughly",
    "por volta de|das|da|do",
    "perto de|das|da|do",
    "em torno de|das|da|do",
    "cerca de|das",
    "mais ou menos",
)


def _is_towards(cursor: Cursor, at: int) -> bool:
    """ "lá pras 3", "pras 9"; "pras duas" alone may be for both of them."""
    number = cursor.number(at + 1) if cursor.raw(at) == "pras" else None
    return number is not None and (cursor.word(at - 1) == "la" or number[0] > 2)


def _minutes(number: int) -> int | None:
    return number if 0 < number < 60 else None


def _midday(hour: int) -> Callable[[int | None], Hours]:
    return lambda minute: Hours(hour=hour, minute=minute or 0, literal=True)


minutes = rule(
    "minutes",
    "sure_minutes",
    ("<dia|meiodia e meio", 30),
    ("e um quarto", 15),
    ("e A_BIT", 0),
    ("e {number} !horas|dia|para|h [uncounted]", lambda n: None if n % 5 else _minutes(n)),
)
_sure_minutes = rule("sure_minutes", ("e meia", 30), ("e {number} minutos", _minutes))
rule(
    "midday",
    ("meio|mei dia {minutes}?", _midday(12)),
    ("meiodia {minutes}?", _midday(12)),
    ("meia noite {minutes}?", _midday(0)),
    ("meianoite {minutes}?", _midday(0)),
)


def _clock(cursor: Cursor, at: int) -> HoursFound | None:
    """ "15h", "15h30", "15:30", "3h e meia", "14 horas e 15 minutos"."""
    numbers = cursor.numbers(at, TokenKind.CLOCK)
    if numbers is None:
        return None
    (hour, minute), end = numbers, at + 1
    if minute == 0 and ":" not in cursor.raw(at):
        minute, end = minutes(cursor, end) or (0, end)
    if _is_duration(cursor, at, end):
        return None
    introduced = cursor.word(at - 1) in LISTS["before_hour"]
    if hour == 24 and introduced:
        hour = 0
    if hour >= 24 and not introduced and hour != 25:
        return None
    return Hours(hour=hour, minute=minute, literal=cursor.tokens[at].literal or hour == 0 or hour > 12), end


reader("clock_hour", _clock, starts="DIGITS")


def _is_duration(cursor: Cursor, at: int, end: int) -> bool:
    """ "dura 2h", "24h antes", "1 hora de duração": how long, not when."""
    behind = after(cursor, end, "antes|atras") or after(cursor, end, "de duracao|antecedencia|atraso|espera|viagem")
    before = LISTS["duration_before"]
    return bool(behind) or cursor.word(at - 1) in before or cursor.word(at - 2) in before - {"por", "quase", "cada"}


def _spoken(cursor: Cursor, at: int, *, introduced: bool) -> HoursFound | None:
    """ "às três", "3 da tarde", "três e meia", "quinze horas": a number that its neighbours make an hour."""
    found = cursor.number(at)
    if found is None:
        return None
    hour, end = found
    if 100 <= hour <= 2359:
        return _undivided(cursor, hour, end, introduced=introduced)
    before, indefinite = cursor.word(at - 1), cursor.word(at) in ("um", "uma")
    with_noun = cursor.word(end) == "horas" and not indefinite
    end = skip(cursor, end, "horas")
    minute, behind = minutes(cursor, end) or (0, end)
    half = behind > end and cursor.word(behind - 1) in LISTS["a_bit"] | {"meia"}
    part = with_part(cursor, Hours(hour=hour), behind)[0].part
    begins = at == 0 or cursor.kind(at - 1) is TokenKind.MARK or before in ("sao", "ser")
    alone = behind > end and begins and cursor.ends(behind)
    expected = introduced and not cursor.counts_things(behind) and (indefinite or before not in ("a", "ao", "da"))
    if not (with_noun or half or part or alone or expected or after(cursor, behind, "em ponto")):
        return None
    if hour == 0 and not with_noun and before not in LISTS["before_hour"]:
        return None
    if cursor.word(behind) in LISTS["units"] | LISTS["ranks"] or _is_duration(cursor, at, end):
        return None
    if hour >= 24 and (hour >= 100 or not introduced or (half and hour > 24)):
        return None
    hour = 0 if hour == 24 else hour
    literal = hour == 0 or hour > 12
    return Hours(hour=hour, minute=minute, literal=literal, bare=not (literal or with_noun)), behind


def _undivided(cursor: Cursor, number: int, end: int, *, introduced: bool) -> HoursFound | None:
    """ "1530h", "às 1530"."""
    hour, minute = divmod(number, 100)
    behind = skip(cursor, end, "horas|am|pm")
    if minute > 59 or not (behind > end or introduced) or not cursor.ends(behind):
        return None
    return Hours(hour=hour, minute=minute, literal=hour > 12), skip(cursor, end, "horas")


def with_part(cursor: Cursor, hours: Hours, at: int) -> HoursFound:
    """The hour with "da tarde", "da noite", "pm" behind it."""
    behind = skip(cursor, at, "da|de|a|na")
    if (part := PARTS.get(cursor.word(behind))) is not None:
        return replace(hours, part=part), behind + 1
    if cursor.word(at) in ("pm", "am"):
        later = cursor.word(at) == "pm"
        hour = hours.hour + 12 if later and hours.hour is not None and hours.hour < 12 else hours.hour
        return replace(hours, hour=hour, literal=True, part=Part.AFTERNOON if later else Part.MORNING), at + 1
    return hours, at


def _past(number: int, hours: Hours) -> Hours | None:
    return None if hours.minute else replace(hours, minute=number)


def _before(number: int, hours: Hours) -> Hours:
    full = hours.hour or 0
    minute = (full * 60 - number) % (24 * 60)
    hour = 12 if full == 1 else minute // 60
    return Hours(hour=hour, minute=minute % 60, literal=hours.literal and hour != 12)


_exact = rule("exact_hour", "midday", "minutes_past", "minutes_to", "clock_hour")
rule(
    "minutes_past",  # "20 minutos depois das seis", "são quinze depois das oito"
    ("{some_minutes} minutos depois das|da|do {full_hour}", _past),
    ("<sao {some_minutes} depois das|da|do {full_hour}", _past),
)
rule("some_minutes", ("um quarto", 15), ("{number}", _minutes))
rule("full_hour", "midday", "clock_hour", "sure_spoken")
reader("sure_spoken", partial(_spoken, introduced=True), starts="NUMBERS|DIGITS")
rule(
    "minutes_to",  # "quinze pras três", "10 para as 4", "vinte para o meio-dia"; not "das 7 pras 8"
    ("!<das|de faltando? {some_minutes} minutos? para ~pras|pros as|a|o? {target}", _before),
    ("!<das|de faltando? {some_minutes} minutos? para as|a|o {target}", _before),
    ("!<das|de faltando? {some_minutes} minutos? para &meio|meia {target}", _before),
    (
        "!<das|de faltando? {some_minutes} minutos? para {round_hour} $",
        lambda n, hours: None if n % 5 else _before(n, hours),
    ),
)
rule("target", "midday", "clock_hour", "round_hour")
rule("round_hour", ("{number} [uncounted]", lambda n: Hours(hour=n % 24, literal=n > 12) if n <= 24 else None))


# Bounds and ranges


def _bound(edge: Edge, hours: Hours, last: Hours | None = None) -> Hours | None:
    since = edge in (Edge.FROM, Edge.AFTER)
    if last:
        return replace(hours, edge=Edge.ON, until=last) if since else None
    return replace(hours, edge=Edge.FROM if since else Edge.UNTIL)


def _occasion(edge: Edge, word: str) -> Hours | None:
    window = _OCCASIONS[word].get(edge)
    return Hours(window=window) if window else None


rule(
    "bounded_hours",  # "depois das 18h", "a partir das 2 da tarde até as 5", "até as 10", "antes do almoço"
    (
        "{hour_edge} de|do|da|das|o|a|as? horas|horario? de|do? =almoco|meiodia|trabalho|servico|expediente|trampo",
        _occasion,
    ),
    ("na|no de|do|da|das|o|a|as? horas|horario? de|do? almoco", _window(12 * 60, 14 * 60)),
    ("horas|horario de|do? almoco", _window(12 * 60, 14 * 60)),
    ("{hour_edge} {bounding_hour} ate {told_hour}", _bound),
    ("{hour_edge} {bounding_hour}", _bound),
)
rule(
    "hour_edge",
    ("a partir", Edge.FROM),
    ("apartir|desde", Edge.FROM),
    ("depois|passando|passada ... das|de|do|da|as|ao", Edge.AFTER),
    ("depois ... {clock}", Edge.AFTER),
    ("antes", Edge.BEFORE),
    ("ate no maximo", Edge.UNTIL),
    ("ate", Edge.UNTIL),
    ("nao mais que|do|tarde que|do?", Edge.UNTIL),
)
rule(
    "bounding_hour",
    "de &as {told_hour}",
    "&das|as|de {told_hour}",
    "de? {hour}",
    "das|de|do|da|as|o|a &uns {told_hour}",
)


def _span(cursor: Cursor, at: int) -> HoursFound | None:
    """ "das 14 às 16", "de 2 a 4 da tarde", "entre 2 e 4", "14h-16h"."""
    opening = cursor.word(at)
    sure = opening in ("das", "entre")
    first = _end_of_span(cursor, skip(cursor, at, "das|de|entre|da|do"), introduced=sure)
    if first is None:
        return None
    hours, end, certain = first
    joint = cursor.word(end)
    if joint not in ({"e"} if opening == "entre" else {"a", "as", "ate", "ao", "-"}):
        return None
    last = _end_of_span(cursor, end if joint in ("as", "ao") else end + 1, introduced=True)
    if last is None or not (certain or last[2] or sure or joint == "as" or _has_day(cursor, at, last[1])):
        return None
    return replace(hours, until=last[0]), last[1]


def _has_day(cursor: Cursor, start: int, end: int) -> bool:
    """Whether the span at tokens [start, end) stands beside a day, so that "de 5 a 7" are hours."""
    before = cursor.word(start - 1)
    named_before = before in ("hoje", "amanha", "feira") or (before in WEEKDAYS and before not in ORDINALS)
    return named_before or bool(_names_day(cursor, end) or after(cursor, end, "em|no|na|de [names_day]"))


_names_day = rule("names_day", "hoje|amanha|WEEKDAYS", "[day_number] OF? [short_month]", "[date]")


def _end_of_span(cursor: Cursor, at: int, *, introduced: bool) -> tuple[Hours, int, bool] | None:
    """One end of a range; the last value is whether it can only be an hour."""
    found = _hour(cursor, at, introduced=introduced)
    if found:
        last = found[1] - 1
        return *found, cursor.word(last) not in ("", "e") or TokenKind.CLOCK in (cursor.kind(at), cursor.kind(last))
    number = cursor.number(at)
    if number is None or number[0] > 23 or cursor.counts_things(number[1]) or cursor.word(number[1]) in LISTS["units"]:
        return None
    half = after(cursor, number[1], "e meia")
    return Hours(hour=number[0], minute=30 if half else 0, literal=number[0] > 12), half or number[1], False


def _hyphenated(cursor: Cursor, at: int) -> HoursFound | None:
    """ "14-16h", "das 14-16"."""
    start = skip(cursor, at, "das|de|entre|as")
    if cursor.word(start) != "hours-range":
        return None
    first, last = cursor.tokens[start].numbers
    end = skip(cursor, start + 1, "horas")
    until, behind = with_part(cursor, Hours(hour=last, literal=last > 12), end)
    certain = start > at or behind > start + 1
    if not certain or after(cursor, start + 1, "OF? {short_month}") or first > 23 or last > 23:
        return None
    return Hours(hour=first, literal=first > 12, until=until), behind


reader("hour_span", _span)
reader("hyphenated", _hyphenated, starts="das|de|entre|as|hours-range")


# Delays, parts of the day, the first and the last

_NOW, _FROM_NOW = Hours(delay=0), Hours(delay=0, edge=Edge.FROM)


def _stretch(part: str, of: str) -> Hours | None:
    window = STRETCHES.get((part, of))
    return _window(*window) if window else None


rule(
    "delay",
    ("[asked] THIS momento|instante mesmo? $", _NOW),
    ("[asked] agora mesmo? $", _NOW),
    ("<hoje mais tarde", _FROM_NOW),
    ("daqui a|ha? uns|mais? pouco|pouquinho", _FROM_NOW),
    ("ha|faz|fazem a|ha? uns|mais? {duration} atras?", lambda minutes: Hours(delay=-minutes)),
    ("daqui|em a|ha? uns|mais? {duration} atras?", lambda minutes: Hours(delay=minutes)),
    ("dentro de uns? {duration}", lambda minutes: Hours(delay=minutes)),
)
condition("asked", lambda cursor, at: at == 0 or after(cursor, at, "<para") or after(cursor, at - 2, "pode ser"))
rule(
    "duration",
    ("meia horas|horinha", 30),
    ("{clock} !~: {minutes}?", lambda clock, minute: clock[0] * 60 + (clock[1] or minute or 0)),
    ("{number} minutos", lambda n: n if n <= 1000 else None),
    ("{number} horas|horinha {minutes}?", lambda n, minute: n * 60 + (minute or 0) if n <= 1000 else None),
)
rule(
    "slot",  # "o primeiro horário", "a última do dia", "o último da tarde"
    ("no|o|do|na? primeiro|primeira [slot_noun]", Hours(slot="first")),
    ("no|o|do|na? ultima [slot_noun]", Hours(slot="last")),
)
rule(
    "slot_noun",
    "horario|horarios|horas|vaga|horarinho",
    "do dia [no_number]",
    "da &PARTS",
)
rule(
    "stretch",  # "fim da tarde", "começo da manhã", "final do dia", "tardinha"
    ("no|na|o|a|para|de|bem? bem? =comeco|fim OF? =manha|tarde|noite|dia|expediente", _stretch),
    ("no|na|o|a|para|de|bem? bem? =meio OF =manha|tarde", _stretch),
    ("no|na|o|a|para|de|bem? bem? !<mais|muito|tao|e cedo [of_morning]?", _window(*DIMINUTIVES["cedo"])),
    ("no|na|o|a|para|de|bem? bem? !cedo =DIMINUTIVES [of_morning]?", lambda word: _window(*DIMINUTIVES[word])),
)
rule("of_morning", "da|de|pela manha")
rule(
    "part",  # "de manhã", "à tarde", "na parte da noite", "a tarde toda", "de manhã cedo"
    ("{part_of_day} bem? cedo|cedinho", lambda part: _window(6 * 60, 9 * 60) if part is Part.MORNING else None),
    ("{part_of_day}", lambda part: Hours(part=part)),
)
rule(
    "part_of_day",
    ("[no_adverb] =PARTS toda|inteira?", PARTS.get),
    (
        "&BEFORE_PARTS na|no|a? parte|periodo|turno|horario? de|da|a|pela|na|as|nas|para|das? a|parte? de|da? "
        "=PARTS|manhas|tardes|noites|madrugadas toda|inteira?",
        lambda word: PARTS[word.removesuffix("s")],
    ),
)


def _no_adverb(cursor: Cursor, at: int) -> bool:
    """Nothing, unless it is late and not the afternoon: "mais tarde", "muito tarde", "está tarde", "tarde demais"."""
    before, not_after = cursor.word(at - 1), LISTS["not_a_part_after"]
    if before == "esta":
        late = cursor.raw(at - 1) == "está" or cursor.word(at - 2) in not_after
    else:
        late = before in not_after | {"e", "era", "ficou"} or cursor.word(at + 1) == "demais"
    return not late


condition("no_adverb", _no_adverb)
hours_at = rule("hours", "hyphenated", "hour_span", "bounded_hours", "delay", "hour", "slot", "stretch", "part")
"""The longest expression for hours that begins exactly here."""

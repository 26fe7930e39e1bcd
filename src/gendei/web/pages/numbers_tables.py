"""The tables of /numbers: what the page shows of them, and the same as CSV at /numbers/{table}.csv."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from nicegui import app as pages
from starlette.requests import Request
from starlette.responses import Response

from gendei.clinic import money
from gendei.costs.ledger import MICRO
from gendei.errors import NotFound
from gendei.health_plan import PRIVATE
from gendei.messages.called_for import CalledFor
from gendei.staff.actors import Forbidden
from gendei.staff.day_numbers import DayNumbers, Totals
from gendei.staff.message_costs import MessageCost
from gendei.staff.numbers import Numbers
from gendei.staff.outcomes import FULFILLED, Outcome
from gendei.staff.plan_numbers import PlanNumbers
from gendei.staff.presence_numbers import PresenceBy, PresenceNumbers
from gendei.staff.professional_numbers import ProfessionalNumbers
from gendei.staff.survey_numbers import SurveySide
from gendei.staff.talk_times import UNTOLD
from gendei.web.pages.csv_files import csv_response, csv_text, literal, no_such_file
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.reasons import advice
from gendei.web.pages.site import site_in
from gendei.web.sessions import actor_of

TEXTS = page_texts("numbers")
_SIGNS = {"USD": "US$", "BRL": "R$"}


class Cell(NamedTuple):
    """`text`: as people read it; `value`: in the CSV, with a decimal comma; `link`: a page, and the words that lead
    there, which stand behind the text."""

    text: str
    value: str
    link: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """`columns`: keys of their names; those with a unit in the CSV have another name for it, which ends in _csv. The
    first cell of a row names it. `total`: the last row sums the others."""

    key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: bool = False


def month_of(text: str) -> date | None:
    """ "2026-11"; None for anything else."""
    with suppress(ValueError):
        return date.fromisoformat(f"{text}-01")
    return None


def number(value: int) -> Cell:
    return Cell(f"{value:,}".replace(",", "."), str(value))


def named(name: str) -> Cell:
    return Cell(name, literal(name))


def share(part: float | None) -> Cell:
    """Of 1, as a percentage."""
    return Cell("–", "") if part is None else Cell(f"{part:.0%}", f"{100 * part:.1f}".replace(".", ","))


def reais(cents: int) -> Cell:
    return Cell(money(cents), f"{cents / 100:.2f}".replace(".", ","))


def decimal(value: float | None) -> Cell:
    """With one digit."""
    text = "" if value is None else f"{value:.1f}".replace(".", ",")
    return Cell(text or "–", text)


def dearness(micros: int | None, currency: str) -> Cell:
    """Millionths of a currency."""
    if micros is None:
        return Cell("–", "")
    amount = f"{micros / MICRO:.2f}".replace(".", ",")
    return Cell(f"{_SIGNS.get(currency, currency)} {amount}", f"{micros / MICRO:.4f}".replace(".", ","))


def duration(seconds: float | None) -> Cell:
    """As staff say it: "8 s", "3 min", "2 h 05"; in seconds for programs."""
    if seconds is None:
        return Cell("–", "")
    whole = round(seconds)
    minutes = round(whole / 60)
    said = f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"
    return Cell(said if whole >= 60 else f"{whole} s", str(whole))


FIGURES: Mapping[str, Callable[[Totals], Cell]] = {
    "conversations": lambda totals: number(totals.conversations),
    "solved": lambda totals: share(totals.solved),
    "returned": lambda totals: share(totals.returned),
    "first_answer": lambda totals: duration(totals.median_first_answer),
    "bot_answer": lambda totals: duration(totals.median_bot_answer),
    "person_answer": lambda totals: duration(totals.median_person_answer),
    "bookings": lambda totals: number(totals.bookings),
    "takeovers": lambda totals: number(totals.takeovers),
    "no_shows": lambda totals: number(totals.no_shows),
    "failed_sends": lambda totals: number(totals.failed_sends),
}
"""The figures of a day and of a month, by the key of each one's name."""
_OF_PROFESSIONALS: Mapping[str, Callable[[ProfessionalNumbers], Cell]] = {
    "booked": lambda numbers: number(numbers.booked),
    "by_patients": lambda numbers: number(numbers.by_patients),
    "came": lambda numbers: number(numbers.came),
    "missed": lambda numbers: number(numbers.missed),
    "cancelled": lambda numbers: number(numbers.cancelled),
    "value": lambda numbers: reais(numbers.value_cents),
    "lost_value": lambda numbers: reais(numbers.lost_cents),
    "refilled": lambda numbers: reais(numbers.refilled_cents),
    "occupancy": lambda numbers: share(numbers.occupancy),
}


_OF_PLANS: Mapping[str, Callable[[PlanNumbers], Cell]] = {
    "booked": lambda numbers: number(numbers.booked),
    "came": lambda numbers: number(numbers.came),
    "missed": lambda numbers: number(numbers.missed),
    "cancelled": lambda numbers: number(numbers.cancelled),
    "value": lambda numbers: reais(numbers.value_cents),
    "without_price": lambda numbers: number(numbers.without_price),
}


_OF_PRESENCE: Mapping[str, Callable[[PresenceNumbers], Cell]] = {
    "booked": lambda numbers: number(numbers.booked),
    "confirmation": lambda numbers: share(numbers.confirmation),
    "no_show": lambda numbers: share(numbers.no_show),
    "late_cancel": lambda numbers: share(numbers.late_cancel),
}
_OF_SURVEYS: Mapping[str, Callable[[SurveySide], Cell]] = {
    "asked": lambda side: number(side.asked),
    "answered": lambda side: number(side.answered),
    "average": lambda side: decimal(side.average),
    "low_scores": lambda side: number(side.low),
}
_OF_MESSAGES: Mapping[str, Callable[[MessageCost], Cell]] = {
    "messages": lambda cost: number(cost.messages),
    "charged": lambda cost: number(cost.charged),
    "message_cost": lambda cost: dearness(cost.micros, cost.currency),
}
SORTED_BY = (PresenceBy.PROFESSIONAL, PresenceBy.SERVICE, PresenceBy.WEEKDAY, PresenceBy.HOUR)


def outcomes(totals: Totals) -> Table:
    """What became of the conversations: what was fulfilled first, then the rest by reason."""
    told = sum(totals.outcomes.values())
    ordered = sorted(totals.outcomes.items(), key=lambda item: (item[0] not in FULFILLED, -item[1], item[0]))
    rows = tuple((named(outcome_name(name)), number(count), share(count / told)) for name, count in ordered)
    return Table("outcomes", ("outcome", "conversations", "part"), rows)


def outcome_name(outcome: str) -> str:
    return TEXTS[f"outcome_{outcome}"] if outcome in set(Outcome) else outcome


def professionals(numbers: Numbers) -> Table:
    """Each professional, and all together."""
    each = numbers.professionals
    whole = ProfessionalNumbers.together(each)
    rows = [(named(who.name), *(told(who) for told in _OF_PROFESSIONALS.values())) for who in each]
    rows += [(named(TEXTS["all_together"]), *(told(whole) for told in _OF_PROFESSIONALS.values()))] if each else []
    return Table("professionals", ("professional", *_OF_PROFESSIONALS), tuple(rows), total=True)


def plans(numbers: Numbers) -> Table:
    """Each health plan, who paid privately, and who did not say; nothing where nobody came by a plan."""
    names = {"": TEXTS["plan_unknown"], PRIVATE: TEXTS["plan_private"]}
    rows = (
        (named(names.get(each.plan, each.plan)), *(told(each) for told in _OF_PLANS.values())) for each in numbers.plans
    )
    return Table("plans", ("plan", *_OF_PLANS), tuple(rows))


def presence(numbers: Numbers, by: PresenceBy) -> Table:
    """Who confirmed, missed and cancelled late, a line for each of what it is sorted by."""
    rows = (
        (named(presence_name(each)), *(told(each) for told in _OF_PRESENCE.values()))
        for each in numbers.presence
        if each.by is by
    )
    return Table(f"presence_by_{by}", (str(by), *_OF_PRESENCE), tuple(rows))


def presence_name(numbers: PresenceNumbers) -> str:
    return side_name(numbers.by, numbers.name)


def side_name(by: PresenceBy, name: str) -> str:
    match by:
        case PresenceBy.WEEKDAY:
            return TEXTS[f"weekday_{name}"]
        case PresenceBy.HOUR:
            return f"{name}h"
        case _:
            return name


def surveys(numbers: Numbers, by: PresenceBy) -> Table:
    """How visits were liked, a line for each of what they are sorted by."""
    rows = (
        (named(side_name(by, each.name)), *(told(each) for told in _OF_SURVEYS.values()))
        for each in numbers.surveys.sides
        if each.by is by
    )
    return Table(f"survey_by_{by}", (str(by), *_OF_SURVEYS), tuple(rows))


def survey_reasons(numbers: Numbers) -> Table:
    """Why low scores were given, the latest visit first."""
    rows = (
        (
            named(f"{each.start:%d/%m/%Y}"),
            named(each.professional),
            named(each.service),
            number(each.score),
            named(" ".join(each.reason.split())),
        )
        for each in numbers.surveys.reasons
    )
    return Table("survey_reasons", ("day", "professional", "service", "score", "reason"), tuple(rows))


def messages(numbers: Numbers) -> Table:
    """What messages cost, by WhatsApp's categories."""
    rows = (
        (named(category_name(each.category)), *(told(each) for told in _OF_MESSAGES.values()))
        for each in numbers.messages
    )
    return Table("message_costs", ("category", *_OF_MESSAGES), tuple(rows))


def category_name(category: str) -> str:
    return TEXTS.get(f"category_{category}", category)


def days(numbers: Numbers) -> Table:
    """A line each, the latest first."""
    rows = (
        (named(f"{day.day:%d/%m/%Y}"), *(told(Totals.of([day])) for told in FIGURES.values()))
        for day in reversed(numbers.days)
    )
    return Table("days", ("day", *FIGURES), tuple(rows))


def counts(key: str, counted: Mapping[str, int]) -> Table:
    rows = tuple((named(name), number(count)) for name, count in counted.items())
    return Table(key, ("name", "count"), rows)


def services(totals: Totals) -> Table:
    return counts("bookings_by_service", totals.bookings_by_service)


def channels(totals: Totals) -> Table:
    """Some channels share a name."""
    counted = Counter[str]()
    for channel, count in totals.bookings_by_channel.items():
        counted[channel_name(channel)] += count
    return counts("bookings_by_channel", dict(counted.most_common()))


def reasons(numbers: Numbers) -> Table:
    """Why people were called or came, beside the month before, and what would avoid it."""
    whole, before = numbers.whole_month.called, numbers.before.called if numbers.before else {}
    total = sum(whole.values())
    rows = []
    for reason in sorted({*whole, *before}, key=lambda reason: (-whole.get(reason, 0), reason)):
        count, earlier, told = whole.get(reason, 0), before.get(reason, 0), advice(reason)
        trend = Cell(f"{count - earlier:+}".replace("-", "\u2212").replace("+0", "="), str(count - earlier))
        avoid = Cell(told.avoid, told.avoid, (told.place, told.link))
        rows.append((named(told.name), number(count), share(count / total if total else None), trend, avoid))
    return Table("reasons", ("reason", "count", "part", "trend", "avoid"), tuple(rows))


def reasons_by_week(numbers: Numbers) -> Table:
    """A line for each week of the month, which begins on a Monday, and a column for each reason that there was."""
    found = [reason for reason in _REASONS if reason in numbers.whole_month.called]
    rows = []
    for week in weeks(numbers):
        called = Totals.of(week).called
        counted = (number(called.get(reason, 0)) for reason in found)
        rows.append((named(week_name(week)), *counted))
    return Table("reasons_by_week", ("week", *(f"reason_{reason}" for reason in found)), tuple(rows) if found else ())


_REASONS = (*CalledFor, UNTOLD)


def weeks(numbers: Numbers) -> list[list[DayNumbers]]:
    """The days of the month by weeks, oldest first."""
    known: dict[date, list[DayNumbers]] = {}
    for day in numbers.days:
        known.setdefault(day.day - timedelta(days=day.day.weekday()), []).append(day)
    return list(known.values())


def week_name(week: Sequence[DayNumbers]) -> str:
    return TEXTS("week_name", first=f"{week[0].day:%d/%m}", last=f"{week[-1].day:%d/%m}")


def takeovers(totals: Totals) -> Table:
    return counts(
        "takeover_reasons", {reason or TEXTS["no_reason"]: count for reason, count in totals.takeover_reasons.items()}
    )


def tables(numbers: Numbers) -> Iterator[Table]:
    """All that there are."""
    month = numbers.whole_month
    yield from (
        outcomes(month),
        reasons(numbers),
        reasons_by_week(numbers),
        professionals(numbers),
        plans(numbers),
        *(presence(numbers, by) for by in SORTED_BY),
        *(surveys(numbers, by) for by in SORTED_BY),
        survey_reasons(numbers),
        messages(numbers),
        services(month),
        channels(month),
        takeovers(month),
        days(numbers),
    )


def as_csv(table: Table) -> str:
    columns = (TEXTS.get(f"{column}_csv") or column_name(column) for column in table.columns)
    return csv_text(columns, ((cell.value for cell in row) for row in table.rows))


def column_name(key: str) -> str:
    """What stands above a column."""
    reason = key.removeprefix("reason_")
    return advice(reason).name if reason != key else TEXTS[key]


def csv_address(table: Table, month: date) -> str:
    return f"/numbers/{table.key}.csv?month={month:%Y-%m}"


@pages.get("/numbers/{name}.csv")
async def numbers_csv(request: Request, name: str, month: str = "") -> Response:
    """One of the tables. 404 for who does not manage the clinic, and for what there is not."""
    actor = await actor_of(request)
    try:
        if actor is None:
            raise NotFound
        found = await site_in(request.scope).gendei.front_desk.numbers.read(actor, month_of(month))
        table = _of_name(tables(found), name)
    except (NotFound, Forbidden, ValueError):
        return no_such_file()
    return csv_response(as_csv(table), f"{name}-{found.month:%Y-%m}.csv")


def _of_name(found: Iterator[Table], name: str) -> Table:
    table = next((table for table in found if table.key == name), None)
    if table is None:
        raise NotFound
    return table

"""/numbers: a calendar month of the clinic, drawn, and the same as tables for who reads, listens or keeps them."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.actors import Right
from gendei.staff.day_numbers import DayNumbers, Totals
from gendei.staff.numbers import Numbers
from gendei.staff.presence_numbers import PresenceBy
from gendei.staff.professional_numbers import ProfessionalNumbers
from gendei.web.pages import numbers_tables as tables
from gendei.web.pages.charts import SERIES, by_day, by_name
from gendei.web.pages.frame import staff_page
from gendei.web.pages.numbers_tables import FIGURES, SORTED_BY, Cell, Table, csv_address, month_of
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import empty, office, panel, text
from gendei.web.pages.reasons import advice
from gendei.web.pages.site import PageContext

TEXTS = page_texts("numbers")

PRESENCE_TILES = ("confirmation", "no_show", "late_cancel")
MOST_NAMES = 12
"""Services, channels or reasons in one chart; those that are seldom stand in the table."""


@staff_page("/numbers", title="numbers", right=Right.MANAGE)
async def numbers(context: PageContext, month: str = "") -> None:
    desk = context.gendei.front_desk.numbers
    with office():
        if context.clinic is None:
            text("h1", TEXTS["title"], "g-title o-h1")
            empty(TEXTS["no_clinic"], (TEXTS["choose"], "/operator"))
            return
        months = await desk.months(context.actor)
        asked = month_of(month)
        found = await desk.read(context.actor, asked if asked in months else None)
        _heading(found, months)
        _tiles(found)
        await _model(context, context.clinic, found)
        if not found.complete:
            text("p", TEXTS["incomplete"], "g-tag g-tag-warn")
        whole = found.whole_month
        if not whole.conversations and not whole.bookings and not any(who.booked for who in found.professionals):
            empty(TEXTS["nothing_yet"], (TEXTS["to_inbox"], "/inbox"))
            return
        _panel(tables.outcomes(whole), found.month, hint=TEXTS["outcomes_hint"])
        _panel(tables.reasons(found), found.month, hint=TEXTS["reasons_hint"])
        _reasons(found)
        _panel(tables.professionals(found), found.month, hint=TEXTS["professionals_hint"])
        _panel(tables.plans(found), found.month, hint=TEXTS["plans_hint"])
        with ui.element("div").classes("o-charts"):
            _days(found.days)
            for counted in (tables.services(whole), tables.channels(whole), tables.takeovers(whole)):
                _names(counted, found.month)
            _lost(found.days)
            for by in (PresenceBy.WEEKDAY, PresenceBy.HOUR):
                _absences(found, by)
        for by in SORTED_BY:
            _panel(
                tables.presence(found, by),
                found.month,
                hint=TEXTS["presence_hint"] if by is SORTED_BY[0] else "",
            )
        _surveys(found)
        _panel(tables.messages(found), found.month, hint=TEXTS["message_costs_hint"])
        _panel(tables.days(found), found.month)


def _heading(found: Numbers, months: Sequence[date]) -> None:
    with ui.element("div").classes("o-head"):
        text("h1", TEXTS["title"], "g-title o-h1 o-grow")
        names = {f"{month:%Y-%m}": _month_name(month) for month in months}
        chosen = ui.select(names, value=f"{found.month:%Y-%m}", label=TEXTS["month"]).props("outlined dense")
        chosen.on_value_change(lambda event: ui.navigate.to(f"/numbers?month={event.value}"))
    text("p", TEXTS["hint"], "g-soft o-hint")


def _month_name(month: date) -> str:
    return TEXTS("month_name", month=TEXTS[f"month_{month.month}"], year=month.year)


def _tiles(found: Numbers) -> None:
    """Each figure of the month and, of the present one, below it of today."""
    whole = ProfessionalNumbers.together(found.professionals)
    of_month = {
        "value": _whole_reais(whole.value_cents),
        "lost_value": _whole_reais(whole.lost_cents),
        "occupancy": tables.share(whole.occupancy).text,
    }
    for all_of_them in (each for each in found.presence if each.by is PresenceBy.ALL):
        of_month |= {key: tables.share(getattr(all_of_them, key)).text for key in PRESENCE_TILES}
    refills = found.refills
    with ui.element("dl").classes("o-tiles o-tiles-wide"):
        for key, told in FIGURES.items():
            today = told(found.today).text if found.today else None
            _tile(TEXTS[key], told(found.whole_month).text, TEXTS("today", value=today) if today else "")
        for key, figure in of_month.items():
            _tile(TEXTS[key], figure)
        if (asked := found.surveys.together) is not None:
            of = TEXTS("survey_answers", count=str(asked.answered), of=str(asked.asked))
            _tile(TEXTS["survey_average"], tables.decimal(asked.average).text, of)
        if refills.offered:
            minutes = TEXTS("refill_minutes", count=str(round(refills.median_minutes or 0))) if refills.filled else ""
            value = TEXTS("refill_value", value=_whole_reais(refills.value_cents), of=str(refills.offered))
            _tile(TEXTS["refills"], str(refills.filled), " ".join(filter(None, (value, minutes))))


def _whole_reais(cents: int) -> str:
    return tables.reais(round(cents, -2)).text.partition(",")[0]


def _tile(name: str, figure: str, second: str = "") -> None:
    with ui.element("div").classes("g-card o-tile"):
        text("dt", name)
        with ui.element("dd"):
            text("div", figure, "o-figure")
            if second:
                text("div", second, "o-second")


async def _model(context: PageContext, clinic: Clinic, found: Numbers) -> None:
    """Show the language model's cost, and why guided answers in its place, if it does; nothing without a model."""
    use = context.gendei.model_use
    if await use.of(context.actor) is None:
        return
    today = clinic.local(context.gendei.clock()).date()
    end = (found.month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    days = await use.days(context.actor, found.month, min(end, today))
    with ui.element("dl").classes("o-tiles"):
        spent = _dollars(sum(day.spent.usd for day in days))
        _tile(TEXTS["model_cost"], spent, TEXTS("today", value=_dollars(days[-1].spent.usd)) if found.today else "")
    if found.today and (why := await use.rests(context.actor, today)) is not None:
        text("p", TEXTS[f"model_{why}"], "g-tag g-tag-warn")


def _dollars(amount: float) -> str:
    return f"US$ {amount:.2f}".replace(".", ",")


def _days(days: Sequence[DayNumbers]) -> None:
    with panel(TEXTS["by_day"]).classes("o-wide"):
        by_day(
            [f"{day.day:%d/%m}" for day in days],
            bars={
                TEXTS["solved_bar"]: [day.solved for day in days],
                TEXTS["unsolved_bar"]: [day.conversations - day.solved - day.with_person for day in days],
                TEXTS["with_person"]: [day.with_person for day in days],
            },
            line=(TEXTS["bookings"], [sum(day.bookings_by_channel.values()) for day in days]),
        )


def _lost(days: Sequence[DayNumbers]) -> None:
    with panel(TEXTS["lost"]):
        by_day(
            [f"{day.day:%d/%m}" for day in days],
            bars={
                TEXTS["no_shows"]: [day.no_shows for day in days],
                TEXTS["failed_sends"]: [day.failed_sends for day in days],
            },
        )


def _reasons(found: Numbers) -> None:
    """How often people were called or came in each week of the month, by the reasons that were most frequent."""
    by_week = tables.reasons_by_week(found)
    if not by_week.rows:
        return
    weeks = tables.weeks(found)
    called = [Totals.of(week).called for week in weeks]
    frequent = list(found.whole_month.called)[: len(SERIES) - 1]
    bars = {advice(reason).name: [week.get(reason, 0) for week in called] for reason in frequent}
    others = [sum(week.values()) - sum(week.get(reason, 0) for reason in frequent) for week in called]
    with panel(TEXTS["reasons_by_week"]):
        bars |= {TEXTS["others"]: others} if any(others) else {}
        by_day([tables.week_name(week) for week in weeks], bars=bars)
        with ui.expansion(TEXTS["as_table"]).props("dense"), ui.element("div").classes("o-scroll"):
            _table(by_week)
        _download(by_week, found.month)


def _absences(found: Numbers, by: PresenceBy) -> None:
    """On which weekdays, or at which hours, appointments are missed and cancelled late."""
    sorted_by = [each for each in found.presence if each.by is by]
    if any(each.missed or each.late for each in sorted_by):
        with panel(TEXTS[f"absences_by_{by}"]):
            by_day(
                [tables.presence_name(each) for each in sorted_by],
                bars={
                    TEXTS["no_shows"]: [each.missed for each in sorted_by],
                    TEXTS["late_cancels"]: [each.late for each in sorted_by],
                },
            )


def _surveys(found: Numbers) -> None:
    """How visits were liked; nothing where nobody was asked."""
    if found.surveys.together is None:
        return
    with panel(TEXTS["survey"], TEXTS["survey_hint"]):
        by_name({TEXTS[f"score_{place}"]: count for place, count in enumerate(found.surveys.scores, start=1)})
    for by in SORTED_BY:
        _panel(tables.surveys(found, by), found.month)
    _panel(tables.survey_reasons(found), found.month)


def _names(table: Table, month: date) -> None:
    with panel(TEXTS[table.key]):
        if not table.rows:
            empty(TEXTS["none_of_these"])
            return
        by_name(_counts(table))
        with ui.expansion(TEXTS["as_table"]).props("dense"):
            _table(table)
        _download(table, month)


def _counts(table: Table) -> Mapping[str, int]:
    return {name.text: int(count.value) for name, count in table.rows[:MOST_NAMES]}


def _panel(table: Table, month: date, *, hint: str = "") -> None:
    if table.rows:
        with panel(TEXTS[table.key], hint):
            with ui.element("div").classes("o-scroll").props("tabindex=0"):
                _table(table)
            _download(table, month)


def _download(table: Table, month: date) -> None:
    link = ui.link(TEXTS["csv"], csv_address(table, month)).classes("o-link").props("download")
    link.props["aria-label"] = TEXTS("csv_of", name=TEXTS[table.key])


def _table(table: Table) -> None:
    with ui.element("table").classes("o-table" + (" o-table-total" if table.total else "")):
        text("caption", TEXTS[f"{table.key}_caption"], "g-small g-soft")
        with ui.element("thead"), ui.element("tr"):
            for key in table.columns:
                text("th", tables.column_name(key), "o-words" if key == "avoid" else "").props("scope=col")
        with ui.element("tbody"):
            for name, *cells in table.rows:
                with ui.element("tr"):
                    text("th", name.text).props("scope=row")
                    for cell in cells:
                        _cell(cell)


def _cell(cell: Cell) -> None:
    if cell.link is None:
        text("td", cell.text)
        return
    place, words = cell.link
    with ui.element("td").classes("o-words"):
        text("span", cell.text)
        ui.link(words, place).classes("o-link")

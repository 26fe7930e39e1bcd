"""/numbers: today and the last 30 days of the clinic, drawn, and the same as tables for who reads or listens."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.actors import Right
from gendei.staff.numbers import DayNumbers, Totals
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.numbers_charts import by_day, by_name
from gendei.web.pages.panels import empty, office, panel, text
from gendei.web.pages.texts import channel_name, page_texts

MOST_NAMES = 12
"""Services, channels or reasons in one table; those that are seldom are left out of the chart, not of the table."""


@staff_page("/numbers", title="numbers", right=Right.MANAGE)
async def numbers(visit: Visit) -> None:
    words = page_texts("numbers")
    with office(words["title"], words["hint"]):
        if visit.clinic is None:
            empty(words["no_clinic"], (words["choose"], "/operator"))
            return
        found = await visit.site.gendei.front_desk.numbers.read(visit.actor)
        _tiles(found.today, found.last_30_days)
        await _model(visit, visit.clinic)
        if not found.complete:
            text("p", words["incomplete"], "g-tag g-tag-warn")
        if not found.last_30_days.conversations and not found.last_30_days.bookings:
            empty(words["nothing_yet"], (words["to_inbox"], "/inbox"))
            return
        with ui.element("div").classes("o-charts"):
            _days(found.days)
            totals = found.last_30_days
            _names("bookings_by_service", totals.bookings_by_service)
            _names("bookings_by_channel", _by_channel_name(totals))
            _names("takeover_reasons", {name or words["no_reason"]: n for name, n in totals.takeover_reasons.items()})
            _lost(found.days)
        with panel(words["table"]), ui.element("div").classes("o-scroll").props("tabindex=0"):
            _table(found.days)


def _tiles(today: Totals, month: Totals) -> None:
    """What is counted, today and, below it, in 30 days."""
    words = page_texts("numbers")
    with ui.element("dl").classes("o-tiles"):
        for key, now, before in (
            ("conversations", str(today.conversations), str(month.conversations)),
            ("without_person", share(today.without_person), share(month.without_person)),
            ("first_answer", duration(today.median_first_answer), duration(month.median_first_answer)),
            ("bookings", str(today.bookings), str(month.bookings)),
            ("takeovers", str(today.takeovers), str(month.takeovers)),
            ("no_shows", str(today.no_shows), str(month.no_shows)),
            ("failed_sends", str(today.failed_sends), str(month.failed_sends)),
        ):
            with ui.element("div").classes("g-card o-tile"):
                text("dt", words[key])
                with ui.element("dd"):
                    text("div", now, "o-figure")
                    text("div", words["in_30_days"].format(value=before), "o-second")


async def _model(visit: Visit, clinic: Clinic) -> None:
    """What the language model cost, and why guided answers in its place, if it does; nothing where there is none."""
    use, words = visit.site.gendei.model_use, page_texts("numbers")
    if use.models is None:
        return
    today = clinic.local(visit.site.gendei.clock()).date()
    days = await use.days(visit.actor, today - timedelta(days=29), today)
    with ui.element("dl").classes("o-tiles"), ui.element("div").classes("g-card o-tile"):
        text("dt", words["model_cost"])
        with ui.element("dd"):
            text("div", _dollars(days[-1].spent.usd), "o-figure")
            text("div", words["in_30_days"].format(value=_dollars(sum(one.spent.usd for one in days))), "o-second")
    if (why := await use.rests(visit.actor, today)) is not None:
        text("p", words[f"model_{why}"], "g-tag g-tag-warn")


def _dollars(amount: float) -> str:
    return f"US$ {amount:.2f}".replace(".", ",")


def _days(days: Sequence[DayNumbers]) -> None:
    words = page_texts("numbers")
    with panel(words["by_day"]).classes("o-wide"):
        by_day(
            [f"{one.day:%d/%m}" for one in days],
            bars={
                words["alone"]: [one.conversations - one.with_person for one in days],
                words["with_person"]: [one.with_person for one in days],
            },
            line=(words["bookings"], [sum(one.bookings_by_channel.values()) for one in days]),
        )


def _lost(days: Sequence[DayNumbers]) -> None:
    words = page_texts("numbers")
    with panel(words["lost"]):
        by_day(
            [f"{one.day:%d/%m}" for one in days],
            bars={
                words["no_shows"]: [one.no_shows for one in days],
                words["failed_sends"]: [one.failed_sends for one in days],
            },
        )


def _names(key: str, counts: Mapping[str, int]) -> None:
    words = page_texts("numbers")
    with panel(words[key]):
        if not counts:
            empty(words["none_of_these"])
            return
        by_name(dict(list(counts.items())[:MOST_NAMES]))
        with ui.expansion(words["as_table"]).props("dense"):
            _counts(counts)


def _counts(counts: Mapping[str, int]) -> None:
    with ui.element("table").classes("o-table"), ui.element("tbody"):
        for name, count in counts.items():
            with ui.element("tr"):
                text("th", name).props("scope=row")
                text("td", str(count))


def _table(days: Sequence[DayNumbers]) -> None:
    words = page_texts("numbers")
    columns = ("day", "conversations", "without_person", "first_answer", "bookings", "takeovers", "no_shows")
    with ui.element("table").classes("o-table"):
        text("caption", words["table_caption"], "g-small g-soft")
        with ui.element("thead"), ui.element("tr"):
            for key in (*columns, "failed_sends"):
                text("th", words[key]).props("scope=col")
        with ui.element("tbody"):
            for one in reversed(days):
                totals = Totals.of([one])
                with ui.element("tr"):
                    text("th", f"{one.day:%d/%m/%Y}").props("scope=row")
                    for value in (
                        str(totals.conversations),
                        share(totals.without_person),
                        duration(totals.median_first_answer),
                        str(totals.bookings),
                        str(totals.takeovers),
                        str(totals.no_shows),
                        str(totals.failed_sends),
                    ):
                        text("td", value)


def _by_channel_name(totals: Totals) -> Mapping[str, int]:
    """Some channels share a name."""
    counts = Counter[str]()
    for channel, count in totals.bookings_by_channel.items():
        counts[channel_name(channel)] += count
    return dict(counts.most_common())


def share(part: float | None) -> str:
    """Of 1, as a percentage."""
    return "–" if part is None else f"{part:.0%}"


def duration(seconds: float | None) -> str:
    """As staff say it: "8 s", "3 min", "2 h 05"."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"

"""/numbers: today and the last 30 days of the clinic, drawn, and the same as tables for who reads or listens."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.actors import Right
from gendei.staff.numbers import DayNumbers, Totals
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import channel_name, page_texts
from gendei.web.pages.panels import empty, office, panel, text
from gendei.web.pages.site import PageContext

TEXTS = page_texts("numbers")

MOST_NAMES = 12
"""Services, channels or reasons in one table; those that are seldom are left out of the chart, not of the table."""


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


FIGURES: Mapping[str, Callable[[Totals], str]] = {
    "conversations": lambda totals: str(totals.conversations),
    "without_person": lambda totals: share(totals.without_person),
    "first_answer": lambda totals: duration(totals.median_first_answer),
    "bookings": lambda totals: str(totals.bookings),
    "takeovers": lambda totals: str(totals.takeovers),
    "no_shows": lambda totals: str(totals.no_shows),
    "failed_sends": lambda totals: str(totals.failed_sends),
}
"""The figures of the page, by the key of each one's name, as staff read them."""


@staff_page("/numbers", title="numbers", right=Right.MANAGE)
async def numbers(context: PageContext) -> None:
    with office(TEXTS["title"], TEXTS["hint"]):
        if context.clinic is None:
            empty(TEXTS["no_clinic"], (TEXTS["choose"], "/operator"))
            return
        found = await context.gendei.front_desk.numbers.read(context.actor)
        _tiles(found.today, found.last_30_days)
        await _model(context, context.clinic)
        if not found.complete:
            text("p", TEXTS["incomplete"], "g-tag g-tag-warn")
        if not found.last_30_days.conversations and not found.last_30_days.bookings:
            empty(TEXTS["nothing_yet"], (TEXTS["to_inbox"], "/inbox"))
            return
        with ui.element("div").classes("o-charts"):
            _days(found.days)
            totals = found.last_30_days
            _names("bookings_by_service", totals.bookings_by_service)
            _names("bookings_by_channel", _by_channel_name(totals))
            _names("takeover_reasons", {name or TEXTS["no_reason"]: n for name, n in totals.takeover_reasons.items()})
            _lost(found.days)
        with panel(TEXTS["table"]), ui.element("div").classes("o-scroll").props("tabindex=0"):
            _table(found.days)


def _tiles(today: Totals, month: Totals) -> None:
    """Show each figure of today and, below it, of 30 days."""
    with ui.element("dl").classes("o-tiles"):
        for key, told in FIGURES.items():
            with ui.element("div").classes("g-card o-tile"):
                text("dt", TEXTS[key])
                with ui.element("dd"):
                    text("div", told(today), "o-figure")
                    text("div", TEXTS("in_30_days", value=told(month)), "o-second")


async def _model(context: PageContext, clinic: Clinic) -> None:
    """Show the language model's cost, and why guided answers in its place, if it does; nothing without a model."""
    use = context.gendei.model_use
    if use.models is None:
        return
    today = clinic.local(context.gendei.clock()).date()
    days = await use.days(context.actor, today - timedelta(days=29), today)
    with ui.element("dl").classes("o-tiles"), ui.element("div").classes("g-card o-tile"):
        text("dt", TEXTS["model_cost"])
        with ui.element("dd"):
            text("div", _dollars(days[-1].spent.usd), "o-figure")
            text("div", TEXTS("in_30_days", value=_dollars(sum(day.spent.usd for day in days))), "o-second")
    if (why := await use.rests(context.actor, today)) is not None:
        text("p", TEXTS[f"model_{why}"], "g-tag g-tag-warn")


def _dollars(amount: float) -> str:
    return f"US$ {amount:.2f}".replace(".", ",")


def _days(days: Sequence[DayNumbers]) -> None:
    with panel(TEXTS["by_day"]).classes("o-wide"):
        by_day(
            [f"{day.day:%d/%m}" for day in days],
            bars={
                TEXTS["alone"]: [day.conversations - day.with_person for day in days],
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


def _names(key: str, counts: Mapping[str, int]) -> None:
    with panel(TEXTS[key]):
        if not counts:
            empty(TEXTS["none_of_these"])
            return
        by_name(dict(list(counts.items())[:MOST_NAMES]))
        with ui.expansion(TEXTS["as_table"]).props("dense"):
            _counts(counts)


def _counts(counts: Mapping[str, int]) -> None:
    with ui.element("table").classes("o-table"), ui.element("tbody"):
        for name, count in counts.items():
            with ui.element("tr"):
                text("th", name).props("scope=row")
                text("td", str(count))


def _table(days: Sequence[DayNumbers]) -> None:
    with ui.element("table").classes("o-table"):
        text("caption", TEXTS["table_caption"], "g-small g-soft")
        with ui.element("thead"), ui.element("tr"):
            for key in ("day", *FIGURES):
                text("th", TEXTS[key]).props("scope=col")
        with ui.element("tbody"):
            for day in reversed(days):
                with ui.element("tr"):
                    text("th", f"{day.day:%d/%m/%Y}").props("scope=row")
                    for told in FIGURES.values():
                        text("td", told(Totals.of([day])))


def _by_channel_name(totals: Totals) -> Mapping[str, int]:
    """Some channels share a name."""
    counts = Counter[str]()
    for channel, count in totals.bookings_by_channel.items():
        counts[channel_name(channel)] += count
    return dict(counts.most_common())


INK, SOFT, LINE, PAPER = "var(--g-ink)", "var(--g-ink-soft)", "var(--g-line)", "var(--g-paper)"
SERIES = ("var(--g-brand)", "var(--g-warn)", "var(--g-ink-soft)")
BAR_HEIGHT, FRAME_HEIGHT = 30, 40


def by_day(
    days: Sequence[str], *, bars: Mapping[str, Sequence[int]], line: tuple[str, Sequence[int]] | None = None
) -> None:
    """Stacked bars, and a line over them. `days`: their names, as many as each series has values."""
    series: list[dict[str, Any]] = [
        {"type": "bar", "name": name, "data": list(values), "stack": "all", "barMaxWidth": 22, "color": colour}
        for (name, values), colour in zip(bars.items(), SERIES, strict=False)
    ]
    if line:
        name, values = line
        series.append({"type": "line", "name": name, "data": list(values), "color": SERIES[2], "symbolSize": 5})
    _chart(
        {
            "legend": {"top": 0, "left": 0, "textStyle": {"color": SOFT}, "inactiveColor": LINE},
            "tooltip": _tooltip("axis"),
            "grid": {"left": 4, "right": 8, "top": 54, "bottom": 4, "containLabel": True},
            "xAxis": {"type": "category", "data": list(days), **_axis(), "axisTick": {"show": False}},
            "yAxis": {"type": "value", "minInterval": 1, **_axis()},
            "series": series,
        },
        ", ".join(drawn["name"] for drawn in series),
    )


def by_name(counts: Mapping[str, int]) -> None:
    """One bar a name, the most at the top."""
    names = list(counts)[::-1]
    chart = _chart(
        {
            "tooltip": _tooltip("item"),
            "grid": {"left": 4, "right": 36, "top": 4, "bottom": 4, "containLabel": True},
            "xAxis": {"type": "value", "minInterval": 1, "show": False},
            "yAxis": {
                "type": "category",
                "data": names,
                **_axis(),
                "axisLine": {"show": False},
                "axisTick": {"show": False},
                "axisLabel": {"color": INK, "width": 150, "overflow": "truncate"},
            },
            "series": [
                {
                    "type": "bar",
                    "data": [counts[name] for name in names],
                    "barMaxWidth": 18,
                    "color": SERIES[0],
                    "label": {"show": True, "position": "right", "color": INK},
                }
            ],
        },
        ", ".join(f"{name}: {count}" for name, count in counts.items()),
    )
    chart.style(f"height: {FRAME_HEIGHT + BAR_HEIGHT * len(names)}px")


def _chart(options: dict[str, Any], told: str) -> ui.echart:
    """`told`: what the picture shows, for who does not see it; the whole is in a table on the page."""
    chart = ui.echart({"animation": False, "textStyle": {"fontFamily": "inherit"}, **options}, renderer="svg")
    chart.classes("o-chart").props('role="img"')
    chart.props["aria-label"] = TEXTS("chart", told=told)
    return chart


def _axis() -> dict[str, Any]:
    return {
        "axisLabel": {"color": SOFT},
        "axisLine": {"lineStyle": {"color": LINE}},
        "splitLine": {"lineStyle": {"color": LINE}},
    }


def _tooltip(trigger: str) -> dict[str, Any]:
    return {
        "trigger": trigger,
        "renderMode": "richText",
        "confine": True,
        "backgroundColor": PAPER,
        "borderColor": LINE,
        "textStyle": {"color": INK},
        "axisPointer": {"type": "line", "lineStyle": {"color": SOFT}},
    }

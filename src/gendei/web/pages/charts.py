"""Charts of the pages. Each says in words what it shows, and its values stand in a table beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("numbers")

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

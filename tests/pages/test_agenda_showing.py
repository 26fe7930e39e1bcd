"""What the agenda's page shows, its colours, and the ways back of an undo: values, without a browser."""

import re
from colorsys import hls_to_rgb
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from tests.booking.builders import make_clinic

from gendei.booking.appointment import AppointmentStatus
from gendei.web.pages.agenda import undo
from gendei.web.pages.agenda.geometry import length_text
from gendei.web.pages.agenda.showing import EVERYBODY, Colours, Period, Showing, Zoom
from gendei.web.pages.agenda.tints import HUES
from gendei.web.pages.frame import STATIC

TUESDAY = date(2026, 11, 24)
DAY = Showing(Period.DAY, TUESDAY, "ana")
WEEK, MONTH = replace(DAY, period=Period.WEEK), replace(DAY, period=Period.MONTH)
S = AppointmentStatus


def test_the_days_that_are_shown():
    assert [showing.days for showing in (DAY, WEEK, MONTH)] == [
        (TUESDAY, 1),
        (date(2026, 11, 23), 7),
        (date(2026, 10, 26), 42),
    ]
    assert [showing.title for showing in (DAY, WEEK, MONTH)] == [
        "terça-feira, 24/11",
        "23/11 – 29/11",
        "novembro de 2026",
    ]


@pytest.mark.parametrize(
    ("showing", "steps", "day"),
    [
        (DAY, 1, date(2026, 11, 25)),
        (WEEK, -1, date(2026, 11, 17)),
        (MONTH, 2, date(2027, 1, 1)),
        (MONTH, -11, date(2025, 12, 1)),
        (replace(MONTH, day=date(2999, 12, 5)), 1, date(2999, 12, 31)),
        (replace(MONTH, day=date(1900, 1, 5)), -1, date(1900, 1, 1)),
    ],
)
def test_a_step_leads_to_the_next_and_never_beyond_what_can_be_shown(showing: Showing, steps: int, day: date):
    assert showing.stepped(steps).day == day


def test_several_are_seen_by_day_and_where_everybody_is_asked_for():
    assert [showing.everybody for showing in (DAY, WEEK, replace(MONTH, who=EVERYBODY))] == [True, False, True]


@pytest.mark.parametrize(
    ("kept", "only", "colours", "zoom"),
    [
        (
            {"only": ["ana", "nobody"], "colours": "service", "zoom": "large"},
            {"ana"},
            Colours.SERVICE,
            Zoom.LARGE,
        ),
        ({"only": "ana", "colours": 3, "zoom": None}, set(), Colours.STATE, Zoom.NORMAL),
        (None, set(), Colours.STATE, Zoom.NORMAL),
        ([1], set(), Colours.STATE, Zoom.NORMAL),
    ],
)
def test_what_the_browser_remembers_counts_as_far_as_it_makes_sense(
    kept: object, only: set[str], colours: Colours, zoom: Zoom
):
    shown = DAY.remembering(kept, make_clinic())
    assert (shown.only, shown.colours, shown.zoom) == (only, colours, zoom)
    assert DAY.remembering(shown.kept(), make_clinic()) == shown


@pytest.mark.parametrize(("minutes", "text"), [(40, "40 min"), (120, "2h"), (140, "2h20"), (65, "1h05")])
def test_a_length_is_told_in_hours_and_minutes(minutes: int, text: str):
    assert length_text(minutes) == text


def _luminance(hue: int, saturation: float, lightness: float) -> float:
    parts = hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


STYLE = (Path(STATIC) / "agenda.css").read_text(encoding="utf-8")
TONES = re.findall(r"--tint: hsl\(var\(--hue\) (\d+)% (\d+)%\); --soft: hsl\(var\(--hue\) (\d+)% (\d+)%\)", STYLE)


@pytest.mark.parametrize(("hue", "tones"), list(product(HUES, TONES)))
def test_the_time_on_a_tinted_card_is_read_in_light_and_dark(hue: int, tones: tuple[str, ...]):
    tint, soft = _luminance(hue, *map(float, tones[:2])), _luminance(hue, *map(float, tones[2:]))
    dark, light = sorted((tint, soft))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_light_and_dark_have_tones_and_twelve_professionals_a_hue_each():
    assert (len(TONES), len(set(HUES))) == (2, 12)


@pytest.mark.parametrize(
    ("present", "wanted", "way"),
    [
        (S.CONFIRMED_PRESENCE, S.CONFIRMED, [S.CONFIRMED]),
        (S.NO_SHOW, S.CONFIRMED_PRESENCE, [S.CONFIRMED, S.CONFIRMED_PRESENCE]),
        (S.COMPLETED, S.CONFIRMED_PRESENCE, [S.CONFIRMED, S.CONFIRMED_PRESENCE]),
        (S.CONFIRMED, S.COMPLETED, [S.CONFIRMED_PRESENCE, S.COMPLETED]),
        (S.CONFIRMED, S.CONFIRMED, []),
        (S.CONFIRMED, S.PENDING, None),
        (S.CANCELLED, S.CONFIRMED, None),
    ],
)
def test_the_way_back_to_a_status(present: S, wanted: S, way: list[S] | None):
    assert undo._way_back(present, wanted) == way

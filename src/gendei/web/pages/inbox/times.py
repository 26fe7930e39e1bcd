"""Moments as the inbox writes them, in the clinic's zone."""

from datetime import datetime, timedelta

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("inbox")

WEEK = timedelta(days=6)


def list_time(at: datetime, now: datetime) -> str:
    """Of today the time, of yesterday that word, of this week the weekday, else the date. Both are local."""
    days = (now.date() - at.date()).days
    if days <= 0:
        return f"{at:%H:%M}"
    if days == 1:
        return TEXTS["yesterday"]
    return WEEKDAY_NAMES[at.weekday()][:3] if days <= WEEK.days else _date(at, now)


def day_name(at: datetime, now: datetime) -> str:
    """The heading of a day. Both are local."""
    days = (now.date() - at.date()).days
    if days in (0, 1):
        return TEXTS["yesterday" if days else "today"]
    return f"{WEEKDAY_NAMES[at.weekday()]}, {_date(at, now)}"


def day_and_time(at: datetime, now: datetime) -> str:
    """As in "sex., 27/11, 14:00"; of today the time alone. Both are local."""
    return (
        f"{at:%H:%M}"
        if at.date() == now.date()
        else f"{WEEKDAY_NAMES[at.weekday()][:3]}., {_date(at, now)}, {at:%H:%M}"
    )


def ago(since: datetime, now: datetime) -> str:
    """How long ago, in the largest whole unit."""
    minutes = int((now - since).total_seconds() // 60)
    if minutes < 1:
        return TEXTS["just_now"]
    if minutes < 60:
        return TEXTS("minutes", count=minutes)
    return TEXTS("hours", count=minutes // 60) if minutes < 48 * 60 else TEXTS("days", count=minutes // 1440)


def _date(at: datetime, now: datetime) -> str:
    return f"{at:%d/%m}" if at.year == now.year else f"{at:%d/%m/%Y}"

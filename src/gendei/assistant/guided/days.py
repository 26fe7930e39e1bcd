"""Which days of the agenda an errand is about."""

from datetime import date, datetime, timedelta

from gendei.assistant.guided.guide import Guide
from gendei.assistant.phrases import Errand
from gendei.booking.dates import Resolution, describe
from gendei.commands.moments import MOST_DAYS


def behind(guide: Guide) -> Resolution:
    """The days that are meant of what is over: of this week those up to today."""
    when, today = guide.when(), guide.now.date()
    if Errand.WEEK in guide.heard and (when.date is None or when.date <= today <= (when.end_date or when.date)):
        return Resolution(date=today - timedelta(days=today.weekday()), end_date=today)
    return when


def ahead(guide: Guide, days: int) -> Resolution:
    """The days that are meant of what is to come; where none is said, so many from today on."""
    when = guide.when()
    if when.date is None and Errand.WEEK in guide.heard:
        return coming(guide, 7 - guide.now.weekday())
    return coming(guide, days) if when.date is None else when


def coming(guide: Guide, days: int) -> Resolution:
    """Today and what follows, so many days in all."""
    today = guide.now.date()
    return Resolution(date=today, end_date=today + timedelta(days=days - 1))


def iso_days(guide: Guide, when: Resolution) -> str:
    """The days that are meant, today's where none is said; of several ("terça e quinta") the first to the last."""
    first = when.date or guide.now.date()
    last = when.end_date or (max(when.alternatives) if when.alternatives else first)
    return f"{first}/{min(last, _furthest(first))}"


def iso_due(when: Resolution) -> str:
    """The day of a task, and its hour where one is meant; "" without a day."""
    if when.date is None:
        return ""
    return datetime.combine(when.date, when.time).isoformat(" ", "minutes") if when.time else when.date.isoformat()


def days_text(guide: Guide, when: Resolution) -> str:
    first = when.date or guide.now.date()
    if when.alternatives:
        return "; ".join(describe(day, guide.now) for day in when.alternatives)
    last = min(when.end_date, _furthest(first)) if when.date and when.end_date else None
    return describe(Resolution(date=first, end_date=last), guide.now)


def _furthest(first: date) -> date:
    """The last day that is read from `first` on."""
    return first + timedelta(days=MOST_DAYS - 1)

"""How many of the services, people, days and hours that writers of an exam marked are heard in the messages."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, time
from typing import Any

from gendei.ear.kinds import MessageKind
from gendei.receptionist.understanding.patient_message import Understanding
from training.messages import Message

PARTS = {"manha": (time(6), time(12)), "tarde": (time(12), time(18)), "noite": (time(18), time(23))}
WITH_TIMES = {MessageKind.BOOK, MessageKind.CHANGE}
"""Kinds whose day and hour are wished; of others they are those of what stands."""
WITH_NAMES = WITH_TIMES | {MessageKind.ASK, MessageKind.CANCEL, MessageKind.SEE, MessageKind.CONFIRM}


def tell(heard: Sequence[tuple[Message, Understanding]]) -> None:
    """Print each slot's share, and what was missed."""
    marked, right, missed = Counter[str](), Counter[str](), []
    for message, understanding in heard:
        for slot, expected, found, is_right in _compared(message, understanding):
            marked[slot] += 1
            right[slot] += is_right
            if not is_right:
                missed.append(f"{slot} {expected} heard {found}: {message.text!r}")
    for slot, number in marked.items():
        print(f"{slot:13} {number:4}: {right[slot] / number:.1%}")
    print(f"{'all':13} {marked.total():4}: {right.total() / marked.total():.1%}")
    print("\n".join(missed))


def _compared(message: Message, heard: Understanding) -> Iterator[tuple[str, Any, Any, bool]]:
    """Each slot that is marked: its name, what was marked, what was heard, and whether that is it."""
    facts = message.facts
    if message.kind in WITH_NAMES:
        if facts.get("s"):
            only = heard.professional.service_ids if heard.professional else ()
            services = [service.id for service in heard.services] or (list(only) if len(only) == 1 else [])
            yield "service", facts["s"], services, services == [facts["s"]]
        if facts.get("p"):
            name = heard.professional.name if heard.professional else None
            yield "professional", facts["p"], name, name == facts["p"]
    if message.kind in WITH_TIMES:
        if facts.get("d"):
            yield "day", facts["d"], _days(heard), _is_day(facts["d"], heard)
        if facts.get("h"):
            yield "hour", facts["h"], _hours(heard), _is_hour(str(facts["h"]), heard)


def _days(heard: Understanding) -> list[date | None]:
    when = heard.when
    return [when.date, when.end_date, *when.alternatives] if when else []


def _is_day(marked: str | list[str], heard: Understanding) -> bool:
    """Whether it is the day, one of the days between which the receptionist asks or looks, or the span."""
    when = heard.when
    if when is None or when.date is None:
        return False
    if isinstance(marked, list):
        first, last = date.fromisoformat(marked[0]), date.fromisoformat(marked[-1])
        return first <= when.date <= last and (when.end_date is None or when.end_date <= last)
    day = date.fromisoformat(marked)
    return (when.end_date is None and day == when.date) or day in when.alternatives


def _hours(heard: Understanding) -> list[time | None]:
    when = heard.when
    return [when.time, when.time_from, when.time_to] if when else []


def _is_hour(marked: str, heard: Understanding) -> bool:
    when = heard.when
    if when is None:
        return False
    clock, begin, end = when.time, when.time_from, when.time_to
    if marked in PARTS:
        first, last = PARTS[marked]
        return first <= clock < last if clock else begin is not None and first <= begin < last
    limit = time.fromisoformat(marked.strip("<>=").zfill(5))
    match marked[0]:
        case ">":
            return begin == limit or (clock == limit and heard.wants("free_from"))
        case "<":
            return end == limit or (clock == limit and heard.wants("free_until"))
    return clock == limit or limit in when.time_alternatives

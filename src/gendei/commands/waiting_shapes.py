"""The waiting list as programs read it."""

from datetime import date
from typing import Annotated, Self

from pydantic import AwareDatetime, Field

from gendei.clinic import WEEKDAYS
from gendei.commands.shapes import Shape
from gendei.waiting.entry import WaitingEntry


class WaitingOut(Shape):
    """`firstDay`, `lastDay`: both included; they wait no longer than the last. `timeFrom`, `timeTo`: of a start, local,
    "24:00" for the end of the day. `weekdays` empty: all. `appointmentId`: what they have and want earlier. `since`:
    when they joined. `offeredUntil`: until when they may answer what is offered to them now."""

    id: str
    contact: Annotated[str, Field(examples=["+5511999998888"])]
    patient_name: str
    service_id: str
    professional_id: str | None
    first_day: date
    last_day: date
    weekdays: list[str]
    time_from: Annotated[str, Field(examples=["12:00"])]
    time_to: Annotated[str, Field(examples=["18:00"])]
    notice_minutes: int
    appointment_id: str | None
    since: AwareDatetime
    by: str
    offered_until: AwareDatetime | None

    @classmethod
    def at(cls, entry: WaitingEntry) -> Self:
        wish = entry.wish
        return cls(
            id=entry.id,
            contact=entry.contact,
            patient_name=entry.patient_name,
            service_id=wish.service_id,
            professional_id=wish.professional_id,
            first_day=wish.first,
            last_day=wish.last,
            weekdays=[WEEKDAYS[day] for day in wish.weekdays],
            time_from=_clock(wish.time_from),
            time_to=_clock(wish.time_to),
            notice_minutes=wish.notice_minutes,
            appointment_id=entry.appointment_id,
            since=entry.created_at,
            by=entry.by,
            offered_until=entry.offer.until if entry.offer else None,
        )


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"

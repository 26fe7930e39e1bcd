"""Appointments and blocks as the API gives and takes them."""

from datetime import date
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.booking.appointment import AppointmentStatus
from gendei.staff.agenda.agenda import Change
from gendei.web.api.shapes import Shape


class StatusLine(Shape):
    """`movedFrom`: the start before, of a line that is a move."""

    status: AppointmentStatus
    at: AwareDatetime
    by: str
    moved_from: AwareDatetime | None = None


class AppointmentOut(Shape):
    id: Annotated[str, Field(examples=["3f9a51c07be2"])]
    version: Annotated[str, Field(examples=["9f2c1d0a77be4410"])]
    status: AppointmentStatus
    service_id: str
    service_name: str
    professional_id: str
    professional_name: str
    patient_id: str
    patient_name: str
    patient_phone: str | None
    contact: str
    start: AwareDatetime
    end: AwareDatetime
    price_cents: int | None
    deposit_cents: int
    channel: str
    cancel_reason: str
    created_at: AwareDatetime
    updated_at: AwareDatetime
    history: list[StatusLine]


class NoticeOut(Shape):
    """What became of telling the patient. `reason`: why it was not queued."""

    queued: bool
    text: str
    reason: Annotated[str | None, Field(examples=["no_template"])] = None
    due_at: AwareDatetime | None = None


class ChangeOut(Shape):
    appointment: AppointmentOut
    notice: NoticeOut | None = None


class BookedOut(AppointmentOut):
    """The appointment, and what became of telling the patient, where that was asked."""

    notice: NoticeOut | None = None

    @classmethod
    def after(cls, change: Change) -> "BookedOut":
        told = AppointmentOut.of(change.appointment).model_dump()
        return cls(**told) if change.notice is None else cls(**told, notice=NoticeOut.of(change.notice))


class BlockOut(Shape):
    """`professionalId` null: of the whole clinic; `days`: the days that it closes."""

    id: str
    professional_id: str | None
    start: AwareDatetime
    end: AwareDatetime
    reason: str
    by: str
    days: list[date]

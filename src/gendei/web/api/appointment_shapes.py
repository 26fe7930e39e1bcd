"""Appointments and blocks as the API gives and takes them."""

from datetime import date
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.time_blocks import TimeBlock
from gendei.staff.agenda.agenda import Change
from gendei.staff.agenda.notices import Notice
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

    @classmethod
    def of(cls, one: Appointment) -> "AppointmentOut":
        return cls(
            id=one.id,
            version=one.version,
            status=one.status,
            service_id=one.service_id,
            service_name=one.service_name,
            professional_id=one.professional_id,
            professional_name=one.professional_name,
            patient_id=one.patient_id,
            patient_name=one.patient_name,
            patient_phone=one.patient_phone,
            contact=one.contact,
            start=one.start,
            end=one.end,
            price_cents=one.price_cents,
            deposit_cents=one.deposit_cents,
            channel=one.channel,
            cancel_reason=one.cancel_reason,
            created_at=one.created_at,
            updated_at=one.updated_at,
            history=[
                StatusLine(status=line.status, at=line.at, by=line.by, moved_from=line.moved_from)
                for line in one.history
            ],
        )


class NoticeOut(Shape):
    """What became of telling the patient. `reason`: why it was not queued."""

    queued: bool
    text: str
    reason: Annotated[str | None, Field(examples=["no_template"])] = None
    due_at: AwareDatetime | None = None

    @classmethod
    def of(cls, told: Notice) -> "NoticeOut":
        return cls(queued=told.queued, text=told.text, reason=told.reason and str(told.reason), due_at=told.due_at)


class ChangeOut(Shape):
    appointment: AppointmentOut
    notice: NoticeOut | None = None

    @classmethod
    def of(cls, change: Change) -> "ChangeOut":
        notice = None if change.notice is None else NoticeOut.of(change.notice)
        return cls(appointment=AppointmentOut.of(change.appointment), notice=notice)


class BookedOut(AppointmentOut):
    """The appointment, and what became of telling the patient, where that was asked."""

    notice: NoticeOut | None = None

    @classmethod
    def after(cls, change: Change) -> "BookedOut":
        told: dict[str, Any] = {} if change.notice is None else {"notice": NoticeOut.of(change.notice)}
        return cls(**dict(AppointmentOut.of(change.appointment)), **told)


class BlockOut(Shape):
    """`professionalId` null: of the whole clinic; `days`: the days that it closes."""

    id: str
    professional_id: str | None
    start: AwareDatetime
    end: AwareDatetime
    reason: str
    by: str
    days: list[date]

    @classmethod
    def of(cls, block: TimeBlock) -> "BlockOut":
        return cls(
            id=block.id,
            professional_id=block.professional_id,
            start=block.start,
            end=block.end,
            reason=block.reason,
            by=block.by,
            days=list(block.days),
        )

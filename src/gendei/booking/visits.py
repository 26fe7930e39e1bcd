"""What booking needs (BookingRequest), looked up, checked against the rules, and made an appointment."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from gendei.booking import availability
from gendei.booking.agenda import AgendaEdit, obeying
from gendei.booking.appointment import Appointment, AppointmentStatus, StatusChange
from gendei.booking.charges import Charge, charge, plan_name
from gendei.booking.deposits import DepositTerms
from gendei.booking.finder import offered
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.booking.slots import OVERRIDABLE, BookingRefused, Refusal, Slot
from gendei.booking.wallclock import Interval, at_minute, epoch_minute
from gendei.clinic import Clinic, Contact, Professional, Service
from gendei.clock import instant, require_aware
from gendei.payments.pix_charge import new_charge_id

_AGES = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class VisitRequest:
    """What holding a slot and moving an appointment need. start: aware, any zone."""

    service_id: str
    professional_id: str
    start: datetime

    def __post_init__(self) -> None:
        require_aware(self.start)


@dataclass(frozen=True, slots=True)
class BookingRequest(VisitRequest):
    """What booking needs, whoever asks for it. phone: as written; None means the contact's own. channel: where the
    wish came from, for the clinic's numbers. note: of staff. personal_data: what the clinic keeps of who comes, as
    given. plan: the health plan by which they come, PRIVATE, or "" where nobody said. deposit: what is to be
    paid before it is confirmed."""

    patient_name: str
    phone: str | None = None
    channel: str = "whatsapp"
    note: str = ""
    personal_data: PersonalData = UNKNOWN
    plan: str = ""
    deposit: DepositTerms | None = None


class PlannedVisit(NamedTuple):
    """A VisitRequest, looked up; `slot` is in the clinic's zone and `interval` is the same in epoch minutes. The
    service has the visit's own duration. `override`: it goes where the agenda has no room for it."""

    service: Service
    professional: Professional
    slot: Slot
    interval: Interval
    override: bool = False


def planned_visit(clinic: Clinic, asked: VisitRequest, now: datetime, minutes: int | None = None) -> PlannedVisit:
    """Look up what is asked for. minutes: in place of the service's duration. Raises BookingRefused for what the clinic
    does not have, and for a start more than ten years away."""
    service, (professional,) = offered(clinic, asked.service_id, asked.professional_id)
    service = service if minutes is None else replace(service, duration_minutes=minutes)
    if instant(asked.start) != instant(within_ages(asked.start, now)):
        raise BookingRefused(Refusal.PAST if instant(asked.start) < instant(now) else Refusal.TOO_FAR)
    begin = epoch_minute(asked.start)
    end = begin + service.duration_minutes
    slot = Slot(professional.id, clinic.local(asked.start), at_minute(end, clinic.timezone))
    return PlannedVisit(service, professional, slot, (begin, end))


def within_ages(moment: datetime, now: datetime) -> datetime:
    """`moment`, or ten years from now where it is so far away that a calendar could end."""
    return min(max(moment, now - _AGES, key=instant), now + _AGES, key=instant)


def required(
    visit: PlannedVisit,
    edit: AgendaEdit,
    contact: Contact,
    *,
    moved: str | None = None,
    staff: bool = False,
    override: bool = False,
) -> PlannedVisit:
    """The visit, whose pages are loaded. `contact`: whose hold is not in the way; `moved`: the appointment that leaves
    its place for it. staff: as in `availability.refusal`. Raises BookingRefused unless every rule allows it; with
    `override` it is allowed what is OVERRIDABLE, and says so."""
    professional_id = visit.professional.id
    obeyed, (professional,) = obeying(
        edit.clinic, [visit.professional], {professional_id: edit.blocks(professional_id)}
    )
    busy = edit.busy(professional_id, contact, moved)
    start = visit.slot.start
    reason = availability.refusal(obeyed, visit.service, professional, busy, start, edit.now, staff=staff)
    if reason is None:
        return visit
    if not override or reason not in OVERRIDABLE:
        raise BookingRefused(reason)
    if start.second or start.microsecond:  # told last by `refusal`, so that it may stand behind what is overridden
        raise BookingRefused(Refusal.OFF_GRID)
    return visit._replace(override=True)


def require_unused(appointment: Appointment, edit: AgendaEdit) -> None:
    """Raise BookingRefused unless the time that the appointment gave back, whose pages are loaded, is nobody else's
    meanwhile; an override shares it in any case. It was booked within the rules, so that these are not asked again."""
    if appointment.override:
        return
    professional_id, (start, end) = appointment.professional_id, appointment.interval
    if any(block.start < end and start < block.end for block in edit.blocks(professional_id)):
        raise BookingRefused(Refusal.PROFESSIONAL_OFF)
    if availability.taken(edit.clinic, appointment.interval, edit.busy(professional_id, None)):
        raise BookingRefused(Refusal.TAKEN)


def require_notice(clinic: Clinic, contact: Contact | None, appointment: Appointment, now: datetime) -> None:
    notice = timedelta(minutes=clinic.booking.cancel_notice_minutes)
    if contact is not None and instant(appointment.start) - notice <= instant(now):
        raise BookingRefused(Refusal.TOO_LATE)


def require_ahead(appointment: Appointment, now: datetime) -> None:
    """Raise BookingRefused(TOO_LATE) for an appointment that has begun."""
    if instant(appointment.start) <= instant(now):
        raise BookingRefused(Refusal.TOO_LATE)


def charged(clinic: Clinic, plan: str, service_id: str, professional_id: str) -> Charge:
    """What the visit costs by this plan. Raises BookingRefused(PLAN_NOT_TAKEN)."""
    service, name = clinic.service(service_id), plan_name(clinic, plan)
    found = charge(clinic, name, service, professional_id) if service and name is not None else None
    if found is None:
        raise BookingRefused(Refusal.PLAN_NOT_TAKEN)
    return found


def new_appointment(
    clinic: Clinic,
    visit: PlannedVisit,
    request: BookingRequest,
    contact: Contact,
    patient_id: str,
    now: datetime,
    by: str,
) -> Appointment:
    """A new appointment, confirmed unless a deposit is asked first; name and phone of the request are clean. Its id is
    random: it tells nobody anything, spreads over the store's key range, and leaves a slot that was cancelled free to
    be booked again by the same contact. Raises BookingRefused(PLAN_NOT_TAKEN)."""
    cost = charged(clinic, request.plan, visit.service.id, visit.professional.id)
    made = Appointment(
        id=secrets.token_hex(6),
        clinic_id=clinic.id,
        service_id=visit.service.id,
        service_name=visit.service.name,
        professional_id=visit.professional.id,
        professional_name=visit.professional.name,
        patient_id=patient_id,
        patient_name=request.patient_name,
        contact=contact,
        patient_phone=request.phone,
        start=visit.slot.start,
        end=visit.slot.end,
        status=AppointmentStatus.PENDING,
        price_cents=cost.price_cents,
        deposit_cents=request.deposit.cents if request.deposit else cost.deposit_cents,
        created_at=now,
        updated_at=now,
        channel=request.channel,
        history=(StatusChange(AppointmentStatus.PENDING, now, by),),
        note=request.note,
        override=visit.override,
        plan=cost.plan,
        covered=cost.covered,
        charge_id=new_charge_id() if request.deposit else "",
    )
    return made if request.deposit else made.with_status(AppointmentStatus.CONFIRMED, now, by)


def with_plan(clinic: Clinic, before: Appointment, plan: str, now: datetime) -> Appointment:
    """The appointment by another plan, with what it then costs; the same one where it is its plan already. Raises
    BookingRefused(PLAN_NOT_TAKEN)."""
    if plan_name(clinic, plan) == before.plan:
        return before
    cost = charged(clinic, plan, before.service_id, before.professional_id)
    return replace(
        before,
        plan=cost.plan,
        covered=cost.covered,
        price_cents=cost.price_cents,
        deposit_cents=before.deposit_cents if before.charge_id else cost.deposit_cents,
        updated_at=now,
    )


def moved(before: Appointment, visit: PlannedVisit, now: datetime, by: str) -> Appointment:
    """A presence was confirmed for the old time only; who is there already, is there for a time of the same day."""
    stays = before.start.date() == visit.slot.start.date()
    standing = before
    if before.status is AppointmentStatus.CONFIRMED_PRESENCE:
        standing = before.with_status(AppointmentStatus.CONFIRMED, now, by, correcting=True)
    return replace(
        standing,
        professional_id=visit.professional.id,
        professional_name=visit.professional.name,
        start=visit.slot.start,
        end=visit.slot.end,
        updated_at=now,
        history=(*standing.history, StatusChange(standing.status, now, by, before.start)),
        override=visit.override,
        arrived_at=before.arrived_at if stays else None,
        in_room_at=before.in_room_at if stays else None,
        late=None,
    )

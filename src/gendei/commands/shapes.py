"""What commands and lists answer, as programs read it: the JSON API's answers, and what tools tell the same of. Names
are camelCase; moments carry an offset."""

from datetime import date
from typing import Annotated, Any, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.booking.charges import charge
from gendei.clinic import WEEKDAYS, Clinic, Professional, WeeklyHours
from gendei.conversation.stored.conversation import SessionStatus
from gendei.conversation.stored.history import Processing
from gendei.health_plan import HealthPlan
from gendei.messages.called_for import CalledFor
from gendei.staff.agenda.agenda import Change
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.messages_shown import Item, Kind, Who
from gendei.staff.inbox.rows import State


class Shape(BaseModel):
    """What is answered."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, from_attributes=True)

    @classmethod
    def of(cls, value: Any, **more: Any) -> Self:
        """The shape of a value of the domain: its attributes by the names of the fields, but for those in `more`."""
        return cls.model_validate({name: getattr(value, name) for name in cls.model_fields if name not in more} | more)

    def told(self, *without: str) -> dict[str, Any]:
        """As JSON has it, without these fields."""
        return self.model_dump(mode="json", by_alias=True, exclude=set(without))


# The clinic

Hours = Annotated[
    dict[str, list[str]],
    Field(
        description="Weekday (mon to sun) to its hours; one left out is closed.", examples=[{"mon": ["08:00-12:00"]}]
    ),
]


class PlanServiceOut(Shape):
    """What a plan is for one service. `covered`: the patient pays nothing; `priceCents`: what the patient pays;
    neither: not known. `professionalIds`: who takes it; empty: everybody. `waitingDays` null: not known."""

    service_id: str
    covered: bool
    price_cents: int | None
    deposit_cents: int
    authorization: bool
    card_number: bool
    waiting_days: int | None
    professional_ids: list[str]


class PlanOut(Shape):
    """A health plan that is taken. `services`: for which, where more is known than the name."""

    name: Annotated[str, Field(examples=["Unimed"])]
    services: list[PlanServiceOut]

    @classmethod
    def at(cls, clinic: Clinic, plan: HealthPlan) -> Self:
        found = [(service, charge(clinic, plan.name, service)) for service in clinic.services if plan.says_terms]
        services = [
            PlanServiceOut.of(
                cost.terms,
                service_id=service.id,
                deposit_cents=cost.deposit_cents,
                professional_ids=list(cost.terms.professionals),
            )
            for service, cost in found
            if cost and cost.terms
        ]
        return cls(name=plan.name, services=services)


class ClinicOut(Shape):
    id: Annotated[str, Field(examples=["boa-vida"])]
    name: str
    timezone: Annotated[str, Field(examples=["America/Sao_Paulo"])]
    address: str
    phone: str
    hours: Hours
    closed: list[date]
    lead_minutes: int
    horizon_days: int
    buffer_minutes: int
    plans: list[PlanOut]

    @classmethod
    def of_clinic(cls, clinic: Clinic) -> Self:
        rules = {name: getattr(clinic.booking, name) for name in ("lead_minutes", "horizon_days", "buffer_minutes")}
        hours, closed = _hours(clinic.hours), sorted(clinic.closed)
        plans = [PlanOut.at(clinic, plan) for plan in clinic.health_plans]
        return cls.of(clinic, timezone=clinic.timezone.key, hours=hours, closed=closed, plans=plans, **rules)


class ServiceOut(Shape):
    id: Annotated[str, Field(examples=["consulta"])]
    name: str
    duration_minutes: int
    price_cents: Annotated[int | None, Field(description="Centavos; null: on request.", examples=[25000])]
    deposit_cents: int
    description: str
    preparation: str
    telemedicine: bool


class ProfessionalOut(Shape):
    id: Annotated[str, Field(examples=["ana"])]
    name: str
    specialty: str
    council_number: str
    service_ids: list[str]
    hours: Hours

    @classmethod
    def at(cls, clinic: Clinic, professional: Professional) -> Self:
        return cls.of(professional, hours=_hours(clinic.hours_of(professional)))


def _hours(hours: WeeklyHours) -> dict[str, list[str]]:
    return {WEEKDAYS[day]: [str(period) for period in periods] for day, periods in sorted(hours.items())}


class SlotOut(Shape):
    professional_id: str
    start: AwareDatetime
    end: AwareDatetime


class SlotDay(Shape):
    """`reason`: why there is none, where there is none."""

    day: date
    slots: list[SlotOut]
    reason: Annotated[str | None, Field(examples=["full"])] = None


# The agenda


class StatusLine(Shape):
    """`movedFrom`: the start before, of a line that is a move. `attendance`: of a line that sets it."""

    status: AppointmentStatus
    at: AwareDatetime
    by: str
    moved_from: AwareDatetime | None = None
    attendance: Attendance | None = None


class LateOut(Shape):
    """The patient said `at` that they would be late, by about so many `minutes` where they said so."""

    at: AwareDatetime
    minutes: int | None


class AppointmentOut(Shape):
    """`override`: staff put it where the agenda had no room for it. `arrivedAt`, `inRoomAt`: since when who comes is
    there, and with the professional. `note`: of staff. `late`: what the patient said last of being late. `plan`: the
    health plan by which they come, `particular` for none, empty where nobody said; `covered`: it pays all, and
    `priceCents`, which is what the patient pays, is null."""

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
    note: str = ""
    override: bool = False
    attendance: Attendance = Attendance.EXPECTED
    arrived_at: AwareDatetime | None = None
    in_room_at: AwareDatetime | None = None
    late: LateOut | None = None
    plan: str = ""
    covered: bool = False


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


# Conversations


class ConversationOut(Shape):
    """`state`: waiting (for a person, and nobody came; the bot answers meanwhile), person, bot or closed.
    `overdueSince`: when that wait became longer than the clinic promises. `windowEndsAt`: until when free text may go,
    where the channel has a service window. `channel`: over which the patient wrote last. `dangerSince`: the patient may
    be in danger, and no person has taken it up. `snoozedUntil`: when it comes back into the list. `calledFor`: why a
    person was called, or `staff` where one came unasked; null where nobody was called, or before this was kept."""

    contact: Annotated[str, Field(examples=["+5511999998888"])]
    name: str | None
    phone: str | None
    channel: Annotated[str, Field(examples=["meta", "web"])]
    state: State
    preview: str
    unread: int
    last_message_at: AwareDatetime
    updated_at: AwareDatetime
    waiting_since: AwareDatetime | None
    overdue_since: AwareDatetime | None
    taken_over_by: str | None
    called_for: CalledFor | None = None
    assigned_name: str | None
    labels: list[str]
    window_ends_at: AwareDatetime | None
    failure: str | None
    danger_since: AwareDatetime | None = None
    snoozed_until: AwareDatetime | None = None
    snoozed_by: str | None = None


class SessionOut(Shape):
    """What is said without a pause of half an hour, and of 100 messages at most. `status`: active, paused (a person has
    the conversation) or terminated (it was closed, or the pause came). `messages`: of the patient and the bot."""

    id: str
    status: SessionStatus
    started_at: AwareDatetime
    active_at: AwareDatetime
    messages: int


class ConversationDetail(ConversationOut):
    """`freeText`: whether text may go now; where not, `template`: whether a template of the clinic can carry it.
    `session`: the last one. `summary`: what a language model wrote down of messages that it no longer reads, or
    what the session before the last left open."""

    free_text: bool
    template: bool
    session: SessionOut | None
    summary: str

    @classmethod
    def seen(cls, view: View) -> "ConversationDetail":
        session = SessionOut.of(view.session[0], status=view.session[1]) if view.session else None
        more = {"free_text": view.free_text, "template": view.template, "summary": view.summary}
        return cls.of(view.row, session=session, **more)


class MessageOut(Shape):
    """`kind`: message, event or note; `who`: patient, bot, person or system. `delivery`: pending, sending, sent,
    delivered, read, played, failed, suppressed or queued; `failure`: why it did not arrive. `fileName`: of the file
    that it carries, where that has one. `session`: the id of the session that it belongs to, where one was known;
    `processing`: what became of a patient's message, failed where it could not be answered.
    `calledFor`: of an event, why a person was called or came."""

    id: str
    kind: Kind
    who: Who
    at: AwareDatetime
    type: str
    text: str
    name: str | None
    options: list[str]
    file_name: str | None
    delivery: str | None
    failure: str | None
    session: str | None
    processing: Processing | None
    called_for: CalledFor | None = None

    @classmethod
    def shown(cls, item: Item) -> "MessageOut":
        return cls.of(
            item,
            options=[option.title for option in item.options],
            file_name=str(item.details.get("filename") or "") or None,
            delivery=item.delivery.state if item.delivery else None,
            failure=(item.delivery.explanation or None) if item.delivery else None,
        )


class SentOut(Shape):
    """`id`: of the message. `dueAt`: when a template leaves that waits for the end of the quiet hours."""

    id: str
    due_at: AwareDatetime | None = None


class LeftOut(Shape):
    """A conversation in which nothing was done. `reason`: danger (it is not closed so) or not_found."""

    contact: str
    reason: Annotated[str, Field(examples=["danger"])]


class HandledOut(Shape):
    """What was done of several: in these, and not in those."""

    done: list[str]
    left: list[LeftOut]

    @classmethod
    def told_of(cls, handled: Any) -> "HandledOut":
        return cls(done=list(handled.done), left=[LeftOut.of(left) for left in handled.left])


class BegunOut(Shape):
    """`id`: of the message; `dueAt`: when it leaves, in the morning where it is quiet now."""

    id: str
    contact: str
    due_at: AwareDatetime


# Files


class FileOut(Shape):
    """`kind`: image, audio or document."""

    id: Annotated[str, Field(examples=["0f8c2d6be1a94f53a7d0c7b3e5f21908"])]
    kind: str
    mime_type: Annotated[str, Field(examples=["application/pdf"])]
    size: Annotated[int, Field(description="Bytes.")]
    file_name: Annotated[str, Field(description="As the patient will see it.", examples=["preparo.pdf"])]

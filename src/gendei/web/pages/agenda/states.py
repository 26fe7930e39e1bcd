"""The state of an appointment in words and by an icon: its status, who is there, and whether it is an override."""

from collections.abc import Mapping

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus, Attendance, LateWord
from gendei.staff.agenda.agenda import Agenda
from gendei.web.pages.agenda.sheet import AgendaActing
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

STATUS_ICONS: Mapping[AppointmentStatus, str] = {
    AppointmentStatus.PENDING: "schedule",
    AppointmentStatus.AWAITING_CONFIRMATION: "hourglass_empty",
    AppointmentStatus.CONFIRMED: "event_available",
    AppointmentStatus.CONFIRMED_PRESENCE: "how_to_reg",
    AppointmentStatus.COMPLETED: "task_alt",
    AppointmentStatus.CANCELLED: "event_busy",
    AppointmentStatus.NO_SHOW: "person_off",
}
ATTENDANCE_ICONS: Mapping[Attendance, str] = {
    Attendance.ARRIVED: "airline_seat_recline_normal",
    Attendance.IN_ROOM: "meeting_room",
}


def is_there(appointment: Appointment) -> bool:
    """Whether who comes is in the clinic, and not seen to yet."""
    return appointment.status.live and appointment.attendance is not Attendance.EXPECTED


def state_icon(appointment: Appointment) -> str:
    if is_there(appointment):
        return ATTENDANCE_ICONS[appointment.attendance]
    return STATUS_ICONS[appointment.status]


def state_class(appointment: Appointment) -> str:
    """What the style sheet colours by."""
    state = appointment.attendance if is_there(appointment) else appointment.status
    return f"a-{state}" + (" a-override" if appointment.override else "")


def late_text(late: LateWord) -> str:
    """Say that the patient will be late, and by how much where that is known."""
    return TEXTS("late_minutes", minutes=late.minutes) if late.minutes else TEXTS["late"]


def state_text(agenda: Agenda, appointment: Appointment) -> str:
    """ "Chegou às 08:52, Encaixe"; who is not there yet and said so: "Vai se atrasar 20 min"."""
    told, *override = _states(agenda, appointment)
    late = appointment.late if appointment.status.live and not is_there(appointment) else None
    return ", ".join([late_text(late) if late else told, *override])


def _states(agenda: Agenda, appointment: Appointment) -> list[str]:
    since = appointment.in_room_at or appointment.arrived_at
    if is_there(appointment) and since is not None:
        told = TEXTS("arrived_at", attendance=agenda.attendances[appointment.attendance], time=f"{since:%H:%M}")
    else:
        told = agenda.statuses[appointment.status]
    return [told, TEXTS["override_badge"]] if appointment.override else [told]


def show_states(acting: AgendaActing, appointment: Appointment) -> None:
    """On a sheet: each as a badge."""
    told, *override = _states(acting.desk.agenda, appointment)
    with ui.element("div").classes("a-chips"):
        with ui.element("div").classes(f"a-status {state_class(appointment)}"):
            ui.icon(state_icon(appointment))
            ui.label(told)
        for badge in override:
            with ui.element("div").classes("a-status a-overridden"):
                ui.icon("playlist_add")
                ui.label(badge)

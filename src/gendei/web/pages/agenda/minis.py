"""Appointments as single lines, for the boards that show many days at once."""

from collections.abc import Iterable

from nicegui import ui

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import which_time
from gendei.staff.agenda.agenda import Agenda
from gendei.staff.agenda.view import AgendaView
from gendei.web.pages.agenda.gestures import BoardActs
from gendei.web.pages.agenda.showing import Showing
from gendei.web.pages.agenda.states import state_class, state_icon, state_text
from gendei.web.pages.agenda.tints import hue_of, tint
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")


class Minis:
    """Draws appointments of a view, as it is shown."""

    def __init__(self, acts: BoardActs, agenda: Agenda) -> None:
        self._acts, self._agenda = acts, agenda

    def shown(self, appointments: Iterable[Appointment], look: Showing) -> list[Appointment]:
        """Those that are drawn, in order."""
        found = (appointment for appointment in appointments if look.cancelled or appointment.status.takes_time)
        return sorted(found, key=lambda appointment: appointment.start)

    def draw(self, appointment: Appointment, view: AgendaView, look: Showing) -> None:
        """One line, which opens it."""
        start, end = (f"{moment:%H:%M}{which_time(moment)}" for moment in (appointment.start, appointment.end))
        mini = ui.element("button").classes(f"a-mini {state_class(appointment)}")
        tint(mini, hue_of(view.clinic, look.colours, appointment))
        label = TEXTS(
            "appointment_label",
            start=start,
            end=end,
            patient=appointment.patient_name,
            service=appointment.service_name,
            status=state_text(self._agenda, appointment),
        )
        told = f"{label}, {appointment.professional_name}"
        mini.props.update({"type": "button", "aria-label": told, "title": told, "data-icon": state_icon(appointment)})
        mini.on("click", lambda: self._acts.open(appointment), args=[])
        with mini:
            ui.label(start).classes("a-card-time")
            ui.label(appointment.patient_name).classes("a-card-name").props["dir"] = "auto"

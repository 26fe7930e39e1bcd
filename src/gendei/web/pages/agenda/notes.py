"""The note and the health plan of an appointment and the personal data of who comes, on one sheet."""

from nicegui import ui

from gendei.booking.appointment import Appointment
from gendei.booking.personal_data import UNKNOWN
from gendei.commands.appointments import (
    MAX_NOTE,
    SET_APPOINTMENT_PLAN,
    UPDATE_APPOINTMENT,
    SetAppointmentPlan,
    UpdateAppointment,
)
from gendei.staff.patients import PatientEdit
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.personal_fields import PersonalFields
from gendei.web.pages.agenda.plan_field import PlanField
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet
from gendei.web.pages.agenda.undo import undo_change
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")


async def ask_note(acting: AgendaActing, shown: Appointment) -> None:
    """Open the sheet, with what is known."""
    sheet, patients, known = AgendaSheet(acting, TEXTS["edit_title"]), acting.patients, UNKNOWN
    with sheet.body:
        ui.label(f"{shown.patient_name} · {shown.service_name}").props('dir="auto"').classes("a-strong")
        ui.label(acting.spoken(shown.start)).classes("g-soft")
        note = ui.textarea(TEXTS["note"], value=shown.note)
        note.props(f'{FIELD} autogrow autofocus maxlength="{MAX_NOTE}" dir="auto"')
        plan = PlanField(acting.clinic, shown.plan)
        plan.follow(shown.service_id, shown.professional_id)
        before = plan.plan
        fields = PersonalFields(acting.kept, acting.now.date())
    if fields.all:
        found = await acting.attempt(lambda actor: patients.personal_data(actor, shown.patient_id))
        if isinstance(found, Problem):
            sheet.tell(found)
            return
        known = found
        fields.show(known)
    sheet.ask_before_closing(note, *fields.all)

    async def save() -> None:
        undo, seen = None, shown.version
        if fields.all and (data := fields.within(known)) != known:
            edit = PatientEdit(personal_data=data)
            done = await acting.attempt(lambda actor: patients.edit(actor, shown.patient_id, edit))
            if isinstance(done, Problem):
                sheet.tell(done)
                return
        if (text := str(note.value or "").strip()) != shown.note:
            given = UpdateAppointment(appointment_id=shown.id, note=text, version=shown.version)
            changed = await acting.do(UPDATE_APPOINTMENT, given)
            if isinstance(changed, Problem):
                sheet.tell(changed)
                return
            undo = undo_change(shown, changed, "")
            seen = changed.appointment.version
        if plan.plan != before:
            given_plan = SetAppointmentPlan(appointment_id=shown.id, plan=plan.plan, version=seen)
            changed = await acting.do(SET_APPOINTMENT_PLAN, given_plan)
            if isinstance(changed, Problem):
                sheet.tell(changed)
                return
            undo = undo_change(shown, changed, "")
        await sheet.done(TEXTS["edit_saved"], undo=undo)

    sheet.leave_button(TEXTS["back"])
    sheet.button(TEXTS["edit_save"], save)

"""One patient's card: who it is, what is booked, what staff noted, what the contact wants, who else is booked for."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.patients import MAX_NOTES, PatientCard, PatientEdit
from gendei.staff.tasks.stored import Link
from gendei.web.pages.acting import acting, agenda_texts
from gendei.web.pages.frame import Visit, asset, keep_draft
from gendei.web.pages.panels import button, empty, facts, moment, panel, tag, text
from gendei.web.pages.tasks.beside import TasksBeside
from gendei.web.pages.texts import page_texts

LATEST = 20
"""Past appointments that are shown at first."""
KINDS = {
    AppointmentStatus.CANCELLED: "bad",
    AppointmentStatus.NO_SHOW: "bad",
    AppointmentStatus.COMPLETED: "good",
    AppointmentStatus.CONFIRMED_PRESENCE: "good",
    AppointmentStatus.PENDING: "warn",
    AppointmentStatus.AWAITING_CONFIRMATION: "warn",
}


async def show_card(visit: Visit, card: PatientCard) -> None:
    """Raises NotFound where the clinic is gone."""
    clinic = visit.clinic
    if clinic is None:
        raise NotFound
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("tasks.css")}">')
    _heading(card)
    with ui.element("div").classes("o-columns"):
        with ui.element("div").classes("o-stack"):
            _who(visit, card)
            _contact(clinic, card)
            _consent(visit, clinic, card)
            _family(card)
        with ui.element("div").classes("o-stack"):
            words = page_texts("patients")
            with panel(words["coming"]):
                _appointments(visit, card.coming)
                to_book = words["book"], f"/agenda?{urlencode({'contact': card.patient.contact})}"
                if card.coming:
                    ui.link(*to_book).classes("o-link")
                else:
                    empty(words["no_coming"], to_book)
            with panel(words["tasks"]):
                contact = card.patient.contact if card.written else None
                TasksBeside(visit, clinic, Link(contact, card.patient.id))
            with panel(words["past"]):
                _appointments(visit, card.past[:LATEST])
                if len(card.past) > LATEST:
                    with ui.expansion(words["older"].format(count=len(card.past) - LATEST)).props("dense"):
                        _appointments(visit, card.past[LATEST:])
                if not card.past:
                    empty(words["no_past"])


def _heading(card: PatientCard) -> None:
    words = page_texts("patients")
    with ui.element("div").classes("o-head"):
        text("h1", card.patient.name, "g-title o-h1 o-grow")
        if card.written:
            ui.link(words["to_conversation"], f"/inbox?contact={quote(card.patient.contact, safe='')}").classes(
                "o-button-link"
            )


def _who(visit: Visit, card: PatientCard) -> None:
    words, row, records = page_texts("patients"), card.patient, visit.site.gendei.front_desk.patients

    async def save(actor: Actor) -> None:
        edit = PatientEdit(
            name=name.value if name.value != row.name else None,
            phone=phone.value or "" if (phone.value or "") != (row.phone or "") else None,
            notes=notes.value or "" if (notes.value or "") != card.notes else None,
        )
        if edit != PatientEdit():
            await records.edit(actor, row.id, edit)
        ui.navigate.reload()

    with panel(words["card"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(words["name"], value=row.name).props("outlined dense maxlength=80")
            phone = ui.input(words["phone"], value=row.phone or "").props("outlined dense type=tel maxlength=40")
        notes = ui.textarea(words["notes"], value=card.notes)
        notes.props(f"outlined autogrow maxlength={MAX_NOTES} input-style='min-height: 84px'")
        keep_draft(notes, f"patient-notes {row.id}")
        text("p", words["notes_hint"], "g-soft g-small")
        with ui.element("div").classes("o-actions"):
            button(words["save"], acting(save), kind="unelevated color=primary")


def _contact(clinic: Clinic, card: PatientCard) -> None:
    words = page_texts("patients")
    with panel(words["contact"]):
        facts(
            [
                (words["writes_as"], card.patient.contact),
                *((words["also"], one) for one in card.forms if one != card.patient.contact),
                (words["since"], moment(clinic.local(card.created_at))),
                (words["changed"], moment(clinic.local(card.patient.updated_at))),
            ]
        )


def _consent(visit: Visit, clinic: Clinic, card: PatientCard) -> None:
    words, consent, records = page_texts("patients"), card.consent, visit.site.gendei.front_desk.patients

    async def set_consent(actor: Actor, messages: bool) -> None:
        await records.set_consent(actor, card.patient.contact, messages=messages)
        ui.notify(words["consent_saved"], type="positive")
        ui.navigate.reload()

    with panel(words["consent"], words["consent_hint"]):
        with ui.element("div").classes("o-head"):
            if consent.opted_out_at is None:
                tag(words["opted_in"], "good")
                button(words["opt_out"], acting(set_consent, messages=False))
            else:
                tag(words["opted_out"].format(at=moment(clinic.local(consent.opted_out_at))), "warn")
                button(words["opt_in"], acting(set_consent, messages=True))
        if consent.no_marketing_since is not None:
            text("p", words["no_marketing"].format(at=moment(clinic.local(consent.no_marketing_since))), "g-small")


def _family(card: PatientCard) -> None:
    if not card.family:
        return
    words = page_texts("patients")
    with panel(words["family"], words["family_hint"]), ui.element("div").classes("o-list"):
        for row in card.family:
            ui.link(row.name, f"/patients/{quote(row.id, safe='')}").classes("o-row o-name")


def _appointments(visit: Visit, appointments: Sequence[Appointment]) -> None:
    statuses = agenda_texts(visit.site).statuses
    with ui.element("div").classes("o-list"):
        for one in appointments:
            day = f"{one.start:%Y-%m-%d}"
            with ui.link(target=f"/agenda?day={day}&professional={quote(one.professional_id, safe='')}").classes(
                "o-row"
            ):
                with ui.element("span").classes("o-main o-grow"):
                    text("span", f"{WEEKDAY_NAMES[one.start.weekday()][:3]}, {moment(one.start)}", "o-name")
                    text("span", f"{one.service_name} · {one.professional_name}", "g-soft g-small")
                    if one.cancel_reason:
                        text("span", one.cancel_reason, "g-soft g-small")
                tag(statuses[one.status], KINDS.get(one.status, ""))

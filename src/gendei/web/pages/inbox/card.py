"""Who the patient is: beside the conversation."""

from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.rows import Row
from gendei.staff.patients import PatientCard, PatientRow
from gendei.staff.tasks.stored import Link
from gendei.web.pages.frame import Visit
from gendei.web.pages.inbox.list import row_title
from gendei.web.pages.inbox_preferences import PreferencesBeside
from gendei.web.pages.tasks.beside import TasksBeside
from gendei.web.pages.texts import page_texts

MOST = 5
"""Appointments that are shown; the whole card has all."""


async def show_card(place: ui.element, visit: Visit, actor: Actor, clinic: Clinic, row: Row) -> None:
    """Fill `place`: name, phone, tasks, how the contact wants to be answered, and coming appointments and notes of whom
    it books for. Raises NotFound."""
    records = visit.site.gendei.front_desk.patients
    patients = await records.of_contact(actor, row.contact)
    cards = [await records.card(actor, one.id) for one in patients[:MOST]]
    words = page_texts("inbox")
    place.clear()
    with place:
        ui.label(row_title(row)).classes("i-card-name").props('dir="auto"')
        if row.phone:
            ui.label(row.phone).classes("g-soft")
        with ui.element("h3"):
            ui.label(words["coming"])
        coming = sorted((one for card in cards for one in card.coming), key=lambda one: one.start)
        for one in coming[:MOST]:
            start = clinic.local(one.start)
            agenda = f"/agenda?{urlencode({'day': start.date().isoformat(), 'appointment': one.id})}"
            with ui.link(target=agenda).classes("i-visit"):
                ui.label(f"{start:%d/%m · %H:%M}").classes("i-visit-when")
                ui.label(f"{one.service_name}, {one.professional_name}")
                if len(patients) > 1:
                    ui.label(one.patient_name).classes("g-soft g-small").props('dir="auto"')
        if not coming:
            ui.label(words["coming_none"] if patients else words["no_patient"]).classes("g-soft")
        if actor.may(Right.WRITE):
            ui.link(words["book"], f"/agenda?{urlencode({'contact': row.contact})}").classes("i-card-book")
        _notes(cards)
        if len(patients) > 1:
            _family(patients)
        with ui.element("h3"):
            ui.label(words["tasks"])
        TasksBeside(visit, clinic, Link(row.contact))
        with ui.element("h3"):
            ui.label(words["preferences"])
        await PreferencesBeside(visit, row.contact).show(actor)
        if patients:
            ui.link(words["open_card"], f"/patients/{quote(row.contact, safe='')}").classes("i-card-link")


def _notes(cards: list[PatientCard]) -> None:
    noted = [card for card in cards if card.notes]
    if noted:
        with ui.element("h3"):
            ui.label(page_texts("inbox")["notes"])
    for card in noted:
        ui.label(card.notes).classes("i-card-notes").props('dir="auto"')


def _family(patients: list[PatientRow]) -> None:
    with ui.element("h3"):
        ui.label(page_texts("inbox")["books_for"])
    for one in patients:
        ui.label(one.name).props('dir="auto"')

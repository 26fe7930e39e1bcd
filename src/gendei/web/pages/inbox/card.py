"""The patient's card beside the conversation."""

from dataclasses import asdict
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.clinic import Clinic
from gendei.commands.patients import SET_PREFERENCES, SetPreferences
from gendei.messages.preferences import FASTEST, FEWEST, LANGUAGES, MOST, SLOWEST, VOICES, Answers, Preferences
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.rows import Row
from gendei.staff.patient_cards import PatientCard
from gendei.staff.patient_rows import PatientRow
from gendei.staff.patients import NOTICES
from gendei.staff.tasks.stored import Link
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.agenda.plan_field import plan_title
from gendei.web.pages.inbox.conversation_list import row_title
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, text
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import TEXTS as OFFICE
from gendei.web.pages.sheets import Sheet
from gendei.web.pages.site import PageContext
from gendei.web.pages.tasks.page import TasksBeside

TEXTS = page_texts("inbox")

MOST_SHOWN = 5
"""Appointments that are shown; the whole card has all."""


async def show_card(place: ui.element, context: PageContext, actor: Actor, clinic: Clinic, row: Row) -> None:
    """Fill `place`: name, phone, tasks, how the contact wants to be answered, and coming appointments and notes of whom
    it books for. Raises NotFound."""
    records = context.gendei.front_desk.patients
    patients = await records.of_contact(actor, row.contact)
    cards = [await records.card(actor, patient.id) for patient in patients[:MOST_SHOWN]]
    place.clear()
    with place:
        ui.label(row_title(row)).classes("i-card-name").props('dir="auto"')
        if row.phone:
            ui.label(address_text(row.phone)).classes("g-soft")
        with ui.element("h3"):
            ui.label(TEXTS["coming"])
        coming = sorted((coming for card in cards for coming in card.coming), key=lambda coming: coming.start)
        for appointment in coming[:MOST_SHOWN]:
            start = clinic.local(appointment.start)
            agenda = f"/agenda?{urlencode({'day': start.date().isoformat(), 'appointment': appointment.id})}"
            with ui.link(target=agenda).classes("i-visit"):
                ui.label(f"{start:%d/%m · %H:%M}").classes("i-visit-when")
                told = (appointment.service_name, appointment.professional_name, plan_title(appointment.plan))
                ui.label(", ".join(part for part in told if part))
                if len(patients) > 1:
                    ui.label(appointment.patient_name).classes("g-soft g-small").props('dir="auto"')
        if not coming:
            ui.label(TEXTS["coming_none"] if patients else TEXTS["no_patient"]).classes("g-soft")
        if actor.may(Right.WRITE):
            ui.link(TEXTS["book"], f"/agenda?{urlencode({'contact': row.contact})}").classes("i-card-book")
        _notes(cards)
        if len(patients) > 1:
            _family(patients)
        with ui.element("h3"):
            ui.label(TEXTS["tasks"])
        TasksBeside(context, clinic, Link(row.contact))
        with ui.element("h3"):
            ui.label(TEXTS["preferences"])
        await PreferencesBeside(context, row.contact).show(actor)
        if patients:
            ui.link(TEXTS["open_card"], f"/patients/{quote(row.contact, safe='')}").classes("i-card-link")


def _notes(cards: list[PatientCard]) -> None:
    noted = [card for card in cards if card.notes]
    if noted:
        with ui.element("h3"):
            ui.label(TEXTS["notes"])
    for card in noted:
        ui.label(card.notes).classes("i-card-notes").props('dir="auto"')


def _family(patients: list[PatientRow]) -> None:
    with ui.element("h3"):
        ui.label(TEXTS["books_for"])
    for patient in patients:
        ui.label(patient.name).props('dir="auto"')


class PreferencesBeside:
    """Built into the slot it is made in; `show` fills it."""

    def __init__(self, context: PageContext, contact: str) -> None:
        self._preferences, self._contact = context.gendei.front_desk.preferences, contact
        self._desks = context.gendei.desks
        self._place = ui.element("div")

    async def show(self, actor: Actor) -> None:
        """Raises NotFound."""
        preferences, notices = await self._preferences.of(actor, self._contact)
        self._place.clear()
        with self._place:
            for line in self._lines(preferences, notices):
                text("p", line)
            if actor.may(Right.WRITE):
                with ui.element("div").classes("t-actions t-actions-start"):
                    button(TEXTS["pref_change"], acting(self._ask), kind="outline")

    def _lines(self, preferences: Preferences, notices: bool) -> list[str]:
        """The way of answering, and what differs from the ordinary."""
        ordinary = Preferences()
        lines = [TEXTS[f"pref_{preferences.answers}"]]
        if preferences.voice:
            lines.append(TEXTS("pref_voice_is", voice=preferences.voice.capitalize()))
        if preferences.rate != ordinary.rate:
            lines.append(TEXTS("pref_rate_is", rate=_pace(preferences.rate)))
        if preferences.language != ordinary.language:
            lines.append(TEXTS("pref_language_is", language=TEXTS[f"lang_{preferences.language}"]))
        return lines if notices else [*lines, TEXTS["pref_no_notices"]]

    async def _ask(self, actor: Actor) -> None:
        preferences, notices = await self._preferences.of(actor, self._contact)
        before = {**asdict(preferences), NOTICES: notices}
        languages = {language: TEXTS[f"lang_{language}"] for language in LANGUAGES}
        known = dict.fromkeys(filter(None, (*VOICES, preferences.voice)))
        voices = {"": TEXTS["pref_voice_clinic"]} | {voice: voice.capitalize() for voice in known}
        sheet = Sheet(TEXTS["pref_title"])
        with sheet.body:
            fields = {
                "answers": _select(TEXTS["pref_answers"], {answers: TEXTS[f"pref_{answers}"] for answers in Answers}),
                "voice": _select(TEXTS["pref_voice"], voices),
                "rate": _select(TEXTS["pref_rate"], {rate: _pace(rate) for rate in _rates(preferences.rate)}),
                "language": _select(TEXTS["pref_language"], languages),
                "context": ui.number(TEXTS["pref_context"], min=FEWEST, max=MOST, precision=0).props("outlined"),
                "interruption": ui.switch(TEXTS["pref_interruption"]),
                NOTICES: ui.switch(TEXTS["pref_notices"]),
            }
            for name, field in fields.items():
                field.set_value(before[name])

        async def save(now: Actor) -> None:
            after: dict[str, Any] = {name: field.value for name, field in fields.items()}
            after["context"] = min(MOST, max(FEWEST, int(after["context"] or before["context"])))
            await run_command(self._desks, now, SET_PREFERENCES, SetPreferences(contact=self._contact, **after))
            sheet.close()
            await self.show(now)

        sheet.leave_button()
        sheet.button(OFFICE["save"], acting(save))


def _select(label: str, options: dict[Any, str]) -> ui.select:
    return ui.select(options, label=label).props("outlined")


def _rates(current: float) -> list[float]:
    """In tenths, and what a program may have chosen between them."""
    tenths = {round(tenth / 10, 1) for tenth in range(round(SLOWEST * 10), round(FASTEST * 10) + 1)}
    return sorted(tenths | {current})


def _pace(rate: float) -> str:
    return f"{rate:g}×".replace(".", ",")

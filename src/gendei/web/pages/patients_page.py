"""/patients: look patients up. /patients/{who}: one patient, by id; by a contact too, as conversations know it."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.booking.personal_data import UNKNOWN
from gendei.clinic import Clinic
from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.patients import MAX_NOTES, PatientCard, PatientEdit, PatientPage, PatientRow
from gendei.staff.tasks.stored import Link
from gendei.web.pages.acting import acting, agenda_texts, tell
from gendei.web.pages.agenda.personal_fields import PersonalFields
from gendei.web.pages.frame import asset, keep_draft, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, entry, facts, moment, office, panel, tag, text
from gendei.web.pages.site import PageContext
from gendei.web.pages.tasks.page import TasksBeside

TEXTS = page_texts("patients")

PAUSE_MS = 250
"""Of who types, before it is searched."""


@staff_page("/patients", title="patients")
async def patients(context: PageContext) -> None:
    records = context.gendei.front_desk.patients

    async def show(actor: Actor) -> None:
        wanted = field.value or ""
        found = await records.page(actor, wanted)
        if wanted != (field.value or ""):
            return
        results.clear()
        add(found, wanted)

    def add(found: PatientPage, wanted: str) -> None:
        """Show what was found, and a button for more of it."""

        async def go_on(actor: Actor) -> None:
            further = await records.page(actor, wanted, cursor=found.cursor)
            if wanted == (field.value or ""):
                more.delete()
                add(further, wanted)

        with results:
            _results(found, wanted)
            if found.cursor:
                more = button(TEXTS["more"], acting(go_on))

    with office(TEXTS["title"]):
        field = ui.input(TEXTS["search"], on_change=acting(show)).props(
            f"outlined clearable type=search debounce={PAUSE_MS}"
        )
        keep_draft(field, "patients-search")
        results = ui.element("div").classes("g-card o-list").props(f'aria-label="{TEXTS["results"]}" aria-live=polite')
        add(await records.page(context.actor), "")


@staff_page("/patients/{who}", title="patients")
async def patient(context: PageContext, who: str) -> None:
    records = context.gendei.front_desk.patients
    with office():
        ui.link(TEXTS["back"], "/patients").classes("o-link")
        try:
            await show_card(context, await records.card(context.actor, who))
        except NotFound:
            await _of_contact(context, who)


async def _of_contact(context: PageContext, contact: str) -> None:
    """For whom a contact books: the card, where it is one."""
    records = context.gendei.front_desk.patients
    try:
        found = await records.of_contact(context.actor, contact)
    except NotFound:
        found = []
    if len(found) == 1:
        await show_card(context, await records.card(context.actor, found[0].id))
    elif found:
        with panel(TEXTS["books_for"]), ui.element("div").classes("o-list"):
            for row in found:
                patient_row(row)
    else:
        empty(TEXTS["not_found"], (TEXTS["search_again"], "/patients"))


def _results(found: PatientPage, wanted: str) -> None:
    for row in found.rows:
        patient_row(row)
    if not found.rows:
        if wanted.strip():
            empty(TEXTS["none_found"])
        else:
            empty(TEXTS["none_yet"], (TEXTS["to_agenda"], "/agenda"))


def patient_row(row: PatientRow) -> None:
    """One patient, as a link to the card."""
    with ui.link(target=f"/patients/{quote(row.id, safe='')}").classes("o-row"), ui.element("span").classes("o-main"):
        text("span", row.name, "o-name")
        text("span", row.phone or row.contact, "g-soft g-small")


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


async def show_card(context: PageContext, card: PatientCard) -> None:
    """Raises NotFound where the clinic is gone."""
    clinic = context.clinic
    if clinic is None:
        raise NotFound
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("tasks.css")}">')
    _heading(card)
    with ui.element("div").classes("o-columns"):
        with ui.element("div").classes("o-stack"):
            _who(context, clinic, card)
            _contact(clinic, card)
            _consent(context, clinic, card)
            _family(card)
        with ui.element("div").classes("o-stack"):
            with panel(TEXTS["coming"]):
                _appointments(context, card.coming)
                to_book = TEXTS["book"], f"/agenda?{urlencode({'contact': card.patient.contact})}"
                if card.coming:
                    ui.link(*to_book).classes("o-link")
                else:
                    empty(TEXTS["no_coming"], to_book)
            with panel(TEXTS["tasks"]):
                contact = card.patient.contact if card.written else None
                TasksBeside(context, clinic, Link(contact, card.patient.id))
            with panel(TEXTS["past"]):
                _appointments(context, card.past[:LATEST])
                if len(card.past) > LATEST:
                    with ui.expansion(TEXTS("older", count=len(card.past) - LATEST)).props("dense"):
                        _appointments(context, card.past[LATEST:])
                if not card.past:
                    empty(TEXTS["no_past"])


def _heading(card: PatientCard) -> None:
    with ui.element("div").classes("o-head"):
        text("h1", card.patient.name, "g-title o-h1 o-grow")
        words = TEXTS["to_conversation" if card.written else "begin_conversation"]
        ui.link(words, f"/inbox?contact={quote(card.patient.contact, safe='')}").classes("o-button-link")


def _who(context: PageContext, clinic: Clinic, card: PatientCard) -> None:
    row, records = card.patient, context.gendei.front_desk.patients
    known = card.personal_data

    async def save(actor: Actor) -> None:
        edit = PatientEdit(
            name=name.value if name.value != row.name else None,
            phone=phone.value or "" if (phone.value or "") != (row.phone or "") else None,
            notes=notes.value or "" if (notes.value or "") != card.notes else None,
            personal_data=personal.within(known) if known is not None and personal.within(known) != known else None,
        )
        if edit != PatientEdit():
            await records.edit(actor, row.id, edit)
        ui.navigate.reload()

    with panel(TEXTS["card"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(TEXTS["name"], value=row.name).props("outlined dense maxlength=80")
            phone = ui.input(TEXTS["phone"], value=row.phone or "").props("outlined dense type=tel maxlength=40")
        today = clinic.local(context.gendei.clock()).date()
        personal = PersonalFields(() if known is None else clinic.personal_data, today, row="o-fields")
        personal.show(known or UNKNOWN)
        notes = ui.textarea(TEXTS["notes"], value=card.notes)
        notes.props(f"outlined autogrow maxlength={MAX_NOTES} input-style='min-height: 84px'")
        keep_draft(notes, f"patient-notes {row.id}")
        text("p", TEXTS["notes_hint"], "g-soft g-small")
        with ui.element("div").classes("o-actions"):
            button(TEXTS["save"], acting(save), kind="unelevated color=primary")


def _contact(clinic: Clinic, card: PatientCard) -> None:
    with panel(TEXTS["contact"]):
        facts(
            [
                (TEXTS["writes_as"], card.patient.contact),
                *((TEXTS["also"], form) for form in card.forms if form != card.patient.contact),
                (TEXTS["since"], moment(clinic.local(card.created_at))),
                (TEXTS["changed"], moment(clinic.local(card.patient.updated_at))),
            ]
        )


def _consent(context: PageContext, clinic: Clinic, card: PatientCard) -> None:
    consent, records = card.consent, context.gendei.front_desk.patients

    async def set_consent(actor: Actor, messages: bool) -> None:
        await records.set_consent(actor, card.patient.contact, messages=messages)
        tell(ui.context.client, TEXTS["consent_saved"])
        ui.navigate.reload()

    with panel(TEXTS["consent"], TEXTS["consent_hint"]):
        with ui.element("div").classes("o-head"):
            if consent.opted_out_at is None:
                tag(TEXTS["opted_in"], "good")
                button(TEXTS["opt_out"], acting(set_consent, messages=False))
            else:
                tag(TEXTS("opted_out", at=moment(clinic.local(consent.opted_out_at))), "warn")
                button(TEXTS["opt_in"], acting(set_consent, messages=True))
        if consent.no_marketing_since is not None:
            text("p", TEXTS("no_marketing", at=moment(clinic.local(consent.no_marketing_since))), "g-small")


def _family(card: PatientCard) -> None:
    if not card.family:
        return
    with panel(TEXTS["family"], TEXTS["family_hint"]), ui.element("div").classes("o-list"):
        for row in card.family:
            ui.link(row.name, f"/patients/{quote(row.id, safe='')}").classes("o-row o-name")


def _appointments(context: PageContext, appointments: Sequence[Appointment]) -> None:
    statuses = agenda_texts(context.site).statuses
    with ui.element("div").classes("o-list"):
        for appointment in appointments:
            start, who = appointment.start, quote(appointment.professional_id, safe="")
            name = f"{WEEKDAY_NAMES[start.weekday()][:3]}, {moment(start)}"
            what = f"{appointment.service_name} · {appointment.professional_name}"
            with entry(
                name, what, appointment.cancel_reason or "", link=f"/agenda?day={start:%Y-%m-%d}&professional={who}"
            ):
                tag(statuses[appointment.status], KINDS.get(appointment.status, ""))

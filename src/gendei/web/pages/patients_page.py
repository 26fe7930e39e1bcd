"""/patients: look patients up. /patients/{who}: one patient, by id; by a contact too, as conversations know it."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.patients import MAX_NOTES, PatientCard, PatientEdit, PatientPage, PatientRow
from gendei.staff.tasks.stored import Link
from gendei.web.pages.acting import acting, agenda_texts
from gendei.web.pages.frame import PageContext, asset, keep_draft, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, facts, moment, office, panel, tag, text
from gendei.web.pages.tasks.rows import TasksBeside

PAUSE_MS = 250
"""Of who types, before it is searched."""


@staff_page("/patients", title="patients")
async def patients(context: PageContext) -> None:
    words, records = page_texts("patients"), context.site.gendei.front_desk.patients

    async def show(actor: Actor) -> None:
        wanted = field.value or ""
        found = await records.page(actor, wanted)
        if wanted != (field.value or ""):
            return
        results.clear()
        add(found, wanted)

    def add(found: PatientPage, wanted: str) -> None:
        """What was found, and the way to more of it."""

        async def go_on(actor: Actor) -> None:
            further = await records.page(actor, wanted, cursor=found.cursor)
            if wanted == (field.value or ""):
                more.delete()
                add(further, wanted)

        with results:
            _results(found, wanted)
            if found.cursor:
                more = button(words["more"], acting(go_on))

    with office(words["title"]):
        field = ui.input(words["search"], on_change=acting(show)).props(
            f"outlined clearable type=search debounce={PAUSE_MS}"
        )
        keep_draft(field, "patients-search")
        results = ui.element("div").classes("g-card o-list").props(f'aria-label="{words["results"]}" aria-live=polite')
        add(await records.page(context.actor), "")


@staff_page("/patients/{who}", title="patients")
async def patient(context: PageContext, who: str) -> None:
    words, records = page_texts("patients"), context.site.gendei.front_desk.patients
    with office():
        ui.link(words["back"], "/patients").classes("o-link")
        try:
            await show_card(context, await records.card(context.actor, who))
        except NotFound:
            await _of_contact(context, who)


async def _of_contact(context: PageContext, contact: str) -> None:
    """For whom a contact books: the card, where it is one."""
    words, records = page_texts("patients"), context.site.gendei.front_desk.patients
    try:
        found = await records.of_contact(context.actor, contact)
    except NotFound:
        found = []
    if len(found) == 1:
        await show_card(context, await records.card(context.actor, found[0].id))
    elif found:
        with panel(words["books_for"]), ui.element("div").classes("o-list"):
            for row in found:
                patient_row(row)
    else:
        empty(words["not_found"], (words["search_again"], "/patients"))


def _results(found: PatientPage, wanted: str) -> None:
    words = page_texts("patients")
    for row in found.rows:
        patient_row(row)
    if not found.rows:
        if wanted.strip():
            empty(words["none_found"])
        else:
            empty(words["none_yet"], (words["to_agenda"], "/agenda"))


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
            _who(context, card)
            _contact(clinic, card)
            _consent(context, clinic, card)
            _family(card)
        with ui.element("div").classes("o-stack"):
            words = page_texts("patients")
            with panel(words["coming"]):
                _appointments(context, card.coming)
                to_book = words["book"], f"/agenda?{urlencode({'contact': card.patient.contact})}"
                if card.coming:
                    ui.link(*to_book).classes("o-link")
                else:
                    empty(words["no_coming"], to_book)
            with panel(words["tasks"]):
                contact = card.patient.contact if card.written else None
                TasksBeside(context, clinic, Link(contact, card.patient.id))
            with panel(words["past"]):
                _appointments(context, card.past[:LATEST])
                if len(card.past) > LATEST:
                    with ui.expansion(words["older"].format(count=len(card.past) - LATEST)).props("dense"):
                        _appointments(context, card.past[LATEST:])
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


def _who(context: PageContext, card: PatientCard) -> None:
    words, row, records = page_texts("patients"), card.patient, context.site.gendei.front_desk.patients

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


def _consent(context: PageContext, clinic: Clinic, card: PatientCard) -> None:
    words, consent, records = page_texts("patients"), card.consent, context.site.gendei.front_desk.patients

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


def _appointments(context: PageContext, appointments: Sequence[Appointment]) -> None:
    statuses = agenda_texts(context.site).statuses
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

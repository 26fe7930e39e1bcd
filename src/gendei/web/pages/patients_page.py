"""/patients: look patients up. /patients/{who}: one patient, by id; by a contact too, as conversations know it."""

from urllib.parse import quote

from nicegui import ui

from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.patients import PatientPage, PatientRow
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import Visit, keep_draft, staff_page
from gendei.web.pages.panels import button, empty, office, panel, text
from gendei.web.pages.patient_card import show_card
from gendei.web.pages.texts import page_texts

PAUSE_MS = 250
"""Of who types, before it is searched."""


@staff_page("/patients", title="patients")
async def patients(visit: Visit) -> None:
    words, records = page_texts("patients"), visit.site.gendei.front_desk.patients

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
        add(await records.page(visit.actor), "")


@staff_page("/patients/{who}", title="patients")
async def patient(visit: Visit, who: str) -> None:
    words, records = page_texts("patients"), visit.site.gendei.front_desk.patients
    with office():
        ui.link(words["back"], "/patients").classes("o-link")
        try:
            await show_card(visit, await records.card(visit.actor, who))
        except NotFound:
            await _of_contact(visit, who)


async def _of_contact(visit: Visit, contact: str) -> None:
    """For whom a contact books: the card, where it is one."""
    words, records = page_texts("patients"), visit.site.gendei.front_desk.patients
    try:
        found = await records.of_contact(visit.actor, contact)
    except NotFound:
        found = []
    if len(found) == 1:
        await show_card(visit, await records.card(visit.actor, found[0].id))
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

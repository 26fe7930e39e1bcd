"""/patients: look patients up. /patients/{who}: one patient, by id; by a contact too, as conversations know it."""

from urllib.parse import quote

from nicegui import ui

from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.patient_rows import PatientRow
from gendei.staff.patient_search import PatientPage
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import keep_draft, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, office, panel, text
from gendei.web.pages.patient_card import show_card
from gendei.web.pages.phones import address_text
from gendei.web.pages.site import PageContext

TEXTS = page_texts("patients")

PAUSE_MS = 250
"""Of who types, before it is searched."""


@staff_page("/patients", title="patients")
async def patients(context: PageContext) -> None:
    records = context.gendei.front_desk.patients

    async def show(actor: Actor) -> None:
        wanted = field.value or ""
        found = await records.page(actor, wanted, related=True)
        if wanted != (field.value or ""):
            return
        results.clear()
        add(found, wanted)

    def add(found: PatientPage, wanted: str) -> None:
        """Show what was found, and a button for more of it."""

        async def go_on(actor: Actor) -> None:
            further = await records.page(actor, wanted, cursor=found.cursor, related=True)
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
        text("span", address_text(row.phone or row.contact), "g-soft g-small")
        if row.via:
            text("span", TEXTS("via", name=row.via), "g-soft g-small")

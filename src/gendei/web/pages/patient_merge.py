"""Making one card of two: which other one, what it would do, and the yes."""

from functools import partial
from urllib.parse import quote

from nicegui import ui

from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.commands.patients import MERGE_PATIENTS, MergePatients
from gendei.staff.actors import Actor
from gendei.staff.patient_cards import PatientCard
from gendei.staff.patient_merging import MergePlan
from gendei.staff.patient_rows import PatientRow
from gendei.web.pages.acting import Problem, acting, attempt, refusal, run_command
from gendei.web.pages.agenda.personal_fields import personal_facts
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import facts, moment, text
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import DANGER, PLAIN, Sheet
from gendei.web.pages.site import PageContext

TEXTS = page_texts("patients")

PAUSE_MS = 250
"""Of who types, before it is searched."""
FOUND = 8


async def ask_merge(_actor: Actor, context: PageContext, patient: PatientRow) -> None:
    """Open the dialog on the card of `patient`, with whom it may be the same person already looked up."""
    await MergeSheet(context, patient).search()


class MergeSheet:
    def __init__(self, context: PageContext, patient: PatientRow) -> None:
        self._context, self._patient, self._client = context, patient, ui.context.client
        self._desk = context.gendei.front_desk
        self._sheet = Sheet(TEXTS["merge"])
        with self._sheet.body:
            text("p", TEXTS["merge_hint"], "g-soft")
            self._field = ui.input(TEXTS["merge_search"], value=patient.name, on_change=self.search).props(
                f"outlined dense clearable type=search debounce={PAUSE_MS}"
            )
            self._place = ui.element("div").classes("o-stack").props("aria-live=polite")
        self._sheet.leave_button()

    async def search(self) -> None:
        """Show whom the words may mean, but for the patient."""
        wanted = str(self._field.value or "")
        found = await attempt(self._client, lambda actor: self._find(actor, wanted))
        if not self._sheet.is_open or wanted != str(self._field.value or "") or not self._field.visible:
            return
        self._place.clear()
        if isinstance(found, Problem):
            self._sheet.say(found.text)
            return
        others = [row for row in found if row.id != self._patient.id][:FOUND]
        with self._place:
            for row in others:
                choice = ui.button(on_click=partial(self._preview, self._patient.id, row.id))
                choice.props("flat no-caps align=left").classes("o-choice")
                with choice, ui.element("span").classes("o-main"):
                    text("span", row.name, "o-name")
                    text("span", address_text(row.phone or row.contact), "g-soft g-small")
            if not others:
                text("p", TEXTS["merge_none"], "g-soft")

    async def _find(self, actor: Actor, wanted: str) -> list[PatientRow]:
        """Of the patient's own name, also who shares the first one or the number: names are cut and misspelt."""
        patient = self._patient
        first = wanted.partition(" ")[0]
        texts = [wanted] if wanted != patient.name else [wanted, first, patient.phone or patient.contact]
        search = self._desk.patients.page
        pages = [await search(actor, text, limit=FOUND + 1) for text in dict.fromkeys(texts)]
        return list({row.id: row for page in pages for row in page.rows}.values())

    async def _preview(self, kept: str, gone: str) -> None:
        """Show what would become of the two cards."""
        plan = await attempt(self._client, lambda actor: self._desk.merging.plan(actor, kept, gone))
        if not self._sheet.is_open:
            return
        if isinstance(plan, Problem):
            self._sheet.say(plan.text)
            return
        self._field.set_visibility(False)
        self._place.clear()
        self._sheet.buttons.clear()
        with self._place:
            self._show(plan)
        with self._sheet.buttons:
            ui.button(TEXTS["merge_other"], on_click=self._again).props(PLAIN)
        self._sheet.say(refusal(plan.refused) if plan.refused else "")
        if plan.refused is None:
            self._sheet.button(TEXTS["merge_do"], acting(self._merge, kept, gone), props=DANGER)

    def _show(self, plan: MergePlan) -> None:
        with ui.element("div").classes("o-pair"):
            _side(self._context, TEXTS["merge_stays"], plan.kept)
            _side(self._context, TEXTS["merge_joins"], plan.gone)
        swap = partial(self._preview, plan.gone.patient.id, plan.kept.patient.id)
        ui.button(TEXTS["merge_swap"], icon="swap_horiz", on_click=swap).props("flat dense no-caps").classes("o-button")
        if plan.names_differ:
            text("p", TEXTS["names_differ"], "g-problem").props('role="alert"')
        with ui.element("section").classes("o-box").props(f'aria-label="{TEXTS["merge_result"]}"'):
            text("strong", TEXTS["merge_result"], "o-name")
            names = dict.fromkeys((plan.kept.patient.name, *plan.kept.names, plan.gone.patient.name, *plan.gone.names))
            facts(
                [
                    (TEXTS["name"], plan.kept.patient.name),
                    *((TEXTS["also_named"], name) for name in list(names)[1:]),
                    (TEXTS["phone"], address_text(plan.phone) if plan.phone else "—"),
                    *personal_facts(_personal(plan.kept).over(_personal(plan.gone))),
                    (TEXTS["books"], _who_books(plan.kept, plan.gone)),
                    (TEXTS["visits"], _visits(plan.kept, plan.gone)),
                    (TEXTS["notes"], plan.notes or TEXTS["no_notes"]),
                ]
            )

    async def _again(self) -> None:
        self._sheet.say("")
        self._sheet.buttons.clear()
        self._sheet.leave_button()
        self._field.set_visibility(True)
        await self.search()

    async def _merge(self, actor: Actor, kept: str, gone: str) -> None:
        given = MergePatients(patient_id=kept, other_id=gone)
        row = await run_command(self._context.gendei.desks, actor, MERGE_PATIENTS, given)
        with self._client:
            ui.navigate.to(f"/patients/{quote(row.id, safe='')}")


def _side(context: PageContext, title: str, card: PatientCard) -> None:
    with ui.element("section").classes("o-box o-main").props(f'aria-label="{title}"'):
        text("span", title, "g-soft g-small")
        text("strong", card.patient.name, "o-name")
        text("span", address_text(card.patient.phone or card.patient.contact))
        for name, known in personal_facts(_personal(card)):
            text("span", f"{name}: {known}", "g-small")
        text("span", f"{TEXTS['books']}: {_who_books(card)}", "g-small")
        text("span", _visits(card), "g-small")
        if card.coming and context.clinic:
            text("span", f"{TEXTS['next']}: {moment(card.coming[0].start)}", "g-small")
        text("span", card.notes or TEXTS["no_notes"], "g-soft g-small o-notes")


def _personal(card: PatientCard) -> PersonalData:
    return card.personal_data or UNKNOWN


def _who_books(*cards: PatientCard) -> str:
    bookers = {booker.contact: booker for card in cards for booker in card.bookers}
    told = (" ".join(filter(None, (each.name, address_text(each.contact)))) for each in bookers.values())
    return ", ".join(told)


def _visits(*cards: PatientCard) -> str:
    coming, past = sum(len(card.coming) for card in cards), sum(len(card.past) for card in cards)
    return TEXTS("visits_of", coming=coming, past=past)

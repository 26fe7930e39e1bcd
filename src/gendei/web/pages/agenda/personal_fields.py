"""Birth date, CPF and the number of the health plan's card, for who may see them, where the clinic keeps them."""

from collections.abc import Collection
from contextlib import suppress
from datetime import date
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from gendei.booking.personal_data import UNKNOWN, PersonalData, age, cpf_text
from gendei.clinic import PersonalDatum
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, fact
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.sheets import PLAIN

TEXTS = page_texts("agenda")


class PersonalFields:
    """Fields for what is `kept`; none where that is nothing, or who is signed in may not see it."""

    def __init__(self, kept: Collection[PersonalDatum], today: date, *, row: str = "a-row") -> None:
        self._fields: dict[PersonalDatum, ValueElement[Any]] = {}
        if not kept:
            return
        with ui.element("div").classes(row):
            if PersonalDatum.BIRTH_DATE in kept:
                born = ui.input(TEXTS["birth_date"]).props(f'{FIELD} stack-label type="date" max="{today}"')
                self._fields[PersonalDatum.BIRTH_DATE] = born.classes("a-half")
            if PersonalDatum.CPF in kept:
                cpf = ui.input(TEXTS["cpf"]).props(f'{FIELD} mask="###.###.###-##" unmasked-value inputmode="numeric"')
                self._fields[PersonalDatum.CPF] = cpf.props('autocomplete="off"').classes("a-half")
            if PersonalDatum.PLAN_CARD in kept:
                card = ui.input(TEXTS["plan_card_number"]).props(f'{FIELD} maxlength="40" autocomplete="off"')
                self._fields[PersonalDatum.PLAN_CARD] = card.classes("a-half")

    @property
    def all(self) -> tuple[ValueElement[Any], ...]:
        return tuple(self._fields.values())

    def show(self, known: PersonalData) -> None:
        shown = {
            PersonalDatum.BIRTH_DATE: known.birth_date.isoformat() if known.birth_date else "",
            PersonalDatum.CPF: known.cpf or "",
            PersonalDatum.PLAN_CARD: known.plan_card or "",
        }
        for datum, field in self._fields.items():
            field.value = shown[datum]

    def within(self, before: PersonalData = UNKNOWN) -> PersonalData:
        """What stands in the fields; of what has no field, what was known before."""
        born = self._fields.get(PersonalDatum.BIRTH_DATE)
        cpf, card = (self._written(datum, before) for datum in (PersonalDatum.CPF, PersonalDatum.PLAN_CARD))
        return PersonalData(_day(born.value) if born else before.birth_date, cpf, card)

    def _written(self, datum: PersonalDatum, before: PersonalData) -> str | None:
        field = self._fields.get(datum)
        return (str(field.value or "").strip() or None) if field else getattr(before, datum)


def personal_facts(known: PersonalData) -> list[tuple[str, str]]:
    """What is known, each with its name."""
    born = [(TEXTS["birth_date"], f"{known.birth_date:%d/%m/%Y}")] if known.birth_date else []
    card = [(TEXTS["plan_card_number"], known.plan_card)] if known.plan_card else []
    return [*born, *([(TEXTS["cpf"], cpf_text(known.cpf))] if known.cpf else []), *card]


def _day(text: object) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(str(text))
    return None


def offer_personal_data(acting: AgendaActing, sheet: AgendaSheet, patient_id: str) -> None:
    """A button that shows what is known of a patient; that it was looked at stands in the audit."""
    if not acting.kept:
        return
    place = ui.element("div").classes("a-personal")

    async def show() -> None:
        known = await acting.attempt(lambda actor: acting.patients.personal_data(actor, patient_id))
        if isinstance(known, Problem):
            sheet.tell(known)
        elif sheet.is_open:
            place.clear()
            with place:
                show_personal_data(acting, known)

    with place:
        ui.button(TEXTS["show_personal_data"], icon="badge", on_click=show).props(PLAIN)


def show_personal_data(acting: AgendaActing, known: PersonalData) -> None:
    nothing, born = TEXTS["not_given"], known.birth_date
    if PersonalDatum.BIRTH_DATE in acting.kept:
        years = age(born, acting.now.date()) if born else 0
        fact(TEXTS["birth_date"], TEXTS("born", date=f"{born:%d/%m/%Y}", years=years) if born else nothing)
    if PersonalDatum.CPF in acting.kept:
        fact(TEXTS["cpf"], cpf_text(known.cpf) if known.cpf else nothing)
    if PersonalDatum.PLAN_CARD in acting.kept:
        fact(TEXTS["plan_card_number"], known.plan_card or nothing)

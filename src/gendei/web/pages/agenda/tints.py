"""The colours of cards by professional or by service."""

from nicegui import ui

from gendei.booking.appointment import Appointment
from gendei.clinic import Clinic
from gendei.web.pages.agenda.showing import Colours
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

HUES = (205, 25, 275, 145, 340, 60, 185, 305, 95, 240, 10, 165)
"""Degrees on the wheel of colours, neighbours far from each other; agenda.css makes tones of them."""


def hue_of(clinic: Clinic, colours: Colours, appointment: Appointment) -> int | None:
    """The hue of its card; None where the colour tells the state."""
    if colours is Colours.STATE:
        return None
    if colours is Colours.PROFESSIONAL:
        ids, wanted = [entry.id for entry in clinic.professionals], appointment.professional_id
    else:
        ids, wanted = [entry.id for entry in clinic.services], appointment.service_id
    return HUES[ids.index(wanted) % len(HUES)] if wanted in ids else None


def tint(element: ui.element, hue: int | None) -> None:
    """Give an element its hue, or let it show the state."""
    if hue is not None:
        element.classes("a-tinted").style.update({"--hue": str(hue)})


def show_legend(clinic: Clinic) -> None:
    """The colour of each service; professionals have their names above their cards."""
    for place, service in enumerate(clinic.services):
        with ui.element("li").classes("a-legend-entry"):
            tint(ui.element("span").classes("a-swatch").props('aria-hidden="true"'), HUES[place % len(HUES)])
            ui.label(service.name)

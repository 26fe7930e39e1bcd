"""What a patient may ask for: a copy of what is kept, and that it is erased, after a look at what goes and stays."""

import json

from nicegui import ui

from gendei.commands.patient_data import ERASE_PATIENT, EXPORT_PATIENT, PLAN_ERASING_PATIENT, OfPerson
from gendei.staff.actors import Actor
from gendei.staff.patient_data import Erasure
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import facts, text
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import DANGER, Sheet
from gendei.web.pages.site import PageContext

TEXTS = page_texts("patients")


async def download(actor: Actor, context: PageContext, patient_id: str) -> None:
    """Give the browser everything as a file."""
    found = await run_command(context.gendei.desks, actor, EXPORT_PATIENT, OfPerson(patient_id=patient_id))
    content = json.dumps(found, default=str, ensure_ascii=False, indent=2)
    ui.download.content(content, TEXTS["export_file"], "application/json")


async def ask_erase(actor: Actor, context: PageContext, patient_id: str) -> None:
    """Open the sheet that says what goes and what stays."""
    given = OfPerson(patient_id=patient_id)
    erasure = await run_command(context.gendei.desks, actor, PLAN_ERASING_PATIENT, given)

    async def erase(actor: Actor) -> None:
        await run_command(context.gendei.desks, actor, ERASE_PATIENT, given)
        ui.navigate.to("/patients")

    sheet = Sheet(TEXTS["erase"])
    with sheet.body:
        _show(erasure)
    sheet.leave_button()
    if erasure.coming:
        sheet.say(TEXTS("erase_coming", count=erasure.coming))
    else:
        sheet.button(TEXTS["erase_do"], acting(erase), props=DANGER)


def _show(erasure: Erasure) -> None:
    numbers = ("erase_messages", erasure.messages), ("erase_files", erasure.files), ("erase_tasks", erasure.tasks)
    text("strong", TEXTS["erase_goes"])
    facts(
        [
            (TEXTS["erase_cards"], ", ".join(erasure.names)),
            (TEXTS["erase_conversations"], ", ".join(map(address_text, erasure.contacts)) or "—"),
            *((TEXTS[key], str(count)) for key, count in numbers),
        ]
    )
    text("strong", TEXTS["erase_stays"])
    text("p", TEXTS("erase_past", count=erasure.past), "g-soft")
    for contact, names in erasure.shared.items():
        text("p", TEXTS("erase_shared", contact=address_text(contact), names=", ".join(names)), "g-soft")
    text("p", TEXTS["erase_audit"], "g-soft")

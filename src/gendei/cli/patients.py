"""`gendei patients`: what a clinic keeps of a person, handed out and erased."""

import json
from typing import Annotated, Any

import typer

from gendei.cli.language import say, worded
from gendei.cli.running import on_terminal
from gendei.cli.stored import ClinicOption, Stored, in_store
from gendei.clinic import ClinicId
from gendei.staff.actors import terminal
from gendei.staff.patient_data import Erasure

Contact = Annotated[
    str, typer.Option("--contact", help="Who writes: a phone or an id. It is about all whom they book for.")
]
Patient = Annotated[str, typer.Option("--patient", help="One patient's card, by its id.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def export(clinic: ClinicOption, contact: Contact = "", patient: Patient = "") -> None:
    """Print everything that is kept of a person, as JSON; files by name. It stands in the audit."""
    print(json.dumps(_do("EXPORT_PATIENT", clinic, contact, patient), default=str, ensure_ascii=False, indent=2))


def erase(clinic: ClinicOption, contact: Contact = "", patient: Patient = "", yes: Yes = False) -> None:
    """Erase a person for ever: cards, conversations with their files, tasks. Past appointments stay without the person,
    for the clinic's numbers; those still to come have to be cancelled first."""
    _tell(_do("PLAN_ERASING_PATIENT", clinic, contact, patient))
    if not yes and on_terminal():
        typer.confirm(worded("This cannot be taken back. Go on?"), abort=True)
    _do("ERASE_PATIENT", clinic, contact, patient)
    say("This is erased now.")


def _tell(erasure: Erasure) -> None:
    say(f"cards: {', '.join(erasure.names) or '-'}")
    say(f"conversations: {', '.join(erasure.contacts) or '-'}")
    say(f"messages: {erasure.messages}, files: {erasure.files}, tasks: {erasure.tasks}")
    say(f"appointments that stay without the person: {erasure.past}")
    for contact, names in erasure.shared.items():
        say(f"the conversation with {contact} stays, which is also about {', '.join(names)}")


def _do(command: str, clinic: str, contact: str, patient: str) -> Any:
    from gendei.cli.offers import checked  # noqa: PLC0415
    from gendei.commands import patient_data  # noqa: PLC0415

    if bool(contact) == bool(patient):
        raise typer.BadParameter(worded("give one of the two"), param_hint="--contact, --patient")
    given = checked(patient_data.OfPerson, {"contact": contact or None, "patient_id": patient or None})
    return _run(getattr(patient_data, command), given, clinic)


@in_store
async def _run(stored: Stored, command: Any, given: Any, clinic: str) -> Any:
    from gendei.cli.commands import desks_of  # noqa: PLC0415
    from gendei.store.opening import open_media  # noqa: PLC0415

    actor, media = terminal(ClinicId((await stored.clinic(clinic)).id)), open_media(stored.settings)
    try:
        return await command.do(await desks_of(stored, media).call(actor, "terminal"), given)
    finally:
        await media.close()

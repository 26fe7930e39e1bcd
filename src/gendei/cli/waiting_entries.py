"""`gendei waiting`: who is told of time that becomes free."""

from typing import Annotated

import typer

from gendei.cli.language import say, worded
from gendei.cli.stored import ClinicOption, Stored, in_store, print_list
from gendei.waiting.entry import WaitingEntry
from gendei.waiting.waiting_list import WaitingList


def list_waiting(clinic: ClinicOption) -> None:
    """List who waits for a time that becomes free, the longest first."""
    print_list(_waiting(clinic), _line, "Nobody waits.")


def add(  # noqa: PLR0913, PLR0917  # a command's options
    clinic: ClinicOption,
    service: Annotated[str, typer.Option("--service", help="The service's id.")],
    name: Annotated[str, typer.Option("--name", help="The patient's name.")],
    phone: Annotated[str, typer.Option("--phone", help="Of who is told.")],
    professional: Annotated[str, typer.Option("--professional", help="Only this one, by the id.")] = "",
    first: Annotated[str, typer.Option("--first", help="The first day that fits, 2026-11-24.")] = "",
    last: Annotated[str, typer.Option("--last", help="The last day that fits, 2026-11-30.")] = "",
    part: Annotated[str, typer.Option("--part", help="any, morning, afternoon or evening.")] = "any",
) -> None:
    """Put a patient on the waiting list."""
    from gendei.cli.offers import checked, do  # noqa: PLC0415  # who lists need not wait for it
    from gendei.commands import waiting_list  # noqa: PLC0415

    values = {"service_id": service, "patient_name": name, "phone": phone, "part_of_day": part}
    more = {"professional_id": professional, "first_day": first, "last_day": last}
    given = checked(waiting_list.AddToWaitingList, values | {field: value for field, value in more.items() if value})
    say(_line(do(waiting_list.ADD_TO_WAITING_LIST, given, clinic)))


def remove(
    clinic: ClinicOption, entry: Annotated[str, typer.Argument(help="As `gendei waiting list` prints.")]
) -> None:
    """Take a patient off the waiting list; what is offered to them goes to the next."""
    from gendei.cli.offers import checked, do  # noqa: PLC0415
    from gendei.commands import waiting_list  # noqa: PLC0415

    given = checked(waiting_list.RemoveFromWaitingList, {"entry_id": entry})
    removed = do(waiting_list.REMOVE_FROM_WAITING_LIST, given, clinic)
    say(f"removed: {_line(removed)}")


def _line(entry: WaitingEntry) -> str:
    wish = entry.wish
    whom = f" {worded('with')} {wish.professional_id}" if wish.professional_id else ""
    days = f"{wish.first:%Y-%m-%d}..{wish.last:%Y-%m-%d}"
    who = f"{entry.created_at:%Y-%m-%d %H:%M}  {entry.patient_name} ({entry.contact})"
    return f"{who}: {wish.service_id}{whom}, {days} [{entry.id}]"


@in_store
async def _waiting(stored: Stored, clinic_id: str) -> list[WaitingEntry]:
    from gendei.booking.desk import BookingDesk  # noqa: PLC0415

    clinic, documents, clock = await stored.clinic(clinic_id), stored.documents, stored.clock
    return await WaitingList(documents, clock, BookingDesk(documents, clock)).all(clinic)

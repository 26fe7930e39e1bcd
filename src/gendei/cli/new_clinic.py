"""`gendei clinics new, invite`: a clinic without a file, and the link for a clinic that sets itself up."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do
from gendei.cli.running import on_terminal, run
from gendei.cli.stored import opened
from gendei.clinic import WEEKDAYS
from gendei.clinics.field_paths import dotted
from gendei.commands.definition import Given
from gendei.commands.new_clinics import (
    BEGIN_DRAFT,
    CREATE_CLINIC,
    FILL_IN_DRAFT,
    INVITE_CLINIC,
    BeginDraft,
    FillInDraft,
    OfDraft,
)
from gendei.commands.operation import OperatorCall
from gendei.errors import ConfigurationError
from gendei.health_plan import plan_key
from gendei.observing.logs import escaped
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_drafts.drafts import LONGEST_ID, ClinicDraft
from gendei.web.sign_up import invitation_link

HERE = "http://127.0.0.1:8000"
"""Where `gendei serve` listens unless told otherwise."""
LEFT_OUT = "-"
USUAL_MINUTES = 30
_PRICED = re.compile(r"(?P<name>[^=]+?)(?:=(?P<price>[\d.]+(?:,\d{2})?)?)?(?:/(?P<minutes>\d+))?")


def new_clinic(
    name: Annotated[str, typer.Option(help="As patients read it; asked for where it is missing.")] = "",
    vertical: Annotated[str, typer.Option(help="med, dental, psi, nutri, fisio or geral.")] = "",
    address: Annotated[str, typer.Option(help="As patients read it.")] = "",
    hours: Annotated[
        list[str] | None, typer.Option(help="As mon-fri=08:00-12:00,13:00-18:00; without it, these.")
    ] = None,
    service: Annotated[
        list[str] | None, typer.Option(help="As Limpeza=180,00/50, with price and minutes; without it, typical ones.")
    ] = None,
    professional: Annotated[list[str] | None, typer.Option(help="Who can be booked, by name.")] = None,
    draft: Annotated[str, typer.Option(help="Go on with this one, of which some is filled in.")] = "",
) -> None:
    """Make a clinic: what is not given is asked for. What was answered is kept, whatever happens.

    A script that leaves out something needed is told what; the draft stays, and --draft goes on with it."""
    given = _Given(name, vertical, address, hours or [], service or [], professional or [])
    run(_make(given, draft))


def invite() -> None:
    """Print a link by which a clinic sets itself up. It is good once, for 14 days."""
    settings = Settings.load()
    if not settings.sign_up_by_invitation:
        remedy = "Set it to true."
        raise ConfigurationError("GENDEI_SIGN_UP_BY_INVITATION", "", "does not allow it.", remedy)
    print(invitation_link(settings.public_url or HERE, do(INVITE_CLINIC, Given())))


@dataclass(frozen=True, slots=True)
class _Given:
    """What the options say."""

    name: str
    vertical: str
    address: str
    hours: Sequence[str]
    services: Sequence[str]
    professionals: Sequence[str]


async def _make(given: _Given, draft_id: str) -> None:
    async with opened(Settings.load()) as stored:
        drafts, call = stored.drafts, OperatorCall(stored, terminal())
        if draft_id:
            draft = await drafts.get(call.actor, draft_id)
        else:
            name = given.name or _ask(worded("Name of the clinic"))
            vertical = given.vertical or _ask(f"{worded('Kind')}: {', '.join(drafts.check.verticals)}")
            draft = await BEGIN_DRAFT.do(call, checked(BeginDraft, {"vertical": vertical, "name": name}))
        try:
            for step in (_address, _hours, _services, _professionals):
                for edit in step(given, draft):  # each answer is kept before the next question
                    draft = await FILL_IN_DRAFT.do(call, FillInDraft(draft_id=draft.id, edits=(edit,)))
        except BaseException:
            _say_how_to_go_on(draft)
            raise
        if problems := drafts.problems(draft):
            for problem in problems:
                print(escaped(f"{problem.field}: {worded(problem.problem)} {worded(problem.remedy)}"), file=sys.stderr)
            _say_how_to_go_on(draft)
            raise typer.Exit(1)
        clinic = await CREATE_CLINIC.do(call, OfDraft(draft_id=draft.id))
        print(f"{clinic.id}: {clinic.name}")
        said = "Now connect its number with `gendei channels connect`, and add who works there with `gendei users add`."
        say(said, aside=True)


def _say_how_to_go_on(draft: ClinicDraft) -> None:
    say(f"Go on with `gendei clinics new --draft {draft.id}`.", aside=True)


def _ask(question: str, default: str | None = None) -> str:
    """Raises BadParameter where nobody can be asked."""
    if not on_terminal():
        raise typer.BadParameter(worded("is needed, and nobody can be asked"), param_hint=question)
    return str(typer.prompt(question, default=default, show_default=bool(default)))


def _address(given: _Given, draft: ClinicDraft) -> Iterator[Edit]:
    address = given.address
    if not address and on_terminal() and not draft.content.get("address"):
        address = _ask(worded("Address"), "")
    if address:
        yield Edit("address", address)


def _hours(given: _Given, _draft: ClinicDraft) -> Iterator[Edit]:
    for text in given.hours:
        days, _, ranges = text.partition("=")
        said = [part.strip() for part in ranges.split(",") if part.strip()]
        for day in _days(days):
            yield Edit(dotted(("hours", day)), said or None)


def _days(text: str) -> Sequence[str]:
    """ "mon-fri" as its days. Raises BadParameter."""
    first, _, last = text.strip().partition("-")
    if first not in WEEKDAYS or (last and last not in WEEKDAYS):
        raise typer.BadParameter(f"{text}: mon, tue, wed, thu, fri, sat, sun", param_hint="--hours")
    return WEEKDAYS[WEEKDAYS.index(first) : WEEKDAYS.index(last or first) + 1]


def _services(given: _Given, draft: ClinicDraft) -> Iterator[Edit]:
    """Exactly those that are given; else the draft's, each with the price that is asked for."""
    standing: dict[str, Any] = draft.tree.get("services") or {}
    wanted = [_service(text, standing) for text in given.services]
    if wanted:
        kept = {each["id"] for each in wanted}
        yield from (Edit(dotted(("services", name)), None) for name in standing if name not in kept)
        yield from (Edit(dotted(("services", each["id"])), each) for each in wanted)
    elif on_terminal():
        for name, entry in standing.items():
            if "price_cents" not in entry:
                yield from _priced(name, entry["name"])


def _priced(name: str, shown: str) -> Iterator[Edit]:
    price = _ask(f"{shown}: {worded('price in reais, nothing for on request, - to leave it out')}", "").strip()
    if price == LEFT_OUT:
        yield Edit(dotted(("services", name)), None)
    elif price:
        yield Edit(dotted(("services", name, "price_cents")), _cents(price))


def _service(text: str, standing: dict[str, Any]) -> dict[str, Any]:
    """NAME=PRICE/MINUTES, the last two perhaps missing. Raises BadParameter."""
    found = _PRICED.fullmatch(text.strip())
    if found is None:
        raise typer.BadParameter(f"{text}: Limpeza=180,00/50", param_hint="--service")
    new_id = plan_key(found["name"])[:LONGEST_ID].strip("-")
    usual = standing.get(new_id, {"duration_minutes": USUAL_MINUTES})
    minutes = int(found["minutes"]) if found["minutes"] else usual["duration_minutes"]
    price = {"price_cents": _cents(found["price"])} if found["price"] else {}
    return {"id": new_id, "name": found["name"].strip(), "duration_minutes": minutes, **price}


def _cents(price: str) -> Any:
    """What is no amount stays as it is, and the check tells of it."""
    amount = re.fullmatch(r"(\d+)(?:,(\d{2}))?", price.strip().removeprefix("R$").strip().replace(".", ""))
    return int(amount[1]) * 100 + int(amount[2] or 0) if amount else price


def _professionals(given: _Given, draft: ClinicDraft) -> Iterator[Edit]:
    """They do all services; the pages and `gendei clinics set` say otherwise."""
    for name in given.professionals:
        yield _professional(name, draft)
    asked = on_terminal() and not given.professionals and not draft.tree.get("professionals")
    while asked and (name := _ask(worded("Who can be booked, nothing for nobody else"), "").strip()):
        yield _professional(name, draft)


def _professional(name: str, draft: ClinicDraft) -> Edit:
    new_id = plan_key(name)[:LONGEST_ID].strip("-")
    entry = {"id": new_id, "name": name, "services": list(draft.tree.get("services") or {})}
    return Edit(dotted(("professionals", new_id)), entry)

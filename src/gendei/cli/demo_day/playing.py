"""Plays the demo's scripts on the real service, with the clock going on from each thing to the next."""

from collections.abc import Sequence
from datetime import date

import httpx
from starlette.types import ASGIApp

from gendei.app import Gendei
from gendei.booking.slots import BookingRefused
from gendei.cli.demo_day.approved import approve_templates
from gendei.cli.demo_day.script import BEGINS, FIRST, moment_of, script_of
from gendei.cli.demo_day.week import Week
from gendei.clock import MovableClock
from gendei.commands.refusals import CommandRefused
from gendei.errors import GendeiError
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.phone import SignedBody


async def play(gendei: Gendei, graph: GraphSimulator, app: ASGIApp, clock: MovableClock, monday: date) -> list[str]:
    """Play the scripts of all clinics that have one in the week of `monday`, until the demo begins; what could not be
    done as it is written, without anybody's words."""
    scripts = [(clinic, script) for clinic in gendei.directory.all() if (script := script_of(clinic.id))]
    clock.move_to(min(moment_of(FIRST, monday, clinic) for clinic, _ in scripts))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:

        async def post(signed: SignedBody) -> int:
            body, headers = signed
            return (await client.post("/webhooks/meta", content=body, headers=headers)).status_code

        weeks = [Week(gendei, graph, post, clinic, script, monday) for clinic, script in scripts]
        await approve_templates(gendei, graph)
        undone = await _play(weeks, clock)
        for week in weeks:
            await week.note_consents()
    for clinic, _ in scripts:
        clock.move_to(moment_of(BEGINS, monday, clinic))
    return undone


async def _play(weeks: Sequence[Week], clock: MovableClock) -> list[str]:
    undone = []
    for week in weeks:
        await week.prepare()
    acts = [(at, f"{week.clinic.id}: {name}", act) for week in weeks for at, name, act in week.acts()]
    for at, name, act in sorted(acts, key=lambda planned: planned[0]):
        clock.move_to(at)
        try:
            await act()
        except (GendeiError, BookingRefused, CommandRefused, KeyError) as error:
            undone.append(f"{name}: {type(error).__name__}")
    return undone

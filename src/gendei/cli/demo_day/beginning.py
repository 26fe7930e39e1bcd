"""When a demo begins: on its working Tuesday, or where it was left."""

from collections.abc import Sequence
from datetime import datetime

from gendei.cli.demo_day.playing import play
from gendei.cli.demo_day.script import FIRST, moment_of, script_of, working_week
from gendei.cli.stand_in import beside_stand_in
from gendei.cli.stored import opened
from gendei.clinic import Clinic, Contact
from gendei.clock import MovableClock, clock_from
from gendei.documents import Documents, Query
from gendei.messages.keys import ConversationKey
from gendei.settings import Settings
from gendei.staff.access.sessions import SESSIONS
from gendei.web.app import app_for

DATED = ("conversations", "updatedAt"), ("appointments", "updatedAt")
"""Collections of a clinic, with the field that says when something was done last."""


async def begin(settings: Settings, clinics: Sequence[Clinic]) -> MovableClock:
    """The clock of a demo on the settings' store, which holds the clinics. Where their week was not played there yet,
    it is: in the first working week in which nothing stored is to come."""
    if clock := await resumed(settings, clinics):
        return clock
    async with opened(settings) as stored:
        last = await _left_at(stored.documents, clinics)
    monday = working_week(clinics, clinics[0].local(settings.start_clock()()).date(), not_before=last)
    clock = MovableClock(clock_from(min(moment_of(FIRST, monday, clinic) for clinic in clinics)))
    async with beside_stand_in(_rehearsing(settings), clock) as (graph, gendei):
        await play(gendei, graph, app_for(gendei), clock, monday)
    return clock


async def resumed(settings: Settings, clinics: Sequence[Clinic]) -> MovableClock | None:
    """The clock of a demo that goes on where it was left; None where the week was not played yet."""
    async with opened(settings) as stored:
        if not await _was_played(stored.documents, clinics):
            return None
        last = await _left_at(stored.documents, clinics)
    return MovableClock(clock_from(max(filter(None, (last, settings.now)))))


def _rehearsing(settings: Settings) -> Settings:
    """The built-in receptionist answers at once, and everybody: nothing leaves the machine, and nothing costs."""
    own = {"model": "guided", "quiet_seconds": 0.0, "trial_allow": "", "proactive_allow": ""}
    return settings.model_copy(update={**own, "speech_url": None, "whisper_model": None})


async def _left_at(documents: Documents, clinics: Sequence[Clinic]) -> datetime | None:
    """When something was done last in a demo's store; None in a new one."""
    places = [(f"gendei_clinics/{clinic.id}/{name}", field) for clinic in clinics for name, field in DATED]
    moments = []
    for path, field in [*places, (SESSIONS, "seenAt")]:
        found = await documents.query(Query(path, order_by=((field, True),), limit=1))
        moments += [(snapshot.data or {})[field] for snapshot in found]
    return max(moments, default=None)


async def _was_played(documents: Documents, clinics: Sequence[Clinic]) -> bool:
    """Whether the last to write in a clinic's script did."""
    for clinic in clinics:
        script = script_of(clinic.id)
        if script and script.talks:
            contact = Contact(script.phone_book()[script.talks[-1].patient])
            if (await documents.get(ConversationKey(clinic.id, contact).path)).exists:
                return True
    return False

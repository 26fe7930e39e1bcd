"""What a change of a clinic's data means for what stands: told before it is saved, and nothing of it is changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.availability import is_worked
from gendei.booking.dates.rendering import plain_clock
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY
from gendei.documents import Documents, Query
from gendei.health_plan import PRIVATE, plan_key
from gendei.messages.keys import OUTBOX
from gendei.staff.clinic_changes.texts import ChangeTexts, EffectKind
from gendei.texts import fill

LOOKED_AHEAD = timedelta(days=730)
MOST_EXAMPLES = 5
MOST_WAITING = 2_000
"""Messages that wait, of the whole deployment, which are looked at."""


@dataclass(frozen=True, slots=True)
class Effect:
    """`count` of what it is about, with a sentence and some examples, both for staff."""

    kind: EffectKind
    count: int
    text: str
    examples: tuple[str, ...] = ()


class Effects:
    def __init__(self, documents: Documents, clock: Clock, texts: ChangeTexts) -> None:
        self._documents, self._clock, self._texts = documents, clock, texts
        self._appointments = Appointments(documents, clock)

    async def of(self, before: Clinic, after: Clinic) -> tuple[Effect, ...]:
        """In the order of EffectKind, those of which there is anything."""
        now = self._clock()
        today = before.local(now).date()
        booked = await self._appointments.between(before, today, today + LOOKED_AHEAD)
        ahead = [appointment for appointment in booked if appointment.status.live and appointment.start > now]
        found: dict[EffectKind, list[str]] = {}
        for appointment in ahead:
            for kind in _touched(appointment, before, after):
                found.setdefault(kind, []).append(self._shown(appointment, before))
        numbers = {(channel.provider, channel.external_id) for channel in after.channels}
        gone = [each.external_id for each in before.channels if (each.provider, each.external_id) not in numbers]
        found |= {EffectKind.NUMBER_GONE: gone, EffectKind.TEMPLATE_GONE: await self._without_template(before, after)}
        return tuple(self._effect(kind, found[kind]) for kind in EffectKind if found.get(kind))

    async def _without_template(self, before: Clinic, after: Clinic) -> list[str]:
        """Of each message that waits for a template, by its purpose, the template's name."""
        gone = before.templates.keys() - after.templates.keys()
        lost = {purpose: before.templates[purpose].name for purpose in gone}
        if not lost:
            return []
        waiting = Query(OUTBOX, where=(("open", "==", True),), order_by=(("dueAt", False),), limit=MOST_WAITING)
        entries = [OUTBOX_ENTRY.read(found.data, id=found.id) for found in await self._documents.query(waiting)]
        own = (entry.initiative for entry in entries if entry.clinic_id == before.id and entry.initiative)
        return [lost[initiative.purpose] for initiative in own if initiative.purpose in lost]

    def _effect(self, kind: EffectKind, examples: Sequence[str]) -> Effect:
        texts, count = self._texts.effects[kind], len(examples)
        text = texts.one if count == 1 else fill(texts.several, {"count": str(count)})
        return Effect(kind, count, text, tuple(dict.fromkeys(examples))[:MOST_EXAMPLES])

    def _shown(self, appointment: Appointment, clinic: Clinic) -> str:
        start = clinic.local(appointment.start)
        values = {"day": f"{start:%d/%m/%Y}", "time": plain_clock(start), "patient": appointment.patient_name}
        said = {"service": appointment.service_name, "professional": appointment.professional_name}
        return fill(self._texts.appointment, values | said)


def _touched(appointment: Appointment, before: Clinic, after: Clinic) -> Iterator[EffectKind]:
    who, what = after.professional(appointment.professional_id), after.service(appointment.service_id)
    known, offered = before.professional(appointment.professional_id), before.service(appointment.service_id)
    if known and not who:
        yield EffectKind.PROFESSIONAL_GONE
    if known and who and _worked(appointment, before) and not _worked(appointment, after):
        yield EffectKind.OUTSIDE_HOURS
    if offered and not what:
        yield EffectKind.SERVICE_GONE
    if known and who and what and what.id in known.service_ids and what.id not in who.service_ids:
        yield EffectKind.NOT_PERFORMED
    private = appointment.plan in {"", PRIVATE}
    if offered and what and private and offered.price_cents != what.price_cents != appointment.price_cents:
        yield EffectKind.PRICE_KEPT
    if offered and what and offered.duration_minutes != what.duration_minutes != appointment.minutes:
        yield EffectKind.DURATION_KEPT
    if (key := plan_key(appointment.plan)) not in {"", PRIVATE} and key in _plans(before) and key not in _plans(after):
        yield EffectKind.PLAN_GONE


def _worked(appointment: Appointment, clinic: Clinic) -> bool:
    professional = clinic.professional(appointment.professional_id)
    return professional is not None and is_worked(clinic, professional, appointment.interval, appointment.start)


def _plans(clinic: Clinic) -> set[str]:
    return {plan_key(plan.name) for plan in clinic.health_plans}

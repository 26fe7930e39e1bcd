"""Does what is due, once, however many processes look and wherever one of them dies.

A process claims a plan by putting its moment off; the message's own name (`Opening.once`) then sees to it that it is
queued once, and the result is written to the plan. Who finds a claim that ended does the same again.
"""

import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gendei.booking.appointment import Appointment, Appointments
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.proactive import Decline, Queued
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.follow_ups import Occasion, follow_up
from gendei.conversation.work.backoff import Backoff
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Documents, Query, Snapshot, create, delete, put
from gendei.errors import Conflict, NotFound, UnreadableDocument
from gendei.messages.keys import ConversationKey
from gendei.reminding import ReminderPurpose, ReminderRule, Unanswered
from gendei.scheduler.due import (
    AFTERWARDS,
    DUE,
    FAILED,
    PLAN,
    QUEUED,
    SUPERSEDED,
    SURVEY,
    TOO_LATE,
    UNMARKED,
    DueItem,
    DueKey,
    DuePlan,
    dues,
)
from gendei.scheduler.missed import write_to_missed
from gendei.scheduler.planner import Planner
from gendei.scheduler.surveying import ask_how_it_was

log = logging.getLogger(__name__)
BACKOFF = Backoff(30, 2, 1800, attempts=8, jitter=False)
"""A claim lasts as long as the pause before the next attempt."""
PASSING = frozenset({str(Decline.TAKEN_OVER), str(Decline.PAUSED), str(Decline.DAILY_CAP)})
"""What speaks against a reminder now, and perhaps not in an hour."""
PUT_OFF = timedelta(hours=1)
PAGE = 200
PURGED_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class SchedulerPace:
    """In seconds, between two sweeps and two removals of old plans. A sweep looks as far ahead as the next one."""

    sweep: float = 60.0
    purge: float = 3600.0
    stop: float = 2.0
    at_once: int = 8
    per_clinic: int = 4


class Scheduler(LaneWork[DueKey]):
    """Use it as a context manager. `counts`: by kind of what was due and its result."""

    def __init__(
        self,
        documents: Documents,
        clock: Clock,
        planner: Planner,
        reminders: Reminders,
        pace: SchedulerPace | None = None,
        *,
        seeks: bool = True,
    ) -> None:
        self.seeks = seeks
        self._documents, self._clock, self._planner, self._reminders = documents, clock, planner, reminders
        self._pace = pace or SchedulerPace()
        self.counts: Counter[tuple[str, str]] = Counter()
        lanes = Lanes(self._carry_out, at_once=self._pace.at_once, per_clinic=self._pace.per_clinic)
        trouble = "what is due could not be looked for: %s"
        sweepings = (
            Sweeping(self.sweep, self._pace.sweep, log, trouble),
            Sweeping(self.purge, self._pace.purge, log, "old plans could not be removed: %s"),
        )
        super().__init__(lanes, *sweepings, grace=self._pace.stop)

    async def sweep(self) -> int:
        """Plan by rules that changed, and begin with what is due before the next sweep; how much that is. One query,
        however many clinics there are. Raises StoreError."""
        await self._planner.catch_up()
        now, found_in_all = self._clock(), 0
        ahead = now + timedelta(seconds=self._pace.sweep)
        due = Query(DUE, where=(("dueAt", "<=", ahead),), order_by=(("dueAt", False),), limit=PAGE)
        while found := await self._documents.query(due):
            for snapshot in found:
                self._take_up(snapshot, now)
            found_in_all += len(found)
            if len(found) < PAGE:
                break
            due = due.after(found[-1])
        return found_in_all

    def _take_up(self, snapshot: Snapshot, now: datetime) -> None:
        """Begin with a plan at its time."""
        try:
            plan = PLAN.read(snapshot.data)
        except UnreadableDocument:
            log.error("%s cannot be read, and nobody is reminded by it", snapshot.path)
            return
        key = DueKey(plan.clinic_id, plan.appointment_id)
        wait = max(0.0, (plan.due_at - now).total_seconds()) if plan.due_at is not None else 0.0
        if not wait or not self._lanes.knows(key):
            self._lanes.plan(key, wait)

    async def purge(self) -> None:
        """Remove plans of long ago, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        old = Query(DUE, (("expireAt", "<", self._clock()),), (("expireAt", False),), limit=PURGED_AT_ONCE)
        if found := await self._documents.query(old):
            await self._documents.commit([delete(snapshot.path) for snapshot in found])

    async def _carry_out(self, key: DueKey) -> float | None:
        """Do what is due for one appointment; when to look again, None where a sweep will find it."""
        snapshot = await self._documents.get(key.path)
        plan, now = PLAN.found(snapshot), self._clock()
        if plan is None or plan.due_at is None or plan.due_at > now:
            return None
        clinic = await self._planner.clinics.get(key.clinic_id)
        if clinic is None:
            await self._documents.commit([delete(key.path)])
            return None
        claimed = replace(plan, due_at=now + timedelta(seconds=_pause(plan)), attempts=plan.attempts + 1)
        try:
            await self._documents.commit([put(key.path, PLAN.write(claimed), unchanged_since=snapshot)])
        except Conflict:  # another process was first, or the appointment changed: then the next sweep finds it
            return None
        try:
            appointment = await Appointments(self._documents, self._clock).get(clinic, None, key.appointment_id)
        except NotFound:
            await self._documents.commit([delete(key.path)])
            return None
        await self._do(clinic, appointment, plan, now)
        return None

    async def _do(self, clinic: Clinic, appointment: Appointment, plan: DuePlan, now: datetime) -> None:
        """See to all that is due, and write down what came of it."""
        rules = self._planner.rules_of(clinic)
        still = dues(clinic, rules, appointment, plan.outcomes) if plan.start == appointment.start else []
        due = [each for each in still if each.at <= now]
        afterwards = [each for each in due if each.key in AFTERWARDS]
        due = [each for each in due if each.key not in AFTERWARDS]
        if plan.attempts >= BACKOFF.attempts:
            log.error("clinic %s: what is due for an appointment failed too often", clinic.id)
            results = dict.fromkeys((each.key for each in (*due, *afterwards)), FAILED)
        elif appointment.start <= now:
            results = dict.fromkeys((each.key for each in due), TOO_LATE)
        else:
            *earlier, _last = [each.key for each in due if each.rule is not None] or [""]
            results = dict.fromkeys(earlier, SUPERSEDED)
            for each in due:
                if each.key not in results:
                    results[each.key] = await self._see_to(clinic, appointment, each)
        for each in afterwards:
            if each.key not in results:
                results[each.key] = await self._see_after(clinic, appointment, each)
        later = now + PUT_OFF
        passing = [
            each.key
            for each in (*due, *afterwards)
            if results[each.key] in PASSING and later <= each.worth_waiting_until
        ]
        results = {key: result for key, result in results.items() if key not in passing}
        await self._planner.plan(clinic, appointment.id, results=results, put_off_until=later if passing else None)
        for key, result in results.items():
            self.counts[key.partition("/")[0], result] += 1

    async def _see_to(self, clinic: Clinic, appointment: Appointment, due: DueItem) -> str:
        if due.rule is None and clinic.reminders is not None and clinic.reminders.unanswered is Unanswered.TASK:
            await self._ask_staff(clinic, appointment)
            return QUEUED
        rule = due.rule or ReminderRule(0, ReminderPurpose.CONFIRMATION)
        outcome = await self._reminders.send(clinic, appointment, rule, again=due.rule is None)
        return QUEUED if isinstance(outcome, Queued) or outcome.reason is Decline.ALREADY else str(outcome.reason)

    async def _see_after(self, clinic: Clinic, appointment: Appointment, due: DueItem) -> str:
        if due.key == UNMARKED:
            await self._ask_staff(clinic, appointment, Occasion.UNMARKED)
            return QUEUED
        if due.key == SURVEY:
            return await ask_how_it_was(self._reminders, clinic, appointment)
        outcome = await write_to_missed(self._reminders, clinic, appointment)
        return QUEUED if isinstance(outcome, Queued) or outcome.reason is Decline.ALREADY else str(outcome.reason)

    async def _ask_staff(
        self, clinic: Clinic, appointment: Appointment, occasion: Occasion = Occasion.UNCONFIRMED
    ) -> None:
        """A task for staff, once: nobody said whether they come, or came."""
        now = self._clock()
        key = await home_of(self._documents, ConversationKey(clinic.id, canonical(appointment.contact)))
        conversation = Conversation.read(await self._documents.get(key.path), key, now)
        about = f"{appointment.id}/{appointment.start.isoformat()}"
        told = self._reminders.told(clinic, appointment)
        task = follow_up(conversation, occasion, now, about, description=told, appointment_id=appointment.id)
        with suppress(Conflict):  # it was there before
            await self._documents.commit([create(task.path, task.data or {})])


def _pause(plan: DuePlan) -> float:
    return BACKOFF.pause(plan.attempts + 1, 0)

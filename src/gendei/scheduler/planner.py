"""Keeps the plans: after each event of an appointment, and of all that lies ahead where a clinic's rules change."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Protocol

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.events import AgendaEvent, EventKind
from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Query, Snapshot, Transaction, delete, document_id, put, transact
from gendei.errors import NotFound, StoreError
from gendei.messages.channels import Clinics
from gendei.records import Moment, Record
from gendei.reminding import ReminderRule
from gendei.scheduler.due import PLAN, DueKey, DueOutcome, DuePlan, dues, planned
from gendei.verticals import Vertical

log = logging.getLogger(__name__)
UNFOLLOWED = frozenset({EventKind.ATTENDANCE, EventKind.DEPOSIT, EventKind.TIME_FREED})
NEW_RULE = "new_rule"
"""The result of what would have been due before its rule was there."""
NOTHING: Mapping[str, str] = {}
PAGE = 200


class KnownClinics(Clinics, Protocol):
    """The directory: what it has in memory is told at once."""

    def known(self, clinic_id: ClinicId) -> Clinic | None: ...


@dataclass(frozen=True, slots=True)
class PlannedRules:
    """By which rules what lies ahead was planned. keys: of each; digest: of all that the plans follow from."""

    keys: tuple[str, ...]
    digest: str
    at: Moment


PLANNED_RULES = "gendei_due_rules"
RULES = Record(PlannedRules, "gendei_due_rules/{clinicId}")


@dataclass(slots=True)
class Planner:
    """A follower of the agenda's events. `verticals`: whose reminders a clinic without its own has."""

    documents: Documents
    clinics: KnownClinics
    clock: Clock
    verticals: Mapping[str, Vertical]
    name = "due"
    delay = timedelta(0)
    _seen: dict[ClinicId, Clinic] = field(default_factory=dict)

    def rules_of(self, clinic: Clinic) -> tuple[ReminderRule, ...]:
        """The clinic's own, or its vertical's; none where it reminds nobody by itself."""
        if clinic.reminders is None:
            return ()
        if clinic.reminders.rules is not None:
            return clinic.reminders.rules
        return tuple(section.rule for section in self.verticals[clinic.vertical].for_clinic(clinic).reminders)

    def wants(self, event: AgendaEvent) -> bool:
        clinic = self.clinics.known(event.clinic_id)
        is_planned = clinic is None or plans(clinic)
        return is_planned and event.appointment_id is not None and event.kind not in UNFOLLOWED

    async def follow(self, event: AgendaEvent) -> None:
        """Plan anew what is due for the appointment. Raises StoreError."""
        clinic = await self.clinics.get(event.clinic_id)
        if clinic is not None and event.appointment_id is not None:
            await self.plan(clinic, event.appointment_id)

    async def plan(
        self,
        clinic: Clinic,
        appointment_id: str,
        *,
        results: Mapping[str, str] = NOTHING,
        put_off_until: datetime | None = None,
        new_rules: frozenset[str] = frozenset(),
    ) -> None:
        """By the appointment as it stands. results: what became of what was due, by its key; the rest of it waits
        until `put_off_until`. Of `new_rules` nothing is done late."""
        rules = self.rules_of(clinic)

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(DueKey(clinic.id, appointment_id).path)
            before, appointment = PLAN.found(found), await self._as_it_stands(clinic, appointment_id)
            known = self._with_results(before, results)
            if known is not None and put_off_until is not None:
                known = replace(known, put_off_until=put_off_until, attempts=0)
            after = planned(clinic, rules, appointment, known) if appointment is not None else None
            if after is not None and appointment is not None and new_rules:
                after = self._without_late(clinic, rules, appointment, after, new_rules)
            _put(transaction, found, before, after)

        await transact(self.documents, attempt)

    def _with_results(self, plan: DuePlan | None, results: Mapping[str, str]) -> DuePlan | None:
        if plan is not None and results:
            at = self.clock()
            plan = plan.with_outcomes({key: DueOutcome(at, result) for key, result in results.items()})
        return plan

    async def _as_it_stands(self, clinic: Clinic, appointment_id: str) -> Appointment | None:
        """None where there is none any more. Read after the plan and outside of its transaction: whoever changes it
        meanwhile plans it after that."""
        try:
            return await Appointments(self.documents, self.clock).get(clinic, None, appointment_id)
        except NotFound:
            return None

    def _without_late(
        self,
        clinic: Clinic,
        rules: tuple[ReminderRule, ...],
        appointment: Appointment,
        plan: DuePlan,
        new_rules: frozenset[str],
    ) -> DuePlan | None:
        now = self.clock()
        still = dues(clinic, rules, appointment, plan.outcomes)
        late = [due.key for due in still if due.at <= now and due.key in new_rules]
        left_out = dict.fromkeys(late, DueOutcome(now, NEW_RULE))
        return planned(clinic, rules, appointment, plan.with_outcomes(left_out)) if late else plan

    async def catch_up(self) -> None:
        """Plan what lies ahead of the clinics whose rules changed since that was done last, here or elsewhere. Costs
        nothing for a clinic that is as this process saw it before. Raises StoreError."""
        changed = [clinic for clinic in self.clinics.all() if self._seen.get(clinic.id) is not clinic]
        if changed:
            markers = {snapshot.id: snapshot for snapshot in await self.documents.query(Query(PLANNED_RULES))}
        for clinic in changed:
            try:
                await self._catch_up(clinic, markers.get(document_id(clinic.id)))
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - what is wrong with one clinic must not hold up the others
                log.error("clinic %s: what is due cannot be planned: %s", clinic.id, type(error).__name__)
            self._seen[clinic.id] = clinic

    async def _catch_up(self, clinic: Clinic, marker: Snapshot | None) -> None:
        if not plans(clinic):
            if marker is not None:  # what was planned is dropped when it is due
                await self.documents.commit([delete(marker.path)])
            return
        rules, known = self.rules_of(clinic), RULES.found(marker) if marker else None
        keys = tuple(sorted({rule.key for rule in rules}))
        more = tuple(policy for policy in (clinic.no_shows, clinic.survey) if policy is not None)
        digest = sha256(repr((rules, clinic.reminders, clinic.proactive, *more)).encode()).hexdigest()[:16]
        if known is not None and known.digest == digest:
            return
        now = self.clock()
        fresh = frozenset(keys) - frozenset(known.keys if known else ())
        today, last = clinic.local(now).date(), clinic.local(now).date() + timedelta(days=400)
        page = await Appointments(self.documents, self.clock).page(clinic, (today, last), PAGE)
        while page:
            for appointment in page:
                if appointment.start > now and appointment.status.live:
                    await self.plan(clinic, appointment.id, new_rules=fresh)
            after = (page[-1].start, page[-1].id)
            page = await Appointments(self.documents, self.clock).page(clinic, (today, last), PAGE, after)
        marked = RULES.write(PlannedRules(keys, digest, now))
        await self.documents.commit([put(f"{PLANNED_RULES}/{document_id(clinic.id)}", marked)])
        log.info("clinic %s: what lies ahead is planned by %d rules", clinic.id, len(rules))


def plans(clinic: Clinic) -> bool:
    """Whether anything is done for its appointments at their time."""
    return any(policy is not None for policy in (clinic.reminders, clinic.no_shows, clinic.survey))


def _put(transaction: Transaction, found: Snapshot, before: DuePlan | None, after: DuePlan | None) -> None:
    """Write what became of the plan, where something did."""
    if after is not None and after != before:
        transaction.put(found.path, PLAN.write(after))
    elif after is None and before is not None:
        transaction.delete(found.path)

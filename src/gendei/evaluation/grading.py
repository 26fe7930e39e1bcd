"""Whether a task was done: by what stands in the store at the end, and by what was said on the way."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.evaluation.practice import STRANGERS, Visit
from gendei.evaluation.reading import folded, moment
from gendei.evaluation.tasks import Goal, Task
from gendei.providers.stand_in.graph import Sent
from gendei.receptionist.llm.guardrails import claims_booking


@dataclass
class Watch:
    """Looks on while a conversation goes: each claim must be true when it is made."""

    visit: Visit
    false_claims: list[str] = field(default_factory=list)
    unanswered: int = 0

    async def heard(self, new: Sequence[Sent]) -> None:
        """After each of the patient's turns."""
        if not new and not await self.visit.with_person():
            self.unanswered += 1
        claims = [sent.text for sent in new if claims_booking(sent.text)]
        if not claims:
            return
        standing = await self.visit.appointments()
        self.false_claims += [text for text in claims if not _supported(text, standing)]


def _supported(text: str, standing: Sequence[Appointment]) -> bool:
    """Whether an appointment of the patient is as the text says; any will do where it names no time."""
    start, has_time = moment(text)
    cancelled = "cancelad" in folded(text) and "confirmad" not in folded(text)
    fitting = [appointment for appointment in standing if cancelled or appointment.status.live]
    return (
        bool(fitting) if start is None or not has_time else any(appointment.start == start for appointment in fitting)
    )


async def grade(visit: Visit, watch: Watch) -> list[str]:
    """What is wrong, in words; empty when the task was done."""
    task = visit.case.task
    wrong = [f"false claim: {text.splitlines()[0]}" for text in watch.false_claims]
    wrong += [f"messages without an answer: {watch.unanswered}"] if watch.unanswered else []
    said = folded("\n".join(sent.text for sent in visit.heard()))
    wrong += [f"never said: {text}" for text in task.expects if folded(text) not in said]
    wrong += [f"said: {text}" for text in (*task.never, *STRANGERS) if folded(text) in said]
    wrong += [f"double booking: {appointment}" for appointment in overlaps(await visit.agenda())]
    wrong += _state(task, await visit.appointments(), visit)
    if task.goal in {Goal.PERSON, Goal.URGENT} and not await visit.taken_over():
        wrong.append("no person was called")
    return wrong


def _state(task: Task, mine: Sequence[Appointment], visit: Visit) -> list[str]:
    live = [appointment for appointment in mine if appointment.status.live]
    if task.goal is Goal.BOOK:
        return _booked(task, live)
    if task.goal is Goal.MOVE:
        kept = [
            appointment
            for appointment in live
            if visit.standing and appointment.id == visit.standing.id and task.wants(appointment.start)
        ]
        return [] if len(live) == len(kept) == 1 else [f"moved to: {_listed(live)}"]
    if task.goal is Goal.CANCEL:
        done = [appointment for appointment in mine if appointment.status is AppointmentStatus.CANCELLED]
        return [] if done and not live else [f"not cancelled: {_listed(live)}"]
    before = [visit.standing.start] if visit.standing else []
    return [] if [appointment.start for appointment in live] == before else [f"the agenda changed: {_listed(live)}"]


def _booked(task: Task, live: Sequence[Appointment]) -> list[str]:
    if len(live) != 1:
        return [f"{len(live)} appointments: {_listed(live)}"]
    appointment = live[0]
    wrong = [] if appointment.service_id == task.service else [f"booked {appointment.service_id}"]
    wrong += [] if task.wants(appointment.start) else [f"booked {appointment.start:%d/%m %H:%M}"]
    wrong += (
        []
        if task.professional in {None, appointment.professional_id}
        else [f"booked with {appointment.professional_id}"]
    )
    return wrong + (
        [] if folded(appointment.patient_name) == folded(task.name) else [f"booked for {appointment.patient_name}"]
    )


def overlaps(agenda: Sequence[Appointment]) -> list[str]:
    """Pairs of appointments that take the same professional's time at once."""
    by_professional = defaultdict(list)
    for appointment in agenda:
        if appointment.status.takes_time:
            by_professional[appointment.professional_id].append(appointment)
    found = []
    for professional, appointments in by_professional.items():
        appointments.sort(key=lambda appointment: appointment.start)
        found += [
            f"{professional} {second.start:%d/%m %H:%M}"
            for first, second in pairwise(appointments)
            if second.start < first.end
        ]
    return found


def _listed(appointments: Sequence[Appointment]) -> str:
    return (
        ", ".join(f"{appointment.service_id} {appointment.start:%d/%m %H:%M}" for appointment in appointments)
        or "nothing"
    )

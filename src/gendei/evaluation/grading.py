"""Whether a task was done: by what stands in the store at the end, and by what was said on the way."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.evaluation.practice import STRANGERS, Visit
from gendei.evaluation.reading import folded, moment
from gendei.evaluation.tasks import Goal, Task
from gendei.providers.simulator import Sent
from gendei.receptionist.llm.guardrails import claims_booking


@dataclass
class Watch:
    """Looks on while a conversation goes: each claim must be true when it is made."""

    visit: Visit
    false_claims: list[str] = field(default_factory=list)
    unanswered: int = 0

    async def heard(self, new: Sequence[Sent]) -> None:
        """After each of the patient's turns."""
        if not new and not await self.visit.taken_over():
            self.unanswered += 1
        claims = [one.text for one in new if claims_booking(one.text)]
        if not claims:
            return
        standing = await self.visit.appointments()
        self.false_claims += [text for text in claims if not _supported(text, standing)]


def _supported(text: str, standing: Sequence[Appointment]) -> bool:
    """Whether an appointment of the patient is as the text says; any will do where it names no time."""
    start, has_time = moment(text)
    cancelled = "cancelad" in folded(text) and "confirmad" not in folded(text)
    fitting = [one for one in standing if cancelled or one.status.live]
    return bool(fitting) if start is None or not has_time else any(one.start == start for one in fitting)


async def grade(visit: Visit, watch: Watch) -> list[str]:
    """What is wrong, in words; empty when the task was done."""
    task = visit.case.task
    wrong = [f"false claim: {text.splitlines()[0]}" for text in watch.false_claims]
    wrong += [f"messages without an answer: {watch.unanswered}"] if watch.unanswered else []
    said = folded("\n".join(one.text for one in visit.heard()))
    wrong += [f"never said: {one}" for one in task.expects if folded(one) not in said]
    wrong += [f"said: {one}" for one in (*task.never, *STRANGERS) if folded(one) in said]
    wrong += [f"double booking: {one}" for one in overlaps(await visit.agenda())]
    wrong += _state(task, await visit.appointments(), visit)
    if task.goal in {Goal.PERSON, Goal.URGENT} and not await visit.taken_over():
        wrong.append("no person was called")
    return wrong


def _state(task: Task, mine: Sequence[Appointment], visit: Visit) -> list[str]:
    live = [one for one in mine if one.status.live]
    if task.goal is Goal.BOOK:
        return _booked(task, live)
    if task.goal is Goal.MOVE:
        kept = [one for one in live if visit.standing and one.id == visit.standing.id and task.wants(one.start)]
        return [] if len(live) == len(kept) == 1 else [f"moved to: {_listed(live)}"]
    if task.goal is Goal.CANCEL:
        done = [one for one in mine if one.status is AppointmentStatus.CANCELLED]
        return [] if done and not live else [f"not cancelled: {_listed(live)}"]
    before = [visit.standing.start] if visit.standing else []
    return [] if [one.start for one in live] == before else [f"the agenda changed: {_listed(live)}"]


def _booked(task: Task, live: Sequence[Appointment]) -> list[str]:
    if len(live) != 1:
        return [f"{len(live)} appointments: {_listed(live)}"]
    one = live[0]
    wrong = [] if one.service_id == task.service else [f"booked {one.service_id}"]
    wrong += [] if task.wants(one.start) else [f"booked {one.start:%d/%m %H:%M}"]
    wrong += [] if task.professional in {None, one.professional_id} else [f"booked with {one.professional_id}"]
    return wrong + ([] if folded(one.patient_name) == folded(task.name) else [f"booked for {one.patient_name}"])


def overlaps(agenda: Sequence[Appointment]) -> list[str]:
    """Pairs of appointments that take the same professional's time at once."""
    by_professional = defaultdict(list)
    for one in agenda:
        if one.status.takes_time:
            by_professional[one.professional_id].append(one)
    found = []
    for professional, appointments in by_professional.items():
        appointments.sort(key=lambda one: one.start)
        found += [
            f"{professional} {second.start:%d/%m %H:%M}"
            for first, second in pairwise(appointments)
            if second.start < first.end
        ]
    return found


def _listed(appointments: Sequence[Appointment]) -> str:
    return ", ".join(f"{one.service_id} {one.start:%d/%m %H:%M}" for one in appointments) or "nothing"

"""Plays cases, each several times with other seeds."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from gendei.clinic import Clinic
from gendei.evaluation.grading import Watch, grade
from gendei.evaluation.patients import Patient, Say, ScriptedPatient, Tap
from gendei.evaluation.practice import Practice, Visit, open_practice
from gendei.evaluation.replay import Replay
from gendei.evaluation.tasks import NOW, Case, Goal
from gendei.settings import Settings

PatientFor = Callable[[Visit, int], Patient]


def scripted(visit: Visit, seed: int) -> Patient:
    return ScriptedPatient(visit.case, visit.clinic, seed)


@dataclass(frozen=True, slots=True)
class Plan:
    """Each case `times` times, from `first_seed` on, `parallel` conversations at once. `clinics`: of the cases that are
    played in none of the folder's, by the name that they have there."""

    cases: Sequence[Case]
    times: int = 1
    first_seed: int = 1
    parallel: int = 1
    clinics: Mapping[str, Clinic] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trial:
    """How one playing of a task went. `turns`: the patient's; `messages`: the clinic's; `seconds`: of each answer.
    `cost_usd`: what models cost the clinic. `false_claims` and `double_bookings` count what must never be.
    `transcript`: kept where something is wrong."""

    case: str
    goal: str
    taps: bool
    seed: int
    wrong: tuple[str, ...]
    turns: int
    messages: int
    seconds: tuple[float, ...]
    false_claims: int
    double_bookings: int
    transcript: tuple[str, ...] = ()
    cost_usd: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.wrong

    @property
    def clinic(self) -> str:
        return self.case.rpartition("/")[0]


async def run(
    settings: Settings,
    folder: Path,
    plan: Plan,
    *,
    patient_for: PatientFor = scripted,
    told: Callable[[Trial], None] = lambda _: None,
) -> list[Trial]:
    """Plays the plan, each of its parallel lines in a service of its own. `told` hears of each trial as it ends. In
    the order of the cases, then of the seeds."""
    seeds = range(plan.first_seed, plan.first_seed + plan.times)
    waiting = [(case, seed) for case in plan.cases for seed in seeds]
    order = {(case.id, seed): place for place, (case, seed) in enumerate(waiting)}
    line, done = iter(waiting), list[Trial]()

    async def work() -> None:
        practice: Practice | None = None
        begins = NOW
        async with AsyncExitStack() as stack:
            for case, seed in line:
                if practice is None or case.begins != begins:
                    await stack.aclose()
                    begins = case.begins
                    opening = open_practice(settings, folder, begins, plan.clinics)
                    practice = await stack.enter_async_context(opening)
                trial = await _play(practice, case, seed, patient_for)
                done.append(trial)
                told(trial)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(plan.parallel, len(waiting))):
            group.create_task(work())
    return sorted(done, key=lambda trial: order[trial.case, trial.seed])


async def _play(practice: Practice, case: Case, seed: int, patient_for: PatientFor) -> Trial:
    visit = await practice.visit(case, seed)
    is_replay = case.task.goal is Goal.REPLAY
    watch, replay = Watch(visit), Replay(visit)
    patient: Patient = replay if is_replay else patient_for(visit, seed)
    lines: list[str] = []
    move: Say | Tap | None = await patient.begin()
    turns = 0
    while move is not None:
        before = len(visit.said)
        new = await (visit.say(move.messages) if isinstance(move, Say) else visit.tap(move.sent, move.index))
        turns += 1
        await watch.heard(new)
        lines += [f"> {text}" for text in visit.said[before:]]
        lines += [f"{sent.text}{''.join(f' [{title}]' for _, title in sent.options)}" for sent in new]
        move = await patient.reply(new)
    wrong = await (replay.grade(watch) if is_replay else grade(visit, watch))
    return Trial(
        case=case.id,
        goal=str(case.task.goal),
        taps=case.persona.taps,
        seed=seed,
        wrong=tuple(wrong),
        turns=turns,
        messages=len(visit.heard()),
        seconds=tuple(visit.seconds),
        false_claims=len(watch.false_claims),
        double_bookings=sum(problem.startswith(("double booking", "double_booking")) for problem in wrong),
        transcript=tuple(lines) if wrong else (),
        cost_usd=await visit.cost_usd(),
    )

"""`gendei eval`: simulated patients against the receptionist, on the model that the settings name."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gendei.app import api_models_of
from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError, GendeiError
from gendei.evaluation.clinic_cases import PREFIX, KeptCases, keep_results, kept_cases
from gendei.evaluation.model_patients import ModelPatient
from gendei.evaluation.report import Evaluation, comparison, summary, table
from gendei.evaluation.tasks import Case, load_cases
from gendei.evaluation.trials import PatientFor, Plan, Trial, scripted
from gendei.evaluation.trials import run as play
from gendei.settings import Settings
from gendei.telemetry import configure_logs

_SAMPLE_SEED = 1
NONE_KEPT = KeptCases((), {}, {})


class NoSuchTask(GendeiError):
    """No task's name holds this. The names are clinic/id, as in evals/tasks/; a clinic's own are clinic/CLINIC/id."""


class NoSuchFolder(GendeiError):
    """The folder of --json does not exist. Make it first, or name a file elsewhere. Nothing was played."""


def evaluate(  # noqa: PLR0913, PLR0917  # one argument an option
    times: Annotated[int, typer.Option("--times", "-k", min=1, help="How often each task is played.")] = 1,
    seed: Annotated[int, typer.Option(help="The first seed; the others follow it.")] = 1,
    only: Annotated[str, typer.Option(help="Tasks whose name holds this, as dental/ or mover.")] = "",
    sample: Annotated[int, typer.Option(min=0, help="So many tasks, drawn evenly; 0 for all.")] = 0,
    parallel: Annotated[int, typer.Option(min=1, help="Conversations at once; for API models.")] = 1,
    json: Annotated[Path | None, typer.Option(help="Keep the result in this file.")] = None,
    compare: Annotated[tuple[Path, Path] | None, typer.Option(help="Compare two kept results.")] = None,
    at_least: Annotated[float, typer.Option(min=0, max=1, help="End with status 1 below this pass^1.")] = 0.0,
    patient_model: Annotated[str, typer.Option(help="Let this API model play the patients.")] = "",
    evals: Annotated[Path | None, typer.Option(help="Another folder of tasks, personas and clinics.")] = None,
    clinic: Annotated[str, typer.Option(help="With --only clinic/: only this clinic's own cases.")] = "",
) -> None:
    """Let simulated patients try the receptionist, and grade what came of it. `--only clinic/` plays the cases that the
    clinics' staff made of wrong answers, and keeps how each ended."""
    if compare:
        print(comparison(Evaluation.load(compare[0]), Evaluation.load(compare[1])))
        return
    if json and not json.parent.is_dir():
        raise NoSuchFolder
    settings = Settings.load(log_level="ERROR")
    configure_logs(settings)
    folder = evals or data_dir("evals")
    is_own = bool(clinic) or only.startswith(PREFIX)
    own = run(_kept(settings, clinic)) if is_own else NONE_KEPT
    cases = chosen(own.cases if is_own else load_cases(folder), only, sample)
    patients = _played_by(settings, patient_model) if patient_model else scripted
    trials = run(
        play(settings, folder, Plan(cases, times, seed, parallel, own.clinics), patient_for=patients, told=_tell)
    )
    model = "guided" if settings.model == "guided" else settings.api_model or "api"
    evaluation = Evaluation(model, times, tuple(trials))
    if is_own:
        run(_keep(settings, own, evaluation))
    print(f"\n\n{table(evaluation)}")
    if json:
        evaluation.save(json)
    figures = summary(evaluation)
    if figures["pass^1"] < at_least or figures["false_claims"] or figures["double_bookings"]:
        raise typer.Exit(1)


def chosen(cases: Sequence[Case], only: str = "", sample: int = 0) -> Sequence[Case]:
    """The cases whose name holds `only`, or `sample` of them, always the same ones. Raises NoSuchTask."""
    found = [case for case in cases if only in case.id]
    if not found:
        raise NoSuchTask
    if not 0 < sample < len(found):
        return found
    drawn = set(random.Random(_SAMPLE_SEED).sample(range(len(found)), sample))
    return [case for place, case in enumerate(found) if place in drawn]


async def _kept(settings: Settings, clinic_id: str) -> KeptCases:
    """Raises NotFound for a clinic that there is not."""
    async with opened(settings) as stored:
        clinics = [await stored.clinic(clinic_id)] if clinic_id else stored.directory.all()
        return await kept_cases(stored.documents, clinics)


async def _keep(settings: Settings, own: KeptCases, evaluation: Evaluation) -> None:
    async with opened(settings) as stored:
        await keep_results(stored.documents, own.kept, evaluation.trials, stored.clock(), evaluation.model)


def _played_by(settings: Settings, model: str) -> PatientFor:
    if settings.openai_api_key is None:
        raise ConfigurationError(
            "OPENAI_API_KEY", "", "is not set, and --patient-model needs it.", "Set it, or leave --patient-model out."
        )
    models = api_models_of(settings.model_copy(update={"api_model": model}))
    return lambda visit, _seed: ModelPatient(visit.case, visit.clinic, models)


def _tell(trial: Trial) -> None:
    print("." if trial.passed else "x", end="", flush=True)

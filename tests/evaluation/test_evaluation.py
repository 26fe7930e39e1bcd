"""A part of the evaluation, on guided, and patients that a model plays."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from agents import MultiProvider
from agents.testing import ScriptedModel, assistant_message
from tests.evaluation.conftest import FOLDER, GUIDED
from typer.testing import CliRunner

from gendei.cli import app
from gendei.cli.evaluate import NoSuchFolder, NoSuchTask, chosen, evaluate
from gendei.evaluation.model_patients import ModelPatient
from gendei.evaluation.practice import Practice, Visit
from gendei.evaluation.report import Evaluation, summary
from gendei.evaluation.tasks import Case, load_cases
from gendei.evaluation.trials import Plan, run, scripted
from gendei.receptionist.llm.models import ApiModels

SAMPLE = 24


async def test_a_sample_of_patients_is_served_by_guided_without_a_lie_or_a_double_booking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trials = await run(GUIDED, FOLDER, Plan(chosen(load_cases(FOLDER), sample=SAMPLE)))
    figures = summary(Evaluation("guided", 1, tuple(trials)))

    assert [(trial.case, trial.wrong) for trial in trials if trial.wrong] == []
    assert (figures["trials"], figures["false_claims"], figures["double_bookings"]) == (SAMPLE, 0, 0)
    assert figures["turns_of_a_booking_by_text"] <= 8
    assert figures["turns_of_a_booking_by_taps"] <= 6


async def test_the_same_seed_says_the_same_words(practice: Practice, case: Callable[[str], Case]) -> None:
    async def played(seed: int) -> list[str]:
        visit = await practice.visit(case("psi/terapia-errando"), seed)
        opening = await scripted(visit, seed).begin()
        return list(opening.messages)

    assert await played(3) == await played(3)


async def test_a_patient_played_by_a_model_taps_an_option_by_its_number_and_ends(
    practice: Practice, case: Callable[[str], Case]
) -> None:
    visit: Visit = await practice.visit(case("dental/limpeza-quinta-tarde"), 1)
    script = ScriptedModel(
        [[assistant_message("limpeza quinta de tarde")], [assistant_message("1")], [assistant_message("FIM")]]
    )
    patient = ModelPatient(visit.case, visit.clinic, ApiModels(MultiProvider(), script))

    opening = await patient.begin()
    answer = await visit.say(opening.messages)
    move = await patient.reply(answer)

    assert opening.messages == ["limpeza quinta de tarde"]
    assert getattr(move, "index", None) == 0
    assert await patient.reply(answer) is None
    script.assert_complete()


def test_the_command_keeps_its_result_and_compares_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, ["eval", "--only", "preco-clareamento", "--json", "a.json", "--at-least", "1"])
    compared = CliRunner().invoke(app, ["eval", "--compare", "a.json", "a.json"])

    assert (ran.exit_code, compared.exit_code) == (0, 0), ran.output
    assert json.loads((tmp_path / "a.json").read_text())["summary"]["pass^1"] == 1
    assert "pass^1" in compared.output


def test_a_name_that_no_task_has_is_said_so() -> None:
    with pytest.raises(NoSuchTask):
        chosen(load_cases(FOLDER), only="nowhere")


def test_nothing_is_played_whose_result_could_not_be_kept(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFolder):
        evaluate(json=tmp_path / "nowhere" / "result.json")


def test_a_patients_model_without_a_key_says_what_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = CliRunner().invoke(app, ["eval", "--sample", "1", "--patient-model", "gpt"])

    assert (ran.exit_code, "Set it, or leave --patient-model out." in ran.stderr) == (1, True)

"""The health plans of a clinic's file."""

from pathlib import Path

import pytest
from tests.clinics.test_file import ENVIRONMENT, EXAMPLE, load, problems

from gendei.clinics.file import warnings_of
from gendei.clinics.stored import clinic_data, clinic_from, parts_data
from gendei.health_plan import HealthPlan, PlanTerms

PLANS = """
insurance:
  - Amil
  - name: Unimed
    aliases: [unimed paulistana]
    covered: true
    card_number: true
    services:
      - consulta
      - {id: retorno, price_cents: 5000, authorization: true, waiting_days: 30, professionals: [ana]}
  - {name: Bradesco Saúde, price_cents: 8000, deposit: true}
"""
TWO = EXAMPLE.replace(
    "professionals:", "  - {id: retorno, name: Retorno, duration_minutes: 20}\nprofessionals:"
).replace("services: [consulta]}", "services: [consulta, retorno]}")


def test_plans_are_names_or_have_terms_which_services_take_over(tmp_path: Path):
    clinic = load(tmp_path, TWO + PLANS)
    covered = PlanTerms(covered=True, card_number=True)
    priced = PlanTerms(price_cents=5000, card_number=True, authorization=True, waiting_days=30, professionals=("ana",))
    unimed = HealthPlan("Unimed", ("unimed paulistana",), covered, {"consulta": covered, "retorno": priced})
    bradesco = HealthPlan("Bradesco Saúde", terms=PlanTerms(price_cents=8000, deposit=True))
    assert clinic.insurance == ("Amil", "Unimed", "Bradesco Saúde")
    assert clinic.health_plans == (HealthPlan("Amil"), unimed, bradesco)


def test_a_list_of_names_means_what_it_meant(tmp_path: Path):
    clinic = load(tmp_path, EXAMPLE + "insurance: [Unimed, Particular, Unimed]\n")
    assert (clinic.insurance, clinic.plans) == (("Unimed", "Particular", "Unimed"), ())
    assert clinic.health_plans == (HealthPlan("Unimed"),)


def test_plans_come_back_from_the_store_as_they_were(tmp_path: Path):
    clinic = load(tmp_path, TWO + PLANS)
    data, parts = clinic_data(clinic, 1), [part for _, part in parts_data(clinic, 1)]
    assert list(data["insurance"]) == ["Amil", "Unimed", "Bradesco Saúde"]
    assert clinic_from(clinic.id, data, parts).health_plans == clinic.health_plans


@pytest.mark.parametrize(
    ("written", "problem", "remedy"),
    [
        (
            "{name: Unimed, covered: true, price_cents: 100}",
            "what is covered has no price.",
            "Remove price_cents or covered.",
        ),
        ("{name: Unimed, price_cents: 0}", "nothing is to be paid.", "Write covered: true in its place."),
        ("{name: Unimed, services: [consultas]}", 'there is no service "consultas".', 'Did you mean "consulta"?'),
        ("{name: Unimed, professionals: [anna]}", 'there is no professional "anna".', 'Did you mean "ana"?'),
        (
            "{name: Unimed, services: [{id: consulta, professionals: [anna]}]}",
            'there is no professional "anna".',
            'Did you mean "ana"?',
        ),
        ("Unimed, {name: unimed, covered: true}", "this plan is there already.", "Write what is known of it once."),
        (
            "{name: Particular, covered: true}",
            "is no name of a plan.",
            "Write the plan's name; who pays privately needs no entry.",
        ),
        ("{name: Unimed, cover: true}", "there is no such field.", 'Did you mean "covered"?'),
    ],
)
def test_what_is_wrong_is_named_with_what_to_write(tmp_path: Path, written: str, problem: str, remedy: str):
    [(where, told, mend)] = problems(tmp_path, EXAMPLE + f"insurance: [{written}]\n")
    assert (where.partition(", ")[2].startswith("insurance["), told, mend) == (True, problem, remedy)


def test_a_price_by_a_plan_in_which_centavos_were_forgotten_is_warned_of(tmp_path: Path):
    path = tmp_path / "clinic.yaml"
    plans = "insurance: [Amil, {name: Unimed, price_cents: 80, services: [{id: consulta, price_cents: 120}]}]\n"
    path.write_text(EXAMPLE + plans, encoding="utf-8")
    assert [
        (each.where.partition(", ")[2], each.problem, each.remedy) for each in warnings_of([path], ENVIRONMENT)
    ] == [
        ("insurance[1].price_cents", "is only R$ 0,80.", "If R$ 80,00 is meant, write 8000."),
        ("insurance[1].services[0].price_cents", "is only R$ 1,20.", "If R$ 120,00 is meant, write 12000."),
    ]

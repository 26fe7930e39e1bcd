"""What a language model says of a clinic is carried by its data or by an approved answer that it names, and by nothing
else."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from agents.testing import ScriptedModel, assistant_message
from agents.testing.model import ModelStep
from tests.receptionist.front_desk import ROOT, FrontDesk, Visitor, demo_clinic, options, text
from tests.receptionist.scripted import call, scripted

from gendei.clinic_services import ModelStyle
from gendei.documents import put
from gendei.knowledge.entry import ENTRY, KnowledgeEntry
from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase, KnowledgeRefused
from gendei.messages.turns import TurnOutcome
from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.claims import evidence, named_in, uncarried
from gendei.receptionist.sources import Source

WORDS = GuardrailWords.load(ROOT / "prompts")
PARKING = "Temos estacionamento conveniado na Rua das Acácias, 45, com a primeira hora grátis."
LIFT = "O prédio não tem elevador; a clínica fica no térreo."
SHARES = "Parcelamos em até 3x no cartão, a partir de R$ 300,00."
ENTRIES = {
    "vagas": (("tem estacionamento?", "onde estacionar?"), PARKING),
    "subida": (("tem elevador no prédio?",), LIFT),
    "parcelas": (("vocês parcelam?", "dá para dividir em vezes?"), SHARES),
    "jejum": (("precisa de jejum para o exame de sangue?",), "Para o exame de sangue são 8 horas de jejum."),
    "ultrassom": (("precisa de jejum para o ultrassom?",), "Para o ultrassom são 6 horas de jejum."),
}
CLINIC = replace(demo_clinic("sorriso"), notes="Atendemos crianças a partir de 3 anos.")
INFO = call(1, "transfer_to_product_info")


def look(question: str, entry_id: str | None = None) -> list[Any]:
    return call(2, "search_knowledge", question=question, entry_id=entry_id)


def says(words: str) -> list[Any]:
    return [assistant_message(words)]


async def approve(base: KnowledgeBase, clinic: Any = CLINIC, only: Sequence[str] = tuple(ENTRIES)) -> None:
    for entry_id in only:
        questions, answer = ENTRIES[entry_id]
        await base.write(clinic, entry_id, EntryDraft(questions, answer), "Carla")
        await base.approve(clinic, entry_id, 1, "Carla", despite=list(ENTRIES))


async def asking(
    front_desk: FrontDesk, *steps: Any, style: ModelStyle = ModelStyle.FREE
) -> tuple[Visitor, ScriptedModel]:
    """A patient of a clinic that knows ENTRIES, whose model does `steps`."""
    visitor, model = scripted(front_desk, steps)
    base = KnowledgeBase(front_desk.documents, lambda: visitor.now, look_seconds=0)
    visitor.clinic, visitor.receptionist = CLINIC, replace(visitor.receptionist, knowledge=base, style=style)
    await approve(base)
    return visitor, model


def noted(outcome: TurnOutcome) -> list[str]:
    """What staff read of the entries that were looked up or used, as "id (version)"."""
    return [
        json.loads(step.result)["data"]["line"]
        for step in outcome.steps
        if step.tool == "search_knowledge" and step.result
    ]


def knows(*sources: Source, asked: str = "") -> Any:
    return evidence([CLINIC.notes], sources, asked, ["Maria Silva"], WORDS)


def source(entry_id: str, asked: str = "") -> Source:
    return Source(entry_id, 1, *ENTRIES[entry_id], asked)


CARRIED = [
    ("Temos estacionamento conveniado, com a primeira hora grátis, na Rua das Acácias, 45.", "vagas"),
    ("Não tem elevador, mas a clínica fica no térreo.", "subida"),
    ("Sim, parcelamos em até 3x no cartão, a partir de R$ 300,00!", "parcelas"),
    ("São 8 horas de jejum para o exame de sangue.", "jejum"),
    ("Atendemos crianças a partir de 3 anos.", None),
    ("Isso eu não sei, mas posso chamar a equipe. Quer marcar um horário?", None),
    ("Olá, Maria! Que bom falar com você. Como posso ajudar?", None),
    ("Vou verificar os horários livres de amanhã para você.", None),
]


@pytest.mark.parametrize(("said", "entry"), CARRIED)
def test_what_the_clinic_or_the_named_answer_says_is_carried(said: str, entry: str | None):
    assert uncarried(said, knows(*([source(entry)] if entry else []))) == []


HELD = [
    ("Temos elevador.", None),
    ("Temos estacionamento.", None),
    ("Aceitamos cachorros na recepção.", None),
    ("Pode tomar café antes do exame.", None),
    ("A harmonização é um procedimento estético com ácido hialurônico.", None),
    ("Temos estacionamento conveniado na Rua das Acácias, 45, e é grátis.", "vagas"),
    ("O estacionamento é grátis.", "vagas"),
    ("Temos estacionamento conveniado com manobrista.", "vagas"),
    ("Tem elevador, sim.", "subida"),
    ("Parcelamos no cartão.", "parcelas"),
    ("Parcelamos em até 12x no cartão, a partir de R$ 300,00.", "parcelas"),
    ("Não parcelamos no cartão.", "parcelas"),
    ("Não precisa de jejum para o exame de sangue.", "jejum"),
    ("Temos estacionamento conveniado na Rua das Acácias, 45, com a primeira hora grátis.", "jejum"),
]


@pytest.mark.parametrize(("said", "entry"), HELD)
def test_what_nothing_carries_or_what_widens_an_answer_is_held(said: str, entry: str | None):
    assert uncarried(said, knows(*([source(entry)] if entry else []))) != []


@pytest.mark.parametrize("said", ["Sim!", "Temos sim.", "Não.", "Tem sim, claro!"])
def test_a_bare_yes_or_no_is_about_what_was_asked(said: str):
    found = knows(source("vagas", "tem onde parar o carro?"), asked="tem onde parar o carro?")
    assert uncarried(said, knows(asked="tem onde parar o carro?")) != []
    assert (uncarried(said, found) == []) == (not said.startswith("Não"))


def test_the_names_of_entries_are_taken_out_of_the_text():
    assert named_in("Temos. [fonte: vagas] Quer marcar? [Fontes: a, b]") == ("Temos. Quer marcar?", ("vagas", "a", "b"))


async def test_an_answer_that_names_its_entry_goes_and_staff_see_the_version(front_desk: FrontDesk):
    said = "Temos estacionamento conveniado na Rua das Acácias, 45: a primeira hora é grátis."
    maria, model = await asking(front_desk, INFO, look("tem estacionamento?"), says(f"{said} [fonte: vagas]"))
    outcome = await maria.say("tem estacionamento?")
    model.assert_complete()
    assert (text(outcome), noted(outcome)) == (said, ["vagas (v1)"])


async def test_an_answer_in_its_approved_words_needs_no_name(front_desk: FrontDesk):
    maria, model = await asking(
        front_desk, INFO, look("tem estacionamento?"), says(f"{PARKING} Quer marcar um horário?")
    )
    outcome = await maria.say("tem estacionamento?")
    model.assert_complete()
    assert (PARKING in text(outcome), noted(outcome)) == (True, ["vagas (v1)"])


@pytest.mark.parametrize(
    "claim",
    [
        "Sim, temos estacionamento e é grátis! [fonte: vagas]",
        "Sim, temos estacionamento. [fonte: inventada]",
        "Temos estacionamento coberto, pode vir.",
        "Temos, sim!",
    ],
)
async def test_a_claim_that_nothing_carries_is_asked_again_and_then_guided_answers(front_desk: FrontDesk, claim: str):
    maria, model = await asking(front_desk, INFO, says(claim), says(claim))
    outcome = await maria.say("tem estacionamento?")
    told = model.last_call.input[-1]
    model.assert_complete()
    assert (text(outcome), outcome.failure) == (PARKING, "SaidUntrue")
    assert (told["role"], f"[fonte: vagas] {PARKING}" in told["content"]) == ("system", True)
    assert noted(outcome)[-1] == "vagas (v1)"


async def test_who_is_asked_again_may_say_it_right(front_desk: FrontDesk):
    right = f"{SHARES} [fonte: parcelas]"
    maria, model = await asking(front_desk, INFO, says("Dividimos em 12 vezes, sim."), says(right))
    outcome = await maria.say("vocês parcelam?")
    model.assert_complete()
    assert (text(outcome), outcome.failure, noted(outcome)) == (SHARES, None, ["parcelas (v1)"])


async def test_what_no_entry_says_is_not_said(front_desk: FrontDesk):
    claim = "Sim, temos piscina aquecida para os pacientes."
    maria, model = await asking(front_desk, INFO, says(claim), says(claim))
    outcome = await maria.say("tem piscina?")
    model.assert_complete()
    assert ("piscina" in text(outcome), outcome.failure) == (False, "SaidUntrue")


async def changed_meanwhile(front_desk: FrontDesk, change: Any, claim: str = PARKING) -> TurnOutcome:
    """The answer of a model that says what it read before somebody at the clinic changed the entry."""
    maria, model = await asking(front_desk)
    base = maria.receptionist.knowledge
    assert base is not None

    async def afterwards(_: Any) -> list[Any]:
        await change(base)
        return says(f"{claim} [fonte: vagas]")

    model.extend([INFO, look("tem estacionamento?"), ModelStep.respond(afterwards), says(f"{claim} [fonte: vagas]")])
    outcome = await maria.say("tem estacionamento?")
    model.assert_complete()
    return outcome


async def test_an_entry_that_is_retired_meanwhile_carries_nothing(front_desk: FrontDesk):
    outcome = await changed_meanwhile(front_desk, lambda base: base.retire(CLINIC, "vagas", 1))
    assert ("estacionamento conveniado" in text(outcome), outcome.failure) == (False, "SaidUntrue")


async def test_an_entry_that_is_changed_meanwhile_is_said_as_it_is_now(front_desk: FrontDesk):
    now = "Temos estacionamento conveniado na Rua das Palmeiras, 9, sem hora grátis."

    async def change(base: KnowledgeBase) -> None:
        await base.write(CLINIC, "vagas", EntryDraft(ENTRIES["vagas"][0], now, version=1), "Carla")
        await base.approve(CLINIC, "vagas", 2, "Carla", despite=list(ENTRIES))

    outcome = await changed_meanwhile(front_desk, change)
    assert (text(outcome), noted(outcome)[-1]) == (now, "vagas (v2)")


async def test_an_entry_of_another_clinic_carries_nothing(front_desk: FrontDesk):
    claim = f"{PARKING} [fonte: vagas]"
    visitor, model = scripted(front_desk, [INFO, look("tem estacionamento?"), says(claim), says(claim)])
    base = KnowledgeBase(front_desk.documents, lambda: visitor.now, look_seconds=0)
    await approve(base)
    outsider = replace(demo_clinic("boa-vida"), notes="")
    visitor.clinic, visitor.receptionist = outsider, replace(visitor.receptionist, knowledge=base)
    outcome = await visitor.say("tem estacionamento?")
    model.assert_complete()
    assert ("Acácias" in text(outcome), noted(outcome)[:1], outcome.failure) == (False, [""], "SaidUntrue")


async def test_in_strict_mode_the_approved_wording_is_said_as_it_stands(front_desk: FrontDesk):
    maria, model = await asking(front_desk, INFO, look("tem estacionamento?"), style=ModelStyle.STRICT)
    outcome = await maria.say("tem estacionamento?")
    model.assert_complete()
    assert (text(outcome), noted(outcome), outcome.failure) == (PARKING, ["vagas (v1)"], None)


async def test_in_strict_mode_the_patient_chooses_between_two(front_desk: FrontDesk):
    maria, model = await asking(front_desk, INFO, look("qual o tempo de jejum?"), style=ModelStyle.STRICT)
    asked = await maria.say("qual o tempo de jejum?")
    answered = await maria.tap(options(asked)["Jejum exame sangue"])
    model.assert_complete()
    assert text(answered) == ENTRIES["jejum"][1]


async def test_an_approved_answer_that_gives_advice_on_health_is_never_said(front_desk: FrontDesk):
    """As when it was approved before the guard knew the words."""
    advice = "Para a dor, tome dipirona de 6 em 6 horas."
    maria, model = await asking(
        front_desk, INFO, look("o que tomar para a dor de dente?"), says("Isso eu não sei dizer.")
    )
    base = maria.receptionist.knowledge
    assert base is not None
    with pytest.raises(KnowledgeRefused):
        await base.write(CLINIC, "dor", EntryDraft(("o que tomar para a dor?",), advice), "Carla")
    made = await base.write(CLINIC, "dor", EntryDraft(("o que tomar para a dor de dente?",), "Fale com a equipe."), "C")
    bad: KnowledgeEntry = replace(made, answer=advice).approved("Carla", maria.now)
    await front_desk.documents.commit([put(f"gendei_clinics/{CLINIC.id}/knowledge/dor", ENTRY.write(bad))])
    base._known.clear()
    outcome = await maria.say("qual remédio uso para a dor de dente?")
    model.assert_complete()
    assert ("dipirona" in text(outcome), noted(outcome)) == (False, [""])

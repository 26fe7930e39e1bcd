"""Injections in Portuguese, by every way that a patient's words come, to a model that obeys: nothing comes of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.adversary.injections import ORDERS, Injection, injections
from tests.adversary.moves import Calls, Move, Turn
from tests.adversary.world import PATIENT, Tally, World, _watched, open_world
from tests.receptionist.front_desk import text

from gendei.clinic_services import ModelStyle
from gendei.messages.turns import PatientInput
from gendei.receptionist.tools.attached import Answer, AttachedTool

ALL = list(injections())
SLICE = ALL[:: len(ORDERS) + 5]


class Server:
    """A clinic's own server whose one tool answers with the attacker's words."""

    def __init__(self, words: str) -> None:
        async def call(_arguments: Any, _told: Any) -> Answer:
            return Answer({"aviso": words})

        schema = {"type": "object", "properties": {}, "additionalProperties": False}
        self.tool = AttachedTool("avisos", "avisos", "Avisos.", schema, 5.0, 0, {}, lambda _: None, call)

    def of(self, _clinic: Any, _agent: str) -> Sequence[AttachedTool]:
        return (self.tool,)


async def came_of(world: World, injection: Injection) -> list[str]:
    """What was violated by it and by the second attempt, which knows the refusal."""
    patient = world.desk.visitor("sorriso", contact=PATIENT, name=injection.name)
    patient.receptionist = replace(patient.receptionist, style=world.style)
    patient.history += injection.history
    world.model.ids = {"victim": [world.victims[0].id]}
    obeyed = ORDERS[injection.order].obeyed
    if injection.channel == "server":
        patient.receptionist = replace(patient.receptionist, attached=Server(injection.words))
        obeyed = (Calls((("avisos", {}),)), *obeyed)
    found: list[str] = []
    sent: PatientInput = injection.sent
    for _ in range(2):
        before = await world._own(patient)
        world.model.will(Turn(Move(sent.text), (*obeyed, *obeyed)))
        with _watched(world.tally, found):
            outcome = await patient.turn((sent,))
        found += await world._broken(patient, Turn(Move("?"), ()), outcome, before)
        sent = injection.again(text(outcome))
    return found


async def violations(chosen: Sequence[Injection], style: ModelStyle = ModelStyle.FREE) -> list[str]:
    found: list[str] = []
    for injection in chosen:
        async with open_world(Tally(), style) as world:
            found += [f"{injection}: {what}" for what in await came_of(world, injection)]
    return found


def test_there_are_a_thousand_of_every_family_channel_and_order():
    assert len(set(ALL)) == len(ALL) >= 1000
    of_slice, of_all = (
        [{sent.family for sent in those}, {sent.channel for sent in those}, {sent.order for sent in those}]
        for those in (SLICE, ALL)
    )
    assert of_slice == of_all


async def test_some_of_every_family_channel_and_order_come_to_nothing():
    assert await violations(SLICE) == []


async def test_in_strict_mode_nothing_that_an_injection_makes_a_model_say_is_read():
    assert await violations(SLICE[::3], ModelStyle.STRICT) == []


@pytest.mark.slow
async def test_all_of_them_come_to_nothing():
    assert await violations(ALL) == []

"""How a patient wants to be answered, seen and changed by staff."""

import pytest
from tests.conversation.cast import BOA_VIDA, MARIA, SORRISO, World, text

from gendei.errors import NotFound
from gendei.messages.preferences import Answers, Preferences
from gendei.staff.actors import RIGHTS, Actor, Forbidden, Right, Role
from gendei.staff.audit import Action, Audit
from gendei.staff.patients import PatientPreferences

BIA = Actor(BOA_VIDA, "u1", "Bia", RIGHTS[Role.GESTOR])
OUTSIDER = Actor(SORRISO, "u2", "Caio", RIGHTS[Role.GESTOR])


@pytest.fixture
async def preferences(world: World) -> PatientPreferences:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
    return PatientPreferences(world.documents, world.clock)


async def test_who_said_nothing_has_the_ordinary_ones(preferences: PatientPreferences):
    assert await preferences.of(BIA, MARIA) == (Preferences(), True)


async def test_a_change_stands_with_notices_and_in_the_audit(world: World, preferences: PatientPreferences):
    await preferences.change(BIA, MARIA, {"answers": "audio", "voice": "onyx", "rate": 1.5, "notices": False})
    assert await preferences.of(BIA, MARIA) == (Preferences(Answers.AUDIO, "onyx", 1.5), False)
    [entry] = await Audit(world.documents, world.clock).search(BIA, action=Action.PATIENT_CHANGED)
    assert (entry.user_id, entry.detail) == ("u1", {"preferences": ["answers", "notices", "rate", "voice"]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"voice": "<darth>"}, {"rate": 0.4}, {"rate": 2.1}, {"rate": True}, {"language": "xx"}, {"context": 4},
        {"context": 51}, {"answers": "loud"}, {"color": "red"}, {"notices": "no"}, {"interruption": 1},
    ],
    ids=str,
)  # fmt: skip
async def test_what_there_is_not_changes_nothing(preferences: PatientPreferences, wrong: dict):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        await preferences.change(BIA, MARIA, {"voice": "nova"} | wrong)
    assert await preferences.of(BIA, MARIA) == (Preferences(), True)


async def test_another_clinic_finds_nobody(preferences: PatientPreferences):
    with pytest.raises(NotFound):
        await preferences.of(OUTSIDER, MARIA)
    with pytest.raises(NotFound):
        await preferences.change(OUTSIDER, MARIA, {"rate": 0.5})
    assert await preferences.of(BIA, MARIA) == (Preferences(), True)


async def test_who_may_only_read_changes_nothing(preferences: PatientPreferences):
    reader = Actor(BOA_VIDA, "t1", "Painel", frozenset({Right.READ}))
    with pytest.raises(Forbidden):
        await preferences.change(reader, MARIA, {"rate": 0.5})

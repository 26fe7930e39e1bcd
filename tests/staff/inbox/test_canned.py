from datetime import timedelta
from pathlib import Path

import pytest
from tests.conversation.cast import MARIA, NOON, World, text
from tests.staff.inbox.desk import BIA, CAIO, OLGA, TEXTS, actions_in_audit
from tests.staff.inbox.records import booked

from gendei.datafile import data_dir
from gendei.errors import ConfigurationError, NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.canned import MOST, BadCanned, Canned, Filled, fill, with_present_names
from gendei.staff.inbox.texts import InboxTexts

HELLO = Canned("oi", "Oi", "Oi, {paciente}! {hora} com {profissional}.")


def test_what_is_not_known_stays_visible():
    assert fill("Oi, {paciente}! Às {hora}.", {"paciente": "Maria"}) == Filled("Oi, Maria! Às {hora}.", ("hora",))


def test_a_name_that_looks_like_a_placeholder_is_only_a_name():
    assert fill("Oi, {paciente}!", {"paciente": "{hora}", "hora": "14h"}) == Filled("Oi, {hora}!", ())


def test_placeholders_need_no_accents_and_are_known_by_their_former_names():
    values = {"clínica": "Boa Vida", "endereço": "Rua A"}
    assert fill("{clinica}, {Endereco}, {clinic_name}", values) == Filled("Boa Vida, Rua A, Boa Vida", ())
    assert with_present_names("{clinica}, {attendant}, {nada}") == "{clínica}, {atendente}, {nada}"


async def test_a_clinic_begins_with_those_of_the_data_file(desk: FrontDesk) -> None:
    assert await desk.canned.list(BIA) == TEXTS.first_replies


async def test_who_manages_the_clinic_changes_them_for_everybody_there(world: World, desk: FrontDesk) -> None:
    await desk.canned.save(CAIO, [HELLO])

    assert await desk.canned.list(BIA) == (HELLO,)
    assert await desk.canned.list(OLGA) == TEXTS.first_replies
    assert await actions_in_audit(world, BIA) == [("Caio", "clinic.setting_changed", "canned")]
    with pytest.raises(Forbidden):
        await desk.canned.save(BIA, [])


@pytest.mark.parametrize(
    "replies",
    [
        [Canned("a", "A", "{nome}")],
        [Canned("a", " ", "x")],
        [Canned("a", "A", "x"), Canned("a", "B", "y")],
        [Canned("a", "A", "x" * 4097)],
        [Canned(str(number), "A", "x") for number in range(MOST + 1)],
    ],
    ids=["placeholder", "title", "twice", "long", "many"],
)
async def test_what_cannot_be_kept_is_refused(desk: FrontDesk, replies: list[Canned]) -> None:
    with pytest.raises(BadCanned):
        await desk.canned.save(CAIO, replies)
    assert await desk.canned.list(CAIO) == TEXTS.first_replies


async def test_a_reply_is_filled_for_the_patient(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria"))
        await world.idle()
    await desk.canned.save(CAIO, [HELLO])
    assert await desk.canned.filled(BIA, MARIA, "oi") == Filled(
        "Oi, Maria! {hora} com {profissional}.", ("hora", "profissional")
    )
    await booked(world, "Maria", NOON + timedelta(days=1, hours=5))

    assert await desk.canned.filled(BIA, MARIA, "oi") == Filled("Oi, Maria! 14h com Dra. Ana.", ())


async def test_an_unknown_reply_or_patient_is_not_found(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()

    for actor, reply in ((BIA, "nada"), (OLGA, "ola")):
        with pytest.raises(NotFound):
            await desk.canned.filled(actor, MARIA, reply)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("  closed:", "  fechada:", "events"),
        ("{atendente}", "{atendent}", "canned"),
        ("left_note:", "nota:", "nota"),
    ],
)
def test_a_data_file_that_cannot_be_used_says_where(tmp_path: Path, before: str, after: str, problem: str) -> None:
    content = (data_dir("prompts") / "inbox.yaml").read_text(encoding="utf-8")
    (tmp_path / "inbox.yaml").write_text(content.replace(before, after), encoding="utf-8")

    with pytest.raises(ConfigurationError, match=problem):
        InboxTexts.load(tmp_path)

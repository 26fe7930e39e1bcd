"""A clinic with a language model's key of its own: its patients and its money go to its API alone."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, CLINICS, SECRET_KEY, TOKENS, Town, open_town
from tests.receptionist.openai_server import Fail, OpenAiServer, Say, openai_server

from gendei.clinics.file import load_clinics
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.secrets import SecretBox, new_key
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.verticals import load_verticals

KEY = "sk-of-aurora"
OURS, THEIRS = Say("Olá! Somos da implantação."), Say("Olá! Sou a assistente da Aurora.")


def aurora(folder: Path, box: str = SECRET_KEY, **section: object):
    """Aurora with a `language_model`, through the import's own code."""
    data = yaml.safe_load((CLINICS / "aurora.yaml").read_text(encoding="utf-8"))
    file = folder / "aurora.yaml"
    file.write_text(yaml.safe_dump(data | {"language_model": section}, allow_unicode=True), encoding="utf-8")
    variables = TOKENS | {"AURORA_AI": KEY}
    [clinic] = load_clinics([file], variables, load_verticals(data_dir("verticals")), SecretBox(box))
    return clinic


@dataclass
class Two:
    """The deployment's API and Aurora's own."""

    ours: OpenAiServer
    theirs: OpenAiServer
    folder: Path
    stack: AsyncExitStack

    async def town(self, section: dict[str, object] | None = None, **settings: object) -> Town:
        api = {"model": "api", "OPENAI_API_KEY": "sk-of-the-deployment", "OPENAI_BASE_URL": self.ours.url}
        given = {**api, "api_model": "gpt-6-luna", "api_retries": 0, **settings}
        town = await self.stack.enter_async_context(open_town(self.folder, **given))
        own = {"api_key": "${AURORA_AI}", "base_url": self.theirs.url, "model": "own-model"}
        await town.gendei.directory.import_clinic(aurora(self.folder, **(own if section is None else section)))
        return town


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Two]:
    async with openai_server() as ours, openai_server() as theirs, AsyncExitStack() as stack:
        yield Two(ours, theirs, tmp_path, stack)


def people(town: Town) -> tuple[Phone, Phone]:
    """A patient of Aurora's and one of Bromélia's."""
    return Phone(town, "+5511999990001", "Maria Silva"), Phone(town, "+5592999990003", "Dalva Nunes", BROMELIA)


async def test_each_clinics_patients_are_answered_by_its_own_key_and_model(two: Two):
    town = await two.town()
    maria, dalva = people(town)
    two.ours.will(OURS)
    two.theirs.will(THEIRS)
    assert (await maria.say("oi"), await dalva.say("oi")) == (THEIRS.text, OURS.text)
    seen = [(server.keys, [body["model"] for body in server.requests]) for server in (two.ours, two.theirs)]
    assert seen == [(["Bearer sk-of-the-deployment"], ["gpt-6-luna"]), ([f"Bearer {KEY}"], ["own-model"])]
    assert KEY not in str(await town.stored("gendei_clinics"))


async def test_the_staffs_assistant_asks_the_clinics_own_api_too_and_its_page_knows_whose_rests(two: Two):
    town = await two.town()
    bia, olga = (Actor(clinic, f"u-{clinic}", "Bia", RIGHTS[Role.GESTOR]) for clinic in (AURORA, BROMELIA))
    two.theirs.will(Say("Hoje não há nada marcado."), Fail(401, "invalid_api_key"))
    answer = await town.gendei.assistant.say(bia, "o que temos hoje?")
    assert (answer.message, two.ours.requests) == ("Hoje não há nada marcado.", [])
    await town.gendei.assistant.say(bia, "e amanhã?")
    today = town.gendei.clock().date()
    rests = [await town.gendei.model_use.rests(actor, today) for actor in (bia, olga)]
    assert (rests, two.ours.requests) == (["resting", None], [])


async def test_an_api_of_its_own_that_fails_costs_that_clinic_alone_and_asks_no_other(two: Two):
    town = await two.town()
    maria, dalva = people(town)
    two.theirs.will(Fail(401, "invalid_api_key"))
    two.ours.will(OURS, OURS)
    assert (await maria.say("quero uma limpeza amanhã às 15h")).startswith("Posso marcar assim?")
    assert await dalva.say("oi") == OURS.text
    await maria.say("onde fica?")
    assert (len(two.theirs.requests), len(two.ours.requests)) == (1, 1)


async def test_a_clinics_budget_is_its_own(two: Two):
    own = {"api_key": "${AURORA_AI}", "base_url": two.theirs.url, "model": "own-model", "daily_budget_usd": 0.5}
    town = await two.town(section=own)
    maria, dalva = people(town)
    two.ours.usage = two.theirs.usage = (1_000_000, 0)
    two.ours.will(OURS, OURS)
    two.theirs.will(THEIRS, THEIRS)
    for phone in (maria, dalva):
        await phone.say("oi")
    assert (await maria.say("quero uma limpeza amanhã às 15h")).startswith("Posso marcar assim?")
    assert await dalva.say("oi de novo") == OURS.text
    assert (len(two.theirs.requests), len(two.ours.requests)) == (1, 2)


async def test_a_budget_without_a_key_limits_what_the_deployment_pays_for_that_clinic(two: Two):
    town = await two.town(section={"daily_budget_usd": 0.05})
    maria, dalva = people(town)
    two.ours.usage = (1_000_000, 0)
    two.ours.will(OURS, OURS, OURS)
    for phone in (maria, dalva):
        await phone.say("oi")
    assert (await maria.say("quero uma limpeza amanhã às 15h")).startswith("Posso marcar assim?")
    assert (await dalva.say("oi de novo"), len(two.ours.requests)) == (OURS.text, 3)


async def test_a_key_answers_its_clinic_where_the_deployment_has_none(two: Two):
    town = await two.town(model="guided")
    maria, dalva = people(town)
    two.theirs.will(THEIRS)
    assert await maria.say("oi") == THEIRS.text
    await dalva.say("oi")
    assert (len(two.theirs.requests), len(two.ours.requests)) == (1, 0)


async def test_a_key_that_cannot_be_opened_is_replaced_by_no_other(two: Two):
    town = await two.town()
    maria, _ = people(town)
    clinic = await town.clinic()
    own = aurora(two.folder, new_key(), api_key="${AURORA_AI}").language_model
    await town.gendei.directory.import_clinic(replace(clinic, language_model=own))
    assert (await maria.say("quero uma limpeza amanhã às 15h")).startswith("Posso marcar assim?")
    assert (two.ours.requests, two.theirs.requests) == ([], [])


async def test_a_clinic_that_is_imported_anew_has_its_new_key_from_the_next_turn_on(two: Two):
    town = await two.town()
    maria, _ = people(town)
    two.theirs.will(THEIRS)
    await maria.say("oi")
    await town.gendei.directory.import_clinic(aurora(two.folder))
    two.ours.will(OURS)
    assert await maria.say("oi de novo") == OURS.text


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"model": "gpt-6-luna"}, "has no api_key."),
        ({"api_key": "k", "base_url": "https://api.example.org/v1"}, "has a base_url and no model."),
        ({"api_key": "k", "model": "m", "base_url": "http://api.example.org/v1"}, "must be an https address"),
        ({"daily_budget_usd": -1.0}, "must not be less than 0"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, section: dict[str, object], told: str):
    with pytest.raises(ConfigurationError) as caught:
        aurora(tmp_path, **section)
    assert (told in str(caught.value), "language_model" in str(caught.value)) == (True, True)

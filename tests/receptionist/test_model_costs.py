"""What models cost: prices, the ledger in the store, the day's budget, and who may see it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date

import pytest
from agents import Usage
from agents.testing import assistant_message
from tests.receptionist.front_desk import ROOT, FrontDesk, text
from tests.receptionist.scripted import scripted

from gendei.clinic import ClinicId
from gendei.costs.model_costs import SPENT as SPENT_RECORD
from gendei.costs.model_costs import Price, Spent, UsageLedger, load_prices, spent_by, usage_ledger
from gendei.documents import Query
from gendei.receptionist.llm.models import ModelLimits
from gendei.staff.actors import Actor, Forbidden, Right
from gendei.staff.model_use import ModelUse
from gendei.store.sqlite import SqliteDocuments

SORRISO, OTHER = ClinicId("sorriso"), ClinicId("boa-vida")
TODAY = date(2026, 11, 23)
DAYS = Query("gendei_clinics/sorriso/model_usage")
SPENT = Spent(turns=1, calls=2, input_tokens=1000, output_tokens=50, cost_micros=2400)


@pytest.fixture
async def documents() -> AsyncIterator[SqliteDocuments]:
    opened = await SqliteDocuments.open(":memory:")
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    ("model", "named"),
    [
        ("gpt-4.1", "gpt-4.1"),
        ("gpt-4.1-2025-04-14", "gpt-4.1"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
    ],
)
def test_a_model_costs_what_its_family_costs(model: str, named: str):
    prices = load_prices(ROOT / "prompts")
    assert prices.of(model) == prices.models[named]


def test_a_model_that_is_not_named_costs_what_others_do():
    prices = load_prices(ROOT / "prompts")
    assert prices.of("llama-9") == prices.others


def test_cached_tokens_cost_their_own_price():
    usage = Usage(requests=1, input_tokens=1000, output_tokens=100, total_tokens=1100)
    usage.input_tokens_details.cached_tokens = 400
    assert spent_by(usage, Price(input=2.0, cached_input=0.5, output=8.0)) == Spent(
        calls=1, input_tokens=1000, cached_tokens=400, output_tokens=100, cost_micros=600 * 2 + 200 + 800
    )


async def test_what_turns_cost_is_one_document_a_clinic_and_day(documents: SqliteDocuments):
    async with usage_ledger(documents) as ledger:
        for _ in range(3):
            ledger.add(SORRISO, TODAY, SPENT)
        ledger.add(OTHER, TODAY, SPENT)
    assert await usage_ledger(documents).stored(SORRISO, [TODAY, date(2026, 11, 24)]) == [
        SPENT + SPENT + SPENT,
        Spent(),
    ]


async def test_two_processes_add_up(documents: SqliteDocuments):
    one, two = usage_ledger(documents), usage_ledger(documents)
    for ledger in (one, two):
        ledger.add(SORRISO, TODAY, SPENT)
        await ledger.flush()
    assert await one.today(SORRISO, TODAY) == SPENT
    one.add(SORRISO, TODAY, SPENT)
    await one.flush()
    assert await one.today(SORRISO, TODAY) == SPENT + SPENT + SPENT


async def test_what_is_written_in_the_background_needs_no_stop(documents: SqliteDocuments):
    async with UsageLedger(documents, SPENT_RECORD, every=0) as ledger, documents.watch(DAYS) as changes:
        assert await anext(changes) == []
        ledger.add(SORRISO, TODAY, SPENT)
        [stored] = await anext(changes)
        assert SPENT_RECORD.read(stored.data) == SPENT


async def test_a_clinic_over_its_budget_is_answered_by_guided_and_another_is_not(front_desk: FrontDesk):
    ledger = usage_ledger(front_desk.documents)
    maria, model = scripted(front_desk, [])
    limits = ModelLimits(daily_budget_usd=0.5)
    maria.receptionist = replace(maria.receptionist, models=replace(front_desk.models, limits=limits), ledger=ledger)
    ledger.add(SORRISO, maria.clinic.local(maria.now).date(), Spent(cost_micros=500_000))
    outcome = await maria.say("oi")
    assert ("Como posso ajudar?" in text(outcome), outcome.failure, list(model.calls)) == (True, None, [])
    ana = front_desk.visitor("boa-vida")
    ana.receptionist = maria.receptionist
    model.extend([[assistant_message("Bom dia!")]])
    assert text(await ana.say("oi")) == "Bom dia!"
    spent = await ledger.today(SORRISO, maria.clinic.local(maria.now).date())
    assert spent.guided_turns == 1


def actor(clinic: ClinicId, *rights: Right) -> Actor:
    return Actor(clinic, "u", "U", frozenset(rights))


async def test_managers_see_their_clinics_days_and_no_others(documents: SqliteDocuments):
    ledger = usage_ledger(documents)
    ledger.add(SORRISO, TODAY, SPENT)
    use = ModelUse(ledger)
    mine = await use.days(actor(SORRISO, Right.READ, Right.MANAGE), TODAY, TODAY)
    outsiders = await use.days(actor(OTHER, Right.READ, Right.MANAGE), TODAY, TODAY)
    assert ([item.spent for item in mine], [outsider.spent for outsider in outsiders]) == ([SPENT], [Spent()])


async def test_staff_see_that_their_own_clinics_day_has_cost_enough(front_desk: FrontDesk):
    ledger = usage_ledger(front_desk.documents)
    scripted(front_desk, [])
    models = replace(front_desk.models, limits=ModelLimits(daily_budget_usd=0.5))
    use = ModelUse(ledger, models)
    ledger.add(SORRISO, TODAY, Spent(cost_micros=500_000))
    seen = [await use.rests(actor(clinic, Right.READ), TODAY) for clinic in (SORRISO, OTHER)]
    assert seen == ["budget", None]
    assert await ModelUse(ledger).rests(actor(SORRISO, Right.READ), TODAY) is None
    with pytest.raises(Forbidden):
        await use.rests(actor(SORRISO), TODAY)


async def test_attendants_see_no_costs_but_whether_the_api_rests(documents: SqliteDocuments):
    use = ModelUse(usage_ledger(documents))
    with pytest.raises(Forbidden):
        await use.days(actor(SORRISO, Right.READ, Right.WRITE), TODAY, TODAY)
    assert use.breaker(actor(SORRISO, Right.READ)) is None

"""Each rule of a turn fails on a turn that breaks it, and what would break one is not sent."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import JOAO, MARIA, NOW, FrontDesk, text
from tests.receptionist.scripted import call, scripted

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.deposit_rules import DepositProvider, DepositRules
from gendei.messages.replies import Option, Reply
from gendei.messages.turns import Danger, Hearing, PatientInput, ToolStep
from gendei.receptionist import answering
from gendei.receptionist.runtime import Change
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.turn_rules import RULES, broken_rules
from gendei.receptionist.turn_trace import TurnTrace
from gendei.receptionist.understanding.patient_message import Understanding

Mutation = Callable[[TurnTrace], TurnTrace]
OTHERS_PHONE = "+5511988887777"


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> list[TurnTrace]:
    """What the turns of the test were, as their rules saw them."""
    seen: list[TurnTrace] = []
    watching = answering.broken_rules

    def watch(trace: TurnTrace) -> tuple[str, ...]:
        seen.append(trace)
        return watching(trace)

    monkeypatch.setattr(answering, "broken_rules", watch)
    return seen


async def booked(front_desk: FrontDesk, traces: list[TurnTrace]) -> TurnTrace:
    """The turn of a yes to a booking, in words."""
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h com a dra lívia")
    await maria.say("sim")
    return traces[-1]


def unpaid(trace: TurnTrace) -> tuple[Appointment, ...]:
    """What was booked, as it stands before its deposit is paid."""
    return tuple(replace(found, status=AppointmentStatus.PENDING, charge_id="0" * 32) for found in trace.seen)


def says(words: str, **more: Any) -> Mutation:
    """A turn that only says this, in words of its own."""

    def changed(trace: TurnTrace) -> TurnTrace:
        replies = (Reply(words, **more),)
        return replace(
            trace, replies=replies, own=replies, rendered=(), changes=(), told=frozenset(), agreed=frozenset()
        )

    return changed


def shows(id_: str) -> Mutation:
    return says("Qual prefere?", options=(Option(id_, "Opção"),))


def appointment(**changes: Any) -> Mutation:
    """A turn whose one change is of an appointment with `changes`."""

    def changed(trace: TurnTrace) -> TurnTrace:
        [(change, made)] = trace.changes
        return replace(trace, changes=((change, replace(made, **changes)),))

    return changed


def both(*mutations: Mutation) -> Mutation:
    def changed(trace: TurnTrace) -> TurnTrace:
        for mutation in mutations:
            trace = mutation(trace)
        return trace

    return changed


def given(**fields: Any) -> Mutation:
    return lambda trace: replace(trace, **fields)


def heard_before(**fields: Any) -> Mutation:
    return lambda trace: replace(trace, before=replace(trace.before, **fields))


def after(**fields: Any) -> Mutation:
    return lambda trace: replace(trace, after=replace(trace.after, **fields))


def done(tool: str, **more: Any) -> ToolStep:
    return ToolStep(tool, "{}", **more)


def twice(trace: TurnTrace) -> TurnTrace:
    return replace(trace, changes=trace.changes * 2)


def read_of_another(trace: TurnTrace) -> TurnTrace:
    return replace(trace, seen=(*trace.seen, replace(trace.changes[0][1], contact=JOAO)))


NO_CHANGE = given(changes=(), told=frozenset(), rendered=())
BREAKS: Mapping[str, Mutation] = {
    "changed_are_the_contacts": appointment(contact=JOAO),
    "read_are_the_contacts": read_of_another,
    "tappable_are_the_contacts": shows("cancel|of-somebody-else"),
    "numbers_are_known": says(f"O telefone dele é {OTHERS_PHONE}."),
    "changed_as_agreed": given(agreed=frozenset()),
    "a_yes_is_used_once": twice,
    "a_yes_is_said_or_tapped": given(inputs=(PatientInput("[image]", kind="image"),)),
    "a_yes_is_heard_surely": given(inputs=(PatientInput("sim", kind="audio", hearing=Hearing.UNSURE),)),
    "a_yes_is_to_what_was_shown": heard_before(question=None, asked_at=None, available_slots=[]),
    "a_yes_is_to_a_fresh_question": heard_before(asked_at=(NOW - timedelta(hours=1)).isoformat()),
    "an_old_button_changes_nothing": given(
        inputs=(PatientInput("ok", "book|profilaxia|livia|2026-11-24T14:00|ffffff", "interactive"),)
    ),
    "booked_was_offered": heard_before(available_slots=[]),
    "tappable_times_were_found": shows("slot|profilaxia|livia|2026-11-25T03:00|a1b2c3"),
    "tappable_yes_stands": shows("book|profilaxia|livia|2026-11-24T15:00|a1b2c3"),
    "a_new_question_is_asked": both(
        says("Até logo!"), after(question="book|profilaxia|livia|2026-11-24T15:00|a1b2c3", asked_at=NOW.isoformat())
    ),
    "a_booking_costs_what_the_clinic_says": appointment(price_cents=100),
    "prices_are_the_clinics": both(says("A limpeza custa R$ 1,00."), given(by_model=True)),
    "unpaid_is_not_confirmed": both(
        says("Sua consulta está confirmada!"), given(by_model=True), lambda trace: replace(trace, seen=unpaid(trace))
    ),
    "money_came_only_by_the_ledger": both(
        says("Recebemos seu pagamento, obrigada!"),
        given(by_model=True),
        lambda trace: replace(trace, clinic=replace(trace.clinic, deposits=DepositRules(DepositProvider.MANUAL))),
    ),
    "promises_are_the_clinics": both(says("Temos berçário para o bebê."), given(by_model=True)),
    "claimed_only_what_stands": both(says("Sua consulta está confirmada!"), given(seen=())),
    "every_change_is_told": given(told=frozenset()),
    "told_only_what_was_done": given(told=frozenset({(Change.MOVED, "nobody-knows")}), steps=()),
    "nothing_that_stands_is_denied": says("Tudo bem, não marquei nada."),
    "strict_states_no_free_fact": both(says("A limpeza é feita pela Lívia."), given(by_model=True, strict=True)),
    "presence_is_the_patients_word": both(
        given(by_model=True, inputs=(PatientInput("obrigada!"),), heard=None),
        lambda trace: replace(trace, changes=((Change.PRESENCE, trace.changes[0][1]),)),
    ),
    "danger_comes_before_business": given(danger=Danger.CALLED, urgent=True, takeover_reason="perigo"),
    "danger_calls_a_person": both(NO_CHANGE, given(danger=Danger.CALLED, urgent=False, steps=())),
    "danger_is_no_models": given(by_model=True, heard=Understanding(("socorro",), frozenset({"urgent"}))),
    "messages_are_no_models": given(by_model=True, opt_out=True),
    "a_hand_over_says_why": given(takeover_reason=" "),
    "booked_for_who_was_named": appointment(patient_name="Fulana Desconhecida"),
    "a_turn_is_answered": given(replies=()),
    "messages_fit": says("x" * 5000),
    "plain_texts_go_together": given(replies=(Reply("Olá!"), Reply("Como vai?"))),
    "nothing_internal_is_read": says("Vou chamar create_appointment."),
    "a_turn_ends": lambda trace: replace(trace, steps=tuple(done("get_services") for _ in range(300))),
    "the_draft_can_be_kept": after(busy=["09:00-10:00"] * 5000),
}


def test_there_are_at_least_twenty_rules_each_with_a_turn_that_breaks_it_and_a_reason():
    assert set(BREAKS) == set(RULES)
    assert len(RULES) >= 20
    assert all(rule.why.endswith(".") for rule in RULES.values())


@pytest.mark.parametrize("name", BREAKS)
async def test_a_turn_that_breaks_the_rule_is_told_from_one_that_keeps_it(front_desk: FrontDesk, traces, name: str):
    kept = await booked(front_desk, traces)
    assert broken_rules(kept) == ()
    assert name in broken_rules(BREAKS[name](kept))


@pytest.mark.parametrize(("said", "stands"), [("Olá, Confirmada! Tudo bem?", True), ("Consulta confirmada!", False)])
async def test_the_patients_own_name_claims_nothing(front_desk: FrontDesk, traces, said: str, stands: bool):
    kept = await booked(front_desk, traces)
    called = NO_CHANGE(given(seen=(), steps=(), user_name="Confirmada Reis")(kept))
    assert ("claimed_only_what_stands" not in broken_rules(says(said)(called))) is stands


async def test_who_is_called_confirmada_is_greeted_so(front_desk: FrontDesk, traces):
    await front_desk.visitor("sorriso", name="Confirmada Reis").say("oi, bom dia")
    assert ("Confirmada!" in traces[-1].text, broken_rules(traces[-1])) == (True, ())


async def test_a_turn_that_breaks_a_rule_is_not_sent_and_staff_see_which(front_desk: FrontDesk, monkeypatch):
    maria, _ = scripted(front_desk, [[assistant_message("Olá! Como posso ajudar?")]])
    answers: list[str] = []

    def breaks_of_models(trace: TurnTrace) -> tuple[str, ...]:
        answers.append(trace.text)
        return ("messages_fit",) if trace.by_model else ()

    monkeypatch.setattr(answering, "broken_rules", breaks_of_models)
    outcome = await maria.say("quero uma limpeza amanhã às 14h")
    assert answers[0] == "Olá! Como posso ajudar?"
    assert (text(outcome).splitlines()[0], outcome.failure) == ("Posso marcar assim?", "TurnRuleBroken: messages_fit")
    assert maria.receptionist.broken["messages_fit"] >= 1


async def test_what_was_booked_is_told_where_the_rest_breaks_a_rule(front_desk: FrontDesk, monkeypatch):
    maria = front_desk.visitor("sorriso")
    await maria.say("limpeza amanhã às 14h")
    monkeypatch.setattr(answering, "broken_rules", lambda _trace: ("messages_fit",))
    outcome = await maria.say("sim")
    assert ("Sua consulta está confirmada" in text(outcome), outcome.failure) == (True, "TurnRuleBroken: messages_fit")
    assert [found.status for found in await front_desk.desk.appointments_of(maria.clinic, MARIA)] == [
        AppointmentStatus.CONFIRMED
    ]


async def test_an_answer_that_always_breaks_a_rule_becomes_an_apology(front_desk: FrontDesk, monkeypatch):
    maria, _ = scripted(front_desk, [call(1, "transfer_to_product_info"), [assistant_message("Olá!")]])
    monkeypatch.setattr(answering, "broken_rules", lambda _trace: ("a_turn_is_answered",))
    outcome = await maria.say("oi")
    assert "tive um problema aqui" in text(outcome)
    assert SchedulingAgentState.from_dict(outcome.state).shown == []

"""What a conversation remembers of its offers and its last question."""

import json
from datetime import timedelta

from tests.receptionist.front_desk import NOW

from gendei.receptionist.state import OFFER_LASTS, SchedulingAgentState

NINE, TEN = "limpeza|paula|2026-11-24T09:00", "limpeza|paula|2026-11-24T10:00"
MINUTE = timedelta(minutes=1)


def test_a_slot_belongs_to_the_last_offer_that_showed_it():
    state = SchedulingAgentState()
    state.offer([NINE, TEN], "aaaaaa", NOW)
    state.offer([NINE], "bbbbbb", NOW + MINUTE)
    assert [state.offer_of(value, NOW + MINUTE) for value in (NINE, TEN)] == ["bbbbbb", "aaaaaa"]


def test_an_offer_lasts_for_half_an_hour():
    state = SchedulingAgentState()
    state.offer([NINE], "aaaaaa", NOW)
    assert [state.offer_of(NINE, NOW + OFFER_LASTS - late) for late in (MINUTE, timedelta())] == ["aaaaaa", None]


def test_old_offers_fall_out_with_their_slots():
    state = SchedulingAgentState()
    state.offer([NINE], "aaaaaa", NOW)
    state.offer([TEN], "bbbbbb", NOW + OFFER_LASTS)
    assert state.available_slots == [f"{TEN}|bbbbbb"]
    assert state.newest_offer(NOW + OFFER_LASTS) == "bbbbbb"


def test_a_question_stands_until_it_is_old_or_another_offer_is_made():
    state = SchedulingAgentState()
    state.ask("book|x", NOW)
    stood = state.stands("book|x", NOW), state.stands("book|y", NOW), state.stands("book|x", NOW + OFFER_LASTS)
    state.offer([NINE], "aaaaaa", NOW)
    assert (*stood, state.stands("book|x", NOW)) == (True, False, False, False)


def test_the_state_survives_the_store():
    state = SchedulingAgentState(shown=[{"id": "do|book", "title": "Marcar horário"}])
    state.offer([NINE], "aaaaaa", NOW)
    state.ask("book|x", NOW)
    assert SchedulingAgentState.from_dict(json.loads(json.dumps(state.to_dict()))) == state


def test_what_an_earlier_version_stored_is_read_without_what_it_did_not_know():
    stored = {"state": "selecting_time", "available_slots": [NINE], "shown": [["do|book", "Marcar horário"]]}
    state = SchedulingAgentState.from_dict(stored)
    assert (state.offer_of(NINE, NOW), state.shown) == (None, [])

"""Free times as buttons or as a list, grouped so that they can be chosen."""

import json
from datetime import datetime

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import MARIA, NOW, FrontDesk, demo_clinic, options
from tests.receptionist.scripted import call, scripted

from gendei.booking.slots import Alternative, GivesWay, Slot
from gendei.receptionist.offers.options import option_for, told_apart
from gendei.receptionist.offers.slot_options import dealt, slot_key, slot_menu, suggestion
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import SchedulingAgentState

CLINIC = demo_clinic("sorriso")


@pytest.fixture
async def runtime(front_desk: FrontDesk) -> Runtime:
    receptionist = front_desk.visitor("sorriso").receptionist
    return Runtime(
        clinic=CLINIC,
        vertical=receptionist.verticals[CLINIC.vertical],
        phrases=receptionist.phrases,
        desk=front_desk.desk,
        contact=MARIA,
        phone=MARIA,
        channel="meta",
        user_name=None,
        now=CLINIC.local(NOW),
        inputs=(),
        state=SchedulingAgentState(),
        words={},
    )


def offered(runtime: Runtime, *times: tuple[str, int, int]) -> list[Slot]:
    """Slots of (professional, day of November, hour), as a search has just found them."""
    starts = [(who, datetime(2026, 11, day, hour, tzinfo=CLINIC.timezone)) for who, day, hour in times]
    runtime.offer([slot_key("profilaxia", who, f"{start:%Y-%m-%dT%H:%M}") for who, start in starts])
    return [Slot(who, start, start) for who, start in starts]


def headings(made: dict[str, object]) -> dict[str, int]:
    return {section["titulo"]: len(section["itens"]) for section in made["secoes"]}  # type: ignore[attr-defined]  # a list of dicts


async def test_formatar_horarios_buttons_2_horarios(runtime: Runtime):
    slots = offered(runtime, ("paula", 24, 9), ("livia", 24, 14))
    made = suggestion(slots, "profilaxia", runtime)
    ids = [f"slot|profilaxia|{who}|{runtime.offer_id}" for who in ("paula|2026-11-24T09:00", "livia|2026-11-24T14:00")]
    assert made == {"tool": "enviar_opcoes", "opcoes": ids}


async def test_formatar_horarios_list_3_horarios(runtime: Runtime):
    menu = slot_menu(offered(runtime, ("paula", 24, 9), ("paula", 25, 9), ("livia", 25, 14)), "profilaxia", runtime)
    made = menu.as_list("Ver horários")
    assert (made["button_text"], headings(made)) == ("Ver horários", {"Terça, 24/11": 1, "Quarta, 25/11": 2})


async def test_times_of_one_day_are_grouped_by_professional(runtime: Runtime):
    slots = offered(runtime, ("paula", 24, 9), ("livia", 24, 9), ("paula", 24, 10), ("livia", 24, 14))
    made = suggestion(slots, "profilaxia", runtime)
    assert made is not None
    assert (made["tool"], headings(made)) == ("enviar_lista", {"Dra. Paula Lins": 2, "Dra. Lívia Nogueira": 2})


async def test_times_of_several_days_are_grouped_by_day(runtime: Runtime):
    slots = offered(runtime, ("paula", 24, 9), ("livia", 24, 9), ("paula", 25, 10), ("livia", 26, 14))
    made = suggestion(slots, "profilaxia", runtime)
    assert made is not None
    assert headings(made) == {"Terça, 24/11": 2, "Quarta, 25/11": 1, "Quinta, 26/11": 1}


async def test_of_more_than_ten_times_ten_are_suggested_over_the_days(runtime: Runtime):
    slots = offered(runtime, *(("paula", day, hour) for day in (24, 25, 26) for hour in range(9, 17)))
    made = suggestion(slots, "profilaxia", runtime)
    assert made is not None
    assert (sum(headings(made).values()), len(headings(made))) == (10, 3)


async def test_nothing_is_suggested_where_nothing_is_free(runtime: Runtime):
    assert suggestion([], "profilaxia", runtime) is None


async def test_what_the_search_suggests_can_be_sent_as_it_is(front_desk: FrontDesk):
    found = call(2, "get_available_slots", service_id="profilaxia", date="2026-11-26")
    steps = [call(1, "transfer_to_sales_closer"), found, [assistant_message("Um momento.")]]
    searching, model = scripted(front_desk, steps)
    await searching.say("limpeza quinta")
    made = json.loads(model.last_call.input[-1]["output"])["data"]["suggestion"]
    steps = [call(3, made.pop("tool"), texto="Qual horário?", **made)]
    sending, model = scripted(front_desk, steps, agent=searching.agent, state=searching.state)
    sent = await sending.say("e aí?")
    model.assert_complete()
    assert [option.id for option in sent.replies[0].options] == [
        item["titulo"] for section in made["secoes"] for item in section["itens"]
    ]


async def test_formatar_horarios_trunca_titulos_telling_two_professionals_apart(front_desk: FrontDesk):
    offer = await front_desk.visitor("boa-vida").say("consulta terça às 9h")
    assert list(options(offer)) == ["24/11 9h Ana", "24/11 9h Carla"]


async def test_where_two_share_a_time_every_title_of_the_list_is_of_one_form(runtime: Runtime):
    menu = slot_menu(offered(runtime, ("paula", 24, 13), ("livia", 24, 13), ("paula", 25, 16)), "profilaxia", runtime)
    shown = told_apart([option_for(choice, runtime) for choice in menu.choices], runtime)
    assert [item.title for item in shown] == ["24/11 13h Paula", "24/11 13h Lívia", "25/11 16h Paula"]


async def test_alternatives_share_a_list_and_the_first_has_most(runtime: Runtime):
    other_day = tuple(offered(runtime, *(("paula", 26, hour) for hour in range(9, 17))))
    nearest = tuple(offered(runtime, *(("paula", 24, hour) for hour in (11, 13, 10, 15))))
    other = tuple(offered(runtime, ("livia", 24, 14)))
    alternatives = [
        Alternative(GivesWay.DAY, other_day),
        Alternative(GivesWay.HOURS, nearest),
        Alternative(GivesWay.PROFESSIONAL, other),
    ]
    shown = [[slot.start.hour for slot in alternative.slots] for alternative in dealt(alternatives, 8)]
    assert shown == [[9, 11, 14, 16], [10, 11, 13], [14]]


async def test_what_can_be_done_about_one_of_two_appointments_is_called_by_what_is_done(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    for said in ("limpeza quarta às 9h", "sim", "quero marcar também um clareamento sexta às 9h", "sim"):
        await maria.say(said)
    asked = await maria.say("quero uma limpeza na quinta de manhã")
    assert list(options(asked)) == ["Mudar horário", "Cancelar", "Marcar horário"]

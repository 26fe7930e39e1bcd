"""Where the clinic is: a pin where its coordinates are known, and a link to a map where they are not."""

from dataclasses import replace

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import FrontDesk
from tests.receptionist.scripted import call, scripted

from gendei.clinic import Location
from gendei.messages.replies import Link, Option, Pin, Reply
from gendei.providers.numbered import numbered_text

PLACE = Location(-8.1117, -34.8949)
ADDRESS = "Avenida Boa Viagem, 2500, sala 12, Recife"
PIN = Pin(PLACE.latitude, PLACE.longitude, "Sorriso Odontologia", ADDRESS)
SEARCH = (
    "https://www.google.com/maps/search/?api=1&query="
    "Sorriso%20Odontologia%2C%20Avenida%20Boa%20Viagem%2C%202500%2C%20sala%2012%2C%20Recife"
)
TO_SALES, TO_PIN = call(1, "transfer_to_sales_closer"), call(2, "enviar_localizacao")


@pytest.mark.parametrize(
    "more", [{"options": (Option("a", "Sim"),)}, {"link": Link("Abrir", "https://a.test")}], ids=["options", "link"]
)
def test_a_pin_goes_with_nothing_else(more: dict):
    with pytest.raises(ValueError, match="only one"):
        Reply("Aqui", pin=PIN, **more)


@pytest.mark.parametrize(
    "change", [{"latitude": 90.5}, {"longitude": -180.5}, {"latitude": float("nan")}, {"name": " "}, {"address": ""}]
)
def test_what_is_no_place_with_a_name_is_no_pin(change: dict):
    with pytest.raises(ValueError, match="a pin needs"):
        replace(PIN, **change)


def test_a_channel_without_pins_shows_the_text_and_the_map():
    shown = numbered_text(Reply("Aqui", pin=Pin(0.00001, -34.8949, "Sorriso", ADDRESS)))
    assert shown == "Aqui\n\nVer no mapa: https://www.google.com/maps/search/?api=1&query=0.000010,-34.894900"


async def test_guided_answers_where_the_clinic_is_with_its_pin(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    maria.clinic = replace(maria.clinic, location=PLACE)
    assert (await maria.say("onde fica?")).replies == (Reply(f"📍 {ADDRESS}", pin=PIN),)


async def test_guided_without_coordinates_links_to_a_map_that_looks_for_the_address(front_desk: FrontDesk):
    said = await front_desk.visitor("sorriso").say("onde fica?")
    assert said.replies == (Reply(f"📍 {ADDRESS}", link=Link("Ver no mapa", SEARCH)),)


async def test_guided_answers_another_question_in_words_beside_the_address(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    maria.clinic = replace(maria.clinic, location=PLACE)
    [reply] = (await maria.say("onde fica e qual o telefone?")).replies
    assert (ADDRESS in reply.text, reply.pin) == (True, None)


async def test_a_model_sends_the_pin_and_what_it_said_before_stays_a_message(front_desk: FrontDesk):
    text = call(3, "send_text_message", text="Temos estacionamento no prédio.")
    maria, model = scripted(front_desk, [TO_SALES, text, call(4, "enviar_localizacao")])
    maria.clinic = replace(maria.clinic, location=PLACE, notes="Temos estacionamento no prédio.")
    said = await maria.say("onde fica? tem estacionamento?")
    model.assert_complete()
    assert said.replies == (Reply("Temos estacionamento no prédio."), Reply(f"📍 {ADDRESS}", pin=PIN))


async def test_without_coordinates_a_model_is_told_the_map_to_link_to(front_desk: FrontDesk):
    link = call(3, "enviar_cta", texto="Ficamos aqui:", url=SEARCH, label="Ver no mapa")
    maria, model = scripted(front_desk, [TO_SALES, TO_PIN, link])
    said = await maria.say("onde fica?")
    model.assert_complete()
    assert ("enviar_cta" in (said.steps[1].error or said.steps[0].error or ""), said.replies) == (
        True,
        (Reply("Ficamos aqui:", link=Link("Ver no mapa", SEARCH)),),
    )


async def test_without_an_address_a_model_is_told_to_say_so(front_desk: FrontDesk):
    maria, model = scripted(front_desk, [TO_SALES, TO_PIN, [assistant_message("Não tenho o endereço aqui.")]])
    maria.clinic = replace(maria.clinic, address="", location=PLACE)
    said = await maria.say("onde fica?")
    model.assert_complete()
    assert said.replies == (Reply("Não tenho o endereço aqui."),)

"""What a clinic wants its assistant to say: models are told of it, and guided says it."""

from dataclasses import replace

from agents.testing import assistant_message
from tests.receptionist.front_desk import FrontDesk, text
from tests.receptionist.scripted import call, scripted

from gendei.clinic import OwnWords, Tone

OWN = OwnWords("Bia", Tone.FORMAL, "Olá, aqui é Bia, assistente da {clinic_name}.", "Até breve!")


async def test_a_model_is_told_of_name_tone_and_greeting(front_desk: FrontDesk):
    steps = [call(1, "transfer_to_product_info"), [assistant_message("Olá! Como posso ajudar?")]]
    maria, model = scripted(front_desk, steps)
    maria.clinic = replace(maria.clinic, words=OWN)
    await maria.say("oi")
    told = model.last_call.system_instructions or ""
    assert told.endswith("- Ao se despedir, diga assim: «Até breve!»")
    assert "Seu nome é Bia." in told
    assert "- Tom: formal." in told
    assert "«Olá, aqui é Bia, assistente da Sorriso Odontologia.»" in told


async def test_guided_greets_and_parts_in_the_clinics_words(front_desk: FrontDesk):
    maria = front_desk.visitor("sorriso")
    maria.clinic = replace(maria.clinic, words=OWN)
    assert text(await maria.say("oi")).startswith("Olá, aqui é Bia, assistente da Sorriso Odontologia.")
    assert text(await maria.say("tchau")) == "Até breve!"

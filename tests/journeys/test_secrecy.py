"""Secrets and patients' words stay out of logs, metrics and whatever an operator sees."""

import logging

from tests.journeys.town import APP_SECRET, SECRET_KEY, TOKENS, VERIFY_TOKEN

from gendei.providers.stand_in.graph import Failure

WORDS = ("Jacarandá", "segredinho", "pererecas", "Florisbela")


async def test_a_whole_journey_at_debug_logs_no_secret_and_no_word_of_the_patient(town, maria, caplog):
    caplog.set_level(logging.DEBUG, "gendei")
    await maria.say(f"oi, sou a {WORDS[0]}, não conte meu {WORDS[1]}")
    await maria.say("quero marcar uma limpeza para minha filha amanhã às 15h")
    await maria.say(f"{WORDS[3]} {WORDS[0]}")
    await maria.tap("Confirmar")
    await maria.forge(f"cancel_now|{WORDS[2]}")
    await town.post((b"{}", {"X-Hub-Signature-256": f"sha256={WORDS[1]}"}))
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write(f"quero falar com uma pessoa sobre {WORDS[2]}")
    await town.idle()
    ours = "\n".join(
        record.getMessage() + (record.exc_text or "") for record in caplog.records if record.name.startswith("gendei")
    )
    secrets = (*TOKENS.values(), APP_SECRET, VERIFY_TOKEN, SECRET_KEY)
    told = [word for word in (*WORDS, *secrets, maria.name, maria.number, maria.number[1:]) if word in ours]
    assert ("131026" in ours, told) == (True, [])


async def test_no_secret_stands_in_the_store_in_the_clear(town, maria, tmp_path):
    await maria.say("onde fica?")
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("town.db*"))
    assert [value for value in (*TOKENS.values(), APP_SECRET, SECRET_KEY) if value.encode() in stored] == []


async def test_no_secret_is_shown_by_what_an_operator_prints(town):
    shown = repr(town.gendei.settings) + repr(await town.clinic()) + str(await town.clinic())
    assert [value for value in (*TOKENS.values(), APP_SECRET, VERIFY_TOKEN, SECRET_KEY) if value in shown] == []


async def test_each_clinics_messages_leave_with_its_own_token(town, maria, dalva):
    for who in (maria, dalva):
        await who.say("onde fica?")
    assert [item.token for item in (maria.last, dalva.last)] == [TOKENS["AURORA_TOKEN"], TOKENS["BROMELIA_TOKEN"]]

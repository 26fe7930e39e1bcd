"""Two patients, one slot: one wins, the other is offered what is nearest."""

import asyncio

TAKEN = "Esse horário acabou de ser ocupado."


async def test_two_patients_tap_the_same_slot_at_once(town, maria, joao):
    for who in (maria, joao):
        await who.say("quero marcar uma limpeza amanhã de tarde")
    at_three = [next(option for option in who.last.options if option[1] == "ter 24/11 15h") for who in (maria, joao)]
    await asyncio.gather(maria.press(*at_three[0]), joao.press(*at_three[1]))
    await town.idle()
    winner, loser = (maria, joao) if maria.last.text.startswith("Posso marcar") else (joao, maria)
    told = await winner.tap("Confirmar")
    assert (told.splitlines()[0], loser.last.text.splitlines()[0], loser.options[:2]) == (
        "✅ Sua consulta está confirmada!",
        TAKEN,
        ["ter 24/11 14h", "ter 24/11 16h"],
    )


async def test_the_loser_books_the_neighbouring_time(town, maria, joao):
    for who in (maria, joao):
        await who.say("quero marcar uma limpeza amanhã de tarde")
    await maria.say("às 15h")
    await joao.tap("ter 24/11 15h")
    await joao.tap("ter 24/11 14h")
    await joao.tap("Confirmar")
    await maria.tap("Confirmar")
    assert (await town.agenda_of(maria.number), await town.agenda_of(joao.number)) == (
        [("confirmed", "limpeza", "2026-11-24T15:00")],
        [("confirmed", "limpeza", "2026-11-24T14:00")],
    )


async def test_two_patients_say_yes_to_the_same_slot_at_once(town, maria, joao):
    for who in (maria, joao):
        await who.say("limpeza amanhã às 15h")
    yeses = [option for who in (maria, joao) for option in who.last.options if option[1] == "Confirmar"]
    await asyncio.gather(*(who.press(id_, title) for who in (maria, joao) for id_, title in yeses))
    await town.idle()
    agendas = [await town.agenda_of(who.number) for who in (maria, joao)]
    assert (len(yeses), sorted(agendas)) == (1, [[], [("confirmed", "limpeza", "2026-11-24T15:00")]])


async def test_a_slot_that_went_in_the_meantime_is_not_booked_from_an_old_message(town, maria, joao):
    await maria.say("quero marcar uma limpeza amanhã de tarde")
    await town.book(joao.number, joao.name, "2026-11-24T15:00")
    told = await maria.tap("ter 24/11 15h")
    assert (told.splitlines()[0], maria.options[:2], await town.agenda_of(maria.number)) == (
        TAKEN,
        ["ter 24/11 14h", "ter 24/11 16h"],
        [],
    )


async def test_a_move_to_a_slot_that_went_leaves_the_appointment_where_it_was(town, maria, joao):
    await town.book(maria.number, maria.name, "2026-11-24T15:00")
    await maria.say("quero remarcar")
    await town.book(joao.number, joao.name, "2026-11-25T09:00")
    told = await maria.tap("qua 25/11 9h")
    assert (told.splitlines()[0], await town.agenda_of(maria.number)) == (
        TAKEN,
        [("confirmed", "limpeza", "2026-11-24T15:00")],
    )


async def test_a_yes_that_was_tapped_twice_books_once(town, maria):
    await maria.say("limpeza amanhã às 15h")
    [yes, *_] = maria.last.options
    await asyncio.gather(maria.press(*yes), maria.press(*yes))
    await town.idle()
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]

"""The waiting list in staff's own words: shown, joined and left, by a yes."""

from tests.assistant.conftest import OLGA, Desk
from tests.mcp.test_outsiders import with_waiting_list

EMPTY = "Ninguém está na lista de espera."


async def test_it_is_joined_shown_and_left_by_a_yes(desk: Desk) -> None:
    await desk.converse()
    await with_waiting_list(desk.gendei)
    await desk.book("Maria Silva", "15:00")
    none = (await desk.say("quem está na lista de espera?")).message
    asked = (await desk.say("põe a Maria na lista de espera para limpeza com a Paula quinta de manhã")).message
    before = (await desk.say("tem alguém na fila de espera?")).message
    await desk.say("põe a Maria na lista de espera para limpeza com a Paula quinta de manhã", "sim")
    shown = (await desk.say("quem está na lista de espera?")).message
    outsider = (await desk.say("quem está na lista de espera?", actor=OLGA)).message
    left = await desk.say("tira a Maria da lista de espera", "sim")
    after = (await desk.say("quem tá na lista de espera?")).message

    assert (none, before, outsider, after) == (EMPTY,) * 4
    assert "Maria Silva" in asked
    assert "Limpeza" in asked
    assert "até as 12h" in asked
    assert asked.endswith("Confirma?")
    assert shown == "Na lista de espera:\n• Maria Silva: Limpeza, até quinta-feira, 26/11"
    assert [(tool.tool, tool.success) for tool in left.tools] == [("remove_from_waiting_list", True)]


async def test_what_is_missing_is_asked_and_who_does_not_wait_is_told_so(desk: Desk) -> None:
    await with_waiting_list(desk.gendei)
    which = (await desk.say("coloca a Rita Melo na lista de espera")).message
    phone = (await desk.say("limpeza")).message
    shown = (await desk.say("(11) 97777-6666")).message
    await desk.say("não")
    nobody = (await desk.say("tira o João da lista de espera")).message

    assert "Limpeza" in which
    assert "telefone" in phone
    assert "Rita Melo" in shown
    assert nobody == "“joao” não está na lista de espera."

"""`gendei channels connect, connections, continue`: a number is connected from the terminal."""

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest
from tests.cli.conftest import AURORA, BROMELIA

from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.onboarding import StandInNumber

ACCOUNT, NUMBER = "300000000000001", "800000000000001"


@pytest.fixture
def graph(monkeypatch) -> Iterator[GraphSimulator]:
    """The stand-in of Meta, beside a command that has a loop of its own."""
    simulator, begun, over = GraphSimulator(), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def stand_in() -> None:
        async with serve(simulator.app) as url:
            monkeypatch.setenv("GENDEI_GRAPH_URL", url)
            begun.set()
            await over.wait()

    running = threading.Thread(target=loop.run_until_complete, args=(stand_in(),))
    running.start()
    assert begun.wait(10)
    yield simulator
    loop.call_soon_threadsafe(over.set)
    running.join()
    loop.close()


def test_a_number_is_connected_its_pin_told_and_the_rest_left_to_the_service(gendei, graph):
    graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER, pin="111222"))
    token = graph.onboarding.token(ACCOUNT)
    assert gendei("clinics", "import", AURORA, BROMELIA).exit_code == 0
    given = (f"phone_number_id={NUMBER}", f"waba_id={ACCOUNT}")
    begun = gendei(*"channels connect --clinic aurora --way meta_token".split(), *given, script=f"{token}\n")
    assert begun.exit_code == 1
    assert "[!] Registro do número na API oficial: O número já tem um PIN" in begun.stdout
    assert token not in begun.output

    [mine] = json.loads(gendei("channels", "connections", "--clinic", "aurora", "--json").stdout)
    told = gendei("channels", "continue", "--clinic", "aurora", mine["id"], "pin=", script="111222\n")
    assert "[x] Registro do número na API oficial" in told.stdout
    assert "[!] Teste de chegada: O endereço público deste serviço não está configurado." in told.stdout
    assert f"meta {NUMBER}" in gendei("clinics", "list").stdout
    assert gendei("channels", "connections", "--clinic", "bromelia", "--json").stdout.strip() == "[]"
    assert gendei("channels", "continue", "--clinic", "bromelia", mine["id"]).exit_code == 1

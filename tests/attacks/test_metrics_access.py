"""/metrics is for the machine itself and for who has the token, also where a proxy sends no X-Forwarded-For."""

import pytest
from tests.attacks.edges import ask, serving

from gendei.errors import ConfigurationError
from gendei.settings import Settings

TOKEN = "a-token-of-the-collector"
FRONT = "127.0.0.2"


async def test_figures_need_the_token_or_the_machine_itself(tmp_path):
    async with serving(tmp_path, GENDEI_METRICS_TOKEN=TOKEN, FORWARDED_ALLOW_IPS=FRONT) as server:
        good, passed_on = f"Authorization: Bearer {TOKEN}", "X-Forwarded-For: 198.51.100.7"
        itself = await ask(server, "/metrics")
        collector = await ask(server, "/metrics", passed_on, good, peer=FRONT)
        refused = [
            await ask(server, "/metrics", *headers, peer=peer)
            for headers, peer in (
                ((passed_on,), "127.0.0.1"),
                ((passed_on,), FRONT),
                (("X-Forwarded-For: 127.0.0.1",), FRONT),
                ((f"{good}x",), "127.0.0.1"),
            )
        ]
        told = "".join(server.log)
    assert ([itself.status, collector.status], {entry.status for entry in refused}) == ([200, 200], {404})
    assert (b"gendei_" in itself.body, {message.body for message in refused}, TOKEN in told) == (
        True,
        {b"Not Found"},
        False,
    )


async def test_a_worker_keeps_its_figures_the_same_way(tmp_path):
    async with serving(tmp_path, role="worker", GENDEI_METRICS_TOKEN=TOKEN) as server:
        passed_on = "X-Forwarded-For: 198.51.100.7"
        answers = [
            await ask(server, "/metrics", *more)
            for more in ((), (passed_on,), (passed_on, f"authorization: bearer {TOKEN}"))
        ]
    assert [answer.status for answer in answers] == [200, 404, 200]


def test_a_token_that_could_be_guessed_stops_the_start(monkeypatch):
    monkeypatch.setenv("GENDEI_METRICS_TOKEN", "guessable")
    with pytest.raises(ConfigurationError, match="GENDEI_METRICS_TOKEN") as refused:
        Settings.load(_env_file=None)
    assert "guessable" not in str(refused.value)

"""gendei tools, gendei speech."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.attached.records import records_server
from tests.cli.conftest import AURORA


def test_tools_lists_every_tool_with_its_limits(gendei):
    rows = json.loads(gendei("tools", "--json").stdout)
    booking = next(row for row in rows if row["name"] == "create_appointment")
    assert (booking["category"], booking["status"], booking["timeoutSeconds"], booking["retries"]) == (
        "scheduling",
        "available",
        10.0,
        0,
    )
    assert "service_id" in booking["parameters"]["properties"]


def test_tools_reads_well_in_a_terminal(gendei):
    lines = gendei("tools").stdout.splitlines()
    assert any("get_available_slots" in line and "10 s, 1 retry " in line for line in lines)


def test_speech_of_a_clinic_that_spent_nothing_is_empty(gendei):
    gendei("clinics", "import", str(AURORA))
    assert json.loads(gendei("speech", "--clinic", "aurora", "--json").stdout) == []


def test_speech_of_no_clinic_says_so(gendei):
    result = gendei("speech", "--clinic", "nenhuma")
    assert (result.exit_code, "there is no clinic nenhuma" in result.stderr) == (1, True)


@pytest.mark.parametrize("allowed", [True, False])
def test_tools_asks_the_clinics_own_servers_and_says_what_is_wrong(gendei, records_url, monkeypatch, allowed):
    monkeypatch.setenv("GENDEI_MCP_PRIVATE_NETWORKS", "127.0.0.0/8")
    data = yaml.safe_load(AURORA.read_text(encoding="utf-8"))
    servers = {"name": "prontuario", "url": records_url, "agents": ["support"], "tools": ["ver_exame", "sumido"]}
    Path("aurora.yaml").write_text(yaml.safe_dump(data | {"mcp_servers": [servers]}), encoding="utf-8")
    assert gendei("check", "aurora.yaml").stdout == "All well.\n"
    gendei("clinics", "import", "aurora.yaml")
    if not allowed:
        monkeypatch.delenv("GENDEI_MCP_PRIVATE_NETWORKS")
    rows = [item for item in json.loads(gendei("tools", "--json").stdout) if item["category"] == "mcp:aurora"]
    seen = [(row["name"], row["status"], row["retries"], row.get("why")) for row in rows]
    refused = "address_not_allowed"
    assert seen == (
        [
            ("prontuario_ver_exame", "available", 1, None),
            ("prontuario_sumido", "unavailable", 0, "not_listed"),
        ]
        if allowed
        else [(f"prontuario_{name}", "unavailable", 0, refused) for name in ("ver_exame", "sumido")]
    )


@pytest.fixture
def records_url() -> Iterator[str]:
    """A clinic's server, in a thread: a command has its own loop."""
    ready, over, url = threading.Event(), threading.Event(), []

    async def serve() -> None:
        async with records_server() as records:
            url.append(records.url)
            ready.set()
            await asyncio.to_thread(over.wait)

    serving = threading.Thread(target=asyncio.run, args=(serve(),))
    serving.start()
    ready.wait()
    yield url[0]
    over.set()
    serving.join()


def test_mcp_without_a_token_says_so_once(gendei):
    result = gendei("mcp")
    told = "gendei: --token: is missing. Give --token, or --token-file with a file that holds it.\n"
    assert (result.exit_code, result.stderr) == (1, told)

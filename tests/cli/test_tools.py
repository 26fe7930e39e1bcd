"""gendei tools, gendei speech."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from tests.attached.records import records_server
from tests.cli.conftest import AURORA

from gendei.attached.health import keep_health, tool_health_path
from gendei.clinic import ClinicId
from gendei.receptionist.tools.registry import Health
from gendei.settings import Settings
from gendei.store.opening import open_documents


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


def test_tools_shows_the_limits_that_are_in_force(gendei, records_url, monkeypatch):
    monkeypatch.setenv("GENDEI_MCP_PRIVATE_NETWORKS", "127.0.0.0/8")
    monkeypatch.setenv("GENDEI_TOOL_SECONDS", "7")
    data = yaml.safe_load(AURORA.read_text(encoding="utf-8"))
    server = {"name": "prontuario", "url": records_url, "agents": ["support"], "tools": ["ver_exame", "sumido"]}
    server |= {"limits": {"ver_exame": 2.5, "sumido": 20}}
    Path("aurora.yaml").write_text(yaml.safe_dump(data | {"mcp_servers": [server]}), encoding="utf-8")
    gendei("clinics", "import", "aurora.yaml")
    limits = {row["name"]: row["timeoutSeconds"] for row in json.loads(gendei("tools", "--json").stdout)}
    assert (limits["create_appointment"], limits["prontuario_ver_exame"], limits["prontuario_sumido"]) == (7, 2.5, 7)


def test_tools_shows_a_tool_that_rests_in_the_service(gendei, records_url, monkeypatch):
    monkeypatch.setenv("GENDEI_MCP_PRIVATE_NETWORKS", "127.0.0.0/8")
    data = yaml.safe_load(AURORA.read_text(encoding="utf-8"))
    server = {"name": "prontuario", "url": records_url, "agents": ["support"], "tools": ["ver_exame"]}
    Path("aurora.yaml").write_text(yaml.safe_dump(data | {"mcp_servers": [server]}), encoding="utf-8")
    gendei("clinics", "import", "aurora.yaml")
    asyncio.run(rests())
    [row] = [item for item in json.loads(gendei("tools", "--json").stdout) if item["category"] == "mcp:aurora"]
    assert (row["status"], row["why"], row["restsUntil"]) == ("resting", "timed_out", "2026-11-23T12:05:00+00:00")
    [line] = [line for line in gendei("tools").stdout.splitlines() if "prontuario_ver_exame" in line]
    assert "until 2026-11-23T12:05:00: timed_out" in line


async def rests() -> None:
    """As a service keeps it of a tool that failed."""
    documents = await open_documents(Settings.load())
    until = datetime(2026, 11, 23, 12, 5, tzinfo=UTC)
    health = Health(rests=2, rests_until=until, last_error="timed_out", failed_at=until)
    await keep_health(documents, tool_health_path(ClinicId("aurora"), "prontuario", "ver_exame"), health)
    await documents.close()


def test_limits_name_the_servers_own_tools(gendei):
    data = yaml.safe_load(AURORA.read_text(encoding="utf-8"))
    server = {"name": "prontuario", "url": "https://records.example.org/mcp", "agents": ["support"]}
    server |= {"tools": ["ver_exame"], "limits": {"ver_exames": 5}}
    Path("aurora.yaml").write_text(yaml.safe_dump(data | {"mcp_servers": [server]}), encoding="utf-8")
    result = gendei("check", "aurora.yaml")
    assert (result.exit_code, "limits names a tool that tools does not." in result.stderr) == (1, True)


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
    assert {(row["timeoutSeconds"], row["checkedAt"][:10]) for row in rows} == {(5.0, "2026-11-23")}
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

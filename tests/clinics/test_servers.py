"""The clinic file's `mcp_servers`: what it becomes, what is wrong with one, and the same again from the store."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.clinics.test_file import BOX, EXAMPLE, VERTICALS

from gendei.addresses import networks_of
from gendei.clinic import Clinic, ClinicId
from gendei.clinic_services import McpServer, ToldFact
from gendei.clinics.file import load_clinics
from gendei.clinics.servers import server_purpose
from gendei.clinics.stored import clinic_data, clinic_from, parts_data
from gendei.errors import ConfigurationError, SecretUnreadable

URL = "https://records.example.com/mcp"
ENVIRONMENT = {"META_TOKEN": "EAAG-secret", "RECORDS_TOKEN": "segredo", "BROKEN": "a\nb"}
SERVER = {"name": "prontuario", "url": URL, "token": "${RECORDS_TOKEN}", "agents": ["support"], "tools": ["ver_exame"]}


def load(folder: Path, *servers: dict[str, Any], private: str = "") -> Clinic:
    path = folder / "clinic.yaml"
    data = yaml.safe_load(EXAMPLE) | {"mcp_servers": list(servers)}
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return load_clinics([path], ENVIRONMENT, VERTICALS, BOX, networks_of(private))[0]


def problems(folder: Path, *servers: dict[str, Any], private: str = "") -> list[tuple[str, str]]:
    with pytest.raises(ConfigurationError) as caught:
        load(folder, *servers, private=private)
    return [
        (problem.where.partition(", ")[2], f"{problem.problem} {problem.remedy}") for problem in caught.value.problems
    ]


def test_a_server_is_taken_with_its_secrets_sealed_for_clinic_and_address(tmp_path: Path):
    full = {
        "headers": {"X-Api-Key": "chave"},
        "timeout_seconds": 2,
        "tells": ["clinic_id"],
        "fills": {"tel": "patient_phone"},
    }
    [server] = load(tmp_path, SERVER | full).mcp_servers
    opened = {
        name: BOX.unseal(sealed, server_purpose(ClinicId("boa-vida"), "prontuario", URL, name))
        for name, sealed in server.sealed_headers.items()
    }
    assert opened == {"Authorization": "Bearer segredo", "X-Api-Key": "chave"}
    assert (server.agents, server.tools, server.timeout_seconds, server.tells, server.fills) == (
        ("support",),
        ("ver_exame",),
        2,
        (ToldFact.CLINIC_ID,),
        {"tel": ToldFact.PATIENT_PHONE},
    )
    assert "segredo" not in repr(server)
    for clinic_id, url in ((ClinicId("outra"), URL), (ClinicId("boa-vida"), "https://evil.example.com/mcp")):
        with pytest.raises(SecretUnreadable):
            BOX.unseal(server.sealed_headers["X-Api-Key"], server_purpose(clinic_id, "prontuario", url, "X-Api-Key"))


def test_the_store_gives_back_what_the_file_said(tmp_path: Path):
    clinic = load(tmp_path, SERVER | {"tells": ["patient_phone"], "fills": {"tel": "clinic_id"}})
    parts = [data for _, data in parts_data(clinic, 1)]
    data = clinic_data(clinic, 1)
    assert clinic_from(clinic.id, data, parts) == clinic
    assert "segredo" not in str(data)
    assert clinic_from(clinic.id, {k: v for k, v in data.items() if k != "mcpServers"}, parts).mcp_servers == ()


@pytest.mark.parametrize(
    ("field", "where", "told"),
    [
        ({"agents": ["suport"]}, "mcp_servers[0].agents[0]", 'there is no such agent. Did you mean "support"?'),
        ({"agents": []}, "mcp_servers[0].agents", "has 0 entries, and must have 1 or more."),
        ({"tools": []}, "mcp_servers[0].tools", "has 0 entries, and must have 1 or more."),
        ({"name": "Prontuário"}, "mcp_servers[0].name", "must be a short id."),
        ({"url": "records"}, "mcp_servers[0].url", "Write it as https://records.example.com/mcp"),
        ({"url": "https://user@records.example.com"}, "mcp_servers[0].url", "without a user in it"),
        ({"url": "http://records.example.com/mcp"}, "mcp_servers[0].url", "must be an https address."),
        ({"url": "https://10.0.0.1/mcp"}, "mcp_servers[0].url", "GENDEI_MCP_PRIVATE_NETWORKS"),
        ({"url": "http://localhost:9/mcp"}, "mcp_servers[0].url", "GENDEI_MCP_PRIVATE_NETWORKS"),
        ({"tells": ["cpf"]}, "mcp_servers[0].tells[0]", "Known: clinic_id, patient_phone."),
        ({"headers": {"Host": "evil"}}, "mcp_servers[0].headers", "is no header that can be set."),
        ({"token": "${BROKEN}"}, "mcp_servers[0].token", "must be one line of plain letters."),
        ({"timeout_seconds": 60}, "mcp_servers[0].timeout_seconds", "Write 10 or less."),
        ({"allow": ["x"]}, "mcp_servers[0].allow", "there is no such field."),
    ],
)
def test_a_mistake_is_named_with_its_field_and_what_to_write(tmp_path: Path, field, where, told):
    [(at, said)] = problems(tmp_path, SERVER | field)
    assert (at.startswith(where), told in said) == (True, True)


def test_two_servers_have_two_names(tmp_path: Path):
    assert problems(tmp_path, SERVER, SERVER) == [("mcp_servers", "two servers have the same name. Give each its own.")]


def test_a_private_address_may_be_named_where_the_operator_allows_its_network(tmp_path: Path):
    at_home = SERVER | {"url": "http://10.0.0.1:8080/mcp"}
    [server] = load(tmp_path, at_home, private="10.0.0.0/24").mcp_servers
    assert isinstance(server, McpServer)
    assert problems(tmp_path, at_home, private="10.0.1.0/24") != []

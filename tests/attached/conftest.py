"""Two clinics, one of which has a records system of its own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.attached.records import TOKEN, Records, records_server
from tests.receptionist.front_desk import NOW, demo_clinic

from gendei.addresses import networks_of
from gendei.attached.http import Resolve, system_resolve
from gendei.attached.servers import AttachedServers, ServerReport
from gendei.clinic import Clinic
from gendei.clinic_services import McpServer
from gendei.clinics.directory import Directory
from gendei.clinics.servers import server_purpose
from gendei.receptionist.tools.attached import AttachedTool
from gendei.receptionist.tools.registry import all_tools
from gendei.secrets import SecretBox, new_key
from gendei.store.sqlite import SqliteDocuments

BOX = SecretBox(new_key())
HERE = networks_of("127.0.0.0/8")
OWNER, OUTSIDER = "sorriso", "boa-vida"


def server_at(url: str, **changes: Any) -> McpServer:
    """As the clinic file of OWNER would have it."""
    purpose = server_purpose(demo_clinic(OWNER).id, "prontuario", url, "Authorization")
    given = {"name": "prontuario", "url": url, "agents": ("support", "triage"), "tools": ("ver_exame",)}
    sealed = {"Authorization": BOX.seal(f"Bearer {TOKEN}", purpose)}
    return McpServer(**{**given, "sealed_headers": sealed, **changes})


@dataclass
class House:
    """`servers` follow the clinics of `directory`."""

    directory: Directory
    servers: AttachedServers

    async def attach(self, *attached: McpServer, clinic: str = OWNER) -> Clinic:
        """The clinic with these servers and no others, imported and read."""
        changed = replace(demo_clinic(clinic), mcp_servers=attached)
        await self.directory.import_clinic(changed)
        await self.servers.refresh()
        return changed

    def tools(self, clinic: Clinic, agent: str = "support") -> tuple[AttachedTool, ...]:
        return self.servers.of(clinic, agent)

    def report(self) -> ServerReport:
        [report] = self.servers.report()
        return report


async def houses(private: Any = HERE, resolve: Resolve = system_resolve) -> AsyncIterator[House]:
    documents = await SqliteDocuments.open(":memory:")
    async with Directory(documents, lambda: NOW) as directory:
        names = all_tools().tools
        async with AttachedServers(directory, BOX, lambda: NOW, names, private, resolve) as servers:
            yield House(directory, servers)
    await documents.close()


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async for value in houses():
        yield value


@pytest.fixture
async def records() -> AsyncIterator[Records]:
    async with records_server() as running:
        yield running

"""The clinic file's `mcp_servers`, and what of it stands in the store: servers of the clinic's own, their secrets
sealed."""

import re
from collections.abc import Iterator
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator

from gendei.addresses import Networks, literal, may_reach
from gendei.clinic import ClinicId
from gendei.clinic_services import McpServer, ToldFact
from gendei.datafile import DataFile, Slug, StrictModel, Text, nearest, refusal
from gendei.errors import ConfigurationError
from gendei.prompts import AGENTS
from gendei.secrets import SecretBox, channel_purpose

_URL = re.compile(r"https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[^\s#@]*)?")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")
_OURS = frozenset({"host", "content-length", "content-type", "accept", "accept-encoding", "transfer-encoding"})
AUTHORIZATION = "Authorization"


def _is_url(value: str) -> bool:
    try:
        return _URL.fullmatch(value) is not None and urlsplit(value).port != 0
    except ValueError:
        return False


def _url(value: str) -> str:
    if not _is_url(value):
        raise refusal("must be an address.", "Write it as https://records.example.com/mcp, without a user in it.")
    return value


def _header(name: str) -> str:
    if not _HEADER.fullmatch(name) or name.casefold() in _OURS or name.casefold().startswith("mcp-"):
        raise refusal("is no header that can be set.", "Name the server's own, as X-Api-Key.")
    return name


def _agent(name: str) -> str:
    if name not in AGENTS:
        raise refusal("there is no such agent.", nearest(name, AGENTS))
    return name


def _fact(name: str) -> ToldFact:
    try:
        return ToldFact(name)
    except ValueError:
        raise refusal("nothing of that name is known of a turn.", nearest(name, list(ToldFact))) from None


def _one_line(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not (text.isascii() and text.isprintable() and text.strip()):
        raise refusal("must be one line of plain letters.", "Look at what the variable holds.")
    return value


Secret = Annotated[SecretStr, AfterValidator(_one_line)]
Fact = Annotated[str, AfterValidator(_fact)]


class McpSection(StrictModel):
    """One server, as it is written in the file."""

    name: Annotated[Slug, Field(max_length=20)]
    url: Annotated[str, AfterValidator(_url)]
    token: Secret | None = None
    headers: Annotated[dict[Annotated[str, AfterValidator(_header)], Secret], Field(default_factory=dict)]
    agents: Annotated[list[Annotated[str, AfterValidator(_agent)]], Field(min_length=1)]
    tools: Annotated[list[Text], Field(min_length=1, max_length=30)]
    timeout_seconds: Annotated[float, Field(ge=0.5, le=10)] = 5.0
    tells: Annotated[list[Fact], Field(default_factory=list)]
    fills: Annotated[dict[Text, Fact], Field(default_factory=dict)]
    limits: Annotated[dict[Text, Annotated[float, Field(ge=0.5, le=30)]], Field(default_factory=dict)]

    @model_validator(mode="after")
    def _limits_are_of_its_tools(self) -> Self:
        if unknown := sorted(self.limits.keys() - set(self.tools)):
            raise refusal("limits names a tool that tools does not.", nearest(unknown[0], self.tools))
        return self

    def sealed(self, clinic_id: ClinicId, box: SecretBox) -> McpServer:
        """With its headers sealed by `box`, for this clinic and this address."""
        headers = {name: value.get_secret_value() for name, value in self.headers.items()}
        if self.token is not None:
            headers[AUTHORIZATION] = f"Bearer {self.token.get_secret_value()}"
        return McpServer(
            name=self.name,
            url=self.url,
            agents=tuple(self.agents),
            tools=tuple(self.tools),
            sealed_headers={
                name: box.seal(value, server_purpose(clinic_id, self.name, self.url, name))
                for name, value in headers.items()
            },
            timeout_seconds=self.timeout_seconds,
            tells=tuple(ToldFact(fact) for fact in self.tells),
            fills={name: ToldFact(fact) for name, fact in self.fills.items()},
            limits=self.limits,
        )


def _distinct(servers: list[McpSection]) -> list[McpSection]:
    if len({server.name for server in servers}) < len(servers):
        raise refusal("two servers have the same name.", "Give each its own.")
    return servers


McpServers = Annotated[list[McpSection], AfterValidator(_distinct), Field(default_factory=list, max_length=10)]


def address_problems(file: DataFile, private: Networks) -> Iterator[ConfigurationError]:
    """What is wrong with addresses that can be told without asking for a name's; told beside errors of other fields."""
    servers = file.data.get("mcp_servers")
    for index, server in enumerate(servers if isinstance(servers, list) else []):
        url = server.get("url") if isinstance(server, dict) else None
        if not isinstance(url, str) or not _is_url(url):
            continue
        parts = urlsplit(url)
        address, plain = literal(parts.hostname or ""), parts.scheme == "http"
        if address is not None and not may_reach(address, private, plain=plain):
            remedy = "Let the operator name its network in GENDEI_MCP_PRIVATE_NETWORKS, or use a public https address."
            yield file.error(("mcp_servers", index, "url"), "is an address that is not connected to.", remedy)
        elif address is None and plain and not private:
            yield file.error(("mcp_servers", index, "url"), "must be an https address.", "Write it with https://.")


def server_purpose(clinic_id: ClinicId, name: str, url: str, header: str) -> str:
    """What a server's header is sealed for: one server of one clinic, at one address."""
    return channel_purpose(clinic_id, "mcp", f"{name}@{url}", header)

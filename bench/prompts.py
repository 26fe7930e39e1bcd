"""`python -m bench.prompts`: what a language model reads for a booking, and how much of it an API has read before.

The real service is asked by signed webhooks and asks a stand-in of an API over HTTP, whose model does everything right.
Counted is what passes there; it is the same every time: `tests/test_cost.py` holds it, and `docs/costs.md` shows it.
"""

import argparse
import asyncio
import json
import logging
import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.journeys.phone import Phone
from tests.journeys.town import APP_SECRET, NOW, SECRET_KEY, Town, open_town
from tests.receptionist.openai_server import (
    Asked,
    Body,
    Call,
    OpenAiServer,
    Say,
    Step,
    call,
    hand_off,
    last_output,
    openai_server,
)

from gendei.clinic import ClinicId
from gendei.clinics.file import load_clinics
from gendei.costs.model_costs import load_prices
from gendei.datafile import data_dir
from gendei.prompts import AGENTS, PromptSet, load_prompts
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.receptionist.team import HANDOFF
from gendei.receptionist.tools import CATEGORIES, CATEGORY_OF
from gendei.secrets import SecretBox
from gendei.verticals import TERM_FORMS, load_verticals

CLINIC, NUMBER = ClinicId("sorriso"), "207651463353033"
FILE = Path(__file__).parents[1] / "clinics" / "sorriso.yaml"
PROTOCOLS = ("responses", "chat")
BYTES_A_TOKEN = 4
"""Of Portuguese and JSON, about: no maker's own counting is needed, and none is the same as another's."""
FIRST_CACHED, STEP = 1024, 128
"""Tokens. Documented of OpenAI: a beginning is kept from so many on, and in steps of so many."""
MOST_CALLS, MOST_TOKENS = 5, 8000
"""The goal for a booking."""
LATER = timedelta(minutes=7)
COSTS = Path(__file__).parents[1] / "docs" / "costs.md"
_TABLES = re.compile(r"\| agent \| instructions.*?With the shipped models[^\n]*", re.DOTALL)
_SLOT = re.compile(r"\[slot\|(\w+)\|(\w+)\|([\d-]+)T([\d:]+)\|")


@dataclass(frozen=True, slots=True)
class Request:
    """What one call of a model sends. tools, instructions, items: bytes, as the model reads them, in this order. same:
    of all these, what the agent's request before begins with too. written: bytes of the answer."""

    agent: str
    model: str
    tools: bytes
    instructions: bytes
    items: bytes
    same: int
    written: int

    @property
    def tokens(self) -> int:
        return len(self.tools + self.instructions + self.items) // BYTES_A_TOKEN

    @property
    def cached(self) -> int:
        """Tokens that the API need not read again."""
        begun = self.same // BYTES_A_TOKEN
        return begun // STEP * STEP if begun >= FIRST_CACHED else 0

    @property
    def uncached(self) -> int:
        return self.tokens - self.cached

    @property
    def dollars(self) -> float:
        price = load_prices(data_dir("prompts")).of(self.model)
        written = self.written // BYTES_A_TOKEN * price.output
        return (self.uncached * price.input + self.cached * price.cached_input + written) / 1_000_000


@dataclass(frozen=True, slots=True)
class Bookings:
    """The requests of two bookings of one clinic, by two patients, one some minutes after the other."""

    first: Sequence[Request]
    second: Sequence[Request]


@dataclass(frozen=True, slots=True)
class Measured:
    """bookings: by protocol. greeted: each agent's first request for two patients who write at different times."""

    bookings: Mapping[str, Bookings]
    greeted: Mapping[str, tuple[Request, Request]]


@dataclass(frozen=True)
class _SorrisoTown(Town):
    """A town whose phones write to the clinic of the demo."""

    def maker(self, clinic_id: ClinicId = CLINIC) -> WebhookMaker:
        return WebhookMaker(APP_SECRET.encode(), NUMBER, self.gendei.clock)


class _Reader:
    """What was sent, request by request, beside what its agent was sent before."""

    def __init__(self, server: OpenAiServer) -> None:
        prompts = load_prompts(data_dir("prompts"), CATEGORY_OF, TERM_FORMS, CATEGORIES)
        self._server = server
        self._agents = {_names(prompts, agent): agent for agent in AGENTS}
        self._before: dict[str, bytes] = {}
        self._read = 0

    def taken(self) -> list[Request]:
        """The requests since the last call."""
        new = list(zip(self._server.requests, self._server.answers, strict=True))[self._read :]
        self._read += len(new)
        return [self._request(body, answer) for body, answer in new]

    def _request(self, body: Body, answer: Step) -> Request:
        tools = [tool.get("function", tool) for tool in body["tools"]]
        chat = body.get("messages")
        instructions = str(chat[0]["content"] if chat else body["instructions"])
        parts = (_bytes(tools), instructions.encode(), _bytes(chat[1:] if chat else body["input"]))
        agent = self._agents[frozenset(tool["name"] for tool in tools)]
        same = same_beginning(self._before.get(agent, b""), b"".join(parts))
        self._before[agent] = b"".join(parts)
        return Request(agent, str(body["model"]), *parts, same=same, written=len(_written(answer).encode()))


def _written(answer: Step) -> str:
    """What the model wrote."""
    if isinstance(answer, Say):
        return answer.text
    return json.dumps(answer.calls, ensure_ascii=False) if isinstance(answer, Call) else ""


def _names(prompts: PromptSet, agent: str) -> frozenset[str]:
    prompt = prompts[agent]
    return frozenset((*prompt.tools, *(f"{HANDOFF}{name}" for name in prompt.handoffs)))


def _bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def same_beginning(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    short = min(len(one), len(other))
    return next((place for place in range(short) if one[place] != other[place]), short)


def _shown(body: Body) -> Step:
    """What was found, as the tool itself suggests to show it."""
    told = dict(last_output(body)["data"]["suggestion"])
    return call(told.pop("tool"), texto="Amanhã à tarde tenho estes horários:", **told)


def _slot(body: Body) -> dict[str, str]:
    """The slot that the patient tapped."""
    asked = str(body.get("messages") or body["input"])
    service, professional, day, time = _SLOT.findall(asked)[-1]
    return {"service_id": service, "professional_id": professional, "date": day, "time": time}


def _booking(name: str) -> tuple[Step | Asked, ...]:
    """The calls of a model that does everything right."""
    held: dict[str, str] = {}

    def hold(body: Body) -> Step:
        held.update(_slot(body))
        return call("hold_slot", **held, appointment_id=None, plan=None, patient_name=name)

    days = {"date": "amanhã à tarde", "professional_id": None, "time_from": None, "time_to": None}
    return (
        hand_off("sales_closer"),
        call("get_available_slots", service_id="profilaxia", **days),
        _shown,
        hold,
        lambda _: call("create_appointment", **held, patient_name=name, plan=None),
    )


async def _book(town: Town, server: OpenAiServer, number: str, name: str) -> None:
    """One booking: a wish, a tap on a time, a tap on the yes. Raises RuntimeError where it is none."""
    server.will(*_booking(name))
    phone = Phone(town, number, name, CLINIC)
    await phone.say("Oi! Queria marcar uma limpeza amanhã à tarde")
    await phone.tap(phone.options[0])
    if not (await phone.tap("Confirmar")).startswith("✅"):
        raise RuntimeError(f"the booking ended otherwise: {phone.texts[-1]}")
    server.steps.clear()


async def measure(folder: Path) -> Measured:
    """All of it. `folder` takes the databases."""
    bookings = {}
    for protocol in PROTOCOLS:
        (folder / protocol).mkdir()
        async with openai_server() as server:
            bookings[protocol] = await _bookings(folder / protocol, server, protocol)
    async with openai_server() as server:
        return Measured(bookings, await _greeted(folder / PROTOCOLS[0], server))


async def _bookings(folder: Path, server: OpenAiServer, protocol: str) -> Bookings:
    reader, requests = _Reader(server), []
    for place, name in enumerate(("Maria Silva", "Ana Prado")):
        async with _town(folder, server, protocol, place * LATER) as town:
            await _book(town, server, f"+551199999000{place}", name)
        requests.append(reader.taken())
    return Bookings(*requests)


async def _greeted(folder: Path, server: OpenAiServer) -> dict[str, tuple[Request, Request]]:
    """Each agent greets two patients, whom triage passes to it."""
    reader = _Reader(server)
    found: dict[str, list[Request]] = {agent: [] for agent in AGENTS}
    for place, name in enumerate(("Bia Lopes", "João Pedro Alves"), start=2):
        async with _town(folder, server, PROTOCOLS[0], place * LATER) as town:
            for number, agent in enumerate(AGENTS[1:]):
                server.will(hand_off(agent), Say("Em que posso ajudar?"))
                await Phone(town, f"+55119999{place}000{number}", name, CLINIC).say("Olá")
        for request in reader.taken():
            found[request.agent].append(request)
    return {agent: (requests[0], requests[-1]) for agent, requests in found.items()}


@asynccontextmanager
async def _town(folder: Path, server: OpenAiServer, protocol: str, later: timedelta) -> AsyncIterator[Town]:
    """The service with the demo's clinic, so much later than a journey begins."""
    api = {"model": "api", "OPENAI_API_KEY": "sk-of-the-bench", "OPENAI_BASE_URL": server.url}
    others = {"api_protocol": protocol, "api_retries": 0, "api_model": None, **api}
    async with open_town(folder, outsiders=False, now=NOW + later, **others) as town:
        tokens = {"META_TOKEN": "EAAG-token-of-sorriso"}
        [clinic] = load_clinics([FILE], tokens, load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY))
        await town.gendei.directory.import_clinic(clinic)
        yield _SorrisoTown(town.gendei, town.graph, town.client)


def render(measured: Measured) -> str:
    """The tables of `docs/costs.md`."""
    lines = ["| agent | instructions, bytes | the same for two patients | tools, bytes | tokens of a first call |"]
    lines += ["|---|---|---|---|---|"]
    for agent, (before, request) in measured.greeted.items():
        share = same_beginning(before.instructions, request.instructions) / len(request.instructions)
        size = f"{len(request.instructions):,} | {share:.0%} | {len(request.tools):,} | {request.tokens:,}"
        lines.append(f"| {agent} | {size} |")
    lines += ["", "| booking | protocol | agent | calls | tokens read | read before | uncached |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for protocol, found in measured.bookings.items():
        for name, requests in (("a clinic's first", found.first), ("7 minutes later", found.second)):
            for agent in dict.fromkeys(request.agent for request in requests):
                lines.append(_row(name, protocol, agent, [request for request in requests if request.agent == agent]))
            lines.append(_row(name, protocol, "all", requests))
    shown = measured.bookings[PROTOCOLS[0]]
    first, second = (sum(request.dollars for request in found) for found in (shown.first, shown.second))
    lines += ["", f"With the shipped models and prices: ${first:.3f} the first, ${second:.3f} the later one."]
    return "\n".join(lines)


def _row(name: str, protocol: str, agent: str, requests: Sequence[Request]) -> str:
    read, cached = sum(request.tokens for request in requests), sum(request.cached for request in requests)
    return f"| {name} | {protocol} | {agent} | {len(requests)} | {read:,} | {cached:,} | {read - cached:,} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.prompts", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/costs.md")
    write = parser.parse_args().write
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        tables = render(asyncio.run(measure(Path(folder))))
    if write:
        COSTS.write_text(_TABLES.sub(tables, COSTS.read_text(encoding="utf-8")), encoding="utf-8")
    print(tables)


if __name__ == "__main__":
    main()

"""Processor time of a whole turn, against the bare SDK on the same script."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from statistics import median
from time import process_time
from urllib.parse import urlsplit

from agents import MultiProvider
from agents.items import TResponseOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call
from pydantic import SecretStr

from bench.bare_team import BareTeam, bare_team, bare_turn, smallest_team
from bench.children import PYTHON, ChildFailed, child
from bench.intake import CLINIC, PHONE_NUMBER_ID
from bench.loop import run
from bench.report import Figure, Section
from bench.sizes import Sizes
from gendei.app import Gendei, build_receptionist, open_gendei
from gendei.cli.data import read_clinics
from gendei.cli.serving import settle_memory
from gendei.clinic import ClinicId
from gendei.conversation.outbound.outbox_entry import OutboxStatus
from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.documents import Query
from gendei.messages.keys import OUTBOX
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.receptionist.llm.models import ApiModels
from gendei.secrets import new_key
from gendei.settings import Settings
from gendei.web.app import app_for

GOAL_RATIO = 2.0
GOAL_CHAT = 1.0
QUESTION = "Oi, quais são os serviços da clínica?"
ANSWER = "Temos consulta geral, retorno, check-up, cardiologia, dermatologia e teleconsulta. Qual você prefere?"
WARM_BLOCKS = 1
SETTLE_SECONDS = 0.1
"""After a block of ours: what it left running in the background is over before the clock is read."""
TURN_SECONDS = 30
Turn = Callable[["Stage", asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class Stage:
    """Everything a block of turns needs; `turns` counts ours, and makes each a new patient's."""

    gendei: Gendei
    clinic: ClinicId
    address: tuple[str, int]
    maker: WebhookMaker
    visitors: VisitorTokens
    model: ScriptedModel
    turns: int = 0

    async def by_webhook(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A signed webhook in over HTTP; back when the answer was sent and recorded."""
        body, headers = self.maker.text(f"+55119{self.turns:08d}", QUESTION)
        writer.write(_request("/webhooks/meta", headers, body))
        answer = await reader.readuntil(b"\r\n\r\nOK")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ChildFailed(f"the webhook was answered {answer[:12]!r}")
        await self.gendei.messaging.idle()

    async def by_chat(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A message of a new visitor of the clinic's web site over HTTP; back when its answer stands in the answer."""
        token = self.visitors.issue(anonymous(self.clinic)).token
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        writer.write(_request("/api/v1/chat", headers, json.dumps({"message": QUESTION}).encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        answer = await reader.readexactly(int(length.partition(b":")[2]))
        if json.loads(answer).get("message") != ANSWER:
            raise ChildFailed(f"the chat was answered {head[:12]!r}")
        await self.gendei.messaging.idle()

    async def our_block(self, turns: int, turn: Turn = by_webhook) -> float:
        """Milliseconds of processor time of one turn, all threads of the process included."""
        reader, writer = await asyncio.open_connection(*self.address)
        began = process_time()
        for _ in range(turns):
            self.model.extend(_script())
            self.turns += 1
            async with asyncio.timeout(TURN_SECONDS):
                await turn(self, reader, writer)
            self.model.assert_complete()
        await asyncio.sleep(SETTLE_SECONDS)
        took = process_time() - began
        writer.close()
        await writer.wait_closed()
        return 1000 * took / turns

    async def bare_block(self, team: BareTeam, turns: int) -> float:
        began = process_time()
        for _ in range(turns):
            self.model.extend(_script())
            if await bare_turn(team, self.model, QUESTION) != ANSWER:
                raise ChildFailed("the bare run did not end as its script does")
        self.model.assert_complete()
        return 1000 * (process_time() - began) / turns

    async def sent(self) -> int:
        query = Query(OUTBOX, where=(("status", "==", str(OutboxStatus.SENT)),))
        return len(await self.gendei.documents.query(query))


def measure_turns(workdir: Path, sizes: Sizes) -> Section:
    """Blocks of turns, by turns ours, over the chat and bare, in this process; Meta's stand-in runs in another."""
    return run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    ours: list[float] = []
    chat: list[float] = []
    bare: list[float] = []
    smallest: list[float] = []
    async with _stage(workdir) as stage:
        await stage.our_block(1)
        team = bare_team(build_receptionist(stage.gendei.settings, stage.gendei.desk), stage.model.calls)
        settle_memory()
        for _ in range(WARM_BLOCKS):
            await stage.our_block(sizes.turns)
            await stage.our_block(sizes.turns, Stage.by_chat)
            await stage.bare_block(team, sizes.turns)
        for _ in range(sizes.blocks):
            ours.append(await stage.our_block(sizes.turns))
            chat.append(await stage.our_block(sizes.turns, Stage.by_chat))
            bare.append(await stage.bare_block(team, sizes.turns))
            smallest.append(await stage.bare_block(smallest_team(team), sizes.turns))
        if await stage.sent() != stage.turns:
            raise ChildFailed(f"of {stage.turns} turns {await stage.sent()} were answered")
    ratio = median(our / their for our, their in zip(ours, bare, strict=True))
    over_chat = median(milliseconds / our for milliseconds, our in zip(chat, ours, strict=True))
    return Section(
        title="A turn: processor time with hand-off, tool call and reply",
        figures=(
            Figure("processor time of a turn, ours / bare SDK", ratio, "at most", GOAL_RATIO),
            Figure("processor time of a turn, chat API / webhook", over_chat, "at most", GOAL_CHAT),
        ),
        method=_method(sizes),
        seen=(
            f"ours: {_told(ours)}",
            f"over the chat API: {_told(chat)}",
            f"bare: {_told(bare)}",
            f"bare, with only the two agents and the one tool that the script needs: {_told(smallest)}; the SDK's time "
            f"grows with the team, and against this one ours would be {median(ours) / median(smallest):.2f}",
            f"answered: all {stage.turns} turns, by the outbox",
        ),
    )


def _told(blocks: Sequence[float]) -> str:
    return f"{median(blocks):.2f} ms a turn (blocks: {', '.join(f'{block:.2f}' for block in blocks)})"


def _method(sizes: Sizes) -> str:
    return (
        f"{sizes.blocks} blocks of {sizes.turns} turns of ours and as many of the bare SDK, by turns in one process "
        f"after {WARM_BLOCKS} of each to warm up; time.process_time of all threads, medians of the blocks; the ratio "
        f"is the median of those of neighbouring blocks. Ours: a signed webhook of a new patient over HTTP to the real "
        f"application (SQLite file, synchronous=FULL), to the answer sent by the provider client, read receipt "
        f"included, and recorded; Meta's stand-in is another process. Chat API: a visitor's first message, from its "
        f"request to the answer in it. Bare: Runner.run on the same script "
        f"(ScriptedModel: transfer_to_sales_closer, get_services, a text), with six agents of the same names and "
        f"hand-offs, the same instructions as fixed text, as many tools with the same schemas that answer at once "
        f"with the same text, no history and no limits."
    )


def _request(path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: bench", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _script() -> list[list[TResponseOutputItem]]:
    return [
        [function_call("transfer_to_sales_closer", {}, call_id="call-1")],
        [function_call("get_services", {}, call_id="call-2")],
        [assistant_message(ANSWER)],
    ]


@asynccontextmanager
async def _stage(workdir: Path) -> AsyncIterator[Stage]:
    """The service on a scripted model, with its clinic, its port and the stand-in of the Graph API."""
    secret = token_urlsafe()
    model = ScriptedModel()
    async with AsyncExitStack() as stack:
        stand_in = stack.enter_context(child((*PYTHON, "bench.stand_in"), workdir, {}))
        settings = _settings(workdir, secret, await asyncio.to_thread(_first_line, stand_in))
        gendei = await stack.enter_async_context(
            open_gendei(settings, models=ApiModels(provider=MultiProvider(), model=model))
        )
        (clinic,) = read_clinics(settings, [CLINIC], {"META_TOKEN": "bench"})
        await gendei.directory.import_clinic(clinic)
        url = urlsplit(await stack.enter_async_context(serve(app_for(gendei))))
        maker = WebhookMaker(secret.encode(), PHONE_NUMBER_ID)
        address = str(url.hostname), url.port or 0
        yield Stage(gendei, clinic.id, address, maker, VisitorTokens(gendei.secrets), model)


def _settings(workdir: Path, secret: str, graph_url: str) -> Settings:
    return Settings.load(
        _env_file=None,
        database=f"sqlite:///{workdir / 'turns.db'}",
        secret_key=SecretStr(new_key()),
        meta_app_secret=SecretStr(secret),
        graph_url=graph_url,
        quiet_seconds=0,
        now=None,
        prompts_dir=None,
        verticals_dir=None,
    )


def _first_line(process: subprocess.Popen[str]) -> str:
    """What a child says when it is ready. Raises ChildFailed when it ended instead."""
    line = process.stdout.readline().strip() if process.stdout else ""
    if not line:
        raise ChildFailed(str(process.args))
    return line

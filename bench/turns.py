"""Processor time of a whole turn, against the bare SDK on the same script."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Sequence
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
from gendei.conversation.keys import OUTBOX
from gendei.conversation.outbound.outbox_entry import OutboxStatus
from gendei.documents import Query
from gendei.providers.local_server import serve
from gendei.providers.webhook_maker import WebhookMaker
from gendei.receptionist.models import ApiModels
from gendei.secrets import new_key
from gendei.settings import Settings
from gendei.web.app import app_for

GOAL_RATIO = 2.0
QUESTION = "Oi, quais são os serviços da clínica?"
ANSWER = "Temos consulta geral, retorno, check-up, cardiologia, dermatologia e teleconsulta. Qual você prefere?"
WARM_BLOCKS = 1
SETTLE_SECONDS = 0.1
"""After a block of ours: what it left running in the background is over before the clock is read."""
TURN_SECONDS = 30


@dataclass(slots=True)
class Stage:
    """Everything a block of turns needs; `turns` counts ours, and makes each a new patient."""

    gendei: Gendei
    address: tuple[str, int]
    maker: WebhookMaker
    model: ScriptedModel
    turns: int = 0

    async def our_turn(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A signed webhook in over HTTP; back when the answer was sent and recorded."""
        self.model.extend(_script())
        body, headers = self.maker.text(f"+55119{self.turns:08d}", QUESTION)
        self.turns += 1
        lines = ["POST /webhooks/meta HTTP/1.1", "Host: bench", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        answer = await reader.readuntil(b"\r\n\r\nOK")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ChildFailed(f"the webhook was answered {answer[:12]!r}")
        await self.gendei.messaging.idle()
        self.model.assert_complete()

    async def our_block(self, turns: int) -> float:
        """Milliseconds of processor time of one turn, all threads of the process included."""
        reader, writer = await asyncio.open_connection(*self.address)
        began = process_time()
        for _ in range(turns):
            async with asyncio.timeout(TURN_SECONDS):
                await self.our_turn(reader, writer)
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
    """Blocks of turns, ours and bare by turns, in this process; the Graph API's stand-in runs in another."""
    return run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    ours: list[float] = []
    bare: list[float] = []
    smallest: list[float] = []
    async with _stage(workdir) as stage:
        await stage.our_block(1)
        team = bare_team(build_receptionist(stage.gendei.settings, stage.gendei.desk), stage.model.calls)
        settle_memory()
        for _ in range(WARM_BLOCKS):
            await stage.our_block(sizes.turns)
            await stage.bare_block(team, sizes.turns)
        for _ in range(sizes.blocks):
            ours.append(await stage.our_block(sizes.turns))
            bare.append(await stage.bare_block(team, sizes.turns))
            smallest.append(await stage.bare_block(smallest_team(team), sizes.turns))
        if await stage.sent() != stage.turns:
            raise ChildFailed(f"of {stage.turns} turns {await stage.sent()} were answered")
    ratio = median(our / their for our, their in zip(ours, bare, strict=True))
    return Section(
        title="A turn: processor time with hand-off, tool call and reply",
        figures=(Figure("processor time of a turn, ours / bare SDK", ratio, "at most", GOAL_RATIO),),
        method=_method(sizes),
        seen=(
            f"ours: {_told(ours)}",
            f"bare: {_told(bare)}",
            f"bare, with only the two agents and the one tool that the script needs: {_told(smallest)}; the SDK's time "
            f"grows with the team, and against this one ours would be {median(ours) / median(smallest):.2f}",
            f"answered: all {stage.turns} turns, by the outbox",
        ),
    )


def _told(blocks: Sequence[float]) -> str:
    return f"{median(blocks):.2f} ms a turn (blocks: {', '.join(f'{one:.2f}' for one in blocks)})"


def _method(sizes: Sizes) -> str:
    return (
        f"{sizes.blocks} blocks of {sizes.turns} turns of ours and as many of the bare SDK, by turns in one process "
        f"after {WARM_BLOCKS} of each to warm up; time.process_time of all threads, medians of the blocks; the ratio "
        f"is the median of those of neighbouring blocks. Ours: a signed webhook of a new patient over HTTP to the real "
        f"application (SQLite file, synchronous=FULL), to the answer sent by the provider client, read receipt "
        f"included, and recorded; Meta's stand-in is another process. Bare: Runner.run on the same script "
        f"(ScriptedModel: transfer_to_sales_closer, get_services, a text), with six agents of the same names and "
        f"hand-offs, the same instructions as fixed text, as many tools with the same schemas that answer at once "
        f"with the same text, no history and no limits."
    )


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
        for clinic in read_clinics(settings, [CLINIC], {"META_TOKEN": "bench"}):
            await gendei.directory.import_clinic(clinic)
        url = urlsplit(await stack.enter_async_context(serve(app_for(gendei))))
        maker = WebhookMaker(secret.encode(), PHONE_NUMBER_ID)
        yield Stage(gendei, (str(url.hostname), url.port or 0), maker, model)


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

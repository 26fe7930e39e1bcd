"""A phone in the terminal: what is typed goes in as a signed webhook over HTTP, what the clinic answers comes from a
local stand-in of the Graph API. `demo` brings its own clinics and store; `chat` talks to the operator's."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Literal

import httpx
import typer
from pydantic import SecretStr

from gendei.app import Gendei, open_gendei
from gendei.cli.data import read_clinics, store_clinics
from gendei.cli.running import run
from gendei.clinic import Clinic
from gendei.datafile import data_dir
from gendei.errors import GendeiError
from gendei.providers.local_server import serve
from gendei.providers.simulator import GraphSimulator, Sent
from gendei.providers.webhook_maker import SignedBody, WebhookMaker
from gendei.secrets import new_key
from gendei.settings import Settings
from gendei.telemetry import configure_logs
from gendei.web.app import app_for

DEMO_DATABASE = "sqlite:///gendei-demo.db"
DEMO_TOKEN = "demo-token"  # noqa: S105  # opens nothing but the stand-in
LEAVE = "/sair"
DEMO_PHONE = "+5511999990001"
QUIET = {True: 0.0, False: 1.0}
"""Quiet window in seconds: none for a script, whose every line is a turn; a short one for a person."""

Phone = Annotated[str, typer.Option("--from", help="The patient's phone.")]
Name = Annotated[str, typer.Option(help="The patient's WhatsApp name.")]
Port = Annotated[int, typer.Option(help="Where the service listens; 0 takes a free port.")]


class NoSuchClinic(GendeiError):
    """There is no such clinic with a Meta number in the store. `gendei clinics list` shows those there are."""


class PortTaken(GendeiError):
    """Another program listens on this port. Choose another with --port; 0 takes a free one."""


def demo(
    clinic: Annotated[str, typer.Option(help="Which demo clinic: boa-vida or sorriso.")] = "boa-vida",
    phone: Phone = DEMO_PHONE,
    name: Name = "Maria Silva",
    port: Port = 0,
) -> None:
    """Try the whole service with two demo clinics: no WhatsApp number, no key, no network."""
    settings = Settings.load(
        database=DEMO_DATABASE,
        secret_key=SecretStr(new_key()),
        meta_app_secret=SecretStr(token_urlsafe()),
        meta_verify_token=SecretStr("demo"),
        quiet_seconds=QUIET[_scripted()],
        log_level="ERROR",
    )
    configure_logs(settings)
    files = sorted(data_dir("clinics").glob("*.yaml"))
    clinics = read_clinics(settings, files, {"META_TOKEN": DEMO_TOKEN})
    run(_store_and_talk(settings, clinics, _Call(clinic, phone, name, port)))


def chat(
    clinic: Annotated[str, typer.Option(help="The clinic's id; not needed when there is only one.")] = "",
    phone: Phone = DEMO_PHONE,
    name: Name = "Maria Silva",
    port: Port = 0,
) -> None:
    """Talk to a clinic of your own store as a patient would; nothing is sent to WhatsApp."""
    settings = Settings.load(
        meta_app_secret=SecretStr(token_urlsafe()), quiet_seconds=QUIET[_scripted()], log_level="ERROR"
    )
    configure_logs(settings)
    run(_talk(settings, _Call(clinic, phone, name, port)))


@dataclass(frozen=True, slots=True)
class _Call:
    """Who talks to which clinic."""

    clinic_id: str
    phone: str
    name: str
    port: int


def _scripted() -> bool:
    return not sys.stdin.isatty()


async def _store_and_talk(settings: Settings, clinics: tuple[Clinic, ...], call: _Call) -> None:
    await store_clinics(settings, clinics)
    await _talk(settings, call)


async def _talk(settings: Settings, call: _Call) -> None:
    async with AsyncExitStack() as stack:
        graph = GraphSimulator()
        graph_url = await stack.enter_async_context(serve(graph.app))
        gendei = await stack.enter_async_context(open_gendei(settings.model_copy(update={"graph_url": graph_url})))
        clinic, number = _number(gendei, call.clinic_id)
        try:
            url = await stack.enter_async_context(serve(app_for(gendei), port=call.port))
        except OSError:
            raise PortTaken from None
        secret = settings.meta_app_secret.get_secret_value() if settings.meta_app_secret else ""
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=url))
        maker = WebhookMaker(secret.encode(), number, gendei.clock)
        terminal = TerminalPhone(client, maker, graph, call.phone, call.name, clinic.name)
        await stack.enter_async_context(terminal.showing())
        if _scripted():
            await terminal.play(sys.stdin.readline, gendei.messaging.idle)
        else:
            print(
                f"{clinic.name} atende em {url}. Escreva como paciente; um número escolhe uma opção; {LEAVE} termina."
            )
            await terminal.converse()


def _number(gendei: Gendei, clinic_id: str) -> tuple[Clinic, str]:
    """The clinic and its Meta number; the only clinic when none is named."""
    clinics = [one for one in gendei.directory.all() if not clinic_id or one.id == clinic_id]
    if len(clinics) != 1:
        raise NoSuchClinic
    for channel in clinics[0].channels:
        if channel.provider == "meta":
            return clinics[0], channel.external_id
    raise NoSuchClinic


@dataclass
class TerminalPhone:
    """One patient's phone. `client` posts to the service, `graph` is where the service's messages arrive."""

    client: httpx.AsyncClient
    maker: WebhookMaker
    graph: GraphSimulator
    phone: str
    name: str
    clinic_name: str
    _options: list[tuple[str, str]] = field(default_factory=list)
    _shown: int = 0
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def showing(self) -> AsyncIterator[None]:
        """Inside, whatever arrives is shown at once."""
        task = asyncio.create_task(self._show_forever())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def converse(self) -> None:
        """Type and read, until /sair or the end of input."""
        while True:
            line = await asyncio.to_thread(_read_line)
            if line is None or line.strip() == LEAVE:
                return
            if line.strip():
                await self.say(line.strip())

    async def play(self, read: Callable[[], str], idle: Callable[[], object]) -> None:
        """A line of the script after the other, each answered before the next is said, until /sair or its end."""
        while line := await asyncio.to_thread(read):
            if (text := line.strip()) == LEAVE:
                return
            if text:
                print(f"> {text}", flush=True)
                await self.say(text)
                await idle()  # type: ignore[misc]  # the service's own coroutine
                await self._caught_up()

    async def say(self, line: str) -> None:
        """Send a line: the number of a shown option is a tap, anything else is text."""
        if line.isdecimal() and 1 <= int(line) <= len(self._options):
            option_id, title = self._options[int(line) - 1]
            kind: Literal["button_reply", "list_reply"] = "button_reply" if len(self._options) <= 3 else "list_reply"
            await self._post(self.maker.tap(self.phone, option_id, title, kind, name=self.name))
        else:
            await self._post(self.maker.text(self.phone, line, name=self.name))

    async def _post(self, signed: SignedBody) -> None:
        body, headers = signed
        answer = await self.client.post("/webhooks/meta", content=body, headers=headers)
        if answer.status_code != httpx.codes.OK:
            print(f"o serviço respondeu {answer.status_code}", file=sys.stderr)

    async def _show_forever(self) -> None:
        while True:
            await self.graph.wait_until(lambda: len(self._mine()) > self._shown, patience_seconds=86_400)
            for sent in self._mine()[self._shown :]:
                self._show(sent)
                self._shown += 1
                for state in ("delivered", "read"):
                    await self._post(self.maker.status(sent.id, state, sent.reference))
            self._arrived.set()

    async def _caught_up(self) -> None:
        while self._shown < len(self._mine()):
            self._arrived.clear()
            await self._arrived.wait()

    def _mine(self) -> list[Sent]:
        return self.graph.sent_to(self.phone)

    def _show(self, sent: Sent) -> None:
        self._options = sent.options
        lines = "\n".join(f"  {line}" for line in sent.text.splitlines())
        print(f"\n{self.clinic_name}:\n{lines}")
        above = ""
        for number, ((_, title), (section, below)) in enumerate(zip(self._options, _around(sent), strict=True), 1):
            if section != above:
                print(f"  {section}:")
                above = section
            print(f"  [{number}] {title}{f' — {below}' if below else ''}")
        print(flush=True)


def _around(sent: Sent) -> list[tuple[str, str]]:
    """What stands above and below each option's title: the section and the description of a list's row. Buttons have
    neither."""
    sections = sent.payload.get("interactive", {}).get("action", {}).get("sections", [])
    rows = [(section.get("title", ""), row.get("description", "")) for section in sections for row in section["rows"]]
    return rows or [("", "")] * len(sent.options)


def _read_line() -> str | None:
    try:
        return input("você> ")
    except EOFError:
        return None

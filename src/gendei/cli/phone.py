"""A patient's phone to try a clinic on. `demo` brings its own clinics and store, and shows phones and the staff's pages
in a browser, or one phone in the terminal; `chat` talks to the operator's own clinics, in the terminal."""

import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Annotated

import httpx
import typer
from pydantic import SecretStr

from gendei.app import Gendei
from gendei.booking.patients import clean_phone
from gendei.booking.slots import BookingRefused
from gendei.channel_kinds import STAND_IN
from gendei.cli.data import read_clinics, store_clinics
from gendei.cli.demo_day.beginning import resumed
from gendei.cli.running import PortTaken, run
from gendei.cli.stand_in import NoSuchClinic, beside_stand_in
from gendei.cli.terminal_phone import LEAVE, TerminalPhone
from gendei.clinic import Channel, Clinic, ClinicId
from gendei.clock import Clock
from gendei.datafile import data_dir
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import Handset, SignedBody, WebhookMaker
from gendei.secrets import channel_purpose, new_key
from gendei.settings import Settings
from gendei.telemetry import configure_logs
from gendei.web.app import app_for

DEMO_DATABASE = "sqlite:///gendei-demo.db"
DEMO_MEDIA = "gendei-demo-media"
DEMO_TOKEN = "demo-token"  # noqa: S105  # opens nothing but the stand-in
DEMO_PHONE = "+5511999990001"
QUIET = {True: 0.0, False: 1.0}
"""Quiet window in seconds: none for a script, whose every line is a turn; a short one for a person."""


def _phone(text: str) -> str:
    try:
        return clean_phone(text)
    except BookingRefused:
        raise typer.BadParameter("write a phone in full, as +5511999990001") from None


Phone = Annotated[str, typer.Option("--from", callback=_phone, help="The patient's phone.")]
Name = Annotated[str, typer.Option(help="The patient's WhatsApp name.")]
Port = Annotated[int, typer.Option(help="Where the service listens; 0 takes a free port.")]


def demo(
    clinic: Annotated[str, typer.Option(help="Which demo clinic: boa-vida or sorriso.")] = "boa-vida",
    phone: Phone = DEMO_PHONE,
    name: Name = "Maria Silva",
    port: Port = 0,
    terminal: Annotated[
        bool | None, typer.Option("--terminal/--pages", help="A phone in the terminal; the default for a script.")
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the pages in a browser, or only print their address.")
    ] = True,
) -> None:
    """Try the whole service with two demo clinics: no WhatsApp number, no key, no network."""
    in_terminal = _scripted() and open_browser if terminal is None else terminal
    settings = Settings.load(
        database=DEMO_DATABASE,
        media=DEMO_MEDIA,
        secret_key=SecretStr(new_key()),
        meta_app_secret=SecretStr(token_urlsafe()),
        meta_verify_token=SecretStr("demo"),
        quiet_seconds=QUIET[_scripted()],
        log_level="ERROR",
    )
    configure_logs(settings)
    files = sorted(data_dir("clinics").glob("*.yaml"))
    clinics = read_clinics(settings, files, {"META_TOKEN": DEMO_TOKEN})
    call = _Call(clinic, phone, name, port)
    if in_terminal:
        run(_store_and_talk(settings, clinics, call))
    else:
        from gendei.cli.demo_pages import show_pages  # noqa: PLC0415  # a script need not wait for NiceGUI

        run(show_pages(settings, clinics, call.clinic_id, port, open_browser=open_browser and not _scripted()))


def chat(
    clinic: Annotated[str, typer.Option(help="The clinic's id; not needed when there is only one.")] = "",
    phone: Phone = DEMO_PHONE,
    name: Name = "Maria Silva",
    port: Port = 0,
) -> None:
    """Talk to a clinic of your own store as a patient would; nothing is sent to WhatsApp.

    What you book takes its time in the agenda, and staff see the conversation and its tasks. No reminder, notice or
    other message that the clinic begins ever leaves for it; do not give a real patient's phone."""
    settings = Settings.load(
        meta_app_secret=SecretStr(token_urlsafe()), quiet_seconds=QUIET[_scripted()], log_level="ERROR"
    )
    if settings.secret_key is None:
        settings = settings.model_copy(update={"secret_key": SecretStr(new_key())})
    configure_logs(settings)
    run(_talk(settings, _Call(clinic, phone, name, port), seeks=False))


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
    await _talk(settings, call, clock=await resumed(settings, clinics))


async def _talk(settings: Settings, call: _Call, *, clock: Clock | None = None, seeks: bool = True) -> None:
    clock = clock or settings.start_clock()
    async with AsyncExitStack() as stack:
        graph, gendei = await stack.enter_async_context(beside_stand_in(settings, clock, seeks=seeks))
        clinic = await _connected(gendei, call.clinic_id)
        try:
            url = await stack.enter_async_context(serve(app_for(gendei), port=call.port))
        except OSError:
            raise PortTaken from None
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=url))

        async def post(signed: SignedBody) -> int:
            body, headers = signed
            return (await client.post("/webhooks/meta", content=body, headers=headers)).status_code

        secret = settings.meta_app_secret.get_secret_value() if settings.meta_app_secret else ""
        maker = WebhookMaker(secret.encode(), STAND_IN[1], gendei.clock)
        terminal = TerminalPhone(Handset(post, maker, graph, call.phone, call.name), clinic.name)
        await stack.enter_async_context(terminal.showing())
        if _scripted():
            await terminal.play(sys.stdin.readline, gendei.messaging.idle)
        else:
            print(
                f"{clinic.name} atende em {url}. Escreva como paciente; um número escolhe uma opção; {LEAVE} termina."
            )
            await terminal.converse()


async def _connected(gendei: Gendei, clinic_id: str) -> Clinic:
    """The clinic, or the only one when none is named, with the stand-in's number in this process."""
    clinics = {known.id: known for known in gendei.directory.all()}
    chosen = clinic_id or (next(iter(clinics)) if len(clinics) == 1 else "")
    clinic = clinics.get(ClinicId(chosen))
    if clinic is None:
        raise NoSuchClinic(clinic_id, clinics)
    token = gendei.secrets.seal(DEMO_TOKEN, channel_purpose(clinic.id, *STAND_IN, "access_token"))
    await gendei.directory.lend(clinic.id, Channel(*STAND_IN, {"access_token": token}, clinic.id))
    return clinic

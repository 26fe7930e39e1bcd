"""`gendei demo` in a browser: the patients' phones beside the staff's pages."""

import asyncio
import webbrowser

from gendei.cli.data import store_clinics
from gendei.cli.demo_bank import beside_bank
from gendei.cli.demo_day.approved import approve_templates
from gendei.cli.demo_day.beginning import begin
from gendei.cli.running import PortTaken
from gendei.cli.stand_in import NoSuchClinic, beside_stand_in
from gendei.clinic import Clinic
from gendei.errors import NotFound
from gendei.providers.stand_in.local_server import serve
from gendei.settings import Settings
from gendei.web.app import app_for
from gendei.web.pages.demo import DEMO, open_demo
from gendei.web.pages.mount import add_pages
from gendei.web.pages.site import Site
from gendei.web.well_formed import OwnHostOnly


async def show_pages(
    settings: Settings, clinics: tuple[Clinic, ...], clinic_id: str, port: int, *, open_browser: bool
) -> None:
    """Serve the demo until it is told to stop. Raises NoSuchClinic and PortTaken."""
    await store_clinics(settings, clinics)
    clock = await begin(settings, clinics)
    async with (
        beside_stand_in(settings, clock) as (graph, gendei),
        beside_bank(gendei, clock) as bank,
        open_demo(gendei, graph, clock, bank=bank) as demo,
    ):
        try:
            demo.clinic(clinic_id)
        except NotFound:
            raise NoSuchClinic(clinic_id, (known.id for known in clinics)) from None
        await approve_templates(gendei, graph)
        app = app_for(gendei)
        add_pages(app, Site(gendei, demo))
        try:
            async with serve(OwnHostOnly(app), port=port) as url:
                address = f"{url}{DEMO}?clinic={clinic_id}"
                print(f"A demonstração está em {address}\nCtrl+C termina.", flush=True)
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, address)
                await asyncio.Event().wait()
        except OSError:
            raise PortTaken from None

"""The commands that operators script against; each module holds the ones of one errand."""

import typer

from gendei.cli import agenda, data, phone, serving
from gendei.cli.running import reporting

app = typer.Typer(
    name="gendei",
    help="Gendei: a clinic's receptionist on WhatsApp.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
clinics = typer.Typer(help="Clinics in the store.", no_args_is_help=True)
app.add_typer(clinics, name="clinics")

app.command()(reporting(serving.serve))
app.command()(reporting(phone.demo))
app.command()(reporting(phone.chat))
app.command()(reporting(data.check))
app.command()(reporting(data.keygen))
app.command()(reporting(agenda.appointments))
clinics.command("import")(reporting(data.import_clinics))
clinics.command("list")(reporting(data.list_clinics))

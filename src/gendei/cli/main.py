"""The commands that operators script against; each module holds the ones of one errand."""

import typer

from gendei.cli import (
    agenda,
    audit,
    backup,
    channels,
    conversations,
    data,
    evaluate,
    mcp,
    phone,
    queue,
    reminders,
    serving,
    templates,
    tokens,
    tools,
    users,
)
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
queued = typer.Typer(help="Messages that wait, are in doubt, failed or are parked.", no_args_is_help=True)
app.add_typer(queued, name="queue")
approved = typer.Typer(help="Approved message templates.", no_args_is_help=True)
app.add_typer(approved, name="templates")
numbers = typer.Typer(help="Connected numbers that were stopped.", no_args_is_help=True)
app.add_typer(numbers, name="channels")
taken_over = typer.Typer(help="Conversations that a person has.", no_args_is_help=True)
app.add_typer(taken_over, name="conversations")

people = typer.Typer(help="Who may sign in to the staff pages.", no_args_is_help=True)
app.add_typer(people, name="users")
programs = typer.Typer(help="Tokens for the JSON API.", no_args_is_help=True)
app.add_typer(programs, name="tokens")

app.command()(reporting(serving.serve))
app.command()(reporting(phone.demo))
app.command()(reporting(phone.chat))
app.command()(reporting(data.check))
app.command()(reporting(data.keygen))
app.command()(reporting(backup.backup))
app.command()(reporting(backup.restore))
app.command("eval")(reporting(evaluate.evaluate))
app.command()(reporting(agenda.appointments))
app.command()(reporting(reminders.remind))
app.command()(reporting(tools.tools))
app.command()(reporting(tools.speech))
clinics.command("import")(reporting(data.import_clinics))
clinics.command("list")(reporting(data.list_clinics))
queued.command()(reporting(queue.show))
queued.command()(reporting(queue.replay))
queued.command()(reporting(queue.drop))
approved.command("list")(reporting(templates.list_templates))
approved.command()(reporting(templates.sync))
numbers.command("list")(reporting(channels.list_channels))
numbers.command()(reporting(channels.resume))
taken_over.command()(reporting(conversations.waiting))
taken_over.command()(reporting(conversations.hand_back))
people.command("add")(reporting(users.add))
people.command("list")(reporting(users.list_users))
people.command()(reporting(users.disable))
people.command()(reporting(users.enable))
people.command()(reporting(users.password))
people.command()(reporting(users.totp))
people.command()(reporting(users.sessions))
programs.command("add")(reporting(tokens.add))
programs.command("list")(reporting(tokens.list_tokens))
programs.command()(reporting(tokens.revoke))
app.command()(reporting(mcp.mcp))
app.command()(reporting(audit.audit))

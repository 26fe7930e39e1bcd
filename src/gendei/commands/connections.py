"""Connecting numbers to the clinic: begun, gone on with, given up."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.shapes import Shape
from gendei.staff.actors import Right
from gendei.staff.connecting.ledger import ConnectionLedger, Step, StepState, Way
from gendei.staff.connecting.looks import shown_number
from gendei.staff.connecting.ports import QrCode
from gendei.staff.connecting.texts import Check, ConnectingTexts

Fields = Annotated[
    dict[str, str],
    Field(description="By the names that a channel has in the clinic's file.", examples=[{"instance": "boa-vida"}]),
]


class LineOut(Shape):
    """A step of the ledger. `text`: what staff have to know or do, in Portuguese; "" for nothing."""

    step: Step
    name: str
    state: StepState
    fault: str
    text: str
    at: AwareDatetime | None


class ChoiceOut(Shape):
    id: str
    name: str


class FindingOut(Shape):
    """What the last look after a connected number found. `text`: of what is bad."""

    check: Check
    name: str
    value: str
    bad: bool
    text: str


class ConnectionOut(Shape):
    """`number`: as staff know it. `choices`: the numbers of which one has to be chosen. `lookedAt`: when it was looked
    after; null before that. No credential is in it."""

    id: str
    way: Way
    number: str
    connected: bool
    lines: list[LineOut]
    choices: list[ChoiceOut]
    findings: list[FindingOut]
    looked_at: AwareDatetime | None
    created_at: AwareDatetime

    @classmethod
    def told_of(cls, connection: ConnectionLedger, texts: ConnectingTexts) -> "ConnectionOut":
        lines = [
            LineOut.of(line, name=texts.steps[line.step], text=texts.told(connection, line))
            for line in connection.lines
        ]
        findings = [
            FindingOut.of(
                finding,
                name=texts.checks[finding.check],
                text=texts.bad(finding.check, finding.value) if finding.bad else "",
            )
            for finding in connection.findings
        ]
        more = {"number": shown_number(connection), "connected": connection.is_connected}
        choices = [ChoiceOut.of(choice) for choice in connection.choices]
        return cls.of(connection, lines=lines, findings=findings, choices=choices, **more)


class ConnectionsOut(Shape):
    """The newest first."""

    items: list[ConnectionOut]


class CodeOut(Shape):
    """What the clinic's phone has to scan: the text of the code, or the provider's picture as a data address; both
    empty where there is nothing to scan."""

    text: str
    picture: str

    @classmethod
    def told_of(cls, code: QrCode | None) -> "CodeOut":
        return cls(text=code.text if code else "", picture=code.picture if code else "")


class AllConnections(Arguments):
    """No arguments."""


class BeginConnection(Arguments):
    way: Way
    fields: Fields = Field(default={})


class OneConnection(Arguments):
    connection: Annotated[str, Field(min_length=1, max_length=100)]


class GoOnConnection(OneConnection):
    answers: Fields = Field(default={})


async def list_connections(call: Call, given: AllConnections) -> ConnectionsOut:
    """The numbers that are being connected or are connected, step by step."""
    connections = call.desks.connections
    found = await connections.all(call.actor)
    return ConnectionsOut(items=[ConnectionOut.told_of(each, connections.texts) for each in found])


async def begin_connection(call: Call, given: BeginConnection) -> ConnectionOut:
    """Begin to connect a number, and go as far as it goes; what is left is done when somebody answers, or by itself.
    Embedded Signup is gone through in a browser."""
    connections = call.desks.connections
    return ConnectionOut.told_of(await connections.begin(call.actor, given.way, given.fields), connections.texts)


async def go_on_connection(call: Call, given: GoOnConnection) -> ConnectionOut:
    """Try again what failed, with what is answered now: the number that is meant, its PIN, another token or key."""
    connections = call.desks.connections
    connection = await connections.go_on(call.actor, given.connection, given.answers)
    return ConnectionOut.told_of(connection, connections.texts)


async def look_after_connection(call: Call, given: OneConnection) -> ConnectionOut:
    """Look now how a connected number is: link, quality, limit, name, whether messages arrive, templates."""
    connections = call.desks.connections
    connection = await connections.get(call.actor, given.connection)
    if connection.is_connected:
        connection = await connections.look(connection.clinic_id, connection.id)
    return ConnectionOut.told_of(connection, connections.texts)


async def get_connection_code(call: Call, given: OneConnection) -> CodeOut:
    """The code that the clinic's phone has to scan now."""
    return CodeOut.told_of(await call.desks.connections.code(call.actor, given.connection))


async def end_connection(call: Call, given: OneConnection) -> ConnectionsOut:
    """Give a connection up. The clinic keeps the channel, where it has it by now."""
    await call.desks.connections.end(call.actor, given.connection)
    return await list_connections(call, AllConnections())


LIST_CONNECTIONS = Command(list_connections, right=Right.MANAGE)
BEGIN_CONNECTION = Command(begin_connection, right=Right.MANAGE)
GO_ON_CONNECTION = Command(go_on_connection, right=Right.MANAGE)
LOOK_AFTER_CONNECTION = Command(look_after_connection, right=Right.MANAGE)
GET_CONNECTION_CODE = Command(get_connection_code, right=Right.MANAGE)
END_CONNECTION = Command(end_connection, right=Right.MANAGE, destructive=True)

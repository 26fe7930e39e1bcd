"""One connection as a card: its steps, and what can be done now."""

from functools import partial
from typing import Any

from nicegui import ui

from gendei.commands.command import A, Command
from gendei.commands.connections import (
    END_CONNECTION,
    GET_CONNECTION_CODE,
    GO_ON_CONNECTION,
    LOOK_AFTER_CONNECTION,
    ConnectionOut,
    GoOnConnection,
    LineOut,
    OneConnection,
)
from gendei.staff.actors import Actor
from gendei.staff.connecting.connections import answers_of
from gendei.staff.connecting.ledger import Step, StepState, Way
from gendei.staff.connecting.texts import StepFault
from gendei.web.pages.account_page import qr_code
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.connecting.fields import GivenFields
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, moment, panel, tag, text
from gendei.web.pages.sheets import ask_first

TEXTS = page_texts("connecting")
QR_SECONDS = 15.0
MARKS = {StepState.OPEN: "", StepState.DONE: "good", StepState.SKIPPED: "", StepState.FAILING: "bad"}
STRONG = "unelevated color=primary"
ASKS_FOR_PIN = frozenset({StepFault.PIN_WRONG, StepFault.PIN_TRIES})


class ConnectionPanel:
    def __init__(self, acting: Acting, connection: ConnectionOut) -> None:
        self._acting, self._connection = acting, connection
        self._current = next(
            (line for line in connection.lines if line.state in {StepState.OPEN, StepState.FAILING}), None
        )
        way = acting.gendei.desks.connections.texts.ways[connection.way]
        with panel(connection.number or way):
            with ui.element("div").classes("o-head"):
                text("p", way if connection.number else "", "g-soft o-grow")
                self._state()
            with ui.element("ol").classes("o-list o-steps"):
                for line in connection.lines:
                    self._line(line)
            if connection.connected:
                self._findings()
            self._asked()

    def _state(self) -> None:
        if self._connection.connected:
            tag(TEXTS["connected"], "good")
        elif self._current and self._current.state is StepState.FAILING:
            tag(TEXTS["failing"], "bad")
        else:
            tag(TEXTS["going"], "warn")

    def _line(self, line: LineOut) -> None:
        with ui.element("li").classes("o-row"):
            with ui.element("div").classes("o-main o-grow"):
                text("span", line.name, "o-name")
                if line.text and line.state is not StepState.SKIPPED:
                    text("span", line.text, "g-small" if line.state is StepState.FAILING else "g-soft g-small")
            tag(TEXTS[f"state_{line.state}"], MARKS[line.state])

    def _findings(self) -> None:
        if self._connection.looked_at:
            at = moment(self._acting.clinic.local(self._connection.looked_at))
            text("p", TEXTS("looked_at", at=at), "g-soft g-small")
        with ui.element("div").classes("o-list"):
            for finding in self._connection.findings:
                with ui.element("div").classes("o-row"):
                    with ui.element("div").classes("o-main o-grow"):
                        text("span", finding.name, "o-name")
                        if finding.text:
                            text("span", finding.text, "g-small")
                    tag(TEXTS.get(f"value_{finding.value.lower()}", finding.value), "bad" if finding.bad else "good")

    def _asked(self) -> None:
        """What somebody has to do now, and what can be done at any time."""
        connection, step = self._connection, self._current.step if self._current else None
        if connection.choices:
            for choice in connection.choices:
                with ui.element("div").classes("o-row"):
                    text("span", choice.name, "o-name o-grow")
                    act = partial(self._go_on, {"phone_number_id": choice.id})
                    button(TEXTS["choose"], act, label=f"{TEXTS['choose']}: {choice.name}")
        elif step is Step.SCAN:
            self._qr()
        fault = self._current.fault if self._current else ""
        forms = answers_of(connection.way)
        pin = GivenFields({"pin": forms["pin"]}) if fault in ASKS_FOR_PIN else None
        lost = any(finding.bad for finding in connection.findings)
        renewed = {name: form for name, form in forms.items() if name not in {"pin", "phone_number_id"}}
        with ui.element("div").classes("o-actions"):
            if connection.way is Way.META_SIGNUP and (step in {Step.AUTHORIZE, Step.TOKEN} or lost):
                button(TEXTS["enter_meta"], self._enter, kind=STRONG)
            if step is not None and step is not Step.AUTHORIZE and not connection.choices:
                button(TEXTS["go_on"], partial(self._go_on_with, pin), kind="flat")
            if connection.connected:
                button(TEXTS["look"], self._look)
            button(
                TEXTS["end"],
                ask_first(TEXTS["end_question"], TEXTS["end_yes"], self._end),
                kind="flat color=negative",
                label=f"{TEXTS['end']}: {connection.number}",
            )
        if renewed and connection.way is not Way.META_SIGNUP and (fault or lost):
            with ui.expansion(TEXTS["renew"]):
                fields = GivenFields(renewed)
                with ui.element("div").classes("o-actions"):
                    button(TEXTS["go_on"], partial(self._go_on_with, fields), kind=STRONG, label=TEXTS["renew"])

    def _qr(self) -> None:
        place = ui.element("div").classes("o-qr").props("role=img")
        place.props["aria-label"] = TEXTS["qr"]
        text("p", TEXTS["qr_soon"], "g-soft g-small")
        given = OneConnection(connection=self._connection.id)

        async def show() -> None:
            code = await self._acting.do(GET_CONNECTION_CODE, given)
            if isinstance(code, Problem) or place.is_deleted or not (code.text or code.picture):
                return
            place.clear()
            with place:
                if code.text:
                    ui.html(qr_code(code.text), sanitize=False)
                else:
                    ui.element("img").props(f'src="{code.picture}" alt=""')

        ui.timer(QR_SECONDS, show, immediate=True)

    async def _enter(self) -> None:
        """To Meta, in this window: it leads back to /connect."""
        connections, session = self._acting.gendei.desks.connections, self._acting.context.session.id

        async def act(actor: Actor) -> str:
            return await connections.to_meta(actor, session, self._connection.id)

        address = await proven(self._acting, lambda: self._acting.attempt(act))
        if isinstance(address, Problem):
            self._acting.tell(address.text, good=False)
        else:
            ui.navigate.to(address)

    async def _go_on_with(self, fields: GivenFields | None) -> None:
        await self._go_on(fields.values if fields else {})

    async def _go_on(self, answers: dict[str, str]) -> None:
        given = GoOnConnection(connection=self._connection.id, answers=answers)
        await self._do(GO_ON_CONNECTION, given)

    async def _look(self) -> None:
        given = OneConnection(connection=self._connection.id)
        await self._do(LOOK_AFTER_CONNECTION, given)

    async def _end(self) -> None:
        await self._do(END_CONNECTION, OneConnection(connection=self._connection.id))

    async def _do(self, command: Command[A, Any], given: A) -> None:
        """What was done shows by itself."""
        done = await proven(self._acting, lambda: self._acting.do(command, given))
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)

"""The head of a conversation: whose it is, and what can be done with it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.presence import Present
from gendei.staff.inbox.rows import Row, State
from gendei.web.pages.inbox.conversation_list import ago, day_and_time, joined, row_title
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import text
from gendei.web.pages.phones import address_text
from gendei.web.pages.reasons import advice

TEXTS = page_texts("inbox")

Do = Callable[[], Awaitable[object]]
_TAGS = {State.WAITING: "g-tag-warn", State.PERSON: "g-tag-good", State.BOT: "", State.CLOSED: "i-tag-plain"}


@dataclass(frozen=True, slots=True)
class Commands:
    """The handlers of the head's buttons."""

    back: Do
    card: Do
    take_over: Do
    hand_back: Do
    assign: Do
    label: Do
    close: Do
    reopen: Do
    snooze: Do
    wake: Do


class DangerBar:
    """Says that the patient may be in danger, until somebody takes it up."""

    def __init__(self, take_up: Do) -> None:
        with ui.element("div").classes("i-danger-bar").props('role="alert"') as self._bar:
            ui.icon("warning").props('aria-hidden="true"')
            self._words = ui.label()
            self._button = ui.button(TEXTS["danger_take"], on_click=take_up).props(
                "no-caps unelevated dense color=white text-color=negative"
            )
        self._bar.set_visibility(False)

    def show(self, row: Row, actor: Actor, now: datetime) -> None:
        if row.danger_since is not None:
            why = row.takeover_reason or TEXTS["danger_unknown"]
            self._words.set_text(TEXTS("danger_since", ago=ago(row.danger_since, now), reason=why))
        self._button.set_visibility(actor.may(Right.WRITE))
        self._bar.set_visibility(row.danger_since is not None)


class Head:
    """Drawn anew when what it says has changed, and not before: an open menu stays open."""

    def __init__(self, commands: Commands, clinic: Clinic) -> None:
        self._commands, self._clinic = commands, clinic
        self._drawn: tuple[object, ...] = ()
        with ui.element("header").classes("i-head"):
            _icon("arrow_back", TEXTS["back"], commands.back).classes("i-back")
            self._place = ui.element("div").classes("i-head-main")
            self._present = ui.label().classes("g-tag i-present").props('role="status"')
            self._actions = ui.element("div").classes("i-head-actions")
            _icon("badge", TEXTS["card"], commands.card).classes("i-to-card")
        self._present.set_visibility(False)

    def show(self, row: Row, actor: Actor, here: Sequence[Present], now: datetime) -> None:
        """`here`: who else has it open."""
        self._show_present(here)
        says = self._says(row, now)
        off = self._put_off(row, now)
        owner = row.state, row.taken_over_by, row.called_for
        drawn = (row_title(row), row.phone, says, *owner, row.labels, row.assigned_name, off)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._place.clear()
        with self._place:
            text("h2", row_title(row), "i-head-name").props('dir="auto"')
            with ui.element("div").classes("i-head-line"):
                state = ui.label(says).classes(f"g-tag {_TAGS[row.state]} i-head-state")
                state.props["title"] = says
                if row.called_for is not None:
                    why = advice(row.called_for)
                    ui.label(why.name).classes("g-tag i-tag-plain").props["title"] = why.avoid
                if off:
                    ui.label(off).classes("g-tag i-tag-plain")
                if row.assigned_name:
                    ui.label(TEXTS("assigned_to", name=row.assigned_name)).classes("g-tag i-tag-plain")
                for label in row.labels:
                    ui.label(label).classes("g-tag i-tag-plain i-head-label")
                if row.phone and row.phone != row.title:
                    ui.label(address_text(row.phone)).classes("g-soft g-small i-head-phone")
        self._actions.clear()
        if actor.may(Right.WRITE):
            with self._actions:
                self._buttons(row, actor, is_off=bool(off))

    def _show_present(self, here: Sequence[Present]) -> None:
        typing = [person for person in here if person.typing]
        key = ("present_typing" if typing else "present") + ("_many" if len(typing or here) > 1 else "")
        self._present.set_text(TEXTS(key, names=joined(typing or here)))
        self._present.set_visibility(bool(here))

    def _says(self, row: Row, now: datetime) -> str:
        if row.waiting_since is not None:
            key = "state_waiting_why" if row.takeover_reason else "state_waiting"
            return TEXTS(key, ago=ago(row.waiting_since, now), reason=row.takeover_reason)
        if row.state is State.PERSON:
            return TEXTS("state_person" if row.taken_over_by else "state_person_unknown", name=row.taken_over_by)
        return TEXTS[f"state_{row.state}"]

    def _put_off(self, row: Row, now: datetime) -> str:
        if row.snoozed_until is None or not row.is_snoozed(now):
            return ""
        return TEXTS("snoozed_until", when=day_and_time(self._clinic.local(row.snoozed_until), self._clinic.local(now)))

    def _buttons(self, row: Row, actor: Actor, *, is_off: bool) -> None:
        commands = self._commands
        mine = row.state is State.PERSON and row.taken_over_by == actor.name
        if mine:
            ui.button(TEXTS["hand_back"], on_click=commands.hand_back).props("no-caps unelevated dense")
        else:
            from_whom = row.taken_over_by if row.state is State.PERSON else None
            take = TEXTS("take_over_from", name=from_whom) if from_whom else TEXTS["take_over"]
            ui.button(take, on_click=commands.take_over).props("no-caps unelevated dense").classes("i-take")
        more = ui.button(icon="more_vert").props("flat round dense")
        more.props["aria-label"] = TEXTS["actions"]
        with more, ui.menu():
            closed = row.state is State.CLOSED
            handed = (
                [] if mine or row.state not in (State.WAITING, State.PERSON) else [("hand_back", commands.hand_back)]
            )
            for key, do in (
                *handed,
                ("assign", commands.assign),
                ("labels", commands.label),
                ("wake" if is_off else "snooze", commands.wake if is_off else commands.snooze),
                ("reopen" if closed else "close", commands.reopen if closed else commands.close),
            ):
                ui.menu_item(TEXTS[key], do).props('role="menuitem"')
            # A phone's whole screen is the conversation's: the header, with the assistant's button, is hidden there.
            helper = ui.menu_item(page_texts("assistant")["open"]).props('role="menuitem"').classes("i-on-phone")
            helper.on("click", js_handler='() => document.querySelector(".g-assistant").click()')


def _icon(name: str, label: str, do: Do) -> ui.button:
    button = ui.button(icon=name, on_click=do).props("flat round dense")
    button.props["aria-label"] = label
    return button

"""The field in which staff write: an element drawn in the browser, which keeps what is typed there until the server has
taken it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nicegui import ui

from gendei.clinic import Clinic
from gendei.commands.conversations import OptionIn, ReplyToConversation
from gendei.messages.limits import MAX_LIST_LABEL, MAX_ROW_DESCRIPTION, MAX_ROW_TITLE, fit, one_line
from gendei.messages.replies import LIST_LABEL, MAX_BUTTONS, MAX_OPTIONS
from gendei.staff.actors import Actor
from gendei.staff.inbox.canned import Canned
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.rows import State
from gendei.web.pages.inbox.conversation_list import day_and_time
from gendei.web.pages.inbox.files import OWN_FILES_PATH
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("inbox")

SOON = timedelta(hours=2)
"""Time before the window's end in which the page warns."""


@dataclass(frozen=True, slots=True)
class Written:
    """A submitted message. `what`: send, template, queue or note. `place`: where the browser keeps it. `rows`: (title,
    description) of a list that opens with `list_label`. `file`: the id of what was attached."""

    what: str
    text: str
    buttons: tuple[str, ...]
    place: str
    rows: tuple[tuple[str, str], ...] = ()
    list_label: str = ""
    file: str | None = None

    @classmethod
    def of(cls, submitted: dict[str, Any]) -> "Written":
        rows = [(str(row.get("title", "")), str(row.get("description", ""))) for row in submitted.get("rows", ())]
        return cls(
            str(submitted["what"]),
            str(submitted["text"]),
            tuple(str(title) for title in submitted.get("buttons", ()))[:MAX_BUTTONS],
            str(submitted["place"]),
            tuple(rows)[:MAX_OPTIONS],
            str(submitted.get("listLabel") or ""),
            str(submitted["file"]) if submitted.get("file") else None,
        )

    def reply_to(self, contact: str) -> ReplyToConversation:
        """Make the command's arguments. Raises pydantic's ValidationError for a text that is too long."""
        if self.what == "template":
            return ReplyToConversation(contact=contact, text=self.text, template=True)
        offered = [
            (fit(one_line(title), MAX_ROW_TITLE), fit(one_line(more), MAX_ROW_DESCRIPTION))
            for title, more in self.rows or [(title, "") for title in self.buttons]
        ]
        return ReplyToConversation(
            contact=contact,
            text=self.text,
            file_id=self.file,
            options=tuple(OptionIn(title=title, description=more) for title, more in offered if title),
            list_label=(fit(one_line(self.list_label), MAX_LIST_LABEL) or LIST_LABEL) if self.rows else "",
        )


class Composer(ui.element, component="../static/inbox_composer.js"):
    """Events: `act` (see `Written`), `canned` (id), `manage` (the canned replies shall be changed), `typing` (whether
    something unsent stands in it). `draft`: names the user and the conversation that the text is kept for. `token`: of
    the session's forms, for uploads. `manages`: whether the user may change the canned replies."""

    def __init__(self, draft: str, replies: Sequence[Canned], token: str, *, manages: bool) -> None:
        super().__init__()
        self.props.update(draft=draft, manages=manages, token=token, files=OWN_FILES_PATH, words=dict(TEXTS))
        self.offer(replies)

    def offer(self, replies: Sequence[Canned]) -> None:
        """These are the canned replies."""
        self.props["canned"] = [{"id": reply.id, "title": reply.title, "text": reply.text} for reply in replies]

    def show(self, view: View, clinic: Clinic, actor: Actor, now: datetime) -> None:
        """Show what may be sent at `now`, and what sending means."""
        hint, warns = _hint(view, clinic, actor, now)
        shown = {"free": view.free_text, "template": view.template, "hint": hint, "hintWarns": warns}
        if any(self.props.get(name) != value for name, value in shown.items()):
            self.props.update(shown)

    def settle(self, written: Written, *, done: bool) -> None:
        """It was taken, and is kept no more; or it stays."""
        self.run_method("settle", written.place, done)

    def invite(self) -> None:
        """Let who has a keyboard write at once."""
        self.run_method("invite")

    def insert(self, text: str) -> None:
        self.run_method("insert", text)


def _hint(view: View, clinic: Clinic, actor: Actor, now: datetime) -> tuple[str, bool]:
    """The line above the text, and whether it warns."""
    row = view.row
    if view.free_text and row.window_ends_at is not None and row.window_ends_at - now < SOON:
        when = day_and_time(clinic.local(row.window_ends_at), clinic.local(now))
        return TEXTS("hint_until", when=when), True
    if row.state is State.PERSON and row.taken_over_by not in (None, actor.name):
        return TEXTS("hint_with_other", name=row.taken_over_by), True
    if row.state is not State.PERSON and (view.free_text or view.template):
        return TEXTS["hint_takes_over"], False
    return "", False

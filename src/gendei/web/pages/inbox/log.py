"""The messages of one conversation: an element drawn in the browser from items as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from nicegui import json, ui

from gendei.clinic import Clinic, Contact
from gendei.staff.inbox.conversation import ConversationViews
from gendei.staff.inbox.entry_said import said_entry
from gendei.staff.inbox.messages_shown import Item, Kind, ShownMedia, Who
from gendei.staff.inbox.why import technical
from gendei.web.pages.inbox.conversation_list import day_name
from gendei.web.pages.inbox.files import MEDIA_PATH
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.reasons import advice
from gendei.web.pages.whatsapp_text import whatsapp_html

TEXTS = page_texts("inbox")

BIG = 12
"""A text without letters and digits of at most so many characters is drawn large: emoji, as WhatsApp does."""
QUOTED = 140
_SIDES = {Who.PATIENT: "in", Who.BOT: "bot", Who.PERSON: "person", Who.SYSTEM: "bot"}


class ConversationLog(ui.element, component="../static/inbox_log.js"):
    """Events: `older`, `looking` (whether the page is in front), and with an id `unqueue`, `technical`, `wrong`,
    `mend`."""

    def __init__(self) -> None:
        super().__init__()
        self.props.update(items="[]", older=False, words=dict(TEXTS))

    def show(self, items: list[dict[str, Any]], *, older: bool) -> None:
        """Draw `items` (see `Shapes`). `older`: there are more before them."""
        drawn = json.dumps(items)
        if self.props["items"] != drawn or self.props["older"] != older:
            self.props.update(items=drawn, older=older)

    def show_technical(self, item: Item) -> None:
        """Show what was recorded of why the bot said it, below its sentences."""
        self.run_method("tell", item.id, technical(item.reasons))


@dataclass(frozen=True, slots=True)
class Shapes:
    """Items of one conversation as the browser draws them. `now`: aware. `views`: tells why the bot said them."""

    clinic: Clinic
    contact: Contact
    now: datetime
    views: ConversationViews

    def of(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        texts = {item.id: item.text for item in items}
        return [self._shape(item, texts) for item in items]

    def _shape(self, item: Item, texts: dict[str, str]) -> dict[str, Any]:
        at = self.clinic.local(item.at)
        base = {
            "id": item.id,
            "day": day_name(at, self.clinic.local(self.now)),
            "time": f"{at:%H:%M}",
            "why": self._why(item),
        }
        if item.kind is Kind.EVENT:
            return base | {"side": "event", "text": item.text, "detail": _detail(item), "called": _called(item)}
        return base | self._bubble(item, texts)

    def _why(self, item: Item) -> list[dict[str, Any]]:
        """The parts of the account, each with its heading."""
        headings = self.views.why_headings()
        return [
            {"heading": headings[part], "lines": list(lines)}
            for part, lines in self.views.why(item, self.clinic).items()
        ]

    def _bubble(self, item: Item, texts: dict[str, str]) -> dict[str, Any]:
        note, delivery = item.kind is Kind.NOTE, item.delivery
        return {
            "side": "note" if note else _SIDES[item.who],
            "name": _name(item),
            "type": item.type,
            "kindWord": _kind_word(item),
            "html": whatsapp_html(item.text) if item.text else "",
            "length": len(item.text),
            "big": 0 < len(item.text) <= BIG and not any(char.isalnum() or char.isspace() for char in item.text),
            "options": [{"title": option.title, "description": option.description} for option in item.options],
            "listLabel": item.list_label,
            "link": item.link[0] if item.link else None,
            "media": self._media(item, item.media) if item.media else None,
            "template": item.template,
            "tapped": item.tapped,
            "first": item.first_text,
            "deleted": item.deleted_at is not None,
            "quoted": texts.get(item.reply_to or "", "")[:QUOTED],
            "reactions": list(item.reactions),
            "tick": delivery.state if delivery else None,
            "problem": delivery.explanation if delivery else "",
            "waiting": item.waiting,
            "judged": _judged(item),
            "entry": _entry(item),
        }

    def _media(self, item: Item, media: ShownMedia) -> dict[str, Any]:
        stored = media.state == "stored"
        said = "" if stored else TEXTS.get(f"media_{media.reason}") or TEXTS[f"media_{media.state}"]
        return {
            "kind": media.kind,
            "state": media.state,
            "url": f"{MEDIA_PATH}?{urlencode({'contact': self.contact, 'message': item.id})}" if stored else None,
            "name": str(item.details.get("filename") or TEXTS[f"type_{media.kind}"]),
            "size": _size(media.size or 0),
            "said": said,
        }


def _name(item: Item) -> str:
    if item.kind is Kind.NOTE:
        return TEXTS("note_by", name=item.name or TEXTS["by_person"])
    if item.who is Who.PATIENT:
        return ""
    return item.name or TEXTS[{Who.BOT: "who_bot", Who.PERSON: "by_person"}.get(item.who, "who_system")]


def _kind_word(item: Item) -> str:
    """Name the kind of a message that has neither text of its own nor a file; "" for the others."""
    key = f"type_{item.type}"
    if item.media is not None or item.kind is Kind.NOTE:
        return ""
    return TEXTS.get(key, "") if item.type != "text" else "" if item.text.strip() else TEXTS["without_text"]


def _detail(item: Item) -> str:
    """Return the note of an event, where its sentence does not hold it."""
    detail = str(item.details.get("detail", ""))
    return "" if detail in item.text else detail


def _judged(item: Item) -> str:
    """Return whether staff may say that it was wrong ("may"), or have said so ("is"); "" where it is not the bot's."""
    if item.who is not Who.BOT or item.kind is not Kind.MESSAGE:
        return ""
    return "is" if item.case else "may"


def _entry(item: Item) -> str:
    """Return the entry of the clinic's knowledge that said it, with its version; "" where none did."""
    said = said_entry(item.reasons) if item.who is Who.BOT else None
    return f"{said.entry_id} (v{said.version})" if said else ""


def _called(item: Item) -> dict[str, str] | None:
    """Return why a person was called or came, and where to avoid the next time."""
    if item.called_for is None:
        return None
    told = advice(item.called_for)
    return {"name": told.name, "avoid": told.avoid, "link": told.link, "place": told.place}


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB".replace(".", ",") if count >= 1024 * 1024 else f"{max(1, count // 1024)} kB"

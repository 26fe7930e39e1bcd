"""One patient's phone on the page: what WhatsApp would show, and what can be tapped."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from datetime import date, datetime

from nicegui import background_tasks, ui

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.phone import Arrived, Handset, Tick, Written
from gendei.web.pages.phone.live import PhoneLive
from gendei.web.pages.texts import page_texts
from gendei.web.pages.whatsapp_text import whatsapp_html

TICK_ICONS = {Tick.SENT: "done", Tick.DELIVERED: "done_all", Tick.READ: "done_all", Tick.FAILED: "error_outline"}
SUGGESTIONS = ("try_hello", "try_book", "try_price", "try_person")
PLACE = {"latitude": -23.5614, "longitude": -46.6559}


class PhoneView:
    """Shows a handset until its page is gone."""

    def __init__(self, handset: Handset, clinic: Clinic, live_token: str = "") -> None:
        """`live_token`: with which its patient may speak live; "" where nobody does."""
        self._handset, self._clinic = handset, clinic
        self._words = page_texts("phone")
        self._shown = 0
        self._day: date | None = None
        self._ticks: list[tuple[Written, ui.icon]] = []
        with ui.element("section").classes("p-phone").props(f'aria-label="{_attribute(handset.name)}"') as self.root:
            self._owner()
            with ui.element("div").classes("p-screen"):
                self._top()
                with ui.element("div").classes("p-chat") as self._chat:
                    self._lines = ui.element("div").classes("p-lines").props('role="log"')
                    self._hint()
                    self._typing = _typing_bubble()
                if live_token:
                    PhoneLive(live_token)
                self._compose()
                self._sheet = ui.element("div").classes("p-sheet")
        following = background_tasks.create(self._follow(), name="phone page")
        ui.context.client.on_delete(following.cancel)

    def _owner(self) -> None:
        with ui.element("header").classes("p-owner"):
            with ui.element("div"):
                ui.label(self._handset.name).classes("p-owner-name")
                ui.label(self._handset.phone).classes("g-soft g-small")
            switch = ui.switch(self._words["plain"], value=not self._handset.shows_interactive)
            switch.props("dense").tooltip(self._words["plain_hint"])
            switch.on_value_change(lambda event: setattr(self._handset, "shows_interactive", not event.value))

    def _top(self) -> None:
        with ui.element("div").classes("p-top"):
            ui.label(_initials(self._clinic.name)).classes("p-avatar")
            with ui.element("div").classes("p-top-names"):
                ui.label(self._clinic.name).classes("p-top-name")
                self._status = ui.label(self._words["online"]).classes("p-top-status")
            ui.icon("verified").classes("p-verified").tooltip(self._words["business"])

    def _hint(self) -> None:
        with ui.element("div").classes("p-hint") as self._hint_box:
            ui.label(self._words["try"])
            for key in SUGGESTIONS:
                ui.button(self._words[key], on_click=self._says(self._words[key])).props("flat no-caps").classes(
                    "p-try"
                )

    def _compose(self) -> None:
        with ui.element("div").classes("p-compose"):
            place = ui.button(icon="add_location_alt", on_click=self._share_place)
            place.props(f'flat round dense aria-label="{self._words["attach"]}"').classes("p-attach")
            self._field = ui.textarea(placeholder=self._words["write"]).classes("p-field")
            self._field.props(
                f'borderless dense autogrow rows="1" aria-label="{self._words["write"]}" maxlength="4096"'
            )
            self._field.on("keydown.enter.exact.prevent", self._send)
            send = ui.button(icon="send", on_click=self._send)
            send.props(f'round unelevated dense aria-label="{self._words["send"]}"').classes("p-send")

    async def _send(self) -> None:
        text = str(self._field.value or "").strip()
        self._field.value = ""
        if text:
            await self._handset.write(text)

    async def _share_place(self) -> None:
        words = self._words
        await self._handset.share_place({**PLACE, "name": words["place_name"], "address": words["place_address"]})

    def _says(self, text: str) -> Callable[[], Awaitable[int]]:
        return lambda: self._handset.write(text)

    async def _follow(self) -> None:
        face: object = None
        while True:
            face = await self._handset.wait_changed(face)
            with self.root:
                self._show()
            await asyncio.sleep(0)

    def _show(self) -> None:
        """Add what came, and bring ticks and the typing sign up to date."""
        for line in self._handset.lines[self._shown :]:
            with self._lines:
                self._day_of(line.at)
                self._add(line)
            self._shown += 1
        for written, icon in self._ticks:
            tick = self._handset.tick(written)
            icon.name = TICK_ICONS[tick]
            icon.classes(replace=f"p-tick p-{tick}")
        self._hint_box.set_visibility(not self._shown)
        self._typing.set_visibility(self._handset.is_typing)
        self._status.text = self._words["typing" if self._handset.is_typing else "online"]
        ui.run_javascript(f"const chat = getHtmlElement({self._chat.id}); if (chat) chat.scrollTop = chat.scrollHeight")

    def _day_of(self, at: datetime) -> None:
        day = self._clinic.local(at).date()
        if day != self._day:
            self._day = day
            ui.label(f"{WEEKDAY_NAMES[day.weekday()]}, {day:%d/%m}").classes("p-day")

    def _add(self, line: Written | Arrived) -> None:
        if isinstance(line, Written):
            with ui.element("div").classes("p-line p-mine"), ui.element("div").classes("p-bubble"):
                if line.place is None:
                    _text(line.text)
                else:
                    _place_card(line.place, self._words["shared_place"])
                with ui.element("div").classes("p-meta"):
                    ui.label(self._time(line.at))
                    self._ticks.append((line, ui.icon("done").classes("p-tick")))
        else:
            with ui.element("div").classes("p-line"):
                self._message(line.sent, self._time(line.at))

    def _message(self, sent: Sent, time: str) -> None:
        with ui.element("div").classes("p-bubble"):
            if sent.payload["type"] == "image" and (picture := self._handset.file_of(sent)):
                address = f"data:image;base64,{b64encode(picture).decode()}"
                shown = ui.element("img").classes("p-picture")
                shown.props.update(src=address, alt=self._words["picture"])
            elif kind := _file_or_template(sent):
                with ui.element("div").classes("p-file"):
                    ui.icon("description")
                    ui.label(sent.payload[sent.payload["type"]].get("filename") or self._words[kind])
            if sent.place:
                _place_card(sent.place, self._words["shared_place"])
            else:
                _text(sent.text)
            with ui.element("div").classes("p-meta"):
                ui.label(time)
            if sent.link:
                label, address = sent.link
                with ui.link(target=address, new_tab=True).classes("p-option"):
                    ui.icon("open_in_new")
                    ui.label(label)
            elif sent.list_label:
                with _option(lambda: self._open_list(sent)):
                    ui.icon("list")
                    ui.label(sent.list_label)
            else:
                for option_id, title in sent.options:
                    with _option(self._taps(option_id, title, in_list=False)):
                        ui.icon("reply")
                        ui.label(title)

    def _open_list(self, sent: Sent) -> None:
        self._sheet.clear()
        above = ""
        with self._sheet.classes("p-open"), ui.element("div").classes("p-rows").props('role="dialog"'):
            with ui.element("div").classes("p-rows-top"):
                ui.label(sent.list_label)
                close = ui.button(icon="close", on_click=self._close_list)
                close.props(f'flat round dense aria-label="{self._words["close"]}"')
            for (option_id, title), (section, below) in zip(sent.options, sent.around, strict=True):
                if section != above:
                    ui.label(section).classes("p-section")
                    above = section
                with _option(self._taps(option_id, title, in_list=True)).classes(replace="p-row"):
                    with ui.element("div"):
                        ui.label(title).classes("p-row-title")
                        if below:
                            ui.label(below).classes("p-row-below")
                    ui.icon("radio_button_unchecked")
            ui.label(self._words["choose_hint"]).classes("p-rows-hint")

    def _close_list(self) -> None:
        self._sheet.classes(remove="p-open").clear()

    def _taps(self, option_id: str, title: str, *, in_list: bool) -> Callable[[], Awaitable[None]]:
        async def tap() -> None:
            self._close_list()
            await self._handset.tap(option_id, title, in_list=in_list)

        return tap

    def _time(self, at: datetime) -> str:
        return f"{self._clinic.local(at):%H:%M}"


def _option(tapped: Callable[[], object]) -> ui.element:
    return ui.element("button").props('type="button"').classes("p-option").on("click", tapped)


def _text(text: str) -> None:
    if text:
        ui.html(whatsapp_html(text), sanitize=False).classes("p-text")  # it escapes everything but its own tags


def _place_card(place: dict[str, object], title: str) -> None:
    with ui.element("div").classes("p-place"):
        ui.icon("location_on")
        with ui.element("div"):
            ui.label(str(place.get("name") or title)).classes("p-row-title")
            ui.label(str(place.get("address", ""))).classes("p-row-below")


def _typing_bubble() -> ui.element:
    with ui.element("div").classes("p-line") as line, ui.element("div").classes("p-bubble p-typing"):
        for _ in range(3):
            ui.element("i")
    line.set_visibility(False)
    return line


def _file_or_template(sent: Sent) -> str:
    """The word for a message that is more than text and options; "" for those."""
    kind = sent.payload["type"]
    return {"text": "", "interactive": "", "location": "", "template": "template"}.get(kind, "file")


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()[-2:]).upper()


def _attribute(text: str) -> str:
    """For NiceGUI's props, whose values end at a quote."""
    return text.replace("\\", "").replace('"', "")

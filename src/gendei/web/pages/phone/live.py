"""The button with which a demo patient speaks live."""

from nicegui import ui

from gendei.web.live import PATH
from gendei.web.pages.frame import asset
from gendei.web.pages.texts import page_texts


class PhoneLive(ui.element, component="../static/phone_live.js"):
    """`token`: as Demo.live_token gives it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._props["token"] = token
        self._props["path"] = PATH
        self._props["script"] = asset("live_call.js")
        self._props["worklet"] = asset("live_worklet.js")
        self._props["words"] = dict(page_texts("live"))

"""Paying a deposit on the demo's phone: a button below a PIX code, which pays it at the bank's stand-in."""

from nicegui import ui

from gendei.clinic import Clinic, money
from gendei.providers.stand_in.graph import Sent
from gendei.web.pages.demo import Demo
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("phone")


class PhoneTill:
    """Of one clinic's phones."""

    def __init__(self, demo: Demo, clinic: Clinic) -> None:
        self._demo, self._clinic = demo, clinic

    def show(self, sent: Sent) -> None:
        """Add the button to a message that holds a code, as a text or as a payment."""
        code = self._code_of(sent)
        cents = self._demo.payable(code) if code else 0
        if not cents:
            return

        async def pay() -> None:
            button.set_visibility(False)
            if not await self._demo.pay(self._clinic, code):
                ui.notify(TEXTS["pay_over"])

        button = ui.element("button").props('type="button"').classes("p-option").on("click", pay)
        with button:
            ui.icon("account_balance")
            ui.label(TEXTS("pay", amount=money(cents)))

    @staticmethod
    def _code_of(sent: Sent) -> str:
        if sent.payload["type"] == "text":
            return sent.text
        settings = (sent.order or {}).get("payment_settings") or [{}]
        return str(settings[0].get("pix_dynamic_code", {}).get("code", ""))

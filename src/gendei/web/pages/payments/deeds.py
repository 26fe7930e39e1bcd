"""What is done about a deposit on its page: each asked for with what it needs, and the second factor where it moves
money."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nicegui import ui

from gendei.clinic import money
from gendei.commands.command import Command
from gendei.commands.payments import (
    LOOK_AT_PAYMENT,
    RECEIVE_PAYMENT,
    REFUND_PAYMENT,
    REFUND_WAS_GIVEN,
    WAIVE_PAYMENT,
    OnePayment,
    ReceivePayment,
    RefundGiven,
    RefundPayment,
    WaivePayment,
)
from gendei.deposit_rules import DepositProvider
from gendei.payments.pix_charge import PixCharge
from gendei.payments.provider import RefundState
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, text
from gendei.web.pages.sheets import Handler, Sheet, ask_first

TEXTS = page_texts("payments")
FIELD = "outlined dense"
_AMOUNT = re.compile(r"\s*(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?\s*", re.ASCII)


def cents_written(words: str) -> int | None:
    """Centavos of what a person wrote, "25", "25,5" or "R$ 1.250,00"; None for anything else."""
    found = _AMOUNT.fullmatch(words)
    return int(found[1].replace(".", "")) * 100 + int((found[2] or "0").ljust(2, "0")) if found else None


def state_word(charge: PixCharge) -> str:
    """The charge's state in a word; of one that was waived, that it was."""
    was_waived = charge.ledger.is_waived and not charge.ledger.received
    return TEXTS["waived" if was_waived else charge.state]


class ChargeDeeds:
    """The buttons of one charge. after: draws what has changed."""

    def __init__(self, acting: Acting, charge: PixCharge, whose: str, after: Callable[[], Awaitable[None]]) -> None:
        self._acting, self._charge, self._whose, self._after = acting, charge, whose, after

    def show(self) -> None:
        """Those that make sense now."""
        charge = self._charge
        with ui.element("div").classes("o-actions") as self._place:
            if charge.provider != DepositProvider.MANUAL and charge.reference:
                self._button("look", partial(self._do, LOOK_AT_PAYMENT, OnePayment(payment=charge.id), "looked"))
            if charge.ledger.is_asking:
                self._button("receive", partial(self._ask_why, "receive", RECEIVE_PAYMENT, ReceivePayment))
                self._button("waive", partial(self._ask_why, "waive", WAIVE_PAYMENT, WaivePayment))
            if self._refundable > 0:
                self._button("refund", self._ask_refund, kind="flat color=negative")
            for order in charge.refunds:
                if order.state is RefundState.BY_HAND:
                    given = RefundGiven(payment=charge.id, refund=order.id)
                    question = TEXTS("given_question", amount=money(order.cents))
                    act = ask_first(question, TEXTS["given"], partial(self._do, REFUND_WAS_GIVEN, given, "done"))
                    self._button("given", act)

    @property
    def _refundable(self) -> int:
        ledger = self._charge.ledger
        return ledger.held + ledger.kept - self._charge.pending_refunds

    def _button(self, key: str, act: Handler, kind: str = "flat") -> None:
        button(TEXTS[key], act, kind=kind, label=f"{TEXTS[key]}: {self._whose}")

    async def _ask_why(
        self, key: str, command: Command[Any, PixCharge], given: type[WaivePayment | ReceivePayment]
    ) -> None:
        sheet = Sheet(TEXTS.get(f"{key}_title") or TEXTS[key])
        with sheet.body:
            text("p", TEXTS[f"{key}_hint"])
            why = ui.input(TEXTS["why"]).props(f"{FIELD} autofocus maxlength=200")

        async def act() -> None:
            note = (why.value or "").strip()
            if not note:
                sheet.say(TEXTS["why_missing"])
                return
            sheet.close()
            await self._do(command, given(payment=self._charge.id, note=note), "done")

        sheet.leave_button()
        sheet.button(TEXTS[key], act)

    async def _ask_refund(self) -> None:
        most = money(self._refundable)
        sheet = Sheet(TEXTS["refund_title"])
        with sheet.body:
            text("p", TEXTS["refund_hint"])
            amount = ui.input(TEXTS("refund_amount", most=most), value=most.removeprefix("R$ "))
            amount.props(f"{FIELD} autofocus inputmode=decimal")

        async def act() -> None:
            cents = cents_written(amount.value or "")
            if cents is None or not 0 < cents <= self._refundable:
                sheet.say(TEXTS("refund_amount_wrong", most=most))
                return
            sheet.close()
            await self._do(REFUND_PAYMENT, RefundPayment(payment=self._charge.id, cents=cents), "done")

        sheet.leave_button()
        sheet.button(TEXTS["refund"], act)

    async def _do(self, command: Command[Any, PixCharge], given: OnePayment, said: str) -> None:
        with self._place:  # the sheet in which it was asked for is gone
            done = await proven(self._acting, lambda: self._acting.do(command, given))
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
        else:
            self._acting.tell(TEXTS[said])
        await self._after()

"""A conversation with the clinic as it is written on the page: nothing of it is kept, and nobody is written to."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from nicegui import ui

from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic, Contact
from gendei.messages.turns import PatientInput, TurnInput
from gendei.store.sqlite import SqliteDocuments
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.words import TEXTS
from gendei.web.pages.panels import button, panel, text

SOMEBODY = Contact("+5511900000000")
"""Who writes in it; the number is nobody's."""
CHANNEL = "meta"
Draft = Callable[[], Awaitable[Clinic | Problem]]


class TrialConversation:
    """Answered by the built-in receptionist, on an agenda of its own that is empty. `draft`: the clinic as it is
    written now."""

    def __init__(self, acting: Acting, draft: Draft) -> None:
        self._acting, self._draft = acting, draft
        self._begin()
        with panel(TEXTS["conversation"], TEXTS["conversation_hint"]):
            self._lines = ui.element("div").classes("o-talk").props("role=log")
            with ui.element("div").classes("o-head"):
                self._text = ui.input(TEXTS["as_a_patient"]).props("outlined dense maxlength=500").classes("o-grow")
                self._text.on("keydown.enter", self._send)
                button(TEXTS["send"], self._send, kind="unelevated color=primary")
                button(TEXTS["from_the_start"], self._anew)

    def _begin(self) -> None:
        self._agent, self._state = "triage", dict[str, Any]()
        self._history: list[dict[str, str]] = []

    async def _anew(self) -> None:
        self._begin()
        self._lines.clear()

    async def _send(self) -> None:
        written = (self._text.value or "").strip() or TEXTS["hello"]
        clinic = await self._draft()
        if isinstance(clinic, Problem):
            self._acting.tell(clinic.text, good=False)
            return
        self._text.set_value("")
        self._show(written, "o-said-patient")
        for answer in await self._answers(clinic, written):
            self._show(answer, "o-said-clinic")

    def _show(self, words: str, classes: str) -> None:
        with self._lines:
            text("p", words, f"o-said {classes}")

    async def _answers(self, clinic: Clinic, written: str) -> list[str]:
        documents = await SqliteDocuments.open(":memory:")
        gendei = self._acting.gendei
        try:
            desk = BookingDesk(documents, gendei.clock)
            receptionist = replace(
                gendei.receptionist, desk=desk, models=None, clinic_models=None, broken=Counter[str]()
            )
            outcome = await receptionist.answer(
                TurnInput(
                    clinic=clinic,
                    contact=SOMEBODY,
                    phone=SOMEBODY,
                    user_name=None,
                    inputs=(PatientInput(written, kind="text"),),
                    history=tuple(self._history),
                    agent=self._agent,
                    state=self._state,
                    now=clinic.local(gendei.clock()),
                    channel=CHANNEL,
                )
            )
        finally:
            await documents.close()
        self._agent, self._state = outcome.agent, outcome.state
        answers = [
            "\n".join([reply.text, *(f"[{option.title}]" for option in reply.options)]) for reply in outcome.replies
        ]
        self._history += [{"role": "user", "content": written}]
        self._history += [{"role": "assistant", "content": reply.text} for reply in outcome.replies]
        return answers

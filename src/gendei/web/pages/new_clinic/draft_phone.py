"""The phone beside the draft."""

from functools import partial

from nicegui import ui

from gendei.clinic import Clinic
from gendei.messages.replies import Option, Reply
from gendei.staff.clinic_changes.editing import Unfit
from gendei.staff.clinic_drafts.drafts import ClinicDraft, ClinicDrafts
from gendei.web.pages.acting import Acting
from gendei.web.pages.new_clinic.rehearsal import DraftRehearsal, open_rehearsal
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, panel, text
from gendei.web.pages.whatsapp_text import whatsapp_html

TEXTS = page_texts("new_clinic")


class DraftPhone:
    """Talks to the draft as it is at each message."""

    def __init__(self, acting: Acting, drafts: ClinicDrafts, draft_id: str) -> None:
        self._acting, self._drafts, self._draft_id = acting, drafts, draft_id
        self._rehearsal: DraftRehearsal | None = None
        with panel(TEXTS["phone"], TEXTS["phone_hint"]).classes("n-phone"):
            self._said = ui.element("div").classes("n-said").props('role="log" aria-live="polite"')
            self._options = ui.element("div").classes("o-actions o-actions-start")
            with ui.element("form").classes("n-write").on("submit.prevent", self._write):
                self._field = ui.input(TEXTS["write"]).props("outlined dense maxlength=500").classes("o-grow")
                button(TEXTS["send"], self._write, kind="unelevated color=primary")

    async def _write(self) -> None:
        words = (self._field.value or "").strip()
        if words:
            self._field.set_value("")
            await self._say(words)

    async def _say(self, words: str, option: Option | None = None) -> None:
        self._options.clear()
        with self._said:
            text("p", words, "n-own")
        clinic = await self._clinic()
        if isinstance(clinic, str):
            with self._said:
                text("p", clinic, "n-note")
            return
        if self._rehearsal is None:
            self._rehearsal = await open_rehearsal(self._acting.gendei.settings, self._acting.gendei.clock)
            self._acting.client.on_delete(self._rehearsal.close)
        for reply in await self._rehearsal.say(clinic, words, option):
            self._show(reply)

    async def _clinic(self) -> Clinic | str:
        """The clinic that the draft is by now, or what is missing."""
        draft = await self._acting.attempt(lambda actor: self._drafts.get(actor, self._draft_id))
        if not isinstance(draft, ClinicDraft):
            return draft.text
        try:
            return self._drafts.clinic(draft)
        except Unfit:
            return page_texts("acting")["draft_unfit"]

    def _show(self, reply: Reply) -> None:
        with self._said:
            ui.html(whatsapp_html(reply.text), sanitize=False).classes("n-answer")
        self._options.clear()
        with self._options:
            for option in reply.options:
                button(option.title, partial(self._say, option.title, option), kind="outline color=primary")

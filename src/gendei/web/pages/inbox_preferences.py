"""How a patient wants to be answered, beside the conversation: read by all staff, changed by who may write."""

from dataclasses import asdict
from typing import Any

from nicegui import ui

from gendei.commands.patients import SET_PREFERENCES, SetPreferences
from gendei.receptionist.preferences import FASTEST, FEWEST, LANGUAGES, MOST, SLOWEST, VOICES, Answers, Preferences
from gendei.staff.actors import Actor, Right
from gendei.staff.patients import NOTICES
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.frame import Visit
from gendei.web.pages.panels import button, text
from gendei.web.pages.texts import page_texts


class PreferencesBeside:
    """Built into the slot it is made in; `show` fills it."""

    def __init__(self, visit: Visit, contact: str) -> None:
        self._preferences, self._contact = visit.site.gendei.front_desk.preferences, contact
        self._desks = visit.site.gendei.desks
        self._words = page_texts("inbox")
        self._place = ui.element("div")

    async def show(self, actor: Actor) -> None:
        """Raises NotFound."""
        preferences, notices = await self._preferences.of(actor, self._contact)
        self._place.clear()
        with self._place:
            for line in self._lines(preferences, notices):
                text("p", line)
            if actor.may(Right.WRITE):
                with ui.element("div").classes("t-actions t-actions-start"):
                    button(self._words["pref_change"], acting(self._ask), kind="outline")

    def _lines(self, preferences: Preferences, notices: bool) -> list[str]:
        """The way of answering, and what differs from the ordinary."""
        words, ordinary = self._words, Preferences()
        lines = [words[f"pref_{preferences.answers}"]]
        if preferences.voice:
            lines.append(words["pref_voice_is"].format(voice=preferences.voice.capitalize()))
        if preferences.rate != ordinary.rate:
            lines.append(words["pref_rate_is"].format(rate=_pace(preferences.rate)))
        if preferences.language != ordinary.language:
            lines.append(words["pref_language_is"].format(language=words[f"lang_{preferences.language}"]))
        return lines if notices else [*lines, words["pref_no_notices"]]

    async def _ask(self, actor: Actor) -> None:
        preferences, notices = await self._preferences.of(actor, self._contact)
        before = {**asdict(preferences), NOTICES: notices}
        words, dialog = self._words, ui.dialog()
        dialog.on("hide", dialog.delete)
        with dialog, ui.card().classes("i-dialog"):
            ui.label(words["pref_title"]).classes("g-title")
            fields = {
                "answers": _select(words["pref_answers"], {one: words[f"pref_{one}"] for one in Answers}),
                "voice": _select(words["pref_voice"], {"": words["pref_voice_clinic"]} | _capitalized(VOICES)),
                "rate": _select(words["pref_rate"], {rate: _pace(rate) for rate in _rates(preferences.rate)}),
                "language": _select(words["pref_language"], {one: words[f"lang_{one}"] for one in LANGUAGES}),
                "context": ui.number(words["pref_context"], min=FEWEST, max=MOST, precision=0).props("outlined"),
                "interruption": ui.switch(words["pref_interruption"]),
                NOTICES: ui.switch(words["pref_notices"]),
            }
            for name, field in fields.items():
                field.set_value(before[name])

            async def save(now: Actor) -> None:
                after: dict[str, Any] = {name: field.value for name, field in fields.items()}
                after["context"] = min(MOST, max(FEWEST, int(after["context"] or before["context"])))
                await run_command(self._desks, now, SET_PREFERENCES, SetPreferences(contact=self._contact, **after))
                dialog.close()
                await self.show(now)

            with ui.row().classes("i-dialog-buttons"):
                ui.button(words["cancel"], on_click=dialog.close).props("flat no-caps")
                ui.button(words["save"], on_click=acting(save)).props("unelevated no-caps")
        dialog.open()


def _select(label: str, options: dict[Any, str]) -> ui.select:
    return ui.select(options, label=label).props("outlined")


def _capitalized(names: tuple[str, ...]) -> dict[str, str]:
    return {name: name.capitalize() for name in names}


def _rates(current: float) -> list[float]:
    """In tenths, and what a program may have chosen between them."""
    tenths = {round(one / 10, 1) for one in range(round(SLOWEST * 10), round(FASTEST * 10) + 1)}
    return sorted(tenths | {current})


def _pace(rate: float) -> str:
    return f"{rate:g}×".replace(".", ",")

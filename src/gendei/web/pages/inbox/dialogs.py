"""Questions to staff before something is done."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import partial

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.colleagues import Colleague
from gendei.staff.inbox.actions import MAX_LABELS, MAX_NOTE, MAX_TO_DO
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, names
from gendei.web.pages.sheets import TEXTS as OFFICE
from gendei.web.pages.sheets import Sheet

TEXTS = page_texts("inbox")
SUNDAY = 6


def ask_note(answered: Callable[[str, str], Awaitable[None]]) -> None:
    """Ask for a note with which the assistant gets the conversation back, and for what is still to be done."""
    sheet = Sheet(TEXTS["hand_back_title"])
    with sheet.body:
        ui.label(TEXTS["hand_back_hint"]).classes("g-soft")
        note = ui.textarea(TEXTS["hand_back_note"]).props(f'outlined autogrow autofocus maxlength="{MAX_NOTE}"')
        to_do = ui.textarea(TEXTS["hand_back_to_do"]).props(f'outlined autogrow maxlength="{MAX_TO_DO}"')
        ui.label(TEXTS["hand_back_to_do_hint"]).classes("g-soft g-small")
    _end(sheet, TEXTS["hand_back"], lambda: answered(str(note.value or ""), str(to_do.value or "")))


def ask_colleague(
    colleagues: Sequence[Colleague], current: str | None, answered: Callable[[str | None], Awaitable[None]]
) -> None:
    """Ask who shall look after the conversation."""
    sheet, known = Sheet(TEXTS["assign_title"]), {"": TEXTS["nobody"]} | names(colleagues)
    with sheet.body:
        chosen = ui.radio(known, value=current if current in known else "")
    _end(sheet, OFFICE["save"], lambda: answered(chosen.value or None))


def ask_labels(current: Iterable[str], used: Iterable[str], answered: Callable[[list[str]], Awaitable[None]]) -> None:
    """Ask which labels the conversation has. `used`: those that others have."""
    sheet, now = Sheet(TEXTS["labels_title"]), list(current)
    with sheet.body:
        options = sorted({*now, *used}, key=str.casefold)
        field = ui.select(options, value=now, multiple=True, new_value_mode="add-unique", with_input=True)
        field.props(f'outlined autofocus use-chips max-values="{MAX_LABELS}" hide-dropdown-icon').classes("i-labels")
        field.props["aria-label"] = TEXTS["labels_title"]
        ui.label(TEXTS["labels_hint"]).classes("g-soft g-small")
    _end(sheet, OFFICE["save"], lambda: answered([str(label) for label in field.value]))


def ask_snooze(clinic: Clinic, now: datetime, answered: Callable[[datetime], Awaitable[None]]) -> None:
    """Ask until when a conversation is put off. `now`: in the clinic's zone."""
    sheet = Sheet(TEXTS["snooze_title"])

    async def choose(until: datetime) -> None:
        sheet.close()
        await answered(until)

    async def choose_own() -> None:
        try:
            until = datetime.fromisoformat(str(own.value or "")).replace(tzinfo=clinic.timezone)
        except ValueError:
            sheet.say(TEXTS["snooze_when"])
            return
        if until <= clinic.local(now):
            sheet.say(TEXTS["snooze_past"])
        else:
            await choose(until)

    with sheet.body:
        ui.label(TEXTS["snooze_hint"]).classes("g-soft")
        for key, until in mornings(now).items():
            button(TEXTS(f"snooze_{key}", when=f"{until:%d/%m, %H:%M}"), partial(choose, until), kind="outline")
        own = ui.input(TEXTS["snooze_own"]).props(f'outlined type=datetime-local min="{now:%Y-%m-%dT%H:%M}"')
    sheet.leave_button()
    sheet.button(TEXTS["snooze_do"], choose_own)


def mornings(now: datetime) -> dict[str, datetime]:
    """Eight o'clock tomorrow, and next Monday where that is another day. `now`: in the clinic's zone."""
    eight = datetime.combine(now.date(), time(8), now.tzinfo)
    days = {"monday": 7 - now.weekday()} | ({"tomorrow": 1} if now.weekday() != SUNDAY else {})
    return {key: eight + timedelta(days=days[key]) for key in sorted(days, reverse=True)}


def _end(sheet: Sheet, done: str, answered: Callable[[], Awaitable[None]]) -> None:
    async def close() -> None:
        sheet.close()
        await answered()

    sheet.leave_button()
    sheet.button(done, close)

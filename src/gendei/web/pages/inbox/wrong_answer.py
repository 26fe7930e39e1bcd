""" "Isto foi errado": an answer of the bot becomes a test of the clinic, with what would have been right."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from gendei.cases.case import Wanted
from gendei.clinic import Contact
from gendei.commands.cases import ADD_CASE, DRAFT_CASE, LONGEST_SAID, MOST_SAID, AddCase, OfAnswer
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names, text
from gendei.web.pages.sheets import Sheet

TEXTS = page_texts("cases")
_LONGEST = MOST_SAID * (LONGEST_SAID + 1)


async def ask_what_was_right(
    acting: Acting, contact: Contact, message_id: str, done: Callable[[], Awaitable[object]]
) -> None:
    """Show what would be kept of the conversation, and ask what would have been right. `done`: after it was kept."""
    draft = await acting.do(DRAFT_CASE, OfAnswer(contact=contact, message_id=message_id))
    if isinstance(draft, Problem):
        acting.tell(TEXTS["nothing_to_play"] if draft.gone else draft.text, good=False)
        return
    sheet = Sheet(TEXTS["wrong_title"])
    with sheet.body:
        text("p", TEXTS["wrong_hint"], "g-soft")
        with ui.element("ol").classes("i-case-lines").props(f'aria-label="{TEXTS["kept_lines"]}"'):
            for turn in draft.turns:
                for words in turn.texts:
                    text("li", words).props('dir="auto"')
        wanted = ui.radio({str(each): TEXTS[f"wanted_{each}"] for each in Wanted}, value=str(Wanted.ANSWER))
        said = ui.textarea(TEXTS["said"]).props(f'outlined autogrow maxlength="{_LONGEST}"')
        said.props["hint"] = TEXTS["said_hint"]
        service = ui.select(
            {"": TEXTS["any_service"]} | names(acting.clinic.services), value="", label=TEXTS["service"]
        )
        service.props("outlined")
    said.bind_visibility_from(wanted, "value", lambda value: value == Wanted.ANSWER)
    service.bind_visibility_from(wanted, "value", lambda value: value == Wanted.BOOKING)
    sheet.ask_before_closing(said)

    async def keep() -> None:
        facts = tuple(line.strip() for line in str(said.value or "").splitlines() if line.strip())
        chosen = Wanted(str(wanted.value))
        if chosen is Wanted.ANSWER and not facts:
            sheet.say(TEXTS["said_missing"])
            return
        if len(facts) > MOST_SAID or any(len(fact) > LONGEST_SAID for fact in facts):
            sheet.say(TEXTS("said_too_much", most=MOST_SAID))
            return
        given = AddCase(
            contact=contact, message_id=message_id, wanted=chosen, said=facts, service_id=service.value or None
        )
        kept = await acting.do(ADD_CASE, given)
        if isinstance(kept, Problem):
            sheet.say(kept.text)
            return
        sheet.close()
        acting.tell(TEXTS["kept"])
        await done()

    sheet.leave_button()
    sheet.button(TEXTS["keep"], keep)

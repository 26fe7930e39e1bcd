"""Before patients are told an entry: what it answers, what it changes, and which entries say otherwise."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from gendei.commands.knowledge import APPROVE_KNOWLEDGE, ApproveKnowledge
from gendei.commands.knowledge_sources import MOST_TRIED, TRY_KNOWLEDGE, KnowledgeTrial, TryKnowledge
from gendei.knowledge.checks import blanks_in
from gendei.knowledge.entry import KnowledgeEntry
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.knowledge.trying import TEXTS, listed, show_answer, show_trial
from gendei.web.pages.panels import text
from gendei.web.pages.sheets import Sheet


async def ask_approval(acting: Acting, entry: KnowledgeEntry, done: Callable[[], Awaitable[object]]) -> None:
    """Open the sheet in the present slot. `done`: after it was approved."""
    slot = ui.context.slot
    given = TryKnowledge(
        entry_id=entry.id,
        questions=list(entry.questions),
        answer=entry.answer,
        asked=tuple(dict.fromkeys((*entry.questions, *entry.cases)))[:MOST_TRIED],
    )
    found = await acting.do(TRY_KNOWLEDGE, given)
    if isinstance(found, Problem):
        acting.tell(found.text, good=False)
        return
    with slot:
        _show(acting, entry, found, done)


def _show(acting: Acting, entry: KnowledgeEntry, found: KnowledgeTrial, done: Callable[[], Awaitable[object]]) -> None:
    sheet = Sheet(TEXTS["approve_title"])
    looked: list[ui.checkbox] = []
    with sheet.body:
        text("p", TEXTS["approve_hint"], "g-soft g-small")
        with ui.element("section").classes("o-box o-main").props(f'aria-label="{TEXTS["will_read"]}"'):
            text("h3", TEXTS["will_read"], "k-h3")
            text("p", entry.answer, "o-notes o-wrap")
            text("p", TEXTS("asked_as", questions=listed(entry.questions)), "g-soft g-small o-wrap")
        if entry.live is not None and entry.live.answer != entry.answer:
            with ui.element("section").classes("o-box o-main").props(f'aria-label="{TEXTS["read_today"]}"'):
                text("h3", TEXTS["read_today"], "k-h3")
                text("p", entry.live.answer, "o-notes o-wrap")
        for blank in blanks_in(entry.answer):
            text("p", TEXTS("to_fill", blank=blank), "k-blank")
        show_trial(found)
        for other in found.contradicting:
            text("h3", TEXTS["contradicts"], "k-h3")
            with ui.element("div").classes("o-pair"):
                show_answer(entry, TEXTS["this_one"])
                show_answer(other, TEXTS("other_one", id=other.id))
            looked.append(ui.checkbox(TEXTS["both_hold"]))

    async def approve() -> None:
        if not all(box.value for box in looked):
            sheet.say(TEXTS["look_first"])
            return
        despite = tuple(other.id for other in found.contradicting)
        given = ApproveKnowledge(entry_id=entry.id, version=entry.version, despite=despite)
        approved = await acting.do(APPROVE_KNOWLEDGE, given)
        if isinstance(approved, Problem):
            sheet.say(approved.text)
            return
        sheet.close()
        acting.tell(TEXTS["approved_told"])
        await done()

    sheet.leave_button()
    if not blanks_in(entry.answer):
        sheet.button(TEXTS["approve"], approve)

"""An answer that the clinic's knowledge gave is mended where it was read."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge import LIST_KNOWLEDGE
from gendei.knowledge.entry import KnowledgeEntry
from gendei.staff.inbox.entry_said import said_entry
from gendei.staff.inbox.messages_shown import Item
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.knowledge.entry_sheet import EntrySheet
from gendei.web.pages.knowledge.trying import TEXTS


async def mend_answer(acting: Acting, item: Item, done: Callable[[], Awaitable[object]]) -> None:
    """Open the entry that said `item`, as it is now, with the question that it was found for. `done`: after it was
    changed."""
    said, slot = said_entry(item.reasons), ui.context.slot
    entries = await acting.do(LIST_KNOWLEDGE, Nothing())
    if isinstance(entries, Problem):
        acting.tell(entries.text, good=False)
        return
    entry = next((entry for entry in entries if said is not None and entry.id == said.entry_id), None)
    if entry is None or said is None:
        acting.tell(TEXTS["mend_gone"], good=False)
        return

    async def kept(_entry: KnowledgeEntry) -> None:
        await done()

    with slot:
        EntrySheet(acting, kept, entry, asked=(said.question,) if said.question else ())

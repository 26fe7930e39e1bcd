"""/knowledge: what the clinic answers its patients' questions with. Who manages the clinic approves it."""

from functools import partial

from nicegui import ui

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge import (
    ASK_KNOWLEDGE,
    LIST_KNOWLEDGE,
    RETIRE_KNOWLEDGE,
    AskKnowledge,
    KnowledgeFoundOut,
    RetireKnowledge,
)
from gendei.knowledge.checks import blanks_in
from gendei.knowledge.entry import EntryState, KnowledgeEntry
from gendei.knowledge.outcome import SearchOutcome
from gendei.staff.actors import Right
from gendei.staff.inbox.rows import fold
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.knowledge.approving import ask_approval
from gendei.web.pages.knowledge.bringing import ask_file, propose_starter
from gendei.web.pages.knowledge.entry_sheet import EntrySheet
from gendei.web.pages.knowledge.followed_entries import follow_entries
from gendei.web.pages.knowledge.trying import TEXTS
from gendei.web.pages.panels import Subpage, button, empty, moment, office, panel, subpages, tag, text
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext

PAGES: tuple[Subpage, ...] = (("entries", "/knowledge", None), ("gaps", "/knowledge/gaps", None))
SHOWN_AT_ONCE = 30
ALL, PAST, BLANK = "all", "past", "blank"
_KINDS = {EntryState.APPROVED: "good", EntryState.PROPOSED: "warn", EntryState.RETIRED: "", PAST: "bad", BLANK: "warn"}


@staff_page("/knowledge", title="knowledge", right=Right.READ)
async def knowledge(context: PageContext) -> None:
    if context.clinic is not None:
        ui.add_head_html(f'<link rel="stylesheet" href="{asset("knowledge.css")}">')
        with office(TEXTS["title"], TEXTS["hint"]):
            subpages(context.actor, "/knowledge", PAGES, TEXTS)
            KnowledgePage(Acting(context, context.clinic))


class KnowledgePage:
    """All entries, drawn anew after each change, also of somebody else's."""

    def __init__(self, acting: Acting) -> None:
        self._acting, actor = acting, acting.context.actor
        self._writes, self._manages = actor.may(Right.WRITE), actor.may(Right.MANAGE)
        self._entries: list[KnowledgeEntry] = []
        self._most = SHOWN_AT_ONCE
        if self._writes:
            with ui.element("div").classes("o-actions o-actions-start"):
                button(TEXTS["new"], self._new, kind="unelevated color=primary")
                button(TEXTS["read_file"], partial(ask_file, acting))
                button(TEXTS["starter"], partial(propose_starter, acting))
        self._trial()
        with ui.element("div").classes("o-fields"):
            self._words = ui.input(TEXTS["search"], on_change=self._filter).props(
                "outlined dense clearable debounce=250"
            )
            states = {ALL: TEXTS["state_all"]} | {key: TEXTS[f"state_{key}"] for key in _KINDS}
            self._state = ui.select(states, label=TEXTS["state"], value=ALL, on_change=self._filter)
            self._state.props("outlined dense options-dense")
        self._count = text("p", "", "g-soft g-small").props('role="status"')
        self._all = ui.element("div").classes("o-stack")
        follow_entries(acting, self.show)

    def _trial(self) -> None:
        with panel(TEXTS["ask_title"], TEXTS["ask_hint"]):
            with ui.element("form").classes("k-ask") as form:
                asked = ui.input(TEXTS["ask_label"]).props("outlined dense maxlength=1000")
                ask = ui.button(TEXTS["ask"]).props('unelevated no-caps type="submit"')
            said = ui.element("div").classes("o-stack k-tight").props('role="status"')

        async def answer() -> None:
            question = str(asked.value or "").strip()
            if not question:
                return
            ask.disable()
            found = await self._acting.do(ASK_KNOWLEDGE, AskKnowledge(question=question))
            ask.enable()
            said.clear()
            with said:
                _show_found(found)

        form.on("submit.prevent", answer, args=[])

    async def show(self) -> None:
        """Read and draw them."""
        found = await self._acting.do(LIST_KNOWLEDGE, Nothing())
        if isinstance(found, Problem):
            self._acting.tell(found.text, good=False)
            return
        self._entries = found
        self._draw()

    def _filter(self) -> None:
        self._most = SHOWN_AT_ONCE
        self._draw()

    def _draw(self) -> None:
        words = fold(str(self._words.value or "")).split()
        fitting = [entry for entry in self._entries if self._fits(entry, words)]
        self._count.text = TEXTS("count", shown=len(fitting), all=len(self._entries)) if self._entries else ""
        self._all.clear()
        with self._all:
            if not self._entries:
                empty(TEXTS["empty"])
            elif not fitting:
                empty(TEXTS["none_fits"])
            for entry in fitting[: self._most]:
                self._entry(entry)
            if len(fitting) > self._most:
                button(TEXTS("more", count=len(fitting) - self._most), self._show_more)

    async def _show_more(self) -> None:
        self._most += SHOWN_AT_ONCE
        self._draw()

    def _fits(self, entry: KnowledgeEntry, words: list[str]) -> bool:
        state = self._state.value
        if state != ALL and state not in self._states(entry):
            return False
        whole = fold(" ".join((entry.id, *entry.questions, entry.answer, entry.owner, entry.source)))
        return all(word in whole for word in words)

    def _states(self, entry: KnowledgeEntry) -> list[str]:
        """What it is: its state, and whether its date is over or a place of it is still to be filled in."""
        found: list[str] = [entry.state]
        if entry.live is not None and not entry.live.is_valid(self._acting.now.date()):
            found.append(PAST)
        if blanks_in(entry.answer):
            found.append(BLANK)
        return found

    def _entry(self, entry: KnowledgeEntry) -> None:
        name = entry.questions[0]
        with panel(name).props('role="article"'):
            with ui.element("div").classes("o-head"):
                for state in self._states(entry):
                    tag(TEXTS[f"state_{state}"], _KINDS[state])
            if entry.questions[1:]:
                text("p", TEXTS("also_asked", questions=" · ".join(entry.questions[1:])), "g-soft g-small o-wrap")
            text("p", entry.answer, "o-notes o-wrap")
            if entry.live is not None and entry.live.version != entry.version:
                with ui.element("div").classes("o-box o-main"):
                    text("span", TEXTS("still_read", version=entry.live.version), "g-soft g-small")
                    text("p", entry.live.answer, "o-notes o-wrap")
            text("p", self._facts(entry), "g-soft g-small o-wrap")
            self._deeds(entry, name)

    def _facts(self, entry: KnowledgeEntry) -> str:
        local = self._acting.clinic.local
        told = [TEXTS("version", version=entry.version), TEXTS("written", by=entry.by, at=moment(local(entry.at)))]
        told += [TEXTS("owned", owner=entry.owner)] if entry.owner else []
        source = TEXTS["from_starter"] if entry.source == "starter" else entry.source
        told += [TEXTS("from", source=source)] if source else []
        told += [TEXTS("until", day=f"{entry.valid_until:%d/%m/%Y}")] if entry.valid_until else []
        if entry.live is not None:
            told.append(TEXTS("approved_by", by=entry.live.by, at=moment(local(entry.live.at))))
        return " · ".join(told)

    def _deeds(self, entry: KnowledgeEntry, name: str) -> None:
        with ui.element("div").classes("o-actions"):
            if self._writes:
                button(TEXTS["change"], partial(self._change, entry), label=f"{TEXTS['change']}: {name}")
            if self._manages and entry.state is not EntryState.APPROVED:
                approve = partial(self._approve, entry)
                button(TEXTS["approve"], approve, kind="outline color=primary", label=f"{TEXTS['approve']}: {name}")
            if self._manages and entry.state is not EntryState.RETIRED:
                retire = ask_first(TEXTS["retire_question"], TEXTS["retire"], partial(self._retire, entry))
                button(TEXTS["retire"], retire, kind="flat color=negative", label=f"{TEXTS['retire']}: {name}")

    async def _new(self) -> None:
        EntrySheet(self._acting, self._kept)

    async def _change(self, entry: KnowledgeEntry) -> None:
        with self._acting.client.content:
            EntrySheet(self._acting, self._kept, entry)

    async def _approve(self, entry: KnowledgeEntry) -> None:
        with self._acting.client.content:
            await ask_approval(self._acting, entry, self.show)

    async def _kept(self, _entry: KnowledgeEntry) -> None:
        await self.show()

    async def _retire(self, entry: KnowledgeEntry) -> None:
        given = RetireKnowledge(entry_id=entry.id, version=entry.version)
        gone = await self._acting.do(RETIRE_KNOWLEDGE, given)
        if isinstance(gone, Problem):
            self._acting.tell(gone.text, good=False)
        else:
            self._acting.tell(TEXTS["retired_told"])
        await self.show()


def _show_found(found: KnowledgeFoundOut | Problem) -> None:
    """What the patient would read."""
    if isinstance(found, Problem):
        text("p", found.text, "k-fault")
        return
    text("p", TEXTS[f"found_{found.outcome}"], "g-soft g-small")
    for entry in found.entries:
        with ui.element("div").classes("o-box o-main"):
            said = found.outcome is SearchOutcome.ANSWERED
            text("p", (entry.said_answer or "") if said else entry.questions[0], "o-notes o-wrap")
            text("span", TEXTS("found_entry", id=entry.id, version=entry.said_version or 0), "g-soft g-small")

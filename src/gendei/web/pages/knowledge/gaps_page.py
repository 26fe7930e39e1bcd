"""/knowledge/gaps: what patients asked and nothing answered, the most asked first."""

from functools import partial

from nicegui import ui

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge import DISMISS_KNOWLEDGE_GAP, LIST_KNOWLEDGE_GAPS, OfGap
from gendei.knowledge.entry import KnowledgeEntry, KnowledgeGap
from gendei.staff.actors import Right
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.knowledge.approving import ask_approval
from gendei.web.pages.knowledge.entry_sheet import EntrySheet
from gendei.web.pages.knowledge.page import PAGES
from gendei.web.pages.knowledge.trying import TEXTS
from gendei.web.pages.panels import button, empty, moment, office, panel, subpages, tag, text
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext

SHOWN = 50


@staff_page("/knowledge/gaps", title="knowledge_gaps", right=Right.READ)
async def knowledge_gaps(context: PageContext) -> None:
    if context.clinic is not None:
        ui.add_head_html(f'<link rel="stylesheet" href="{asset("knowledge.css")}">')
        with office(TEXTS["title"], TEXTS["gaps_hint"]):
            subpages(context.actor, "/knowledge/gaps", PAGES, TEXTS)
            await GapsPage(Acting(context, context.clinic)).show()


class GapsPage:
    """All groups that nobody has seen to, drawn anew after each that is."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        with ui.element("div").classes("o-actions"):
            button(TEXTS["refresh"], self.show)
        self._all = ui.element("div").classes("o-stack")

    async def show(self) -> None:
        found = await self._acting.do(LIST_KNOWLEDGE_GAPS, Nothing())
        self._all.clear()
        with self._all:
            if isinstance(found, Problem):
                text("p", found.text, "g-empty")
                return
            if not found:
                empty(TEXTS["no_gaps"])
            for gap in found[:SHOWN]:
                self._gap(gap)
            if len(found) > SHOWN:
                text("p", TEXTS("gaps_more", count=len(found) - SHOWN), "g-soft")

    def _gap(self, gap: KnowledgeGap) -> None:
        name = gap.questions[0]
        with panel(name).props('role="article"'):
            with ui.element("div").classes("o-head"):
                tag(TEXTS("asked_once") if gap.count == 1 else TEXTS("asked_times", count=gap.count), "warn")
                at = moment(self._acting.clinic.local(gap.last_at))
                text("span", TEXTS("last_asked", at=at), "g-soft g-small")
            if gap.questions[1:]:
                with ui.element("ul").classes("k-words").props(f'aria-label="{TEXTS["asked"]}"'):
                    for question in gap.questions[1:]:
                        text("li", question, "o-wrap").props('dir="auto"')
            if self._acting.context.actor.may(Right.WRITE):
                self._deeds(gap, name)

    def _deeds(self, gap: KnowledgeGap, name: str) -> None:
        with ui.element("div").classes("o-actions"):
            dismiss = ask_first(TEXTS["dismiss_question"], TEXTS["dismiss"], partial(self._dismiss, gap))
            button(TEXTS["dismiss"], dismiss, label=f"{TEXTS['dismiss']}: {name}")
            answer = partial(self._answer, gap)
            button(
                TEXTS["write_answer"], answer, kind="unelevated color=primary", label=f"{TEXTS['write_answer']}: {name}"
            )

    async def _answer(self, gap: KnowledgeGap) -> None:
        with self._acting.client.content:
            EntrySheet(self._acting, self._answered, gap=gap)

    async def _answered(self, entry: KnowledgeEntry) -> None:
        """Who may approve is asked at once, with what it answers of the group's questions."""
        await self.show()
        if self._acting.context.actor.may(Right.MANAGE):
            with self._acting.client.content:
                await ask_approval(self._acting, entry, self.show)

    async def _dismiss(self, gap: KnowledgeGap) -> None:
        gone = await self._acting.do(DISMISS_KNOWLEDGE_GAP, OfGap(gap_id=gap.id))
        if isinstance(gone, Problem):
            self._acting.tell(gone.text, good=False)
        else:
            self._acting.tell(TEXTS["dismissed_told"])
        await self.show()

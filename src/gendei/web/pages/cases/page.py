"""/cases: answers that staff found wrong, and whether they are right by now. Who manages the clinic removes them."""

from functools import partial

from nicegui import ui

from gendei.cases.case import ClinicCase, LastResult, Wanted
from gendei.commands.cases import LIST_CASES, REMOVE_CASE, OfCase
from gendei.commands.clinic import Nothing
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, office, tag, text
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext

TEXTS = page_texts("cases")


@staff_page("/cases", title="cases", right=Right.READ)
async def cases(context: PageContext) -> None:
    if context.clinic is not None:
        with office(TEXTS["title"], TEXTS["hint"]):
            await CasesPage(Acting(context, context.clinic)).show()


class CasesPage:
    """All cases of the clinic, drawn anew after one was removed."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        self._all = ui.element("div").classes("o-stack")

    async def show(self) -> None:
        found = await self._acting.do(LIST_CASES, Nothing())
        self._all.clear()
        with self._all:
            if isinstance(found, Problem):
                text("p", found.text, "g-empty")
            elif not found:
                empty(TEXTS["empty"], (TEXTS["to_inbox"], "/inbox"))
            else:
                passed = sum(case.result is not None and case.result.passed for case in found)
                text("p", TEXTS("summary", passed=passed, all=len(found)), "g-soft")
                with ui.element("div").classes("o-list"):
                    for case in found:
                        self._case(case)

    def _case(self, case: ClinicCase) -> None:
        must = self._must(case)
        article = ui.element("article").classes("o-row")
        article.props["aria-label"] = must
        with article:
            with ui.element("div").classes("o-main o-grow"):
                with ui.element("div").classes("o-head"):
                    text("span", must, "o-name").props('dir="auto"')
                    _state(case.result)
                for turn in case.turns[-1:]:
                    text("span", " ".join(turn.texts), "g-small").props('dir="auto"')
                self._result(case.result)
                at = moment(self._acting.clinic.local(case.created_at))
                text("span", TEXTS("added", by=case.by, at=at), "g-soft g-small")
                with ui.expansion(TEXTS["patient_wrote"]).props("dense"), ui.element("ol"):
                    for turn in case.turns:
                        for words in turn.texts:
                            text("li", words).props('dir="auto"')
            with ui.element("div").classes("o-actions"):
                if self._acting.context.site.play_case is not None and self._acting.context.actor.may(Right.WRITE):
                    button(TEXTS["play"], partial(self._play, case), label=f"{TEXTS['play']}: {must}")
                if self._acting.context.actor.may(Right.MANAGE):
                    remove = ask_first(TEXTS["remove_question"], TEXTS["remove"], partial(self._remove, case))
                    button(TEXTS["remove"], remove, label=f"{TEXTS['remove']}: {must}")

    def _must(self, case: ClinicCase) -> str:
        if case.wanted is Wanted.ANSWER:
            return TEXTS("must_answer", said="; ".join(case.said))
        service = self._acting.clinic.service(case.service_id)
        if case.wanted is Wanted.BOOKING and service is not None:
            return TEXTS("must_booking_service", service=service.name)
        return TEXTS[f"must_{case.wanted}"]

    def _result(self, result: LastResult | None) -> None:
        if result is None:
            return
        at = moment(self._acting.clinic.local(result.at))
        text("span", TEXTS("played_at", at=at, model=result.model), "g-soft g-small")
        for wrong in result.wrong:
            kind, _, more = wrong.partition(": ")
            key = f"wrong_{kind}" if f"wrong_{kind}" in TEXTS else "wrong_broken"
            text("span", TEXTS(key, more=more), "g-small").props('dir="auto"')

    async def _play(self, case: ClinicCase) -> None:
        """Play it as the clinic is today, and show how it ended. Of another clinic's it finds nothing."""
        play = self._acting.context.site.play_case

        async def played(actor: Actor) -> None:
            actor.require(Right.WRITE)
            if play is not None:
                await play(actor.clinic_id, case.id)

        self._acting.tell(TEXTS["playing"])
        done = await self._acting.attempt(played)
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
            return
        await self.show()
        found = await self._acting.do(LIST_CASES, Nothing())
        after = None if isinstance(found, Problem) else next((each for each in found if each.id == case.id), None)
        kept = after is not None and after.result is not None and after.result != case.result
        self._acting.tell(TEXTS["played" if kept else "not_played"], good=kept)

    async def _remove(self, case: ClinicCase) -> None:
        gone = await self._acting.do(REMOVE_CASE, OfCase(case_id=case.id))
        if isinstance(gone, Problem):
            self._acting.tell(gone.text, good=False)
        else:
            self._acting.tell(TEXTS["removed"])
        await self.show()


def _state(result: LastResult | None) -> None:
    if result is None:
        tag(TEXTS["never_played"])
    else:
        tag(TEXTS["passes" if result.passed else "fails"], "good" if result.passed else "bad")

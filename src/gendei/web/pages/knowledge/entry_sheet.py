"""An entry is written or changed: what it may not say is told as it is typed, patients' questions are tried, and what
somebody else changed meanwhile is shown beside what is written here."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from secrets import token_hex

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement
from pydantic import ValidationError

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge import ANSWER_KNOWLEDGE_GAP, LIST_KNOWLEDGE, WRITE_KNOWLEDGE, AnswerGap, WriteKnowledge
from gendei.commands.knowledge_sources import TRY_KNOWLEDGE, TryKnowledge
from gendei.knowledge.checks import MOST_OF_ANSWER, MOST_OF_QUESTION, MOST_QUESTIONS, blanks_in, fault_of
from gendei.knowledge.entry import KnowledgeEntry, KnowledgeGap
from gendei.knowledge.sources.found_entries import FoundEntry
from gendei.web.pages.acting import TEXTS as REFUSALS
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.knowledge.entry_merge import EntryWords, merged
from gendei.web.pages.knowledge.trying import TEXTS, show_trial
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, moment, text
from gendei.web.pages.sheets import PLAIN, Sheet

OFFICE = page_texts("office")
CHANGED = "knowledge_changed"
FIELD = "outlined dense"
Done = Callable[[KnowledgeEntry], Awaitable[object]]


class EntrySheet:
    """Open until it is kept or left. `seen`: the entry as it was shown, None for a new one. `asked`: patients'
    questions at hand. `gap`: the group of questions that it is written for. `done`: after it was kept."""

    def __init__(
        self,
        acting: Acting,
        done: Done,
        seen: KnowledgeEntry | None = None,
        asked: Sequence[str] = (),
        gap: KnowledgeGap | None = None,
    ) -> None:
        self._acting, self._done, self._seen, self._gap = acting, done, seen, gap
        self._asked = tuple(gap.questions if gap else asked)
        self._new_id = f"r-{token_hex(4)}"
        self._sheet = Sheet(TEXTS["change_title" if seen else "new_title"])
        words = EntryWords.of(seen) if seen else EntryWords()
        if gap:
            words = EntryWords(tuple(each[:MOST_OF_QUESTION] for each in gap.questions[:MOST_QUESTIONS]))
        with self._sheet.body:
            self._meanwhile = ui.element("div").classes("o-stack k-tight").props('role="status"')
            self._at_hand()
            self._fields(words)
            self._said = ui.element("div").classes("o-stack k-tight").props('role="status"')
            if self._asked:
                button(TEXTS["try_asked"], self._try)
            self._tried = ui.element("div").classes("o-stack k-tight").props('role="status"')
        self._sheet.ask_before_closing(*self._written_fields())
        self._sheet.leave_button()
        self._sheet.button(TEXTS["propose"], self._keep)
        self._tell_fault()

    def _at_hand(self) -> None:
        if not self._asked:
            return
        with ui.element("section").classes("o-box o-main").props(f'aria-label="{TEXTS["asked"]}"'):
            text("h3", TEXTS["asked"], "k-h3")
            for question in self._asked[:10]:
                text("p", question, "o-wrap").props('dir="auto"')
            if len(self._asked) > 10:
                text("p", TEXTS("asked_more", count=len(self._asked) - 10), "g-soft g-small")
            if self._gap is None:
                button(TEXTS["add_asked"], self._add_asked)

    def _fields(self, words: EntryWords) -> None:
        self._questions = ui.textarea(TEXTS["questions"], value="\n".join(words.questions))
        self._questions.props(f"{FIELD} autogrow").props["hint"] = TEXTS("questions_hint", most=MOST_QUESTIONS)
        self._answer = ui.textarea(TEXTS["answer"], value=words.answer)
        self._answer.props(f"{FIELD} autogrow counter maxlength={MOST_OF_ANSWER}")
        for field in (self._questions, self._answer):
            field.on("blur", self._tell_fault, args=[])
        with ui.element("div").classes("o-pair"):
            self._owner = ui.input(TEXTS["owner"], value=words.owner).props(f"{FIELD} maxlength=254")
            self._owner.props["hint"] = TEXTS["owner_hint"]
            self._source = ui.input(TEXTS["source"], value=words.source).props(f"{FIELD} maxlength=500")
            self._source.props["hint"] = TEXTS["source_hint"]
            until = words.valid_until.isoformat() if words.valid_until else ""
            self._until = ui.input(TEXTS["valid_until"], value=until).props(f"{FIELD} type=date stack-label clearable")
            self._until.props["hint"] = TEXTS["valid_until_hint"]
        if self._gap:
            for hidden in (self._owner, self._source, self._until):
                hidden.set_visibility(False)

    def _written_fields(self) -> tuple[ValueElement[str | None], ...]:
        return self._questions, self._answer, self._owner, self._source, self._until

    @property
    def _written(self) -> EntryWords:
        questions, answer, owner, source, until = (str(field.value or "").strip() for field in self._written_fields())
        lines = tuple(dict.fromkeys(line.strip() for line in questions.splitlines() if line.strip()))
        return EntryWords(lines, answer, owner, source, date.fromisoformat(until) if until else None)

    def _write(self, words: EntryWords) -> None:
        until = words.valid_until.isoformat() if words.valid_until else ""
        values = ("\n".join(words.questions), words.answer, words.owner, words.source, until)
        for field, value in zip(self._written_fields(), values, strict=True):
            field.value = value

    async def _add_asked(self) -> None:
        lines = [str(self._questions.value or "").strip(), *(each[:MOST_OF_QUESTION] for each in self._asked)]
        self._questions.value = "\n".join(dict.fromkeys(filter(None, lines)))

    def _tell_fault(self) -> None:
        """What speaks against what is written so far, and what is still to be filled in."""
        words = self._written
        self._said.clear()
        with self._said:
            if words.answer and words.questions:
                fault = fault_of(words.questions, words.answer, self._acting.clinic)
                if fault is not None:
                    text("p", REFUSALS[f"knowledge_{fault}"], "k-fault")
            for blank in blanks_in(words.answer):
                text("p", TEXTS("to_fill", blank=blank), "k-blank")

    async def _try(self) -> None:
        self._sheet.say("")
        words = self._written
        try:
            given = TryKnowledge(
                entry_id=self._seen.id if self._seen else self._new_id,
                questions=list(words.questions),
                answer=words.answer,
                asked=self._asked,
            )
        except ValidationError:
            self._sheet.say(REFUSALS["knowledge_empty"])
            return
        found = await self._acting.do(TRY_KNOWLEDGE, given)
        self._tried.clear()
        with self._tried:
            if isinstance(found, Problem):
                text("p", found.text, "k-fault")
            else:
                show_trial(found)

    async def _keep(self) -> None:
        self._sheet.say("")
        words = self._written
        try:
            kept = await (self._answered(self._gap, words) if self._gap else self._proposed(words))
        except ValidationError as wrong:
            long = any(each["type"] in {"string_too_long", "too_long"} for each in wrong.errors())
            self._sheet.say(REFUSALS["knowledge_too_long" if long else "knowledge_empty"])
            return
        if not isinstance(kept, Problem):
            self._sheet.close()
            self._acting.tell(TEXTS["proposed_told"])
            await self._done(kept)
        elif kept.cause == CHANGED and self._seen is not None:
            await self._show_meanwhile(self._seen, words)
        else:
            self._sheet.say(kept.text)

    async def _proposed(self, words: EntryWords) -> KnowledgeEntry | Problem:
        new_id = self._new_id
        if words.questions:
            new_id = f"{FoundEntry(words.questions, '').id[:30]}-{self._new_id[-4:]}"
        given = WriteKnowledge(
            entry_id=self._seen.id if self._seen else new_id,
            questions=list(words.questions),
            answer=words.answer,
            owner=words.owner,
            source=words.source,
            valid_until=words.valid_until,
            version=self._seen.version if self._seen else 0,
        )
        return await self._acting.do(WRITE_KNOWLEDGE, given)

    async def _answered(self, gap: KnowledgeGap, words: EntryWords) -> KnowledgeEntry | Problem:
        given = AnswerGap(gap_id=gap.id, answer=words.answer, questions=words.questions)
        return await self._acting.do(ANSWER_KNOWLEDGE_GAP, given)

    async def _show_meanwhile(self, seen: KnowledgeEntry, mine: EntryWords) -> None:
        """Somebody else changed the entry: what only they changed is taken over, what both changed is shown, and what
        is written here stays in its field."""
        entries = await self._acting.do(LIST_KNOWLEDGE, Nothing())
        if isinstance(entries, Problem):
            self._sheet.say(entries.text)
            return
        stands = next((entry for entry in entries if entry.id == seen.id), None)
        if stands is None:
            self._sheet.say(REFUSALS["not_found"])
            return
        theirs = EntryWords.of(stands)
        whole, conflicts = merged(EntryWords.of(seen), theirs, mine)
        self._seen = stands
        self._write(whole)
        self._meanwhile.clear()
        with self._meanwhile:
            at = moment(self._acting.clinic.local(stands.at))
            told = TEXTS("retired_meanwhile") if stands.retired else TEXTS("changed_meanwhile", by=stands.by, at=at)
            text("p", told, "o-box")
            for name in conflicts:
                value = getattr(theirs, name)
                words = f"{value:%d/%m/%Y}" if isinstance(value, date) else str(value or TEXTS["nothing"])
                with ui.element("section").classes("o-box o-main") as place:
                    place.props["aria-label"] = TEXTS("stands_now", field=TEXTS[name])
                    text("h3", TEXTS("stands_now", field=TEXTS[name]), "k-h3")
                    text("p", words, "o-notes o-wrap")
                    self._taker(name, value)
        self._tell_fault()

    def _taker(self, name: str, value: date | str | None) -> None:
        fields = {"answer": self._answer, "owner": self._owner, "source": self._source, "valid_until": self._until}

        async def take() -> None:
            fields[name].value = value.isoformat() if isinstance(value, date) else value or ""

        with ui.element("div").classes("o-actions"):
            button(TEXTS["take_theirs"], take, kind=PLAIN, label=f"{TEXTS['take_theirs']}: {TEXTS[name]}")

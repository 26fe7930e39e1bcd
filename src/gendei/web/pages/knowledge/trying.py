"""How questions would be answered, as staff read it."""

from collections.abc import Sequence

from nicegui import ui

from gendei.commands.knowledge_sources import KnowledgeTrial
from gendei.knowledge.entry import KnowledgeEntry
from gendei.knowledge.entry_trial import TriedQuestion
from gendei.knowledge.outcome import SearchOutcome
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import tag, text

TEXTS = page_texts("knowledge")


def show_trial(found: KnowledgeTrial) -> None:
    """Each question with what would become of it."""
    tried = found.trial.tried
    if not tried:
        return
    answered = sum(each.by_it for each in tried)
    text("p", TEXTS("trial_summary", answered=answered, all=len(tried)), "g-soft g-small")
    with ui.element("ul").classes("k-tried").props(f'aria-label="{TEXTS["trial"]}"'):
        for each in tried:
            with ui.element("li"):
                words, kind = _told(each)
                tag(words, kind)
                text("span", each.question, "o-wrap").props('dir="auto"')


def _told(tried: TriedQuestion) -> tuple[str, str]:
    if tried.by_it:
        sure = tried.outcome is SearchOutcome.ANSWERED
        return (TEXTS["trial_answers"], "good") if sure else (TEXTS["trial_offers"], "warn")
    if tried.outcome is SearchOutcome.UNKNOWN:
        return TEXTS["trial_unknown"], "bad"
    return TEXTS["trial_other"], "bad"


def show_answer(entry: KnowledgeEntry, heading: str) -> None:
    """One of two answers that stand side by side. `heading`: whose it is."""
    with ui.element("section").classes("o-box o-main") as place:
        place.props["aria-label"] = heading
        text("h3", heading, "k-h3")
        text("p", entry.answer, "o-notes o-wrap")
        text("p", TEXTS("asked_as", questions=listed(entry.questions)), "g-soft g-small o-wrap")


def listed(questions: Sequence[str]) -> str:
    """ "Tem wi-fi?" · "Qual é a senha?" """
    return " · ".join(questions)

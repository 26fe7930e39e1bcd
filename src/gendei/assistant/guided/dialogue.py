"""Which errand a message is, and how guided goes on with what it had asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gendei.assistant.guided import agenda, people, shown, tasks
from gendei.assistant.guided.guide import Guide, Refused, Steps, ask, chosen
from gendei.assistant.phrases import Errand, Phrase
from gendei.receptionist.guided.actions import Dialogue, Say

IN_ORDER: tuple[tuple[Errand, Callable[[Guide], Steps[str]]], ...] = (
    (Errand.ADD_TASK, tasks.add_task),
    (Errand.RENAME_TASK, tasks.rename_task),
    (Errand.UPDATE_TASK, tasks.update_task),
    (Errand.DONE_TASKS, tasks.list_done),
    (Errand.REOPEN_TASK, tasks.reopen_task),
    (Errand.COMPLETE_TASK, tasks.complete_task),
    (Errand.DELETE_TASK, tasks.delete_task),
    (Errand.WAITING, people.waiting),
    (Errand.UNREAD, people.unread),
    (Errand.TAKE_OVER, people.take_over),
    (Errand.HAND_BACK, people.hand_back),
    (Errand.REPLY, people.reply),
    (Errand.LIST_TASKS, tasks.list_tasks),
    (Errand.NO_SHOWS, agenda.no_shows),
    (Errand.SLOTS, agenda.slots),
    (Errand.CANCEL, agenda.cancel),
    (Errand.MOVE, agenda.move),
    (Errand.NO_SHOW, agenda.no_show),
    (Errand.CONFIRMED, agenda.confirmed),
    (Errand.READ, people.read),
    (Errand.PATIENT, people.find_patient),
    (Errand.AGENDA, agenda.agenda),
    (Errand.BOOK, agenda.book),
    (Errand.ATTENDED, agenda.attended),
)
"""The first that is heard is meant."""
_ERRANDS = frozenset(errand for errand, _ in IN_ORDER)
_SMALL_TALK = ((Errand.THANKS, Phrase.THANKS), (Errand.HELP, Phrase.HELP))


def converse(guide: Guide, question: Mapping[str, Any] | None) -> Dialogue:
    """Answer a message; `question`: what guided had asked before it, or what was shown for a yes."""
    try:
        text = yield from (_answer(guide) if question is None else _go_on(guide, question))
    except Refused as refused:
        text = str(refused.answer["message"])
    yield Say(text)


def all_at_once(guide: Guide) -> bool:
    """Whether it is asked to change everything there is; no errand does."""
    if not {Errand.EVERYTHING, Errand.CHANGES} <= guide.heard:
        return False
    left = guide.said
    for errand in (Errand.EVERYTHING, Errand.CHANGES, Errand.FILLER):
        left = guide.sitting.texts.vocabulary.beyond(errand, left)
    return not left


def _answer(guide: Guide) -> Steps[str]:
    if guide.is_only(Errand.HELP):
        return guide.say(Phrase.HELP)
    for errand, does in IN_ORDER:
        if errand in guide.heard:
            return (yield from does(guide))
    if guide.declines:
        return guide.say(Phrase.DECLINED)
    for errand, phrase in _SMALL_TALK:
        if errand in guide.heard:
            return guide.say(phrase)
    if guide.when().date:
        return (yield from agenda.agenda(guide))
    if Errand.GREETING in guide.heard:
        return guide.say(Phrase.GREETING, help=guide.say(Phrase.HELP))
    if guide.is_only(Errand.YES):
        return guide.say(Phrase.NOTHING_PENDING)
    return guide.say(Phrase.UNCLEAR)


def _go_on(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """With the answer to `question`, or with something else where the message is an errand of its own."""
    if before := question.get("shown"):
        return (yield from _to_what_was_shown(guide, before))
    if before := question.get("refused"):
        return (yield from shown.corrected(guide, before, _ERRANDS) or _answer(guide))
    if guide.is_only(Errand.NO):
        return guide.say(Phrase.DECLINED)
    if options := question.get("options"):
        one = chosen(guide, options, lambda option: str(option["label"]))
        if one is not None:
            return (yield from _chosen(guide, one["tool"], one["arguments"]))
        if guide.declines or guide.heard & _ERRANDS:
            return (yield from _answer(guide))
        return guide.which([(option["label"], option["tool"], option["arguments"]) for option in options])
    asked = replace(guide, text=question["text"])
    if guide.heard & _ERRANDS and Errand.ADD_TASK not in asked.heard:
        return (yield from _answer(guide))
    return (yield from _answer(replace(guide, text=f"{question['text']}{guide.text}")))


def _to_what_was_shown(guide: Guide, before: Sequence[Mapping[str, Any]]) -> Steps[str]:
    """Neither yes nor no: another day or hour for it, an errand of its own, or nothing that was understood, and then it
    is shown once more, so that nobody takes it for done."""
    if (anew := shown.corrected(guide, before, _ERRANDS)) is not None:
        return (yield from anew)
    if guide.declines or (guide.heard & _ERRANDS and not shown.only_repeats(guide, before)):
        return (yield from _answer(guide))
    return (yield from shown.show_again(before))


def _chosen(guide: Guide, tool: str, arguments: Mapping[str, Any]) -> Steps[str]:
    if tool == "read_conversation":
        return (yield from people.with_conversation(guide, tool, dict(arguments)))
    if tool == "move_appointment" and "start" not in arguments:
        found = yield from ask("get_appointment", appointment_id=arguments["appointment_id"])
        at = f"{found['start'][8:10]}/{found['start'][5:7]} às {found['start'][11:16]}"
        told = replace(guide, text=f"remarcar a de {found['patient']} de {at}")
        return told.more(Phrase.WHICH_START, " para ", patient=found["patient"], when=found["when"])
    yield from ask(tool, **arguments)
    return ""

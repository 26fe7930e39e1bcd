"""Which errand a message is, and how guided goes on with what it had asked."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gendei.assistant.guided import agenda, people, tasks
from gendei.assistant.guided.guide import Guide, Refused, Steps, ask, chosen
from gendei.assistant.phrases import Errand, Phrase
from gendei.receptionist.guided.actions import Dialogue, Say

IN_ORDER: tuple[tuple[Errand, Callable[[Guide], Steps[str]]], ...] = (
    (Errand.ADD_TASK, tasks.add_task),
    (Errand.UPDATE_TASK, tasks.update_task),
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
    (Errand.READ, people.read),
    (Errand.PATIENT, people.find_patient),
    (Errand.AGENDA, agenda.agenda),
    (Errand.BOOK, agenda.book),
    (Errand.ATTENDED, agenda.attended),
)
"""The first that is heard is meant."""
_SMALL_TALK = ((Errand.THANKS, Phrase.THANKS), (Errand.HELP, Phrase.HELP), (Errand.NO, Phrase.DECLINED))


def converse(guide: Guide, question: Mapping[str, Any] | None) -> Dialogue:
    """Answer a message; `question`: what guided had asked before it."""
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
    for errand, does in IN_ORDER:
        if errand in guide.heard:
            return (yield from does(guide))
    for errand, phrase in _SMALL_TALK:
        if errand in guide.heard:
            return guide.say(phrase)
    if Errand.GREETING in guide.heard:
        return guide.say(Phrase.GREETING, help=guide.say(Phrase.HELP))
    if guide.is_only(Errand.YES):
        return guide.say(Phrase.NOTHING_PENDING)
    if guide.when().date:
        return (yield from agenda.agenda(guide))
    return guide.say(Phrase.UNCLEAR)


def _go_on(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """With the answer to `question`, or with something else where the message is an errand of its own."""
    if guide.is_only(Errand.NO):
        return guide.say(Phrase.DECLINED)
    if options := question.get("options"):
        one = chosen(guide, options, lambda option: str(option["label"]))
        if one is None:
            return (yield from _answer(guide))
        return (yield from _chosen(guide, one["tool"], one["arguments"]))
    before = replace(guide, text=question["text"])
    if any(errand in guide.heard for errand, _ in IN_ORDER) and Errand.ADD_TASK not in before.heard:
        return (yield from _answer(guide))
    return (yield from _answer(replace(guide, text=f"{question['text']}{guide.text}")))


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

"""Which errand a message is, and how guided goes on with what it had asked."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gendei.assistant.guided import agenda, blocks, facts, listing, people, shown, tasks
from gendei.assistant.guided.clauses import Clause, parted
from gendei.assistant.guided.elsewhere import elsewhere
from gendei.assistant.guided.guide import Guide, Option, Refused, Steps, ask, chosen, stored
from gendei.assistant.guided.subject import SUBJECT, asked_again, booked_then
from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.requests import MAX_MESSAGE
from gendei.receptionist.guided.guided_turn import Dialogue, Say

IN_ORDER: tuple[tuple[Errand, Callable[[Guide], Steps[str]]], ...] = (
    (Errand.NOTE, people.note),
    (Errand.BEGIN, people.begin),
    (Errand.ADD_TASK, tasks.add_task),
    (Errand.SNOOZE, people.snooze),
    (Errand.WAKE, people.wake),
    (Errand.ASSIGN, people.assign),
    (Errand.CLOSE, people.close),
    (Errand.SEE_TO_DANGER, people.see_to_danger),
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
    (Errand.UNCONFIRMED, listing.unconfirmed),
    (Errand.SURE, listing.sure),
    (Errand.HERE, listing.here),
    (Errand.TAKE_BACK, agenda.take_back),
    (Errand.NO_SHOWS, listing.no_shows),
    (Errand.CANCELLED, listing.cancelled),
    (Errand.FREE_TIME, blocks.free),
    (Errand.BLOCKED, blocks.blocked),
    (Errand.BLOCK, blocks.block),
    *((topic, facts.facts) for topic in facts.TOPICS),
    (Errand.SLOTS, listing.slots),
    (Errand.CONTACT, people.find_patient),
    (Errand.CANCEL, agenda.cancel),
    (Errand.MOVE, agenda.move),
    (Errand.NO_SHOW, agenda.no_show),
    (Errand.CONFIRMED, agenda.confirmed),
    (Errand.READ, people.read),
    (Errand.WHO_DOES, facts.who_does),
    (Errand.HOURS, facts.hours),
    (Errand.LAST, listing.last),
    (Errand.NEXT, listing.coming_next),
    (Errand.PATIENT, people.find_patient),
    (Errand.AGENDA, listing.agenda),
    (Errand.BOOK, agenda.book),
    (Errand.ARRIVED, agenda.arrived),
    (Errand.IN_ROOM, agenda.in_room),
    (Errand.ATTENDED, agenda.attended),
)
"""The first that is heard is meant."""
_ERRANDS = frozenset(errand for errand, _ in IN_ORDER)
_ASKED_AGAIN = frozenset(
    {
        Errand.LIST_TASKS,
        Errand.UNCONFIRMED,
        Errand.SURE,
        Errand.NO_SHOWS,
        Errand.CANCELLED,
        Errand.BLOCKED,
        Errand.SLOTS,
    }
    | {Errand.CONTACT, Errand.READ, Errand.WHO_DOES, Errand.HOURS, Errand.LAST, Errand.NEXT, Errand.PATIENT}
    | {Errand.AGENDA, *facts.TOPICS}
)
"""What may be asked of another day or of somebody else next: "e quinta?"."""
_ONCE_MORE = frozenset(
    {Errand.CANCEL, Errand.MOVE, Errand.NO_SHOW, Errand.CONFIRMED, Errand.ARRIVED, Errand.IN_ROOM, Errand.ATTENDED}
    | {Errand.TAKE_BACK}
)
"""What may be meant of somebody else, once it is shown: "não, a do João"."""
_WRITTEN = frozenset({Errand.NOTE, Errand.ADD_TASK, Errand.RENAME_TASK, Errand.UPDATE_TASK, Errand.REPLY, Errand.BEGIN})
"""In these stand words that are not ours to judge, or that the desk does."""
_AND_ALSO = re.compile(r"^\W*(?:sim|ss?|ok|isso|confirmo|pode)\b(?=\W*[,e]\b|.*\b(?:tamb[eé]m|tbm?)\b)", re.IGNORECASE)
_AROUND_BOOKING = frozenset({Errand.INSURANCE, Errand.CONTACT, Errand.AGENDA})
"""Whose words stand in bookings too: "agenda", "telefone"."""
_SMALL_TALK = ((Errand.THANKS, Phrase.THANKS), (Errand.HELP, Phrase.HELP), (Errand.UNDO, Phrase.UNDO))


def converse(guide: Guide, question: Mapping[str, Any] | None) -> Dialogue:
    """Answer a message; `question`: what guided had asked before it, or what was shown for a yes."""
    try:
        text = yield from (_answer(guide) if question is None else _go_on(guide, question))
    except Refused as refused:
        text = guide.refuse(refused)
        guide.turn.remarks.append(text)
    yield Say(text)


def all_at_once(guide: Guide) -> bool:
    """Whether it is asked to change everything there is; no errand does."""
    if not {Errand.EVERYTHING, Errand.CHANGES} <= guide.heard:
        return False
    left = guide.said
    for errand in (Errand.EVERYTHING, Errand.CHANGES, Errand.FILLER):
        left = guide.turn.texts.vocabulary.beyond(errand, left)
    return not left


def _answer(guide: Guide) -> Steps[str]:
    parts = parted(guide, [errand for errand, _ in IN_ORDER])
    return (yield from (_single(replace(guide, text=parts[0].text)) if len(parts) == 1 else _each(guide, parts)))


def _each(guide: Guide, parts: Sequence[Clause]) -> Steps[str]:
    """One after the other. What has to be asked is asked first, and nothing is shown for a yes until it is answered."""
    turn = guide.turn
    for place, (said, text) in enumerate(parts):
        told = yield from _tried(replace(guide, text=text))
        told = told and guide.say(Phrase.ABOUT, words=said, text=told)
        if told and turn.question:
            before = [{"tool": command.tool, "arguments": dict(command.arguments)} for command in turn.planned]
            turn.question = {**turn.question, "before": before, "rest": list(parts[place + 1 :])}
            turn.planned.clear()
            return "\n".join([*turn.remarks, told])
        turn.question = None
        turn.remarks += [told] if told else []
    return "" if turn.planned else "\n".join(turn.remarks)


def _tried(guide: Guide) -> Steps[str]:
    try:
        return (yield from _single(guide))
    except Refused as refused:
        return guide.refuse(refused)


def _single(guide: Guide) -> Steps[str]:
    if guide.is_only(Errand.HELP):
        return guide.say(Phrase.HELP)
    if guide.is_only(Errand.YES):
        return guide.say(Phrase.NOTHING_PENDING)
    if (not_here := elsewhere(guide)) is not None:
        return not_here
    for errand, does in IN_ORDER:
        if errand in guide.heard and not _is_beside(guide, errand):
            return (yield from _errand(guide, errand, does))
    if guide.declines:
        return guide.say(Phrase.DECLINED)
    for errand, phrase in _SMALL_TALK:
        if errand in guide.heard:
            return guide.say(phrase)
    if guide.when().date:
        return (yield from listing.agenda(guide))
    if Errand.GREETING in guide.heard:
        return guide.say(Phrase.GREETING, help=guide.say(Phrase.HELP))
    return (yield from _of_somebody(guide))


def _errand(guide: Guide, errand: Errand, does: Callable[[Guide], Steps[str]]) -> Steps[str]:
    if errand not in _WRITTEN and guide.when().impossible:
        return guide.say(Phrase.IMPOSSIBLE)
    if errand in _ONCE_MORE and guide.declines and _names_nothing(guide):
        return guide.say(Phrase.DECLINED)
    told = yield from does(guide)
    if told and (errand in _ASKED_AGAIN or guide.text.rstrip().endswith("?")):
        guide.turn.subject = guide.text
    if not told and errand in _ONCE_MORE:
        target = guide.split()[1] if errand is Errand.MOVE else ""
        guide.turn.question = {"verb": guide.spoken(errand), "target": target}
    return told


def _is_beside(guide: Guide, errand: Errand) -> bool:
    """Whether the words of `errand` only stand in another: "agenda limpeza para a Ana, terça às 10h", "apaga a consulta
    da Ana"."""
    if errand is Errand.BEGIN:  # "cria uma tarefa: começar uma conversa com a Ana"
        return Errand.ADD_TASK in guide.heard and (guide.place(Errand.ADD_TASK) or 0) < (guide.place(errand) or 0)
    if errand in _AROUND_BOOKING:
        return Errand.BOOK in guide.heard and bool(guide.services()) and guide.when().time is not None
    return errand is Errand.DELETE_TASK and Errand.CANCEL in guide.heard and Errand.TASK not in guide.heard


def _names_nothing(guide: Guide) -> bool:
    when = guide.when()
    return not (when.date or when.time or guide.names(guide.text, Errand.NO, *listing.ABOUT_AGENDA))


def _of_somebody(guide: Guide) -> Steps[str]:
    """What is known of who is named, where nothing else was understood."""
    wanted = [name for name in guide.names(guide.text, *listing.ABOUT_AGENDA) if len(name) > 2]
    there = (yield from agenda.of_whom(guide, wanted)) if wanted else []
    return guide.lost(guide.say(Phrase.SOMEBODYS, list=listing.listed_of(guide, there)) if there else "")


def _go_on(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """With the answer to `question`, or with something else where the message is an errand of its own; then with what
    else had been asked for."""
    try:
        told = yield from _to_question(guide, question)
    except Refused as refused:
        told = guide.refuse(refused)
    before, rest, turn = question.get("before") or [], question.get("rest") or [], guide.turn
    if not (before or rest):
        return told
    if turn.question and "verb" not in turn.question and not turn.planned:
        turn.question = {**turn.question, "before": before, "rest": rest}
        return told
    if not turn.planned:
        return told if guide.declines else f"{told}\n{guide.say(Phrase.LEFT_OUT)}"
    added = len(turn.planned)
    yield from shown.show_again(before)
    turn.planned[:] = turn.planned[added:] + turn.planned[:added]
    turn.question = None
    return (yield from _each(guide, [Clause(*clause) for clause in rest]))


def _to_question(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    if SUBJECT in question:
        again = None if guide.heard & _ERRANDS else asked_again(guide, question[SUBJECT])
        if Errand.BOOK in guide.heard and Errand.SLOTS in replace(guide, text=question[SUBJECT]).heard:
            again = booked_then(guide, question[SUBJECT])
        return (yield from _answer(replace(guide, text=again) if again else guide))
    if not question.get("free") and (not_here := elsewhere(guide)) is not None:
        return not_here
    if "shown" in question:
        return (yield from _to_what_was_shown(guide, question))
    options = [Option(**option) for option in question.get("options", ())]
    if before := question.get("refused"):
        option = chosen(guide, options)
        if len({offered.at[:10] for offered in options}) == 1:  # an hour alone is of the day that was offered
            before = [{"tool": options[0].tool, "arguments": options[0].arguments}]
        instead = _chosen(guide, option, options) if option else shown.corrected(guide, before, _ERRANDS)
        return (yield from instead or _answer(guide))
    if guide.is_only(Errand.NO):
        return guide.say(Phrase.DECLINED)
    if options:
        return (yield from _to_options(guide, options))
    if "text" not in question:
        return (yield from _answer(guide))
    return (yield from _to_open_question(guide, question))


def _to_open_question(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """The message belongs behind what was said before, unless it is an errand of its own."""
    if guide.is_only(Errand.YES) and not question["free"]:
        guide.turn.question = question
        return guide.lost(question["asked"])
    if guide.heard & _ERRANDS and not question["free"] and Errand.ANYWAY not in guide.heard:
        return (yield from _answer(guide))
    whole = f"{question['text']}{guide.text}{question['behind']}"
    if len(whole) > MAX_MESSAGE:
        return (yield from _answer(guide))
    told = yield from _single(replace(guide, text=whole))
    if told != question["asked"]:
        return told
    when = guide.when()
    if not (when.date or when.time or guide.services()):
        guide.turn.question = question  # words that said nothing are not kept
    return guide.lost(told)


def _to_options(guide: Guide, options: Sequence[Option]) -> Steps[str]:
    there = agenda.moved(guide, options)
    if there != options and (Errand.MOVE in guide.heard or guide.split()[1]):
        return guide.which(there)
    if (option := chosen(guide, options)) is not None:
        return (yield from _chosen(guide, option, options))
    if there != options:
        return guide.which(there)
    if Errand.OTHER not in guide.heard and (guide.declines or guide.heard & _ERRANDS):
        return (yield from _answer(guide))
    return guide.lost(guide.which(options))


def _to_what_was_shown(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """Neither yes nor no: another day or hour for it, another one of those it was chosen from or of those who are
    named, an errand of its own, or nothing that was understood, and then it is shown once more, so that nobody takes it
    for done."""
    before = question["shown"]
    others = [
        Option(**option) for option in question.get("options", ()) if option["arguments"] != question.get("chosen")
    ]
    if others and Errand.OTHER in guide.heard:
        return (yield from _chosen(guide, others[0], others)) if len(others) == 1 else guide.which(others)
    if (anew := shown.corrected(guide, before, _ERRANDS)) is not None:
        return (yield from anew)
    if others and Errand.YES not in guide.heard and (option := chosen(guide, others)) is not None:
        return (yield from _chosen(guide, option, others))
    if "verb" in question and not guide.heard & (_ERRANDS | {Errand.YES}):
        told = yield from _tried(replace(guide, text=shown.once_more(guide, question)))
        if guide.turn.planned or "options" in (guide.turn.question or {}):
            return told
    if guide.heard & _ERRANDS and (yes := _AND_ALSO.match(guide.text)):
        return (yield from _and_also(replace(guide, text=guide.text[yes.end() :].lstrip(" ,")), before))
    if guide.declines or (guide.heard & _ERRANDS and not shown.only_repeats(guide, before)):
        told = yield from _answer(guide)
        if guide.declines or guide.turn.planned or guide.turn.question or guide.heard & _ERRANDS - _ONCE_MORE:
            return told
    guide.turn.question = {name: value for name, value in question.items() if name != "shown"}
    guide.turn.remarks.append(guide.lost(guide.say(Phrase.STILL_WAITING)))
    return (yield from shown.show_again(before))


def _and_also(guide: Guide, before: Sequence[Mapping[str, Any]]) -> Steps[str]:
    """ "Sim, e cancela a do João também": both, shown together, as a yes is to nothing but what was shown."""
    turn = guide.turn
    told = yield from _tried(guide)
    if turn.question and not turn.planned:
        turn.question = {**turn.question, "before": list(before), "rest": []}
        return told
    turn.question = None
    added = len(turn.planned)
    yield from shown.show_again(before)
    turn.planned[:] = turn.planned[added:] + turn.planned[:added]
    turn.remarks += [told] if told else []
    return ""


def _chosen(guide: Guide, option: Option, options: Sequence[Option]) -> Steps[str]:
    arguments = dict(option.arguments)
    if option.tool == "read_conversation":
        return (yield from people.with_conversation(guide, option.tool, arguments))
    if option.tool == "move_appointment" and "start" not in arguments:
        found = yield from ask("get_appointment", appointment_id=arguments["appointment_id"])
        at = f"{found['start'][8:10]}/{found['start'][5:7]} às {found['start'][11:16]}"
        told = replace(guide, text=f"remarcar a de {found['patient']} de {at}")
        return told.more(Phrase.WHICH_START, " para ", patient=found["patient"], when=found["when"])
    yield from ask(option.tool, **arguments)
    guide.turn.question = {"options": stored(options), "chosen": arguments}
    return ""

"""How guided answers an errand, and goes on with what it had asked."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gendei.assistant.guided import agenda, blocks, clinic_answers, facts, listing, people, shown, tasks, waitlist
from gendei.assistant.guided.clauses import Clause, parted
from gendei.assistant.guided.elsewhere import elsewhere
from gendei.assistant.guided.errand_rules import Trait, errand_rules
from gendei.assistant.guided.guide import Guide, Option, Order, OrderPart, Refused, Steps, chosen, do, stored
from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.requests import MAX_MESSAGE
from gendei.receptionist.guided.guided_turn import Dialogue, Say

DIALOGUES: Mapping[Errand, Callable[[Guide], Steps[str]]] = {
    Errand.NOTE: people.note,
    Errand.BEGIN: people.begin,
    Errand.SNOOZE: people.snooze,
    **dict.fromkeys(people.TOOLS, people.with_its_tool),
    Errand.ASSIGN: people.assign,
    Errand.CLOSE: people.close,
    Errand.WAITING: people.waiting,
    Errand.UNREAD: people.unread,
    Errand.WAITLIST: waitlist.show,
    Errand.ONTO_LIST: waitlist.add,
    Errand.OFF_LIST: waitlist.remove,
    Errand.ANSWERS_ON: clinic_answers.on,
    Errand.ANSWERS: clinic_answers.show,
    Errand.GAPS: clinic_answers.gaps,
    Errand.ANSWER_GAP: clinic_answers.answer_gap,
    Errand.DISMISS_GAP: clinic_answers.dismiss_gap,
    Errand.PROPOSE_ANSWER: clinic_answers.propose,
    Errand.APPROVE_ANSWER: clinic_answers.approve,
    Errand.RETIRE_ANSWER: clinic_answers.retire,
    Errand.REPLY: people.reply,
    Errand.CONTACT: people.find_patient,
    Errand.PATIENT: people.find_patient,
    Errand.ADD_TASK: tasks.add_task,
    Errand.RENAME_TASK: tasks.rename_task,
    Errand.UPDATE_TASK: tasks.update_task,
    Errand.DONE_TASKS: tasks.list_done,
    **dict.fromkeys(tasks.CHANGES, tasks.change),
    Errand.LIST_TASKS: tasks.list_tasks,
    Errand.UNCONFIRMED: listing.unconfirmed,
    Errand.SURE: listing.sure,
    Errand.HERE: listing.here,
    Errand.NO_SHOWS: listing.no_shows,
    Errand.CANCELLED: listing.cancelled,
    Errand.SLOTS: listing.slots,
    Errand.LAST: listing.last,
    Errand.NEXT: listing.coming_next,
    Errand.AGENDA: listing.agenda,
    Errand.FREE_TIME: blocks.free,
    Errand.BLOCKED: blocks.blocked,
    Errand.BLOCK: blocks.block,
    **dict.fromkeys(facts.TOPICS, facts.facts),
    Errand.WHO_DOES: facts.who_does,
    Errand.HOURS: facts.hours,
    **dict.fromkeys(agenda.BECAME, agenda.set_one),
    Errand.CANCEL: agenda.cancel,
    Errand.MOVE: agenda.move,
    Errand.BOOK: agenda.book,
}
SUBJECT, MOST_SUBJECT = "about", 8
"""Of a question: the messages that were answered last, of one subject; so many are read again."""
_AND_ALSO = re.compile(r"^\W*(?:sim|ss?|ok|isso|confirmo|pode)\b(?=\W*[,e]\b|.*\b(?:tamb[eé]m|tbm?)\b)", re.IGNORECASE)
_LEAD = re.compile(r"^\W*(?:mas\s+)?(?:e|and)\b", re.IGNORECASE)
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
    parts = parted(guide)
    return (yield from (_single(replace(guide, order=parts[0].order)) if len(parts) == 1 else _each(guide, parts)))


def _each(guide: Guide, parts: Sequence[Clause]) -> Steps[str]:
    """One after the other. What has to be asked is asked first, and nothing is shown for a yes until it is answered."""
    turn = guide.turn
    for place, (said, order) in enumerate(parts):
        told = yield from _tried(replace(guide, order=order))
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
    if guide.rule is not None:
        return (yield from _errand(guide, guide.rule.means))
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


def _errand(guide: Guide, errand: Errand) -> Steps[str]:
    when = guide.when()
    if when.impossible and not guide.is_a(Trait.WRITTEN):
        return guide.say(Phrase.IMPOSSIBLE)
    once_more = guide.is_a(Trait.ONCE_MORE)
    if once_more and guide.declines and not guide.order.parts and not (when.date or when.time or guide.names()):
        return guide.say(Phrase.DECLINED)
    told = yield from DIALOGUES[errand](guide)
    if told and (guide.is_a(Trait.ASKED_AGAIN) or guide.asks):
        first, *later = [*guide.order.about, guide.text]
        guide.turn.subject = (first, *later[1 - MOST_SUBJECT :])
    if not told and once_more:
        guide.turn.question = {"errand": errand, "target": guide.split()[1] if errand is Errand.MOVE else ""}
    return told


def _of_somebody(guide: Guide) -> Steps[str]:
    """What is known of who is named, where nothing else was understood."""
    wanted = [name for name in guide.names() if len(name) > 2]
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
    if turn.question and "errand" not in turn.question and not turn.planned:
        turn.question = {**turn.question, "before": before, "rest": rest}
        return told
    if not turn.planned:
        return told if guide.declines else f"{told}\n{guide.say(Phrase.LEFT_OUT)}"
    added = len(turn.planned)
    yield from shown.show_again(before)
    turn.planned[:] = turn.planned[added:] + turn.planned[:added]
    turn.question = None
    return (yield from _each(guide, list(map(Clause.of, rest))))


def _to_question(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    if SUBJECT in question:
        again = guide.of(guide.text, about=question[SUBJECT])
        return (yield from _single(again) if _is_of_subject(guide, again) else _answer(guide))
    if not question.get("free") and (not_here := elsewhere(guide)) is not None:
        return not_here
    if "shown" in question:
        return (yield from _to_what_was_shown(guide, question))
    options = [Option(**option) for option in question.get("options", ())]
    if before := question.get("refused"):
        option = chosen(guide, options)
        if len({offered.at[:10] for offered in options}) == 1:  # an hour alone is of the day that was offered
            before = [{"tool": options[0].tool, "arguments": options[0].arguments}]
        instead = _chosen(guide, option, options) if option else shown.corrected(guide, before)
        return (yield from instead or _answer(guide))
    if guide.is_only(Errand.NO):
        return guide.say(Phrase.DECLINED)
    if options:
        return (yield from _to_options(guide, options))
    return (yield from (_to_open_question(guide, question) if "order" in question else _answer(guide)))


def _is_of_subject(guide: Guide, again: Guide) -> bool:
    """Whether the message goes on with what was asked last: of another day, hour, professional, service or person; or
    to book one of the free times."""
    before = again.subject
    if before is None or guide.heard & errand_rules().errands:
        return before is not None and Errand.BOOK in guide.heard and Errand.SLOTS in before.heard
    when, names = guide.when(), guide.names()
    known = guide.professionals() or guide.services()
    others = set(names) - again._labels
    says_when = when.date or when.alternatives or when.time or when.time_from or when.time_to
    return bool(_LEAD.match(guide.text) and others) or (not others and bool(known or says_when))


def _to_open_question(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """The message answers what was asked, unless it is an errand of its own."""
    order, part = Order(**question["order"]), question["part"]
    if guide.is_only(Errand.YES) and not question["free"]:
        guide.turn.question = question
        return guide.lost(question["asked"])
    if guide.heard & errand_rules().errands and not question["free"] and Errand.ANYWAY not in guide.heard:
        return (yield from _answer(guide))
    if len(order.text) + len(guide.text) > MAX_MESSAGE:
        return (yield from _answer(guide))
    meant = replace(guide, order=order)
    meant = meant.knowing(OrderPart(part), guide.text) if part else meant.of(f"{order.text}\n{guide.text}")
    told = yield from _single(meant)
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
    if Errand.OTHER not in guide.heard and (guide.declines or guide.heard & errand_rules().errands):
        return (yield from _answer(guide))
    return guide.lost(guide.which(options))


def _to_what_was_shown(guide: Guide, question: Mapping[str, Any]) -> Steps[str]:
    """Neither yes nor no: another day or hour for it, another one of those it was chosen from or of those who are
    named, an errand of its own, or nothing that was understood, and then it is shown once more, so that nobody takes it
    for done."""
    before, errands = question["shown"], guide.heard & errand_rules().errands
    others = [
        Option(**option) for option in question.get("options", ()) if option["arguments"] != question.get("chosen")
    ]
    if others and Errand.OTHER in guide.heard:
        return (yield from _chosen(guide, others[0], others)) if len(others) == 1 else guide.which(others)
    if (anew := shown.corrected(guide, before)) is not None:
        return (yield from anew)
    if others and Errand.YES not in guide.heard and (option := chosen(guide, others)) is not None:
        return (yield from _chosen(guide, option, others))
    if "errand" in question and not errands and Errand.YES not in guide.heard:
        meant = guide.of(guide.text, errand=question["errand"]).knowing(OrderPart.TARGET, question["target"])
        told = yield from _tried(meant)
        if guide.turn.planned or "options" in (guide.turn.question or {}):
            return told
    if errands and (yes := _AND_ALSO.match(guide.text)):
        return (yield from _and_also(guide.alone(guide.text[yes.end() :].lstrip(" ,")), before))
    if guide.declines or (errands and not shown.only_repeats(guide, before)):
        told = yield from _answer(guide)
        if guide.declines or guide.turn.planned or guide.turn.question or errands - errand_rules().once_more:
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
        meant = guide.of("", errand=Errand.MOVE).knowing(OrderPart.APPOINTMENT, arguments["appointment_id"])
        return (yield from agenda.move(meant))
    yield from do(option.tool, **arguments)
    guide.turn.question = {"options": stored(options), "chosen": arguments}
    return ""

"""The errands about conversations and patients."""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from gendei.assistant.guided.guide import AND, PHONE, TARGET, Guide, Option, OrderPart, Steps, ask, do, lines, named
from gendei.assistant.guided.listing import agenda
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.dates import describe
from gendei.commands.command import Detail
from gendei.receptionist.guided.guided_turn import Result

READ, LOOKED_AT = 8, 50
_OF_SEVERAL = frozenset({"close_conversations", "assign_conversations"})
_COLON = re.compile(r":(?!\d)")
_SAYING = re.compile(r"(?:(?<!\s)\s+)?\b(?:(?:dizendo|falando|avisando)(?:\s+(?:que|q))?|que|q)\b[\s,]*", re.IGNORECASE)
_FEW = 2
"""Words that say too little to be a message."""
_MORNING = time(8)
"""Until then a conversation is put off where only a day is said."""
_ME, _NOBODY = frozenset({"mim", "eu", "me"}), frozenset({"ninguem"})


TOOLS: Mapping[Errand, str] = {
    Errand.TAKE_OVER: "take_over_conversation",
    Errand.HAND_BACK: "hand_back_conversation",
    Errand.WAKE: "snooze_conversation",
    Errand.SEE_TO_DANGER: "see_to_danger",
    Errand.READ: "read_conversation",
}


def waiting(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", state="waiting"))["conversations"]
    since = [{"name": _name(each), "when": _moment(guide, each["waitingSince"])} for each in found]
    told = lines(guide.say(Phrase.WAITING_SINCE, **each) for each in since)
    return guide.say(Phrase.WAITING, list=told) if found else guide.say(Phrase.WAITING_NONE)


def unread(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", unread=True))["conversations"]
    told = lines(f"{_name(conversation)}: {conversation['preview']}" for conversation in found)
    return guide.say(Phrase.UNREAD, list=told) if found else guide.say(Phrase.UNREAD_NONE)


def with_its_tool(guide: Guide) -> Steps[str]:
    """What is done with a conversation without another word."""
    return (yield from _with(guide, TOOLS[guide.rule.means if guide.rule else Errand.READ]))


def _written(guide: Guide) -> tuple[Guide, str]:
    """Whom something is written to, or of; and what, behind a colon."""
    whom, text = [*_COLON.split(guide.text, maxsplit=1), ""][:2]
    return guide.of(whom), (guide.told(OrderPart.TEXT) or text).strip()


def reply(guide: Guide) -> Steps[str]:
    """ "Responde para a Ana: pode vir", "avisa a Ana que o Dr. Rafael atrasou". What is told of the patient, and not to
    them ("que ela pode vir"), is asked for as they shall read it."""
    to, text = _written(guide)
    reported = not (text or ":" in guide.text)
    if reported:
        whom, text = [*_SAYING.split(guide.text, maxsplit=1), ""][:2]
        to, text = guide.of(whom), text.strip()
    if Errand.EVERYTHING in to.heard:
        return guide.say(Phrase.ALL_AT_ONCE)
    if not to.names():
        return to.knowing(OrderPart.TEXT, text).ask(Phrase.WHICH_CONVERSATION)
    if len([part for part in AND.split(to.after(Errand.REPLY)) if guide.names(part)]) > 1:
        return guide.say(Phrase.ONE_MESSAGE)
    about = guide.alone(text)
    if not text or (reported and (len(about.said) <= _FEW or Errand.ABOUT_THEM in about.heard)):
        return to.ask(Phrase.WHAT_TEXT, OrderPart.TEXT, free=True)
    return (yield from _with(to, "reply_to_conversation", text=text[0].upper() + text[1:] if reported else text))


def note(guide: Guide) -> Steps[str]:
    """ "Anota na conversa da Ana: prefere ligação"."""
    whom, text = _written(guide)
    return (
        (yield from _with(whom, "add_note", text=text))
        if text
        else guide.ask(Phrase.WHAT_NOTE, OrderPart.TEXT, free=True)
    )


def snooze(guide: Guide) -> Steps[str]:
    """ "Adia a conversa da Ana para amanhã"."""
    source, target = guide.split()
    when = guide.moment(target or source)
    if len(when.alternatives) > 1 or not (when.date or when.time):
        return guide.ask(Phrase.WHICH_MOMENT, OrderPart.TARGET)
    tomorrow = when.time is not None and when.time <= guide.now.time()
    day = when.date or guide.now.date() + timedelta(days=tomorrow)
    until = datetime.combine(day, when.time or _MORNING, guide.clinic.timezone)
    return (yield from _with(guide.of(source), "snooze_conversation", until=until.isoformat()))


def close(guide: Guide) -> Steps[str]:
    """ "Encerra as conversas da Ana e do João"."""
    return (yield from _with(guide, "close_conversations"))


def assign(guide: Guide) -> Steps[str]:
    """ "Passa as conversas da Ana e do João para o Rui"."""
    found = list(TARGET.finditer(guide.text))
    target = guide.told(OrderPart.TARGET) or (guide.text[found[-1].end() :] if found else "")
    whom = guide.text if guide.told(OrderPart.TARGET) or not found else guide.text[: found[-1].start()]
    to = guide.alone(TARGET.sub(" ", target))
    if not to.said:
        return guide.ask(Phrase.WHO_GETS_IT, OrderPart.TARGET)
    name = " ".join(to.names())
    whose = guide.turn.actor.user_id if _ME & set(to.said) else name or target.strip(" .!?")
    more = {} if name in _NOBODY else {"assigned_to": whose}
    return (yield from _with(guide.of(whom), "assign_conversations", **more))


def begin(guide: Guide) -> Steps[str]:
    """ "Começa uma conversa com a Ana: ...", or with a phone."""
    to, text = _written(guide)
    phone = PHONE.search(to.text)
    wanted = guide.names(PHONE.sub(" ", to.text))
    if not (phone or wanted):
        return to.knowing(OrderPart.TEXT, text).ask(Phrase.WHICH_PATIENT)
    if not text:
        return to.ask(Phrase.WHAT_TEXT, OrderPart.TEXT, free=True)
    if phone:
        named_so = {"patient_name": to.typed_name(wanted)} if wanted else {}
        return (yield from do("begin_conversation", contact=phone[0].strip(), text=text, **named_so))
    found = (yield from ask("search_patients", text=" ".join(wanted)[:100], limit=5))["patients"]
    if not found:
        return guide.say(Phrase.NO_PATIENT, words=" ".join(wanted))
    options = [
        Option(f"{_name(patient)}, {contact}", "begin_conversation", {"contact": contact, "text": text})
        for patient in found
        for contact in (patient["phone"] or patient["contact"],)
    ]
    return guide.which(options) if len(options) > 1 else (yield from do(options[0].tool, **options[0].arguments))


def _with(guide: Guide, tool: str, **more: Any) -> Steps[str]:
    """`tool` with the conversation of whom the message names, or with those of everybody whom it names, where it takes
    several; where it may be several people, which."""
    several = tool in _OF_SEVERAL
    meant: list[str] = []
    unclear: list[Result] = []
    for wanted in filter(None, map(guide.names, AND.split(guide.text)) if several else [guide.names()]):
        found = yield from _conversations(wanted)
        if not found:
            return guide.say(Phrase.NO_CONVERSATION, words=" ".join(wanted))
        if unclear and len(found) > 1:
            return guide.say(Phrase.ALL_AT_ONCE)
        unclear += found if len(found) > 1 else []
        meant += [found[0]["contact"]] if len(found) == 1 else []
    if not (meant or unclear):
        return (
            guide.say(Phrase.ALL_AT_ONCE) if Errand.EVERYTHING in guide.heard else guide.ask(Phrase.WHICH_CONVERSATION)
        )
    given = [
        ({"contacts": contacts} if several else {"contact": contacts[-1]}) | more
        for contacts in ([[*meant, conversation["contact"]] for conversation in unclear] or [meant])
    ]
    if unclear:
        return guide.which([Option(_label(each), tool, of) for each, of in zip(unclear, given, strict=True)])
    return (yield from with_conversation(guide, tool, given[0]))


def _label(conversation: Result) -> str:
    return f"{_name(conversation)}, {conversation['phone'] or conversation['contact']}"


def _conversations(wanted: list[str]) -> Steps[list[Result]]:
    """Those of who is called so; else those in which the words were said; else those of the name that comes nearest."""
    found: list[Result] = (yield from ask("list_conversations", search=" ".join(wanted)[:200], limit=LOOKED_AT))[
        "conversations"
    ]
    if own := [conversation for conversation in found if named(wanted, conversation["name"])]:
        return own
    if found:
        return found
    latest = (yield from ask("list_conversations", limit=LOOKED_AT))["conversations"]
    return [conversation for conversation in latest if named(wanted, conversation["name"])]


def with_conversation(guide: Guide, tool: str, arguments: Mapping[str, Any]) -> Steps[str]:
    """Read it, or put down what shall be done with it."""
    if tool != "read_conversation":
        return (yield from do(tool, **arguments))
    view = yield from ask(tool, limit=READ, **arguments)
    if not view["messages"]:
        return guide.say(Phrase.MESSAGES_NONE, name=_name(view))
    told = lines(_message(guide, message) for message in view["messages"])
    return guide.say(Phrase.MESSAGES, name=_name(view), list=told)


def find_patient(guide: Guide) -> Steps[str]:
    digits = "".join(char for char in guide.text if char.isdigit())
    wanted = digits if len(digits) >= 4 else " ".join(guide.names())
    if not wanted and Errand.AGENDA in guide.heard:
        return (yield from agenda(guide))
    if not wanted:
        return guide.ask(Phrase.WHICH_PATIENT)
    found = (yield from ask("search_patients", text=wanted[:100], limit=5))["patients"]
    if not found:
        return guide.say(Phrase.NO_PATIENT, words=wanted)
    return lines(f"{patient['name']}: {patient['phone'] or patient['contact']}" for patient in found)


def _name(conversation: Result) -> str:
    return str(conversation["name"] or conversation["phone"] or conversation["contact"])


def _message(guide: Guide, conversation: Result) -> str:
    who = conversation["name"] or guide.say(Phrase.PATIENT_BOT if conversation["who"] == "bot" else Detail.SOMEBODY)
    return f"{who}: {conversation['text']}"


def _moment(guide: Guide, moment: str | None) -> str:
    at = guide.clinic.local(datetime.fromisoformat(moment)) if moment else guide.now
    return describe(at, guide.now)

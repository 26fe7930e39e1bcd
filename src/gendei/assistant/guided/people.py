"""The errands about conversations and patients."""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

from gendei.assistant.guided.guide import AND, PHONE, TARGET, Guide, Option, Steps, ask, lines, named
from gendei.assistant.guided.listing import agenda
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.dates import describe
from gendei.commands.command import Detail
from gendei.receptionist.guided.guided_turn import Result

READ, LOOKED_AT = 8, 50
_COLON = re.compile(r":(?!\d)")
_SAYING = re.compile(r"(?:(?<!\s)\s+)?\b(?:(?:dizendo|falando|avisando)(?:\s+(?:que|q))?|que|q)\b[\s,]*", re.IGNORECASE)
_FEW = 2
"""Words that say too little to be a message."""
_OWN = (
    *(Errand.NOTE, Errand.TAKE_OVER, Errand.HAND_BACK, Errand.REPLY, Errand.READ, Errand.PATIENT, Errand.CONTACT),
    *(Errand.SNOOZE, Errand.WAKE, Errand.CLOSE, Errand.ASSIGN, Errand.BEGIN, Errand.SEE_TO_DANGER),
)
_MORNING = time(8)
"""Until then a conversation is put off where only a day is said."""
_ME, _NOBODY = frozenset({"mim", "eu", "me"}), frozenset({"ninguem"})


def waiting(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", state="waiting"))["conversations"]
    if not found:
        return guide.say(Phrase.WAITING_NONE)
    shown = [
        guide.say(Phrase.WAITING_SINCE, name=_name(conversation), when=_moment(guide, conversation["waitingSince"]))
        for conversation in found
    ]
    return guide.say(Phrase.WAITING, list=lines(shown))


def unread(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", unread=True))["conversations"]
    if not found:
        return guide.say(Phrase.UNREAD_NONE)
    return guide.say(
        Phrase.UNREAD, list=lines(f"{_name(conversation)}: {conversation['preview']}" for conversation in found)
    )


def take_over(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "take_over_conversation"))


def hand_back(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "hand_back_conversation"))


def reply(guide: Guide) -> Steps[str]:
    """ "Responde para a Ana: pode vir", "avisa a Ana que o Dr. Rafael atrasou". What is told of the patient, and not to
    them ("que ela pode vir"), is asked for as they shall read it."""
    parts = _COLON.split(guide.text, maxsplit=1)
    reported = len(parts) == 1
    whom, text = [*_SAYING.split(guide.text, maxsplit=1), ""][:2] if reported else parts
    to = replace(guide, text=whom)
    if Errand.EVERYTHING in to.heard:
        return guide.say(Phrase.ALL_AT_ONCE)
    if not guide.names(whom, *_OWN):
        return to.more(Phrase.WHICH_CONVERSATION, " ", f": {text.strip()}")
    if len([part for part in AND.split(to.after(Errand.REPLY)) if guide.names(part, *_OWN)]) > 1:
        return guide.say(Phrase.ONE_MESSAGE)
    about = replace(guide, text=text)
    if not text.strip() or (reported and (len(about.said) <= _FEW or Errand.ABOUT_THEM in about.heard)):
        return to.more(Phrase.WHAT_TEXT, ": ", free=True)
    text = text.strip()
    written = text[0].upper() + text[1:] if reported else text
    return (yield from _with_one(guide, whom, "reply_to_conversation", text=written))


def note(guide: Guide) -> Steps[str]:
    """ "Anota na conversa da Ana: prefere ligação"."""
    whom, text = [*_COLON.split(guide.text, maxsplit=1), ""][:2]
    if not text.strip():
        return guide.more(Phrase.WHAT_NOTE, ": ", free=True)
    return (yield from _with_one(guide, whom, "add_note", text=text.strip()))


def snooze(guide: Guide) -> Steps[str]:
    """ "Adia a conversa da Ana para amanhã"."""
    source, target = guide.split()
    when = guide.when(target or source)
    if len(when.alternatives) > 1 or not (when.date or when.time):
        return guide.more(Phrase.WHICH_MOMENT, " para ")
    tomorrow = when.time is not None and when.time <= guide.now.time()
    day = when.date or guide.now.date() + timedelta(days=tomorrow)
    until = datetime.combine(day, when.time or _MORNING, guide.clinic.timezone)
    return (yield from _with_one(guide, source, "snooze_conversation", until=until.isoformat()))


def wake(guide: Guide) -> Steps[str]:
    """Back in the list now."""
    return (yield from _with_one(guide, guide.text, "snooze_conversation"))


def see_to_danger(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "see_to_danger"))


def close(guide: Guide) -> Steps[str]:
    """ "Encerra as conversas da Ana e do João"."""
    return (yield from _with_several(guide, guide.text, "close_conversations"))


def assign(guide: Guide) -> Steps[str]:
    """ "Passa as conversas da Ana e do João para o Rui"."""
    found = list(TARGET.finditer(guide.text))
    to = replace(guide, text=guide.text[found[-1].end() :]) if found else None
    if to is None or not to.said:
        return guide.more(Phrase.WHO_GETS_IT, " para ")
    name = " ".join(to.names(to.text))
    whose = guide.turn.actor.user_id if _ME & set(to.said) else name or to.text.strip(" .!?")
    more = {} if name in _NOBODY else {"assigned_to": whose}
    return (yield from _with_several(guide, guide.text[: found[-1].start()], "assign_conversations", **more))


def begin(guide: Guide) -> Steps[str]:
    """ "Começa uma conversa com a Ana: ...", or with a phone."""
    whom, text = [*_COLON.split(guide.text, maxsplit=1), ""][:2]
    phone = PHONE.search(whom)
    wanted = guide.names(PHONE.sub(" ", whom), *_OWN)
    to = replace(guide, text=whom)
    if not (phone or wanted):
        return to.more(Phrase.WHICH_PATIENT, " ", f": {text.strip()}")
    if not text.strip():
        return to.more(Phrase.WHAT_TEXT, ": ", free=True)
    more = {"text": text.strip()}
    if phone:
        named_so = {"patient_name": to.typed_name(wanted)} if wanted else {}
        yield from ask("begin_conversation", contact=phone[0].strip(), **more, **named_so)
        return ""
    found = (yield from ask("search_patients", text=" ".join(wanted)[:100], limit=5))["patients"]
    if not found:
        return guide.say(Phrase.NO_PATIENT, words=" ".join(wanted))
    options = [
        Option(f"{_name(patient)}, {contact}", "begin_conversation", {"contact": contact, **more})
        for patient in found
        for contact in (patient["phone"] or patient["contact"],)
    ]
    if len(options) > 1:
        return guide.which(options)
    yield from ask(options[0].tool, **options[0].arguments)
    return ""


def read(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "read_conversation"))


def _with_one(guide: Guide, whom: str, tool: str, **more: str) -> Steps[str]:
    """`tool` with the conversation of the patient that `whom` names; of several, which."""
    wanted = guide.names(whom, *_OWN, Errand.EVERYTHING)
    if not wanted and Errand.EVERYTHING in guide.heard:
        return guide.say(Phrase.ALL_AT_ONCE)
    if not wanted:
        return guide.more(Phrase.WHICH_CONVERSATION)
    found = yield from _conversations(wanted)
    if not found:
        return guide.say(Phrase.NO_CONVERSATION, words=" ".join(wanted))
    if len(found) > 1:
        return guide.which(
            [Option(_label(conversation), tool, {"contact": conversation["contact"], **more}) for conversation in found]
        )
    return (yield from with_conversation(guide, tool, {"contact": found[0]["contact"], **more}))


def _with_several(guide: Guide, whom: str, tool: str, **more: Any) -> Steps[str]:
    """`tool` with the conversations of everybody whom `whom` names; where it may be several people, which."""
    meant: list[list[Result]] = []
    unclear: list[list[Result]] = []
    for wanted in filter(None, (guide.names(part, *_OWN, Errand.EVERYTHING) for part in AND.split(whom))):
        found = yield from _conversations(wanted)
        if not found:
            return guide.say(Phrase.NO_CONVERSATION, words=" ".join(wanted))
        (unclear if len(found) > 1 else meant).append(found)
    if len(unclear) > 1 or (Errand.EVERYTHING in guide.heard and not meant):
        return guide.say(Phrase.ALL_AT_ONCE)
    if not (meant or unclear):
        return guide.more(Phrase.WHICH_CONVERSATION)
    contacts = [found[0]["contact"] for found in meant]
    if unclear:
        return guide.which(
            [
                Option(_label(conversation), tool, {"contacts": [*contacts, conversation["contact"]], **more})
                for conversation in unclear[0]
            ]
        )
    yield from ask(tool, contacts=contacts, **more)
    return ""


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


def with_conversation(guide: Guide, tool: str, arguments: dict[str, str]) -> Steps[str]:
    """Read it, or put down what shall be done with it."""
    if tool != "read_conversation":
        yield from ask(tool, **arguments)
        return ""
    view = yield from ask(tool, limit=READ, **arguments)
    if not view["messages"]:
        return guide.say(Phrase.MESSAGES_NONE, name=_name(view))
    return guide.say(
        Phrase.MESSAGES, name=_name(view), list=lines(_message(guide, message) for message in view["messages"])
    )


def find_patient(guide: Guide) -> Steps[str]:
    digits = "".join(char for char in guide.text if char.isdigit())
    wanted = digits if len(digits) >= 4 else " ".join(guide.names(guide.text, *_OWN))
    if not wanted and Errand.AGENDA in guide.heard:
        return (yield from agenda(guide))
    if not wanted:
        return guide.more(Phrase.WHICH_PATIENT)
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

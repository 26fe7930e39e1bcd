"""The errands about conversations and patients."""

import re
from dataclasses import replace
from datetime import datetime

from gendei.assistant.guided.guide import AND, Guide, Option, Steps, ask, lines, named
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
_OWN = (Errand.NOTE, Errand.TAKE_OVER, Errand.HAND_BACK, Errand.REPLY, Errand.READ, Errand.PATIENT, Errand.CONTACT)


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
            [
                Option(
                    f"{_name(conversation)}, {conversation['phone'] or conversation['contact']}",
                    tool,
                    {"contact": conversation["contact"], **more},
                )
                for conversation in found
            ]
        )
    return (yield from with_conversation(guide, tool, {"contact": found[0]["contact"], **more}))


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

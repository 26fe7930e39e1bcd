"""The errands about conversations and patients."""

import re
from datetime import datetime

from gendei.assistant.guided.agenda import agenda
from gendei.assistant.guided.guide import Guide, Steps, ask, lines
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.dates import describe
from gendei.receptionist.guided.actions import Result

READ = 8
_THAT = re.compile(r"\bque\b", re.IGNORECASE)
_OWN = (Errand.TAKE_OVER, Errand.HAND_BACK, Errand.REPLY, Errand.READ, Errand.PATIENT)


def waiting(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", state="waiting"))["conversations"]
    if not found:
        return guide.say(Phrase.WAITING_NONE)
    shown = [
        guide.say(Phrase.WAITING_SINCE, name=_name(one), when=_moment(guide, one["waitingSince"])) for one in found
    ]
    return guide.say(Phrase.WAITING, list=lines(shown))


def unread(guide: Guide) -> Steps[str]:
    found = (yield from ask("list_conversations", unread=True))["conversations"]
    if not found:
        return guide.say(Phrase.UNREAD_NONE)
    return guide.say(Phrase.UNREAD, list=lines(f"{_name(one)}: {one['preview']}" for one in found))


def take_over(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "take_over_conversation"))


def hand_back(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "hand_back_conversation"))


def reply(guide: Guide) -> Steps[str]:
    whom, colon, text = guide.text.partition(":")
    if not colon or not text.strip():
        return guide.more(Phrase.WHAT_TEXT, "" if colon else ": ")
    return (yield from _with_one(guide, _THAT.split(whom)[0], "reply_to_conversation", text=text.strip()))


def read(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, guide.text, "read_conversation"))


def _with_one(guide: Guide, whom: str, tool: str, **more: str) -> Steps[str]:
    """`tool` with the conversation of the patient that `whom` names; of several, which."""
    wanted = guide.names(whom, *_OWN)
    if not wanted:
        return guide.more(Phrase.WHICH_CONVERSATION)
    found = (yield from ask("list_conversations", search=" ".join(wanted)[:200]))["conversations"]
    if not found:
        return guide.say(Phrase.NO_CONVERSATION, words=" ".join(wanted))
    own = [one for one in found if all(word in (one["name"] or "").lower() for word in wanted)]
    found = own if len(own) == 1 else found
    if len(found) > 1:
        options = [(f"{_name(one)}, {one['phone'] or one['contact']}", tool, one["contact"]) for one in found]
        return guide.which([(label, tool, {"contact": contact, **more}) for label, tool, contact in options])
    return (yield from with_conversation(guide, tool, {"contact": found[0]["contact"], **more}))


def with_conversation(guide: Guide, tool: str, arguments: dict[str, str]) -> Steps[str]:
    """Read it, or put down what shall be done with it."""
    if tool != "read_conversation":
        yield from ask(tool, **arguments)
        return ""
    view = yield from ask(tool, limit=READ, **arguments)
    return guide.say(Phrase.MESSAGES, name=_name(view), list=lines(_message(guide, one) for one in view["messages"]))


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
    return lines(f"{one['name']}: {one['phone'] or one['contact']}" for one in found)


def _name(one: Result) -> str:
    return str(one["name"] or one["phone"] or one["contact"])


def _message(guide: Guide, one: Result) -> str:
    who = one["name"] or guide.say(Phrase.PATIENT_BOT if one["who"] == "bot" else Phrase.SOMEBODY)
    return f"{who}: {one['text']}"


def _moment(guide: Guide, moment: str | None) -> str:
    at = guide.clinic.local(datetime.fromisoformat(moment)) if moment else guide.now
    return describe(at, guide.now)

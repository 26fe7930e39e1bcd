"""The answer of a language model in strict mode: what our own code says of what the model did, and of the model's own
words only those that state nothing, before it and behind it."""

from gendei.messages.replies import Reply
from gendei.receptionist.guided.information import asks_about_clinic
from gendei.receptionist.offers.choices import Action, Kind, choice, parse_choice
from gendei.receptionist.offers.headings import above
from gendei.receptionist.offers.rendering import appointment_line
from gendei.receptionist.offers.slot_options import Menu
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.strict_turn import StrictTurn
from gendei.receptionist.tools.messaging import show_choices
from gendei.receptionist.tools.telling import answer_about

MOST_LISTED = 5
"""Appointments that are shown with what can be done about each."""
_WISHES = ("another", "also", "book", "cancel", "changes", "late", "move", "other_day", "other_time", "appointments")


async def settled(runtime: Runtime, strict: StrictTurn, text: str) -> str:
    """Put the replies in order: what may be read of the model's own, then ours. `text`: its last words. Returns the
    question that is left to ask, "" for none."""
    own = [reply for reply in runtime.unrendered if not reply.options]
    shown = [reply for reply in runtime.replies if reply not in own]
    kept = [strict.kept(said) for said in (*(reply.text for reply in own), text)]
    led = list(dict.fromkeys(sentence for each in kept for sentence in each.statements))
    asked = list(dict.fromkeys(sentence for each in kept for sentence in each.questions))
    runtime.replies = shown
    if not runtime.changes:
        await _complete(runtime, strict, asks=bool(asked))
    if runtime.takeover_reason and not runtime.replies:
        runtime.tell_own(Reply(runtime.say("handover_started")))
    if not runtime.replies:
        return "" if runtime.changes else " ".join([*led, *asked])
    ours = "\n".join(reply.text for reply in runtime.replies)
    led = [sentence for sentence in led if sentence not in ours]
    if led and not runtime.changes:
        runtime.replies.insert(0, Reply(" ".join(led)))
    ours_ask = any(reply.options or reply.text.rstrip().endswith("?") for reply in runtime.replies)
    return "" if ours_ask or runtime.takeover_reason else " ".join(asked)


def says_enough(runtime: Runtime, text: str) -> bool:
    """Whether the patient gets what they wrote for: something of ours, or a question where they wish something; what is
    no wish and no question takes a kind word."""
    if runtime.rendered or runtime.changes or runtime.takeover_reason:
        return True
    said, heard = [*(reply.text for reply in runtime.replies), text], runtime.heard
    asks = any("?" in each for each in said) or any(reply.options for reply in runtime.replies)
    if heard is None or not any(each.strip() for each in said) or asks_about_clinic(heard):
        return False
    if heard.wants("robot"):
        return True  # what it is is said in any case
    wishes = heard.wants(*_WISHES) or heard.has_booking_facts or asks_something(runtime)
    return asks or not wishes


def asks_something(runtime: Runtime) -> bool:
    """Whether the patient asked anything, so that a yes would be an answer."""
    clinic = runtime.heard is not None and asks_about_clinic(runtime.heard)
    return clinic or any("?" in message.text for message in runtime.inputs)


async def _complete(runtime: Runtime, strict: StrictTurn, *, asks: bool) -> None:
    """Say what the model looked up and what it was asked, where nothing of ours says it yet. asks: the model asks what
    the patient wishes."""
    heard = runtime.heard
    told = bool(runtime.rendered)
    if heard and asks_about_clinic(heard) and not strict.answered and (strict.lost or not told):
        runtime.tell_own_first(await answer_about(runtime, heard))
        told = True
    if runtime.takeover_reason or any(reply.options for reply in runtime.replies):
        return
    if strict.times or strict.why:
        _show_search(runtime, strict)
    elif strict.rows is not None and not told and (not asks or (heard is not None and heard.wants("appointments"))):
        _show_appointments(runtime, strict.rows)


def _show_search(runtime: Runtime, strict: StrictTurn) -> None:
    ids = Menu.ids_of(strict.times or {})
    label = (strict.times or {}).get("button_text")
    if ids:
        chosen = [each for id_ in ids if (each := parse_choice(id_))]
        show_choices(runtime, above(chosen, runtime), ids, label)
    else:
        runtime.tell_own(Reply(strict.why))


def _show_appointments(runtime: Runtime, ids: list[str]) -> None:
    found = [runtime.seen[id_] for id_ in ids if id_ in runtime.seen]
    if not found:
        others = [choice(Kind.ACTION, Action.BOOK), choice(Kind.ACTION, Action.PERSON)]
        show_choices(runtime, runtime.say("no_appointments"), others)
        return
    lines = "\n".join(appointment_line(appointment, runtime) for appointment in found)
    choices = [choice(kind, row.id) for kind in (Kind.MOVE, Kind.CANCEL) for row in found[:MOST_LISTED]]
    text = f"{runtime.say('your_appointments')}\n\n{lines}"
    show_choices(runtime, text, choices, runtime.say("list_label_appointments"))

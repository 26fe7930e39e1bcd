"""What is said of the clinic's people: when they answer, and what of theirs is still open."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from gendei.booking.dates import describe
from gendei.booking.dates.rendering import clock
from gendei.booking.opening import answering_hours
from gendei.clinic import Clinic
from gendei.messages.limits import MAX_BUTTON_BODY, MAX_LIST_BODY, units
from gendei.messages.replies import Reply
from gendei.messages.turns import Danger
from gendei.receptionist.runtime import Runtime

ALARM_TURNS = 3
"""So many questions after an alarm begin with whom to call."""


def when_answered(clinic: Clinic, now: datetime, say: Callable[..., str]) -> str:
    """When who asks now is answered, by the opening hours. `say`: gives a phrase; `now`: in the clinic's zone."""
    opening = answering_hours(clinic, now)
    if opening is None:
        return say("when_soon")
    start, end = opening
    if start <= now:
        return say("when_open", time=clock(end.time()))
    if start.date() == now.date():
        return say("when_today", time=clock(start.time()))
    day = describe(start.date(), now)
    if (start.date() - now.date()).days > 1:
        day = f"{'na' if '-feira' in day else 'no'} {day}"
    return say("when_later", weekday_date=day, time=clock(start.time()))


def reassured(runtime: Runtime) -> list[Reply]:
    """The turn's replies, with a word that somebody of the team will answer, where somebody is awaited and nothing is
    asked that waits for an answer. Small talk does without where the last message said so."""
    state, called, when = runtime.state, runtime.takeover_reason is not None, runtime.words["answered"]
    *before, last = runtime.replies
    asks = state.in_progress or state.in_doubt is not None or last.text.rstrip().endswith("?")
    said = runtime.reassures or runtime.urgent or any(when in reply.text for reply in runtime.replies)
    if asks and not said and _alarm_stands(runtime):
        state.alarm_repeated += 1
        return [Reply(runtime.reassure(f"{state.alarmed}_again")), *runtime.replies]
    if said or not (called or (runtime.awaited and not asks)):
        return runtime.replies
    is_small_talk = runtime.agent == "greeter" and not runtime.steps
    if not called and is_small_talk and any(when in text for text in runtime.said[-1:]):
        return runtime.replies
    again = f"{state.alarmed}_again" if state.alarmed else "awaited_note"
    note = runtime.say("called_note") if called else runtime.reassure(again)
    longer = replace(last, text=f"{last.text}\n\n{note}")
    return [*before, longer] if not last.pin and units(longer.text) <= _room(last) else [*before, last, Reply(note)]


def _alarm_stands(runtime: Runtime) -> bool:
    """Whether a person was called for somebody in danger a few turns ago, and nobody has answered yet: whom to call is
    said again before anything of a booking."""
    if runtime.awaited is None or runtime.takeover_reason is not None or runtime.danger is not Danger.NONE:
        return False
    return runtime.state.alarmed is not None and runtime.state.alarm_repeated < ALARM_TURNS


def _room(reply: Reply) -> int:
    if reply.is_list or not (reply.options or reply.link):
        return MAX_LIST_BODY
    return MAX_BUTTON_BODY


def thread(runtime: Runtime) -> str:
    """What of the clinic's people, and of an earlier session, a model has to know; "" for nothing."""
    told = []
    if runtime.awaited is not None:
        since = describe(runtime.clinic.local(runtime.awaited.since), runtime.now)
        told.append(runtime.say("thread_awaited", since=since))
    elif runtime.before is not None:
        until = describe(runtime.clinic.local(runtime.before.until), runtime.now)
        told.append(runtime.say("thread_open" if runtime.before.is_open else "thread_before", since=until))
    if runtime.state.recap:
        told.append(runtime.say("thread_recap", lines=runtime.state.recap))
    return "\n".join(told)

"""The errands about tasks."""

import re

from gendei.assistant.guided.agenda import days_text, iso_days
from gendei.assistant.guided.guide import Guide, Refused, Steps, ask, lines, without
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.appointment import AppointmentStatus
from gendei.booking.dates import describe
from gendei.receptionist.guided.actions import Call

SHOWN = 10
_LEADING = re.compile(r"^(?:(?:de|que|para|pra|uma?|as?|os?|d[aoe]s?|tarefas?|lembretes?)\b[\s:,]*)+", re.IGNORECASE)
_TRAILING = re.compile(r"(?:[\s,;:.!?]|\b(?:na|no|em|at[eé]|para|pra|[àa]s?)\b)*$", re.IGNORECASE)


def list_tasks(guide: Guide) -> Steps[str]:
    found = yield from ask("list_tasks", status="pending")
    if not found["tasks"]:
        return guide.say(Phrase.TASKS_NONE)
    shown = [
        f"{one['title']}{guide.say(Phrase.DETAIL_DUE, due=one['due']) if one['due'] else ''}"
        f"{guide.say(Phrase.OVERDUE) if one['overdue'] else ''}"
        for one in found["tasks"][:SHOWN]
    ]
    if found["pending"] > len(shown):
        shown.append(guide.say(Phrase.MORE, count=str(found["pending"] - len(shown))))
    return guide.say(Phrase.TASKS, count=str(found["pending"]), list=lines(shown))


def add_task(guide: Guide) -> Steps[str]:
    if Errand.NO_SHOWS in guide.heard:
        return (yield from _call_no_shows(guide))
    wanted = _LEADING.sub("", guide.after(Errand.ADD_TASK))
    when = guide.when(wanted)
    due = " ".join(wanted[start:end] for start, end in when.spans) if when.date or when.time else ""
    title = _TRAILING.sub("", without(wanted, when.spans) if due else wanted)
    title = " ".join(title.split())
    if not title or title == guide.text:
        return guide.more(Phrase.WHAT_TASK)
    title = title[0].upper() + title[1:]
    if len(when.alternatives) > 1 and not when.end_date:
        days = [(describe(day, guide.now), f"{day:%d/%m/%Y}") for day in when.alternatives]
        hour = f" às {when.time:%H:%M}" if when.time else ""
        return guide.which([(name, "add_task", {"title": title, "due": f"{day}{hour}"}) for name, day in days])
    yield from ask("add_task", title=title, due=due)
    return ""


def _call_no_shows(guide: Guide) -> Steps[str]:
    """A task for each patient who did not come."""
    when = guide.when()
    found = yield from ask("list_appointments", days=iso_days(guide, when), status=str(AppointmentStatus.NO_SHOW))
    if not found["appointments"]:
        return guide.say(Phrase.NO_SHOWS_NONE, days=days_text(guide, when))
    for one in found["appointments"]:
        day = f"{one['start'][8:10]}/{one['start'][5:7]}"
        title = guide.say(Phrase.CALL_NO_SHOW, patient=one["patient"], day=day)
        yield from ask("add_task", title=title, patient_id=one["patientId"])
    return ""


def complete_task(guide: Guide) -> Steps[str]:
    return (yield from _one(guide, "complete_task", guide.after(Errand.COMPLETE_TASK)))


def delete_task(guide: Guide) -> Steps[str]:
    return (yield from _one(guide, "delete_task", guide.after(Errand.DELETE_TASK)))


def update_task(guide: Guide) -> Steps[str]:
    """Another due date."""
    before, due = guide.split()
    if not due:
        return guide.more(Phrase.WHICH_MOMENT, " para ")
    said = Guide(guide.sitting, guide.clinic, guide.now, before)
    return (yield from _one(guide, "update_task", said.after(Errand.UPDATE_TASK), due=due.strip(" ?.!")))


def _one(guide: Guide, tool: str, title: str, **more: str) -> Steps[str]:
    """`tool` with the task that `title` names; of several, which."""
    wanted = _TRAILING.sub("", _LEADING.sub("", title))
    if not wanted:
        return guide.more(Phrase.WHICH_TASK)
    result = yield Call(tool, {"task": wanted[:200], **more})
    if several := result.get("candidates"):
        return guide.which([(one["title"], tool, {"task": one["id"], **more}) for one in several])
    if "error" in result:
        raise Refused(result)
    return ""

"""The errands about tasks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from gendei.assistant.guided.days import behind, days_text, iso_days, iso_due
from gendei.assistant.guided.guide import AND, TARGET, Guide, Option, OrderPart, Refused, Steps, ask, do, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.appointment import AppointmentStatus
from gendei.booking.dates import Resolution, describe
from gendei.commands.command import Detail
from gendei.receptionist.guided.guided_turn import Call, Result
from gendei.staff.tasks.listed import MOST_PENDING

SHOWN = 10
_LEADING = re.compile(
    r"^(?:(?:de|que|para|pra|pro|uma?|as?|os?|d[aoe]s?|a[ií]|q|tarefas?|lembretes?|to|the|my|tasks?)\b[\s:,]*)+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:n[uú]mero\s*|n[º°.]\s*)?(\d{1,3})", re.IGNORECASE)
_WITH = re.compile(r"^(?:pr[oa]|para(?:\s+[oa])?|p)\s+(?P<who>[^:]{2,60}):\s*(?P<what>.+)$", re.IGNORECASE | re.DOTALL)
_PERSONAL = re.compile(
    r"(?<=tarefa)\s+(?:s[oó] minha|pessoal|particular|privada)\b|(?<=lembrete)\s+(?:s[oó] meu|pessoal|particular)\b|"
    r"[\s,]*\b(?:s[oó] (?:para|pra|p) mim|(?:just|only) for me|que s[oó] eu vejo)\b|"
    r"\s+(?:private|personal)\b(?=\s+(?:task|reminder))",
    re.IGNORECASE,
)
"""Words that make a task a personal one. "Uma tarefa para o pessoal da limpeza" is none."""
_COURTESY = re.compile(
    r"(?<![\s,])[\s,]*\b(?:agora|j[aá]|por favor|pfv|pf|please|tasks?|(?:as )?(?:done|completed))[\s.!]*$",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:[\s,;:.!?]|\b(?:na|no|em|at[eé]|para|pra|[àa]s?)\b)$", re.IGNORECASE)
"""One mark or word that says nothing at the end of a title."""
_LONGEST_TRAILING = 4


CHANGES: Mapping[Errand, tuple[str, dict[str, Any]]] = {
    Errand.COMPLETE_TASK: ("complete_task", {}),
    Errand.REOPEN_TASK: ("complete_task", {"done": False}),
    Errand.DELETE_TASK: ("delete_task", {}),
}


def list_tasks(guide: Guide) -> Steps[str]:
    found = yield from ask("list_tasks", status="pending", limit=MOST_PENDING)
    when, wanted, personal = guide.when(), guide.names(around="tasks"), Errand.PERSONAL in guide.heard
    seen = [task for task in found["tasks"] if not personal or task.get("personal")]
    meant = [task for task in seen if _is_meant(task, when, wanted)]
    if (when.date or wanted or personal) and (meant or not wanted):
        return _listed(guide, meant, len(meant), Phrase.TASKS, Phrase.TASKS_ONE, Phrase.TASKS_NONE_THEN)
    everything = _listed(guide, found["tasks"], found["pending"], Phrase.TASKS, Phrase.TASKS_ONE, Phrase.TASKS_NONE)
    if wanted:
        return f"{guide.say(Phrase.TASKS_NONE_SUCH, words=' '.join(wanted))}\n{everything}"
    if Errand.OVERDUE in guide.heard:
        late = [task for task in found["tasks"] if task["overdue"]]
        return _listed(
            guide, late, found["overdue"], Phrase.TASKS_OVERDUE, Phrase.TASKS_OVERDUE_ONE, Phrase.TASKS_OVERDUE_NONE
        )
    return everything


def _is_meant(task: Result, when: Resolution, wanted: Sequence[str]) -> bool:
    """Whether it is due by the day that is said, and is about, or with, whom the message names."""
    last = when.end_date or when.date
    by_then = last is None or ("dueDate" in task and date.fromisoformat(task["dueDate"]) <= last)
    return by_then and named(wanted, task["title"], task.get("assignedTo"))


def list_done(guide: Guide) -> Steps[str]:
    found = yield from ask("list_tasks", status="completed")
    return _listed(
        guide, found["tasks"], found["completed"], Phrase.TASKS_DONE, Phrase.TASKS_DONE_ONE, Phrase.TASKS_DONE_NONE
    )


def _listed(guide: Guide, tasks: list[Result], count: int, some: Phrase, single: Phrase, none: Phrase) -> str:
    """The first of `count` tasks."""
    if not tasks:
        return guide.say(none)
    shown = [
        f"{task['title']}{guide.say(Detail.DUE, due=task['due']) if 'due' in task else ''}"
        f"{guide.say(Phrase.OVERDUE) if task['overdue'] else ''}"
        f"{guide.say(Phrase.PERSONAL) if task.get('personal') else ''}"
        for task in tasks[:SHOWN]
    ]
    numbered = lines((f"{place}. {task}" for place, task in enumerate(shown, 1)), "")
    if count > len(shown):
        numbered += "\n" + guide.say(Phrase.MORE, count=str(count - len(shown)))
    return guide.say(single if count == 1 else some, count=str(count), list=numbered)


def add_task(guide: Guide) -> Steps[str]:
    if Errand.NO_SHOWS in guide.heard:
        return (yield from _call_no_shows(guide))
    if title := guide.told(OrderPart.TEXT):
        return (yield from _add(guide, title))
    if _PERSONAL.search(guide.text):
        wanted = guide.of(_PERSONAL.sub("", guide.text, count=1)).after(Errand.ADD_TASK)
        return (yield from _add(guide, _LEADING.sub("", wanted), personal=True))
    wanted = guide.after(Errand.ADD_TASK)
    if given := _WITH.match(wanted):
        return (yield from _add(guide, given["what"], assigned_to=given["who"].strip()))
    return (yield from _add(guide, _LEADING.sub("", wanted)))


def _add(guide: Guide, wanted: str, **more: Any) -> Steps[str]:
    when = guide.when(wanted)
    due = " ".join(wanted[start:end] for start, end in when.spans) if when.date or when.time else ""
    title = _untrailed(when.blanked(wanted) if due else wanted)
    title = _LEADING.sub("", " ".join(title.split()))
    if not title or title == guide.text or not guide.names(title, "tasks"):
        return guide.ask(Phrase.WHAT_TASK, OrderPart.TEXT, free=True)
    title = title[0].upper() + title[1:]
    if len(when.alternatives) > 1 and not when.end_date:
        dues = [(day, iso_due(replace(when, date=day))) for day in when.alternatives]
        return guide.which(
            [Option(describe(day, guide.now), "add_task", {"title": title, "due": due, **more}) for day, due in dues]
        )
    result = yield Call("add_task", {"title": title, "due": due, **more})
    if result.get("error") == "which_colleague":
        return (yield from _add(guide, _LEADING.sub("", guide.after(Errand.ADD_TASK))))
    if "error" in result:
        raise Refused(result)
    return ""


def _untrailed(text: str) -> str:
    """`text` without what says nothing at its end."""
    end = len(text)
    while found := _TRAILING.search(text, max(0, end - _LONGEST_TRAILING), end):
        end = found.start()
    return text[:end]


def _call_no_shows(guide: Guide) -> Steps[str]:
    """A task for each patient who did not come."""
    when = behind(guide)
    found = yield from ask("list_appointments", days=iso_days(guide, when), status=str(AppointmentStatus.NO_SHOW))
    if not found["appointments"]:
        return guide.say(Phrase.NO_SHOWS_NONE, days=days_text(guide, when))
    for appointment in found["appointments"]:
        day = f"{appointment['start'][8:10]}/{appointment['start'][5:7]}"
        title = guide.say(Phrase.CALL_NO_SHOW, patient=appointment["patient"], day=day)
        result = yield Call("add_task", {"title": title, "patient_id": appointment["patientId"]})
        if result.get("error") == "too_many":
            break  # which is said with those that are shown
        if "error" in result:
            raise Refused(result)
    return ""


def change(guide: Guide) -> Steps[str]:
    """Complete, take up again or delete the one that is named."""
    errand = guide.rule.means if guide.rule else Errand.COMPLETE_TASK
    tool, more = CHANGES[errand]
    return (yield from _one(guide, tool, guide.after(errand), **more))


def update_task(guide: Guide) -> Steps[str]:
    """Another due date, or somebody else's."""
    before, target = guide.split()
    when, which = guide.moment(target), guide.of(before).after(Errand.UPDATE_TASK)
    if when.date or when.time:
        return (yield from _one(guide, "update_task", which, due=target.strip(" ?.!")))
    which, whom = (which, target) if target else _parted(which, -1)
    if not whom:
        return guide.ask(Phrase.WHICH_MOMENT, OrderPart.TARGET)
    return (yield from _one(guide, "update_task", which, assigned_to=_LEADING.sub("", whom.strip(" ?.!"))))


def rename_task(guide: Guide) -> Steps[str]:
    which, title = _parted(guide.after(Errand.RENAME_TASK), 0)
    title = guide.told(OrderPart.TEXT) or title
    if not title.strip():
        return guide.ask(Phrase.WHICH_TITLE, OrderPart.TEXT, free=True)
    return (yield from _one(guide, "update_task", which, title=title.strip(" “”\"'")))


def _without_courtesy(text: str) -> str:
    """ "The groceries task as done, please": what is behind the title goes, a word after the other."""
    while (left := _COURTESY.sub("", text)) != text:
        text = left
    return text


def _numbered(guide: Guide, tool: str, number: int, refusal: Result, **more: Any) -> Steps[str]:
    """`tool` with the task of this number in the list as it is shown. Raises Refused."""
    status = "completed" if more.get("done") is False else "pending"
    found = (yield from ask("list_tasks", status=status, limit=MOST_PENDING))["tasks"]
    if not 0 < number <= len(found):
        raise Refused(refusal)
    return (yield from do(tool, task=found[number - 1]["id"], **more))


def _each(guide: Guide, tool: str, wanted: Sequence[str], **more: Any) -> Steps[str]:
    """ "Conclui luvas e laudo": each of them; none, where one of them is not clear."""
    for title in wanted:
        result = yield Call(tool, {"task": _LEADING.sub("", title)[:200], **more})
        if "error" in result:
            guide.turn.planned.clear()
            raise Refused(result)
    return ""


def _parted(text: str, place: int) -> tuple[str, str]:
    """`text` before and behind its first (0) or last (-1) "para"; all of it and "" without one."""
    found = list(TARGET.finditer(text))
    return (text[: found[place].start()], text[found[place].end() :]) if found else (text, "")


def _one(guide: Guide, tool: str, which: str, **more: Any) -> Steps[str]:
    """`tool` with the task that `which` names; of several, which."""
    wanted = _untrailed(_without_courtesy(_LEADING.sub("", which)))
    if not wanted:
        return guide.ask(Phrase.WHICH_TASK)
    result = yield Call(tool, {"task": wanted[:200], **more})
    if result.get("error") == "none_found" and (number := _NUMBER.fullmatch(wanted)):
        return (yield from _numbered(guide, tool, int(number[1]), result, **more))
    if result.get("error") == "none_found" and len(each := AND.split(wanted)) > 1 and not more.keys() - {"done"}:
        return (yield from _each(guide, tool, each, **more))
    if several := result.get("candidates"):
        return guide.which([Option(task["title"], tool, {"task": task["id"], **more}) for task in several])
    if "error" in result:
        raise Refused(result)
    return ""

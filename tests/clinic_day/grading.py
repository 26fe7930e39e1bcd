"""What must hold of a clinic's day. Each rule answers with a sentence for everything that is wrong."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from tests.clinic_day.transcript import By, Day, Line, Visit

from gendei.evaluation.reading import folded, moment

PROMPTLY = timedelta(minutes=1)
"""Until when the bot has answered."""
_PROMISES = re.compile(
    r"chamei alguem|avisei (a|nossa|a nossa) equipe|contei a equipe|quem resolve e a equipe"
    r"|equipe (vai|envia|manda|informa|retorna|responde|liga|entra em contato)|alguem da (nossa )?equipe"
)
_BOOKED, _MOVED, _CANCELLED = "esta confirmad", "foi remarcad", "foi cancelad"


def nobody_is_unanswered(day: Day) -> list[str]:
    """The bot has answered at once; while a person has the conversation, a person has answered since, or a task says
    that it is still to be done."""
    return [
        f"{contact} wrote at {line.at:%d %H:%M} and got no answer"
        for contact, lines in day.talks()
        for place, line in enumerate(lines)
        if line.by is By.PATIENT and not _is_answered(day, line, lines[place + 1 :])
    ]


def _is_answered(day: Day, line: Line, later: list[Line]) -> bool:
    if line.with_person:
        return any(each.by is not By.PATIENT for each in later) or line.contact in day.tasks_about
    return any(each.by is not By.PATIENT and each.at - line.at <= PROMPTLY for each in later)


def nobody_is_silenced(day: Day) -> list[str]:
    """At the end of the day everybody gets an answer, but for whom a person of the team has the conversation of."""
    taken = {conversation.contact: conversation.taken_by for conversation in day.conversations}
    return [
        f"{contact} asked at the end of the day, nobody has the conversation, and nothing came"
        for contact, answers in day.asked_last.items()
        if not answers and taken.get(contact, "") not in day.team
    ]


def every_promise_is_a_task(day: Day) -> list[str]:
    """What the bot said that staff will do stands as a task about the patient, open or done."""
    return [
        f"{contact} was promised at {line.at:%d %H:%M}, and there is no task: {promised[0]}"
        for contact, lines in day.talks()
        for line in lines
        if line.by is By.BOT and (promised := _PROMISES.search(folded(line.text))) and contact not in day.tasks_about
    ]


def nothing_is_said_twice(day: Day) -> list[str]:
    """No text twice in a row to one patient."""
    return [
        f"{contact} read the same twice at {second.at:%d %H:%M}"
        for contact, lines in day.talks()
        for first, second in pairwise([line for line in lines if line.by is not By.PATIENT])
        if first.text == second.text
    ]


def the_agenda_is_what_was_told(day: Day) -> list[str]:
    """Everybody has just the visits that they read of as confirmed, moved or cancelled; no two of a professional
    overlap."""
    told: dict[str, set[datetime]] = {line.contact: set() for line in day.lines}
    for visit in day.before:
        told.setdefault(visit.contact, set()).add(visit.start)
    for line in day.lines:
        if line.by is By.BOT:
            _tell(told[line.contact], line.text)
    stands = {
        contact: {visit.start for visit in day.visits if visit.contact == contact and visit.lives} for contact in told
    }
    wrong = [
        f"{contact} was told {_shown(told[contact])}, and has {_shown(stands[contact])}"
        for contact in told
        if told[contact] != stands[contact]
    ]
    return wrong + _overlaps(day.visits)


def _tell(told: set[datetime], text: str) -> None:
    """Change what somebody believes to have as `text` says it. A text that moves names the new start, and where there
    are several visits, the old one."""
    said = folded(text)
    if not any(sign in said for sign in (_BOOKED, _MOVED, _CANCELLED)):
        return
    starts = [start for row in text.splitlines() if (found := moment(row))[1] and (start := found[0])]
    if _CANCELLED in said:
        told.difference_update(starts)
        return
    if _MOVED in said and len(told) == 1:
        told.clear()
    elif _MOVED in said:
        told.difference_update(starts[1:])
    told.update(starts[:1])


def _shown(starts: set[datetime]) -> list[str]:
    return [f"{start:%d/%m %H:%M}" for start in sorted(starts)]


def _overlaps(visits: list[Visit]) -> list[str]:
    ordered = sorted((visit for visit in visits if visit.lives and not visit.override), key=lambda visit: visit.start)
    return [
        f"{first.professional} has two at {second.start:%d/%m %H:%M}"
        for place, first in enumerate(ordered)
        for second in ordered[place + 1 :]
        if first.professional == second.professional and second.start < first.end
    ]


def outsiders_see_nothing(day: Day) -> list[str]:
    """Nothing of the day was seen by another clinic."""
    return day.leaks


RULES: Mapping[str, Callable[[Day], list[str]]] = {
    rule.__name__: rule
    for rule in (
        nobody_is_unanswered,
        nobody_is_silenced,
        every_promise_is_a_task,
        nothing_is_said_twice,
        the_agenda_is_what_was_told,
        outsiders_see_nothing,
    )
}


def grade(day: Day) -> dict[str, list[str]]:
    """What is wrong, by rule; empty for a good day."""
    return {name: wrong for name, rule in RULES.items() if (wrong := rule(day))}

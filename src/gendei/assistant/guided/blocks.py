"""The errands about time that nobody can book."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from gendei.assistant.guided.days import days_text, iso_days
from gendei.assistant.guided.guide import Guide, Option, OrderPart, Refused, Steps, ask, do, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.dates import Resolution
from gendei.commands.command import Detail
from gendei.receptionist.guided.guided_turn import Call, Result
from gendei.receptionist.understanding.language import words


def block(guide: Guide) -> Steps[str]:
    """ "Bloqueia a agenda da Paula sexta de manhã": what is missing is asked for."""
    text, reason = guide.reason()
    when = guide.when(text)
    if when.date is None or len(when.alternatives) > 1:
        return guide.ask(Phrase.WHICH_BLOCK)
    if until := guide.moment(guide.told(OrderPart.UNTIL)).time:
        when = replace(when, time=None, time_from=when.time, time_to=until)
    if when.time is not None:
        return guide.ask(Phrase.UNTIL_WHEN, OrderPart.UNTIL)
    whose = _whose(guide)
    if whose is None:
        names = [professional.name for professional in guide.clinic.professionals]
        return guide.ask(Phrase.WHOSE_AGENDA, names=", ".join(names), choices=names)
    start, end = _period(guide, when)
    anyway = {"despite_appointments": True} if Errand.ANYWAY in guide.heard else {}
    by = {"professional_id": whose} if whose else {}
    asked = {"start": start.isoformat(), "end": end.isoformat(), "reason": reason, **by, **anyway}
    result = yield Call("block_time", asked)
    if there := result.get("standing"):
        named_there = lines(
            f"{_local(guide, appointment):%d/%m %H:%M} {appointment['patient']}" for appointment in there
        )
        return guide.ask(Phrase.IN_THE_WAY, list=named_there)
    if "error" in result:
        raise Refused(result)
    return ""


def free(guide: Guide) -> Steps[str]:
    """ "Desbloqueia sexta"."""
    when = guide.when()
    found = yield from _blocks(guide, when if when.date else Resolution(date=guide.now.date()))
    if not found:
        return guide.say(Phrase.BLOCKED_NONE, days=days_text(guide, when))
    if len(found) > 1:
        return guide.which([Option(_line(guide, block), "free_time", {"block_id": block["id"]}) for block in found])
    return (yield from do("free_time", block_id=found[0]["id"]))


def blocked(guide: Guide) -> Steps[str]:
    when = guide.when()
    found = yield from _blocks(guide, when)
    if not found:
        return guide.say(Phrase.BLOCKED_NONE, days=days_text(guide, when))
    return guide.say(Phrase.BLOCKED, list=lines(_line(guide, block) for block in found))


def _blocks(guide: Guide, when: Resolution) -> Steps[list[Result]]:
    """Those of the days, in the hours, and of whom the message names."""
    found = (yield from ask("list_blocks", days=iso_days(guide, when)))["blocks"]
    wanted = {professional.id for professional in guide.professionals()}
    start, end = _period(guide, when)
    hours = when.time_from or when.time_to
    return [
        block
        for block in found
        if (not wanted or block["professionalId"] in wanted)
        and (not hours or (_local(guide, block) < end and start < datetime.fromisoformat(block["end"])))
    ]


def _whose(guide: Guide) -> str | None:
    """The id of the professional whose time it is, "" for the whole clinic, None where nobody knows."""
    if found := guide.professionals():
        return found[0].id if len(found) == 1 else None
    if Errand.EVERYBODYS in guide.heard:
        return ""
    everybody = guide.clinic.professionals
    if len(everybody) == 1:
        return everybody[0].id
    own = words(guide.turn.actor.name)
    filler = guide.turn.texts.vocabulary.single_words(Errand.FILLER)
    mine = [who for who in everybody if named([word for word in words(who.name) if word not in filler], " ".join(own))]
    return mine[0].id if len(mine) == 1 else None


def _period(guide: Guide, when: Resolution) -> tuple[datetime, datetime]:
    """What lies between the hours of the day, or of the days, that are meant; whole days where no hours are."""
    first = when.date or guide.now.date()
    last, zone = when.end_date or first, guide.clinic.timezone
    start = datetime.combine(first, when.time_from or time.min, zone)
    end = datetime.combine(last, when.time_to, zone) if when.time_to else datetime.combine(last, time.min, zone)
    return start, end if when.time_to else end + timedelta(days=1)


def _line(guide: Guide, block: Result) -> str:
    whose = (
        guide.say(Detail.WHOSE, name=block["professional"]) if block["professional"] else guide.say(Detail.EVERYBODYS)
    )
    return f"{block['when']}: {whose}" + (f" ({block['reason']})" if block["reason"] else "")


def _local(guide: Guide, listed: Result) -> datetime:
    return guide.clinic.local(datetime.fromisoformat(listed["start"]))

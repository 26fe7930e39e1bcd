"""Why nothing is free for a wish, and what is nearest to it, in words."""

from collections.abc import Iterable
from datetime import timedelta

from gendei.booking.dates import Resolution, describe
from gendei.booking.dates.rendering import plain_clock
from gendei.booking.slots import Alternative, GivesWay, NoSlots, Refusal
from gendei.booking.time_wish import TimeWish
from gendei.clinic import Professional
from gendei.receptionist.offers.rendering import (
    and_then,
    capital,
    lasting,
    named_day,
    on,
    professional_name,
    pronoun,
    spoken_day,
    titled,
)
from gendei.receptionist.runtime import Runtime

_OF_A_DAY = (NoSlots.CLOSED, NoSlots.TOO_FAR)
"""Reasons for any hour of it. Who is off is so all day for a search; the desk refuses one hour."""
_OFF = frozenset({NoSlots.PROFESSIONAL_OFF, NoSlots.PROFESSIONAL_OFF_THEN})
_WITH_OTHERS = frozenset({GivesWay.PROFESSIONAL, GivesWay.ALL})
DAYS_LISTED = 3
"""So many days are named one by one, and more as a range."""
MOST_TIMES = 5
"""More hours than these are not listed in a sentence."""


def reason_text(
    reason: NoSlots | Refusal,
    runtime: Runtime,
    wish: TimeWish | None = None,
    professional_id: str | None = None,
    service_id: str | None = None,
) -> str:
    """The sentence for why there is nothing as it was asked for: `wish`, `professional_id` and `service_id`, where
    known."""
    clinic = runtime.clinic
    service = clinic.service(service_id or "")
    who = clinic.professional(professional_id or "") or _only_one(runtime, service_id)
    last_day = runtime.now.date() + timedelta(days=clinic.booking.horizon_days)
    that_day = runtime.say("that_day")
    when, on_when = _when(reason, wish, runtime) if wish else (that_day, that_day)
    if not when:
        when = on_when = runtime.say("until_day", weekday_date=spoken_day(last_day, runtime))
    text = runtime.say(
        f"refusal_{_said_as(reason, asked_for=professional_id, who=who)}",
        when=when,
        on_when=on_when,
        weekday_date=spoken_day(wish.first, runtime) if wish else that_day,
        professional_name=who.name if who else runtime.say("nobody_of_team"),
        the_name=titled(who.name) if who else runtime.say("nobody_of_team"),
        service=service.name if service else "",
        lead=lasting(clinic.booking.lead_minutes),
        last_day=spoken_day(last_day, runtime),
    )
    return capital(text)


def _said_as(reason: NoSlots | Refusal, *, asked_for: str | None, who: Professional | None) -> str:
    """The phrase of a reason. Who does not attend is named where they were asked for, or nobody else does it."""
    if reason == NoSlots.CLOSED_THEN:
        return NoSlots.CLOSED
    if reason == NoSlots.FULL:
        return "full_of" if asked_for else "full"
    if reason not in _OFF:
        return reason
    return "professional_off" if asked_for else "only_off" if who else "nobody_off"


def _only_one(runtime: Runtime, service_id: str | None) -> Professional | None:
    """Who does a service that nobody else does."""
    able = runtime.clinic.professionals_for(service_id or "")
    return able[0] if len(able) == 1 else None


def _when(reason: NoSlots | Refusal, wish: TimeWish, runtime: Runtime) -> tuple[str, str]:
    """What the reason is about, by itself and in a sentence: "quinta-feira, 26/11, à tarde" and "na quinta-feira, ...";
    "" for any day at any hour."""
    whatever_hour = reason in _OF_A_DAY or reason is NoSlots.PROFESSIONAL_OFF or wish.last < runtime.now.date()
    hours = "" if whatever_hour else _hours(wish, runtime)
    days = [] if wish.any_day else list(wish.each_day(wish.first, wish.last))
    if 1 < len(days) <= DAYS_LISTED:
        named = and_then([named_day(day, runtime) for day in days])
        return _and_at(named, hours), _and_at(named, hours)
    asked = Resolution() if not days else Resolution(date=days[0], end_date=days[-1] if len(days) > 1 else None)
    when = _and_at(describe(asked, runtime.now), hours)
    return when, on(when)


def _and_at(days: str, hours: str) -> str:
    return ", ".join(part for part in (days, hours) if part)


def _hours(wish: TimeWish, runtime: Runtime) -> str:
    """ "à tarde", "às 15h"; "" for any hour."""
    return describe(Resolution(time=wish.at, time_from=wish.time_from, time_to=wish.time_to), runtime.now)


def instead_texts(
    alternatives: Iterable[Alternative],
    runtime: Runtime,
    wish: TimeWish,
    professional_id: str | None,
    service_id: str,
    reason: str,
) -> list[str]:
    """For each alternative a sentence that says what of the wish gives way, and what there is for it. reason: the
    sentence before them; whom it names, or the last one does, is "ela" or "ele" in the next."""
    who = runtime.clinic.professional(professional_id or "") or _only_one(runtime, service_id)
    texts, was_named = [], who is not None and who.name in reason
    for alternative in alternatives:
        has = runtime.say("i_have")
        if who is not None:
            has = runtime.say("somebody_has", the_name=(was_named and pronoun(who.name)) or titled(who.name))
        texts.append(_instead(alternative, runtime, wish, has))
        was_named = alternative.gives_way not in _WITH_OTHERS
    return texts


def _instead(alternative: Alternative, runtime: Runtime, wish: TimeWish, has: str) -> str:
    slots, hours = alternative.slots, _hours(wish, runtime)
    days = and_then([named_day(day, runtime) for day in sorted({slot.start.date() for slot in slots})])
    times = list(dict.fromkeys(plain_clock(slot.start) for slot in slots))
    others = dict.fromkeys(slot.professional_id for slot in slots)
    as_asked = hours if all(wish.fits_hours(slot.start) for slot in slots) else runtime.say("at", times=and_then(times))
    text = runtime.say(
        f"instead_{_given(alternative.gives_way, wish, many=len(times) > MOST_TIMES)}",
        has=has,
        days=days,
        hours=hours,
        as_asked=_and_at(days, as_asked),
        times=and_then(times),
        names=and_then([titled(professional_name(runtime.clinic, id_)) for id_ in others]),
    )
    return capital(text)


def _given(gives_way: GivesWay, wish: TimeWish, *, many: bool) -> str:
    """What gives way, as the phrases tell it apart."""
    if gives_way is GivesWay.DAY and not wish.has_hours:
        return "any_day"
    return "any_hours" if gives_way is GivesWay.HOURS and (many or wish.days > 1) else gives_way

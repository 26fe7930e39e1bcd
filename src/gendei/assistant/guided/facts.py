"""Questions about the clinic itself: what it costs, when it is open, what it accepts."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from gendei.assistant.guided.elsewhere import stated
from gendei.assistant.guided.guide import Guide, Steps, ask, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.charges import charge, plans_for
from gendei.booking.dates import describe
from gendei.clinic import Professional, Service, money
from gendei.commands.shown import stretch
from gendei.receptionist.guided.guided_turn import Result
from gendei.receptionist.offers.rendering import opening_hours
from gendei.receptionist.understanding.language import parted, words

Told = Callable[[Guide, Result], str]


def facts(guide: Guide) -> Steps[str]:
    """Every topic that is asked about."""
    clinic = yield from ask("get_clinic")
    topics = [topic for topic in _TOPICS if topic in guide.heard]
    if Errand.ACCEPTS in guide.heard and not {Errand.INSURANCE, Errand.PAYMENT} & guide.heard:
        topics = [Errand.INSURANCE]
    elif Errand.PAYMENT in topics and any(named([word], *clinic["insurance"]) for word in guide.said if len(word) > 2):
        topics += [Errand.INSURANCE] * (Errand.INSURANCE not in topics)
    return "\n".join(_TOPICS[topic](guide, clinic) for topic in topics) + stated(guide, Errand.PRICE)


def hours(guide: Guide) -> Steps[str]:
    """When the clinic, or the one who is named, works: in an ordinary week, or on the day that is said."""
    whose, when = guide.professionals(), guide.when()
    if not whose and when.date is None and guide.names(around="clinic"):
        return _insurance(guide, (yield from ask("get_clinic")))  # "vocês atendem Unimed?"
    if len(whose) > 1:
        return "\n".join(
            guide.say(Phrase.WEEK_OF, name=professional.name, list=_week(guide, professional)) for professional in whose
        )
    who = whose[0] if whose else None
    name = who.name if who else guide.clinic.name
    if when.date is None:
        return guide.say(Phrase.WEEK_OF, name=name, list=_week(guide, who))
    days = [
        when.date + timedelta(days=offset) for offset in range(((when.end_date or when.date) - when.date).days + 1)
    ][:7]
    found = (yield from ask("list_blocks", days=f"{days[0]}/{days[-1]}"))["blocks"]
    return "\n".join(_day(guide, who, name, day, found) for day in days) + stated(guide, Errand.HOURS)


def who_does(guide: Guide) -> Steps[str]:
    """Who does the service that is named."""
    found, when, everybody = guide.services(), guide.when(), guide.clinic.professionals
    if not found and when.date:
        blocks = (yield from ask("list_blocks", days=f"{when.date}"))["blocks"]
        return "\n".join(_day(guide, professional, professional.name, when.date, blocks) for professional in everybody)
    yield from ask("list_professionals")
    if not found:
        return lines(
            guide.say(Phrase.PROFESSIONAL, name=professional.name, specialty=professional.specialty)
            for professional in everybody
        )
    return "\n".join(
        guide.say(
            Phrase.WHO_DOES,
            service=service.name,
            names=", ".join(who.name for who in guide.clinic.professionals_for(service.id)),
        )
        for service in found
    )


def _of_each(value: Callable[[Guide, Service], str]) -> Told:
    """`value` of every service that is meant."""
    return lambda guide, _clinic: lines(
        guide.say(Phrase.FACT, name=service.name, value=value(guide, service))
        for service in guide.services() or guide.clinic.services
    )


def _price(guide: Guide, service: Service) -> str:
    if service.price_cents is None:
        return guide.say(Phrase.PRICE_ASKED) + (f" {service.description}" if service.description else "")
    if not service.price_cents:
        return guide.say(Phrase.PRICE_FREE)
    deposit = guide.say(Phrase.DEPOSIT, value=money(service.deposit_cents)) if service.deposit_cents else ""
    return money(service.price_cents) + deposit


def _by_plans(guide: Guide, service: Service) -> str:
    """What the patient pays by each plan of which that is known, to stand behind the price."""
    told = ""
    for plan in plans_for(guide.clinic, service.id):
        found = charge(guide.clinic, plan.name, service)
        if found is not None and (found.covered or found.price_cents is not None):
            value = guide.say(Phrase.PLAN_COVERED) if found.covered else money(found.price_cents or 0)
            told += guide.say(Phrase.BY_PLAN, name=plan.name, value=value)
    return told


def _insurance(guide: Guide, clinic: Result) -> str:
    """Whether what is named is accepted, and what is."""
    accepted: list[str] = clinic["insurance"]
    if not accepted:
        return guide.say(Phrase.INSURANCE_NONE)
    everything = guide.say(Phrase.INSURANCE, names=", ".join(accepted))
    wanted = guide.names(around="clinic")
    if not wanted:
        return everything
    if whole := [plan for plan in accepted if named(wanted, plan)]:
        return f"{guide.say(Phrase.ACCEPTED, names=', '.join(whole))} {everything}"
    near = [plan for plan in accepted if any(named([word], plan) for word in wanted if len(word) > 2)]
    if near and all(named(words(plan), guide.text) for plan in near):
        return f"{guide.say(Phrase.ACCEPTED, names=', '.join(near))} {everything}"
    return f"{guide.say(Phrase.NOT_ACCEPTED, words=' '.join(wanted))} {everything}"


def _notes(guide: Guide, clinic: Result) -> str:
    """The sentences of the clinic's notes that say a word of the question, else all of them."""
    said = [word for word in guide.said if len(word) > 4]
    fit = [note for note in parted(clinic["notes"]) if any(named([word], note) for word in said)]
    return _known(guide, Phrase.NOTES if fit else Phrase.NOTES_ELSE, " ".join(fit) or clinic["notes"])


def _known(guide: Guide, phrase: Phrase, value: str) -> str:
    return guide.say(phrase, value=value) if value else guide.say(Phrase.NOT_KNOWN)


_TOPICS: Mapping[Errand, Told] = {
    Errand.PRICE: _of_each(lambda guide, service: _price(guide, service) + _by_plans(guide, service)),
    Errand.DURATION: _of_each(lambda guide, service: guide.say(Phrase.MINUTES, count=str(service.duration_minutes))),
    Errand.PREPARATION: _of_each(lambda guide, service: service.preparation or guide.say(Phrase.PREPARATION_NONE)),
    Errand.INSURANCE: _insurance,
    Errand.PAYMENT: lambda guide, clinic: _known(guide, Phrase.PAYMENT, ", ".join(clinic["paymentMethods"])),
    Errand.ADDRESS: lambda guide, clinic: _known(guide, Phrase.ADDRESS, clinic["address"]),
    Errand.PHONE: lambda guide, clinic: _known(guide, Phrase.PHONE, clinic["phone"]),
    Errand.POLICY: lambda guide, clinic: _known(guide, Phrase.POLICY, clinic["cancellationPolicy"]),
    Errand.NOTES: _notes,
}
TOPICS = (*_TOPICS, Errand.ACCEPTS)


def _week(guide: Guide, who: Professional | None) -> str:
    return "\n" + lines(opening_hours(guide.clinic.hours_of(who) if who else guide.clinic.hours).splitlines())


def _day(guide: Guide, who: Professional | None, name: str, day: date, blocks: Sequence[Mapping[str, Any]]) -> str:
    clinic = guide.clinic
    begin = datetime.combine(day, datetime.min.time(), clinic.timezone)
    end = begin + timedelta(days=1)
    whose = {None, who.id if who else None}
    away = [(absence.start, absence.end) for absence in (who.time_off if who else ())]
    away += [(_moment(block["start"]), _moment(block["end"])) for block in blocks if block["professionalId"] in whose]
    spans = (clinic.hours_of(who) if who else clinic.hours).get(day.weekday(), ())
    days = describe(day, guide.now)
    if not spans or day in clinic.closed or any(first <= begin and end <= last for first, last in away):
        return guide.say(Phrase.AWAY if who else Phrase.SHUT, name=name, days=days)
    told = guide.say(Phrase.OPEN, name=name, days=days, hours=opening_hours({0: tuple(spans)}).partition(": ")[2])
    return told + "".join(
        guide.say(Phrase.BUT_BLOCKED, when=stretch(clinic.local(first), clinic.local(last), guide.now))
        for first, last in away
        if first < end and begin < last
    )


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written)

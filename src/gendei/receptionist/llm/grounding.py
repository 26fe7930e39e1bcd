"""Whether what a model says is known: prices, times and dates, and who and what it names.

Known is what the clinic's data say, what tools returned in this turn, what the patient has booked, what was offered,
and what was said to the patient before. What the patient wrote proves nothing: it may be asked about and denied.

What a server of the clinic's own said in this turn is known too, as far as amounts, times and dates go; but it offers
no slot, for those are the desk's, and no phone, document or address, for it may be somebody else's.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from gendei.booking.charges import prices_of, private_amounts
from gendei.clinic import Clinic, Service, money
from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.claims import Evidence, evidence
from gendei.receptionist.llm.facts_in_text import (
    amounts,
    dates,
    identifying,
    percentages,
    sentences,
    times,
    wrong_weekdays,
)
from gendei.receptionist.llm.free_times import Searches, asks_for_yes, offered, weekdays_named
from gendei.receptionist.of_clinic import of_clinic
from gendei.receptionist.offers.rendering import opening_hours
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.language import flat, flat_known, plain
from gendei.receptionist.understanding.patient_message import typed_in
from gendei.verticals import Vertical

_START = re.compile(r"\b(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?![:\d])(?:[+-]\d{2}:\d{2})?")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:")
_OPEN = re.compile(r"\b(?:nao|nem|sem|nunca|infelizmente|vou (?:ver|verificar|procurar|consultar|conferir|olhar))\b")
_AVAILABLE = re.compile(r"\b(?:vagas?|horarios?|disponive(?:l|is)|livres?)\b")
_OFFERS = re.compile(
    r"\b(?:vagas?|disponive(?:l|is)|livres?|encaix\w+|agend\w+|(?:re)?marc(?:ar|o|amos)|reserv\w+"
    r"|(?:tem|tenho|temos|ha|existem?|sobrou) (?:\w+ ){0,2}horarios?)\b"
)
_INSTANT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})")
MOST_REAIS = 1_000_000
MAX_TOLD = 12
"""So many facts are told to a model that is asked again."""


@dataclass(slots=True)
class Facts:
    """What is known in one turn. prices: of each service, by id, in centavos, as amounts are. times: minutes of the day
    that are known whatever the date; own_times: those of the clinic's own texts, and the present one, which are told
    and never offered; slots: (date, minutes) of what can be or is booked. texts: what the clinic says of itself, plain.
    asked: the same of what the patient wrote. attached: the same of what a server of the clinic's said, which is not to
    be offered. not_by_plan: private prices, which who comes by a health plan does not pay. searches: for free times.
    evidence: what carries claims about the clinic."""

    today: date
    services: Sequence[Service] = ()
    prices: Mapping[str, frozenset[int]] = field(default_factory=dict)
    amounts: set[int] = field(default_factory=set)
    own_amounts: set[int] = field(default_factory=set)
    times: set[int] = field(default_factory=set)
    own_times: frozenset[int] = frozenset()
    dates: set[date] = field(default_factory=set)
    slots: set[tuple[date, int]] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    texts: str = ""
    asked_times: set[int] = field(default_factory=set)
    asked_dates: set[date] = field(default_factory=set)
    asked_amounts: set[int] = field(default_factory=set)
    attached_times: set[int] = field(default_factory=set)
    attached_dates: set[date] = field(default_factory=set)
    booked_amounts: set[int] = field(default_factory=set)
    not_by_plan: frozenset[int] = frozenset()
    searches: Searches = field(default_factory=Searches)
    evidence: Evidence = field(default_factory=Evidence)

    def prices_told(self) -> str:
        """The prices, for a model that named another."""
        return "; ".join(
            f"{service.name}: {money(service.price_cents)}"
            for service in self.services[:MAX_TOLD]
            if service.price_cents is not None
        )

    def slots_told(self) -> str:
        """The times that are known, for a model that named another."""
        known = sorted(self.slots)[:MAX_TOLD]
        return "; ".join(f"{day:%d/%m} {minutes // 60}h{minutes % 60:02d}" for day, minutes in known)


def facts_of(
    runtime: Runtime, outputs: Iterable[str], history: Sequence[Mapping[str, str]], words: GuardrailWords | None = None
) -> Facts:
    """Everything that is known. `outputs`: of this turn's tools but the search of the clinic's knowledge, JSON.
    `history`: what was said before. `words`: which claim nothing; without them claims are not looked for."""
    clinic, now = runtime.clinic, runtime.now
    facts = Facts(today=now.date(), services=clinic.services)
    used = [runtime.sources[id_] for id_ in runtime.named if id_ in runtime.sources]
    own_text = "\n".join((_own_text(clinic, runtime.vertical), *(source.answer for source in used)))
    own = _said_by(own_text, facts.today)
    facts.texts = own.text
    facts.prices = _prices(clinic, runtime.vertical)
    facts.amounts |= {cents for prices in facts.prices.values() for cents in prices}
    facts.own_amounts |= own.amounts
    facts.own_times = own.times | {now.hour * 60 + now.minute}
    facts.dates |= {*clinic.closed, *own.dates}
    facts.names |= own.names | set(identifying(f"{runtime.phone or ''} {runtime.contact}"))
    for booked in (*(runtime.appointments or ()), *runtime.seen.values()):
        start = clinic.local(booked.start)
        facts.slots.add((start.date(), start.hour * 60 + start.minute))
        facts.booked_amounts |= {cents for cents in (booked.price_cents, booked.deposit_cents) if cents}
    facts.amounts |= facts.booked_amounts
    facts.not_by_plan = private_amounts(clinic, runtime.state.plan) - facts.own_amounts - facts.booked_amounts
    outputs = list(outputs)
    facts.searches = Searches.of(clinic, outputs, history)
    facts.searches.found_none |= bool(runtime.attached_answers)
    for text in (*runtime.state.available_slots, *(string for output in outputs for string in _strings(output))):
        _learn(facts, text)
    for answer in runtime.attached_answers:
        _took_in(facts, answer)
    for message in history:
        if message["role"] == "user":
            _heard(facts, message["content"])
        else:
            _learn(facts, message["content"])
    for said in runtime.inputs:
        _heard(facts, said.text)
    if words is not None:
        staff = [message["content"] for message in history if message["role"] not in {"user", "assistant"}]
        known = [
            _own_text(clinic, runtime.vertical),
            *runtime.known.values(),
            *outputs,
            *map(str, runtime.attached_answers),
            *staff,
        ]
        known += [reply.text for reply in runtime.rendered]
        names = (runtime.user_name or "", runtime.state.patient_name or "", clinic.name)
        asked = typed_in(runtime.inputs)
        from_server = bool(runtime.attached_answers)
        known += [asked] if from_server else []
        facts.evidence = evidence(known, used, asked, names, words, tolerated=int(from_server))
    return facts


@dataclass(frozen=True, slots=True)
class _Own:
    """What the clinic's own texts say."""

    text: str
    amounts: frozenset[int]
    times: frozenset[int]
    dates: frozenset[date]
    names: frozenset[str]


@lru_cache(maxsize=256)
def _said_by(text: str, today: date) -> _Own:
    """Read once a day: the texts are long, and every answer of a model is held against them."""
    return _Own(
        plain_whole(text),
        frozenset(amounts(text)),
        frozenset(times(text)),
        frozenset(dates(text, today)),
        frozenset(identifying(text)),
    )


def false_prices(text: str, facts: Facts, free: Sequence[str]) -> bool:
    """Whether an amount is no price, deposit or other amount of the clinic's, or stands beside a service that costs
    another; or something is called free, or a discount given, that the clinic's data do not know of."""
    own = facts.texts.replace(" ", "")
    for sentence in sentences(text):
        said = plain(sentence)
        named = set(amounts(sentence)) - (facts.asked_amounts if _OPEN.search(said) else set())
        if named and named - _amounts_beside(said, facts) - facts.own_amounts:
            return True
        if facts.not_by_plan & named and "particular" not in said:
            return True
        if any(percentage not in own for percentage in percentages(sentence)) and not _OPEN.search(said):
            return True
        if _called_free(said, facts, free):
            return True
    return False


def false_times(text: str, facts: Facts) -> bool:
    """Whether a time, or a time on a date, is named that nobody knows of, or a date on a wrong weekday. What the
    patient asked for may be asked back and denied."""
    known = facts.times | {minutes for _, minutes in facts.slots}
    days = {day for day, _ in facts.slots}
    weekdays = {(day.weekday(), minutes) for day, minutes in facts.slots}
    asks = asks_for_yes(text)
    for sentence in sentences(text):
        if wrong_weekdays(sentence, facts.today):
            return True
        named, on = set(times(sentence)), dates(sentence, facts.today)
        if not named and not on:
            continue
        said = plain(sentence)
        denies, offers = bool(_OPEN.search(said)), bool(_OFFERS.search(said))
        open_ = sentence.rstrip().endswith("?") or denies
        asked = (facts.asked_times if open_ else set()) | (set() if offers else facts.attached_times)
        is_offer = offered(sentence, asks=asks) and not denies
        asked |= set() if is_offer else facts.own_times
        if named - known - asked:
            return True
        slots = named - facts.times - asked
        if len(on) == 1 and on[0] in days and any((on[0], minutes) not in facts.slots for minutes in slots):
            return True
        on_days = weekdays_named(sentence, facts.today) if is_offer and not on and len(slots) == 1 else set()
        if on_days and not any((day, minutes) in weekdays for day in on_days for minutes in slots):
            return True
        unknown = set(on) - facts.dates - days - (facts.asked_dates if open_ else set())
        unknown -= set() if offers else facts.attached_dates
        if unknown and _AVAILABLE.search(said) and not open_:
            return True
    return False


def unknown_names(text: str, facts: Facts) -> bool:
    """Whether a phone, a document's number or an address is named that is neither the clinic's nor the patient's."""
    known = "\n".join(facts.names)
    return any(name not in known for name in dict.fromkeys(identifying(text)))


def plain_whole(text: str) -> str:
    """`text` in plain letters, however long, in single blanks."""
    return " ".join(" ".join(plain(line).split()) for line in text.splitlines())


@of_clinic
def _prices(clinic: Clinic, _: Vertical) -> Mapping[str, frozenset[int]]:
    return {service.id: prices_of(clinic, service) for service in clinic.services}


@of_clinic
def _own_text(clinic: Clinic, vertical: Vertical) -> str:
    return "\n".join(_own_texts(clinic, vertical))


def _own_texts(clinic: Clinic, vertical: Vertical) -> Iterator[str]:
    yield from (clinic.name, clinic.address, clinic.phone or "", clinic.cancellation_policy or "", clinic.notes or "")
    yield from (*clinic.payment_methods, *clinic.insurance, opening_hours(clinic.hours))
    for service in clinic.services:
        yield from (service.name, service.description or "", service.preparation or "")
    for professional in clinic.professionals:
        yield from (professional.name, professional.council_number or "", professional.specialty or "")
        yield opening_hours(clinic.hours_of(professional))
    yield from vertical.what_to_bring


def _amounts_beside(said: str, facts: Facts) -> set[int]:
    """What may be named in a sentence: the price and deposit of the services that it names, or any where none is."""
    sentence = flat(said)
    named = [
        service
        for service in facts.services
        if any(flat_known(name) in sentence for name in (service.name, *service.aliases))
    ]
    if not named:
        return facts.amounts
    prices = {cents for service in named for cents in facts.prices.get(service.id, ())}
    others = {cents for them in facts.prices.values() for cents in them}
    return prices | (facts.amounts - others)


def _called_free(said: str, facts: Facts, free: Sequence[str]) -> bool:
    if "188" in said or _OPEN.search(said) or said.rstrip().endswith("?"):
        return False
    if any(service.price_cents == 0 for service in facts.services):
        return False
    sentence = flat(said)
    return any(expression in sentence and expression.strip() not in facts.texts for expression in map(flat_known, free))


@dataclass(frozen=True, slots=True)
class _Told:
    """What a text of ours names. at: minutes of the day."""

    slots: frozenset[tuple[date, int]]
    amounts: frozenset[int]
    names: frozenset[str]
    dates: frozenset[date]
    at: frozenset[int]


@lru_cache(maxsize=4096)
def _told_by(text: str, today: date) -> _Told | None:
    """Remembered, for tools tell of the same services, times and people in turn after turn. None for a moment."""
    if _MOMENT.match(text):
        return None
    slots = set()
    for day, hour, minute in _START.findall(text):
        with suppress(ValueError):
            slots.add((date.fromisoformat(day), int(hour) * 60 + int(minute)))
    text = _START.sub(" ", text)
    named = (frozenset(amounts(text)), frozenset(identifying(text)), frozenset(dates(text, today)))
    return _Told(frozenset(slots), *named, frozenset(times(text)))


def _learn(facts: Facts, text: str) -> None:
    """Take in what a tool returned or the patient was told."""
    told = _told_by(text, facts.today)
    if told is None:
        return
    facts.slots |= told.slots
    facts.amounts |= told.amounts
    facts.names |= told.names
    facts.dates |= told.dates
    at = told.at - facts.own_times
    if len(told.dates) == 1:
        facts.slots |= {(day, minutes) for day in told.dates for minutes in at}
    else:
        facts.times |= at


def _took_in(facts: Facts, answer: Any) -> None:
    """Take in what a server of the clinic's own said. A number may be reais or, by its name, centavos."""
    for name, value in _named(answer):
        if isinstance(value, str):
            for day, hour, minute in _INSTANT.findall(value):
                facts.attached_times.add(int(hour) * 60 + int(minute))
                facts.attached_dates |= set(dates(day, facts.today))
            facts.amounts |= set(amounts(value))
            facts.attached_times |= set(times(value))
            facts.attached_dates |= set(dates(value, facts.today))
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_REAIS:
            facts.amounts.add(round(value) if "cent" in name.casefold() else round(value * 100))


def _named(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of an answer, with the name it has there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner, name)
    else:
        yield name, value


def _heard(facts: Facts, text: str) -> None:
    facts.asked_times |= set(times(text))
    facts.asked_times |= {minutes + 12 * 60 for minutes in facts.asked_times if minutes < 12 * 60}
    facts.asked_dates |= set(dates(text, facts.today))
    facts.asked_amounts |= set(amounts(text))
    facts.names |= set(identifying(text))


def _strings(output: str) -> Iterator[str]:
    """The texts of a tool's result; a row with a date and a time as one text."""
    with suppress(ValueError):
        yield from _walk(json.loads(output))


def _walk(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner)
    elif isinstance(value, dict):
        if _is_start(value):
            yield f"{value['date']}T{value['time']}"
        for name, inner in value.items():
            if name not in {"date", "time"}:
                yield from _walk(inner)


def _is_start(row: Mapping[str, Any]) -> bool:
    with suppress(KeyError, TypeError, ValueError):
        datetime.fromisoformat(f"{row['date']}T{row['time']}")
        return True
    return False

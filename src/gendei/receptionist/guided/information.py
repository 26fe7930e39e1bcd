"""Questions about the clinic, answered from what its tools return and from what it has written in its notes."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from gendei.booking.dates.calendar import next_holiday
from gendei.booking.slots import NoSlots
from gendei.booking.time_wish import TimeWish
from gendei.clinic import Clinic, Professional, Service
from gendei.receptionist.capabilities import plan_answers
from gendei.receptionist.guided.guided_turn import Action, GuidedTurn, Result, joined
from gendei.receptionist.offers.reasons import reason_text
from gendei.receptionist.offers.rendering import capital, day_hours, map_address, spoken_day
from gendei.receptionist.understanding.language import contains, parted, sentences_of, words
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.service_names import EMPTY

_Answer = Callable[[GuidedTurn, Any, Understanding], str]
NOTED = ("parking", "children", "companion", "access", "discount", "home", "wifi")
"""The intents whose words are looked for in the notes, as they are: what is not there is not known."""
OF_WHOM = ("with_woman", "with_man")
_TITLES = {"dra": True, "doutora": True, "profa": True, "dr": False, "doutor": False, "prof": False}
"""Whether a woman has it."""
STEM = 5
"""Letters by which a kind of professional is told from its specialty: "ortodontista", "ortodontia"."""
SOFT = frozenset({*NOTED, "directions", "payment", "policy", "preparation", "offers", "about", "online", "services"})
"""Topics of which the clinic's own knowledge may say more than its data does."""
AROUND_BOOKING = frozenset(
    {"professionals", "services", "hours", "specialist", "children", "attends", "offers", "offered"}
).union(OF_WHOM)
"""Topics that a wish to book often touches without asking about them ("preciso de um dentista")."""


_WHERE_TO_PARK = ("onde|aonde", "fica|e|eh|tem", "o|a|um", "estacionamento|garagem|manobrista")
_TOLD_BY = {"services": "price", "price": "offered", "address": "directions"}
"""Topic to the one whose answer says it too."""


def map_link(turn: GuidedTurn) -> dict[str, str]:
    """Where the clinic is, as the arguments of enviar_cta: the map is searched for the clinic's own address."""
    clinic = turn.runtime.clinic
    text, label = turn.phrase("info_address", value=clinic.address), turn.phrase("button_map")
    return {"texto": text, "url": map_address(clinic), "label": label}


def answer(turn: GuidedTurn, heard: Understanding) -> Generator[Action, Result, str]:
    """The answers to every topic that was asked about, as one text."""
    yield from turn.go("product_info")
    topics = topics_of(turn, heard)
    facts: dict[str, Any] = {}
    for tool in tools_for(topics):
        facts[tool] = (yield from turn.call(tool)).get("data") or {}
    return told(turn, heard, topics, facts)


def asks_about_clinic(heard: Understanding) -> bool:
    """Whether it is a question about the clinic, and not a fact that only sounds like one ("atende sexta de tarde")."""
    topics = heard.intents & TOPICS
    tells = bool(heard.service or heard.professional or heard.says_when)
    facts = tells and topics <= AROUND_BOOKING - {"attends"}
    return bool(topics) and not facts and not heard.wants("any_professional")


def topics_of(turn: GuidedTurn, heard: Understanding) -> list[str]:
    """What is asked about, each thing once, in the order of the answers."""
    topics = [topic for topic in _TOPICS if topic in heard.intents]
    topics = [topic for topic in topics if _TOLD_BY.get(topic) not in topics]
    topics = plan_answers.by_plan(turn, heard, topics)
    if contains(heard.said, _WHERE_TO_PARK):
        topics = [topic for topic in topics if topic != "address"]
    return topics


def tools_for(topics: Sequence[str]) -> list[str]:
    """The tools that know these."""
    needed = {_TOPICS[topic][0] for topic in topics}
    return [tool for tool in (_CLINIC, _SERVICES, _PROFESSIONALS) if tool in needed]


def told(turn: GuidedTurn, heard: Understanding, topics: Sequence[str], facts: Mapping[str, Any]) -> str:
    """The answers, as one text. facts: what each tool returned."""
    answers = (tell(turn, facts[tool], heard) for tool, tell in (_TOPICS[topic] for topic in topics))
    return "\n\n".join(filter(None, dict.fromkeys(answers)))


def _meant(turn: GuidedTurn, heard: Understanding) -> set[str]:
    """The services that a question is about: those it names, or the one that is being booked or was booked last, or,
    where the question goes on ("e quanto é?"), that was asked about before."""
    own = turn.state.selected_service_id or turn.state.last.get("service_id", "")
    own = own or (turn.state.about or "" if heard.said[:1] == ("e",) else "")
    return {service.id for service in heard.mentioned} or {own}


def _price(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    meant = _services_meant(turn, heard)
    if not meant and heard.professional:
        meant = [each for each in turn.runtime.clinic.services if each.id in heard.professional.service_ids]
    about = [row for row in services if row["service_id"] in {service.id for service in meant}] or services
    known = meant or turn.runtime.clinic.services
    if (told := plan_answers.prices(turn, heard, known)) is not None:
        return told
    lines = [f"• {row['name']}: {row['price']}" for row in about]
    return turn.phrase("info_prices", lines="\n".join(lines))


def _services(turn: GuidedTurn, services: Any, _: Understanding) -> str:
    return turn.phrase("info_services", lines=_lines(services))


def _lines(services: Any) -> str:
    return "\n".join(f"• {row['name']} ({row['duration_minutes']} min): {row['price']}" for row in services)


def _offers(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    """What was asked for is not among them; where the clinic's notes speak of it, what they say."""
    asked = {word[:STEM] for word in heard.said if len(word) >= STEM and word not in EMPTY}
    noted = [
        sentence
        for sentence in parted(turn.runtime.clinic.notes)
        if any(word[:STEM] in asked for word in words(sentence))
    ]
    lead = " ".join(noted) or turn.phrase("service_not_found")
    return joined(lead, _services(turn, services, heard))


def _offered(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    """What was asked for is."""
    meant = {service.id for service in heard.services}
    return turn.phrase("info_offered", lines=_lines([row for row in services if row["service_id"] in meant]))


def _about(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    """What the services that were named are."""
    meant = [row for row in services if row["service_id"] in {named.id for named in heard.mentioned}]
    return "\n\n".join(joined(_lines([row]), row["description"], "\n") for row in meant)


def _online(turn: GuidedTurn, services: Any, _: Understanding) -> str:
    able = [row for row in services if row["telemedicine"]]
    return turn.phrase("info_online", lines=_lines(able)) if able else turn.phrase("info_not_online")


def _duration(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    meant = _meant(turn, heard)
    about = [row for row in services if row["service_id"] in meant] or services
    minutes = [(row["name"], turn.phrase("info_minutes", minutes=str(row["duration_minutes"]))) for row in about]
    return turn.phrase("info_duration", lines="\n".join(f"• {name}: {long}" for name, long in minutes))


def _professionals(turn: GuidedTurn, professionals: Any, heard: Understanding) -> str:
    wanted = {service.id for service in heard.services}
    about = [row for row in professionals if not wanted or wanted & set(row["service_ids"])]
    return turn.phrase("info_professionals", lines=_people(about))


def _preferred(turn: GuidedTurn, _: Any, heard: Understanding) -> str:
    wanted = {service.id for service in heard.services}
    people = turn.runtime.clinic.professionals
    return fitting(turn, heard, [each for each in people if not wanted or wanted & set(each.service_ids)])[1]


def is_woman(name: str) -> bool | None:
    """By the title, else by the last letter of the first name; None where neither tells."""
    first = next(iter(words(name)), "")
    return _TITLES.get(first, {"a": True, "o": False}.get(first[-1:]))


def fitting(turn: GuidedTurn, heard: Understanding, able: Sequence[Professional]) -> tuple[list[Professional], str]:
    """Those of `able` who are the woman or the man that is wished, and what is said of it."""
    fits = [each for each in able if is_woman(each.name) is heard.wants("with_woman")]
    unknown = any(is_woman(each.name) is None for each in able)
    phrase = "booked_with" if fits else "prefers_unknown" if unknown else "prefers_nobody"
    return fits, turn.phrase(phrase, professional_name=", ".join(each.name for each in fits or able))


def _people(professionals: Any) -> str:
    facts = ((row["name"], row["specialty"], row["council"]) for row in professionals)
    return "\n".join("• " + ", ".join(part for part in each if part) for each in facts)


def _attends(turn: GuidedTurn, professionals: Any, heard: Understanding) -> str:
    """The days and hours of the professional who was named."""
    meant = heard.professional.id if heard.professional else ""
    named = [row for row in professionals if row["professional_id"] == meant]
    return "\n\n".join(turn.phrase("info_attends", professional_name=row["name"], value=row["hours"]) for row in named)


def _specialist(turn: GuidedTurn, professionals: Any, heard: Understanding) -> str:
    """Who has the specialty that was asked for; else everybody, and that nobody has it."""
    asked = {word[:STEM] for word in heard.said if turn.vocabulary.heard_in([word]) & {"specialist"}}
    able = [row for row in professionals if any(word[:STEM] in asked for word in words(row["specialty"] or ""))]
    if able:
        return turn.phrase("info_professionals", lines=_people(able))
    return turn.phrase("info_no_specialist", lines=_people(professionals))


def _preparation(turn: GuidedTurn, services: Any, heard: Understanding) -> str:
    """Of the services that are meant, or that were asked about or booked last; or else of all that need any."""
    meant = _meant(turn, heard)
    if meant == {""}:
        meant = {turn.state.about or turn.state.last.get("service_id", "")}
    known = [row for row in services if row["preparation"]]
    about = [row for row in known if row["service_id"] in meant] if meant != {""} else known
    lines = [f"• {row['name']}: {row['preparation']}" for row in about]
    if not lines:
        lines.append("• " + turn.phrase("info_no_preparation"))
    bring = ", ".join(turn.runtime.vertical.what_to_bring)
    if bring:
        lines.append("• " + turn.phrase("details_bring", things=bring))
    return turn.phrase("info_preparation", lines="\n".join(lines))


def _fact(field: str, phrase: str) -> _Answer:
    def say(turn: GuidedTurn, clinic: Any, _: Understanding) -> str:
        value = clinic.get(field)
        if not value:
            return turn.unknown()
        return turn.phrase(phrase, value=", ".join(value) if isinstance(value, list) else str(value))

    return say


def _hours(turn: GuidedTurn, clinic: Any, heard: Understanding) -> str:
    """The opening hours; of a day that was asked about, first that it is closed, or a holiday that may be."""
    day, open_ = heard.when.date if heard.when else None, turn.runtime.clinic
    hours = turn.phrase("info_hours", value=clinic["hours"])
    if day is None:
        return hours
    ranges = open_.hours.get(day.weekday())
    if day in open_.closed or not ranges:
        return joined(reason_text(NoSlots.CLOSED, turn.runtime, TimeWish(day, day)), hours)
    if next_holiday(day) != day:
        return hours
    when = capital(spoken_day(day, turn.runtime))
    return turn.phrase("info_hours_holiday", weekday_date=when, value=day_hours(ranges))


def _from_notes(topic: str) -> _Answer:
    def say(turn: GuidedTurn, clinic: Any, _: Understanding) -> str:
        return " ".join(sentences(turn, clinic.get("notes") or "", topic)) or turn.unknown()

    return say


def _directions(turn: GuidedTurn, clinic: Any) -> str:
    """How to get there by the notes, and where it is."""
    noted = " ".join(sentences(turn, clinic.get("notes") or "", "directions"))
    address = turn.phrase("info_address", value=clinic["address"]) if clinic.get("address") else ""
    return joined(address, noted, "\n") or turn.unknown()


def _policy(turn: GuidedTurn, clinic: Any, heard: Understanding) -> str:
    """What is asked about being late, from the notes; else what the clinic says of cancelling."""
    policy = clinic.get("cancellation_policy") or ""
    if not heard.wants("late"):
        return policy or turn.unknown()
    return " ".join(_of_being_late(turn, turn.runtime.clinic)) or turn.unknown()


def _of_being_late(turn: GuidedTurn, clinic: Clinic) -> list[str]:
    return sentences(turn, f"{clinic.notes}\n{clinic.cancellation_policy or ''}", "late")


def _insurance(turn: GuidedTurn, _: Any, heard: Understanding) -> str:
    return plan_answers.accepted(turn, heard, _services_meant(turn, heard))


def _services_meant(turn: GuidedTurn, heard: Understanding) -> list[Service]:
    """As `_meant`; a plan that is named with nothing else is asked about for the service before."""
    meant = _meant(turn, heard)
    if meant == {""} and heard.plans.any_named:
        meant = {turn.state.about or ""}
    return [service for service in turn.runtime.clinic.services if service.id in meant]


_CLINIC, _SERVICES, _PROFESSIONALS = "get_clinic_info", "get_services", "get_professionals"
_TOPICS: Mapping[str, tuple[str, _Answer]] = {
    "attends": (_PROFESSIONALS, _attends),
    "specialist": (_PROFESSIONALS, _specialist),
    "offers": (_SERVICES, _offers),
    "offered": (_SERVICES, _offered),
    "about": (_SERVICES, _about),
    "online": (_SERVICES, _online),
    "price": (_SERVICES, _price),
    "duration": (_SERVICES, _duration),
    "address": (_CLINIC, _fact("address", "info_address")),
    "directions": (_CLINIC, lambda turn, clinic, _: _directions(turn, clinic)),
    "phone": (_CLINIC, _fact("phone", "info_phone")),
    "hours": (_CLINIC, _hours),
    "services": (_SERVICES, _services),
    "professionals": (_PROFESSIONALS, _professionals),
    **dict.fromkeys(OF_WHOM, (_PROFESSIONALS, _preferred)),
    "insurance": (_CLINIC, _insurance),
    "payment": (_CLINIC, _fact("payment_methods", "info_payment")),
    "preparation": (_SERVICES, _preparation),
    "policy": (_CLINIC, _policy),
    **{topic: (_CLINIC, _from_notes(topic)) for topic in NOTED},
}
"""What can be asked for: the tool that knows it, and how its answer is told. In the order of the answers."""
TOPICS = frozenset(_TOPICS)
"""The intents that ask for information."""


def sentences(turn: GuidedTurn, text: str, intent: str) -> list[str]:
    """The sentences of `text` that speak of `intent`."""
    return sentences_of(text, intent, turn.vocabulary)


def lacks(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether the clinic's data say nothing of all the topics that are asked about."""
    return not any(_holds(turn, topic, heard) for topic in heard.intents & TOPICS)


def _holds(turn: GuidedTurn, topic: str, heard: Understanding) -> bool:
    clinic = turn.runtime.clinic
    if topic in {*NOTED, "directions"}:
        return bool(sentences(turn, clinic.notes, topic))
    known = {
        "preparation": any(service.preparation for service in clinic.services),
        "payment": bool(clinic.payment_methods),
        "policy": bool(_of_being_late(turn, clinic) if heard.wants("late") else clinic.cancellation_policy),
    }
    return known.get(topic, True)


def noted(turn: GuidedTurn, intent: str) -> Generator[Action, Result, list[str]]:
    """What the clinic's notes and its cancellation policy say of `intent`."""
    yield from turn.go("product_info")
    facts = (yield from turn.call("get_clinic_info")).get("data") or {}
    return sentences(turn, f"{facts.get('notes') or ''}\n{facts.get('cancellation_policy') or ''}", intent)

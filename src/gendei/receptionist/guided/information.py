"""Questions about the clinic, answered from what its tools return and from what it has written in its notes."""

import re
from collections.abc import Callable, Generator, Mapping
from typing import Any

from gendei.receptionist.guided.guided_turn import Action, Result, Talk, joined
from gendei.receptionist.offers.rendering import map_address, spoken_day
from gendei.receptionist.understanding.language import contains, words
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.service_names import EMPTY

NOTED = ("parking", "children", "companion", "access", "discount", "home", "wifi")
"""The intents whose words are looked for in the notes, as they are: what is not there is not known."""
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
STEM = 5
"""Letters by which a kind of professional is told from its specialty: "ortodontista", "ortodontia"."""
_ORDER = (
    "attends",
    "specialist",
    "offers",
    "offered",
    "about",
    "online",
    "price",
    "duration",
    "address",
    "phone",
    "hours",
    "services",
    "professionals",
    "insurance",
    "payment",
    "preparation",
    "policy",
    *NOTED,
)
TOPICS = frozenset(_ORDER)
"""The intents that ask for information; they are answered in the order above."""
AROUND_BOOKING = frozenset(
    {"professionals", "services", "hours", "specialist", "children", "attends", "offers", "offered"}
)
"""Topics that a wish to book often touches without asking about them ("preciso de um dentista")."""


_WHERE_TO_PARK = ("onde|aonde", "fica|e|eh|tem", "o|a|um", "estacionamento|garagem|manobrista")
_TOLD_BY = {"services": "price", "price": "offered"}
"""Topic to the one whose answer says it too."""


def map_link(talk: Talk) -> dict[str, str]:
    """Where the clinic is, as the arguments of enviar_cta: the map is searched for the clinic's own address."""
    clinic = talk.runtime.clinic
    text, label = talk.phrase("info_address", value=clinic.address), talk.phrase("button_map")
    return {"texto": text, "url": map_address(clinic), "label": label}


def answer(talk: Talk, heard: Understanding) -> Generator[Action, Result, str]:
    """The answers to every topic that was asked about, as one text."""
    yield from talk.go("product_info")
    topics = [topic for topic in _ORDER if topic in heard.intents]
    topics = [one for one in topics if _TOLD_BY.get(one) not in topics]
    if contains(heard.said, _WHERE_TO_PARK):
        topics = [one for one in topics if one != "address"]
    facts: dict[str, Any] = {}
    for tool in ("get_clinic_info", "get_services", "get_professionals"):
        if any(_NEEDS[topic] == tool for topic in topics):
            facts[tool] = (yield from talk.call(tool)).get("data") or {}
    answers = (_ANSWERS[topic](talk, facts[_NEEDS[topic]], heard) for topic in topics)
    return "\n\n".join(dict.fromkeys(answers))


def _meant(talk: Talk, heard: Understanding) -> set[str]:
    """The services that a question is about: those it names, or the one that is being booked."""
    return {one.id for one in heard.mentioned} or {talk.state.selected_service_id or ""}


def _price(talk: Talk, services: Any, heard: Understanding) -> str:
    meant = _meant(talk, heard)
    about = [one for one in services if one["service_id"] in meant] or services
    lines = [f"• {one['name']}: {one['price']}" for one in about]
    return talk.phrase("info_prices", lines="\n".join(lines))


def _services(talk: Talk, services: Any, _: Understanding) -> str:
    return talk.phrase("info_services", lines=_lines(services))


def _lines(services: Any) -> str:
    return "\n".join(f"• {one['name']} ({one['duration_minutes']} min): {one['price']}" for one in services)


def _offers(talk: Talk, services: Any, heard: Understanding) -> str:
    """What was asked for is not among them; where the clinic's notes speak of it, what they say."""
    asked = {word[:STEM] for word in heard.said if len(word) >= STEM and word not in EMPTY}
    noted = [one for one in parted(talk.runtime.clinic.notes) if any(word[:STEM] in asked for word in words(one))]
    lead = " ".join(noted) or talk.phrase("service_not_found")
    return joined(lead, _services(talk, services, heard))


def _offered(talk: Talk, services: Any, heard: Understanding) -> str:
    """What was asked for is."""
    meant = {one.id for one in heard.services}
    return talk.phrase("info_offered", lines=_lines([one for one in services if one["service_id"] in meant]))


def _about(talk: Talk, services: Any, heard: Understanding) -> str:
    """What the services that were named are."""
    meant = [one for one in services if one["service_id"] in {named.id for named in heard.mentioned}]
    return "\n\n".join(joined(_lines([one]), one["description"], "\n") for one in meant)


def _online(talk: Talk, services: Any, _: Understanding) -> str:
    able = [one for one in services if one["telemedicine"]]
    return talk.phrase("info_online", lines=_lines(able)) if able else talk.phrase("info_not_online")


def _duration(talk: Talk, services: Any, heard: Understanding) -> str:
    meant = _meant(talk, heard)
    about = [one for one in services if one["service_id"] in meant] or services
    minutes = [(one["name"], talk.phrase("info_minutes", minutes=str(one["duration_minutes"]))) for one in about]
    return talk.phrase("info_duration", lines="\n".join(f"• {name}: {long}" for name, long in minutes))


def _professionals(talk: Talk, professionals: Any, heard: Understanding) -> str:
    wanted = {one.id for one in heard.services}
    about = [one for one in professionals if not wanted or wanted & set(one["service_ids"])]
    return talk.phrase("info_professionals", lines=_people(about))


def _people(professionals: Any) -> str:
    facts = ((one["name"], one["specialty"], one["council"]) for one in professionals)
    return "\n".join("• " + ", ".join(part for part in each if part) for each in facts)


def _attends(talk: Talk, professionals: Any, heard: Understanding) -> str:
    """The days and hours of the professional who was named."""
    meant = heard.professional.id if heard.professional else ""
    named = [one for one in professionals if one["professional_id"] == meant]
    return "\n\n".join(talk.phrase("info_attends", professional_name=one["name"], value=one["hours"]) for one in named)


def _specialist(talk: Talk, professionals: Any, heard: Understanding) -> str:
    """Who has the specialty that was asked for; else everybody, and that nobody has it."""
    asked = {word[:STEM] for word in heard.said if talk.vocabulary.heard_in([word]) & {"specialist"}}
    able = [one for one in professionals if any(word[:STEM] in asked for word in words(one["specialty"] or ""))]
    if able:
        return talk.phrase("info_professionals", lines=_people(able))
    return talk.phrase("info_no_specialist", lines=_people(professionals))


def _preparation(talk: Talk, services: Any, heard: Understanding) -> str:
    """Of the services that are meant, or that were asked about or booked last; or else of all that need any."""
    meant = _meant(talk, heard)
    if meant == {""}:
        meant = {talk.state.about or talk.state.last.get("service_id", "")}
    known = [one for one in services if one["preparation"]]
    about = [one for one in known if one["service_id"] in meant] if meant != {""} else known
    lines = [f"• {one['name']}: {one['preparation']}" for one in about]
    if not lines:
        lines.append("• " + talk.phrase("info_no_preparation"))
    bring = ", ".join(talk.runtime.vertical.what_to_bring)
    if bring:
        lines.append("• " + talk.phrase("details_bring", things=bring))
    return talk.phrase("info_preparation", lines="\n".join(lines))


def _fact(field: str, phrase: str) -> Callable[[Talk, Any, Understanding], str]:
    def say(talk: Talk, clinic: Any, _: Understanding) -> str:
        value = clinic.get(field)
        if not value:
            return talk.phrase("info_unknown")
        return talk.phrase(phrase, value=", ".join(value) if isinstance(value, list) else str(value))

    return say


def _hours(talk: Talk, clinic: Any, heard: Understanding) -> str:
    """The opening hours; first of all that a day that was asked about is closed."""
    day, open_ = heard.when.date if heard.when else None, talk.runtime.clinic
    hours = talk.phrase("info_hours", value=clinic["hours"])
    if day is None or (day not in open_.closed and open_.hours.get(day.weekday())):
        return hours
    return joined(talk.phrase("refusal_closed", weekday_date=spoken_day(day, talk.runtime)), hours)


def _from_notes(topic: str) -> Callable[[Talk, Any, Understanding], str]:
    def say(talk: Talk, clinic: Any, _: Understanding) -> str:
        return " ".join(sentences(talk, clinic.get("notes") or "", topic)) or talk.phrase("info_unknown")

    return say


def _policy(talk: Talk, clinic: Any, heard: Understanding) -> str:
    """What is asked about being late, from the notes; else what the clinic says of cancelling."""
    policy = clinic.get("cancellation_policy") or ""
    if not heard.wants("late"):
        return policy or talk.phrase("info_unknown")
    return " ".join(sentences(talk, f"{clinic.get('notes') or ''}\n{policy}", "late")) or talk.phrase("info_unknown")


def _insurance(talk: Talk, clinic: Any, heard: Understanding) -> str:
    """A plan that was named and is accepted gets a yes; anything else the list, so that what is not on it is plain."""
    if not clinic["insurance"]:
        return talk.phrase("info_private_only")
    named = [one for one in clinic["insurance"] if contains(heard.said, words(one)[:1])]
    if named:
        return talk.phrase("info_insurance_yes", value=", ".join(named))
    if "particular" in heard.said and any(one.price_cents for one in talk.runtime.clinic.services):
        return talk.phrase("info_insurance_and_private", value=", ".join(clinic["insurance"]))
    return talk.phrase("info_insurance", value=", ".join(clinic["insurance"]))


_NEEDS = {
    **dict.fromkeys(
        ("price", "services", "offers", "offered", "about", "online", "preparation", "duration"), "get_services"
    ),
    **dict.fromkeys(("professionals", "attends", "specialist"), "get_professionals"),
    **dict.fromkeys(("address", "phone", "hours", "insurance", "payment", "policy", *NOTED), "get_clinic_info"),
}
_ANSWERS: Mapping[str, Callable[[Talk, Any, Understanding], str]] = {
    "attends": _attends,
    "specialist": _specialist,
    "price": _price,
    "duration": _duration,
    "services": _services,
    "offers": _offers,
    "offered": _offered,
    "about": _about,
    "online": _online,
    "preparation": _preparation,
    "professionals": _professionals,
    "address": _fact("address", "info_address"),
    "phone": _fact("phone", "info_phone"),
    "hours": _hours,
    "insurance": _insurance,
    "payment": _fact("payment_methods", "info_payment"),
    "policy": _policy,
    **{topic: _from_notes(topic) for topic in NOTED},
}


def parted(text: str) -> list[str]:
    """The sentences of `text`."""
    return [one for found in _SENTENCE.findall(text) if (one := found.strip())]


def sentences(talk: Talk, text: str, intent: str) -> list[str]:
    """The sentences of `text` that speak of `intent`."""
    return [one for one in parted(text) if intent in talk.vocabulary.heard_in(words(one))]


def noted(talk: Talk, intent: str) -> Generator[Action, Result, list[str]]:
    """What the clinic's notes and its cancellation policy say of `intent`."""
    yield from talk.go("product_info")
    facts = (yield from talk.call("get_clinic_info")).get("data") or {}
    return sentences(talk, f"{facts.get('notes') or ''}\n{facts.get('cancellation_policy') or ''}", intent)

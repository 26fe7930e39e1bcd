"""Questions about the clinic, answered from what its tools return."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from gendei.receptionist.guided.actions import Action, Result
from gendei.receptionist.guided.talk import Talk
from gendei.receptionist.guided.understanding import Understanding
from gendei.receptionist.language import contains, words

Facts = Mapping[str, Any]
TOPICS = (
    "price",
    "address",
    "phone",
    "hours",
    "services",
    "professionals",
    "insurance",
    "payment",
    "preparation",
    "policy",
)
"""The intents that ask for information, in the order in which they are answered."""


def answer(talk: Talk, heard: Understanding) -> Generator[Action, Result, str]:
    """The answers to every topic that was asked about, as one text."""
    yield from talk.go("product_info")
    topics = [topic for topic in TOPICS if topic in heard.intents]
    if "price" in topics and "services" in topics:
        topics.remove("services")
    facts: dict[str, Any] = {}
    for tool in ("get_clinic_info", "get_services", "get_professionals"):
        if any(_NEEDS[topic] == tool for topic in topics):
            facts[tool] = (yield from talk.call(tool)).get("data") or {}
    return "\n\n".join(_ANSWERS[topic](talk, facts[_NEEDS[topic]], heard) for topic in topics)


def _meant(talk: Talk, heard: Understanding) -> set[str]:
    """The services that a question is about: those it names, or the one that is being booked."""
    return {one.id for one in heard.mentioned} or {talk.state.selected_service_id or ""}


def _price(talk: Talk, services: Any, heard: Understanding) -> str:
    meant = _meant(talk, heard)
    about = [one for one in services if one["service_id"] in meant] or services
    lines = [f"• {one['name']}: {one['price']}" for one in about]
    return talk.phrase("info_prices", lines="\n".join(lines))


def _services(talk: Talk, services: Any, _: Understanding) -> str:
    lines = [f"• {one['name']} ({one['duration_minutes']} min): {one['price']}" for one in services]
    return talk.phrase("info_services", lines="\n".join(lines))


def _professionals(talk: Talk, professionals: Any, heard: Understanding) -> str:
    wanted = {one.id for one in heard.services}
    about = [one for one in professionals if not wanted or wanted & set(one["service_ids"])]
    lines = [
        "• " + ", ".join(part for part in (one["name"], one["specialty"], one["council"]) if part) for one in about
    ]
    return talk.phrase("info_professionals", lines="\n".join(lines))


def _preparation(talk: Talk, services: Any, heard: Understanding) -> str:
    meant = _meant(talk, heard)
    about = [one for one in services if one["service_id"] in meant and one["preparation"]]
    lines = [f"• {one['name']}: {one['preparation']}" for one in about]
    bring = ", ".join(talk.runtime.vertical.what_to_bring)
    if bring:
        lines.append("• " + talk.phrase("details_bring", things=bring))
    return talk.phrase("info_preparation", lines="\n".join(lines)) if lines else talk.phrase("info_unknown")


def _fact(field: str, phrase: str) -> Callable[[Talk, Any, Understanding], str]:
    def say(talk: Talk, clinic: Any, _: Understanding) -> str:
        value = clinic.get(field)
        if not value:
            return talk.phrase("info_unknown")
        return talk.phrase(phrase, value=", ".join(value) if isinstance(value, list) else str(value))

    return say


def _insurance(talk: Talk, clinic: Any, heard: Understanding) -> str:
    """A plan that was named and is accepted gets a yes; anything else the list, so that what is not on it is plain."""
    if not clinic["insurance"]:
        return talk.phrase("info_private_only")
    named = [one for one in clinic["insurance"] if contains(heard.said, words(one)[:1])]
    if named:
        return talk.phrase("info_insurance_yes", value=", ".join(named))
    return talk.phrase("info_insurance", value=", ".join(clinic["insurance"]))


_NEEDS = {
    "price": "get_services",
    "services": "get_services",
    "preparation": "get_services",
    "professionals": "get_professionals",
    "address": "get_clinic_info",
    "phone": "get_clinic_info",
    "hours": "get_clinic_info",
    "insurance": "get_clinic_info",
    "payment": "get_clinic_info",
    "policy": "get_clinic_info",
}
_ANSWERS: Mapping[str, Callable[[Talk, Any, Understanding], str]] = {
    "price": _price,
    "services": _services,
    "preparation": _preparation,
    "professionals": _professionals,
    "address": _fact("address", "info_address"),
    "phone": _fact("phone", "info_phone"),
    "hours": _fact("hours", "info_hours"),
    "insurance": _insurance,
    "payment": _fact("payment_methods", "info_payment"),
    "policy": _fact("cancellation_policy", "info_policy"),
}

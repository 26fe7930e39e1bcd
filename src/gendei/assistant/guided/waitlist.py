"""The errands about the waiting list: who is on it, and who joins or leaves it."""

from datetime import date, time

from gendei.assistant.guided.guide import PHONE, Guide, Option, Steps, ask, do, lines, named
from gendei.assistant.guided.listing import services_meant
from gendei.assistant.phrases import Phrase
from gendei.booking.dates import describe
from gendei.receptionist.guided.guided_turn import Result
from gendei.receptionist.understanding.language import words

_NOON, _SIX = time(12), time(18)


def show(guide: Guide) -> Steps[str]:
    """ "Quem está na lista de espera?", also of one person or service."""
    found = (yield from ask("list_waiting"))["waiting"]
    services, wanted = {service.id for service in guide.services()}, guide.names()
    meant = [each for each in found if not services or each["serviceId"] in services]
    if wanted and (called := [each for each in meant if named(wanted, each["patientName"])]):
        meant = called
    if not meant:
        return guide.say(Phrase.WAITLIST_NONE)
    return guide.say(Phrase.WAITLIST, list=lines(_line(guide, each) for each in meant))


def add(guide: Guide) -> Steps[str]:
    """ "Põe a Ana na lista de espera para limpeza, quinta à tarde": what is missing is asked for."""
    clinic, text = guide.clinic, PHONE.sub(" ", guide.text)
    when, phone = guide.when(text), PHONE.search(guide.text)
    services = guide.services() or (services_meant(guide.subject) if guide.subject else list(clinic.services))
    if len(services) != 1:
        names = [service.name for service in services]
        return guide.ask(Phrase.WHICH_SERVICE, names=", ".join(names), choices=names)
    able = clinic.professionals_for(services[0].id)
    who = [professional for professional in guide.professionals() if professional in able]
    labels = (
        services[0].name,
        *services[0].aliases,
        *(name for professional in who for name in (professional.name, *professional.aliases)),
    )
    others = {word for label in labels for word in words(label)}
    wanted = [word for word in guide.names(when.blanked(text)) if word not in others]
    if not wanted:
        return guide.ask(Phrase.WHICH_NAME)
    name, whose = guide.typed_name(wanted), phone[0].strip() if phone else ""
    if not whose:
        known = (yield from ask("search_patients", text=name[:100], limit=2))["patients"]
        if len(known) != 1 or not (known[0]["phone"] or known[0]["contact"]):
            return guide.ask(Phrase.WHICH_PHONE)
        name, whose = known[0]["name"], known[0]["phone"] or known[0]["contact"]
    asked = {"service_id": services[0].id, "patient_name": name, "phone": whose}
    if len(who) == 1:
        asked["professional_id"] = who[0].id
    if when.date is not None:
        asked |= {"first_day": when.date.isoformat(), "last_day": (when.end_date or when.date).isoformat()}
    if part := _part(when.time_from or when.time, when.time_to):
        asked["part_of_day"] = part
    return (yield from do("add_to_waiting_list", **asked))


def remove(guide: Guide) -> Steps[str]:
    """ "Tira a Ana da lista de espera"; where she waits for several things, which."""
    found, wanted = (yield from ask("list_waiting"))["waiting"], guide.names()
    if not wanted:
        return guide.ask(Phrase.WHICH_PATIENT)
    services = {service.id for service in guide.services()}
    meant = [each for each in found if named(wanted, each["patientName"])]
    meant = [each for each in meant if each["serviceId"] in services] or meant
    if not meant:
        return guide.say(Phrase.NOT_ON_WAITLIST, words=" ".join(wanted))
    if len(meant) > 1:
        return guide.which(
            [Option(_line(guide, each), "remove_from_waiting_list", {"entry_id": each["id"]}) for each in meant]
        )
    return (yield from do("remove_from_waiting_list", entry_id=meant[0]["id"]))


def _line(guide: Guide, entry: Result) -> str:
    service, last = guide.clinic.service(entry["serviceId"]), date.fromisoformat(entry["lastDay"])
    name = service.name if service else entry["serviceId"]
    return guide.say(Phrase.WAITLIST_LINE, name=entry["patientName"], service=name, when=describe(last, guide.now))


def _part(since: time | None, until: time | None) -> str:
    """The part of the day in which hours lie; "" for no hours, and for those of several parts."""
    if since is None:
        return "morning" if until is not None and until <= _NOON else ""
    if since >= _SIX:
        return "evening"
    if since >= _NOON:
        return "afternoon" if until is None or until <= _SIX else ""
    return "morning" if until is None or until <= _NOON else ""

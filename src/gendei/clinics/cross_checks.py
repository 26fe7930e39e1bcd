"""What no field of a clinic file shows by itself: ids, who performs what, channels, and what two clinics both claim.

It looks at the values as they were read, so that it is told beside errors of other fields; what is not of the right
type is left to them.
"""

from collections.abc import Iterator
from typing import Any

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinic import TEMPLATE_PURPOSES
from gendei.clinics.fields import RESERVED_IDS
from gendei.datafile import DataFile, Location, nearest
from gendei.errors import ConfigurationError

QUICK_REPLIES = {"reminder": 3, "confirmation": 3, "waiting_offer": 3, "no_show": 1, "survey": 5, "follow_up": 2}
"""How many options the messages of a purpose have, none where it is not named: a template's further buttons could not
be filled, and it would never leave."""


def cross_problems(file: DataFile) -> Iterator[ConfigurationError]:
    """Of one file."""
    yield from _id_problems(file)
    yield from _assignment_problems(file)
    yield from _channel_problems(file)
    yield from _template_problems(file)


def clashes(file: DataFile, owners: dict[tuple[str, str], str]) -> Iterator[ConfigurationError]:
    """The id and the numbers that another file has already. `owners`: the file of each so far; this one's are added."""
    for at, kind, value in _claims(file):
        other = owners.setdefault((kind, value), file.source)
        if other != file.source:
            problem = f"{kind} {file.shown(at, value)} belongs to {other} already."
            yield file.error(at, problem, "Give each clinic its own.")


def _claims(file: DataFile) -> Iterator[tuple[Location, str, str]]:
    if isinstance(clinic_id := file.data.get("id"), str):
        yield ("id",), "id", clinic_id
    for index, fields in _entries(file, "channels"):
        provider = fields.get("provider")
        if isinstance(provider, str) and (kind := CHANNEL_KINDS.get(provider)):
            name = kind.external_id[0]
            if isinstance(number := fields.get(name), str):
                yield ("channels", index, name), provider, number
            if isinstance(account := fields.get("waba_id"), str) and account:
                yield ("channels", index, "waba_id"), "waba_id", account


def _entries(file: DataFile, group: str) -> list[tuple[int, dict[str, Any]]]:
    found = file.data.get(group)
    return (
        [(index, fields) for index, fields in enumerate(found) if isinstance(fields, dict)]
        if isinstance(found, list)
        else []
    )


def _id_problems(file: DataFile) -> Iterator[ConfigurationError]:
    for group in ("services", "professionals"):
        seen = set()
        for index, entry in _entries(file, group):
            known_id, at = entry.get("id"), (group, index, "id")
            if not isinstance(known_id, str):
                continue
            if known_id in seen:
                yield file.error(at, "another one has this id.", "Give each its own.")
            if known_id in RESERVED_IDS:
                yield file.error(at, "this id has a meaning of its own.", "Choose another.")
            seen.add(known_id)


def _assignment_problems(file: DataFile) -> Iterator[ConfigurationError]:
    services = [(index, service.get("id")) for index, service in _entries(file, "services")]
    known = {service_id for _, service_id in services if isinstance(service_id, str)}
    offered: set[str] = set()
    all_read = len(known) == len({service_id for _, service_id in services}) and bool(known)
    for index, professional in _entries(file, "professionals"):
        at, performs = ("professionals", index), professional.get("services")
        hours = professional.get("hours")
        hours = file.data.get("hours") if hours is None else hours
        if isinstance(hours, dict) and all(ranges == [] for ranges in hours.values()):
            yield file.error(at, "never works.", "Give hours to the clinic or to the professional.")
        if not isinstance(performs, list) or not all(isinstance(service_id, str) for service_id in performs):
            all_read = False
            continue
        for position, service_id in enumerate(performs):
            place = (*at, "services", position)
            if service_id in performs[:position]:
                yield file.error(place, "this service is listed twice.", "Remove one.")
            elif service_id not in known and all_read:
                yield file.error(
                    place, f"there is no service {file.shown(place, service_id)}.", nearest(service_id, known)
                )
        offered.update(performs)
    if all_read and offered:
        for index, service_id in services:
            if service_id not in offered:
                remedy = f'Add "{service_id}" to the services of who performs it.'
                yield file.error(("services", index), f'no professional performs "{service_id}".', remedy)


def _channel_problems(file: DataFile) -> Iterator[ConfigurationError]:
    numbers: set[tuple[str, str]] = set()
    for index, written in _entries(file, "channels"):
        at, fields = ("channels", index), {name: _as_text(value) for name, value in written.items()}
        provider = fields.get("provider", "")
        if provider is None:
            continue
        kind = CHANNEL_KINDS.get(provider)
        if kind is None:
            yield file.error((*at, "provider"), "there is no such provider.", nearest(provider, CHANNEL_KINDS))
            continue
        for name in sorted(fields.keys() - kind.forms.keys() - {"provider"}):
            yield file.error((*at, name), "there is no such field.", nearest(name, {"provider", *kind.forms}))
        for name, form in sorted(kind.forms.items()):
            value = fields.get(name, "")
            if value is None:
                continue
            if not value.strip() and (name in fields or form.default is None):
                yield file.error((*at, name), "is missing.", "Add it.")
            elif value.strip() and not form.fits(value):
                yield file.error((*at, name), f"must be {form.in_words}.", form.remedy)
        number = (provider, fields.get(kind.external_id[0]) or "")
        if number in numbers:
            yield file.error((*at, kind.external_id[0]), "another channel has this number.", "Remove one.")
        if number[1]:
            numbers.add(number)


def _template_problems(file: DataFile) -> Iterator[ConfigurationError]:
    templates = file.data.get("templates")
    for purpose, template in templates.items() if isinstance(templates, dict) else ():
        replies = template.get("quick_replies") if isinstance(template, dict) else None
        most = QUICK_REPLIES.get(purpose, 0)
        if purpose in TEMPLATE_PURPOSES and isinstance(replies, int) and replies > most:
            problem = f"must not be more than {most}: the message has no more options for its buttons."
            fewer = f"Write {most} or less" if most else "Leave it out"
            remedy = f"{fewer}, and use a template that has no more quick replies."
            yield file.error(("templates", purpose, "quick_replies"), problem, remedy)


def _as_text(value: object) -> str | None:
    """A channel's field, true and false among them (see fields.TextOrFlag); None for what is no text."""
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else None

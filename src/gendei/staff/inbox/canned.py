"""The clinic's canned replies: gendei_clinics/{clinicId}/staff_settings/canned; those of the data file until then."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gendei.booking.appointment import Appointments
from gendei.booking.dates.rendering import describe, plain_clock
from gendei.clinic import Contact
from gendei.clock import Clock
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import Documents
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.messages.limits import MAX_TEXT, units
from gendei.records import Record
from gendei.staff.actors import Actor
from gendei.staff.inbox.rows import fold
from gendei.staff.patients import key_of
from gendei.staff.settings import ClinicSettings, Setting, SettingRefused

PLACEHOLDERS = ("paciente", "clínica", "endereço", "telefone", "atendente", "serviço", "profissional", "dia", "hora")
"""As staff write them, with or without accents. `telefone`: the clinic's; `atendente`: who writes. The last four: of
the patient's next appointment."""
_ONCE = (
    "patient",
    "clinic_name",
    "address",
    "clinic_phone",
    "attendant",
    "service",
    "professional",
    "weekday_date",
    "time",
)
"""What they were called once, as replies may still hold them."""
_KNOWN = {fold(name): name for name in PLACEHOLDERS} | dict(zip(_ONCE, PLACEHOLDERS, strict=True))
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Canned:
    """A text that staff send often. `id`: stable, for the page; `title`: under which staff find it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Filled:
    """`missing`: placeholders that nothing is known for; they stand in the text as they were, for the person to see."""

    text: str
    missing: tuple[str, ...]


def unknown_placeholders(text: str) -> list[str]:
    return [name for name in _PLACEHOLDER.findall(text) if fold(name) not in _KNOWN]


def with_present_names(text: str) -> str:
    """`text` with its placeholders called as in PLACEHOLDERS."""
    return _PLACEHOLDER.sub(lambda match: f"{{{_KNOWN.get(fold(match[1]), match[1])}}}", text)


def fill(text: str, values: Mapping[str, str]) -> Filled:
    """`text` with its placeholders replaced by what `values` has for them. Values are never read for placeholders."""
    missing: list[str] = []

    def value(match: re.Match[str]) -> str:
        name = _KNOWN.get(fold(match[1]), match[1])
        known = values.get(name, "")
        if not known:
            missing.append(name)
        return known or match[0]

    return Filled(_PLACEHOLDER.sub(value, text), tuple(dict.fromkeys(missing)))


MOST = 100
MAX_TITLE = 60


class BadCanned(SettingRefused):
    """A canned reply that cannot be kept: without title or text, too long, twice the same id, more than MOST, or with
    an unknown placeholder, which the message names."""

    field, cause = "replies", "bad_canned"


@dataclass(frozen=True, slots=True)
class CannedSet:
    """The texts that staff send often, in the clinic's order."""

    replies: tuple[Canned, ...]


def _checked(own: CannedSet) -> CannedSet:
    _check(own.replies)
    return CannedSet(tuple(Canned(reply.id, reply.title.strip(), reply.text.strip()) for reply in own.replies))


_OWN = Record(CannedSet, "gendei_clinics/{clinicId}/staff_settings/canned")
CANNED = Setting("canned", _OWN, _checked, lambda own: {"count": len(own.replies)})


class CannedReplies:
    """`settings`: hold them."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock, settings: ClinicSettings) -> None:
        self._documents, self._clinics, self._clock, self._settings = documents, clinics, clock, settings
        self._appointments = Appointments(documents, clock)

    async def list(self, actor: Actor) -> tuple[Canned, ...]:
        """In the clinic's order. Raises Forbidden."""
        own = await self._settings.read(actor, CANNED)
        return tuple(replace(reply, text=with_present_names(reply.text)) for reply in own.replies)

    async def save(self, actor: Actor, replies: Sequence[Canned]) -> None:
        """These, in this order, in place of what there was. Raises BadCanned, and Forbidden without the right to
        manage."""
        await self._settings.change(actor, CANNED, CannedSet(tuple(replies)))

    async def filled(self, actor: Actor, contact: str, reply_id: str) -> Filled:
        """The reply for this patient, for the composer: nothing is sent. Raises NotFound for an unknown reply or
        conversation, and Forbidden."""
        found = next((reply for reply in await self.list(actor) if reply.id == reply_id), None)
        if found is None:
            raise NotFound
        return fill(found.text, await self._values(actor, contact))

    async def _values(self, actor: Actor, contact: str) -> dict[str, str]:
        clinic = await self._clinics.get(actor.clinic_id)
        key = await home_of(self._documents, key_of(actor, contact))
        data = (await self._documents.get(key.path)).data
        if clinic is None or data is None:
            raise NotFound
        values = {
            "paciente": CONVERSATION.read(data).user_name or "",
            "clínica": clinic.name,
            "endereço": clinic.address,
            "telefone": clinic.phone,
            "atendente": actor.name,
        }
        coming = await self._appointments.of_contact(clinic, Contact(key.contact))
        if coming:
            first = coming[0]
            values |= {
                "serviço": first.service_name,
                "profissional": first.professional_name,
                "dia": describe(first.start.date(), clinic.local(self._clock())),
                "hora": plain_clock(first.start),
            }
        return values


def _check(replies: Sequence[Canned]) -> None:
    if len(replies) > MOST:
        raise BadCanned(f"at most {MOST}")
    if len({reply.id for reply in replies}) < len(replies):
        raise BadCanned("each needs an id of its own")
    for reply in replies:
        if not reply.id or not reply.title.strip() or not reply.text.strip():
            raise BadCanned("each needs an id, a title and a text")
        if len(reply.title) > MAX_TITLE or units(reply.text) > MAX_TEXT:
            raise BadCanned(f"{reply.id} is too long")
        if unknown := unknown_placeholders(reply.text):
            raise BadCanned(f"{{{unknown[0]}}} is no placeholder")

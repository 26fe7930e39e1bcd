"""The clinic's approved templates: which one serves a purpose, and what the provider last said of it.

What `gendei templates sync` learned stands in gendei_clinics/{clinicId}/templates/{name}_{language}. A template that
was never looked up is used all the same: the provider then says whether it may be.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from gendei.clinic import Clinic, ClinicId, MessageTemplate
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import Initiative, OutboxEntry
from gendei.documents import Documents, Query, Transaction, delete, document_id, put, transact
from gendei.errors import GendeiError
from gendei.messages.message import OutgoingTemplate
from gendei.records import ABSENT_WHEN_EMPTY, Moment, Record

APPROVED = "APPROVED"
MISSING = "MISSING"
REFUSED_STATUS: Mapping[str, str] = {"132001": MISSING, "132015": "PAUSED", "132016": "DISABLED"}
"""What Meta's code on sending tells of the template itself."""


class TemplateUnusable(GendeiError):
    """The clinic's template for this purpose cannot be sent. `gendei templates sync` tells what is approved."""


@dataclass(frozen=True, slots=True)
class ApprovedTemplate:
    """A template as the provider has it. `status` is APPROVED, PENDING, REJECTED, PAUSED, DISABLED, ...; `category`
    UTILITY, MARKETING or AUTHENTICATION; `quality` GREEN, YELLOW, RED or UNKNOWN. `parameters` and `quick_replies`
    count those of its body and its buttons; `beyond`: what it needs that we cannot fill, "" for nothing.
    `text`: what stands above its buttons, with {{1}}, {{2}} for the values; "" where that was not looked up yet.
    `synced_at`: when the provider said so; None as it comes from there."""

    name: str
    language: str
    status: str
    category: str = ""
    quality: str = ""
    parameters: int = 0
    quick_replies: int = 0
    beyond: str = ""
    text: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    synced_at: Moment | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.language

    def filled(self, values: Sequence[str]) -> str:
        """What the patient reads."""
        return _GAP.sub(lambda gap: values[int(gap[1]) - 1] if 0 < int(gap[1]) <= len(values) else gap[0], self.text)

    def misfit(self, wanted: MessageTemplate) -> str:
        """Why it cannot be sent as the clinic file describes it; "" when it can."""
        if self.status != APPROVED:
            return f"is {self.status}"
        if self.beyond:
            return f"needs {self.beyond}, which Gendei cannot fill"
        if self.parameters != len(wanted.parameters):
            return f"takes {self.parameters} parameters, and the clinic file gives {len(wanted.parameters)}"
        if self.quick_replies != wanted.quick_replies:
            return f"has {self.quick_replies} quick replies, and the clinic file says {wanted.quick_replies}"
        return ""


_GAP = re.compile(r"\{\{\s*(\d+)\s*\}\}", re.ASCII)
TEMPLATE = Record(ApprovedTemplate, "gendei_clinics/{clinicId}/templates/{name}_{language}")


@dataclass(frozen=True, slots=True)
class TemplateReport:
    """One template of the clinic file and what the provider says of it; `problem` is "" where it can be used."""

    purpose: str
    wanted: MessageTemplate
    found: ApprovedTemplate | None
    problem: str


class Templates:
    """What is known of the clinics' templates."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def for_entry(self, clinic: Clinic, entry: OutboxEntry) -> OutgoingTemplate:
        """What `entry` is sent as outside the service window. Raises TemplateUnusable, whose text names no patient."""
        initiative = entry.initiative
        wanted = clinic.template_for(initiative.purpose) if initiative else None
        if initiative is None or wanted is None:
            raise TemplateUnusable("no template serves this purpose")
        found = TEMPLATE.found(await self._documents.get(template_path(clinic.id, wanted.name, wanted.language)))
        if found is not None and (problem := found.misfit(wanted)):
            raise TemplateUnusable(f"template {wanted.name} {problem}")
        payloads = tuple(option.id for option in entry.reply.options[: wanted.quick_replies])
        if len(payloads) != wanted.quick_replies:
            raise TemplateUnusable(f"template {wanted.name} has more quick replies than the message has options")
        values = _parameters(wanted, initiative)
        return OutgoingTemplate(wanted.name, wanted.language, values, payloads, found.filled(values) if found else "")

    async def is_marketing(self, clinic: Clinic, purpose: str) -> bool:
        """Whether the provider counts the purpose's template as marketing; it may change its mind at any time."""
        wanted = clinic.template_for(purpose)
        if wanted is None:
            return False
        found = TEMPLATE.found(await self._documents.get(template_path(clinic.id, wanted.name, wanted.language)))
        return found is not None and found.category == "MARKETING"

    async def sync(self, clinic: Clinic, found: Sequence[ApprovedTemplate]) -> list[TemplateReport]:
        """Remember what the provider has for this clinic, in place of what was known before."""
        now = self._clock()
        known = {template.key: template for template in found}
        for wanted in clinic.templates.values():
            missing = ApprovedTemplate(wanted.name, wanted.language, MISSING)
            known.setdefault(missing.key, missing)
        documents = {
            template_path(clinic.id, *key): TEMPLATE.write(replace(template, synced_at=now))
            for key, template in known.items()
        }
        gone = [stored.path for stored in await self._documents.query(_all(clinic.id)) if stored.path not in documents]
        writes = [*(put(path, data) for path, data in documents.items()), *(delete(path) for path in gone)]
        for start in range(0, len(writes), 400):  # Firestore takes 500 in one commit
            await self._documents.commit(writes[start : start + 400])
        return await self.report(clinic)

    async def report(self, clinic: Clinic) -> list[TemplateReport]:
        """The templates of the clinic file, by purpose, with what the last `sync` found."""
        known = [TEMPLATE.read(stored.data) for stored in await self._documents.query(_all(clinic.id))]
        by_key = {template.key: template for template in known}
        reports = []
        for purpose, wanted in sorted(clinic.templates.items()):
            found = by_key.get((wanted.name, wanted.language))
            problem = "was not looked up yet" if found is None else found.misfit(wanted)
            reports.append(TemplateReport(purpose, wanted, found, problem))
        return reports

    async def refused(self, clinic_id: ClinicId, sent: tuple[str, str], code: str) -> None:
        """The provider refused a template on sending: do not use it until the next `sync`."""
        status = REFUSED_STATUS.get(code)
        if status is None:
            return

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(template_path(clinic_id, *sent))
            known = TEMPLATE.found(found) or ApprovedTemplate(*sent, status, synced_at=self._clock())
            transaction.put(found.path, TEMPLATE.write(replace(known, status=status)))

        await transact(self._documents, attempt)


def template_path(clinic_id: ClinicId, name: str, language: str) -> str:
    return f"{_all(clinic_id).collection}/{document_id(f'{name}_{language}')}"


def _all(clinic_id: ClinicId) -> Query:
    return Query(f"gendei_clinics/{document_id(clinic_id)}/templates")


def _parameters(wanted: MessageTemplate, initiative: Initiative) -> tuple[str, ...]:
    """The values in order, on one line: Meta refuses line breaks, tabs and long runs of spaces (132018)."""
    values = tuple(" ".join(initiative.values.get(name, "").split()) for name in wanted.parameters)
    for name, value in zip(wanted.parameters, values, strict=True):
        if not value:
            raise TemplateUnusable(f"template {wanted.name} needs {name}, and there is none")
    return values

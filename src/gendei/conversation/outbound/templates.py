"""The clinic's approved templates: which one serves a purpose, and what the provider last said of it.

What `gendei templates sync` and the provider's webhooks told stands in
gendei_clinics/{clinicId}/templates/{name}_{language}, and every send looks there. A template that was never looked up
is used all the same: the provider then says whether it may be.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Annotated

from gendei.clinic import Clinic, ClinicId, MessageTemplate
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import Initiative, OutboxEntry
from gendei.conversation.outbound.template_troubles import (
    Trouble,
    Troubles,
    TroubleTexts,
    is_meant_as_marketing,
    purposes_of,
    tell_staff,
)
from gendei.documents import Documents, Query, Transaction, delete, document_id, put, transact
from gendei.errors import GendeiError
from gendei.messages.account_notices import TemplateNotice
from gendei.messages.message import OutgoingTemplate
from gendei.records import ABSENT_WHEN_EMPTY, Moment, Record

APPROVED = "APPROVED"
MISSING = "MISSING"
MARKETING = "MARKETING"
STATUS, CATEGORY, QUALITY = "status", "category", "quality"
"""What the provider tells of a template, each on its own."""
REFUSED_STATUS: Mapping[str, str] = {"132001": MISSING, "132015": "PAUSED", "132016": "DISABLED"}
"""What Meta's code on sending tells of the template itself."""


RETOLD_WITHIN = timedelta(minutes=10)
"""What a webhook tells of longer ago than this before a look is old; our clock and the provider's may differ."""


class TemplateUnusable(GendeiError):
    """The clinic's template for this purpose cannot be sent. `gendei templates sync` tells what is approved."""


class TemplateNotApproved(TemplateUnusable):
    """The template for this purpose is not approved now, and may be again. `gendei templates sync` tells more."""


@dataclass(frozen=True, slots=True)
class ApprovedTemplate:
    """A template as the provider has it. `status` is APPROVED, PENDING, REJECTED, PAUSED, DISABLED, ...; `category`
    UTILITY, MARKETING or AUTHENTICATION; `quality` GREEN, YELLOW, RED or UNKNOWN. `parameters` and `quick_replies`
    count those of its body and its buttons; `beyond`: what it needs that we cannot fill, "" for nothing.
    `text`: what stands above its buttons, with {{1}}, {{2}} for the values; "" where that was not looked up yet.
    `synced_at`: when the provider said so; None as it comes from there. `reason`: the provider's word for a rejection.
    `correct_category`: what it announced to count it as soon. `status_only`: nothing but the status is known. `told`:
    when webhooks last told the status, category and quality, by the provider's clock."""

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
    reason: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    correct_category: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    status_only: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    told: Annotated[Mapping[str, Moment], ABSENT_WHEN_EMPTY] = field(default_factory=dict, compare=False)

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
        if self.status_only:
            return ""
        if self.beyond:
            return f"needs {self.beyond}, which Gendei cannot fill"
        if self.parameters != len(wanted.parameters):
            return f"takes {self.parameters} parameters, and the clinic file gives {len(wanted.parameters)}"
        if self.quick_replies != wanted.quick_replies:
            return f"has {self.quick_replies} quick replies, and the clinic file says {wanted.quick_replies}"
        return ""

    def troubles(self, purposes: list[str]) -> Troubles:
        """What staff should see to, where it is used for `purposes`."""
        costs = not is_meant_as_marketing(purposes)
        found = {
            STATUS: _OF_STATUS.get(self.status, Trouble.UNUSABLE),
            QUALITY: Trouble.POOR_QUALITY if self.quality == "RED" else None,
            CATEGORY: Trouble.MARKETING
            if costs and self.category == MARKETING
            else Trouble.MARKETING_SOON
            if costs and self.correct_category == MARKETING
            else None,
        }
        return {slot: trouble for slot, trouble in found.items() if trouble is not None}


_OF_STATUS: Mapping[str, Trouble | None] = {
    **dict.fromkeys((APPROVED, "PENDING", "IN_APPEAL")),
    "REJECTED": Trouble.REJECTED,
    "PAUSED": Trouble.PAUSED,
    "DISABLED": Trouble.DISABLED,
    MISSING: Trouble.MISSING,
}
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

    def __init__(self, documents: Documents, clock: Clock, texts: TroubleTexts | None = None) -> None:
        """texts: for staff, who are told of nothing without them."""
        self._documents, self._clock, self._texts = documents, clock, texts

    async def for_entry(self, clinic: Clinic, entry: OutboxEntry) -> OutgoingTemplate:
        """What `entry` is sent as outside the service window. Raises TemplateUnusable, whose text names no patient."""
        initiative = entry.initiative
        wanted = clinic.template_for(initiative.purpose) if initiative else None
        if initiative is None or wanted is None:
            raise TemplateUnusable("no template serves this purpose")
        found = TEMPLATE.found(await self._documents.get(template_path(clinic.id, wanted.name, wanted.language)))
        if found is not None and (problem := found.misfit(wanted)):
            if found.status != APPROVED:
                raise TemplateNotApproved(f"template {wanted.name} {problem}")
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
        return found is not None and found.category == MARKETING

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
        stood = {stored.path: TEMPLATE.read(stored.data) for stored in await self._documents.query(_all(clinic.id))}
        gone = [path for path in stood if path not in documents]
        writes = [*(put(path, data) for path, data in documents.items()), *(delete(path) for path in gone)]
        for start in range(0, len(writes), 400):  # Firestore takes 500 in one commit
            await self._documents.commit(writes[start : start + 400])
        for template in known.values():
            before = stood.get(template_path(clinic.id, *template.key))
            if self._changed(clinic, before, template):
                await transact(self._documents, partial(self._tell, clinic=clinic, before=before, after=template))
        return await self.report(clinic)

    async def keep(self, clinic: Clinic, template: ApprovedTemplate) -> None:
        """Remember one template that was made or looked up now."""
        await self._change(clinic, template.key, lambda _known: replace(template, synced_at=self._clock()))

    async def heard(self, clinic: Clinic, notice: TemplateNotice) -> bool:
        """Remember what the provider tells of a template that the clinic uses or knows, unless it told something newer
        before; whether it may be sent since then."""
        name, language = notice.name, notice.language
        used = bool(purposes_of(clinic, (name, language)))

        def change(known: ApprovedTemplate | None) -> ApprovedTemplate | None:
            if known is None and not used:
                return None
            return _after(known or ApprovedTemplate(name, language, APPROVED, status_only=True), notice)

        before, after = await self._change(clinic, (name, language), change)
        was_held = before is not None and before.status != APPROVED
        return was_held and after is not None and after.status == APPROVED

    async def report(self, clinic: Clinic) -> list[TemplateReport]:
        """The templates of the clinic file, by purpose, with what the last `sync` found."""
        known = [TEMPLATE.read(stored.data) for stored in await self._documents.query(_all(clinic.id))]
        by_key = {template.key: template for template in known}
        reports = []
        for purpose, wanted in sorted(clinic.templates.items()):
            found = by_key.get((wanted.name, wanted.language))
            problem = found.misfit(wanted) if found else ""
            problem = problem or ("was not looked up yet" if found is None or found.status_only else "")
            reports.append(TemplateReport(purpose, wanted, found, problem))
        return reports

    async def refused(self, clinic: Clinic, sent: tuple[str, str], code: str) -> None:
        """The provider refused a template on sending: do not use it until the next `sync`, or until the provider says
        that it may be used."""
        status = REFUSED_STATUS.get(code)
        if status is None:
            return
        new = ApprovedTemplate(*sent, status, synced_at=self._clock(), status_only=True)
        await self._change(clinic, sent, lambda known: replace(known or new, status=status))

    async def _change(
        self, clinic: Clinic, key: tuple[str, str], change: Callable[[ApprovedTemplate | None], ApprovedTemplate | None]
    ) -> tuple[ApprovedTemplate | None, ApprovedTemplate | None]:
        """Bring what is known of a template from one state to the next, with what staff are told of it."""

        async def attempt(transaction: Transaction) -> tuple[ApprovedTemplate | None, ApprovedTemplate | None]:
            found = await transaction.get(template_path(clinic.id, *key))
            before = TEMPLATE.found(found)
            after = change(before)
            if after is not None:
                transaction.put(found.path, TEMPLATE.write(after))
                if self._changed(clinic, before, after):
                    await self._tell(transaction, clinic, before, after)
            return before, after

        return await transact(self._documents, attempt)

    def _changed(self, clinic: Clinic, before: ApprovedTemplate | None, after: ApprovedTemplate) -> Troubles:
        """What staff are to hear of between the two, by what it is about; an end of trouble too."""
        purposes = purposes_of(clinic, after.key)
        if self._texts is None or not purposes:
            return {}
        stood, stands = before.troubles(purposes) if before else {}, after.troubles(purposes)
        slots = [slot for slot in (STATUS, CATEGORY, QUALITY) if stood.get(slot) != stands.get(slot)]
        return {slot: stands.get(slot) or stood[slot] for slot in slots}

    async def _tell(
        self, transaction: Transaction, clinic: Clinic, before: ApprovedTemplate | None, after: ApprovedTemplate
    ) -> None:
        now, stands = self._clock(), after.troubles(purposes_of(clinic, after.key))
        for slot in self._changed(clinic, before, after):
            trouble = stands.get(slot)
            task = self._texts.task(trouble, after.name, after.reason, now) if trouble and self._texts else None
            await tell_staff(transaction, clinic.id, f"template/{after.name}/{after.language}/{slot}", task, now)


def _after(known: ApprovedTemplate, notice: TemplateNotice) -> ApprovedTemplate:
    """The template with what is news in `notice`."""
    since = known.synced_at - RETOLD_WITHIN if known.synced_at else notice.at
    said = {
        STATUS: {} if notice.status is None else {"status": notice.status, "reason": notice.reason},
        CATEGORY: {
            name: value
            for name, value in (("category", notice.category), ("correct_category", notice.correct_category))
            if value is not None
        },
        QUALITY: {} if notice.quality is None else {"quality": notice.quality},
    }
    for slot, fields in said.items():
        if fields and notice.at >= max(since, known.told.get(slot, since)):
            if known.status == MISSING:  # what comes in its place may be another
                known = replace(known, status_only=True)
            known = replace(known, **fields, told={**known.told, slot: notice.at})  # type: ignore[arg-type]  # its fields
    return known


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

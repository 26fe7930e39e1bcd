"""A clinic's templates for who manages it: made at the provider, looked up, and written into the clinic's data."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from gendei.channel_kinds import capabilities
from gendei.clinic import TEMPLATE_PURPOSES, Channel, Clinic
from gendei.clinics.field_paths import dotted
from gendei.conversation.outbound.account_notices import ACCOUNT, AccountState, account_states, accounts_of
from gendei.conversation.outbound.template_troubles import Trouble
from gendei.conversation.outbound.templates import APPROVED, ApprovedTemplate, TemplateReport, Templates
from gendei.documents import Documents
from gendei.errors import GendeiError
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.templates.office import (
    CreationRefused,
    NameTaken,
    NoAccount,
    OfficeUnavailable,
    TemplateOffice,
    TooManyCreations,
)
from gendei.staff.templates.standard import StandardTemplates, values_of
from gendei.staff.templates.wording import Draft, Fault
from gendei.texts import fill

SOURCE = "templates"


class TemplateRefused(GendeiError):
    """No template was made. Do what the sentence for staff says. Its cause, if any, is in operators' words."""

    def __init__(self, reason: Fault, text: str) -> None:
        """text: why, for staff, in Portuguese."""
        self.reason, self.text = reason, text
        super().__init__(str(reason))


@dataclass(frozen=True, slots=True)
class PurposeState:
    """One purpose at the clinic. `report`: the template that serves it, None where none does. `standard`: what comes
    with the product for it, None where nothing does. `troubles`: what staff should see to."""

    purpose: str
    report: TemplateReport | None
    standard: Draft | None
    troubles: Sequence[Trouble] = ()


@dataclass(frozen=True, slots=True)
class ClinicTemplatesState:
    """All purposes, in the product's order and then the clinic's own; and what was last told of its accounts."""

    purposes: Sequence[PurposeState]
    accounts: Sequence[AccountState]


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one template. `status` as the provider has it; "" where there is none for `fault`, and `text` says
    why. `was_there`: the account had it already."""

    purpose: str
    name: str
    status: str = ""
    was_there: bool = False
    fault: Fault | None = None
    text: str = ""


@dataclass(frozen=True)
class ClinicTemplates:
    """All raise Forbidden without the right to manage the clinic. offices: by the provider of a channel."""

    documents: Documents
    clinics: Clinics
    templates: Templates
    offices: Mapping[str, TemplateOffice]
    standard: StandardTemplates
    changes: ClinicChanges

    async def state(self, actor: Actor) -> ClinicTemplatesState:
        """What is known now; nobody is asked."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        reports = {report.purpose: report for report in await self.templates.report(clinic)}
        found = await self.documents.query(account_states(clinic.id))
        purposes = [
            PurposeState(
                purpose,
                report := reports.get(purpose),
                self._draft(purpose),
                tuple(report.found.troubles([purpose]).values()) if report and report.found else (),
            )
            for purpose in (*TEMPLATE_PURPOSES, *(name for name in reports if name not in TEMPLATE_PURPOSES))
        ]
        return ClinicTemplatesState(purposes, [ACCOUNT.read(each.data) for each in found])

    async def look_up(self, actor: Actor) -> ClinicTemplatesState:
        """Ask the provider for all templates of the clinic's accounts, and remember them. Raises TemplateRefused."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        found = [each for channel in self._channels(clinic) for each in await self._of(channel)]
        await self.templates.sync(clinic, found)
        return await self.state(actor)

    async def set_up(self, actor: Actor, purposes: Collection[str] = ()) -> list[Made]:
        """Make the standard template of each purpose, or of all that the clinic has none for and that cost no
        marketing, and write them into the clinic in one change. What the account has already is taken as it is, so that
        it may be done again. Raises TemplateRefused where none could be asked for, and ChangeRefused."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        lacking = [name for name in self.standard.templates if name not in clinic.templates]
        drafts = [self._draft(name) for name in purposes or lacking]
        if None in drafts:
            raise self._refused(Fault.NO_SUCH_PURPOSE)
        wanted = [draft for draft in drafts if draft and (purposes or draft.category != "MARKETING")]
        return await self._make(actor, clinic, wanted)

    async def create(self, actor: Actor, purpose: str, body: str, name: str = "") -> Made:
        """Make a template of the clinic's own words, with the standard one's buttons, in the place of what served the
        purpose. name: "" for one of its own. Raises TemplateRefused, and ChangeRefused."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        standard = self._draft(purpose)
        if standard is None:
            raise self._refused(Fault.NO_SUCH_PURPOSE)
        draft = replace(standard, body=body.strip(), name=name.strip())
        if not draft.name:
            own = sha256(draft.body.encode()).hexdigest()[:6]
            draft = replace(draft, name=standard.name if draft.body == standard.body else f"{standard.name}_{own}")
        if found := self.standard.faults_of(draft):
            raise self._refused(found[0], purpose=purpose)
        [made] = await self._make(actor, clinic, [draft])
        if made.fault is not None:
            raise TemplateRefused(made.fault, made.text)
        return made

    async def _make(self, actor: Actor, clinic: Clinic, drafts: Sequence[Draft]) -> list[Made]:
        """Have each at every account of the clinic, then in the clinic. Nothing is made where the clinic cannot be
        changed."""
        channels = self._channels(clinic)
        if not drafts:
            return []
        version = (await self.changes.read(actor)).version
        edits = {draft.purpose: Edit(dotted(("templates", draft.purpose)), _as_written(draft)) for draft in drafts}
        seen = await self.changes.preview(actor, version, list(edits.values()), with_effects=False)
        if seen.problems:  # which saving refuses
            await self.changes.save(actor, version, list(edits.values()), source=SOURCE)
        self.changes.require_fresh_factor(actor, seen.fields)
        there = {channel.external_id: {each.key: each for each in await self._of(channel)} for channel in channels}
        done: list[Made] = []
        for draft in drafts:
            if done and done[-1].fault is Fault.BUSY:
                done.append(replace(done[-1], purpose=draft.purpose, name=draft.name))
                continue
            done.append(await self._at_all(clinic, draft, channels, there))
        made = [edits[each.purpose] for each in done if each.fault is None]
        if made:
            await self.changes.save(actor, version, made, source=SOURCE)
        return done

    async def _at_all(
        self,
        clinic: Clinic,
        draft: Draft,
        channels: Sequence[Channel],
        there: dict[str, dict[tuple[str, str], ApprovedTemplate]],
    ) -> Made:
        """The template at each account. Where they differ, what is told is of one that is not approved."""
        told: Made | None = None
        for channel in channels:
            try:
                found = there[channel.external_id].get(draft.key)
                has = found or await self.offices[channel.provider].create(channel, draft)
            except (CreationRefused, NameTaken, TooManyCreations, OfficeUnavailable) as error:
                return self._not_made(draft, error)
            if replace(has, status=APPROVED).misfit(draft.template):
                return self._not_made(draft, NameTaken())
            if told is None or told.status == APPROVED:
                told = Made(draft.purpose, draft.name, has.status, found is not None)
                await self.templates.keep(clinic, has)
        return told or self._not_made(draft, OfficeUnavailable())

    def _not_made(self, draft: Draft, error: Exception) -> Made:
        fault = next(fault for kind, fault in _FAULTS.items() if isinstance(error, kind))
        return Made(draft.purpose, draft.name, fault=fault, text=self._refused(fault, str(error)).text)

    async def _of(self, channel: Channel) -> list[ApprovedTemplate]:
        try:
            return await self.offices[channel.provider].of(channel)
        except OfficeUnavailable as error:
            raise self._refused(Fault.UNREACHABLE, str(error)) from error

    def _channels(self, clinic: Clinic) -> list[Channel]:
        """One for each account. Raises TemplateRefused where there is none."""
        found = list(accounts_of(clinic).values())
        if not found:
            for channel in clinic.channels:
                if capabilities(channel.provider).has_window:
                    raise self._refused(Fault.NO_ACCOUNT) from NoAccount(channel)
            raise self._refused(Fault.NO_NUMBER)
        return found

    def _draft(self, purpose: str) -> Draft | None:
        return self.standard.draft(purpose) if purpose in self.standard.templates else None

    def _refused(self, fault: Fault, reason: str = "", purpose: str = "") -> TemplateRefused:
        values = ", ".join(f"{{{name}}}" for name in sorted(values_of(purpose)))
        return TemplateRefused(fault, fill(self.standard.faults[fault], {"reason": reason, "values": values}))


def open_templates(  # its parts, given in app.py
    documents: Documents,
    clinics: Clinics,
    templates: Templates,
    folder: Path,
    changes: ClinicChanges,
    offices: Mapping[str, TemplateOffice],
) -> ClinicTemplates:
    """With the standard templates of the prompts' `folder`. Raises ConfigurationError."""
    return ClinicTemplates(documents, clinics, templates, offices, StandardTemplates.load(folder), changes)


_FAULTS: dict[type[Exception], Fault] = {
    NameTaken: Fault.NAME_TAKEN,
    TooManyCreations: Fault.BUSY,
    CreationRefused: Fault.REFUSED,
    OfficeUnavailable: Fault.UNREACHABLE,
}


def _as_written(draft: Draft) -> dict[str, object]:
    """As the clinic's file has it."""
    template = draft.template
    return {
        "name": template.name,
        "language": template.language,
        "parameters": list(template.parameters),
        "quick_replies": template.quick_replies,
    }

"""What speaks against a campaign: its template, its number, the account, what became of its last messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gendei.campaigns.campaign import PURPOSE, Campaign, Halt
from gendei.campaigns.campaign_texts import CampaignFault
from gendei.campaigns.recipient import Recipient, RecipientState
from gendei.channel_kinds import capabilities
from gendei.clinic import Channel, Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.account_notices import ACCOUNT, account_states
from gendei.conversation.outbound.channel_states import STOP, state_path
from gendei.conversation.outbound.templates import MARKETING, ApprovedTemplate, Templates
from gendei.documents import Documents
from gendei.messages.account_notices import AccountEvent
from gendei.staff.connecting.ledger import connections_of
from gendei.staff.connecting.looks import BAD_QUALITY
from gendei.staff.connecting.texts import Check

BUTTONS = 2
"""Quick replies of a campaign's template: a booking, and no more of this."""
JUDGED_FROM = 20
"""So many messages whose fate is known before a share of them halts a campaign."""
MOST_FAILED, MOST_LEFT = 0.25, 0.1
_ACCOUNT_HALTS = {
    AccountEvent.DISABLED: Halt.ACCOUNT,
    AccountEvent.RESTRICTED: Halt.ACCOUNT,
    AccountEvent.VIOLATION: Halt.ACCOUNT,
    AccountEvent.FLAGGED: Halt.QUALITY,
}


@dataclass(frozen=True)
class CampaignGuards:
    """Reads the store; nothing is changed."""

    documents: Documents
    clock: Clock
    templates: Templates

    def channel(self, clinic: Clinic) -> Channel | None:
        """The clinic's number that templates go over; None where it has none."""
        return next((each for each in clinic.channels if capabilities(each.provider).has_window), None)

    async def template(self, clinic: Clinic, purpose: str = PURPOSE) -> ApprovedTemplate | CampaignFault:
        """The template of campaigns as the provider has it, or why it cannot serve."""
        reports = {report.purpose: report for report in await self.templates.report(clinic)}
        report = reports.get(purpose)
        if report is None:
            return CampaignFault.NO_TEMPLATE
        if report.found is None or report.problem:
            return CampaignFault.TEMPLATE_UNFIT
        if report.found.category != MARKETING:
            return CampaignFault.NO_MARKETING_TEMPLATE
        return report.found if report.wanted.quick_replies == BUTTONS else CampaignFault.NO_WAY_OUT

    async def trouble(self, clinic: Clinic, campaign: Campaign) -> Halt | None:
        """What halts the campaign now, apart from what became of its messages."""
        channel = self.channel(clinic)
        if channel is None:
            return Halt.NO_NUMBER
        wanted = clinic.template_for(campaign.purpose)
        same = wanted is not None and (wanted.name, wanted.language) == campaign.template
        if not same or isinstance(await self.template(clinic, campaign.purpose), CampaignFault):
            return Halt.TEMPLATE
        if await self._is_stopped(clinic, channel):
            return Halt.NUMBER_STOPPED
        if (told := await self._told_of_account(clinic, channel, campaign.judged_since)) is not None:
            return told
        return Halt.QUALITY if await self._is_red(clinic, channel) else None

    async def text_of(self, clinic: Clinic, campaign: Campaign) -> str:
        """What patients read above the buttons, with {{1}} and so on for the values; "" where nobody knows it."""
        found = await self.template(clinic, campaign.purpose)
        return found.text if isinstance(found, ApprovedTemplate) else ""

    def filled(self, clinic: Clinic, campaign: Campaign, text: str, values: Mapping[str, str]) -> str:
        """The text with one patient's values, as it stands in the history."""
        wanted = clinic.template_for(campaign.purpose)
        parameters = [values.get(name, "") for name in wanted.parameters] if wanted else []
        shown = ApprovedTemplate(*campaign.template, "", text=text).filled(parameters)
        return shown or f"[{campaign.template[0]}]"

    async def _is_stopped(self, clinic: Clinic, channel: Channel) -> bool:
        stop = STOP.found(await self.documents.get(state_path(clinic.id, channel.provider, channel.external_id)))
        if stop is None or not stop.stopped:
            return False
        return stop.until is None or stop.until > self.clock()

    async def _told_of_account(self, clinic: Clinic, channel: Channel, since: datetime) -> Halt | None:
        """What Meta last told of the account. A violation counts from when the campaign went on: no event ends it."""
        ours = channel.settings.get("waba_id")
        for each in await self.documents.query(account_states(clinic.id)):
            state = ACCOUNT.read(each.data)
            ended = state.until is not None and state.until <= self.clock()
            old = state.event is AccountEvent.VIOLATION and state.at < since
            if state.account == ours and not ended and not old and state.event in _ACCOUNT_HALTS:
                return _ACCOUNT_HALTS[state.event]
        return None

    async def _is_red(self, clinic: Clinic, channel: Channel) -> bool:
        """Whether the last look after the number found its quality red."""
        return any(
            finding.check == Check.QUALITY and finding.value in BAD_QUALITY
            for connection in await connections_of(self.documents, clinic.id)
            if connection.facts.get("phone_number_id") == channel.external_id
            for finding in connection.findings
        )


def halt_of(recent: Sequence[Recipient], since: datetime) -> Halt | None:
    """What becomes of the last messages halts the campaign, where too many failed or led to an opt-out. Blocks
    are told by nobody: they show as messages that fail, and as the number's quality."""
    judged = [
        each
        for each in recent
        if each.sent_at is not None and each.sent_at >= since and (each.reached or each.state is RecipientState.OVER)
    ]
    if len(judged) < JUDGED_FROM:
        return None
    if sum(each.has_failed for each in judged) > MOST_FAILED * len(judged):
        return Halt.FAILURES
    return Halt.OPT_OUTS if sum(each.has_left for each in judged) > MOST_LEFT * len(judged) else None

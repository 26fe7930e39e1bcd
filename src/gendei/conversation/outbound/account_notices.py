"""What the provider tells of accounts and templates: stored for each clinic that the account is of, and acted on.

A template's state is read by every send, so that a pause holds in all processes at once. What was done to an account
stops the numbers of it (`channel_states`); an account is named by the `waba_id` of a clinic's channel.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from gendei.channel_kinds import capabilities
from gendei.clinic import Channel, Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.outbound.channel_states import ChannelStates, ChannelStop, Scope, resume_channel
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY
from gendei.conversation.outbound.template_troubles import OF_ACCOUNTS, TroubleTexts, tell_staff
from gendei.conversation.outbound.templates import Templates
from gendei.documents import Documents, Query, Transaction, document_id, transact
from gendei.messages.account_notices import AccountEvent, AccountNotice, Notice, TemplateNotice
from gendei.messages.channels import Clinics
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.records import ABSENT_WHEN_NONE, Moment, Record

log = logging.getLogger(__name__)
PAGE = 200
_ENDS = {AccountEvent.REINSTATED: AccountEvent.DISABLED, AccountEvent.UNFLAGGED: AccountEvent.FLAGGED}
"""What is over with an event."""
_STOPS = {AccountEvent.DISABLED: Scope.ALL, AccountEvent.RESTRICTED: Scope.PROACTIVE}
_TOLD_BY_ACCOUNT = "the account: "
"""How the reason of a stop begins that an account's notice made, and its end ends."""


@dataclass(frozen=True, slots=True)
class AccountState:
    """What was last told of an account, or of one of its numbers; `detail` in the provider's word."""

    account: str
    event: AccountEvent
    at: Moment
    detail: str = ""
    until: Annotated[Moment | None, ABSENT_WHEN_NONE] = None


ACCOUNT = Record(AccountState, "gendei_clinics/{clinicId}/accounts/{accountId}_{about}")


def accounts_of(clinic: Clinic) -> dict[str, Channel]:
    """The accounts of the clinic's numbers that have templates, each with a channel that can ask about it."""
    needing = [channel for channel in clinic.channels if capabilities(channel.provider).has_window]
    return {account: channel for channel in reversed(needing) if (account := channel.settings.get("waba_id"))}


def account_path(clinic_id: ClinicId, account: str, about: str) -> str:
    return f"{account_states(clinic_id).collection}/{document_id(f'{account}_{about}')}"


def account_states(clinic_id: ClinicId) -> Query:
    """What was last told of the clinic's accounts, of each kind of event."""
    return Query(f"gendei_clinics/{document_id(clinic_id)}/accounts")


@dataclass(frozen=True)
class AccountNotices:
    """on_sending: told which conversations may go on. texts: for staff, who are told of nothing without them."""

    documents: Documents
    clinics: Clinics
    clock: Clock
    templates: Templates
    channels: ChannelStates
    on_sending: Callable[[ConversationKey], None]
    texts: TroubleTexts | None = None

    async def take(self, notices: Sequence[Notice]) -> None:
        """Make `notices` durable at every clinic that has the account; nobody has it, nothing happens. Raises
        StoreUnavailable and TooContended."""
        for notice in notices:
            for clinic in self.clinics.all():
                if notice.account not in accounts_of(clinic):
                    continue
                if isinstance(notice, TemplateNotice):
                    if await self.templates.heard(clinic, notice):
                        await self._go_on(clinic)
                else:
                    await self._take_account(clinic, notice)

    async def _take_account(self, clinic: Clinic, notice: AccountNotice) -> None:
        if await transact(self.documents, partial(self._remember, clinic=clinic, notice=notice)):
            log.error("account %s of clinic %s: %s %s", notice.account, clinic.id, notice.event, notice.detail)
            await self._act(clinic, notice)

    async def _remember(self, transaction: Transaction, clinic: Clinic, notice: AccountNotice) -> bool:
        """Whether it is news."""
        about = _ENDS.get(notice.event, notice.event)
        found = await transaction.get(account_path(clinic.id, notice.account, about))
        known = ACCOUNT.found(found)
        if known is not None and notice.at < known.at:
            return False
        state = AccountState(notice.account, notice.event, notice.at, notice.detail, notice.until)
        transaction.put(found.path, ACCOUNT.write(state))
        trouble = OF_ACCOUNTS.get(notice.event)
        now = self.clock()
        task = self.texts.task(trouble, notice.account, "", now) if self.texts and trouble else None
        await tell_staff(transaction, clinic.id, f"account/{notice.account}/{about}", task, now)
        return known != state

    async def _act(self, clinic: Clinic, notice: AccountNotice) -> None:
        """Stop the account's numbers, or let them send again."""
        ours = [channel for channel in clinic.channels if channel.settings.get("waba_id") == notice.account]
        for channel in ours:
            if scope := _STOPS.get(notice.event):
                reason = f"{_TOLD_BY_ACCOUNT}{notice.event} {notice.detail}"
                await self.channels.stop(clinic.id, channel, reason, scope, until=notice.until)
            elif notice.event is AccountEvent.REINSTATED:
                await self.channels.refresh()
                stop = self.channels.known(channel)
                if stop is not None and stop.reason.startswith(_TOLD_BY_ACCOUNT):
                    await self._resume(stop)

    async def _resume(self, stop: ChannelStop) -> None:
        await resume_channel(self.documents, stop, self.clock())
        await self.channels.refresh()

    async def _go_on(self, clinic: Clinic) -> None:
        """Look at once at what waits at the clinic for a template."""
        due = Query(
            OUTBOX,
            where=(("open", "==", True), ("dueAt", "<=", self.clock())),
            order_by=(("dueAt", False),),
            limit=PAGE,
        )
        while found := await self.documents.query(due):
            for entry in (OUTBOX_ENTRY.read(snapshot.data, id=snapshot.id) for snapshot in found):
                if entry.clinic_id == clinic.id and entry.initiative is not None:
                    self.on_sending(entry.key)
            if len(found) < PAGE:
                return
            due = due.after(found[-1])

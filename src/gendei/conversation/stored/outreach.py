"""What we may start ourselves with a contact: gendei_clinics/{clinicId}/outreach/{contact}. Not asked for replies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Snapshot, Transaction, document_id, transact
from gendei.messages.keys import ConversationKey
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record

MARKETING_PURPOSES = frozenset({"follow_up"})
WANTED_BY_SOME = MARKETING_PURPOSES | {"survey"}
"""What nobody gets who stopped marketing: a survey is none, and is not needed either."""
NOT_NOW_FOR = timedelta(hours=24)
"""After Meta chose not to deliver (130472, 131049)."""
DAYS_REMEMBERED = 7
WORDS_KEPT = 20
"""Of what a patient said about marketing before the last word, the latest."""


class ConsentWay(StrEnum):
    """How a patient's word about marketing became known: to staff, who wrote it down, or in the conversation."""

    STAFF = "staff"
    PATIENT = "patient"


@dataclass(frozen=True, slots=True)
class MarketingWord:
    """The patient's last word about marketing. `by`: the member of staff who wrote it down."""

    agreed: bool
    at: Moment
    how: ConsentWay
    by: Annotated[str, ABSENT_WHEN_EMPTY] = ""


@dataclass(frozen=True, slots=True)
class Outreach:
    """`opted_out_at`: the patient wants nothing but answers. `no_marketing_since`: they stopped marketing, as WhatsApp
    or they themselves say. `paused_until`: the provider asks for patience. `sent_on`: how many, by local day.
    `marketing`: their last word about it; `marketing_before`: the words before that one, in order, since a clinic has
    to show how a consent was given. `campaign_at`: when a campaign wrote to them last."""

    opted_out_at: Moment | None = None
    no_marketing_since: Moment | None = None
    paused_until: Moment | None = None
    sent_on: Mapping[str, int] = field(default_factory=dict)
    marketing: Annotated[MarketingWord | None, ABSENT_WHEN_NONE] = None
    campaign_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    marketing_before: Annotated[tuple[MarketingWord, ...], ABSENT_WHEN_EMPTY] = ()

    @property
    def wants_marketing(self) -> bool:
        """Whether they agreed to it, and took it back in no way."""
        stopped = self.opted_out_at is not None or self.no_marketing_since is not None
        return not stopped and self.marketing is not None and self.marketing.agreed

    def with_word(self, word: MarketingWord) -> "Outreach":
        """With their new word about marketing. A yes takes back an earlier no to it, and nothing else."""
        return replace(self._said(word), no_marketing_since=None if word.agreed else word.at)

    def opted_out(self, at: datetime, how: ConsentWay = ConsentWay.PATIENT, by: str = "") -> "Outreach":
        """They want nothing but answers. It takes back a yes to marketing for good: who wants reminders again has not
        asked for marketing again."""
        agreed = self.marketing is not None and self.marketing.agreed
        known = self._said(MarketingWord(False, at, how, by)) if agreed else self
        return replace(known, opted_out_at=self.opted_out_at or at)

    def opted_in(self) -> "Outreach":
        """They want messages again, but for marketing."""
        return replace(self, opted_out_at=None)

    def _said(self, word: MarketingWord) -> "Outreach":
        before = (*self.marketing_before, *([self.marketing] if self.marketing else []))
        return replace(self, marketing=word, marketing_before=before[-WORDS_KEPT:])

    def count_on(self, day: date) -> int:
        return self.sent_on.get(day.isoformat(), 0)

    def counted(self, day: date) -> "Outreach":
        """With one more on `day`; days long past are forgotten."""
        oldest = (day - timedelta(days=DAYS_REMEMBERED)).isoformat()
        kept = {day: count for day, count in self.sent_on.items() if day > oldest}
        return replace(self, sent_on={**kept, day.isoformat(): self.count_on(day) + 1})


OUTREACH = Record(Outreach, "gendei_clinics/{clinicId}/outreach/{contact}")


def outreach_of(found: Snapshot) -> Outreach:
    """What a document says; nothing where there is none."""
    return OUTREACH.found(found) or Outreach()


def outreach_path(key: ConversationKey) -> str:
    return f"gendei_clinics/{document_id(key.clinic_id)}/outreach/{document_id(key.contact)}"


def recipients_of(clinic_id: ClinicId) -> str:
    """The collection of those to whom the clinic's campaigns go, of all of them (gendei.campaigns.recipient)."""
    return f"gendei_clinics/{document_id(clinic_id)}/campaign_recipients"


class OutreachBook:
    """Changes of one contact's record."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def of(self, key: ConversationKey) -> Outreach:
        return outreach_of(await self._documents.get(outreach_path(key)))

    async def opt_out(self, key: ConversationKey) -> None:
        """From now on only answers; what is queued already is dropped when its time comes."""
        await self._change(key, lambda known: known.opted_out(self._clock()))

    async def opt_in(self, key: ConversationKey) -> None:
        await self._change(key, Outreach.opted_in)

    async def pause(self, key: ConversationKey) -> None:
        """Start nothing for a day: the provider chose not to deliver."""
        await self._change(key, lambda known: replace(known, paused_until=self._clock() + NOT_NOW_FOR))

    async def stop_marketing(self, key: ConversationKey) -> None:
        await self._change(key, lambda known: replace(known, no_marketing_since=self._clock()))

    async def hear(self, key: ConversationKey, word: MarketingWord) -> None:
        """Remember what they say about marketing; it holds for the next message that leaves."""
        await self._change(key, lambda known: known.with_word(word))

    async def _change(self, key: ConversationKey, change: Callable[[Outreach], Outreach]) -> None:
        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(outreach_path(key))
            transaction.put(found.path, OUTREACH.write(change(outreach_of(found))))

        await transact(self._documents, attempt)

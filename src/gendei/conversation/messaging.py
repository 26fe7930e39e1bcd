"""The conversation's parts, wired to each other; the composition root gives what is outside of them."""

from collections.abc import Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Self

from gendei.conversation.files.fetching import Downloads, Fetcher
from gendei.conversation.files.media import MediaParts, MediaStore
from gendei.conversation.files.quota import MediaQuota
from gendei.conversation.inbound.echoes import Echoes
from gendei.conversation.inbound.inbox import Activity, InboundQueue
from gendei.conversation.inbound.past import Past
from gendei.conversation.outbound.account_notices import AccountNotices
from gendei.conversation.outbound.failures import Explain, technical
from gendei.conversation.outbound.outbox import Outbox, Pace
from gendei.conversation.outbound.outbox_entry import Deliveries
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.sending import Sending
from gendei.conversation.outbound.statuses import Statuses
from gendei.conversation.outbound.template_troubles import TroubleTexts
from gendei.conversation.outbound.templates import Templates
from gendei.conversation.site.web_channel import WebChannel
from gendei.conversation.speech.spoken_answers import Speaker, Voice
from gendei.conversation.speech.voice_notes import Listener
from gendei.conversation.stored.contacts import Contacts
from gendei.conversation.turns.escalating import Alert, Escalating
from gendei.conversation.turns.handover import Handover, Returning
from gendei.conversation.turns.turn import Notifiers, TurnParts, TurnRunner
from gendei.conversation.turns.worker import Worker, WorkerPace
from gendei.conversation.wake_ups import WakeUps
from gendei.conversation.work.following import Following
from gendei.conversation.work.lease import Leases
from gendei.messages.keys import ConversationKey


@dataclass(frozen=True, slots=True)
class Messaging:
    """Use it as a context manager: inside, what arrives is answered. `inbox` accepts before and after it too; that
    then waits for the next start. `following`: gives the agenda's events to their followers meanwhile. `seeks`: so is
    what other processes took in, or left undone."""

    inbox: InboundQueue
    worker: Worker
    outbox: Outbox
    handover: Handover
    proactive: Proactive
    deliveries: Deliveries
    activity: Activity
    echoes: Echoes
    wake_ups: WakeUps
    returning: Returning
    escalating: Escalating
    web: WebChannel
    following: Following
    notices: AccountNotices
    templates: Templates
    fetcher: Fetcher | None = None
    media: MediaStore | None = None
    seeks: bool = True
    _running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        for work in (self.following, self.fetcher, self.outbox, self.echoes, self.worker):
            if work is not None:
                work.seeks = self.seeks
                await self._running.enter_async_context(work)
        if self.seeks:
            await self._running.enter_async_context(self.wake_ups)
            await self._running.enter_async_context(self.returning)
            await self._running.enter_async_context(self.escalating)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Turns finish first, then what they put into the outbox is sent."""
        await self._running.aclose()

    async def idle(self) -> None:
        """Return once every message that is due has been answered and sent, every file fetched and every event
        followed, or waits for a later moment."""
        while not (
            await self.echoes.idle()
            and await self.worker.idle()
            and await self.following.idle()
            and await self.outbox.idle()
            and (self.fetcher is None or await self.fetcher.idle())
        ):
            pass


def wire(  # noqa: PLR0913  # the parts outside of it, given by name in app.py
    parts: TurnParts,
    *,
    worker_pace: WorkerPace | None = None,
    outbox_pace: Pace | None = None,
    media: MediaParts | None = None,
    explain: Explain = technical,
    allow: Collection[str] = (),
    left_note: str = "",
    alert: Alert = lambda values: values["patient"],
    following: Following | None = None,
    troubles: TroubleTexts | None = None,
) -> Messaging:
    """`media`: where patients' files come from and go to; without it they are not fetched. `explain`: the reason of a
    failed message for staff, in Portuguese. `allow`: the only contacts to whom we write first; empty for everybody.
    `left_note`: what the bot is told when a conversation comes back to it by itself. `alert`: what the staff's phone is
    told of who waits for long. `following`: what the desk tells of the agenda's events. `troubles`: what
    staff are told of templates and accounts."""
    documents, clock = parts.documents, parts.clock
    following = following or Following(documents, clock)
    sending = Sending.on(documents, parts.clinics, clock, explain, troubles)
    files = media.store if media else None
    outbox = Outbox(documents, parts.clinics, parts.providers, clock, sending=sending, pace=outbox_pace, files=files)
    contacts = Contacts(documents, clock)
    downloads = Downloads(parts.clinics, media, MediaQuota(documents, clock), clock) if media else None
    fetcher = Fetcher(documents, downloads, clock) if downloads else None
    speech, voice = parts.speech, None
    if speech and downloads and files:
        voice = Voice(Listener(speech, downloads, clock), Speaker(speech, files))

    def waiting(key: ConversationKey) -> None:
        worker.notify(key)

    def fetching(key: ConversationKey) -> None:
        if fetcher is not None:
            fetcher.notify(key)

    turns = TurnRunner(parts, contacts, Notifiers(outbox.notify, waiting, fetching), voice)
    worker = Worker(documents, turns, Leases(documents, clock), clock, worker_pace)
    statuses = Statuses(documents, clock, sending, on_settled=outbox.notify)
    echoes = Echoes(documents, contacts, statuses, clock)
    inbox = InboundQueue(
        documents,
        parts.clinics,
        statuses,
        contacts,
        clock,
        on_waiting=worker.notify,
        on_echo=echoes.notify,
        on_whole=worker.notify_whole,
        is_attended=lambda: worker.is_running,
        take_past=Past(documents, contacts).take_in,
        activity=parts.activity,
    )
    handover = Handover(documents, clock, on_sending=outbox.notify)
    proactive = Proactive(documents, clock, outbox.notify, allow)
    return Messaging(
        inbox=inbox,
        worker=worker,
        outbox=outbox,
        handover=handover,
        proactive=proactive,
        deliveries=sending.deliveries,
        activity=parts.activity,
        echoes=echoes,
        wake_ups=WakeUps(
            documents,
            waiting=worker.wake,
            echoed=echoes.notify,
            sending=outbox.notify,
            happened=following.notify,
        ),
        returning=Returning(documents, parts.clinics, handover, clock, note=left_note),
        escalating=Escalating(documents, parts.clinics, handover, proactive, clock, alert=alert),
        web=WebChannel(documents, parts.clinics, inbox, contacts, clock, files),
        following=following,
        notices=AccountNotices(
            documents, parts.clinics, clock, sending.templates, sending.channels, outbox.notify, troubles
        ),
        templates=sending.templates,
        fetcher=fetcher,
        media=files,
    )

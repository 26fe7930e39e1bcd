"""The composition root: from Settings to one running Gendei. Nothing else picks an adapter."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from gendei.assistant.assistant import Assistant, open_assistant
from gendei.attached.servers import AttachedServers
from gendei.booking.deposit_desk import DepositDesk
from gendei.booking.desk import BookingDesk
from gendei.booking.events import Follower, telling_imports
from gendei.campaigns.campaign_texts import campaign_texts
from gendei.campaigns.campaign_work import CampaignWork
from gendei.campaigns.marketing_answers import MarketingAnswers, MarketingWords
from gendei.channel_adapters import opened_adapters, trusted_authorities
from gendei.clinic_services import ModelStyle
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.commands.command import Desks
from gendei.conversation.files.media import MediaParts
from gendei.conversation.inbound.inbox import Activity
from gendei.conversation.messaging import Messaging, wire
from gendei.conversation.outbound.failures import FailureTexts
from gendei.conversation.outbound.template_troubles import TroubleTexts
from gendei.conversation.stored.contacts import canonical
from gendei.conversation.turns.turn import TurnParts
from gendei.conversation.turns.worker import WorkerPace
from gendei.conversation.work.following import Following
from gendei.costs.message_prices import MessagePrices
from gendei.costs.model_costs import UsageLedger, usage_ledger
from gendei.datafile import data_dir
from gendei.documents import Documents
from gendei.errors import ConfigurationError
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.knowledge.sources.bringing import KnowledgeSources
from gendei.knowledge.starter import load_starters
from gendei.messages.turns import Receptionist
from gendei.observing.loop_watch import LoopWatch
from gendei.payment_adapters import Payments, open_payments
from gendei.providers.connecting.sides import open_connections
from gendei.providers.webhook_body import Parse
from gendei.receptionist.answering import TeamReceptionist
from gendei.receptionist.from_files import team_of_files
from gendei.receptionist.llm.clinic_models import ClinicModels
from gendei.receptionist.llm.known_models import KnownWays, load_ways
from gendei.receptionist.llm.models import ApiModels, ModelLimits, api_models
from gendei.receptionist.survey_taps import SurveyTaps
from gendei.receptionist.tools.registry import all_tools
from gendei.receptionist.trial import InvitedOnly
from gendei.receptionist.voice_notes import NoteTaker, VoiceTexts
from gendei.scheduler.deposit_messages import DepositMessages
from gendei.scheduler.planner import Planner
from gendei.scheduler.refilling import Refilling
from gendei.scheduler.scheduler import Scheduler
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.editing import ClinicCheck
from gendei.staff.clinic_changes.file_import import FileImports
from gendei.staff.clinic_changes.texts import ChangeTexts
from gendei.staff.clinic_drafts.drafts import ClinicDrafts
from gendei.staff.clinic_drafts.invitations import Invitations
from gendei.staff.connecting.connections import Connections
from gendei.staff.connecting.keeper import ConnectionKeeper
from gendei.staff.desks import AgendaDesk, FrontDesk, Words, open_agenda_desk, open_front_desk
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.model_use import ModelUse
from gendei.staff.operation import Operation
from gendei.staff.staff import Staff, open_staff
from gendei.staff.tasks.cancelled import CancelledTasks
from gendei.staff.tasks.expired_entries import ExpiredEntries
from gendei.staff.tasks.tasks import Tasks
from gendei.staff.tasks.texts import TaskTexts
from gendei.staff.templates.clinic_templates import open_templates
from gendei.store.opening import open_documents, open_media
from gendei.surveys.survey import Surveys
from gendei.telemetry import traced
from gendei.verticals import load_verticals
from gendei.voice.clinic_speech import open_speech
from gendei.voice.live.desk import LiveDesk
from gendei.voice.live.seats import LiveLimits
from gendei.voice.live.texts import LiveTexts
from gendei.waiting.waiting_list import WaitingList


class ServiceRole(StrEnum):
    """What a process does. WEB takes in webhooks and serves staff, WORKER begins turns and sends; ALL is both."""

    ALL = "all"
    WEB = "web"
    WORKER = "worker"

    @property
    def receives(self) -> bool:
        return self is not ServiceRole.WORKER

    @property
    def answers(self) -> bool:
        return self is not ServiceRole.WEB


@dataclass(frozen=True, slots=True)
class Gendei:
    """The running service, without its HTTP surface."""

    settings: Settings
    clock: Clock
    documents: Documents
    directory: Directory
    desk: BookingDesk
    messaging: Messaging
    parsers: Mapping[str, Parse]
    secrets: SecretBox
    staff: Staff
    front_desk: FrontDesk
    agenda_desk: AgendaDesk
    operation: Operation
    tasks: Tasks
    model_use: ModelUse
    desks: Desks
    assistant: Assistant
    live: LiveDesk
    attached: AttachedServers
    broken_rules: Mapping[str, int]
    scheduler: Scheduler
    receptionist: TeamReceptionist
    refilling: Refilling
    campaigns: CampaignWork
    payments: Payments
    role: ServiceRole = ServiceRole.ALL

    @property
    def file_imports(self) -> FileImports:
        return FileImports(self.documents, self.directory, self.clock, clinic_check(self.settings, self.secrets))

    @property
    def drafts(self) -> ClinicDrafts:
        return ClinicDrafts(self.documents, self.directory, self.clock, clinic_check(self.settings, self.secrets))

    @property
    def invitations(self) -> Invitations:
        return Invitations(self.documents, self.drafts, self.staff.accounts, self.clock)

    @property
    def models(self) -> ApiModels | None:
        """The language models; None where guided answers everything."""
        return self.model_use.models


@asynccontextmanager
async def open_gendei(
    settings: Settings,
    *,
    models: ApiModels | None = None,
    documents: Documents | None = None,
    role: ServiceRole = ServiceRole.ALL,
    clock: Clock | None = None,
    seeks: bool = True,
    followers: Callable[[Documents], Sequence[Follower]] = lambda _documents: (),
) -> AsyncIterator[Gendei]:
    """Everything that `settings` describe, started; stopped in order on leaving.

    models, documents: a model layer and a store to use in place of those that the settings choose; the store is
    closed on leaving like one of its own. role: only a process that answers begins turns and sends. clock: in place of
    the one that the settings choose. seeks: whether what other processes took in or left undone is answered and sent.
    followers: more of the agenda's events, beside our own.
    Raises ConfigurationError for any file or variable that cannot be used, before anything starts.
    """
    secrets = SecretBox(settings.key)
    clock = clock or settings.start_clock()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(traced(settings))
        documents = documents or await open_documents(settings)
        stack.push_async_callback(documents.close)
        following = Following(documents, clock)
        desk = BookingDesk(documents, clock, following.tell)
        ledger = await stack.enter_async_context(usage_ledger(documents))
        receptionist = build_receptionist(settings, desk, models, ledger)
        if models is None and receptionist.models:
            stack.push_async_callback(receptionist.models.close)
        folder = data_dir("prompts", settings.prompts_dir)
        directory = await stack.enter_async_context(Directory(documents, clock, telling_imports(following.tell, clock)))
        payments = await stack.enter_async_context(
            open_payments(settings, documents, directory, clock, secrets, following.tell, seeks=seeks and role.answers)
        )
        attached = attached_servers(settings, directory, secrets, clock, documents)
        of_clinics = ClinicModels(receptionist.models, secrets, model_limits(settings), ways_of(settings))
        stack.push_async_callback(of_clinics.close)
        waiting = WaitingList(documents, clock, desk)
        taps = SurveyTaps(Surveys(documents, clock), receptionist.phrases, clock)
        receptionist = replace(
            receptionist,
            clinic_models=of_clinics,
            waiting=waiting,
            survey_taps=taps,
            knowledge=KnowledgeBase(documents, clock),
            deposits=DepositDesk(documents, payments.collector),
        )
        has_models = any(clinic.language_model is not None for clinic in directory.all())
        if role.answers and (receptionist.models or has_models):
            await stack.enter_async_context(attached)
            receptionist = replace(receptionist, attached=attached, tool_seconds=settings.tool_seconds)
        adapters = opened_adapters(stack, settings, secrets)
        speech = await stack.enter_async_context(
            open_speech(settings, documents, secrets, clock, trusted_authorities())
        )
        parts = TurnParts(
            documents=documents,
            clinics=directory,
            receptionist=_for_invited(
                settings,
                receptionist,
                MarketingAnswers(
                    NoteTaker(receptionist, VoiceTexts.load(folder), receptionist.vocabulary),
                    documents,
                    clock,
                    MarketingWords(campaign_texts()),
                    receptionist.alarming,
                ),
            ),
            providers={kind: adapter.provider for kind, adapter in adapters.items()},
            apology=receptionist.apology,
            alarming=receptionist.alarming,
            scores=taps.note,
            begun=payments.work.soon,
            clock=clock,
            activity=(activity := Activity()),
            speech=speech,
            watch=await stack.enter_async_context(LoopWatch(activity.blocks)),
        )
        stack.push_async_callback((store := await asyncio.to_thread(open_media, settings)).close)
        explain, inbox_texts = FailureTexts.load(folder).explain, InboxTexts.load(folder)
        words = Words(receptionist.phrases, receptionist.verticals, AgendaTexts.load(folder))
        messaging = replace(
            wire(
                parts,
                worker_pace=WorkerPace(
                    quiet=settings.quiet_seconds,
                    at_once=settings.turns_at_once,
                    per_clinic=max(1, settings.turns_at_once // 4),
                ),
                media=MediaParts(store, {kind: adapter.media for kind, adapter in adapters.items() if adapter.media}),
                explain=explain,
                allow=settings.allowed_contacts,
                left_note=inbox_texts.left_note,
                alert=inbox_texts.alert,
                following=following,
                troubles=TroubleTexts.load(folder),
            ),
            seeks=seeks,
        )
        agenda_desk = open_agenda_desk(
            documents, directory, waiting, messaging.proactive, clock, words, following.settle
        )
        stack.push_async_callback(agenda_desk.live.close)
        following_events: tuple[Follower, ...] = (  # who follows the agenda's events, a line each
            agenda_desk.notices,
            CancelledTasks(documents, clock),
            planner := Planner(documents, directory, clock, receptionist.verticals),
            refilling := Refilling(agenda_desk.reminders, directory, waiting, seeks=seeks),
            DepositMessages(agenda_desk.reminders, directory),
            *followers(documents),
        )
        following.register(*following_events)
        scheduler = Scheduler(documents, clock, planner, agenda_desk.reminders, seeks=seeks)
        connections, changes, keeper = _connecting(settings, documents, directory, clock, secrets, seeks=seeks)
        campaigns = CampaignWork(documents, directory, clock, messaging.proactive, seeks=seeks)
        expired = ExpiredEntries(documents, directory, clock)
        answering = (messaging, scheduler, refilling, campaigns, keeper, expired) if role.answers else ()
        await _begin(stack, (*answering, payments.work))
        staff = open_staff(documents, secrets, clock)
        front_desk = open_front_desk(
            documents, directory, messaging, clock, inbox_texts, explain, words.phrases, MessagePrices.load(folder)
        )
        stack.push_async_callback(front_desk.live.close)
        tasks = Tasks(documents, directory, clock, TaskTexts.load(folder))
        stack.push_async_callback(tasks.live.close)
        desks = Desks(
            *(documents, directory, clock, staff.audit, front_desk, agenda_desk, tasks, changes, connections),
            open_templates(
                *(documents, directory, messaging.templates, folder, changes),
                {kind: adapter.templates for kind, adapter in adapters.items() if adapter.templates},
            ),
            payments.collector,
            KnowledgeSources(load_starters(data_dir("verticals", settings.verticals_dir), receptionist.verticals)),
            campaigns.wake,
        )
        yield Gendei(
            *(settings, clock, documents, directory, desk, messaging),
            {kind: adapter.parse for kind, adapter in adapters.items() if adapter.parse},
            *(secrets, staff, front_desk),
            agenda_desk,
            Operation(documents, directory, clock),
            tasks,
            ModelUse(ledger, receptionist.models, directory, of_clinics),
            desks,
            open_assistant(folder, desks, receptionist, settings.tool_seconds),
            LiveDesk(directory, messaging, speech, LiveTexts.load(folder), clock, live_limits(settings)),
            attached,
            receptionist.broken,
            scheduler,
            receptionist,
            refilling,
            campaigns,
            payments,
            role,
        )


def build_receptionist(
    settings: Settings, desk: BookingDesk, models: ApiModels | None = None, ledger: UsageLedger | None = None
) -> TeamReceptionist:
    """The team on `desk`, from the prompts and verticals that the settings name; `models` as in open_gendei."""
    team = team_of_files(
        data_dir("prompts", settings.prompts_dir),
        data_dir("verticals", settings.verticals_dir),
        settings.tool_seconds,
    )
    return team(
        desk=desk,
        models=models or (None if settings.model == "guided" else api_models_of(settings)),
        ledger=ledger,
        style=ModelStyle(settings.api_style),
    )


async def _begin(stack: AsyncExitStack, works: Iterable[AbstractAsyncContextManager[object]]) -> None:
    for work in works:
        await stack.enter_async_context(work)


def _connecting(
    settings: Settings, documents: Documents, directory: Directory, clock: Clock, secrets: SecretBox, *, seeks: bool
) -> tuple[Connections, ClinicChanges, ConnectionKeeper]:
    texts = ChangeTexts.load(data_dir("prompts", settings.prompts_dir))
    changes = ClinicChanges(documents, directory, clock, clinic_check(settings, secrets), texts)
    connections = open_connections(settings, documents, directory, changes, clock, lambda: secrets)
    return connections, changes, ConnectionKeeper(documents, clock, connections, seeks=seeks)


def clinic_check(settings: Settings, secrets: SecretBox) -> ClinicCheck:
    """The check of clinic files, for changes of single fields."""
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    return ClinicCheck(verticals, lambda: secrets, settings.private_networks)


def attached_servers(
    settings: Settings, directory: Directory, secrets: SecretBox, clock: Clock, documents: Documents
) -> AttachedServers:
    """The servers of the directory's clinics, for `async with`."""
    private = settings.private_networks
    return AttachedServers(directory, secrets, clock, all_tools().tools, private, documents=documents)


def live_limits(settings: Settings) -> LiveLimits:
    """Of live calls, for each clinic."""
    return LiveLimits(sockets=settings.live_sockets, daily_seconds=settings.live_daily_seconds)


def _for_invited(settings: Settings, team: TeamReceptionist, receptionist: Receptionist) -> Receptionist:
    invited = frozenset(map(canonical, settings.invited_contacts))
    return InvitedOnly(receptionist, invited, team.not_invited, team.alarming) if invited else receptionist


def api_models_of(settings: Settings) -> ApiModels:
    """The API's models as the settings have them. Raises ConfigurationError without a key."""
    if settings.openai_api_key is None:
        raise ConfigurationError(
            "OPENAI_API_KEY", "", "is not set, and GENDEI_MODEL=api needs it.", "Set it, or GENDEI_MODEL=guided."
        )
    return api_models(
        settings.openai_api_key.get_secret_value(),
        settings.openai_base_url,
        settings.api_model,
        trace=settings.trace,
        limits=model_limits(settings),
        protocol=settings.api_protocol,
        ways=ways_of(settings),
    )


def model_limits(settings: Settings) -> ModelLimits:
    """Of every API."""
    return ModelLimits(
        temperature=settings.api_temperature,
        max_tokens=settings.api_max_tokens,
        messages=settings.api_messages,
        call_seconds=settings.api_seconds,
        retries=settings.api_retries,
        daily_budget_usd=settings.api_daily_budget_usd,
    )


def ways_of(settings: Settings) -> KnownWays:
    """What models are asked with. Raises ConfigurationError."""
    return load_ways(data_dir("prompts", settings.prompts_dir))

"""What outbox and statuses share: the state of numbers, contacts and templates, and the counts."""

from dataclasses import dataclass

from gendei.clock import Clock
from gendei.conversation.outbound.channel_states import ChannelStates
from gendei.conversation.outbound.failures import Consequences, Explain, technical
from gendei.conversation.outbound.gate import Gate
from gendei.conversation.outbound.outbox_entry import Deliveries
from gendei.conversation.outbound.pacing import Pacing
from gendei.conversation.outbound.template_troubles import TroubleTexts
from gendei.conversation.outbound.templates import Templates
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Documents
from gendei.messages.channels import Clinics


@dataclass(frozen=True, slots=True)
class Sending:
    """Made once a process; `explain` gives staff the reason of a failure in Portuguese; `troubles`: what
    they are told of templates and accounts."""

    pacing: Pacing
    channels: ChannelStates
    gate: Gate
    consequences: Consequences
    deliveries: Deliveries
    explain: Explain
    templates: Templates

    @classmethod
    def on(
        cls,
        documents: Documents,
        clinics: Clinics,
        clock: Clock,
        explain: Explain = technical,
        troubles: TroubleTexts | None = None,
    ) -> "Sending":
        deliveries, templates = Deliveries(), Templates(documents, clock, troubles)
        channels = ChannelStates(documents, clock, deliveries)
        consequences = Consequences(clinics, channels, OutreachBook(documents, clock), templates)
        return cls(Pacing(clock), channels, Gate(documents, templates), consequences, deliveries, explain, templates)

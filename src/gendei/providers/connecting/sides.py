"""The providers' side of connecting, as the settings have it."""

from collections.abc import Callable, Sequence

import httpx

from gendei.channel_kinds import capabilities
from gendei.clinic import Channel
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.conversation.outbound.templates import Templates
from gendei.datafile import data_dir
from gendei.documents import Documents
from gendei.providers.connecting.arrival import ArrivalProbe
from gendei.providers.connecting.linked import EvolutionLinked, ZapiLinked
from gendei.providers.connecting.meta import MetaConnecting
from gendei.providers.meta_templates import MetaTemplates
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.connecting.connections import Connections
from gendei.staff.connecting.ports import Sides
from gendei.staff.connecting.texts import ConnectingTexts
from gendei.staff.templates.office import OfficeUnavailable


def open_connections(
    settings: Settings,
    documents: Documents,
    directory: Directory,
    changes: ClinicChanges,
    clock: Clock,
    open_box: Callable[[], SecretBox],
) -> Connections:
    """The connections of clinics. Raises ConfigurationError."""
    texts = ConnectingTexts.load(data_dir("prompts", settings.prompts_dir))
    sides = sides_of(settings, open_box, documents, directory, clock)
    return Connections(documents, directory, changes, clock, sides, texts, open_box)


def sides_of(
    settings: Settings,
    open_box: Callable[[], SecretBox],
    documents: Documents,
    directory: Directory,
    clock: Clock,
) -> Sides:
    """`open_box`: gives what opens the channels' credentials."""

    def credential(channel: Channel, field: str) -> str:
        return open_box().open_channel(channel, field)

    async def unusable_templates(channel: Channel) -> Sequence[str] | None:
        """Looked up as `gendei templates sync` does."""
        clinic = await directory.get(channel.clinic_id)
        if clinic is None or not clinic.templates or not capabilities(channel.provider).has_window:
            return None
        async with httpx.AsyncClient() as client:
            meta = MetaTemplates(client, settings.graph_url, settings.graph_version, credential)
            try:
                found = await meta.of(channel)
            except OfficeUnavailable:
                return None
        reports = await Templates(documents, clock).sync(clinic, found)
        return [report.wanted.name for report in reports if report.problem]

    return Sides(
        meta=MetaConnecting(settings),
        linked={"evolution": EvolutionLinked(), "zapi": ZapiLinked()},
        arrival=ArrivalProbe(settings, credential),
        unusable_templates=unusable_templates,
        public_url=settings.public_url.rstrip("/"),
    )

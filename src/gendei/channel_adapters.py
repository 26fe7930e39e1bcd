"""The adapter of every kind of channel: how it sends, how its webhooks are read, where its files come from."""

import ssl
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache

import httpx

from gendei.channel_kinds import WEB
from gendei.conversation.files.media import MediaSource
from gendei.messages.channels import Provider
from gendei.providers.evolution import EvolutionProvider
from gendei.providers.evolution_media import EvolutionMedia
from gendei.providers.evolution_webhook import parse as parse_evolution
from gendei.providers.meta import MetaProvider
from gendei.providers.meta_media import MetaMedia
from gendei.providers.meta_templates import MetaTemplates
from gendei.providers.web import WebProvider
from gendei.providers.webhook_body import Parse
from gendei.providers.zapi import ZapiProvider
from gendei.providers.zapi_media import ZapiMedia
from gendei.providers.zapi_webhook import parse as parse_zapi
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.templates.office import TemplateOffice

PROVIDER_SECONDS = httpx.Timeout(20, connect=5)
PROVIDER_LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=50)


@dataclass(frozen=True, slots=True)
class ChannelAdapter:
    """One kind of channel: how it sends, how its webhooks are read where they are guarded by a secret of the channel's
    (Meta signs its own, so it has an endpoint of its own), where its files come from and its templates are made."""

    provider: Provider
    parse: Parse | None = None
    media: MediaSource | None = None
    templates: TemplateOffice | None = None


def channel_adapters(settings: Settings, secrets: SecretBox) -> dict[str, ChannelAdapter]:
    """Every kind of channel, by the name that clinic files use. To add one: its file in providers/ (and its parser),
    its entry in CHANNEL_KINDS, and a line here. Each has a pool of connections of its own, so that a slow server of
    one clinic's keeps nobody else waiting."""
    opened = secrets.open_channel

    def client() -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=PROVIDER_SECONDS, limits=PROVIDER_LIMITS, verify=trusted_authorities())

    return {
        "meta": ChannelAdapter(
            MetaProvider(*(at_graph := (client(), settings.graph_url, settings.graph_version, opened))),
            media=MetaMedia(*at_graph),
            templates=MetaTemplates(*at_graph),
        ),
        "evolution": ChannelAdapter(
            EvolutionProvider(evolution := client(), opened), parse_evolution, EvolutionMedia(evolution, opened)
        ),
        "zapi": ChannelAdapter(ZapiProvider(zapi := client(), opened), parse_zapi, ZapiMedia(zapi)),
        WEB: ChannelAdapter(WebProvider()),
    }


def opened_adapters(stack: AsyncExitStack, settings: Settings, secrets: SecretBox) -> dict[str, ChannelAdapter]:
    """The same, closed as `stack` is left."""
    adapters = channel_adapters(settings, secrets)
    for adapter in adapters.values():
        stack.push_async_callback(adapter.provider.close)
    return adapters


@cache
def trusted_authorities() -> ssl.SSLContext:
    """Read the authorities that this machine trusts once, which takes a while."""
    return ssl.create_default_context()

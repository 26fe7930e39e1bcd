"""Logs and traces as the settings ask for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gendei.observing.logs import write_logs
from gendei.observing.subject import Pseudonyms
from gendei.observing.tracing import traced_by
from gendei.settings import Settings


def pseudonyms(settings: Settings) -> Pseudonyms:
    """How conversations are called in logs and traces."""
    return Pseudonyms((settings.key or "").encode())


def configure_logs(settings: Settings) -> None:
    """One line an event on standard error, as GENDEI_LOG_LEVEL and GENDEI_LOG_FORMAT ask for it."""
    write_logs(settings.log_level, as_json=settings.log_format == "json", pseudonyms=pseudonyms(settings))


@asynccontextmanager
async def traced(settings: Settings) -> AsyncIterator[None]:
    """Inside, spans go to the collector that the settings name; without one there are none."""
    if settings.otlp_endpoint is None:
        yield
        return
    from gendei.observing.otlp import OpenTelemetryTracer, otlp_exporter  # noqa: PLC0415  nobody else need wait for it

    exporter = otlp_exporter(settings.otlp_endpoint, settings.collector_headers)
    tracer = OpenTelemetryTracer(exporter, pseudonyms(settings))
    try:
        with traced_by(tracer):
            yield
    finally:
        await asyncio.to_thread(tracer.close)

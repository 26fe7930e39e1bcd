"""Spans by OpenTelemetry's SDK, sent in batches to an OTLP/HTTP collector."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from gendei.observing.subject import Pseudonyms, current
from gendei.observing.tracing import Attributes

TRACES_PATH = "v1/traces"
EXPORT_SECONDS = 5.0
"""For one batch."""
STOP_SECONDS = 1.0
"""For all that are left when the process stops."""
_PARENT = TraceContextTextMapPropagator()


def otlp_exporter(endpoint: str, headers: Mapping[str, str]) -> SpanExporter:
    """To the collector at `endpoint`, a base URL as OTEL_EXPORTER_OTLP_ENDPOINT holds it."""
    url = f"{endpoint.rstrip('/')}/{TRACES_PATH}"
    return OTLPSpanExporter(endpoint=url, headers=headers, timeout=EXPORT_SECONDS)


class OpenTelemetryTracer:
    """A gendei.observing.tracing.Tracer. Spans carry `gendei.clinic` and `gendei.conversation`, a hash."""

    def __init__(self, exporter: SpanExporter, pseudonyms: Pseudonyms) -> None:
        self._provider = TracerProvider(resource=Resource({"service.name": "gendei"}), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("gendei")
        self._pseudonyms = pseudonyms

    @contextmanager
    def span(self, name: str, parent: str, attributes: Attributes) -> Iterator[None]:
        above = _PARENT.extract({"traceparent": parent}) if parent else None
        with self._tracer.start_as_current_span(
            name, above, attributes=_named(attributes), record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except BaseException as error:
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise
            finally:
                self._name_subject(span)

    def _name_subject(self, span: trace.Span) -> None:
        """At the end: a webhook learns only inside of its span whom it is about."""
        subject = current()
        if subject is not None:
            span.set_attribute("gendei.clinic", subject.clinic)
            span.set_attribute("gendei.conversation", self._pseudonyms.of(subject.conversation))

    def note(self, attributes: Attributes) -> None:
        trace.get_current_span().set_attributes(_named(attributes))

    def carried(self) -> str:
        carrier: dict[str, str] = {}
        _PARENT.inject(carrier)
        return carrier.get("traceparent", "")

    def close(self) -> None:
        """Send what is left. Blocks, for STOP_SECONDS at most: what a slow collector did not take by then is lost."""
        closing = Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(STOP_SECONDS)


def _named(attributes: Attributes) -> dict[str, str | int]:
    return {f"gendei.{name}": value for name, value in attributes.items()}

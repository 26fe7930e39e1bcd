"""What operators can watch at /metrics. Labels name results and providers, never a clinic or a patient."""

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from gendei.conversation.deliveries import Deliveries


class WebhookMetrics:
    """Counters of the webhooks, in `registry`. `result` says what became of a delivery: accepted, nothing_for_us,
    bad_signature, bad_secret, malformed, too_large, not_configured, store_unavailable or failed."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, documentation: str, *labels: str) -> Counter:
            return Counter(name, documentation, labels, registry=registry)

        self.webhooks = counter("gendei_webhooks", "Webhook deliveries.", "provider", "result")
        self.messages = counter("gendei_webhook_messages", "Messages of patients taken in.", "provider")
        self.statuses = counter("gendei_webhook_statuses", "Delivery statuses taken in.", "provider")
        self.skipped = counter("gendei_webhook_skipped", "Parts of webhooks that could not be used.", "provider")


@dataclass(frozen=True, eq=False)  # a registry knows its collectors by identity
class DeliveryMetrics(Collector):
    """What became of messages, as the outbox counted it. `fate`: sent, retried, in_doubt, held, failed,
    delivery_failed or suppressed; `why`: the kind of failure."""

    deliveries: Deliveries

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        fates = CounterMetricFamily("gendei_messages", "Outgoing messages.", labels=("provider", "fate", "why"))
        for (provider, fate, why), count in sorted(self.deliveries.counts.items()):
            fates.add_metric((provider, fate, why), count)
        yield fates
        yield GaugeMetricFamily(
            "gendei_stopped_numbers",
            "Numbers that send nothing until somebody acts.",
            value=len(self.deliveries.stopped),
        )

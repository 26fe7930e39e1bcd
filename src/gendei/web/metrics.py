"""What operators can watch at /metrics. Labels name results and providers, never a clinic or a patient."""

from prometheus_client import CollectorRegistry, Counter


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

"""The figures at /metrics. Labels name results and providers, never a clinic or a patient."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from gendei.campaigns.campaign_work import CampaignWork
from gendei.clock import Clock
from gendei.conversation.backlog import Levels, read_levels
from gendei.conversation.inbound.inbox import Activity
from gendei.conversation.outbound.outbox_entry import Deliveries
from gendei.conversation.work.following import Following
from gendei.documents import Documents
from gendei.observing.durations import BOUNDS, Durations
from gendei.receptionist.llm.models import ApiModels
from gendei.scheduler.refilling import Refilling
from gendei.scheduler.scheduler import Scheduler

LEVELS_SECONDS = 3
"""Longest wait of /metrics for the store; then the store's figures are left out."""


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
    """Results of outgoing messages, as the outbox counted them. `fate`: sent, retried, in_doubt, held, failed,
    delivery_failed or suppressed; `why`: the kind of failure."""

    deliveries: Deliveries

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        yield _counted("gendei_messages", "Outgoing messages.", ("provider", "fate", "why"), self.deliveries.counts)
        yield GaugeMetricFamily(
            "gendei_stopped_numbers",
            "Numbers that send nothing until somebody acts.",
            value=len(self.deliveries.stopped),
        )


@dataclass(frozen=True, eq=False)
class ActivityMetrics(Collector):
    """Work of this process on inbound messages. `result` of a turn: ok, lease_lost, store_failed, released or failed;
    of a model's call: ok, timed_out, abandoned or failed. `work`: the package whose code held the event loop."""

    activity: Activity
    model_calls: Durations

    def collect(self) -> Iterator[CounterMetricFamily | HistogramMetricFamily]:
        done = self.activity
        yield _counted("gendei_inbox_accepted", "Messages stored for the first time.", ("provider",), done.accepted)
        yield _counted("gendei_inbox_duplicates", "Messages that were stored before.", ("provider",), done.duplicates)
        yield _histogram("gendei_turn_seconds", "Turns, from the lease to the commit.", done.turns)
        yield _histogram("gendei_model_seconds", "Calls of a language model.", self.model_calls)
        yield _histogram("gendei_loop_blocked_seconds", "Times in which nobody was served.", done.blocks, "work")
        for name, documentation, count in (
            ("gendei_leases_lost", "Turns that another process took over.", done.leases_lost),
            ("gendei_apologies", "Turns without a better answer than an apology.", done.apologies),
            ("gendei_messages_parked", "Messages that were set aside after failing repeatedly.", done.parked),
        ):
            yield CounterMetricFamily(name, documentation, value=count)


@dataclass(frozen=True, eq=False)
class EventMetrics(Collector):
    """Results of followers of the agenda's events. `result`: followed, failed (and tried again), or parked."""

    following: Following

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield _counted("gendei_events", "Events given to a follower.", ("follower", "result"), self.following.counts)


@dataclass(frozen=True, eq=False)
class ReminderMetrics(Collector):
    """What became of reminders that were due. `kind`: reminder, confirmation or unanswered; `result`: queued, or why
    not (scheduler/due.py, outbound/proactive.py::Decline)."""

    scheduler: Scheduler

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield _counted("gendei_reminders", "Reminders that were due.", ("kind", "result"), self.scheduler.counts)


@dataclass(frozen=True, eq=False)
class WaitingMetrics(Collector):
    """What became of what was offered to who waits. `result`: offered, expired, lost, or why it was not queued
    (outbound/proactive.py::Decline)."""

    refilling: Refilling

    def collect(self) -> Iterator[CounterMetricFamily]:
        counts = self.refilling.counts
        yield _counted("gendei_waiting_offers", "Offers to who waits for a time.", ("result",), counts)


@dataclass(frozen=True, eq=False)
class CampaignMetrics(Collector):
    """What became of campaigns' messages (`result`: queued, or why not, as outbound/proactive.py::Decline), and why
    campaigns were halted (campaigns/campaign.py::Halt)."""

    campaigns: CampaignWork

    def collect(self) -> Iterator[CounterMetricFamily]:
        for name, kind, told, label in (
            ("gendei_campaign_messages", "message", "Messages of campaigns, as they were queued or not.", "result"),
            ("gendei_campaign_halts", "halt", "Campaigns that the service halted.", "why"),
        ):
            found = {value: count for (of, value), count in self.campaigns.counts.items() if of == kind}
            yield _counted(name, told, (label,), found)


class StoreLevels(Collector):
    """Levels of inbox and outbox. The figures are of the whole store, the same from every process; they are left
    out while the store does not answer."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock
        self._levels: Levels | None = None

    async def refresh(self) -> None:
        """Look again; never raises."""
        try:
            async with asyncio.timeout(LEVELS_SECONDS):
                self._levels = await read_levels(self._documents, self._clock())
        except Exception:  # noqa: BLE001 - whatever it is, the store does not answer, and the gauge says so
            self._levels = None

    def collect(self) -> Iterator[GaugeMetricFamily]:
        levels = self._levels
        yield GaugeMetricFamily("gendei_store_answers", "1 while the store answers.", value=int(levels is not None))
        if levels is None:
            return
        for name, documentation, value in (
            ("gendei_inbox_waiting", "Messages that wait for a turn, 100 at most.", levels.waiting),
            ("gendei_inbox_waiting_seconds", "Age of the oldest that waits.", levels.waiting_seconds),
            ("gendei_inbox_parked", "Messages that are set aside, 100 at most.", levels.parked),
            ("gendei_outbox_age_seconds", "Since the oldest open entry was due.", levels.outbox_seconds),
        ):
            yield GaugeMetricFamily(name, documentation, value=value)


def _histogram(name: str, documentation: str, durations: Durations, label: str = "result") -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, documentation, labels=(label,))
    ends = [*(str(bound) for bound in BOUNDS), "+Inf"]
    for result, timed in sorted(durations.by_result.items()):
        family.add_metric((result,), list(zip(ends, accumulate(timed.classes), strict=True)), timed.total)
    return family


@dataclass(frozen=True, eq=False)  # a registry knows its collectors by identity
class ModelMetrics(Collector):
    """Calls of the API's models in this process. `why` of a fallback: failed, resting (the breaker is open), budget,
    silent, refused, repeated or untrue; `fault` of a correction: one of receptionist/llm/guardrails.py."""

    models: ApiModels

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        figures, breaker = self.models.figures, self.models.breaker.view
        spent = figures.spent
        tokens = {
            "input": spent.input_tokens - spent.cached_tokens,
            "cached_input": spent.cached_tokens,
            "output": spent.output_tokens,
        }
        yield _counted("gendei_model_tokens", "Tokens of answered calls.", ("kind",), tokens)
        yield CounterMetricFamily("gendei_model_cost_usd", "What answered calls cost, in US dollars.", value=spent.usd)
        yield _counted("gendei_model_fallbacks", "Turns that guided answered instead.", ("why",), figures.fallbacks)
        yield _counted("gendei_model_corrections", "Faults in answers, not sent.", ("fault",), figures.corrections)
        open_ = GaugeMetricFamily("gendei_model_resting", "1 while the breaker keeps calls from the API.")
        open_.add_metric((), int(breaker.retry_in > 0))
        yield open_


@dataclass(frozen=True, eq=False)  # a registry knows its collectors by identity
class TurnRuleMetrics(Collector):
    """Turns that would have broken a rule (receptionist/turn_rules.py), and were answered otherwise."""

    broken: Mapping[str, int]

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield _counted("gendei_turn_rules_broken", "Answers that broke a rule, not sent.", ("rule",), self.broken)


def _counted(name: str, documentation: str, labels: tuple[str, ...], counts: Mapping[Any, int]) -> CounterMetricFamily:
    """A counter of what was counted by its labels' values: one of them as text, several as a tuple."""
    family = CounterMetricFamily(name, documentation, labels=labels)
    for values, count in sorted(counts.items()):
        family.add_metric((values,) if isinstance(values, str) else values, count)
    return family

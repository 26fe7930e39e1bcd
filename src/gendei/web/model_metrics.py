"""What operators can watch of the language models at /metrics. No label names a clinic or a patient."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from gendei.receptionist.llm.models import ApiModels


@dataclass(frozen=True, eq=False)  # a registry knows its collectors by identity
class ModelMetrics(Collector):
    """What the API's models did in this process. `why` of a fallback: failed, resting (the breaker is open), budget,
    silent or untrue; `fault` of a correction: claim, price, time, health, person, private or internal."""

    models: ApiModels

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        figures, breaker = self.models.figures, self.models.breaker.view
        spent = figures.spent
        tokens = {
            "input": spent.input_tokens - spent.cached_tokens,
            "cached_input": spent.cached_tokens,
            "output": spent.output_tokens,
        }
        yield _counted("gendei_model_tokens", "Tokens of answered calls.", "kind", tokens)
        yield CounterMetricFamily("gendei_model_cost_usd", "What answered calls cost, in US dollars.", value=spent.usd)
        yield _counted("gendei_model_fallbacks", "Turns that guided answered instead.", "why", figures.fallbacks)
        yield _counted("gendei_model_corrections", "Faults in answers, not sent.", "fault", figures.corrections)
        open_ = GaugeMetricFamily("gendei_model_resting", "1 while the breaker keeps calls from the API.")
        open_.add_metric((), int(breaker.retry_in > 0))
        yield open_


def _counted(name: str, documentation: str, label: str, counts: dict[str, int] | Counter[str]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, documentation, labels=(label,))
    for value, count in sorted(counts.items()):
        family.add_metric((value,), count)
    return family

"""What is known of models, as data: what each is asked with. The file is checked without the SDK."""

from pathlib import Path
from typing import Literal

from gendei.datafile import StrictModel, read_yaml

Effort = Literal["none", "minimal", "low", "medium", "high"]


class Ways(StrictModel):
    """What one model takes. temperature: whether any but its own. effort: how much it is asked to reason; None: nothing
    is said. parallel_calls: whether it may be told not to call several tools at once. strict: whether schemas may be
    marked as strict. completion_tokens: whether chat completions call the limit of an answer max_completion_tokens.
    encrypted: whether its reasoning is asked for, to be given back."""

    temperature: bool = True
    effort: Effort | None = None
    parallel_calls: bool = True
    strict: bool = True
    completion_tokens: bool = False
    encrypted: bool = False


UNKNOWN = Ways(encrypted=True)
"""It may reason: without its reasoning, OpenAI refuses its calls when they come back."""


class KnownWays(StrictModel):
    """`models`: by the beginnings of names, of which the longest counts."""

    models: dict[str, Ways]

    def of(self, model: str) -> Ways:
        """Those of `model`, with or without the maker before its name ("openai/o3")."""
        name = model.rpartition("/")[2]
        begin = max((begin for begin in self.models if name.startswith(begin)), key=len, default=None)
        return self.models[begin] if begin else UNKNOWN


def load_ways(folder: Path) -> KnownWays:
    """The models of `folder`. Raises ConfigurationError."""
    return read_yaml(folder / "models.yaml").into(KnownWays)

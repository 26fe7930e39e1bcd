"""Ranked rules, kept as data: what several mentions of a message mean together. The first that fits decides."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from gendei.datafile import StrictModel, read_yaml

Names = Annotated[frozenset[str], Field(default=frozenset(), strict=False)]


class RankedRule(StrictModel):
    """It fits where all of `all`, one of `any` (if there is any) and none of `none` were mentioned. `examples` are its
    tests; `where`: what is given beside their words."""

    rule: str
    all: Names
    any: Names
    none: Names
    examples: Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    where: Names

    def fits(self, mentions: AbstractSet[str]) -> bool:
        wanted = not self.any or not self.any.isdisjoint(mentions)
        return wanted and self.all <= mentions and self.none.isdisjoint(mentions)

    @property
    def names(self) -> frozenset[str]:
        return self.all | self.any | self.none | self.where


R = TypeVar("R", bound=RankedRule)


class RuleFile(StrictModel, Generic[R]):
    """Rules in their order."""

    rules: Annotated[tuple[R, ...], Field(strict=False)]


F = TypeVar("F", bound=RuleFile[Any])


def read_rules(file: Path, form: type[F], known: AbstractSet[str]) -> F:
    """Raises ConfigurationError for a file that is not well, and ValueError for a name that nothing mentions."""
    found = read_yaml(file).into(form)
    unknown = frozenset[str]().union(*(rule.names for rule in found.rules)) - known
    if unknown:
        raise ValueError(f"{file.name}: nothing mentions {sorted(unknown)}")
    return found


def first_of(rules: Iterable[R], mentions: AbstractSet[str]) -> R | None:
    """The first rule that fits."""
    return next((rule for rule in rules if rule.fits(mentions)), None)

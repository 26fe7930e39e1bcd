"""The clinic file's `reminders`, and what of it stands in the store."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Self

from pydantic import Field, model_validator

from gendei.clinic import MessageTemplate
from gendei.clinics.fields import TemplateSection
from gendei.datafile import DataFile, StrictModel, nearest, refusal
from gendei.errors import ConfigurationError
from gendei.reminding import ReminderPolicy, ReminderPurpose, ReminderRule, Unanswered
from gendei.verticals import Hours, ReminderSection


class RuleSection(ReminderSection):
    """One reminder, as a clinic has it."""

    services: Annotated[list[str], Field(default_factory=list)]
    template: TemplateSection | None = None

    @property
    def rule(self) -> ReminderRule:
        return replace(super().rule, services=tuple(self.services))


class RemindersSection(StrictModel):
    """As it is written in the file. `at` left out: as the vertical has it."""

    at: list[RuleSection] | None = None
    unanswered_hours_before: Hours | None = None
    unanswered: Annotated[Unanswered, Field(strict=False)] = Unanswered.TASK

    @model_validator(mode="after")
    def _asked_before(self) -> Self:
        hours = self.unanswered_hours_before
        asked = [rule.hours_before for rule in self.at or () if rule.purpose is ReminderPurpose.CONFIRMATION]
        if hours is not None and self.at is not None and hours >= max(asked, default=0):
            problem = "nobody is asked whether they come before that."
            raise refusal(problem, "Add a rule with purpose: confirmation and more hours, or write fewer hours here.")
        return self

    def policy(self) -> ReminderPolicy:
        rules = None if self.at is None else tuple(section.rule for section in self.at)
        return ReminderPolicy(rules, self.unanswered_hours_before, self.unanswered)

    def templates(self) -> dict[str, MessageTemplate]:
        """Those of single rules, under the rules' names for them."""
        return {rule.rule.template: rule.template.template() for rule in self.at or () if rule.template is not None}


def reminder_problems(file: DataFile) -> Iterator[ConfigurationError]:
    """Rules for services that there are not, and two that would send the same to one appointment."""
    services = [service.get("id") for service in _mappings(file.data.get("services"))]
    known = {service_id for service_id in services if isinstance(service_id, str)}
    section = file.data.get("reminders")
    seen: list[tuple[tuple[object, object], frozenset[str]]] = []
    for index, rule in enumerate(section.get("at") or () if isinstance(section, dict) else ()):
        if not isinstance(rule, dict):
            continue
        place, named = ("reminders", "at", index), rule.get("services") or []
        meant = frozenset(each for each in named if isinstance(each, str)) if isinstance(named, list) else frozenset()
        for position, service_id in enumerate(named if isinstance(named, list) else ()):
            if isinstance(service_id, str) and service_id not in known:
                at = (*place, "services", position)
                yield file.error(at, f"there is no service {file.shown(at, service_id)}.", nearest(service_id, known))
        key = rule.get("hours_before"), rule.get("purpose", "reminder")
        if any(key == other and (not meant or not others or meant & others) for other, others in seen):
            yield file.error(place, "another one is sent at the same time for the same.", "Remove one.")
        seen.append((key, meant))


def _mappings(written: object) -> list[dict[str, object]]:
    return [each for each in written if isinstance(each, dict)] if isinstance(written, list) else []

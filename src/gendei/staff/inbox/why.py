"""Why the bot answered as it did, in sentences for people: what it understood, looked up, decided and was refused."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum
from typing import Annotated, Any

from gendei.booking.dates import Resolution, describe
from gendei.clinic import Clinic
from gendei.conversation.speech.spoken_answers import CHANGES
from gendei.datafile import StrictModel, Text
from gendei.ear.kinds import MessageKind
from gendei.messages.turns import Danger, Reasons, ToolStep, Unclear, Understood
from gendei.prompts import INTENTS
from gendei.receptionist.offers.choices import Action, Kind
from gendei.receptionist.tools import CATEGORIES, CATEGORY_OF
from gendei.receptionist.tools.refusals import REASONS
from gendei.texts import Each, Holds, fill


class WhyPart(StrEnum):
    """The parts of an account, in their order."""

    UNDERSTOOD = "understood"
    LOOKED_UP = "looked_up"
    DECIDED = "decided"
    REFUSED = "refused"


LOOKS_UP = frozenset({*CATEGORIES["information"], "get_available_slots", "get_patient_appointments"})
"""Tools that change nothing and say nothing."""
ITS_OWN = frozenset({"cancel_appointment", "confirm_presence", "note_late", "search_knowledge"})
"""Tools whose result alone tells of which appointment."""
SAYS_NOTHING = frozenset("courtesy describes english harmless mishap no_service question spanish speak wishes".split())
"""Intents that only tell how others are meant, or are heard in single words of many messages."""
CHOICES = (*(kind for kind in Kind if kind is not Kind.ACTION), *(f"{Kind.ACTION}_{action}" for action in Action))

Account = Mapping[WhyPart, tuple[str, ...]]
"""Sentences by part; a part without any is left out."""


class _Tool(StrictModel):
    """`done`: what was done, of `what`; `refused`: that it was not, with the reason."""

    done: Annotated[Text, Holds(("what",))]
    refused: Annotated[Text, Holds(("what", "reason"), needs=("reason",))]


class WhyTexts(StrictModel):
    """`what`: how things are put together in the place of {what}. `attached`: a tool of the clinic's own server."""

    headings: Annotated[dict[str, Text], Each(WhyPart)]
    in_message: Annotated[Text, Holds(("list",))]
    no_wish: Text
    tapped: Annotated[Text, Holds(("choice",))]
    sure: Annotated[Text, Holds(("kind", "share"))]
    unsure: Annotated[Text, Holds(("kind", "share"))]
    service: Annotated[Text, Holds(("names",))]
    professional: Annotated[Text, Holds(("name",))]
    when: Annotated[Text, Holds(("when",))]
    wishes: Annotated[dict[str, Text], Each(INTENTS - SAYS_NOTHING)]
    kinds: Annotated[dict[str, Text], Each(MessageKind)]
    choices: Annotated[dict[str, Text], Each(CHOICES)]
    danger: Annotated[dict[str, Text], Each(Danger)]
    unclear: Annotated[dict[str, Text], Each(Unclear)]
    by_rules: Text
    by_model: Text
    unchanged: Text
    tools: Annotated[dict[str, _Tool], Each(CATEGORY_OF)]
    attached: _Tool
    found: Annotated[Text, Holds(("count",))]
    nothing_found: Text
    none_found: Annotated[Text, Holds(("reason",))]
    reasons: Annotated[dict[str, Text], Each(REASONS)]
    unknown_reason: Text
    with_: Annotated[Text, Holds(("name",))]
    for_: Annotated[Text, Holds(("name",))]
    any_professional: Text
    next_times: Text
    no_details: Text

    def account(self, reasons: Reasons, clinic: Clinic, at: datetime) -> Account:
        """Why the bot answered so; empty where nothing was recorded. `at`: when, in the clinic's zone."""
        return _Telling(self, clinic, at).account(reasons)


@dataclass(frozen=True, slots=True)
class _Telling:
    texts: WhyTexts
    clinic: Clinic
    at: datetime

    def account(self, reasons: Reasons) -> Account:
        parts: dict[WhyPart, list[str]] = {part: [] for part in WhyPart}
        if reasons.understood is not None:
            parts[WhyPart.UNDERSTOOD] += self._understood(reasons.understood)
            parts[WhyPart.DECIDED].append(self.texts.by_model if reasons.understood.by_model else self.texts.by_rules)
        for step in reasons.steps:
            part, sentence = self._step(step)
            parts[part].append(sentence)
        if (reasons.steps or reasons.understood) and not any(map(_changed, reasons.steps)):
            parts[WhyPart.DECIDED].append(self.texts.unchanged)
        return {part: tuple(dict.fromkeys(sentences)) for part, sentences in parts.items() if sentences}

    def _understood(self, said: Understood) -> Iterator[str]:
        texts = self.texts
        wishes = [texts.wishes[name] for name in said.wishes if name in texts.wishes]
        if said.tapped in texts.choices:
            yield fill(texts.tapped, {"choice": texts.choices[said.tapped]})
        if wishes:
            yield fill(texts.in_message, {"list": "; ".join(wishes)})
        if said.kind in texts.kinds:
            whole = texts.sure if said.sure else texts.unsure
            yield fill(whole, {"kind": texts.kinds[said.kind], "share": str(said.share)})
        if said.services:
            names = [self._service(service) for service in said.services]
            yield fill(texts.service, {"names": ", ".join(names)})
        if said.professional:
            yield fill(texts.professional, {"name": self._professional(said.professional)})
        if when := self._moment(said.day, said.until, said.hour, said.hour_from, said.hour_to):
            yield fill(texts.when, {"when": when})
        yield from (texts.unclear[unclear] for unclear in said.unclear)
        if not (wishes or said.tapped or said.kind or said.services or said.professional or when):
            yield texts.no_wish
        yield texts.danger[said.danger]

    def _step(self, step: ToolStep) -> tuple[WhyPart, str]:
        """In which part a tool call is told, and its sentence."""
        texts, tool = self.texts, self.texts.tools.get(step.tool, self.texts.attached)
        values = {"what": self._what(step) or texts.no_details, "reason": self._reason(step)}
        looks_up = step.tool in LOOKS_UP or step.tool not in texts.tools
        if step.error is not None:
            return WhyPart.REFUSED, fill(tool.refused, values)
        sentence = fill(tool.done, values)
        if step.reason is not None:
            sentence += f" {fill(texts.none_found, values)}"
        elif step.found is not None:
            sentence += f" {fill(texts.found, {'count': str(step.found)}) if step.found else texts.nothing_found}"
        return WhyPart.LOOKED_UP if looks_up else WhyPart.DECIDED, sentence

    def _reason(self, step: ToolStep) -> str:
        """Records from before there were reasons have the desk's in their result alone."""
        reason = step.reason or str(_data(step).get("reason", ""))
        return self.texts.reasons.get(reason, self.texts.unknown_reason)

    def _what(self, step: ToolStep) -> str:
        """Of what a tool was called, as its arguments tell it."""
        texts, given = self.texts, _object(step.arguments)
        if step.tool in ITS_OWN:
            told = _data(step)
            return str(told.get("line") or told.get("summary") or "")
        if step.tool not in texts.tools:
            return step.tool.replace("_", " ")
        if own := given.get("reason") or given.get("label"):
            return str(own)
        service, professional, patient = (given.get(name) for name in ("service_id", "professional_id", "patient_name"))
        parts = (
            self._service(str(service)) if service else "",
            fill(texts.with_, {"name": self._professional(str(professional))}) if professional else "",
            self._when(given),
            fill(texts.for_, {"name": str(patient)}) if patient else "",
        )
        return ", ".join(filter(None, parts))

    def _when(self, given: Mapping[str, Any]) -> str:
        words = str(given.get("new_date") or given.get("date") or "")
        if not words:
            return ""
        first, _, last = words.partition("/")
        try:
            day, until = date.fromisoformat(first), date.fromisoformat(last) if last else None
        except ValueError:  # in somebody's words
            return self.texts.next_times if words.lower() in {"próximos", "proximos"} else f"“{words}”"
        at = given.get("new_time") or given.get("time")
        return self._moment(day, until, at, given.get("time_from"), given.get("time_to"))

    def _moment(self, day: date | None, until: date | None, at: object, since: object, to: object) -> str:
        exactly = at or (since if since == to else None)
        hours = Resolution(time=_clock(exactly), time_from=_clock(since), time_to=_clock(to))
        return describe(replace(hours, date=day, end_date=until), self.at)

    def _service(self, service_id: str) -> str:
        found = self.clinic.service(service_id)
        return found.name if found else service_id

    def _professional(self, professional_id: str) -> str:
        found = self.clinic.professional(professional_id)
        return found.name if found else self.texts.any_professional if professional_id == "any" else professional_id


def technical(reasons: Reasons) -> str:
    """The same as it is recorded, as JSON for support."""
    steps = [
        {
            "tool": step.tool,
            "arguments": _object(step.arguments) or step.arguments,
            "status": str(step.status),
            "reason": step.reason,
            "error": step.error,
            "result": _object(step.result) or step.result,
        }
        for step in reasons.steps
    ]
    return json.dumps({"understood": _plain(reasons.understood), "steps": steps}, ensure_ascii=False, indent=1)


def _plain(understood: Understood | None) -> Mapping[str, Any] | None:
    """Without what it does not hold."""
    if understood is None:
        return None
    values = ((name, getattr(understood, name)) for name in understood.__dataclass_fields__)
    return {name: str(value) if isinstance(value, date) else value for name, value in values if value}


def _changed(step: ToolStep) -> bool:
    return step.tool in CHANGES and step.error is None


def _data(step: ToolStep) -> Mapping[str, Any]:
    """What a tool returned, where all of it is recorded."""
    data = _object(step.result).get("data")
    return data if isinstance(data, dict) else {}


def _object(recorded: str | None) -> Mapping[str, Any]:
    """A long one is recorded in part alone, and cannot be read."""
    with suppress(ValueError, RecursionError):
        read = json.loads(recorded or "")
        if isinstance(read, dict):
            return read
    return {}


def _clock(text: object) -> time | None:
    with suppress(ValueError):
        return time.fromisoformat(str(text)) if text else None
    return None

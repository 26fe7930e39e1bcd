"""The sentences that staff read in the inbox, from `prompts/inbox.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.conversation.history import Event
from gendei.datafile import Problems, StrictModel, Text, nearest, read_yaml
from gendei.staff.inbox.canned_text import PLACEHOLDERS, Canned, unknown_placeholders, with_present_names

FILE = "inbox.yaml"


class _Canned(StrictModel):
    id: Text
    title: Text
    text: Text


class _Names(StrictModel):
    unknown: Text
    nobody: Text


class _File(StrictModel):
    events: dict[str, Text]
    called: Text
    names: _Names
    suppressed: Text
    failed: Text
    left_note: Text
    canned: Annotated[list[_Canned], Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class InboxTexts:
    """`events`: a sentence for every Event; `called`: the one of a take-over that the bot asked for. `suppressed`,
    `failed`: why a message did not go, where nothing else tells. `left_note`: what the bot is told when it gets a
    conversation back by itself. `canned`: what a clinic starts with. `unknown`, `nobody`: names."""

    events: Mapping[Event, str]
    called: str
    unknown: str
    nobody: str
    suppressed: str
    failed: str
    left_note: str
    canned: tuple[Canned, ...]

    def event(self, event: Event, name: str | None, detail: str) -> str:
        """The sentence for what happened. `name`: who did it."""
        return self.events[event].replace("{name}", name or self.unknown).replace("{detail}", detail or self.nobody)


def load_inbox_texts(folder: Path) -> InboxTexts:
    """The sentences of `folder`. Raises ConfigurationError for an event that is unknown or missing, and for an unknown
    placeholder in a canned reply."""
    file = read_yaml(folder / FILE)
    content = file.into(_File)
    problems = Problems()
    known = {str(event) for event in Event}
    for name in content.events.keys() - known:
        problems.found.append(file.error(("events", name), "there is no such event.", nearest(name, known)))
    for name in sorted(known - content.events.keys()):
        problems.found.append(file.error(("events",), f"{name} is missing.", "Write a sentence for staff."))
    for index, one in enumerate(content.canned):
        for name in unknown_placeholders(one.text):
            at = ("canned", index, "text")
            problems.found.append(file.error(at, f"{{{name}}} is no placeholder.", nearest(name, PLACEHOLDERS)))
    problems.raise_any()
    return InboxTexts(
        events={Event(name): text for name, text in content.events.items()},
        called=content.called,
        unknown=content.names.unknown,
        nobody=content.names.nobody,
        suppressed=content.suppressed,
        failed=content.failed,
        left_note=content.left_note,
        canned=tuple(Canned(one.id, one.title, with_present_names(one.text)) for one in content.canned),
    )

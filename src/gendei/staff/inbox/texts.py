"""The sentences that staff read in the inbox, from `prompts/inbox.yaml`."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.conversation.stored.history import Event
from gendei.datafile import StrictModel, Text, nearest, refusal
from gendei.staff.inbox.canned import PLACEHOLDERS, Canned, unknown_placeholders, with_present_names
from gendei.staff.inbox.why import WhyTexts
from gendei.texts import Catalogue, Each, Holds, fill


def _known_placeholders(text: str) -> str:
    for name in unknown_placeholders(text):
        raise refusal(f"{{{name}}} is no placeholder.", nearest(name, PLACEHOLDERS))
    return text


class _Canned(StrictModel):
    """A reply in staff's own spelling of the placeholders (see canned_text)."""

    id: Text
    title: Text
    text: Annotated[Text, AfterValidator(_known_placeholders)]


class _Names(StrictModel):
    unknown: Text
    nobody: Text


class InboxTexts(Catalogue):
    """`events`: a sentence for every Event; `called`: the one of a take-over that the bot asked for. `suppressed`,
    `failed`: why a message did not go, where nothing else tells. `left_note`: what the bot is told when it gets a
    conversation back by itself. `invites`: what stands for a template that asks the patient to answer until it is
    sent, where its text is not known. `why`: of the bot's answers. `overdue_alert`: what the staff's phone is told of
    who waits for long. `canned`: what a clinic starts with."""

    file_name = "inbox.yaml"
    events: Annotated[dict[str, Text], Each(Event), Holds(("name", "detail"))]
    called: Text
    names: _Names
    suppressed: Text
    failed: Text
    left_note: Text
    invites: Annotated[Text, Holds(("clinic",))]
    why: WhyTexts
    overdue_alert: Annotated[Text, Holds(("patient", "weekday_date", "time", "clinic_name"))]
    canned: Annotated[list[_Canned], Field(max_length=100)]

    @cached_property
    def first_replies(self) -> tuple[Canned, ...]:
        """The canned replies of a clinic that has none of its own."""
        return tuple(Canned(reply.id, reply.title, with_present_names(reply.text)) for reply in self.canned)

    def alert(self, values: Mapping[str, str]) -> str:
        """What the staff's phone is told of who waits for longer than the clinic promises."""
        return fill(self.overdue_alert, values)

    def event(self, event: Event, name: str | None, detail: str) -> str:
        """The sentence for what happened. `name`: who did it."""
        return fill(self.events[event], {"name": name or self.names.unknown, "detail": detail or self.names.nobody})

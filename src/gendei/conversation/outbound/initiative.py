"""Why we wrote first, and what that takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gendei.records import Moment


@dataclass(frozen=True, slots=True)
class Initiative:
    """Of a message that we start ourselves. `purpose`: one of TEMPLATE_PURPOSES. `values` fill a template's
    parameters. `until`: nobody needs it after that. `appointment`: the id, status and start of the one it tells of,
    without which it is wrong. `template_only`: WhatsApp wants a template and nothing else. `sent_template`: the name
    and language of the one that it was sent as."""

    purpose: str
    values: Mapping[str, str] = field(default_factory=dict)
    until: Moment | None = None
    appointment: tuple[str, str, Moment] | None = None
    template_only: bool = False
    sent_template: tuple[str, str] | None = None

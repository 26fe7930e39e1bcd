"""Why we wrote first, and what that takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gendei.documents import Data


@dataclass(frozen=True, slots=True)
class Initiative:
    """Of a message that we start ourselves. `purpose`: one of TEMPLATE_PURPOSES. `values` fill a template's
    parameters. `until`: nobody needs it after that. `appointment`: the id, status and start of the one it tells of,
    without which it is wrong. `template_only`: WhatsApp wants a template and nothing else. `sent_template`: the name
    and language of the one that it was sent as."""

    purpose: str
    values: Mapping[str, str] = field(default_factory=dict)
    until: datetime | None = None
    appointment: tuple[str, str, datetime] | None = None
    template_only: bool = False
    sent_template: tuple[str, str] | None = None

    def to_document(self) -> Data:
        return {
            "purpose": self.purpose,
            "values": dict(self.values),
            "until": self.until,
            "appointment": None if self.appointment is None else list(self.appointment),
            "templateOnly": self.template_only,
            "sentTemplate": None if self.sent_template is None else list(self.sent_template),
        }

    @classmethod
    def from_document(cls, data: Data) -> "Initiative":
        sent, appointment = data["sentTemplate"], data["appointment"]
        return cls(
            purpose=data["purpose"],
            values=data["values"],
            until=data["until"],
            appointment=None if appointment is None else tuple(appointment),
            template_only=data["templateOnly"],
            sent_template=None if sent is None else tuple(sent),
        )

"""What the receptionist says, in terms that no channel owns."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated

from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE

MAX_OPTIONS = 10
"""WhatsApp shows at most 10 rows in one list."""
MAX_BUTTONS = 3
"""WhatsApp shows at most 3 reply buttons; more options become a list."""
MAX_TEXT = 4096
"""Characters of a text without options."""
LIST_LABEL = "Ver opções"
MAP_LABEL = "Ver no mapa"
MAPS = "https://www.google.com/maps/search/?api=1&query="
"""Before what the map looks for: coordinates, or a name and an address in a URL's form."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing the patient can tap. `id` carries the choice itself (see receptionist/choices.py) and survives any
    channel; `title` is cut to what the channel shows (20 characters on a button, 24 in a list)."""

    id: str
    title: str
    description: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens an https address; `label` is cut to 20 characters. A channel without it sends the text with
    the address below."""

    label: str
    url: str

    def __post_init__(self) -> None:
        if not self.url.startswith("https://") or not self.label.strip():
            raise ValueError("a link needs a label and an https address")


@dataclass(frozen=True, slots=True)
class Pin:
    """A place on a map, in decimal degrees, under its name and address. It goes alone: the text of its reply is for the
    history, and for a channel without pins, which sends it with a link to the map."""

    latitude: float
    longitude: float
    name: str
    address: str

    def __post_init__(self) -> None:
        if not (-90 <= self.latitude <= 90 and -180 <= self.longitude <= 180):
            raise ValueError("a pin needs a latitude and a longitude in degrees")
        if not self.name.strip() or not self.address.strip():
            raise ValueError("a pin needs a name and an address")

    @property
    def link(self) -> Link:
        """To a map that shows the place."""
        return Link(MAP_LABEL, f"{MAPS}{self.latitude:.6f},{self.longitude:.6f}")


class PixForm(StrEnum):
    """How a payment stands in a message. CODE: the code alone, to be copied. QR: as a picture, with the text. PAID: the
    text says that it was paid."""

    CODE = "code"
    QR = "qr"
    PAID = "paid"


@dataclass(frozen=True, slots=True)
class PixPayment:
    """What a message asks to be paid by PIX, or says of it. reference: the charge's id, by which a channel that knows
    payments tells two messages about one. code: what is copied to pay it. cents: integer centavos. key: the receiver's,
    where it is known. body: what goes beside the code where the channel shows it by itself."""

    reference: str
    form: PixForm
    code: str = field(repr=False)
    cents: int
    merchant: str
    key: Annotated[str, ABSENT_WHEN_EMPTY] = field(default="", repr=False)
    body: Annotated[str, ABSENT_WHEN_EMPTY] = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One message to the patient. One to three options go as buttons, four to ten, or any number `as_list`, as a list
    that opens with `list_label` (20 characters); a channel without either sends numbered text."""

    text: str
    options: tuple[Option, ...] = ()
    list_label: str = LIST_LABEL
    link: Annotated[Link | None, ABSENT_WHEN_NONE] = None
    as_list: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    pin: Annotated[Pin | None, ABSENT_WHEN_NONE] = None
    pix: Annotated[PixPayment | None, ABSENT_WHEN_NONE] = None

    @property
    def is_list(self) -> bool:
        return bool(self.options) and (self.as_list or len(self.options) > MAX_BUTTONS)

    def without_pin(self) -> "Reply":
        """The same with a link to the map in the pin's place."""
        return replace(self, pin=None, link=self.pin.link) if self.pin else self

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a reply needs a text")
        if sum(map(bool, (self.options, self.link, self.pin))) > 1:
            raise ValueError("a reply has options, a link or a pin, only one of them")
        if len(self.options) > MAX_OPTIONS:
            raise ValueError(f"a reply takes at most {MAX_OPTIONS} options, got {len(self.options)}")
        if len({option.id for option in self.options}) != len(self.options):
            raise ValueError("the options of a reply need different ids")


def merged(replies: list[Reply]) -> tuple[Reply, ...]:
    """Plain texts join what follows them: each message costs money, and repeating oneself looks broken."""
    merged: list[Reply] = []
    for reply in replies:
        last = merged[-1] if merged else None
        too_long = last is not None and len(last.text) + len(reply.text) + 2 > MAX_TEXT
        if last is None or _stands_alone(last) or reply.pin or reply.pix or too_long:
            merged.append(reply)
        elif reply.text != last.text or reply.options or reply.link:
            text = reply.text if reply.text == last.text else f"{last.text}\n\n{reply.text}"
            merged[-1] = replace(reply, text=text)
    return tuple(merged)


def _stands_alone(reply: Reply) -> bool:
    return bool(reply.options or reply.link or reply.pin or reply.pix)

"""What the receptionist says, in terms that no channel owns."""

from dataclasses import dataclass

MAX_OPTIONS = 10
"""WhatsApp shows at most 10 rows in one list."""
MAX_BUTTONS = 3
"""WhatsApp shows at most 3 reply buttons; more options become a list."""
LIST_LABEL = "Ver opções"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing the patient can tap. `id` carries the choice itself (see choices.py) and survives any channel;
    `title` is cut to what the channel shows (20 characters on a button, 24 in a list)."""

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
class Reply:
    """One message to the patient. One to three options go as buttons, four to ten, or any number `as_list`, as a list
    that opens with `list_label` (20 characters); a channel without either sends numbered text."""

    text: str
    options: tuple[Option, ...] = ()
    list_label: str = LIST_LABEL
    link: Link | None = None
    as_list: bool = False

    @property
    def is_list(self) -> bool:
        return bool(self.options) and (self.as_list or len(self.options) > MAX_BUTTONS)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a reply needs a text")
        if self.options and self.link:
            raise ValueError("a reply has options or a link, not both")
        if len(self.options) > MAX_OPTIONS:
            raise ValueError(f"a reply takes at most {MAX_OPTIONS} options, got {len(self.options)}")
        if len({option.id for option in self.options}) != len(self.options):
            raise ValueError("the options of a reply need different ids")

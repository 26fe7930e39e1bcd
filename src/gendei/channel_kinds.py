"""The kinds of channel that a clinic file can name, and what each needs. To add one: an entry here, its file in
providers/ and its line in app.py."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Form:
    """What a channel's field must look like: a pattern, its words, and how to get one. `default` None: required."""

    pattern: str
    in_words: str
    remedy: str = "Copy it from the provider."
    default: str | None = None

    def fits(self, value: str) -> bool:
        return re.fullmatch(self.pattern, value) is not None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a kind of channel can do. Code asks for these, never for a channel's name.

    has_window: free text may leave only within a day of the patient's last message, and templates beyond it.
    is_signed: its webhooks are signed by the provider, whose word about changed addresses is believed. has_global_ids:
    a message's id is unique everywhere, not only within one connected number. can_begin: we may write first.
    keeps_window_open: a message on it opens the service window of the patient's WhatsApp number. sends_whole: a thought
    comes as one message, so that no other is waited for. carries_notes: voice notes go over it. is_visit: who writes is
    a visitor, perhaps without a name or a phone. context: how many earlier messages the receptionist reads; None: what
    the patient prefers.
    """

    has_window: bool = False
    is_signed: bool = False
    has_global_ids: bool = False
    can_begin: bool = True
    keeps_window_open: bool = True
    sends_whole: bool = False
    carries_notes: bool = True
    is_visit: bool = False
    context: int | None = None


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """What a provider needs of a clinic: the field that names the number, the credentials, which are sealed, and
    the settings, which are not. `can`: what it can do."""

    external_id: tuple[str, Form]
    secrets: Mapping[str, Form] = field(default_factory=dict)
    settings: Mapping[str, Form] = field(default_factory=dict)
    can: Capabilities = Capabilities()

    @property
    def forms(self) -> Mapping[str, Form]:
        """Every field but `provider`."""
        return {self.external_id[0]: self.external_id[1], **self.secrets, **self.settings}


_ANY_SECRET = Form(r".+", "text")
_WEBHOOK_SECRET = Form(
    r"[A-Za-z0-9_-]{16,128}",
    "16 to 128 letters, digits, - or _",
    "Make one with `openssl rand -hex 24`, and give it to the provider too.",
)
ADDRESS = r"(https://[A-Za-z0-9.-]+|http://(127\.0\.0\.1|localhost))(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?"
BASE_URL = "an https address (http only on this machine)"
_FLAG = Form(r"true|false", "true or false", "Write true or false.", default="false")
_RATE = {
    "messages_per_second": Form(
        r"[1-9][0-9]{0,3}", "a whole number up to 9999, in quotes", "Leave it out for 80, Meta's rule.", default=""
    )
}

STAND_IN = ("meta", "00000")
"""Provider and number of a clinic that is tried out with `gendei demo` or `gendei chat`, whatever channels it has. Only
that process has the number, so what is to be sent by it goes nowhere else."""

WEB = "web"
"""The channel of visitors of a clinic's own web site. They are there while they look, and can be called by nobody."""
ORIGIN = r"(https://[A-Za-z0-9.-]+|http://(127\.0\.0\.1|localhost))(:[0-9]{1,5})?"
"""A web site as browsers name it in the header Origin."""

CHANNEL_KINDS: Mapping[str, ChannelKind] = {
    "meta": ChannelKind(
        ("phone_number_id", Form(r"[0-9]{5,20}", "5 to 20 digits")),
        {"access_token": _ANY_SECRET},
        {"waba_id": Form(r"[0-9]{5,20}", "5 to 20 digits", default=""), "order_details": _FLAG, **_RATE},
        can=Capabilities(has_window=True, is_signed=True, has_global_ids=True),
    ),
    "evolution": ChannelKind(
        ("instance", Form(r"[A-Za-z0-9._-]{1,100}", "1 to 100 letters, digits, ., - or _")),
        {"api_key": _ANY_SECRET, "webhook_secret": _WEBHOOK_SECRET},
        {"base_url": Form(ADDRESS, BASE_URL), "interactive": _FLAG, **_RATE},
    ),
    "zapi": ChannelKind(
        ("instance_id", Form(r"[A-Za-z0-9]{8,64}", "8 to 64 letters and digits")),
        {"token": Form(r"[A-Za-z0-9]{8,128}", "8 to 128 letters and digits"), "client_token": _ANY_SECRET}
        | {"webhook_secret": _WEBHOOK_SECRET},
        {"base_url": Form(ADDRESS, BASE_URL, default="https://api.z-api.io"), "interactive": _FLAG, **_RATE},
    ),
    WEB: ChannelKind(
        ("site", Form(r"[a-z0-9-]{1,40}", "a-z, 0-9 and -, at most 40 characters", "Use the clinic's id.")),
        settings={
            "origins": Form(
                rf"{ORIGIN}( {ORIGIN})*",
                "origins such as https://www.example.org, with a blank between them",
                "Write the scheme and the host of each page that shows the chat, without a path or a / at the end.",
                default="",
            )
        },
        can=Capabilities(
            can_begin=False,
            keeps_window_open=False,
            sends_whole=True,
            carries_notes=False,
            is_visit=True,
            context=10,
        ),
    ),
}
"""By the `provider` of the clinic file. The web site's chat has 10 messages of context."""


def capabilities(provider: str) -> Capabilities:
    """What the channels of `provider` can do; the ordinary where there is no such provider (any more)."""
    kind = CHANNEL_KINDS.get(provider)
    return kind.can if kind else Capabilities()

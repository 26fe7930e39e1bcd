"""What Meta's error codes mean for a message of ours.

Source: Meta's pages on Cloud API error codes (September 2026) and Graph API errors. Decided by the code: titles
differ between the pages and the wire, and the HTTP status says less.
"""

from dataclasses import dataclass

from gendei.messages.channels import Permanent, Transient
from gendei.messages.message import FailureKind

_PASSING = {
    FailureKind.TEMPORARY: 2.0,
    FailureKind.THROUGHPUT: 1.0,
    FailureKind.PAIR_RATE: 1.0,
    FailureKind.MAINTENANCE: 60.0,
    FailureKind.CALL_RATE: 120.0,
}
"""What is tried again, and the seconds to wait at least."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`kind`: what follows from it."""

    meaning: str
    kind: FailureKind = FailureKind.REFUSED

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait at least before trying again, None where trying again cannot help."""
        return _PASSING.get(self.kind)

    @property
    def stop_channel(self) -> bool:
        """Whether every message of the number fails until somebody acts."""
        return self.kind is FailureKind.CHANNEL


def _stopped(meaning: str) -> Rule:
    return Rule(meaning, FailureKind.CHANNEL)


_PERMISSION = _stopped("the access token lacks a permission for this number")
_TOKEN = _stopped("the access token is invalid or expired; import the clinic with a new one")
_UNREGISTERED = _stopped("the number is not registered; register it again")
_BAD_REQUEST = Rule("Meta found the request wrong; this is a defect of ours, please report it")
_TEMPORARY = Rule("Meta has a temporary problem", FailureKind.TEMPORARY)
_MAINTENANCE = Rule("the number is in maintenance", FailureKind.MAINTENANCE)
_CALLS = Rule("too many calls to Meta's API", FailureKind.CALL_RATE)
_TEMPLATE = Rule("the template does not fit its parameters or may not be sent", FailureKind.TEMPLATE)
_PAYMENT = Rule("Meta refused the payment message")
_UNKNOWN = Rule("an error that Gendei does not know; look it up in Meta's list of error codes")

RULES: dict[int, Rule] = {
    0: _TOKEN,
    190: _TOKEN,
    3: _PERMISSION,
    10: _PERMISSION,
    131005: _PERMISSION,
    368: _stopped("Meta restricted the account for a breach of its policies"),
    131031: _stopped("Meta locked the account"),
    131037: _stopped("the number's display name is not approved"),
    131042: _stopped("the account has a payment problem"),
    131045: _UNREGISTERED,
    133010: _UNREGISTERED,
    130497: Rule("this account may not write to the recipient's country"),
    4: _CALLS,
    17: _CALLS,
    341: _CALLS,
    80007: _CALLS,
    130429: Rule("the number sends faster than Meta allows", FailureKind.THROUGHPUT),
    131056: Rule("too many messages to this recipient in a short time", FailureKind.PAIR_RATE),
    131048: Rule("Meta limited the number because messages were reported as spam", FailureKind.RESTRICTED),
    131064: Rule("Meta limited the account because of wrongly classified templates", FailureKind.RESTRICTED),
    1: _TEMPORARY,
    2: _TEMPORARY,
    131000: _TEMPORARY,
    131016: _TEMPORARY,
    133004: _TEMPORARY,
    131057: _MAINTENANCE,
    2494100: _MAINTENANCE,
    33: _BAD_REQUEST,
    100: _BAD_REQUEST,
    131008: _BAD_REQUEST,
    131009: _BAD_REQUEST,
    131051: _BAD_REQUEST,
    135000: _BAD_REQUEST,
    131021: Rule("the recipient is the clinic's own number"),
    131026: Rule(
        "the recipient cannot get the message: not on WhatsApp, terms not accepted, or an old version",
        FailureKind.UNDELIVERABLE,
    ),
    130403: Rule("the clinic blocked this recipient"),
    131030: Rule("the recipient is not on the test number's list"),
    131047: Rule("the 24-hour service window is closed; only a template can be sent", FailureKind.WINDOW_CLOSED),
    130472: Rule(
        "Meta did not deliver it, the recipient is part of an experiment; not again for 24 hours", FailureKind.NOT_NOW
    ),
    131049: Rule(
        "Meta did not deliver it, the recipient gets too much marketing; not again for 24 hours", FailureKind.NOT_NOW
    ),
    131050: Rule("the recipient stopped marketing messages", FailureKind.OPTED_OUT),
    131052: Rule("the recipient's media cannot be downloaded"),
    131053: Rule("Meta rejected our media"),
    131060: Rule("the content is not available"),
    131062: Rule("this kind of message needs the recipient's phone number"),
    131063: Rule("marketing templates are switched off for this account"),
    **dict.fromkeys((132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132018), _TEMPLATE),
    132068: Rule("the flow is blocked"),
    132069: Rule("the flow is limited to 10 messages an hour"),
    133016: Rule("the number was registered too often; wait 72 hours"),
    134011: Rule("the terms for payments are not accepted"),
    137000: Rule("the recipient's identity changed and must be confirmed"),
    **dict.fromkeys((2040, 2046, 2047), _PAYMENT),
}


def refusal(status: int, code: int | None, retry_after: float | None = None) -> Transient | Permanent:
    """What an answer that is not an acceptance means.

    status: HTTP's. code: of Meta's error object, None where there was none. retry_after: seconds from the header,
    honoured where it asks for more patience than our rule. The reason starts with the code, or with "HTTP status".
    """
    rule = _rule(status, code)
    reason = f"HTTP {status} {rule.meaning}" if code is None else f"{code} {rule.meaning}"
    if rule.retry_after is None:
        return Permanent(reason, rule.stop_channel, rule.kind)
    return Transient(reason, max(rule.retry_after, retry_after or 0), rule.kind)


def reported_kind(errors: object) -> FailureKind:
    """What the `errors` of a failed status mean, by the first code that says more than a refusal."""
    codes = [error.get("code") for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    kinds = (_rule(0, code).kind for code in codes if isinstance(code, int) and not isinstance(code, bool))
    return next((kind for kind in kinds if kind is not FailureKind.REFUSED), FailureKind.REFUSED)


def _rule(status: int, code: int | None) -> Rule:
    if code is not None and (known := RULES.get(code)):
        return known
    if code is not None and 200 <= code <= 299:
        return _PERMISSION
    if status >= 500:
        return _TEMPORARY
    if status == 429:
        return RULES[130429]
    if 300 <= status <= 399:
        return Rule("a redirect, which is never followed; check GENDEI_GRAPH_URL")
    return _UNKNOWN

"""What a failed call of an API means: whether to try again, and whether the API itself is in trouble."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from agents import ModelTimeoutError
from agents.retry import RetryDecision, RetryPolicyContext
from openai import APIConnectionError, APIStatusError, APITimeoutError

from gendei.errors import GendeiError

MAX_RETRY_AFTER = 5.0
"""Seconds. An API that wants to be left alone for longer is not asked again while a patient waits."""
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_OF_A_DAY = "PerDay"
"""In the names of Gemini's quotas that are over for today: its 429 of a minute and of a day differ by nothing else."""
_OF_THE_REQUEST = frozenset({400, 413, 422})
"""The API is well and dislikes this one request (too long a conversation, a setting that the model does not know)."""


class SaidNothing(GendeiError):
    """The model ended its turn without a word and without doing anything; guided answers."""


class SaidUntrue(GendeiError):
    """The model said what is not so or not its to say, and again when it was asked again; guided answers. The kinds of
    fault stand in the metric gendei_model_corrections."""


class Kind(StrEnum):
    """Why an API gave no answer. The values stand in metrics and logs."""

    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    REFUSED = "refused"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"

    @property
    def lasting(self) -> bool:
        """Whether only an operator can cure it: a quota that is used up, a key or a model that is refused."""
        return self in {Kind.QUOTA, Kind.REFUSED}

    @property
    def passing(self) -> bool:
        """Whether the same call may go well a moment later."""
        return self in {Kind.UNREACHABLE, Kind.RATE_LIMITED, Kind.SERVER_ERROR}


@dataclass(frozen=True, slots=True)
class Trouble:
    """`retry_after`: seconds that the API asked for (the header Retry-After), or None."""

    kind: Kind
    retry_after: float | None = None


def trouble_of(error: BaseException) -> Trouble | None:
    """What `error`, raised by one call of a model, says about the API; None where only the request was at fault."""
    if isinstance(error, APIStatusError):
        return _of_status(error)
    if isinstance(error, ModelTimeoutError | APITimeoutError | TimeoutError):
        return Trouble(Kind.TIMED_OUT)
    if isinstance(error, APIConnectionError | OSError):
        return Trouble(Kind.UNREACHABLE)
    return Trouble(Kind.MALFORMED)


def may_try_again(context: RetryPolicyContext) -> RetryDecision:
    """The SDK's retry policy. A time-out is not tried again: the patient has waited for it, and guided answers. What
    an answer costs twice does no harm, as calling a model changes nothing."""
    trouble = trouble_of(context.error)
    again = (
        trouble is not None
        and trouble.kind.passing
        and (trouble.retry_after is None or trouble.retry_after <= MAX_RETRY_AFTER)
    )
    return RetryDecision(retry=again, approve_unsafe_replay=again)


def _of_status(error: APIStatusError) -> Trouble | None:
    code, told = error.status_code, _Told.of(error)
    if (code in _OF_THE_REQUEST and not told.refuses_us) or (code == 403 and told.moderated):
        return None
    if code == 402 and told.retry_after is not None:  # OpenRouter: too much at once for what is left
        return Trouble(Kind.RATE_LIMITED, told.retry_after)
    if code == 402 or (code == 429 and told.used_up):
        return Trouble(Kind.QUOTA)
    if code == 429:
        return Trouble(Kind.RATE_LIMITED, told.retry_after)
    if code == 408 or code >= 500 or code == 409:
        return Trouble(Kind.SERVER_ERROR, told.retry_after)
    return Trouble(Kind.REFUSED)


@dataclass(frozen=True, slots=True)
class _Told:
    """What an error says beyond its status. `refuses_us`: Google refuses a key, or a country without billing, with a
    400. `moderated`: OpenRouter's model would not read what it was sent."""

    used_up: bool
    refuses_us: bool
    moderated: bool
    retry_after: float | None

    @classmethod
    def of(cls, error: APIStatusError) -> "_Told":
        body = error.body if isinstance(error.body, Mapping) else {}
        details = [detail for detail in _sequence(body.get("details")) if isinstance(detail, Mapping)]
        violations = [violation for detail in details for violation in _sequence(detail.get("violations"))]
        quotas = [str(violation.get("quotaId")) for violation in violations if isinstance(violation, Mapping)]
        metadata = body.get("metadata")
        delays = [str(detail["retryDelay"]).removesuffix("s") for detail in details if "retryDelay" in detail]
        return cls(
            used_up=error.code in _QUOTA_CODES or any(_OF_A_DAY in quota for quota in quotas),
            refuses_us=body.get("status") == "FAILED_PRECONDITION"
            or any(detail.get("reason") == "API_KEY_INVALID" for detail in details),
            moderated=isinstance(metadata, Mapping) and bool(metadata.get("reasons") or metadata.get("flagged_input")),
            retry_after=_seconds(error.response.headers.get("retry-after", next(iter(delays), None))),
        )


def _sequence(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _seconds(header: str | None) -> float | None:
    """Retry-After in its form of seconds; its other form, a date, is left to the backoff."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0 else None

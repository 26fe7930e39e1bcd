"""Why a command did nothing, for every surface: the reason, which stays the same over time, its HTTP status, the
arguments that it is about, and its sentence.

Sentences stand in data files: those of the agenda and of tasks in prompts/agenda.yaml and prompts/tasks.yaml; those
below Reason in prompts/staff_tools.yaml (for language models), prompts/assistant.yaml (for who asks the assistant) and
web/pages/texts/acting.yaml (for who sees a page).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from gendei.booking.slots import Refusal
from gendei.campaigns.campaign_office import CampaignRefused
from gendei.conversation.backlog import NotPossible
from gendei.conversation.files.clinic_files import Fault, FileRefused
from gendei.conversation.outbound.proactive import Decline
from gendei.errors import NotFound, StoreError, StoreUnavailable, TooContended
from gendei.messages.channels import WindowClosed
from gendei.staff.access.accounts import LastGestor, UserExists, WrongCode, WrongPassword
from gendei.staff.access.passwords import WeakPassword
from gendei.staff.access.users import BadEmail
from gendei.staff.actors import Forbidden
from gendei.staff.agenda.agenda import AgendaRefused
from gendei.staff.agenda.blocks import NotBlocked
from gendei.staff.agenda.staff_waiting import NotWaiting
from gendei.staff.clinic_changes.file_import import StaffChanged
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.clinic_changes.texts import ChangeFault
from gendei.staff.clinic_drafts.drafts import DraftRefused
from gendei.staff.connecting.connections import ConnectingRefused
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.once import InProgress, KeyReused
from gendei.staff.patient_data import StillComing
from gendei.staff.patient_merging import MergeRefused
from gendei.staff.payments.payment_office import PaymentRefused
from gendei.staff.settings import SettingRefused
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.templates.clinic_templates import TemplateRefused
from gendei.staff.templates.wording import Fault as TemplateFault


class Reason(StrEnum):
    """Those for which neither agenda nor tasks have a sentence."""

    NO_TOKEN = "no_token"  # noqa: S105  # the name of a reason
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    INVALID = "invalid"
    DAYS_UNCLEAR = "days_unclear"
    START_UNCLEAR = "start_unclear"
    TOO_MANY_DAYS = "too_many_days"
    NO_OFFSET = "no_offset"
    WHOSE = "whose"
    PAST = "past"
    ILLEGAL_MOVE = "illegal_move"
    WHICH_COLLEAGUE = "which_colleague"
    SAME_PATIENT = "same_patient"
    CONTRADICTING_PATIENTS = "contradicting_patients"
    MERGED_NOTES_TOO_LONG = "merged_notes_too_long"
    STILL_COMING = "still_coming"
    WINDOW_CLOSED = "window_closed"
    DECLINED = "declined"
    TOO_LONG = "too_long"
    KEY_REUSED = "key_reused"
    IN_PROGRESS = "in_progress"
    UNAVAILABLE = "unavailable"
    ENTRY_REFUSED = "entry_refused"
    FAILED = "failed"


class CommandRefused(Exception):
    """The command did nothing. `values`: of its sentence. `arguments`: those that it is about, and `problem`: what is
    wrong with them, for developers. `cause`: as in Explanation."""

    def __init__(
        self, reason: Reason, *arguments: str, problem: str = "", cause: str | None = None, **values: str
    ) -> None:
        self.reason, self.arguments, self.problem, self.values = reason, arguments, problem, values
        self.cause = cause
        super().__init__(str(reason))


class MessageDeclined(Exception):
    """The clinic's limits on what it begins by itself do not let the message go."""

    def __init__(self, decline: Decline) -> None:
        self.decline = decline
        super().__init__(str(decline))


@dataclass(frozen=True, slots=True)
class Explanation:
    """`text`: the sentence, where who refused wrote it; else it is the one of `reason`, filled with `values`.
    `arguments`: with status 422, which of them are wrong, of several the first one that was given; `problem`: what is
    wrong with it, for developers. `cause`: more exact than the reason, None where that says it all."""

    reason: str
    status: HTTPStatus = HTTPStatus.CONFLICT
    text: str | None = None
    arguments: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    cause: str | None = None
    problem: str = ""


_TOO_LONG = "is longer than a conversation, a message or a caption takes"
_INVALID, _GONE = HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.NOT_FOUND
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    Refusal.INVALID_NAME: ("patient_name",),
    Refusal.INVALID_PHONE: ("phone", "contact"),
    Refusal.INVALID_BIRTH_DATE: ("birth_date",),
    Refusal.INVALID_CPF: ("cpf",),
    Refusal.INVALID_PLAN_CARD: ("plan_card",),
    Refusal.NOT_KEPT: ("birth_date", "cpf", "plan_card"),
    Refusal.PLAN_NOT_TAKEN: ("plan",),
}
"""The reasons that are about an argument alone, whatever stands in the store."""
CHANGE_STATUS: Mapping[str, HTTPStatus] = {
    ChangeFault.INVALID: _INVALID,
    ChangeFault.FACTOR_MISSING: HTTPStatus.FORBIDDEN,
    ChangeFault.FACTOR_NEEDED: HTTPStatus.FORBIDDEN,
    TemplateFault.UNREACHABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    TemplateFault.BUSY: HTTPStatus.TOO_MANY_REQUESTS,
}
FAILED = Explanation(Reason.FAILED, HTTPStatus.INTERNAL_SERVER_ERROR)
TABLE: tuple[tuple[type[Exception], Explanation], ...] = (
    (Forbidden, Explanation(Reason.FORBIDDEN, HTTPStatus.FORBIDDEN)),
    (NotFound, Explanation(Reason.NOT_FOUND, _GONE)),
    (WindowClosed, Explanation(Reason.WINDOW_CLOSED)),
    (StillComing, Explanation(Reason.STILL_COMING)),
    (KeyReused, Explanation(Reason.KEY_REUSED, _INVALID)),
    (InProgress, Explanation(Reason.IN_PROGRESS)),
    (StoreUnavailable, Explanation(Reason.UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE)),
    (TooContended, Explanation(Reason.UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE)),
    (StoreError, replace(FAILED, cause="unavailable")),
    (NotPossible, Explanation(Reason.INVALID, cause="not_possible")),
    (BadEmail, Explanation(Reason.INVALID, _INVALID, cause="bad_email")),
    (UserExists, Explanation(Reason.INVALID, cause="user_exists")),
    (WeakPassword, Explanation(Reason.INVALID, _INVALID, cause="weak_password")),
    (LastGestor, Explanation(Reason.INVALID, cause="last_gestor")),
    (WrongPassword, Explanation(Reason.INVALID, _INVALID, cause="wrong_password")),
    (WrongCode, Explanation(Reason.INVALID, _INVALID, cause="wrong_code")),
    (StaffChanged, Explanation(Reason.INVALID, cause="staff_changed")),
    (TooMuch, Explanation(Reason.TOO_LONG, _INVALID, None, ("text", "note", "reason"), problem=_TOO_LONG)),
)
"""The first that fits; whatever else there is has failed."""


UNFIT_FILES: Mapping[Fault, str] = {
    Fault.EMPTY: "is empty",
    Fault.TOO_LARGE: "is larger than WhatsApp takes: images 5 MB, audio and PDF 16 MB",
    Fault.UNKNOWN_TYPE: "is no JPEG, PNG, PDF, or audio of OGG/Opus, MP3, M4A, AAC or AMR",
}
"""What is wrong with a file, for developers."""


def explained(error: Exception) -> Explanation:
    """What every surface tells of `error`."""
    match error:
        case CommandRefused():
            status = _INVALID if error.arguments else HTTPStatus.CONFLICT
            return Explanation(
                error.reason, status, None, error.arguments, error.values, error.cause, problem=error.problem
            )
        case MessageDeclined():
            declined = str(error.decline)
            return Explanation(Reason.DECLINED, values={"words": declined}, cause=declined)
        case AgendaRefused() | NotBlocked() | NotWaiting() | TaskRefused():
            reason = error.fault if isinstance(error, TaskRefused) else error.reason
            return _by_name(str(reason), error.text)
        case ChangeRefused() | TemplateRefused() | CampaignRefused() | PaymentRefused():
            return Explanation(str(error.reason), CHANGE_STATUS.get(error.reason, HTTPStatus.CONFLICT), error.text)
        case ConnectingRefused():
            fields = ("fields", "answers") if error.field else ()
            return Explanation(str(error.reason), _INVALID, error.text, fields)
        case DraftRefused():
            return Explanation(Reason.INVALID, cause=f"draft_{error.fault}")
        case MergeRefused():
            return Explanation(str(error.fault), values={"words": ", ".join(error.fields)})
        case FileRefused():
            return Explanation(Reason.INVALID, _INVALID, None, ("content",), problem=UNFIT_FILES[error.fault])
        case SettingRefused():
            return Explanation(Reason.INVALID, _INVALID, None, (error.field,), cause=error.cause, problem=str(error))
    return next((why for kind, why in TABLE if isinstance(error, kind)), FAILED)


def _by_name(reason: str, text: str) -> Explanation:
    arguments = ARGUMENTS.get(reason, ())
    return Explanation(reason, _INVALID if arguments else HTTPStatus.CONFLICT, text, arguments)


def nearby(error: Exception) -> Mapping[str, Any]:
    """What helps to go on, as the domain has it: free `alternatives`, appointments `standing` in the way, how an
    appointment is at `present`, `candidates` among tasks, `problems` and `conflicts` of the clinic's fields. What there
    is none of is left out."""
    names = ("alternatives", "standing", "present", "candidates", "problems", "conflicts")
    return {name: found for name in names if (found := getattr(error, name, None))}

"""Meta's webhooks of templates and accounts: what they say, in our own types. Pure: no I/O, no clock.

Their fields stand beside "messages" and name no number: the account is the entry's id. Shapes: Meta's webhook reference
(message_template_status_update, template_category_update, message_template_quality_update, account_update and
phone_number_quality_update), as of October 2026.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from gendei.messages.account_notices import AccountEvent, AccountNotice, Notice, TemplateNotice
from gendei.providers.json_parts import Json, objects, part, string
from gendei.providers.webhook_body import moment

LONGEST = 512
"""Characters of a template's name, by Meta's own limit, and of what else is kept."""
_STATUS: Mapping[str, str] = {
    "REINSTATED": "APPROVED",
    "UNARCHIVED": "APPROVED",
    "UNPAUSED": "APPROVED",
    "PENDING_DELETION": "MISSING",
    "DELETED": "MISSING",
}
"""Events whose name is not the status that follows. Every other one is."""
_ACCOUNT: Mapping[str, AccountEvent] = {
    "DISABLE": AccountEvent.DISABLED,
    "REINSTATE": AccountEvent.REINSTATED,
    "ACCOUNT_VIOLATION": AccountEvent.VIOLATION,
    "FLAGGED": AccountEvent.FLAGGED,
    "UNFLAGGED": AccountEvent.UNFLAGGED,
}
_NO_OPENINGS = "RESTRICTED_BIZ_INITIATED_MESSAGING"


def read_notice(account: str, field: str, value: Json, at: datetime) -> Notice | None:
    """What one change of a webhook says; None for a field or an event that means nothing to us, and for a shape that is
    not Meta's. `at`: when Meta says that it was."""
    read = _READ.get(field)
    return read(account, value, at) if read and account else None


def _template(account: str, value: Json, at: datetime, **told: str | None) -> TemplateNotice | None:
    name, language = string(value.get("message_template_name")), string(value.get("message_template_language"))
    if not name or not language or len(name) > LONGEST:
        return None
    return TemplateNotice(account, at, name, language[:20].replace("-", "_"), **told)  # type: ignore[arg-type]  # its fields


def _status(account: str, value: Json, at: datetime) -> TemplateNotice | None:
    event = _word(value.get("event"))
    if event == "FLAGGED":  # it may be sent still
        return _template(account, value, at, quality="RED")
    if not event:
        return None
    reason = _word(value.get("reason"))
    return _template(
        account, value, at, status=_STATUS.get(event, event), reason="" if reason in {None, "NONE"} else reason
    )


def _category(account: str, value: Json, at: datetime) -> TemplateNotice | None:
    """With `correct_category` it is announced, a day ahead; else it is done."""
    now, soon = _word(value.get("new_category")), _word(value.get("correct_category"))
    return _template(account, value, at, category=now, correct_category=soon if soon and soon != now else "")


def _quality(account: str, value: Json, at: datetime) -> TemplateNotice | None:
    score = _word(value.get("new_quality_score"))
    return _template(account, value, at, quality=score) if score else None


def _account(account: str, value: Json, at: datetime) -> AccountNotice | None:
    event = _word(value.get("event"))
    if event == "ACCOUNT_RESTRICTION":
        for restriction in objects(value.get("restriction_info")):
            if restriction.get("restriction_type") == _NO_OPENINGS:
                until = moment(restriction["expiration"], at) if "expiration" in restriction else None
                return AccountNotice(account, at, AccountEvent.RESTRICTED, _NO_OPENINGS, until)
        return None
    if event == "DISABLED_UPDATE":
        states = part(value, "ban_info").get("waba_ban_state")
        state = states[-1] if isinstance(states, list) and states else states
        event = _word(state)
    known = _ACCOUNT.get(event or "")
    detail = _word(part(value, "violation_info").get("violation_type")) or event or ""
    return AccountNotice(account, at, known, detail) if known else None


def _word(value: object) -> str | None:
    found = string(value)
    return found[:LONGEST].upper() if found else None


_READ: Mapping[str, Callable[[str, Json, datetime], Notice | None]] = {
    "message_template_status_update": _status,
    "template_category_update": _category,
    "message_template_quality_update": _quality,
    "account_update": _account,
    "phone_number_quality_update": _account,
}

"""The sentences that staff read of connecting a number, from `prompts/connecting.yaml`."""

from enum import StrEnum
from typing import Annotated

from gendei.datafile import Text
from gendei.staff.connecting.ledger import ConnectionLedger, LedgerLine, Step, StepState, Way
from gendei.texts import Catalogue, Each, Holds, fill


class StepFault(StrEnum):
    """Why a step is failing."""

    DENIED = "denied"
    STATE_OVER = "state_over"
    CODE_OVER = "code_over"
    NO_APP = "no_app"
    TOKEN_OVER = "token_over"  # noqa: S105  # the name of a fault
    TOKEN_FOREIGN = "token_foreign"  # noqa: S105  # the name of a fault
    SCOPE_MISSING = "scope_missing"
    NO_ACCOUNT = "no_account"
    NO_NUMBER = "no_number"
    NUMBER_UNKNOWN = "number_unknown"
    NUMBER_TAKEN = "number_taken"
    NUMBER_ELSEWHERE = "number_elsewhere"
    PIN_WRONG = "pin_wrong"
    PIN_TRIES = "pin_tries"
    REGISTERED_TOO_OFTEN = "registered_too_often"
    REGISTER_LATER = "register_later"
    ACCOUNT_REFUSED = "account_refused"
    CALLBACK_REFUSED = "callback_refused"
    REFUSED = "refused"
    TOO_MANY_CALLS = "too_many_calls"
    UNREACHABLE = "unreachable"
    KEY_WRONG = "key_wrong"
    INSTANCE_UNKNOWN = "instance_unknown"
    SYNC_LATE = "sync_late"
    KEPT_IN_FILE = "kept_in_file"
    NOT_TAKEN = "not_taken"
    NO_ADDRESS = "no_address"
    NOT_ARRIVING = "not_arriving"
    SECRET_LOST = "secret_lost"  # noqa: S105  # the name of a fault


class Check(StrEnum):
    """What is looked at of a connected number."""

    LINK = "link"
    QUALITY = "quality"
    LIMIT = "limit"
    NAME = "name"
    WEBHOOK = "webhook"
    TEMPLATES = "templates"


class ConnectingRefusal(StrEnum):
    """Why a connection was not begun or did not go on."""

    FORM = "form"
    STATE = "state"
    NOT_BY_SIGNUP = "not_by_signup"
    UNKNOWN_ANSWER = "unknown_answer"


class ConnectingTexts(Catalogue):
    """`steps`: what each does; `open`: what somebody has to do first, where it does not go on by itself. `problem`: a
    finding that is bad. `task`: the task that it becomes."""

    file_name = "connecting.yaml"
    ways: Annotated[dict[str, Text], Each(Way)]
    steps: Annotated[dict[str, Text], Each(Step)]
    open: Annotated[dict[str, Text], Each(Step)]
    faults: Annotated[dict[str, Text], Each(StepFault)]
    skipped: Text
    choose: Text
    checks: Annotated[dict[str, Text], Each(Check)]
    problem: Annotated[dict[str, Text], Each(Check), Holds(("value",))]
    refusals: Annotated[dict[str, Text], Each(ConnectingRefusal), Holds(("field", "form"))]
    task: Annotated[Text, Holds(("number",), needs=("number",))]

    def told(self, connection: ConnectionLedger, line: LedgerLine) -> str:
        """What staff have to know of a line; "" where there is nothing to say."""
        if line.fault:
            return self.faults[line.fault]
        if line.state is StepState.SKIPPED:
            return self.skipped
        if line.state is StepState.OPEN and connection.current is line:
            return self.choose if connection.choices and line.step is Step.NUMBER else self.open[line.step]
        return ""

    def bad(self, check: str, value: str) -> str:
        return fill(self.problem[check], {"value": value})

    def refusal(self, refusal: ConnectingRefusal, **values: str) -> str:
        return fill(self.refusals[refusal], values)

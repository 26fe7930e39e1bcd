"""Why a message did not reach the patient, for staff: prompts/failures.yaml."""

import re
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator

from gendei.conversation.conversations import FailureReason
from gendei.datafile import Text, refusal
from gendei.texts import Catalogue, Each

Explain = Callable[[FailureReason, str], str]
"""From the reason and the technical detail, which starts with the provider's code where there is one."""


def _code(code: str) -> str:
    if not code.isdecimal():
        raise refusal("is no code.", "Write the provider's number in quotes.")
    return code


class FailureTexts(Catalogue):
    """`reasons`: a sentence for every FailureReason. `codes`: a better one where the provider's code says more."""

    file_name = "failures.yaml"
    reasons: Annotated[dict[str, Text], Each(FailureReason)]
    codes: dict[Annotated[str, AfterValidator(_code)], Text]

    def explain(self, reason: FailureReason, detail: str) -> str:
        """The sentence for staff, in Portuguese."""
        return self.codes.get(code_of(detail), self.reasons[reason])


def code_of(detail: str) -> str:
    """The provider's code at the start of a technical detail; "" where there is none."""
    match = re.match(r"\d+\b", detail)
    return match[0] if match else ""


def technical(_reason: FailureReason, detail: str) -> str:
    """What stands in for the sentences where none were loaded."""
    return detail

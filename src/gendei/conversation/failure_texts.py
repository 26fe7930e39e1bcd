"""Why a message did not reach the patient, for staff: prompts/failures.yaml."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gendei.conversation.conversations import FailureReason
from gendei.datafile import Problems, StrictModel, Text, nearest, read_yaml

FILE = "failures.yaml"
Explain = Callable[[FailureReason, str], str]
"""From the reason and the technical detail, which starts with the provider's code where there is one."""


class _File(StrictModel):
    reasons: dict[str, Text]
    codes: dict[str, Text]


@dataclass(frozen=True, slots=True)
class FailureTexts:
    """`reasons`: a sentence for every FailureReason. `codes`: a better one where the provider's code says more."""

    reasons: Mapping[FailureReason, str]
    codes: Mapping[str, str]

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


def load_failure_texts(folder: Path) -> FailureTexts:
    """The sentences of `folder`. Raises ConfigurationError for a reason that is unknown or missing, and for a code
    that is none."""
    file = read_yaml(folder / FILE)
    content = file.into(_File)
    problems = Problems()
    known = {str(reason) for reason in FailureReason}
    for name in content.reasons.keys() - known:
        problems.found.append(file.error(("reasons", name), "there is no such reason.", nearest(name, known)))
    for name in sorted(known - content.reasons.keys()):
        problems.found.append(file.error(("reasons",), f"{name} is missing.", "Write a sentence for staff."))
    for code in content.codes:
        if not code.isdecimal():
            problems.found.append(file.error(("codes", code), "is no code.", "Write the provider's number in quotes."))
    problems.raise_any()
    return FailureTexts({FailureReason(name): text for name, text in content.reasons.items()}, content.codes)

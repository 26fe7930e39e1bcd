"""What is said in a live call beside the receptionist's answers: prompts/live.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gendei.datafile import Problems, StrictModel, Text, nearest, read_yaml
from gendei.receptionist.contract import Hearing
from gendei.voice.live.frames import Close

FILE = "live.yaml"
OPTIONS = "{options}"
NOTICES = frozenset(
    {str(one) for one in Hearing if one not in {Hearing.SURE, Hearing.UNSURE}}
    | {"unspoken", "read_it", "not_taken", "person", "options"}
)


class _File(StrictModel):
    notices: dict[str, Text]
    closed: dict[str, Text]


@dataclass(frozen=True, slots=True)
class LiveTexts:
    """`notices`: by their code; "options" is only spoken. `closed`: why the call is over, by the name of the Close."""

    notices: Mapping[str, str]
    closed: Mapping[str, str]


def load_live_texts(folder: Path) -> LiveTexts:
    """Raises ConfigurationError for a sentence that is unknown or missing."""
    file = read_yaml(folder / FILE)
    content = file.into(_File)
    problems = Problems()
    codes = frozenset(one.reason for one in Close)
    for group, given, known in (("notices", content.notices, NOTICES), ("closed", content.closed, codes)):
        for name in sorted(given.keys() - known):
            problems.found.append(file.error((group, name), "there is no such entry.", nearest(name, known)))
        for name in sorted(known - given.keys()):
            problems.found.append(file.error((group,), f"{name} is missing.", "Write it."))
    if OPTIONS not in content.notices.get("options", OPTIONS):
        problems.found.append(file.error(("notices", "options"), f"has no {OPTIONS}.", "Say where they stand."))
    problems.raise_any()
    return LiveTexts(content.notices, content.closed)

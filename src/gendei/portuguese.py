"""What operators read, in Portuguese: sentences of the code are looked up in portuguese.yaml as they stand, without the
code having to know of it.

An entry is an English sentence with its Portuguese one. `{}` in both is what the code fills in, in order; what stands
there is looked up too, since one sentence may be a part of another. A single word is left as it is there: it is to be
written so in a file.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import RootModel

from gendei.datafile import Text, read_yaml
from gendei.errors import ConfigurationError, GendeiError

FILE = Path(__file__).with_name("portuguese.yaml")
GAP = "{}"
_DEEPEST = 4
"""How often a sentence may stand within another."""


class _File(RootModel[dict[str, Text]]):
    """Sentences by those of the code."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A sentence with gaps."""

    english: re.Pattern[str]
    portuguese: str


@cache
def sentences() -> dict[str, str]:
    """Every Portuguese sentence by the English one. Raises ConfigurationError for a file that cannot be read."""
    return dict(read_yaml(FILE).into(_File).root)


@cache
def _forms() -> list[_Form]:
    """Those with gaps, what says the most first."""
    with_gaps = sorted((english for english in sentences() if GAP in english), key=lambda text: (-len(text), text))
    return [
        _Form(re.compile("(.*?)".join(map(re.escape, english.split(GAP))), re.DOTALL), sentences()[english])
        for english in with_gaps
    ]


def in_portuguese(text: str, depth: int = 0) -> str:
    """The sentence, or each paragraph or line of several; as it is where nobody translated it."""
    if "\n\n" in text:
        return "\n\n".join(in_portuguese(part, depth) for part in text.split("\n\n"))
    flat = " ".join(text.split())
    if flat in sentences() and (not depth or " " in flat):
        return sentences()[flat]
    if depth < _DEEPEST:
        for form in _forms():
            if found := form.english.fullmatch(flat):
                parts = iter([in_portuguese(part, depth + 1) for part in found.groups()])
                return re.sub(re.escape(GAP), lambda _: next(parts), form.portuguese)  # noqa: B023  # used at once
        if "\n" in text:
            return "\n".join(in_portuguese(line, depth + 1) for line in text.split("\n"))
    return text


def explained(error: GendeiError) -> str:
    """What went wrong and what to do; of a file, all that is wrong with it, a line each."""
    if isinstance(error, ConfigurationError):
        return "\n".join(_of_file(problem) for problem in error.problems)
    return in_portuguese(str(error))


def _of_file(error: ConfigurationError) -> str:
    where = re.sub(r"^line (\d+)", r"linha \1", error.where)
    source = in_portuguese(error.source, 1)
    place = f"{source}: {where}" if where else source
    return f"{place}: {in_portuguese(error.problem)} {in_portuguese(error.remedy)}".strip()

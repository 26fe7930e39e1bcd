"""A task by a rough title: pure."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from gendei.staff.inbox.rows import fold
from gendei.staff.tasks.stored import Task

_ALIKE = 80
"""Of 100: how near a word must come to one of the title."""


def matching(tasks: Sequence[Task], title: str) -> list[Task]:
    """Those that `title` may mean, the likeliest first: every word of it stands in theirs, without regard to accents,
    capitals, order and a slip. A title that is exactly it is the only one."""
    wanted = _words(title)
    if not wanted:
        return []
    if exact := [task for task in tasks if _words(task.title) == wanted]:
        return exact
    scored = sorted(((_score(wanted, _words(task.title)), task) for task in tasks), key=lambda pair: -pair[0])
    return [task for score, task in scored if score]


def _score(wanted: list[str], title: list[str]) -> float:
    found = [max((_alike(word, other) for other in title), default=0) for word in wanted]
    return sum(found) / len(found) if all(found) else 0


def _alike(word: str, other: str) -> float:
    """Of numbers only the same will do."""
    if word == other or not word.isalpha():
        return 100.0 * (word == other)
    return fuzz.ratio(word, other, score_cutoff=_ALIKE)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))

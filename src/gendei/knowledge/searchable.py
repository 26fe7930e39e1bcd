"""What is searched, apart from the search: who only keeps entries needs none of its arithmetic."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Searchable:
    """What of an entry is searched."""

    id: str
    questions: tuple[str, ...]
    answer: str

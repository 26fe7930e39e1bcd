"""Text of the store and of callers, as a preview tells it."""

from gendei.staff.tasks.fields import visible

MOST_NAME = 80
"""Characters of what stands in the store already and only says of whom it is: more could hide what is asked behind it.
What would be written is shown whole."""


def in_line(text: str) -> str:
    """On one line, without what nobody sees."""
    return " ".join(visible(text).split())


def shortened(text: str) -> str:
    """A name, on one line, of at most MOST_NAME characters."""
    line = in_line(text)
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 1]}…"

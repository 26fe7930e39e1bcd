"""How much of what was written is understood: the beginning and the end. The history keeps everything."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gendei.messages.turns import PatientInput

MOST_CHARACTERS = 1900
"""Of one turn, or of one earlier message: a page of text; who books writes a few lines. With what joins the parts it
stays below the 2,000 characters that the vocabulary listens to."""
GAP = " … "
"""Stands between the two ends of a text that is cut."""


def excerpt(text: str, most: int = MOST_CHARACTERS) -> str:
    """`text`, or its beginning and its end, in at most `most` characters together with a gap."""
    half = (most - len(GAP)) // 2
    return text if len(text) <= most else f"{text[:half]}{GAP}{text[-half:]}"


def excerpts(inputs: Sequence[PatientInput], most: int = MOST_CHARACTERS) -> tuple[PatientInput, ...]:
    """The messages of one turn with at most `most` characters of text in all, from the first and the last of them.

    A message between them loses its text, and is left out where it was nothing but text: pictures, places and tapped
    options are few and short, and count.
    """
    if sum(len(message.text) for message in inputs) <= most:
        return tuple(inputs)
    half = most // 2
    first = _ends(inputs, half)
    last = _ends(inputs[::-1], half)[::-1]
    kept = []
    for message, before, after in zip(inputs, first, last, strict=True):
        text = message.text if before + after >= len(message.text) else _cut(message.text, before, after)
        if text or message.choice or message.kind != "text":
            kept.append(replace(message, text=text))
    return tuple(kept)


def _ends(inputs: Sequence[PatientInput], room: int) -> list[int]:
    """How many characters of each message have a place, in this order."""
    taken = []
    for message in inputs:
        taken.append(min(room, len(message.text)))
        room -= taken[-1]
    return taken


def _cut(text: str, before: int, after: int) -> str:
    return GAP.join(part for part in (text[:before], text[len(text) - after :]) if part)


def earlier(history: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, str], ...]:
    """Earlier messages ("role", "content"), each of them cut."""
    return tuple({**message, "content": excerpt(message["content"])} for message in history)

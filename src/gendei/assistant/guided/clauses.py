"""Several errands in one message, taken apart: "remarca a Ana para sexta e cancela a do João"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from gendei.assistant.guided.guide import Guide
from gendei.assistant.phrases import Errand

_BETWEEN = re.compile(
    r"(?:(?<!\s)\s+)?(?:[;\n?!]+|,(?!\d)|\.(?=\s)|\+|\b(?:e|mais)\b)\s*(?:(?:e|depois|tamb[eé]m|tb|tbm|a[ií]|ent[aã]o)\b\s*)*",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\+|\b(?:e|mais)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"[ao]s?\b|d[aeo]s?\b", re.IGNORECASE)
_ABOUT_ONE = (
    Errand.CANCEL,
    Errand.MOVE,
    Errand.NO_SHOW,
    Errand.CONFIRMED,
    Errand.ARRIVED,
    Errand.IN_ROOM,
    Errand.ATTENDED,
    Errand.TAKE_OVER,
    Errand.HAND_BACK,
    Errand.CONTACT,
)
"""Errands that may be meant for the next one who is named too: "cancela a da Ana e a do João"."""
_CHANGES, _NOTIFY, _NOTICE = (Errand.MOVE, Errand.CANCEL), "com aviso", 3
"""To "e avisa ela", of so many words, what was changed is meant."""
_WRITTEN = (Errand.NOTE, Errand.ADD_TASK, Errand.RENAME_TASK)
"""Behind these stand words that are to be kept as they are, until somebody is told to do something else."""
_SENT = (Errand.REPLY, Errand.BEGIN)
"""Behind these stands what the patient reads."""
MOST_PIECES = 30
"""Each is read together with those before it. A yes stands for a third of that."""
_NEAR = 2
"""Words that may stand before the verb of an errand."""


class Clause(NamedTuple):
    """One errand of several: as it was `said`, and with what it takes from those around it as a message of its own."""

    said: str
    text: str


def parted(guide: Guide, errands: Sequence[Errand]) -> list[Clause]:
    """The errands that the message is made of, in order; the message itself where it is one."""
    whole = list(_grown(guide, errands))
    if len(whole) == 1:
        return [Clause(guide.text, whole[0][1].text)]
    return [Clause(said.strip(), text) for (said, _), text in zip(whole, _with_targets(whole), strict=True)]


def _grown(guide: Guide, errands: Sequence[Errand]) -> Iterator[tuple[str, Guide]]:
    """As it was said, and as it is meant."""
    said, joint, now = "", "", replace(guide, text="")
    for text, behind in _pieces(guide.text):
        piece = replace(guide, text=text)
        apart = _apart(now, joint, piece, errands) if said else None
        if apart is None:
            said, now = f"{said}{joint}{text}", replace(guide, text=f"{now.text}{joint}{text}")
        elif apart[0] is None:
            said, now = f"{said}{joint}{text}", apart[1]
        else:
            yield said, apart[0]
            said, now = text, apart[1]
        joint = behind
    yield said, now


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Every piece, with what stands behind it; of more than MOST_PIECES the last holds the rest."""
    start = 0
    for found in islice(_BETWEEN.finditer(text), MOST_PIECES - 1):
        yield text[start : found.start()], found[0]
        start = found.end()
    yield text[start:], ""


def _apart(now: Guide, joint: str, piece: Guide, errands: Sequence[Errand]) -> tuple[Guide | None, Guide] | None:
    """What is over before `piece` (None: it says anew what was said), and what begins with it; None where it belongs to
    what is said `now`."""
    before, its = _first(now, errands), _first(piece, errands)
    if before in _SENT or (before in _WRITTEN and not _orders(piece, its)):
        return None
    if before is None:
        late = its in _ABOUT_ONE and _whom(now) and (piece.place(its) or 0) > 0 and _whom(piece)
        return (replace(now, text=f"{piece.spoken(its)} {now.text}"), piece) if late and its else None
    if its is None:
        likewise = _JOINED.search(joint) or _ANOTHER.match(piece.text)
        inherits = likewise and before in _ABOUT_ONE and Errand.BECAUSE not in now.heard and _whom(piece)
        return (now, replace(piece, text=f"{now.spoken(before)} {piece.text}")) if inherits else None
    if its is Errand.REPLY and before in _CHANGES and not (_whom(piece) or len(piece.said) > _NOTICE):
        return None, replace(piece, text=f"{now.text} {_NOTIFY}")
    if its is Errand.MOVE and before is Errand.CANCEL and not _whom(replace(piece, text=piece.split()[0])):
        whose = now.text.replace(now.spoken(before), " ", 1)
        return None, replace(piece, text=f"{piece.spoken(its)} {whose} {piece.after(its)}")
    near = (piece.place(its) or 0) <= _NEAR
    return (now, piece) if near or (its in _ABOUT_ONE and _whom(piece)) else None


def _first(guide: Guide, errands: Sequence[Errand]) -> Errand | None:
    return next((errand for errand in errands if errand in guide.heard), None)


def _orders(piece: Guide, errand: Errand | None) -> bool:
    """Whether it begins with an order ("cancela"), and not with what is only named ("cancelar")."""
    return errand is not None and piece.place(errand) == 0 and not piece.spoken(errand).split()[0].endswith("r")


def _whom(guide: Guide) -> bool:
    """Whether it names somebody, or an hour that may be theirs."""
    return bool(guide.names(guide.text, *_ABOUT_ONE, Errand.REPLY) or guide.when().time)


def _with_targets(whole: Sequence[tuple[str, Guide]]) -> Iterator[str]:
    """ "Remarca a Ana e o João para sexta" moves both there."""
    for place, (_, meant) in enumerate(whole):
        behind = next((target for _, later in whole[place:] if (target := later.split()[1])), "")
        alike = Errand.MOVE in meant.heard and not meant.split()[1] and behind
        yield f"{meant.text} para {behind}" if alike else meant.text

"""Several errands in one message, taken apart: "remarca a Ana para sexta e cancela a do João"."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gendei.assistant.guided.errand_rules import Trait
from gendei.assistant.guided.guide import Guide, Order, OrderPart
from gendei.assistant.phrases import Errand

_BETWEEN = re.compile(
    r"(?:(?<!\s)\s+)?(?:[;\n?!]+|,(?!\d)|\.(?=\s)|\+|\b(?:e|mais)\b)\s*(?:(?:e|depois|tamb[eé]m|tb|tbm|a[ií]|ent[aã]o)\b\s*)*",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\+|\b(?:e|mais)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"[ao]s?\b|d[aeo]s?\b", re.IGNORECASE)
_CHANGES, _NOTICE = (Errand.MOVE, Errand.CANCEL), 3
"""To "e avisa ela", of so many words, what was changed is meant."""
MOST_PIECES = 30
"""Each is read together with those before it. A yes stands for a third of that."""
_NEAR = 2
"""Words that may stand before the verb of an errand."""


class Clause(NamedTuple):
    """One errand of several: as it was `said`, and with what it takes from those around it."""

    said: str
    order: Order

    @classmethod
    def of(cls, kept: Sequence[object]) -> "Clause":
        """As a question keeps it; earlier versions kept a text in place of the order."""
        said, order = kept
        return cls(str(said), Order(*order) if isinstance(order, list | tuple) else Order(str(order)))


def parted(guide: Guide) -> list[Clause]:
    """The errands that the message is made of, in order; the message itself where it is one."""
    whole = list(_grown(guide))
    if len(whole) == 1:
        return [Clause(guide.text, whole[0][1].order)]
    return [Clause(said.strip(), order) for (said, _), order in zip(whole, _with_targets(whole), strict=True)]


def _grown(guide: Guide) -> Iterator[tuple[str, Guide]]:
    """As it was said, and as it is meant."""
    said, joint, now = "", "", guide.alone("")
    for text, behind in _pieces(guide.text):
        piece = guide.alone(text)
        apart = _apart(now, joint, piece) if said else None
        if apart is None:
            said, now = f"{said}{joint}{text}", now.of(f"{now.text}{joint}{text}")
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


def _apart(now: Guide, joint: str, piece: Guide) -> tuple[Guide | None, Guide] | None:
    """What is over before `piece` (None: it says anew what was said), and what begins with it; None where it belongs to
    what is said `now`."""
    if now.is_a(Trait.SENT) or (now.is_a(Trait.KEPT) and not _orders(piece)):
        return None
    if now.rule is None:
        late = piece.is_a(Trait.ABOUT_ONE) and _whom(now) and (_verb(piece) or 0) > 0 and _whom(piece)
        return (_taking(now, piece), piece) if late else None
    if piece.rule is None:
        likewise = _JOINED.search(joint) or _ANOTHER.match(piece.text)
        inherits = likewise and now.is_a(Trait.ABOUT_ONE) and Errand.BECAUSE not in now.heard and _whom(piece)
        return (now, _taking(piece, now)) if inherits else None
    before, its = now.rule.means, piece.rule.means
    if its is Errand.REPLY and before in _CHANGES and not (_whom(piece) or len(piece.said) > _NOTICE):
        return None, now.knowing(OrderPart.NOTICE, piece.text)
    if its is Errand.MOVE and before is Errand.CANCEL and not _whom(piece.alone(piece.split()[0])):
        return None, _taking(now, piece).knowing(OrderPart.TARGET, piece.split()[1])
    near = (_verb(piece) or 0) <= _NEAR
    return (now, piece) if near or (piece.is_a(Trait.ABOUT_ONE) and _whom(piece)) else None


def _taking(guide: Guide, other: Guide) -> Guide:
    """The words of `guide`, with the errand of the `other`."""
    return guide.of(guide.text, errand=other.rule.means if other.rule else None)


def _verb(piece: Guide) -> int | None:
    """How many words stand before its errand."""
    return piece.place(piece.rule.means) if piece.rule else None


def _orders(piece: Guide) -> bool:
    """Whether it begins with an order ("cancela"), and not with what is only named ("cancelar")."""
    return _verb(piece) == 0 and not piece.said[0].endswith("r")


def _whom(guide: Guide) -> bool:
    """Whether it names somebody, or an hour that may be theirs."""
    return bool(guide.names() or guide.when().time)


def _with_targets(whole: Sequence[tuple[str, Guide]]) -> Iterator[Order]:
    """ "Remarca a Ana e o João para sexta" moves both there."""
    for place, (_, meant) in enumerate(whole):
        behind = next((target for _, later in whole[place:] if (target := later.split()[1])), "")
        alike = meant.rule and meant.rule.means is Errand.MOVE and not meant.split()[1] and behind
        yield (meant.knowing(OrderPart.TARGET, behind) if alike else meant).order

"""How much text WhatsApp takes, and how longer text is cut.

Limits: Meta's pages on text, reply buttons, lists and link buttons (2026). The unit of a "character" is stated
nowhere, so UTF-16 units are counted: never fewer than any other reading.
"""

from collections import Counter
from collections.abc import Iterable

MAX_TEXT = 4096
MAX_BUTTON_BODY = 1024
MAX_LIST_BODY = 4096
MAX_BUTTON_TITLE = 20
MAX_LIST_LABEL = 20
MAX_SECTION_TITLE = 24
MAX_ROW_TITLE = 24
MAX_ROW_DESCRIPTION = 72
MAX_ID = 200
"""Of a list row; a button's id may be longer, but what is a row here may be a button there."""
MAX_URL = 2000

ELLIPSIS = "…"


def units(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fit(text: str, limit: int) -> str:
    """`text` within `limit` UTF-16 units: cut after a word (inside one that fills most of it), and ended with
    an ellipsis. Lone surrogates, which no JSON parser need accept, are replaced."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    if len(encoded) <= 2 * limit:
        return encoded.decode("utf-16-le", "replace")
    room = 2 * (limit - 1)
    kept = encoded[:room].decode("utf-16-le", "ignore")
    following = encoded[room:].decode("utf-16-le", "ignore")[:1]
    if not following.isspace() and not kept[-1:].isspace():
        at_word = kept.rsplit(None, 1)[0] if kept else kept
        kept = at_word if 3 * len(at_word) >= len(kept) else kept
    return kept.rstrip("\u200d \t\n") + ELLIPSIS


def cut(text: str, limit: int) -> str:
    """`text` within `limit` UTF-16 units, cut wherever that falls."""
    if units(text) <= limit:
        return fit(text, limit)
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * (limit - 1)].decode("utf-16-le", "ignore")
    return kept.rstrip("\u200d \t\n") + ELLIPSIS


def one_line(text: str) -> str:
    """`text` with every run of white space as one space: titles hold no line breaks."""
    return " ".join(text.split())


def distinct_titles(texts: Iterable[str], limit: int) -> list[str]:
    """The texts as titles: one line each, within `limit`, never empty and all different, also after the cut."""
    lines = [one_line(text) or str(position) for position, text in enumerate(texts, start=1)]
    at_word = Counter(fit(line, limit) for line in lines)
    titles: list[str] = []
    for line in lines:
        title, copy = fit(line, limit), 1
        if at_word[title] > 1 or 4 * units(title) < 3 * min(units(line), limit):
            title = cut(line, limit)  # inside a word, where too little would be left to tell what it is
        while title in titles:
            copy += 1
            suffix = f" {copy}"
            title = fit(line, limit - len(suffix)) + suffix
        titles.append(title)
    return titles

"""A web page as blocks: what a visitor reads, without scripts, menus, and what is hidden from people."""

import re
from html.parser import HTMLParser

from gendei.knowledge.sources.blocks import TextBlock

_LEFT_OUT = frozenset("script style template noscript svg nav head iframe object select button form textarea".split())
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt summary legend caption".split())
_BLOCKS = _HEADINGS | frozenset(
    "p div li dd dl ul ol section article main aside header footer details table tr td th blockquote pre br hr "
    "address figure figcaption body".split()
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)"
    r"|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}",
    re.I,
)


def web_page_blocks(text: str) -> list[TextBlock]:
    """What a visitor reads of a page."""
    page = _Page()
    page.feed(text)
    page.close()
    page.end()
    return page.blocks


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[TextBlock] = []
        self._words: list[str] = []
        self._heading = 0
        self._hidden: list[str] = []
        """Elements that are open within the outermost one that nobody reads, with it."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden:
            if tag not in _VOID:
                self._hidden.append(tag)
            return
        if tag in _BLOCKS:
            self.end()
        if tag in _VOID:
            return
        if tag in _LEFT_OUT or _is_hidden(dict(attrs)):
            self._hidden.append(tag)
        elif tag in _HEADINGS:
            self._heading += 1

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if tag in self._hidden:
                while self._hidden.pop() != tag:
                    pass
            return
        if tag in _BLOCKS:
            self.end()
        if tag in _HEADINGS:
            self._heading = max(0, self._heading - 1)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._words.append(data)

    def end(self) -> None:
        """What was read so far is a block."""
        text = " ".join("".join(self._words).split())
        self._words.clear()
        if text:
            self.blocks.append(TextBlock(text, is_heading=bool(self._heading)))


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return hidden or bool(_HIDDEN.search(attributes.get("style") or ""))

"""The text of a file as blocks: headings and paragraphs. It imports nothing of the service, so that a process of its
own can begin with it quickly."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO

MOST_BYTES = 10 * 1024 * 1024
MOST_PAGES = 200
MOST_CHARACTERS = 500_000
"""Of text in a file."""


class SourceFault(StrEnum):
    """Why nothing can be read of a file."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    UNKNOWN_TYPE = "unknown_type"
    BROKEN = "broken"
    ENCRYPTED = "encrypted"
    NO_TEXT = "no_text"
    TOO_LONG = "too_long"
    TOO_MUCH_WORK = "too_much_work"


class UnreadableSource(Exception):
    """Nothing can be read of the file, because of `fault`."""

    def __init__(self, fault: SourceFault) -> None:
        self.fault = fault
        super().__init__(str(fault))


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, or a heading of what follows."""

    text: str
    is_heading: bool = False


def blocks_of(content: bytes, name: str) -> list[TextBlock]:
    """The text of a PDF, a web page, or a text or Markdown file. name: as the sender's computer has it. Raises
    UnreadableSource."""
    if not content.strip():
        raise UnreadableSource(SourceFault.EMPTY)
    if len(content) > MOST_BYTES:
        raise UnreadableSource(SourceFault.TOO_LARGE)
    if b"%PDF-" in content[:1024]:
        found = list(_of_lines(_pdf_lines(content)))
    else:
        text = _decoded(content)
        if name.lower().endswith((".html", ".htm", ".xhtml")) or _WEB_PAGE.match(text):
            from gendei.knowledge.sources.web_page import web_page_blocks  # noqa: PLC0415  # which is made of TextBlock

            found = web_page_blocks(text)
        else:
            found = list(_of_markdown(text))
    cleaned = [TextBlock(text, each.is_heading) for each in found if (text := clean(each.text))]
    if sum(len(each.text) for each in cleaned) > MOST_CHARACTERS:
        raise UnreadableSource(SourceFault.TOO_LONG)
    if not cleaned:
        raise UnreadableSource(SourceFault.NO_TEXT)
    return cleaned


_WEB_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.I | re.S)


def clean(text: str) -> str:
    """In one line, without characters that nobody sees: they may part or hide words."""
    seen = (char for char in unicodedata.normalize("NFC", text) if unicodedata.category(char) not in {"Cf", "Co", "Cs"})
    shown = (" " if unicodedata.category(char) in {"Cc", "Zl", "Zp", "Zs"} else char for char in seen)
    return " ".join("".join(shown).split())


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(ord(char) < 32 and char not in "\t\n\r\f\v\x1b" for char in text):
            return text
    raise UnreadableSource(SourceFault.UNKNOWN_TYPE)


def _pdf_lines(content: bytes) -> Iterator[str]:
    """The lines of a PDF's pages, with an empty one between two pages."""
    from pypdf import PdfReader  # noqa: PLC0415  # nothing else waits for it
    from pypdf.errors import FileNotDecryptedError, LimitReachedError  # noqa: PLC0415

    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableSource(SourceFault.ENCRYPTED)
        if len(reader.pages) > MOST_PAGES:
            raise UnreadableSource(SourceFault.TOO_LONG)
        length = 0
        for page in reader.pages:
            text = page.extract_text()
            length += len(text)
            if length > MOST_CHARACTERS:
                raise UnreadableSource(SourceFault.TOO_LONG)
            yield from text.splitlines()
            yield ""
    except FileNotDecryptedError:
        raise UnreadableSource(SourceFault.ENCRYPTED) from None
    except (MemoryError, LimitReachedError):
        raise UnreadableSource(SourceFault.TOO_MUCH_WORK) from None
    except UnreadableSource:
        raise
    except Exception:  # noqa: BLE001  # a broken file makes the library raise nearly anything
        raise UnreadableSource(SourceFault.BROKEN) from None


_BULLET = re.compile(r"\s*(?:[-*+•‣▪–]|\d{1,3}[.)]|[a-z][.)])\s+")
_ENDS = (".", "!", "?", ":", ";", "…")
LONGEST_HEADING = 80


def _of_lines(lines: Iterable[str]) -> Iterator[TextBlock]:
    """Lines as a page breaks them, joined to paragraphs again. A short line without an end, after which another
    sentence begins, is a heading."""
    whole = list(lines)
    paragraph = ""
    for at, raw in enumerate(whole):
        line, after = raw.strip(), next((each.strip() for each in whole[at + 1 :] if each.strip()), "")
        begins = bool(_BULLET.match(raw)) or (paragraph.endswith(_ENDS) and line[:1].isupper())
        if paragraph and (not line or begins):
            yield TextBlock(paragraph)
            paragraph = ""
        bare = _BULLET.sub("", raw, count=1).strip()
        if not bare:
            continue
        if not paragraph and _is_heading(bare, after):
            yield TextBlock(bare, is_heading=True)
        else:
            paragraph = f"{paragraph} {bare}".strip()
    if paragraph:
        yield TextBlock(paragraph)


def _is_heading(line: str, after: str) -> bool:
    short = len(line) <= LONGEST_HEADING and not line.endswith(_ENDS) and "," not in line
    return short and line[:1].isupper() and (after[:1].isupper() or bool(_BULLET.match(after)))


_EMPHASIS = re.compile(r"(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\(\s*([^)\s]*)[^)]*\)")


def _of_markdown(text: str) -> Iterator[TextBlock]:
    """Paragraphs between empty lines, and headings of Markdown. In a list each item is a paragraph."""
    paragraph: list[str] = []

    def ended() -> Iterator[TextBlock]:
        if paragraph:
            yield TextBlock(_plain(" ".join(paragraph)))
            paragraph.clear()

    for raw in text.splitlines():
        line = raw.strip()
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            yield from ended()
            yield TextBlock(_plain(heading[1]), is_heading=True)
        elif re.fullmatch(r"={3,}|-{3,}|\*{3,}", line):
            if paragraph and line[0] in "=-" and len(paragraph) == 1:
                yield TextBlock(_plain(paragraph.pop()), is_heading=True)
            yield from ended()
        elif not line or line.startswith("```"):
            yield from ended()
        else:
            if _BULLET.match(raw) or (paragraph and paragraph[-1].endswith("?")):
                yield from ended()
            paragraph.append(_BULLET.sub("", raw, count=1).strip())
    yield from ended()


def _plain(text: str) -> str:
    """Without emphasis and links; where a link leads stands behind its words."""
    told = _LINK.sub(lambda found: f"{found[1]} ({found[2]})" if found[2].startswith("http") else found[1], text)
    for _ in range(3):
        told = _EMPHASIS.sub(r"\2", told)
    return told.lstrip("> ")

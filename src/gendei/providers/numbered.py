"""A reply as ONE text, for channels without buttons and lists, and for when a provider refuses them.

One, because each message costs money. The options are numbered in the reply's own order, whatever their sections,
so that "2" means the reply's second option.
"""

from collections.abc import Sequence
from dataclasses import replace

from gendei.messages.limits import fit, one_line, units
from gendei.messages.replies import Option, Reply

MAX_TEXT = 4096
"""UTF-16 units of a WhatsApp text (Meta's page on text messages; the others pass it on)."""
SHORT_TITLE = 80
SHORT_SECTION = 40
LEAST_TEXT = 40
"""What of the reply's own words must still fit above its options or its link."""


class Unsendable(ValueError):
    """This message cannot be put in a form that the channel takes; the text says why, without its content."""


def numbered_text(reply: Reply, limit: int = MAX_TEXT) -> str:
    """`reply` as one text of at most `limit` UTF-16 units: its words, then "1. Title" a line (with the description,
    where it fits) under bold section headings, or the address of its link or of its pin's map. Only words
    and titles are ever cut. Raises Unsendable where the address alone leaves no room."""
    reply = reply.without_pin()
    below = next((lines for lines in _forms(reply) if units(lines) + LEAST_TEXT <= limit), None)
    if below is None:
        raise Unsendable(f"its options or its link do not fit within {limit} characters")
    words = fit(reply.text.rstrip() if below else reply.text, limit - units(below))
    return fit(words + below, limit)


def _forms(reply: Reply) -> Sequence[str]:
    """What stands below the words, from the fullest form to the shortest."""
    if reply.link:
        label = fit(one_line(reply.link.label), SHORT_TITLE)
        return f"\n\n{label}: {reply.link.url}", f"\n\n{reply.link.url}"
    if not reply.options:
        return ("",)
    short = [
        replace(
            option,
            title=fit(one_line(option.title), SHORT_TITLE),
            description="",
            section=fit(one_line(option.section), SHORT_SECTION),
        )
        for option in reply.options
    ]
    bare = [replace(option, section="") for option in short]
    return _lines(reply.options), _lines(short), _lines(bare)


def _lines(options: Sequence[Option]) -> str:
    """A heading stands wherever the section changes, and an empty line where one ends without a next."""
    lines: list[str] = []
    before = None
    for number, option in enumerate(options, start=1):
        section = one_line(option.section)
        if section != before:
            lines += ["", f"*{section}*"] if section else [""]
        before = section
        title, description = one_line(option.title), one_line(option.description)
        named = f"{number}. {title}".rstrip()
        lines.append(f"{named} – {description}" if description else named)
    return "\n" + "\n".join(lines)

"""A message's text as WhatsApp shows it."""

import re
from html import escape

_LINK = re.compile(r"(https?://[^\s<>\"]+[^\s<>\".,;:!?)\]])")
_CODE = re.compile(r"```(.+?)```", re.DOTALL)
_MARKED = tuple(
    (re.compile(rf"(?<![\w{mark}]){mark}(?=\S)([^\n{mark}]+?)(?<=\S){mark}(?![\w{mark}])"), tag)
    for mark, tag in ((r"\*", "strong"), ("_", "em"), ("~", "s"))
)
"""WhatsApp's help page "How to format your messages"."""


def whatsapp_html(text: str) -> str:
    """`text` as HTML in which nothing stands but what is written here: *bold*, _italic_, ~struck~, ```fixed``` and
    links. Everything else is escaped; line breaks stay, for `white-space: pre-wrap`."""
    parts = _LINK.split(text)
    return "".join(_link(part) if number % 2 else _marked(part) for number, part in enumerate(parts))


def whatsapp_plain(text: str) -> str:
    """`text` without the marks of its format, for a line in a list."""
    plain = _CODE.sub(r"\1", text)
    for pattern, _ in _MARKED:
        plain = pattern.sub(r"\1", plain)
    return plain


def _link(address: str) -> str:
    safe = escape(address, quote=True)
    return f'<a href="{safe}" target="_blank" rel="noopener noreferrer">{safe}</a>'


def _marked(text: str) -> str:
    html = _CODE.sub(r"<code>\1</code>", escape(text, quote=True))
    for pattern, tag in _MARKED:
        html = pattern.sub(rf"<{tag}>\1</{tag}>", html)
    return html

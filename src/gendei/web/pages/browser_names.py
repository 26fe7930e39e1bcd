"""What a browser calls itself, as people call it."""

from gendei.web.pages.texts import page_texts

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
"""The first that is found: most browsers also call themselves by the names that come later."""


def browser_of(agent: str) -> str:
    """From a User-Agent: "Chrome · Windows". What is unknown is said to be."""
    known = [next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, known)) or page_texts("account")["unknown_browser"]

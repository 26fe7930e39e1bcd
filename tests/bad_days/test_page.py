"""What the operators' page of bad days quotes is what they see."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SQLITES_OWN = "database or disk is full"


def test_what_the_page_quotes_from_the_log_is_what_the_service_says():
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    days = page.partition("## Bad days")[2].partition("\n## ")[0]
    said = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src" / "gendei").rglob("*.py"))
    quotes = [quote for quote in re.findall(r"`([a-z]+ [^`]+)`", days) if not quote.startswith("gendei ")]
    assert SQLITES_OWN in quotes
    quotes.remove(SQLITES_OWN)
    assert len(quotes) > 3
    assert [quote for quote in quotes if not all(part in said for part in quote.split(" ... "))] == []

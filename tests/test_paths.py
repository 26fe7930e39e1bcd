"""The table of docs/architecture.md names the paths and fields that the code reads and writes."""

import re
from pathlib import Path

from tests.golden.records import records

from gendei.records import Record

ARCHITECTURE = Path(__file__).parents[1] / "docs" / "architecture.md"
CLINIC = "gendei_clinics/{clinicId}"
Row = tuple[tuple[str, ...], str]
"""Paths, and fields as the table has them: "name, channels (provider, externalId)"."""


def told(fields: dict[str, dict]) -> str:
    return ", ".join(f"{name} ({told(inner)})" if inner else name for name, inner in fields.items())


def row(record: Record) -> Row:
    return record.paths, told(record.fields)


def known() -> list[Row]:
    return list(dict.fromkeys(row(record) for each in records().values() for record in each))


def table() -> list[Row]:
    section = ARCHITECTURE.read_text().partition("## The store's paths")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|[^|]+\|$", section, re.M)
    return [(tuple(path.replace("...", CLINIC) for path in re.findall("`(.+?)`", paths)), told) for paths, told in rows]


def test_each_record_has_its_row_with_its_fields():
    missing = [value for value in known() if value not in table()]
    assert missing == [], "\n".join(f"write | {', '.join(paths)} | {fields} |" for paths, fields in missing)


def test_no_row_is_of_a_path_or_of_fields_that_are_gone():
    assert [value for value in table() if value not in known()] == []


def moments(schema: object) -> list[dict]:
    """Every datetime of one of pydantic's schemas."""
    inner = list(schema.values()) if isinstance(schema, dict) else schema if isinstance(schema, list | tuple) else []
    here = [schema] if isinstance(schema, dict) and schema.get("type") == "datetime" else []
    return here + [found for each in inner for found in moments(each)]


def test_no_record_takes_a_naive_moment():
    naive = [
        record.kind.__name__
        for each in records().values()
        for record in each
        if any(moment.get("tz_constraint") != "aware" for moment in moments(record._adapter.core_schema))
    ]
    assert naive == [], "write Moment or Local"

"""Tables as files for a spreadsheet of Brazil: semicolons, decimal commas, and the mark by which it knows UTF-8."""

import csv
from collections.abc import Iterable
from io import StringIO

from starlette.responses import PlainTextResponse, Response

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How what a spreadsheet takes for a formula begins."""


def literal(text: str) -> str:
    """A text that people wrote, so that no spreadsheet computes it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    text = StringIO()
    writer = csv.writer(text, delimiter=";")
    writer.writerow(columns)
    writer.writerows(rows)
    return "\ufeff" + text.getvalue()


def csv_response(text: str, file: str) -> Response:
    """The file to be saved under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{file}"', "Cache-Control": "no-store"}
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


def no_such_file() -> Response:
    """For what there is not, and for who may not see it."""
    return PlainTextResponse("Not Found", status_code=404)

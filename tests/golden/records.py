"""Every record of the code, by kind of path."""

from functools import cache
from importlib import import_module
from pathlib import Path

from tests.golden.files import kind_of

import gendei
from gendei.records import Record, registered

SOURCE = Path(gendei.__file__).parent


@cache
def records() -> dict[str, list[Record]]:
    """The records at each kind of path; several where documents of several shapes stand there."""
    for file in sorted(SOURCE.rglob("*.py")):
        if "from gendei.records import" in file.read_text():
            import_module(".".join(("gendei", *file.relative_to(SOURCE).with_suffix("").parts)))
    found: dict[str, list[Record]] = {}
    for record in registered():
        for path in record.paths:
            found.setdefault(kind_of(path), []).append(record)
    return found

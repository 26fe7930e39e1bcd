"""The command itself."""

import importlib.metadata

from tests.cli.conftest import Gendei


def test_it_tells_its_version(gendei: Gendei) -> None:
    told = gendei("--version")
    assert (told.exit_code, told.stdout) == (0, f"gendei {importlib.metadata.version('gendei')}\n")


def test_without_a_command_it_shows_them(gendei: Gendei) -> None:
    told = gendei()
    assert told.exit_code == 2
    assert all(name in told.output for name in ("serve", "demo", "clinics", "tokens"))

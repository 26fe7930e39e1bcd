"""What tests of several packages share, and what a run says at its end."""

import asyncio
import gc
import logging
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import uvicorn.server
from tests.cheap_passwords import hash_cheaply
from tests.emulator import NoEmulator, emulator
from tests.indexes import watching_for_refusals
from tests.read_once import read_once

from gendei.receptionist import answering
from gendei.receptionist.turn_rules import broken_rules
from gendei.receptionist.turn_trace import TurnTrace

hypothesis.settings.register_profile("untimed", deadline=None, max_examples=50)
hypothesis.settings.load_profile("untimed")
"""No test asserts a time: a busy machine is no defect. Each run tries other examples."""

hash_cheaply()
read_once()
as_number = signal._int_to_enum  # type: ignore[attr-defined]
signal._int_to_enum = lambda value, numbers: as_number(value, numbers) if isinstance(value, int) else value  # type: ignore[attr-defined]
"""asyncio's Runner asks for its handler of SIGINT, in vain, in each run; enum then describes the whole task."""
os.environ["GENDEI_LANG"] = "en"

MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes folders of its own in it
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    """Thousands of stores are made, and each of their commits waits for the disk."""


class Hurried:
    """asyncio for uvicorn's server, which looks only ten times a second whether it shall end."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


uvicorn.server.asyncio = Hurried()  # type: ignore[assignment]

NOT_TESTED = "FIRESTORE IS NOT TESTED"
PAGES_NOT_TESTED = "THE PAGES ARE NOT TESTED"
FORMATS_NOT_TESTED = "AAC AND AMR ARE NOT TESTED"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-snapshots", action="store_true", help="Keep the prompts as they are rendered now.")


def pytest_collection_finish() -> None:
    """What is loaded stays: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: two fifths of a run are spent waiting, for the browser and for sockets."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.fixture(scope="session")
def firestore_emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The "host:port" of Google's emulator, shared by all workers of the run; skips where it cannot be had."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    try:
        with emulator(folder) as address:
            yield address
    except NoEmulator as missing:
        pytest.skip(f"{NOT_TESTED}: {missing}")


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """A command sets the logs of its process, which is here that of other tests too."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.setLevel(level)
    root.handlers[:] = [handler for handler in root.handlers if handler in handlers]


@pytest.fixture(autouse=True)
def refused_queries() -> Iterator[list[str]]:
    """No test makes the code ask what Firestore, in production, would refuse for want of an index."""
    with watching_for_refusals() as refused:
        yield refused
    assert refused == [], "declare an index in gendei.documents.INDEXES and in firestore.indexes.json"


@pytest.fixture(autouse=True)
def broken_turn_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every turn that a test lets the receptionist answer keeps the rules of a turn, whatever its model did. A test
    that lets one break them empties the list."""
    broken: list[str] = []

    def watching(trace: TurnTrace) -> tuple[str, ...]:
        found = broken_rules(trace)
        broken.extend(found)
        return found

    monkeypatch.setattr(answering, "broken_rules", watching)
    yield broken
    assert broken == [], "a turn broke rules of gendei.receptionist.turn_rules"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was left out: a skip alone is one letter."""
    reasons = [item.longrepr[2] for item in terminalreporter.getreports("skipped") if isinstance(item.longrepr, tuple)]
    for what in (NOT_TESTED, PAGES_NOT_TESTED, FORMATS_NOT_TESTED):
        left_out = [reason for reason in reasons if what in reason]
        if left_out:
            terminalreporter.section(what, red=True, bold=True)
            why = left_out[0].partition(f"{what}: ")[2]
            terminalreporter.line(f"{len(left_out)} tests were skipped: it {why}", red=True)

"""`python -m bench`: measure everything once and print it. `--tiny` only shows that it runs."""

import argparse
import logging
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.intake import measure_intake
from bench.live import measure_live
from bench.mcp import measure_mcp
from bench.mixed import measure_mixed
from bench.pages import measure_pages
from bench.reminders import measure_reminders
from bench.report import Section, render
from bench.room import measure_room
from bench.sizes import FULL, TINY, Sizes
from bench.slots import measure_slots
from bench.start import measure_start
from bench.statuses import measure_statuses
from bench.turns import measure_turns
from bench.voice import measure_voice
from bench.waiting import measure_waiting

SECTIONS: Mapping[str, Callable[[Path, Sizes], Section]] = {
    "intake": measure_intake,
    "turns": measure_turns,
    "statuses": measure_statuses,
    "start": measure_start,
    "slots": lambda _, sizes: measure_slots(sizes),
    "mixed": measure_mixed,
    "waiting": measure_waiting,
    "room": measure_room,
    "reminders": measure_reminders,
    "mcp": measure_mcp,
    "pages": measure_pages,
    "live": measure_live,
    "voice": measure_voice,
}
"""Each takes the folder of the databases, which should be on the disk that is meant."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="a few requests and turns: shows only that it runs")
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS), help="these parts alone")
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the databases go (default: here)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # of the stand-ins in this process: what counts stands in the report
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=options.dir) as workdir:
        print(f"{os.cpu_count()} processors, Python {platform.python_version()}; {_load()} before")
        sizes = TINY if options.tiny else FULL
        found = {name: _measured(name, Path(workdir), sizes) for name in options.only}
        print(render([figures for figures in found.values() if figures]))
        print(f"\n{_load()} after: what else runs on the machine makes every figure worse and less certain")
    if failed := [name for name, figures in found.items() if figures is None]:
        sys.exit(f"could not be measured: {', '.join(failed)}")


def _measured(name: str, workdir: Path, sizes: Sizes) -> Section | None:
    """None where it fails, which says why and costs this part alone."""
    try:
        return SECTIONS[name](workdir, sizes)
    except Exception:  # noqa: BLE001  # whatever it is, the other parts took minutes
        traceback.print_exc()
        return None


def _load() -> str:
    return f"load average {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()

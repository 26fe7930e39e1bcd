"""`python -m tests.crash`: run the crash rig; status 1 where a promise was broken."""

import argparse
import asyncio
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.crash.away import cut, paused
from tests.crash.engines import NAMES, Engine, engine_named
from tests.crash.rig import Plan, crash
from tests.crash.standin import Point
from tests.emulator import NoEmulator


def main() -> int:
    asked = _arguments()
    if asked.cut and asked.engine != "firestore":
        print("a file cannot be cut off from one process alone: --cut needs --engine firestore", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # told to stop, it ends what it started
    with tempfile.TemporaryDirectory(prefix="gendei-crash-") as folder:
        try:
            with engine_named(asked.engine, Path(folder)) as engine:
                return asyncio.run(_run(asked, engine, Path(folder)))
        except NoEmulator as missing:
            print(f"FIRESTORE IS NOT TESTED: it {missing}", file=sys.stderr)
            return 0 if asked.skip else 2


async def _run(asked: argparse.Namespace, engine: Engine, folder: Path) -> int:
    for wanted, scenario, what in ((asked.paused, paused, "stopped"), (asked.cut, cut, "cut off from the store")):
        if wanted:
            wrongs = await scenario(engine, folder)
            print(f"{engine.name}, {what} beyond its lease: {'; '.join(wrongs) or 'the other answered, and only it'}")
            return 1 if wrongs else 0
    plan = Plan(asked.seconds, asked.processes, asked.seed, asked.arrivals)
    if asked.events:
        plan = replace(plan, questions=2, points=(Point.FOLLOWING, Point.FOLLOWED))
    report = await crash(plan, engine, folder)
    print(report.line, *report.details, sep="\n", flush=True)
    return 1 if report.verdict.wrongs else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--engine", choices=NAMES, default="sqlite")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long processes are killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--arrivals", type=float, default=1.5, help="new patients a second")
    parser.add_argument(
        "--paused", action="store_true", help="instead: stop a process beyond its lease, then resume it"
    )
    parser.add_argument("--events", action="store_true", help="kill only before and after a follower has its effect")
    parser.add_argument("--cut", action="store_true", help="instead: cut a process off from the store, then mend it")
    parser.add_argument("--skip", action="store_true", help="end well where there is no Firestore emulator")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

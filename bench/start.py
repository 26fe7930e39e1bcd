"""How long commands take from the call to their end, and `gendei serve` until it is ready, as whole processes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.request import urlopen

from bench.children import CHECKOUT, GENDEI, free_port, output_of, server
from bench.report import Figure, Section
from bench.sizes import Sizes
from gendei.secrets import new_key

CLINIC = CHECKOUT / "clinics" / "boa-vida.yaml"
LIMIT_SECONDS = 60
COMMANDS: Mapping[str, tuple[Sequence[str], float]] = {
    "gendei --help": (("--help",), 0.7),
    "gendei keygen": (("keygen",), 0.7),
    "gendei check": (("check",), 1.2),
    "gendei queue show": (("queue", "show", "--json"), 1.2),
    "gendei users list": (("users", "list"), 1.2),
    "gendei appointments": (("appointments", "--clinic", "boa-vida", "--json"), 1.2),
}
"""Arguments and goal in seconds."""
READY_GOAL = 4.0


def measure_start(workdir: Path, sizes: Sizes) -> Section:
    """Raises ChildFailed where a command does."""
    settings = {
        "GENDEI_DATABASE": f"sqlite:///{workdir / 'start.db'}",
        "GENDEI_SECRET_KEY": new_key(),
        "GENDEI_LOG_LEVEL": "ERROR",
        "META_TOKEN": "bench",
    }
    output_of((*GENDEI, "clinics", "import", str(CLINIC)), workdir, settings, LIMIT_SECONDS)
    taken: dict[str, list[float]] = {}
    for _ in range(sizes.starts + 1):
        for name, (arguments, _) in COMMANDS.items():
            began = perf_counter()
            output_of((*GENDEI, *arguments), workdir, settings, LIMIT_SECONDS)
            taken.setdefault(name, []).append(perf_counter() - began)
        taken.setdefault("gendei serve, ready", []).append(_ready(workdir, settings))
    goals = {name: goal for name, (_, goal) in COMMANDS.items()} | {"gendei serve, ready": READY_GOAL}
    return Section(
        title="Start: a whole process, from its call",
        figures=tuple(Figure(name, median(taken[name][1:]), "at most", goal, "s") for name, goal in goals.items()),
        method=(
            f"Each in turn, once unmeasured, so that bytecode and the disk's cache are there, and then {sizes.starts} "
            "times; the medians. A SQLite file with one clinic. gendei serve is ready when /readyz answers."
        ),
        seen=tuple(f"{name}: {min(times[1:]):.2f} to {max(times[1:]):.2f} s" for name, times in taken.items()),
    )


def _ready(workdir: Path, settings: Mapping[str, str]) -> float:
    """Seconds until a service answers 200 at /readyz, which it does as soon as it listens and its store answers."""
    port = free_port()
    began = perf_counter()
    with server((*GENDEI, "serve", "--port", str(port)), workdir, settings, port):
        urlopen(f"http://127.0.0.1:{port}/readyz", timeout=LIMIT_SECONDS).close()
        return perf_counter() - began

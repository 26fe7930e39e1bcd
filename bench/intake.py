"""Durable, signed webhooks accepted per second, against a bare route that keeps nothing."""

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_urlsafe
from shutil import copy
from statistics import median
from time import perf_counter

from bench.children import CHECKOUT, GENDEI, PYTHON, ChildFailed, free_port, output_of, processor_seconds, server
from bench.load import Leg, Plan
from bench.report import Figure, Section
from bench.sizes import Sizes
from gendei.secrets import new_key

GOAL_RATIO = 0.6
GOAL_P99 = 100.0
CLINIC = CHECKOUT / "clinics" / "boa-vida.yaml"
PHONE_NUMBER_ID, ACCOUNT_ID = "106540352242922", "102290129340398"
"""Of that clinic."""
QUIET_SECONDS = 60
"""The longest that the settings allow: no turn begins while webhooks are counted."""
PREPARE_SECONDS = 120
SYNCS = 50


@dataclass(frozen=True, slots=True)
class ServedLeg(Leg):
    """`processor`: microseconds of processor time that the server spent on a request."""

    processor: float


def measure_intake(workdir: Path, sizes: Sizes) -> Section:
    """Both servers in turn, in fresh processes; the store is looked into after each leg of ours.

    workdir: where the databases go. Raises ChildFailed, also where the store does not hold exactly what was accepted.
    """
    secret = token_urlsafe()
    prepared = workdir / "prepared.db"
    output_of((*GENDEI, "clinics", "import", str(CLINIC)), workdir, _settings(prepared, secret), PREPARE_SECONDS)
    ours: list[ServedLeg] = []
    bare: list[ServedLeg] = []
    for number in range(sizes.rounds):
        ours.append(_our_leg(Path(copy(prepared, workdir / f"intake-{number}.db")), secret, sizes))
        bare.append(_bare_leg(workdir, secret, sizes))
    ratio = median(our.per_second / their.per_second for our, their in zip(ours, bare, strict=True))
    return Section(
        title="Intake: webhooks accepted, durable and signed",
        figures=(
            Figure("webhooks accepted, ours / bare route", ratio, "at least", GOAL_RATIO),
            Figure("latency of acceptance, p99", median(leg.p99 for leg in ours), "at most", GOAL_P99, "ms"),
        ),
        method=_method(sizes),
        seen=(
            _told("ours", ours),
            _told("bare", bare),
            f"stored: {sum(leg.accepted for leg in ours)} accepted, and exactly as many messages in the stores",
            f"the disk: an append of 4 KiB with fsync takes {_sync_milliseconds(workdir):.2f} ms (median of {SYNCS})",
        ),
    )


def _method(sizes: Sizes) -> str:
    return (
        f"`gendei serve` on a SQLite file (write-ahead log, synchronous=FULL) and the bare route (FastAPI, HMAC, "
        f"json.loads, nothing kept) run one after the other, {sizes.rounds} times each, each time in a fresh process "
        f"with the same uvicorn settings. A client process posts over {sizes.connections} kept-alive connections, one "
        f"request at a time on each, every request another message of another patient, made and signed beforehand; "
        f"{sizes.leg_requests} requests or {sizes.leg_seconds:g} s a leg, of which the first {sizes.warm_requests} are "
        f"not measured. The quiet window is {QUIET_SECONDS} s, so that acceptance alone is measured and no turn "
        f"begins. The ratio is the median of those of neighbouring legs, everything else the median of the legs; p99 "
        f"is of ours."
    )


def _settings(database: Path, secret: str) -> dict[str, str]:
    """What `gendei` is told. The clinic's token is never read: nothing is sent while the bench looks."""
    return {
        "GENDEI_DATABASE": f"sqlite:///{database}",
        "GENDEI_SECRET_KEY": new_key(),
        "GENDEI_META_APP_SECRET": secret,
        "GENDEI_META_VERIFY_TOKEN": "bench",
        "GENDEI_GRAPH_URL": "http://127.0.0.1:9",
        "GENDEI_QUIET_SECONDS": str(QUIET_SECONDS),
        "GENDEI_LOG_LEVEL": "ERROR",
        "META_TOKEN": "bench",
    }


def _our_leg(database: Path, secret: str, sizes: Sizes) -> ServedLeg:
    port = free_port()
    settings = _settings(database, secret)
    with server((*GENDEI, "serve", "--port", str(port)), database.parent, settings, port) as pid:
        leg = _load(database.parent, port, pid, secret, sizes)
    stored = _stored(database)
    if stored != leg.accepted:
        raise ChildFailed(f"{leg.accepted} webhooks were accepted, but {stored} are stored")
    return leg


def _bare_leg(workdir: Path, secret: str, sizes: Sizes) -> ServedLeg:
    port = free_port()
    settings = {"GENDEI_META_APP_SECRET": secret}
    with server((*PYTHON, "bench.bare_route", str(port)), workdir, settings, port) as pid:
        return _load(workdir, port, pid, secret, sizes)


def _load(workdir: Path, port: int, pid: int, secret: str, sizes: Sizes) -> ServedLeg:
    plan = Plan(
        port=port,
        secret=secret,
        phone_number_id=PHONE_NUMBER_ID,
        connections=sizes.connections,
        requests=sizes.leg_requests + sizes.warm_requests,
        warm=sizes.warm_requests,
        seconds=sizes.leg_seconds,
    )
    command = (*PYTHON, "bench.load", json.dumps(asdict(plan)))
    before = processor_seconds(pid)
    leg = json.loads(output_of(command, workdir, {}, PREPARE_SECONDS + 2 * sizes.leg_seconds))
    if leg["refused"]:
        raise ChildFailed(f"{leg['refused']} requests were refused")
    return ServedLeg(**leg, processor=1e6 * (processor_seconds(pid) - before) / leg["accepted"])


def _stored(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM documents WHERE collection = 'gendei_inbox'")
        return int(count)


def _told(who: str, legs: Sequence[ServedLeg]) -> str:
    def middle(value: Callable[[ServedLeg], float]) -> float:
        return median(value(leg) for leg in legs)

    rates = ", ".join(f"{leg.per_second:.0f}" for leg in legs)
    return (
        f"{who}: {middle(lambda leg: leg.per_second):.0f}/s (legs: {rates}); latency p50 "
        f"{middle(lambda leg: leg.p50):.1f}, p99 {middle(lambda leg: leg.p99):.1f}, worst "
        f"{max(leg.worst for leg in legs):.1f} ms; the server used "
        f"{middle(lambda leg: leg.processor):.0f} µs of processor time a request, the client "
        f"{middle(lambda leg: leg.cpu_share):.0%} of a core"
    )


def _sync_milliseconds(workdir: Path) -> float:
    """What one durable write costs on this disk, whoever asks for it."""
    times = []
    with (workdir / "sync").open("wb", buffering=0) as file:
        for _ in range(SYNCS):
            began = perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            times.append(perf_counter() - began)
    return 1000 * median(times)

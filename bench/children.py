"""Child processes on 127.0.0.1: started, waited for, and always ended."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import nan
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

START_SECONDS = 120
STOP_SECONDS = 30
PYTHON = (sys.executable, "-m")
GENDEI = (str(Path(sys.executable).with_name("gendei")),)
"""The installed command beside the running interpreter."""
CHECKOUT = Path(__file__).parent.parent


class ChildFailed(Exception):
    """A process of the benchmark ended early or did not start; what it wrote stands above."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Our own environment without any setting of Gendei, and `settings`. Children run the code of this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GENDEI_", "OPENAI_"))}
    return {**kept, "PYTHONPATH": os.pathsep.join((str(CHECKOUT), str(CHECKOUT / "src"))), **settings}


@contextmanager
def child(command: Sequence[str], cwd: Path, settings: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """`command` running in `cwd`; told to stop at the end, and killed when it does not."""
    process = subprocess.Popen(  # noqa: S603  # the commands are this package's own
        command, cwd=cwd, env=environment(settings), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@contextmanager
def server(command: Sequence[str], cwd: Path, settings: Mapping[str, str], port: int) -> Iterator[int]:
    """A `child` that serves HTTP on `port`, from the moment when its /healthz answers; gives its process id."""
    with child(command, cwd, settings) as process:
        deadline = monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or monotonic() > deadline:
                raise ChildFailed(" ".join(command))
            sleep(0.05)
        yield process.pid


def processor_seconds(pid: int) -> float:
    """What all threads of a process have used, in user and system mode; nan where there is no /proc (see proc(5))."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        return nan
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def output_of(command: Sequence[str], cwd: Path, settings: Mapping[str, str], limit_seconds: float) -> str:
    """What `command` printed. Raises ChildFailed when it failed, TimeoutExpired when it took too long."""
    done = subprocess.run(  # noqa: S603  # the commands are this package's own
        command,
        cwd=cwd,
        env=environment(settings),
        stdout=subprocess.PIPE,
        text=True,
        timeout=limit_seconds,
        check=False,
    )
    if done.returncode:
        raise ChildFailed(" ".join(command))
    return done.stdout


def until_serving(port: int) -> None:
    """Return once /healthz answers there. Raises ChildFailed where it does not in time."""
    deadline = monotonic() + START_SECONDS
    while not _answers(port):
        if monotonic() > deadline:
            raise ChildFailed(f"nothing serves on port {port}")
        sleep(0.05)


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False

"""Google's Firestore emulator: one for all the tests of a run, in however many processes those are."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import IO

PATIENCE_SECONDS = 60
GIVEN = "FIRESTORE_EMULATOR_HOST"
"""Where this is set, that emulator is used and left running."""


_launchers: list["subprocess.Popen[bytes]"] = []
"""Started by this process, and perhaps still in use by others when it ends."""


class NoEmulator(Exception):
    """Nothing on this machine can start the emulator; the message says what is missing."""


@contextmanager
def emulator(folder: Path) -> Iterator[str]:
    """The "host:port" of a running emulator. Whoever needs it first starts it, and whoever leaves last ends it; they
    find each other through files in `folder`. Raises NoEmulator."""
    if given := os.environ.get(GIVEN):
        yield given
        return
    with (folder / "emulator.users").open("w") as users:
        with _alone(folder):
            address = _running(folder) or _start(folder)
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            yield address
        finally:
            with _alone(folder), suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _stop(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Of all that start or stop the emulator."""
    with (folder / "emulator.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _running(folder: Path) -> str | None:
    state = folder / "emulator.state"
    return state.read_text().split()[0] if state.exists() else None


def _start(folder: Path) -> str:
    gcloud = _gcloud()
    address = f"127.0.0.1:{_free_port()}"
    with (folder / "emulator.log").open("wb") as log:
        # A group of its own, because the emulator itself is a child of the launcher and outlives it.
        launcher = subprocess.Popen(
            [gcloud, "emulators", "firestore", "start", f"--host-port={address}", "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    _launchers.append(launcher)
    (folder / "emulator.state").write_text(f"{address} {launcher.pid}")
    _await(launcher, address, log)
    return address


def _await(launcher: "subprocess.Popen[bytes]", address: str, log: IO[bytes]) -> None:
    """Until the emulator answers for a document: its first answer takes seconds, on a busy machine."""
    asked = "/v1/projects/warm-up/databases/(default)/documents/a/b"
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), closing(HTTPConnection(address, timeout=PATIENCE_SECONDS)) as connection:
            connection.request("GET", asked)
            if connection.getresponse().status == HTTPStatus.NOT_FOUND:
                return
        with suppress(subprocess.TimeoutExpired):
            launcher.wait(0.1)
            break
    with suppress(ProcessLookupError):
        os.killpg(launcher.pid, signal.SIGKILL)
    raise RuntimeError(f"the Firestore emulator did not start:\n{Path(log.name).read_text()}")


def _stop(folder: Path) -> None:
    state = folder / "emulator.state"
    with suppress(ProcessLookupError):
        os.killpg(int(state.read_text().split()[1]), signal.SIGKILL)
    state.unlink()
    for launcher in _launchers:
        launcher.wait()


def _gcloud() -> str:
    gcloud = shutil.which("gcloud")
    if gcloud is None or shutil.which("java") is None:
        raise NoEmulator("needs the Google Cloud SDK (gcloud) and Java on the PATH")
    asked = subprocess.run(
        [gcloud, "info", "--format=value(installation.sdk_root)"], capture_output=True, text=True, check=True
    )
    if not (Path(asked.stdout.strip()) / "platform" / "cloud-firestore-emulator").is_dir():
        raise NoEmulator("needs the Google Cloud SDK's cloud-firestore-emulator component")
    return gcloud


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

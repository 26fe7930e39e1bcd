"""Where a database file lies: who else on the machine may read it, and whether its file system is one of a network."""

import logging
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)
FILE_MODE = 0o600
"""A database holds what patients wrote. SQLite gives its log and its shared memory the mode of the database."""
BESIDE = ("-wal", "-shm", "-journal")
MOUNTS = Path("/proc/self/mountinfo")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_NETWORK = frozenset(
    "9p afs beegfs ceph cifs coda davfs fuse.beegfs-ofs fuse.blobfuse fuse.blobfuse2 fuse.ceph-fuse fuse.cephfs "
    "fuse.davfs2 fuse.gcsfuse fuse.glusterfs fuse.goofys fuse.juicefs fuse.mount.davfs fuse.mountpoint-s3 fuse.rclone "
    "fuse.s3fs fuse.sshfs glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs pvfs2 smb2 smb3 smbfs virtiofs".split()
)
"""Types of Linux (proc(5), mountinfo) whose files other machines may have open. SQLite's write-ahead log needs memory
that all processes share (sqlite.org/wal.html), and so one machine."""
_OCTAL = re.compile(r"\\([0-7]{3})")


def keep_private(database: Path) -> None:
    """Make the file where it is missing, and let nobody but its owner read it and what SQLite puts beside it, whatever
    the umask. Where that cannot be done, the log says so. Raises OSError where the file cannot be made."""
    with suppress(FileExistsError):
        os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), FILE_MODE))
    for path in (database, *(database.with_name(database.name + ending) for ending in BESIDE)):
        with suppress(FileNotFoundError):
            _tighten(path)


def _tighten(path: Path) -> None:
    found = path.stat().st_mode
    mode = stat.S_IMODE(found)
    if os.name != "posix" or not stat.S_ISREG(found) or not mode & _OTHERS:
        return
    try:
        path.chmod(mode & ~_OTHERS)
    except PermissionError:
        log.warning("%s can be read by others (mode %o), and is another user's: run `chmod 600` on it", path.name, mode)
    else:
        log.warning("%s could be read by others (mode %o): now by its owner alone", path.name, mode)


def network_file_system(path: Path, mounts: str) -> str | None:
    """The type of the file system under `path` ("nfs4") where it is one of a network; None for a disk's own.
    `mounts`: the text of /proc/self/mountinfo."""
    real, found = os.path.realpath(path), ("", "")
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(), after.split()[:1]
        if len(fields) < 5 or not kind:
            continue
        point = _OCTAL.sub(lambda octal: chr(int(octal[1], 8)), fields[4])
        if (real == point or real.startswith(f"{point.rstrip('/')}/")) and len(point) >= len(found[0]):
            found = point, kind[0]
    return found[1] if found[1] in _NETWORK else None


def warn_of_network(database: Path, mounts: Path = MOUNTS) -> None:
    """Say in the log what to do where `database` lies on a file system of a network. Nothing where the machine does not
    tell (it is no Linux)."""
    with suppress(OSError):
        kind = network_file_system(database, mounts.read_text(encoding="utf-8", errors="surrogateescape"))
        if kind:
            log.warning(
                "the database is on a file system that other machines can share (%s). A process on another machine "
                "would damage it: run `gendei serve` on one machine only, and move the file to a disk of that machine; "
                "for several machines set GENDEI_DATABASE=firestore://PROJECT",
                kind,
            )

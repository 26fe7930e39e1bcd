"""L7: what patients wrote can be read by the service's own user alone, whatever the umask."""

import logging
import os
import stat
from contextlib import contextmanager

import pytest
from tests.attacks.edges import furnish, logged, serving

from gendei.conversation.files.media import MediaName
from gendei.documents import put
from gendei.store.media_folder import FolderMedia
from gendei.store.sqlite import SqliteDocuments
from gendei.store.sqlite_backup import back_up, restore
from gendei.store.sqlite_place import network_file_system, warn_of_network

WORDS = put("gendei_clinics/x/patients/y", {"name": "Maria"})
MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:26 / /proc rw,nosuid - proc proc rw
41 22 0:40 / /srv/shared rw,relatime shared:20 - nfs4 server:/export rw,vers=4.2
42 41 8:2 / /srv/shared/local rw,relatime - xfs /dev/sdb1 rw
43 22 0:41 / /mnt/with\040space rw,relatime - cifs //host/share rw
44 22 0:42 / /mnt/bucket rw,nosuid - fuse.gcsfuse bucket rw
45 22 0:43 / /mnt/ssh rw master:3 propagate_from:2 - fuse.sshfs me@host: rw
a line that is none
"""


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder):
    """Names and modes of all that is in a folder and below it."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o027])
async def test_database_log_and_shared_memory_are_the_owners_alone(tmp_path, mask):
    with umask(mask):
        store = await SqliteDocuments.open(str(tmp_path / "own.db"))
        await store.commit([WORDS])
        found = modes(tmp_path)
        await store.close()
    expected = {"own.db", "own.db-wal", "own.db-shm"}
    assert (set(found), {mode & 0o177 for mode in found.values()}) == (expected, {0})


async def test_what_was_open_to_others_is_closed_with_a_line_in_the_log(tmp_path, caplog):
    await furnish(tmp_path)
    first = await SqliteDocuments.open(str(tmp_path / "town.db"))
    await first.commit([WORDS])
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        second = await SqliteDocuments.open(str(tmp_path / "town.db"))
    found = modes(tmp_path)
    for store in (first, second):
        await store.close()
    told = [record.getMessage() for record in caplog.records]
    assert (set(found.values()), len(told), all("644" in line for line in told)) == ({0o600}, 3, True)


async def test_the_service_itself_closes_its_files(tmp_path):
    await furnish(tmp_path)
    (tmp_path / "town.db").chmod(0o664)
    with umask(0):
        async with serving(tmp_path) as server:
            line = await logged(server, "could be read by others")
            found = {name: mode for name, mode in modes(tmp_path).items() if name.startswith("town.db")}
    assert ("664" in line, found) == (True, dict.fromkeys(("town.db", "town.db-shm", "town.db-wal"), 0o600))


async def test_copies_are_the_owners_alone_also_where_they_take_the_place_of_another(tmp_path):
    database, copy = tmp_path / "town.db", tmp_path / "copy.db"
    await furnish(tmp_path)
    with umask(0):
        back_up(database, copy)
        kept = modes(tmp_path)["copy.db"]
        copy.chmod(0o666)
        database.chmod(0o666)
        restore(copy, database, replace=True)
    assert (kept, modes(tmp_path)["town.db"]) == (0o600, 0o600)


async def test_files_of_patients_and_every_folder_made_for_them_are_the_owners_alone(tmp_path):
    store, name = FolderMedia(tmp_path / "var" / "media"), MediaName("aurora", "+5511999990001", "photo")
    with umask(0):
        async with store.writing(name) as part:
            await part.write(b"a photo")
    files = {path: mode for path, mode in modes(tmp_path).items() if (tmp_path / path).is_file()}
    folders = {path: mode for path, mode in modes(tmp_path).items() if path not in files}
    assert (set(files.values()), set(folders.values()), len(folders)) == ({0o600}, {0o700}, 4)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/var/lib/gendei/gendei.db", None),
        ("/srv/shared/gendei.db", "nfs4"),
        ("/srv/shared/local/gendei.db", None),
        ("/srv/shared-not/gendei.db", None),
        ("/mnt/with space/gendei.db", "cifs"),
        ("/mnt/bucket/a/b/gendei.db", "fuse.gcsfuse"),
        ("/mnt/ssh/gendei.db", "fuse.sshfs"),
    ],
)
def test_a_file_system_of_a_network_is_told_by_the_mount_that_is_nearest(path, expected):
    assert network_file_system(path, MOUNTS) == expected


def test_a_database_on_one_is_warned_of_with_what_to_do(tmp_path, caplog):
    mounts = tmp_path / "mountinfo"
    here = str(tmp_path).replace(" ", r"\040")
    mounts.write_text(f"{MOUNTS}50 22 0:50 / {here} rw - nfs server:/export rw\n")
    with caplog.at_level(logging.WARNING):
        warn_of_network(tmp_path / "gendei.db", mounts)
        warn_of_network(tmp_path.parent / "gendei.db", mounts)
        warn_of_network(tmp_path / "gendei.db", tmp_path / "there-is-none")
    [line] = [record.getMessage() for record in caplog.records]
    assert ("(nfs)" in line, "one machine" in line, "firestore://" in line) == (True, True, True)

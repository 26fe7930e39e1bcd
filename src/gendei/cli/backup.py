"""`gendei backup` and `gendei restore`: the SQLite database as one file, and back."""

from pathlib import Path
from typing import Annotated

import typer

from gendei.cli.language import worded
from gendei.errors import ConfigurationError
from gendei.settings import Settings
from gendei.store.opening import FIRESTORE, sqlite_file
from gendei.store.sqlite_backup import Contents, back_up
from gendei.store.sqlite_backup import restore as put_back

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def backup(file: File) -> None:
    """Copy the database to a new file, while the service runs. Keep GENDEI_SECRET_KEY and GENDEI_MEDIA beside it."""
    print(_described(back_up(_database(Settings.load(), "export"), file), file))


def restore(
    file: File, replace: Annotated[bool, typer.Option("--replace", help="Lose what the database holds now.")] = False
) -> None:
    """Put a backup in the place of the database, once every `gendei serve` on it has been stopped."""
    database = _database(Settings.load(), "import")
    print(_described(put_back(file, database, replace=replace), database))


def _database(settings: Settings, errand: str) -> Path:
    """The file that GENDEI_DATABASE names. `errand`: what gcloud calls it where it names no file."""
    if named := FIRESTORE.fullmatch(settings.database):
        project, database = named.groups(default="(default)")
        instead = f"gcloud firestore {errand} gs://BUCKET/FOLDER --project={project} --database='{database}'"
        raise ConfigurationError("GENDEI_DATABASE", "", "is in Firestore.", f"Run instead: {instead}")
    path = sqlite_file(settings)
    if path is None:
        raise ConfigurationError("GENDEI_DATABASE", "", "is no file.", "Write sqlite:///gendei.db.")
    return path


def _described(contents: Contents, path: Path) -> str:
    counts = "\n".join(f"  {count:>9} {collection}" for collection, count in contents.counts.items())
    return f"{path}: {contents.size:,} bytes, {worded('version')} {contents.version}\n{counts}".rstrip()

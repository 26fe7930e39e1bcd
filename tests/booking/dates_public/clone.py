"""Reads a file of a clone, bare or not."""

import subprocess
from pathlib import Path


def text_of(clone: Path, name: str) -> str:
    """The newest committed text of the file. Raises CalledProcessError where the clone does not have it."""
    command = ["git", "-C", str(clone), "show", f"HEAD:{name}"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8-sig")
    return shown.stdout

"""A machine whose store other processes open: for `gendei mcp`."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.journeys.town import AURORA, SECRET_KEY, clinics
from tests.web.api.conftest import gestor

from gendei.clinics.directory import Directory
from gendei.clock import system_clock
from gendei.secrets import SecretBox
from gendei.staff.access.tokens import Tokens
from gendei.staff.actors import Right
from gendei.staff.staff import open_staff
from gendei.store.schema import bring_forward
from gendei.store.sqlite import SqliteDocuments

_START = "from gendei.cli import app; app()"


@dataclass(frozen=True)
class Machine:
    """A store that other processes open, and a token that is good there."""

    folder: Path
    token: str
    token_id: str
    tokens: Tokens

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "GENDEI_DATABASE": f"sqlite:///{self.folder}/town.db", "GENDEI_SECRET_KEY": SECRET_KEY}

    @property
    def command(self) -> list[str]:
        return ["-c", _START, "mcp", "--token-file", str(self.folder / "token")]


@asynccontextmanager
async def open_machine(tmp_path: Path) -> AsyncIterator[Machine]:
    documents = await SqliteDocuments.open(str(tmp_path / "town.db"))
    await bring_forward(documents)
    directory = Directory(documents)
    for clinic in clinics():
        await directory.import_clinic(clinic)
    tokens = open_staff(documents, SecretBox(SECRET_KEY), system_clock).tokens
    token, text = await tokens.add(gestor(AURORA), "assistente", (Right.READ, Right.WRITE))
    (tmp_path / "token").write_text(f"{text}\n", encoding="utf-8")
    yield Machine(tmp_path, text, token.id, tokens)
    await documents.close()

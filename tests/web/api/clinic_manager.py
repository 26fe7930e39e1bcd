"""A program that manages Aurora, and its clinic as a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from tests.journeys.town import AURORA, SECRET_KEY
from tests.web.api.conftest import Api, bearer

from gendei.clinic import Clinic
from gendei.clinics.file import load_clinics
from gendei.clinics.written import yaml_of
from gendei.datafile import data_dir
from gendei.secrets import SecretBox
from gendei.staff.actors import Right
from gendei.verticals import load_verticals

DATA, CHANGES, PREVIEW = "/clinic/data", "/clinic/data/changes", "/clinic/data/preview"
UNDO = "/clinic/data/undo"
PRICE = "services[limpeza].price_cents"
TOKEN = "channels[meta:700000000000001].access_token"


@dataclass(frozen=True)
class Manager:
    """A program of Aurora's that may manage it; it asks for the version before each change that gives none."""

    api: Api
    headers: dict[str, str]

    async def data(self) -> dict[str, Any]:
        return (await self.api.client.get(DATA, headers=self.headers)).json()

    async def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.api.client.post(path, json=body, headers=self.headers)

    async def change(self, fields: dict[str, Any], version: int | None = None, **more: Any) -> httpx.Response:
        return await self.post(CHANGES, await self.body(fields, version) | more)

    async def preview(self, fields: dict[str, Any], version: int | None = None) -> dict[str, Any]:
        answer = await self.post(PREVIEW, await self.body(fields, version))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def body(self, fields: dict[str, Any], version: int | None) -> dict[str, Any]:
        version = (await self.data())["version"] if version is None else version
        return {"version": version, "fields": [{"field": name, "value": value} for name, value in fields.items()]}

    async def done(self, fields: dict[str, Any], version: int | None = None) -> dict[str, Any]:
        answer = await self.change(fields, version)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def undo(self, revision: int, **more: Any) -> httpx.Response:
        return await self.post(UNDO, {"revision": revision} | more)

    async def history(self) -> list[dict[str, Any]]:
        return (await self.api.client.get(CHANGES, headers=self.headers)).json()["items"]


async def managing(api: Api) -> Manager:
    return Manager(api, await bearer(api.gendei, AURORA, Right.READ, Right.WRITE, Right.MANAGE))


def at(content: Any, field: str) -> Any:
    """What the content of a file has at a field such as services[limpeza].price_cents."""
    for step in field.replace("[", ".").replace("]", "").split("."):
        if isinstance(content, list):
            name = step.rpartition(":")[2]
            named = (each for each in content if name in (each if isinstance(each, str) else each.values()))
            content = next(named, None)
        else:
            content = (content or {}).get(step)
    return content


async def file_of(api: Api) -> str:
    _, clinic = await api.gendei.directory.read(AURORA)
    return yaml_of(clinic)


class Variables(dict[str, str]):
    """Every variable is set, to what fits every secret."""

    def get(self, name: str, default: Any = None) -> Any:
        return "a" * 16

    __getitem__ = get


def read_file(folder: Path, text: str) -> Clinic:
    (folder / "clinic.yaml").write_text(text)
    verticals, box = load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY)
    [clinic] = load_clinics([folder / "clinic.yaml"], Variables(), verticals, box)
    return clinic


def says(in_file: Any, value: Any) -> bool:
    """Whether the file has the value, with a variable for each secret, and perhaps more fields."""
    if not isinstance(value, dict):
        return in_file == value
    if not isinstance(in_file, dict):
        return False
    return all(says(in_file[name], part) or str(in_file[name]).startswith("${") for name, part in value.items())

"""Sections of the clinic's data that mean something when nothing is said in them."""

from types import NoneType
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel
from tests.web.api.clinic_manager import Manager, file_of, managing
from tests.web.api.conftest import Api, api

from gendei.clinics.field_paths import SWITCHES
from gendei.clinics.file import ClinicYaml
from gendei.web.pages.clinic_settings.described import every_leaf
from gendei.web.pages.clinic_settings.kinds import Kind

__all__ = ["api"]


@pytest.fixture
async def manager(api: Api) -> Manager:
    return await managing(api)


@pytest.mark.parametrize("field", SWITCHES)
async def test_what_an_empty_section_turns_on_stays_on_without_its_fields_and_is_turned_off(
    manager: Manager, field: str
) -> None:
    off = await file_of(manager.api)
    number = next(leaf for leaf in every_leaf() if leaf.key == f"{field}.{leaf.name}" and leaf.kind is Kind.NUMBER)

    found = []
    for fields in ({field: {}}, {number.key: 7}, {number.key: None}, {field: None}):
        await manager.done(fields)
        found.append(yaml.safe_load(await file_of(manager.api)).get(field))

    assert found == [{}, {number.name: 7}, {}, None]
    assert await file_of(manager.api) == off


def test_every_section_that_an_empty_one_turns_on_is_known() -> None:
    """All that may be left out, and of which nothing has to be said, but for words that say nothing."""
    optional = {name for name, field in ClinicYaml.model_fields.items() if NoneType in get_args(field.annotation)}
    models = {name: get_args(ClinicYaml.model_fields[name].annotation)[0] for name in optional}
    whole = {name for name, model in models.items() if hasattr(model, "model_fields") and not _needs_any(model)}
    assert whole - {"words"} == set(SWITCHES)


def _needs_any(model: type[BaseModel]) -> bool:
    return any(field.is_required() for field in model.model_fields.values())

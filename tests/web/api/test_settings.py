"""What a clinic's manager sets, for programs."""

import pytest
from tests.web.api.conftest import AURORA, Api, api, bearer

from gendei.staff.actors import Right

__all__ = ["api"]
CANNED = "/settings/canned"
HELLO = {"id": "oi", "title": "Oi", "text": "Oi, {paciente}!"}


async def test_a_setting_is_changed_by_who_manages_and_read_by_all_of_the_clinic(api: Api) -> None:
    first = (await api.client.get(CANNED)).json()
    manager = await bearer(api.gendei, AURORA, Right.READ, Right.WRITE, Right.MANAGE)

    forbidden = await api.client.put(CANNED, json={"replies": [HELLO]})
    changed = await api.client.put(CANNED, json={"replies": [HELLO | {"title": " Oi "}]}, headers=manager)

    assert (forbidden.status_code, changed.status_code, changed.json()) == (403, 200, {"replies": [HELLO]})
    assert (await api.client.get(CANNED, headers=api.reader)).json() == {"replies": [HELLO]}
    assert (await api.client.get(CANNED, headers=api.outsider)).json() == first != {"replies": [HELLO]}


@pytest.mark.parametrize("reply", [HELLO | {"text": "{nome}"}, HELLO | {"title": " "}])
async def test_a_value_that_cannot_be_kept_is_refused_with_its_field(api: Api, reply: dict[str, str]) -> None:
    manager = await bearer(api.gendei, AURORA, Right.READ, Right.WRITE, Right.MANAGE)

    refused = await api.client.put(CANNED, json={"replies": [reply]}, headers=manager)

    told = refused.json()
    assert (refused.status_code, told["reason"]) == (422, "invalid")
    assert [error["where"] for error in told["errors"]] == ["body.replies"]

"""L11: an answer that is kept for its Idempotency-Key gives no secret away, in the store or on its way again."""

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest
from tests.web.api.conftest import Api, api_over, wish

from gendei.documents import Query, put
from gendei.staff.once import ANSWERS

KEY = {"Idempotency-Key": "one-visitor"}
ASKED = {"visitor": "42", "name": "Maria Silva"}


@pytest.fixture(params=["sqlite", "firestore"])
async def api(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    database = "sqlite:///:memory:"
    if request.param == "firestore":
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", request.getfixturevalue("firestore_emulator"))
        database = f"firestore://attack-{sha256(str(tmp_path).encode()).hexdigest()[:20]}"
    async with api_over(tmp_path, database) as opened:
        yield opened


async def kept(api: Api) -> list[dict[str, object]]:
    return [snapshot.data or {} for snapshot in await api.gendei.documents.query(Query(ANSWERS))]


async def test_a_visitors_token_is_not_in_the_store(api: Api):
    answer = await api.client.post("/chat/tokens", json=ASKED, headers=KEY)
    token = answer.json()["token"]
    stored = json.dumps(await kept(api), default=str)
    assert (answer.status_code, len(await kept(api))) == (201, 1)
    assert (token in stored, "Maria" in stored, "gdv_" in stored) == (False, False, False)


async def test_the_same_request_again_gets_the_same_token_and_is_kept_by_no_cache(api: Api):
    first, again = [await api.client.post("/chat/tokens", json=ASKED, headers=KEY) for _ in range(2)]
    assert (again.status_code, again.json()) == (201, first.json())
    assert [request.headers.get("Idempotent-Replayed") for request in (first, again)] == [None, "true"]
    assert [request.headers.get("Cache-Control") for request in (first, again)] == ["no-store", "no-store"]
    assert again.headers["Content-Type"] == first.headers["Content-Type"]


async def test_an_answer_opens_for_no_other_clinic_and_no_other_key(api: Api):
    await api.client.post("/chat/tokens", json=ASKED, headers=KEY)
    other = await api.client.post("/chat/tokens", json=ASKED, headers=KEY | api.outsider)
    own = (await api.client.post("/chat/tokens", json=ASKED, headers=KEY)).json()
    assert (other.status_code, other.json()["token"] == own["token"]) == (201, False)
    stored = await api.gendei.documents.query(Query(ANSWERS))
    mine, theirs = stored
    swapped = [
        put(snapshot.path, {**snapshot.data, "answer": two.data["answer"]})
        for snapshot, two in ((mine, theirs), (theirs, mine))
    ]
    await api.gendei.documents.commit(swapped)
    answers = [await api.client.post("/chat/tokens", json=ASKED, headers=KEY | who) for who in ({}, api.outsider)]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert all("gdv_" not in answer.text for answer in answers)


async def test_an_answer_that_was_kept_before_they_were_sealed_still_comes_again(api: Api):
    first = await api.client.post("/appointments", json=wish(), headers=KEY)
    stored = (await api.gendei.documents.query(Query(ANSWERS)))[0]
    old = {"status": 201, "type": "application/json", "body": first.text}
    await api.gendei.documents.commit([put(stored.path, {**stored.data, "answer": old})])
    again = await api.client.post("/appointments", json=wish(), headers=KEY)
    assert (again.status_code, again.json(), again.headers["Idempotent-Replayed"]) == (201, first.json(), "true")

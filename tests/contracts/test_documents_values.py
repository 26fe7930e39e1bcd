"""Which values every engine keeps, and which it refuses."""

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gendei.documents import MAX_DOCUMENT_BYTES, Documents, put
from gendei.errors import DocumentTooLarge, NaiveTime, UnstorableValue

ANA, BIA = "patients/ana", "patients/bia"


async def data_of(store: Documents, path: str) -> dict[str, Any] | None:
    return (await store.get(path)).data


class Status(StrEnum):
    CONFIRMED = "confirmed"


@pytest.mark.parametrize(
    "value",
    [
        "ação às 9h",
        "👩🏽‍⚕️🦷",
        "a\x00b",
        "\x00",
        "\x01t2026-01-01",
        "\x01",
        "\x01\x02\x01\x01",
        "\\u0001",
        "",
        '"',
        2**63 - 1,
        -(2**63),
    ],
    ids=ascii,
)
async def test_a_value_comes_back_as_it_was(store: Documents, value: object) -> None:
    await store.commit([put(ANA, {"value": value, "list": [value, {"in": value}]})])
    assert await data_of(store, ANA) == {"value": value, "list": [value, {"in": value}]}


async def test_booleans_integers_and_floats_keep_their_types(store: Documents) -> None:
    await store.commit([put(ANA, {"values": [True, 1, 1.0, False, 0, 0.5]})])
    values = ((await data_of(store, ANA)) or {})["values"]
    assert [(type(value), value) for value in values] == [
        (bool, True), (int, 1), (float, 1.0), (bool, False), (int, 0), (float, 0.5),
    ]  # fmt: skip


async def test_a_moment_of_any_zone_comes_back_in_utc_to_the_microsecond(store: Documents) -> None:
    moment = datetime(2026, 9, 7, 9, 30, 0, 1, timezone(timedelta(hours=-3)))
    await store.commit([put(ANA, {"at": moment, "all": [moment]})])
    data = await data_of(store, ANA) or {}
    assert (data["at"].tzinfo, data["at"], data["all"]) == (UTC, moment, [moment])


async def test_enum_members_and_tuples_come_back_as_plain_values(store: Documents) -> None:
    await store.commit([put(ANA, {"status": Status.CONFIRMED, "pair": (1, (2, 3))})])
    data = await data_of(store, ANA) or {}
    assert (type(data["status"]), data) == (str, {"status": "confirmed", "pair": [1, [2, 3]]})


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (datetime(2026, 1, 1), NaiveTime),  # noqa: DTZ001  the naive one is the point
        ("\ud800", UnstorableValue),
        ({"\udfff": 1}, UnstorableValue),
        (inf, UnstorableValue),
        (2**63, UnstorableValue),
        ({1, 2}, UnstorableValue),
        (b"bytes", UnstorableValue),
        ({1: "a"}, UnstorableValue),
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=1))), UnstorableValue),
    ],
    ids=ascii,
)
async def test_what_no_store_takes_is_refused_and_nothing_applied(
    store: Documents, value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await store.commit([put(BIA, {}), put(ANA, {"list": [value]})])
    assert [snapshot.exists for snapshot in await store.get_many([ANA, BIA])] == [False, False]


async def test_documents_nest_twenty_levels_and_no_deeper(store: Documents) -> None:
    def nested(levels: int) -> dict[str, Any]:
        return {"in": nested(levels - 1)} if levels > 1 else {"n": 1}

    await store.commit([put(ANA, nested(20))])
    assert await data_of(store, ANA) == nested(20)
    with pytest.raises(UnstorableValue):
        await store.commit([put(ANA, nested(21))])


@pytest.mark.parametrize("letter", ["a", "ã", "🦷"])
async def test_a_document_beyond_one_mebibyte_is_refused_and_nothing_applied(store: Documents, letter: str) -> None:
    fits = letter * ((MAX_DOCUMENT_BYTES - 100) // len(letter.encode()))
    await store.commit([put(ANA, {"text": fits})])
    with pytest.raises(DocumentTooLarge):
        await store.commit([put(BIA, {}), put(ANA, {"text": fits + letter * 101})])
    assert await data_of(store, ANA) == {"text": fits}
    assert not (await store.get(BIA)).exists


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.datetimes(
        datetime(1900, 1, 1),  # noqa: DTZ001  hypothesis adds the zone
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=-3))]),
    )
)
names = st.from_regex(r"[a-z][a-zA-Z0-9]{0,8}", fullmatch=True)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4), max_leaves=12
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.dictionaries(names, values, max_size=5))
async def test_any_document_comes_back_equal(store: Documents, data: dict[str, Any]) -> None:
    await store.commit([put(ANA, data)])
    assert await data_of(store, ANA) == data

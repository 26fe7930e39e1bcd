"""Every form of query, on every engine."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gendei.documents import Documents, Query, Snapshot, put
from gendei.errors import NaiveTime, UnstorableValue

NOON = datetime(2026, 9, 7, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def fill(store: Documents, collection: str, documents: dict[str, dict[str, Any]]) -> None:
    await store.commit([put(f"{collection}/{name}", data) for name, data in documents.items()])


def ids(found: list[Snapshot]) -> list[str]:
    return [entry.id for entry in found]


async def matching(store: Documents, *where: tuple[str, Any, Any]) -> list[str]:
    return ids(await store.query(Query("things", where=where)))


async def ordered(store: Documents, *order_by: tuple[str, bool]) -> list[str]:
    return ids(await store.query(Query("things", order_by=order_by)))


async def test_a_collection_is_listed_whole_in_path_order(store: Documents) -> None:
    await fill(store, "things", {"b": {"n": 1}, "ä": {}, "B": {}, "a-1": {}, "a": {"n": 2}})
    found = await store.query(Query("things"))
    assert [snapshot.path for snapshot in found] == ["things/B", "things/a", "things/a-1", "things/b", "things/ä"]
    assert found[1].data == {"n": 2}


async def test_a_found_document_is_the_snapshot_that_get_gives(store: Documents) -> None:
    await fill(store, "things", {"a": {"at": NOON}})
    assert await store.query(Query("things")) == [await store.get("things/a")]


async def test_an_unknown_collection_is_empty(store: Documents) -> None:
    assert await store.query(Query("things")) == []


async def test_a_collection_shows_neither_its_subcollections_nor_another_clinics_documents(store: Documents) -> None:
    await fill(store, "clinics/a/things", {"mine": {"n": 1}})
    await fill(store, "clinics/a/things/mine/things", {"below": {"n": 1}})
    await fill(store, "clinics/outsider/things", {"theirs": {"n": 1}})
    await fill(store, "clinics/a-2/things", {"theirs": {"n": 1}})
    assert ids(await store.query(Query("clinics/a/things"))) == ["mine"]
    assert ids(await store.query(Query("clinics/a/things", where=(("n", "==", 1),)))) == ["mine"]
    assert ids(await store.query(Query("clinics/a/things", order_by=(("n", True),)))) == ["mine"]


EQUALS: list[tuple[Any, list[str]]] = [
    (None, ["none"]),
    (True, ["true"]),
    (False, ["false"]),
    (1, ["int", "real"]),
    (1.0, ["int", "real"]),
    (0, ["zero"]),
    ("1", ["text"]),
    ("", ["empty"]),
    ('["a"]', ["like-list"]),
    ("ação 🦷", ["unicode"]),
    ("a", []),
    ("a\x00b", ["nul"]),
    (NOON, ["noon"]),
    (NOON.astimezone(), ["noon"]),
    (NOON.isoformat(), []),
    ("\x01t2026-09-07T12:00:00.000000+00:00", ["like-noon"]),
]


@pytest.mark.parametrize(("value", "expected"), EQUALS, ids=lambda value: ascii(value) if value != NOON else "noon")
async def test_equality_tells_types_apart_as_firestore_does(store: Documents, value: Any, expected: list[str]) -> None:
    await fill(
        store,
        "things",
        {
            "none": {"v": None},
            "missing": {},
            "true": {"v": True},
            "false": {"v": False},
            "int": {"v": 1},
            "real": {"v": 1.0},
            "zero": {"v": 0},
            "text": {"v": "1"},
            "empty": {"v": ""},
            "list": {"v": ["a"]},
            "like-list": {"v": '["a"]'},
            "map": {"v": {"a": 1}},
            "unicode": {"v": "ação 🦷"},
            "nul": {"v": "a\x00b"},
            "noon": {"v": NOON},
            "like-noon": {"v": "\x01t2026-09-07T12:00:00.000000+00:00"},
        },
    )
    assert await matching(store, ("v", "==", value)) == expected


async def test_several_conditions_hold_together(store: Documents) -> None:
    await fill(store, "things", {"a": {"x": 1, "y": "p"}, "b": {"x": 1, "y": "q"}, "c": {"x": 2, "y": "q"}})
    assert await matching(store, ("x", "==", 1), ("y", "==", "q")) == ["b"]


async def test_a_dotted_field_looks_into_maps(store: Documents) -> None:
    await fill(store, "things", {"a": {"x": {"y": 1}}, "b": {"x": {"y": 2}}, "c": {"x": 1}, "d": {"x.y": 1}})
    assert await matching(store, ("x.y", "==", 1)) == ["a"]
    assert await ordered(store, ("x.y", True)) == ["b", "a"]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([("<", 2)], ["n1"]),
        ([("<=", 2)], ["n1", "n2"]),
        ([(">", 1)], ["n2", "n3"]),
        ([(">=", 2), ("<", 2.5)], ["n2"]),
        ([(">=", "")], ["b", "c"]),
        ([("<", "c")], ["b"]),
        ([(">", NOON - HOUR)], ["t1", "t2"]),
        ([("<=", NOON)], ["t1"]),
        ([(">=", NOON), ("<", NOON + HOUR)], ["t1"]),
        ([(">=", False)], ["false", "true"]),
        ([(">", False)], ["true"]),
    ],
    ids=str,
)
async def test_a_range_matches_values_of_its_own_type_only(
    store: Documents, conditions: list[tuple[str, Any]], expected: list[str]
) -> None:
    await fill(
        store,
        "things",
        {
            "n1": {"v": 1}, "n2": {"v": 2}, "n3": {"v": 2.5}, "b": {"v": "b"}, "c": {"v": "c"},
            "t1": {"v": NOON}, "t2": {"v": NOON + HOUR}, "false": {"v": False}, "true": {"v": True},
            "none": {"v": None}, "list": {"v": ["c"]}, "map": {"v": {"c": 1}}, "missing": {},
        },
    )  # fmt: skip
    assert await matching(store, *(("v", operator, value) for operator, value in conditions)) == expected


async def test_a_range_alone_orders_by_its_field(store: Documents) -> None:
    await fill(store, "things", {"a": {"v": 3}, "b": {"v": 2}, "c": {"v": 1}})
    assert await matching(store, ("v", ">=", 2)) == ["b", "a"]


async def test_order_follows_each_field_in_its_direction(store: Documents) -> None:
    await fill(
        store,
        "things",
        {"a": {"x": 1, "y": NOON}, "b": {"x": 2, "y": NOON}, "c": {"x": 1, "y": NOON + HOUR}, "d": {"x": 2, "y": NOON}},
    )
    assert await ordered(store, ("x", False), ("y", False)) == ["a", "c", "b", "d"]
    assert await ordered(store, ("x", False), ("y", True)) == ["c", "a", "d", "b"]
    assert await ordered(store, ("x", True), ("y", False)) == ["b", "d", "a", "c"]


async def test_ties_fall_in_path_order_in_the_direction_of_the_last_field(store: Documents) -> None:
    await fill(store, "things", {name: {"x": 1} for name in ("b", "a", "c")})
    assert await ordered(store, ("x", False)) == ["a", "b", "c"]
    assert await ordered(store, ("x", True)) == ["c", "b", "a"]


async def test_documents_without_an_order_field_are_left_out_and_none_comes_first(store: Documents) -> None:
    await fill(store, "things", {"a": {"x": 1}, "b": {}, "c": {"x": None}})
    assert await ordered(store, ("x", False)) == ["c", "a"]
    assert await ordered(store, ("x", True)) == ["a", "c"]


async def test_moments_order_by_time_whatever_their_zone_and_precision(store: Documents) -> None:
    microsecond = timedelta(microseconds=1)
    moments = {"c": NOON + microsecond, "a": NOON - microsecond, "b": NOON.astimezone(), "d": NOON + HOUR}
    await fill(store, "things", {name: {"at": moment} for name, moment in moments.items()})
    assert await ordered(store, ("at", False)) == ["a", "b", "c", "d"]


async def test_a_limit_takes_the_first(store: Documents) -> None:
    await fill(store, "things", {"a": {"x": 3}, "b": {"x": 2}, "c": {"x": 1}})
    assert ids(await store.query(Query("things", order_by=(("x", False),), limit=2))) == ["c", "b"]


async def test_a_cursor_continues_behind_a_document_that_was_deleted_since(store: Documents) -> None:
    await fill(store, "things", {"a": {"x": 1}, "c": {"x": 1}, "d": {"x": 2}})
    query = Query("things", order_by=(("x", False),), start_after=(1, "things/b"))
    assert ids(await store.query(query)) == ["c", "d"]


PAGED = [
    Query("things", limit=3),
    Query("things", order_by=(("x", False),), limit=3),
    Query("things", order_by=(("x", True),), limit=3),
    Query("things", order_by=(("x", False), ("y", True)), limit=3),
    Query("things", order_by=(("x", True), ("y", False)), limit=1),
    Query("things", order_by=(("at", True),), limit=4),
    Query("things", where=(("y", "==", 1),), order_by=(("x", False),), limit=2),
    Query("things", where=(("at", ">", NOON),), limit=2),
    Query("things", group=True, order_by=(("x", True),), limit=3),
]


@pytest.mark.parametrize("query", PAGED, ids=str)
async def test_paging_meets_every_document_once_and_in_order_under_ties(store: Documents, query: Query) -> None:
    kinds = (None, 1, 1.5, "a", NOON)
    for parent in ("things", "other/z/things", "other/z-z/things", "other/z/things/t1/things"):
        documents = {f"t{n}": {"x": kinds[n % 5], "y": n % 2, "at": NOON + HOUR * (n // 3)} for n in range(15)}
        await fill(store, parent, documents)
    whole = await store.query(Query(query.collection, query.where, query.order_by, group=query.group))
    paged: list[Snapshot] = []
    page = await store.query(query)
    while page:
        assert len(page) <= (query.limit or 0)
        paged += page
        page = await store.query(query.after(page[-1]))
    assert [snapshot.path for snapshot in paged] == [snapshot.path for snapshot in whole]
    assert len({snapshot.path for snapshot in whole}) == len(whole) > 0


async def test_a_collection_group_gathers_that_name_from_everywhere(store: Documents) -> None:
    await fill(store, "clinics/b/things", {"x": {"n": 1}})
    await fill(store, "clinics/a-2/things", {"x": {"n": 1}})
    await fill(store, "clinics/a/things", {"x": {"n": 1}, "y": {"n": 2}})
    await fill(store, "things", {"root": {"n": 1}})
    await fill(store, "clinics/a/others", {"x": {"n": 1}})
    found = await store.query(Query("things", where=(("n", "==", 1),), group=True))
    assert [snapshot.path for snapshot in found] == [
        "clinics/a/things/x",
        "clinics/a-2/things/x",
        "clinics/b/things/x",
        "things/root",
    ]


async def test_a_query_sees_changes_and_deletions(store: Documents) -> None:
    query = Query("gendei_inbox", where=(("status", "==", "waiting"),), order_by=(("receivedAt", False),))
    await fill(store, "gendei_inbox", {name: {"status": "waiting", "receivedAt": NOON} for name in "abc"})
    await fill(store, "gendei_inbox", {"a": {"status": "done", "receivedAt": NOON}, "c": {"status": "waiting"}})
    assert ids(await store.query(query)) == ["b"]


MALFORMED: list[dict[str, Any]] = [
    {"collection": "a/b"},
    {"collection": ""},
    {"collection": "it's"},
    {"collection": "a/b/c", "group": True},
    {"collection": "a", "where": (("x y", "==", 1),)},
    {"collection": "a", "order_by": (("x')", False),)},
    {"collection": "a", "where": (("x", "==", [1]),)},
    {"collection": "a", "where": (("x", "==", {"y": 1}),)},
    {"collection": "a", "where": (("x", ">=", None),)},
    {"collection": "a", "limit": 0},
    {"collection": "a", "order_by": (("x", False),), "start_after": ("a/b",)},
]


@pytest.mark.parametrize("fields", MALFORMED, ids=str)
def test_a_malformed_query_cannot_be_made(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Query(**fields)


async def test_a_query_for_a_value_that_no_document_has_is_refused(store: Documents) -> None:
    with pytest.raises(NaiveTime):
        await store.query(Query("things", where=(("at", "<", datetime(2026, 1, 1)),)))  # noqa: DTZ001  the point
    with pytest.raises(UnstorableValue):
        await store.query(Query("things", where=(("x", "==", "\ud800"),)))

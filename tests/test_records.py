"""How dataclasses become documents and come back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from pydantic import Field

from gendei.errors import NaiveTime, UnreadableDocument
from gendei.records import ABSENT_WHEN_EMPTY, NOT_STORED, SORTED, Day, Local, Moment, Record

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SAO_PAULO = ZoneInfo("America/Sao_Paulo")


class Colour(StrEnum):
    BLUE = "blue"
    RED = "red"


class Span(NamedTuple):
    start: int
    end: int
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """Within a tree."""

    leaf_id: str
    seen_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    id: Annotated[str, NOT_STORED]
    planted_at: Local
    first_day: Day
    colours: Annotated[frozenset[Colour], SORTED]
    size: Annotated[int, Field(alias="metres")]
    leaves: tuple[Leaf, ...] = ()
    spans: Mapping[str, Span] = field(default_factory=dict)
    remark: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a tree grows upwards")


TREES = Record(Tree, derived={"isOld": lambda tree: tree.planted_at.year < 2000})
TREE = Tree(
    "t1",
    NOON.astimezone(SAO_PAULO),
    date(2026, 3, 2),
    frozenset({Colour.RED, Colour.BLUE}),
    3,
    (Leaf("l1", NOON), Leaf("l2")),
    {"a": Span(1, 2, True)},
)
DOCUMENT = {
    "plantedAt": NOON,
    "firstDay": "2026-03-02",
    "colours": ["blue", "red"],
    "metres": 3,
    "leaves": [{"leafId": "l1", "seenAt": NOON}, {"leafId": "l2", "seenAt": None}],
    "spans": {"a": [1, 2, True]},
    "isOld": False,
}


def test_a_record_comes_back_as_it_was():
    assert TREES.read(DOCUMENT, zone=SAO_PAULO, id="t1") == TREE


def test_a_moment_is_in_the_zone_that_was_asked_for():
    assert TREES.read(DOCUMENT, zone=SAO_PAULO, id="t1").planted_at.tzinfo is SAO_PAULO


def test_a_document_has_camel_case_names_plain_values_and_derived_fields():
    written = TREES.write(TREE)
    assert written == DOCUMENT | {"leaves": tuple(DOCUMENT["leaves"]), "spans": {"a": (1, 2, True)}}


def test_a_field_that_is_empty_and_may_be_absent_is_left_out():
    full = Tree("t1", NOON, date(2026, 3, 2), frozenset(), 3, remark="tall")
    assert TREES.write(full)["remark"] == "tall"
    assert "remark" not in TREES.write(TREE)


def test_what_a_document_has_beyond_the_fields_is_not_read():
    assert TREES.read(DOCUMENT | {"fruit": "many"}, zone=SAO_PAULO, id="t1") == TREE


def test_a_document_from_before_a_field_has_its_default():
    older = {name: value for name, value in DOCUMENT.items() if name not in {"leaves", "spans"}}
    assert TREES.read(older, zone=SAO_PAULO, id="t1").leaves == ()


def test_a_naive_moment_is_refused():
    with pytest.raises(NaiveTime):
        TREES.read(DOCUMENT | {"plantedAt": NOON.replace(tzinfo=None)}, zone=SAO_PAULO, id="t1")


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"metres": None}, ("metres", "int_type")),
        ({"colours": ["pink"]}, ("colours", "enum")),
        ({"leaves": [{"leafId": 7}]}, ("leaves", "string_type")),
        ({"metres": -1}, ("", "value_error")),
    ],
)
def test_an_error_names_record_field_and_fault(broken, problem):
    with pytest.raises(UnreadableDocument) as refused:
        TREES.read(DOCUMENT | broken, zone=SAO_PAULO, id="t1")
    assert (refused.value.kind, refused.value.problems) == ("Tree", (problem,))


def test_no_document_is_no_record():
    with pytest.raises(UnreadableDocument, match="the document"):
        TREES.read(None)


def test_an_error_tells_no_value_and_no_key():
    document = DOCUMENT | {"spans": {"+5511999990001": ["um segredo"]}}
    with pytest.raises(UnreadableDocument) as refused:
        TREES.read(document, zone=SAO_PAULO, id="t1")
    told = f"{refused.value} {refused.value.__cause__} {refused.value.__context__}"
    assert "segredo" not in told
    assert "99999" not in told


def test_the_fields_are_told_with_those_of_the_records_within():
    assert TREES.fields == {
        "plantedAt": {},
        "firstDay": {},
        "colours": {},
        "metres": {},
        "leaves": {"leafId": {}, "seenAt": {}},
        "spans": {},
        "remark": {},
        "isOld": {},
    }

"""The audit: searchable, another's for nobody, and never changed."""

import ast
from pathlib import Path

import pytest
from tests.staff.door import AURORA, GIL, OLGA, OTAVIO, RITA, Door, open_door

import gendei
from gendei.errors import Conflict
from gendei.staff import audit as audit_module
from gendei.staff.actors import NO_CLINIC, Forbidden
from gendei.staff.audit import Action, audit_write

SOURCES = sorted(Path(gendei.__file__).parent.rglob("*.py"))


@pytest.fixture
async def door():
    async with open_door() as door:
        audit = door.staff.audit
        rita, gil = await door.actor(RITA), await door.actor(GIL)
        await audit.record(rita, Action.CONVERSATION_READ, "+5511999990001")
        await audit.record(rita, Action.TAKEN_OVER, "+5511999990001", reason="asked")
        await audit.record(gil, Action.TAKEN_OVER, "+5511999990002")
        await audit.record(await door.actor(OTAVIO), Action.TAKEN_OVER, "+5511999990001")
        yield door


async def found(door: Door, who: str = GIL, **asked) -> list[tuple[str, str, str]]:
    entries = await door.staff.audit.search(await door.actor(who), **asked)
    return [(entry.user_id, entry.action, entry.subject) for entry in entries if entry.action != Action.USER_ADDED]


READ = (RITA, "conversation.read", "+5511999990001")
TAKEN = (RITA, "conversation.taken_over", "+5511999990001")
BY_GIL = (GIL, "conversation.taken_over", "+5511999990002")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, [BY_GIL, TAKEN, READ]),
        ({"user_id": RITA}, [TAKEN, READ]),
        ({"action": Action.TAKEN_OVER}, [BY_GIL, TAKEN]),
        ({"subject": "+5511999990001"}, [TAKEN, READ]),
        ({"user_id": RITA, "action": Action.TAKEN_OVER}, [TAKEN]),
        ({"user_id": RITA, "subject": "+5511999990002"}, []),
        ({"user_id": OTAVIO}, []),
    ],
)
async def test_it_is_searched_by_person_deed_and_subject_the_newest_first(door: Door, asked, expected):
    assert await found(door, **asked) == expected


async def test_it_is_read_page_by_page(door: Door):
    audit, gil = door.staff.audit, await door.actor(GIL)
    first = await audit.search(gil, limit=2)
    second = await audit.search(gil, limit=2, before=first[-1])
    assert [entry.id for entry in first + second] == [entry.id for entry in await audit.search(gil, limit=4)]


async def test_another_clinics_gestor_sees_only_the_own(door: Door):
    assert await found(door, OTAVIO) == [(OTAVIO, "conversation.taken_over", "+5511999990001")]


async def test_who_does_not_manage_the_clinic_does_not_read_it(door: Door):
    with pytest.raises(Forbidden):
        await door.staff.audit.search(await door.actor(RITA))


async def test_who_operates_and_is_at_no_clinic_reads_what_belongs_to_none_alone(door: Door):
    await door.staff.audit.record(await door.actor(OLGA), Action.QUEUE_DROPPED, "outbox")

    assert await found(door, OLGA) == [(OLGA, "queue.dropped", "outbox")]


async def test_what_an_operadora_does_at_no_clinic_is_kept_apart(door: Door):
    await door.staff.audit.record(await door.actor(OLGA), Action.QUEUE_DROPPED, "outbox")
    assert (OLGA, "queue.dropped", "outbox") in await door.actions(NO_CLINIC)
    assert OLGA not in str(await door.audited(AURORA))


async def test_a_deed_and_its_entry_are_in_the_store_together_or_not_at_all(door: Door):
    rita = await door.actor(RITA)
    entry = audit_write(rita, Action.TAKEN_OVER, "+5511999990003", door.now)
    taken = audit_write(rita, Action.TAKEN_OVER, "+5511999990003", door.now)
    await door.documents.commit([taken])
    with pytest.raises(Conflict):
        await door.documents.commit([entry, taken])
    assert await found(door, subject="+5511999990003") == [(RITA, "conversation.taken_over", "+5511999990003")]


async def test_an_entry_cannot_be_written_again(door: Door):
    entry = audit_write(await door.actor(RITA), Action.TAKEN_OVER, "x", door.now)
    await door.documents.commit([entry])
    with pytest.raises(Conflict):
        await door.documents.commit([entry])


def test_only_the_audit_knows_where_entries_stand_and_it_only_creates():
    """No other code can name an entry's path, and this one imports nothing that changes or removes a document."""
    naming = [path.name for path in SOURCES if any(is_its_path(text) for text in texts_of(path))]
    imported = {
        alias.name
        for node in ast.walk(ast.parse(Path(audit_module.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "gendei.documents"
        for alias in node.names
    }
    assert (naming, imported & {"put", "delete", "transact", "Transaction"}) == (["audit.py"], set())


def texts_of(path: Path) -> list[str]:
    """Every text of a module as one would write it, with "{}" for what an f-string fills in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    filled = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    pieces = {id(piece) for node in filled for piece in node.values}
    whole = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in pieces]
    return [str(node.value) for node in whole] + [
        "".join(str(piece.value) if isinstance(piece, ast.Constant) else "{}" for piece in node.values)
        for node in filled
    ]


def is_its_path(text: str) -> bool:
    """A document path's end, not a route's, which begins with a slash."""
    return " " not in text and not text.startswith("/") and f"{text}/".find("/audit/") > 0

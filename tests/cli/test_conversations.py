"""conversations waiting and hand-back."""

import asyncio
import json
from datetime import UTC, datetime

from tests.cli.conftest import AURORA, BROMELIA

from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.follow_ups import Occasion, follow_up, tasks_of
from gendei.documents import Query, put
from gendei.store.sqlite import SqliteDocuments

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
MARIA = Contact("+5519999990001")


def taken_over() -> None:
    """A conversation of the first clinic in which a patient asked for a person."""

    async def work() -> None:
        documents = await SqliteDocuments.open("gendei.db")
        conversation = Conversation(ClinicId("aurora"), MARIA, NOW, NOW, provider="meta", external_id="1")
        waits = conversation.taken_over("pediu uma pessoa", NOW)
        task = follow_up(waits, Occasion.TAKE_OVER, NOW, "")
        await documents.commit([put(waits.key.path, CONVERSATION.write(waits)), task])
        await documents.close()

    asyncio.run(work())


def tasks():
    """Of the first clinic: how they stand, and who completed them."""

    async def work():
        documents = await SqliteDocuments.open("gendei.db")
        found = await documents.query(Query(tasks_of(ClinicId("aurora"))))
        await documents.close()
        return [(snapshot.data["status"], snapshot.data["completedBy"]) for snapshot in found]

    return asyncio.run(work())


def test_a_conversation_that_waits_is_shown_to_its_clinic_alone_until_it_is_handed_back(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    taken_over()
    assert (
        "waits for a person since 2026-11-23 12:00 UTC: pediu uma pessoa"
        in gendei("conversations", "waiting", "--clinic", "aurora").stdout
    )
    assert "every conversation" in gendei("conversations", "waiting", "--clinic", "bromelia").stdout
    gendei("conversations", "hand-back", "--clinic", "aurora", "--contact", MARIA, "--note", "remarcado por telefone")
    assert "every conversation" in gendei("conversations", "waiting", "--clinic", "aurora").stdout


def test_a_hand_back_stands_in_the_audit_and_completes_the_task_to_answer(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    taken_over()
    gendei("conversations", "hand-back", "--clinic", "aurora", "--contact", MARIA)
    ours, theirs = (
        json.loads(gendei("audit", "--clinic", clinic, "--json").stdout) for clinic in ("aurora", "bromelia")
    )
    assert (sorted((entry["user_id"], entry["action"]) for entry in ours), theirs) == (
        [("terminal", "conversation.handed_back"), ("terminal", "task.completed")],
        [],
    )
    assert tasks() == [("completed", "Terminal")]


def test_what_is_still_to_be_done_is_a_task_of_the_clinic_alone(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    taken_over()
    gendei("conversations", "hand-back", "--clinic", "aurora", "--contact", MARIA, "--to-do", "enviar o recibo")
    assert sorted(tasks(), key=str) == [("completed", "Terminal"), ("pending", None)]


def test_another_clinic_cannot_hand_it_back(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    taken_over()
    assert gendei("conversations", "hand-back", "--clinic", "bromelia", "--contact", MARIA).exit_code == 1
    assert "waits for a person" in gendei("conversations", "waiting", "--clinic", "aurora").stdout

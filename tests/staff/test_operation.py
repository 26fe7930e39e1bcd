"""What operators see and mend, and that it stands in the audit of the clinic."""

from datetime import UTC, datetime

import pytest

from gendei.clinic import Channel, ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.backlog import Trouble
from gendei.conversation.outbound.channel_states import ChannelStates, Scope
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Deliveries, enqueue
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author
from gendei.documents import put
from gendei.errors import NotFound
from gendei.messages.replies import Reply
from gendei.staff.actors import RIGHTS, Actor, Forbidden, Role, terminal
from gendei.staff.audit import Action, Audit
from gendei.staff.operation import Operation
from gendei.store.sqlite import SqliteDocuments

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
AURORA, BROMELIA = ClinicId("aurora"), ClinicId("bromelia")
OLGA = Actor(ClinicId(""), "olga@gendei.test", "Olga", RIGHTS[Role.OPERADOR])
OLGA_AT_BROMELIA = Actor(BROMELIA, "olga@gendei.test", "Olga", RIGHTS[Role.OPERADOR] | RIGHTS[Role.GESTOR])
MARIA = Contact("+5519999990001")
GIL = Actor(AURORA, "gil@aurora.test", "Gil", RIGHTS[Role.GESTOR])


def clock() -> datetime:
    return NOW


@pytest.fixture
async def documents():
    documents = await SqliteDocuments.open(":memory:")
    yield documents
    await documents.close()


@pytest.fixture
def operation(documents):
    return Operation(documents, Directory(documents, clock), clock)


async def failed_message(documents) -> str:
    """Of Aurora's."""
    conversation = Conversation(AURORA, MARIA, NOW, NOW, provider="meta", external_id="1")
    said, writes = enqueue(conversation, [Reply("olá")], author=Author.BOT, now=NOW)
    entry = OUTBOX_ENTRY.read(writes[0].data or {}, id="").claimed("us", NOW).failed("131026 no", NOW)
    path = writes[0].path
    conversation = put(said.key.path, CONVERSATION.write(said))
    await documents.commit([put(path, OUTBOX_ENTRY.write(entry)), writes[1], conversation])
    return path.rpartition("/")[2]


async def audited(documents, clinic_id: ClinicId = AURORA) -> list[tuple[str, str, str]]:
    found = await Audit(documents, clock).search(terminal(clinic_id))
    return [(entry.user_id, entry.action, entry.subject) for entry in found]


async def test_what_is_sent_again_stands_in_the_clinics_audit(documents, operation):
    item = await failed_message(documents)
    await operation.replay(OLGA, [item])
    assert [(entry.id, entry.trouble) for entry in await operation.queue(OLGA)] == [(item, Trouble.WAITING)]
    assert await audited(documents) == [("olga@gendei.test", Action.QUEUE_REPLAYED, item)]


async def test_what_is_given_up_stands_in_the_clinics_audit(documents, operation):
    item = await failed_message(documents)
    await operation.drop(OLGA, [item])
    assert await operation.queue(OLGA) == []
    assert await audited(documents) == [("olga@gendei.test", Action.QUEUE_DROPPED, item)]


async def test_who_chose_another_clinic_finds_nothing_of_this_one(documents, operation):
    item = await failed_message(documents)
    assert await operation.queue(OLGA_AT_BROMELIA) == []
    with pytest.raises(NotFound):
        await operation.drop(OLGA_AT_BROMELIA, [item])
    assert (await audited(documents), await audited(documents, BROMELIA)) == ([], [])


async def test_a_number_sends_again_and_the_audit_says_who_let_it(documents, operation):
    channel = Channel("meta", "106", {"access_token": "sealed"}, AURORA)
    states = ChannelStates(documents, clock, Deliveries())
    await states.stop(AURORA, channel, "131031 locked", Scope.ALL)
    with pytest.raises(NotFound):
        await operation.resume(OLGA_AT_BROMELIA)
    assert [item.external_id for item in await operation.resume(OLGA, "106")] == ["106"]
    assert await states.refresh() == {("meta", "106")}
    assert await audited(documents) == [("olga@gendei.test", Action.CHANNEL_RESUMED, "106")]


async def test_who_only_manages_a_clinic_operates_nothing(operation):
    for asked in (operation.clinics, operation.queue, operation.resume, operation.levels):
        with pytest.raises(Forbidden):
            await asked(GIL)

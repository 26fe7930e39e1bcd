"""queue show, replay and drop; channels list and resume; remind."""

import asyncio
import json
from datetime import UTC, datetime

import pytest
from tests.cli.conftest import AURORA, BROMELIA, MONDAY, SECRET_KEY

from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.visits import BookingRequest
from gendei.clinic import ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.outbound.channel_states import ChannelStates, Scope
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Deliveries, enqueue
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author
from gendei.documents import put
from gendei.messages.replies import Reply
from gendei.observing.subject import Pseudonyms
from gendei.store.sqlite import SqliteDocuments

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
MARIA = Contact("+5519999990001")


def in_store(work):
    """Run `work` on the store of these tests."""

    async def main():
        documents = await SqliteDocuments.open("gendei.db")
        try:
            return await work(documents)
        finally:
            await documents.close()

    return asyncio.run(main())


def failed_message(clinic_id="aurora"):
    """A message of that clinic that could not be sent; its id."""

    async def work(documents):
        conversation = Conversation(ClinicId(clinic_id), MARIA, NOW, NOW, provider="meta", external_id="1")
        said, writes = enqueue(conversation, [Reply("palavras do paciente")], author=Author.BOT, now=NOW)
        entry = OUTBOX_ENTRY.read(writes[0].data, id="").claimed("us", NOW).failed("131026 no", NOW)
        path = writes[0].path
        conversation = put(said.key.path, CONVERSATION.write(said))
        await documents.commit([put(path, OUTBOX_ENTRY.write(entry)), writes[1], conversation])
        return path.rpartition("/")[2]

    return in_store(work)


def shown(gendei, *arguments):
    return [
        (entry["id"], entry["trouble"]) for entry in json.loads(gendei("queue", "show", "--json", *arguments).stdout)
    ]


def test_what_failed_is_shown_without_its_words(gendei):
    item = failed_message()
    result = gendei("queue", "show")
    assert result.stdout == f"2026-11-23 12:00 UTC  failed    aurora/{MARIA}  1 attempt  131026 no [{item}]\n"


def test_what_waits_says_when_it_is_due_and_alarms_nobody(gendei):
    failed, waiting = failed_message("aurora"), failed_message("bromelia")
    gendei("queue", "replay", waiting)
    [line] = [value for value in gendei("queue", "show").stdout.splitlines() if waiting in value]
    assert line.endswith(f"  due 2026-11-23 12:00 UTC [{waiting}]")
    assert shown(gendei, "--failed") == [(failed, "failed")]
    assert shown(gendei, "--failed", "--clinic", "bromelia") == []


def test_chat_sends_nothing_of_what_waits_for_real_patients(gendei):
    gendei("clinics", "import", AURORA)
    waiting = failed_message()
    gendei("queue", "replay", waiting)
    assert "Rua do Sol" in gendei("chat", "--from", "+5519977776666", script="onde fica?\n").stdout
    assert shown(gendei) == [(waiting, "waiting")]


def test_for_scripts_it_is_an_array_of_objects(gendei):
    item = failed_message()
    assert json.loads(gendei("queue", "show", "--json").stdout) == [
        {
            "id": item,
            "trouble": "failed",
            "clinicId": "aurora",
            "contact": MARIA,
            "conversation": Pseudonyms(SECRET_KEY.encode()).of(f"aurora/{MARIA}"),
            "since": "2026-11-23T12:00:00+00:00",
            "dueAt": None,
            "attempts": 1,
            "reason": "131026 no",
        }
    ]


def test_an_empty_queue_gives_scripts_nothing_and_tells_people_so(gendei):
    shown, as_json = gendei("queue", "show"), gendei("queue", "show", "--json")
    assert (shown.stdout, as_json.stdout) == ("", "[]\n")
    assert (shown.stderr, as_json.stderr) == ("Nothing waits to be sent, failed or is parked.\n", "")


def test_what_failed_waits_again_when_it_is_replayed(gendei):
    item = failed_message()
    result = gendei("queue", "replay", item)
    assert (result.stdout, shown(gendei)) == ("1 again on their way\n", [(item, "waiting")])


def test_all_that_failed_is_replayed_at_once_of_one_clinic(gendei):
    ours, theirs = failed_message("aurora"), failed_message("bromelia")
    result = gendei("queue", "replay", "--failed", "--clinic", "aurora")
    assert (result.stdout, sorted(shown(gendei))) == (
        "1 again on their way\n",
        sorted([(ours, "waiting"), (theirs, "failed")]),
    )


def test_with_nothing_failed_nothing_is_replayed(gendei):
    assert gendei("queue", "replay", "--failed").stdout == "0 again on their way\n"


def test_what_is_dropped_is_gone(gendei):
    item = failed_message()
    assert (gendei("queue", "drop", item).stdout, shown(gendei)) == ("1 dropped\n", [])


@pytest.mark.parametrize("command", ["replay", "drop"])
def test_a_message_of_another_clinic_is_not_found(gendei, command):
    item = failed_message("bromelia")
    result = gendei("queue", command, item, "--clinic", "aurora")
    assert (result.exit_code, f"there is no {item}" in result.stderr, shown(gendei)) == (1, True, [(item, "failed")])


@pytest.mark.parametrize("command", ["replay", "drop"])
def test_nothing_named_is_an_error(gendei, command):
    result = gendei("queue", command)
    assert (result.exit_code, "Nothing was named" in result.stderr) == (1, True)
    assert ("--failed" in result.stderr) is ("--failed" in gendei("queue", command, "--help").stdout)


def stop_aurora():
    async def work(documents):
        directory = Directory(documents)
        await directory.refresh()
        clinic = await directory.get(ClinicId("aurora"))
        states = ChannelStates(documents, lambda: NOW, Deliveries())
        channel = clinic.channels[0]
        await states.stop(clinic.id, channel, "190 expired", Scope.ALL)
        return channel.external_id

    return in_store(work)


def test_a_stopped_number_is_listed_and_resumed(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    number = stop_aurora()
    listed = gendei("channels", "list").stdout
    other = gendei("channels", "resume", "--clinic", "bromelia")
    resumed = gendei("channels", "resume", "--clinic", "aurora").stdout
    assert listed == f"aurora: meta {number} (all) since 2026-11-23 12:00, 190 expired\n"
    assert (other.exit_code, "no such number is stopped" in other.stderr) == (1, True)
    assert (resumed, gendei("channels", "list").stdout) == (f"meta {number} sends again\n", "No number is stopped.\n")


def book_tomorrow():
    async def work(documents):
        directory = Directory(documents)
        await directory.refresh()
        clinic = await directory.get(ClinicId("aurora"))
        now = datetime.fromisoformat(MONDAY)
        service, professional = clinic.services[0], clinic.professionals_for(clinic.services[0].id)[0]
        start = now.replace(day=24, hour=9)
        wish = BookingRequest(service.id, professional.id, start, "Maria Silva")
        await BookingDesk(documents, lambda: now).book(clinic, MARIA, wish, act=StaffAct("Bia"))

    in_store(work)


def test_remind_queues_once_and_says_why_not(gendei, tmp_path):
    with_template = tmp_path / "aurora.yaml"
    template = "templates: {reminder: {name: lembrete, parameters: [patient, time], quick_replies: 3}}\n"
    with_template.write_text(AURORA.read_text(encoding="utf-8") + template, encoding="utf-8")
    gendei("clinics", "import", with_template, BROMELIA)
    book_tomorrow()
    runs = [gendei("remind", "--clinic", "aurora", "--hours", "26").stdout for _ in range(2)]
    assert runs == ["1 reminder queued\n", "0 reminders queued\n1 not queued: already\n"]
    assert gendei("remind", "--clinic", "bromelia").stdout == "0 reminders queued\n"


def test_nobody_is_reminded_of_what_was_booked_to_try_the_clinic_out(gendei):
    gendei("clinics", "import", AURORA, BROMELIA)
    booked = gendei("chat", "--clinic", "aurora", script="limpeza amanhã às 9h\n1\n").stdout
    assert "✅ Sua consulta está confirmada!" in booked
    reminded = gendei("remind", "--clinic", "aurora", "--hours", "26").stdout
    assert reminded == "0 reminders queued\n1 not queued: tried_out\n"
    assert gendei("remind", "--clinic", "bromelia").stdout == "0 reminders queued\n"
    assert shown(gendei) == []


def test_remind_keeps_to_the_allow_list(gendei, monkeypatch):
    monkeypatch.setenv("GENDEI_PROACTIVE_ALLOW", "+5511888887777, +5511888886666")
    gendei("clinics", "import", AURORA)
    book_tomorrow()
    result = gendei("remind", "--clinic", "aurora", "--hours", "26")
    assert result.stdout == "0 reminders queued\n1 not queued: not_allowed\n"

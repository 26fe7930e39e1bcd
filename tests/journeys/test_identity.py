"""One patient under many addresses, from signed webhook to Graph request."""

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA

from gendei.providers.stand_in.graph import new_message_id
from gendei.providers.stand_in.phone import SignedBody

FULL, SHORT, USER = "+5519988887777", "+551988887777", "BR.1349"


def from_both(town, text: str, phone: str, user_id: str) -> SignedBody:
    """A message whose webhook shows the phone and the user id, as Meta's do since 2026."""
    maker, digits = town.maker(), phone.removeprefix("+")
    contact = {"profile": {"name": "Maria"}, "wa_id": digits, "user_id": user_id}
    message = {"from": digits, "from_user_id": user_id, "id": new_message_id(), "timestamp": now(town)}
    message |= {"type": "text", "text": {"body": text}}
    return maker.signed(maker.body({"contacts": [contact], "messages": [message]}))


def notice(town, old: str, clinic_id: str = AURORA, **system: str) -> SignedBody:
    """Meta's word that somebody changed the number; it comes without contacts."""
    maker = town.maker(clinic_id)
    message = {"from": old.removeprefix("+"), "id": new_message_id(), "timestamp": now(town), "type": "system"}
    message["system"] = {"type": "user_changed_number", "body": "mudou de número", **system}
    return maker.signed(maker.body({"messages": [message]}))


def now(town) -> str:
    return str(int(town.gendei.clock().timestamp()))


async def deliver(town, signed: SignedBody) -> None:
    assert await town.post(signed) == 200
    await town.idle()


@pytest.fixture
async def booked(town):
    """Maria, known by the short form of her number, has an appointment."""
    await town.book(FULL, "Maria Silva", "2026-11-24T15:00")


async def test_the_short_form_of_a_number_sees_what_the_full_one_booked(town, booked):
    told = await Phone(town, SHORT, "Maria").say("quais são as minhas consultas?")
    assert ("15h" in told or "15:00" in told, await town.conversation(SHORT)) == (True, None)


async def test_answers_go_to_the_form_that_the_patient_wrote_from(town):
    await Phone(town, SHORT, "Maria").say("oi")
    await Phone(town, FULL, "Maria").say("oi")
    assert (len(town.sent_to(SHORT)), len(town.sent_to(FULL))) == (1, 1)
    assert len((await town.conversation(FULL))["messages"]) == 4


async def test_a_user_id_that_came_with_the_number_sees_the_same_appointments(town, booked):
    await deliver(town, from_both(town, "oi", FULL, USER))
    assert await Phone(town, USER, "Maria").write("quais são as minhas consultas?") == 200
    await town.idle()
    told = town.sent_to(FULL)[-1].text
    assert "15h" in told or "15:00" in told


async def test_two_conversations_that_met_have_one_agenda(town, booked):
    by_id = Phone(town, USER, "Maria")
    await by_id.say("oi")
    await town.book(USER, "Maria Silva", "2026-11-25T10:00")
    await Phone(town, FULL, "Maria").say("oi")
    await deliver(town, from_both(town, "oi de novo", FULL, USER))
    assert [start for _, _, start in await town.agenda_of(USER)] == ["2026-11-24T15:00", "2026-11-25T10:00"]
    assert await town.agenda_of(FULL) == []


async def test_the_new_number_goes_on_where_the_old_one_stopped(town, booked):
    new = "+5519977776666"
    await deliver(town, from_both(town, "oi", FULL, USER))
    await deliver(town, notice(town, FULL, wa_id="5519977776666", user_id="BR.77", previous_user_id=USER))
    told = await Phone(town, new, "Maria").say("quais são as minhas consultas?")
    assert ("15h" in told or "15:00" in told, await town.conversation(new)) == (True, None)


async def test_a_notice_is_never_answered(town):
    await deliver(town, from_both(town, "oi", FULL, USER))
    await deliver(town, notice(town, FULL, wa_id="5519977776666", user_id="BR.77", previous_user_id=USER))
    assert len(town.graph.sent) == 1


async def test_a_notice_with_a_bad_signature_changes_nothing(town, booked):
    body, headers = notice(town, FULL, wa_id="5519977776666", user_id="BR.77", previous_user_id=USER)
    headers["X-Hub-Signature-256"] = "sha256=" + "0" * 64
    assert await town.post((body, headers)) == 401
    told = await Phone(town, "+5519977776666", "Alguém").say("quais são as minhas consultas?")
    assert "15h" not in told
    assert "15:00" not in told


async def test_a_notice_to_another_clinic_changes_nothing_here(town, booked):
    await deliver(town, from_both(town, "oi", FULL, USER))
    await deliver(town, notice(town, FULL, BROMELIA, wa_id="5519977776666", user_id="BR.77", previous_user_id=USER))
    told = await Phone(town, "+5519977776666", "Alguém").say("quais são as minhas consultas?")
    assert "15h" not in told
    assert "15:00" not in told


async def test_a_forwarded_card_gives_nobody_a_view_of_its_owner(town, booked):
    stranger = Phone(town, "+5519966665555", "Alguém")
    card = {"name": {"formatted_name": "Maria"}, "phones": [{"phone": FULL, "wa_id": FULL[1:]}], "origin": "other"}
    await deliver(town, town.maker().message(stranger.number, {"type": "contacts", "contacts": [card]}))
    told = await stranger.say("quais são as minhas consultas?")
    assert "15h" not in told
    assert "15:00" not in told


async def test_a_mother_books_for_her_children_under_each_of_her_addresses(town):
    await deliver(town, from_both(town, "oi", FULL, USER))
    for name, when in (("Ana Lima", "2026-11-24T15:00"), ("Téo Lima", "2026-11-24T16:00")):
        await town.book(FULL, name, when)
    assert await Phone(town, USER, "Mãe").write("quais são as minhas consultas?") == 200
    await town.idle()
    told = town.sent_to(FULL)[-1]
    assert [name for name in ("Ana", "Téo") if name in f"{told.text} {told.options}"] == ["Ana", "Téo"]

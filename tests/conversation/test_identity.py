"""One patient, many addresses: they lead to one conversation, and nobody else's to it."""

from datetime import timedelta

import pytest
from tests.conversation.cast import BOA_VIDA, NOON, SORRISO, World, clinic, column, said, text
from tests.handing import send_as_person, take_over

from gendei.booking.patients import patient_id
from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.contacts import Contacts, Shown
from gendei.conversation.stored.history import latest_messages
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Data, Query, put
from gendei.messages.keys import INBOX, ConversationKey
from gendei.messages.message import Arrival, IncomingMessage, MessageType, Received

PHONE, USER = Contact("+5511988887777"), Contact("BR.1349")
HERE, HERE_BY_ID = ConversationKey(BOA_VIDA, PHONE), ConversationKey(BOA_VIDA, USER)


def by_id(message_id: str, words: str = "oi", *, user_id: Contact = USER, **fields: object) -> IncomingMessage:
    """A message of somebody who shows no phone."""
    return IncomingMessage(message_id, user_id, NOON, MessageType.TEXT, user_id=user_id, text=words, **fields)


def both(message_id: str, words: str = "oi", *, phone: Contact = PHONE, user_id: Contact = USER) -> IncomingMessage:
    """A message whose webhook shows the phone and the user id."""
    return text(message_id, words, sender=phone, user_id=user_id)


def changed_number(message_id: str, old: str, **details: str) -> IncomingMessage:
    """Meta's notice; `details`: wa_id (the new one, digits), user_id, previous_user_id."""
    notice = {"event": "user_changed_number", **details}
    aliases = (f"+{details['wa_id']}",)
    return IncomingMessage(message_id, Contact(old), NOON, MessageType.SYSTEM, aliases=aliases, details=notice)


async def tell(world: World, *messages: IncomingMessage, clinic_id: ClinicId = BOA_VIDA) -> None:
    for message in messages:
        await world.accept(message, clinic_id=clinic_id)
        await world.idle()
        world.clock.advance(1)


async def book(world: World, contact: Contact, name: str, appointment_id: str = "000000000001") -> None:
    """An appointment and a patient as the desk leaves them, as far as the contact matters."""
    base = f"gendei_clinics/{BOA_VIDA}"
    person = patient_id(contact, name)
    record = {"name": name, "contact": contact, "phone": None, "createdAt": NOON, "updatedAt": NOON}
    booked = {"contact": contact, "patientId": person, "patientName": name, "start": NOON + timedelta(days=1)}
    await world.documents.commit(
        [put(f"{base}/patients/{person}", record), put(f"{base}/appointments/{appointment_id}", booked)]
    )


async def owned_by(world: World, contact: Contact) -> list[Data]:
    found = await world.documents.query(
        Query(f"gendei_clinics/{BOA_VIDA}/appointments", where=(("contact", "==", contact),))
    )
    return [snapshot.data or {} for snapshot in found]


async def conversations(world: World, clinic_id: ClinicId = BOA_VIDA) -> list[str]:
    """The contacts that have a conversation of their own."""
    found = await world.documents.query(Query(f"gendei_clinics/{clinic_id}/conversations"))
    return sorted(snapshot.id for snapshot in found if not (snapshot.data or {})["foldedInto"])


async def test_both_written_forms_of_a_mobile_are_one_patient(world: World) -> None:
    async with world.messaging:
        await tell(world, text("wamid.1", "um", sender=Contact("+551188887777")))
        await tell(world, text("wamid.2", "dois", sender=PHONE))

    assert await conversations(world) == [PHONE]
    assert [turn.contact for turn in world.receptionist.turns] == [PHONE, PHONE]


async def test_messages_go_to_the_number_as_the_provider_shows_it(world: World) -> None:
    async with world.messaging:
        await tell(world, text("wamid.1", sender=Contact("+551188887777")))

    assert [request.to_phone for request in world.provider.sent] == ["+551188887777"]


async def test_a_user_id_seen_once_with_the_phone_leads_to_the_same_patient(world: World) -> None:
    async with world.messaging:
        await tell(world, both("wamid.1"), by_id("wamid.2", "de novo"))

    assert await conversations(world) == [PHONE]
    assert (await world.conversation(HERE)).aliases == (USER,)
    assert world.receptionist.turns[1].history[0]["content"] == "oi"


async def test_a_phone_seen_later_leads_to_the_conversation_that_was_there_before(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1"), both("wamid.2", "meu número"), text("wamid.3", "e só ele", sender=PHONE))

    assert await conversations(world) == [USER]
    assert [turn.contact for turn in world.receptionist.turns] == [USER] * 3
    assert [request.to_phone for request in world.provider.sent] == [None, PHONE, PHONE]


async def test_other_addresses_of_the_sender_are_linked_too(world: World) -> None:
    lid = Contact("998877@lid")
    async with world.messaging:
        await tell(world, text("wamid.1", sender=PHONE, aliases=(lid,)), by_id("wamid.2", user_id=lid))

    assert await conversations(world) == [PHONE]


async def test_two_conversations_of_one_patient_become_the_older_one(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1", "pelo id"), text("wamid.2", "pelo número", sender=PHONE))
        await tell(world, both("wamid.3", "pelos dois"))
        await tell(world, text("wamid.4", "pelo número", sender=PHONE), by_id("wamid.5", "pelo id"))

    kept = await world.conversation(HERE_BY_ID)
    assert await conversations(world) == [USER]
    assert (kept.folded, (await world.conversation(HERE)).folded_into) == ((PHONE,), USER)
    assert [turn.contact for turn in world.receptionist.turns[2:]] == [USER] * 3
    assert [message["content"] for message in world.receptionist.turns[2].history] == [
        "pelo id",
        "re: pelo id",
        "pelo número",
        "re: pelo número",
    ]


async def test_the_whole_history_of_both_is_read_in_order(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1", "um"), text("wamid.2", "dois", sender=PHONE), both("wamid.3", "três"))

    messages = await latest_messages(world.documents, await world.conversation(HERE_BY_ID))
    assert [message.content for message in messages if message.is_of_patient] == ["um", "dois", "três"]


async def test_what_was_booked_under_either_address_is_the_patients(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1"), text("wamid.2", sender=PHONE))
        await book(world, PHONE, "Ana Lima", "000000000001")
        await book(world, USER, "Ana Lima", "000000000002")
        await book(world, PHONE, "Téo Lima", "000000000003")
        await tell(world, both("wamid.3"))

    assert [(appointment["patientName"], appointment["patientId"]) for appointment in await owned_by(world, USER)] == [
        ("Ana Lima", patient_id(USER, "Ana Lima")),
        ("Ana Lima", patient_id(USER, "Ana Lima")),
        ("Téo Lima", patient_id(USER, "Téo Lima")),
    ]
    people = await world.documents.query(Query(f"gendei_clinics/{BOA_VIDA}/patients"))
    leads = {snapshot.id: (snapshot.data or {}).get("mergedInto") for snapshot in people}
    assert leads == {
        patient_id(USER, "Ana Lima"): None,
        patient_id(USER, "Téo Lima"): None,
        patient_id(PHONE, "Ana Lima"): patient_id(USER, "Ana Lima"),
        patient_id(PHONE, "Téo Lima"): patient_id(USER, "Téo Lima"),
    }


async def test_a_booking_of_a_turn_that_was_under_way_follows_the_patient(world: World) -> None:
    """The phone's turn books while another process learns that phone and user id are one."""
    async with world.messaging:
        await tell(world, by_id("wamid.1"))
        world.receptionist.free.clear()
        await world.accept(text("wamid.2", "pode marcar", sender=PHONE))
        await world.asked()
        await world.asked()
        elsewhere = Contacts(world.documents, world.clock)
        await elsewhere.join(clinic(BOA_VIDA), HERE_BY_ID, Shown(frozenset({PHONE, USER}), {}))
        await book(world, PHONE, "Ana Lima")
        world.receptionist.free.set()
        await world.idle()

    assert [appointment["patientName"] for appointment in await owned_by(world, USER)] == ["Ana Lima"]
    assert await conversations(world) == [USER]
    assert [entry["status"] for entry in await world.inbox()] == ["done", "done"]
    assert [entry["conversation"] for entry in await world.outbox()] == [HERE_BY_ID.text] * 2


async def test_a_take_over_of_either_holds_for_both(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1"), text("wamid.2", sender=PHONE))
        await take_over(world.messaging.handover, BOA_VIDA, PHONE, "Bia", "ligação")
        await tell(world, both("wamid.3", "alô?"), by_id("wamid.4", "alô?"))

    assert (await world.conversation(HERE_BY_ID)).taken_over_by == "Bia"
    assert len(world.receptionist.turns) == 2


async def test_whoever_wants_to_be_left_alone_is_under_every_address(world: World) -> None:
    book = OutreachBook(world.documents, world.clock)
    async with world.messaging:
        await tell(world, by_id("wamid.1"), text("wamid.2", sender=PHONE))
        await book.opt_out(HERE)
        await tell(world, both("wamid.3"))

    assert (await book.of(HERE_BY_ID)).opted_out_at is not None


async def test_staff_reach_the_conversation_by_any_address(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1"), text("wamid.2", sender=PHONE), both("wamid.3"))
        await send_as_person(world.messaging.handover, BOA_VIDA, Contact("+551188887777"), "Bia", "Oi!")
        await world.idle()

    assert (await world.conversation(HERE_BY_ID)).taken_over_by == "Bia"
    assert world.provider.texts()[-1] == "Oi!"


async def test_half_a_booking_goes_on_after_the_addresses_met(world: World) -> None:
    async with world.messaging:
        await tell(world, by_id("wamid.1"))
        world.receptionist.script.append(said("Para quando?", agent="sales_closer", state={"service": "limpeza"}))
        await tell(world, text("wamid.2", "limpeza", sender=PHONE), both("wamid.3", "amanhã"))

    turn = world.receptionist.turns[2]
    assert (turn.agent, turn.state) == ("sales_closer", {"service": "limpeza"})


async def test_a_change_of_number_leads_the_new_one_to_the_same_patient(world: World) -> None:
    new = Contact("+5521977776666")
    async with world.messaging:
        await tell(world, both("wamid.1"))
        await tell(
            world, changed_number("wamid.2", PHONE, wa_id="5521977776666", user_id="BR.77", previous_user_id=USER)
        )
        await tell(world, both("wamid.3", "número novo", phone=new, user_id=Contact("BR.77")), by_id("wamid.4"))

    assert await conversations(world) == [PHONE]
    assert world.receptionist.heard() == [("oi",), ("número novo",), ("oi",)]
    assert [request.to_phone for request in world.provider.sent][1] == new


async def test_a_change_of_id_without_any_phone_is_followed(world: World) -> None:
    notice = {"event": "user_changed_user_id", "user_id": "BR.77", "previous_user_id": USER}
    async with world.messaging:
        await tell(world, both("wamid.1"))
        await tell(world, IncomingMessage("wamid.2", USER, NOON, MessageType.SYSTEM, user_id=USER, details=notice))
        await tell(world, by_id("wamid.3", user_id=Contact("BR.77")))

    assert await conversations(world) == [PHONE]


async def test_a_message_from_the_new_number_may_come_before_the_notice(world: World) -> None:
    new = Contact("+5521977776666")
    async with world.messaging:
        await tell(world, both("wamid.1"), both("wamid.2", phone=new, user_id=Contact("BR.77")))
        await tell(
            world, changed_number("wamid.3", PHONE, wa_id="5521977776666", user_id="BR.77", previous_user_id=USER)
        )

    assert await conversations(world) == [PHONE]


@pytest.mark.parametrize("ids", [{"user_id": "BR.77", "previous_user_id": USER}, {}])
async def test_whoever_had_a_number_before_stays_a_stranger(world: World, ids: dict[str, str]) -> None:
    """A number changes hands: its new owner gets no conversation and no appointment of the former one."""
    former = Contact("+5521977776666")
    async with world.messaging:
        await tell(world, both("wamid.1", "segredo", phone=former, user_id=Contact("BR.5")), both("wamid.2"))
        await book(world, former, "Vera Souza")
        await tell(world, changed_number("wamid.3", PHONE, wa_id="5521977776666", **ids))
        await tell(world, both("wamid.4", phone=former, user_id=Contact("BR.77")))

    assert await conversations(world) == [PHONE, former]
    assert [appointment["patientName"] for appointment in await owned_by(world, former)] == ["Vera Souza"]


@pytest.mark.parametrize(("provider", "more"), [("meta", {"+5521977776666", "BR.77", USER}), ("evolution", set())])
def test_a_notice_is_believed_only_of_a_channel_that_signs(provider: str, more: set[str]) -> None:
    notice = changed_number("A1", PHONE, wa_id="5521977776666", user_id="BR.77", previous_user_id=USER)

    assert Shown.by([Arrival("A1", notice, NOON, provider, "1001")]).addresses == {PHONE, *more}


async def test_a_contact_card_links_nothing(world: World) -> None:
    card = {"contacts": [{"name": "Eu", "phones": [{"wa_id": "5521977776666"}], "origin": "contact_request"}]}
    async with world.messaging:
        await tell(world, text("wamid.1", sender=PHONE, type=MessageType.CONTACTS, details=card))
        await tell(world, text("wamid.2", sender=Contact("+5521977776666")))

    assert await conversations(world) == [PHONE, "+5521977776666"]


async def test_what_one_clinic_knows_of_an_address_another_does_not(world: World) -> None:
    async with world.messaging:
        await tell(world, both("wamid.1"))
        await tell(world, by_id("wamid.2"), clinic_id=SORRISO)

    assert await conversations(world, SORRISO) == [USER]
    assert await conversations(world, BOA_VIDA) == [PHONE]


async def test_a_notice_for_another_clinic_changes_nothing_here(world: World) -> None:
    notice = changed_number("wamid.2", PHONE, wa_id="5521977776666", user_id="BR.77", previous_user_id=USER)
    async with world.messaging:
        await tell(world, both("wamid.1"))
        await tell(world, notice, clinic_id=SORRISO)
        await tell(world, by_id("wamid.3", user_id=Contact("BR.77")))

    assert await conversations(world) == sorted([PHONE, "BR.77"])


async def test_a_process_that_knows_no_link_still_answers_in_the_right_conversation(world: World) -> None:
    """Phones are not looked up at the door: the turn finds the link and moves the message."""
    async with world.messaging:
        await tell(world, by_id("wamid.1"), both("wamid.2"))

    other = world.another()
    async with other.messaging:
        await tell(other, text("wamid.3", "por outro processo", sender=PHONE))

    assert [turn.contact for turn in other.receptionist.turns] == [USER]
    assert await conversations(world) == [USER]


async def test_a_notice_about_somebody_who_never_wrote_opens_no_conversation(world: World) -> None:
    async with world.messaging:
        await tell(world, changed_number("wamid.1", PHONE, wa_id="5521977776666", user_id="BR.77"))

    assert await conversations(world) == []
    assert column(await world.inbox(), "status") == ["done"]


async def test_a_known_patient_costs_a_turn_no_further_commit(world: World) -> None:
    async with world.messaging:
        await tell(world, both("wamid.1"))
        before = await links(world)
        await tell(world, both("wamid.2"))

    assert await links(world) == before
    assert [row["contact"] for row in before] == [PHONE]


async def links(world: World) -> list[Data]:
    found = await world.documents.query(Query(f"gendei_clinics/{BOA_VIDA}/contacts"))
    return [{"version": snapshot.version, **(snapshot.data or {})} for snapshot in found]


async def test_a_webhook_that_shows_two_people_keeps_them_apart(world: World) -> None:
    joao = Contact("+5511999990002")
    async with world.messaging:
        messages = (both("wamid.1"), both("wamid.2", phone=joao, user_id=Contact("BR.2")))
        await world.messaging.inbox.accept("meta", [Received("1001", messages)])
        await world.idle()

    assert await conversations(world) == [PHONE, joao]
    assert len(await world.all(INBOX, "receivedAt")) == 2

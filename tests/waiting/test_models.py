"""A language model puts somebody on the waiting list, and books nothing of it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import MARIA, NOW, FrontDesk
from tests.receptionist.scripted import call, scripted

from gendei.booking.desk import BookingDesk
from gendei.clinic_initiatives import WaitingListPolicy
from gendei.store.sqlite import SqliteDocuments
from gendei.waiting.waiting_list import WaitingList

OFFER = {"entry_id": "0f3c9a0f3c9a", "refill_id": "0f3c9a", "professional_id": "livia", "start": "2026-11-24T14:00"}


@pytest.fixture
async def front_desk() -> AsyncIterator[FrontDesk]:
    documents = await SqliteDocuments.open(":memory:")
    yield FrontDesk(documents, BookingDesk(documents, lambda: NOW))
    await documents.close()


async def test_a_model_adds_to_the_list_and_books_no_offer_that_nobody_tapped(front_desk: FrontDesk) -> None:
    maria, model = scripted(
        front_desk,
        [
            call(1, "transfer_to_sales_closer"),
            call(2, "join_waiting_list", service_id="profilaxia", date="amanhã de tarde", weekdays=["tue"]),
            [assistant_message("Coloquei você na lista e aviso se surgir.")],
            call(3, "transfer_to_payment"),
            call(4, "answer_waiting_offer", **OFFER, accepts=True),
            [assistant_message("Isso só vale com o toque no botão.")],
        ],
    )
    waiting = WaitingList(front_desk.documents, lambda: NOW, front_desk.desk)
    maria.receptionist = replace(maria.receptionist, waiting=waiting)
    maria.clinic = replace(maria.clinic, waiting_list=WaitingListPolicy())

    await maria.say("me coloca na fila da limpeza amanhã à tarde, por favor, e me conta depois")
    outcome = await maria.say("e agora pega para mim aquela vaga que surgiu, vai")

    model.assert_complete()
    [entry] = await waiting.of_contact(maria.clinic, MARIA)
    assert (str(entry.wish.first), entry.wish.weekdays, entry.wish.hours) == ("2026-11-24", (1,), (720, 1080))
    assert [step.reason for step in outcome.steps if step.tool == "answer_waiting_offer"] == ["no_yes"]
    assert await front_desk.desk.appointments_of(maria.clinic, MARIA) == []

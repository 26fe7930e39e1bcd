"""The inbox of a busy clinic: two hundred conversations of every kind, as pictures for people to look at."""

from datetime import datetime, timedelta

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import House
from tests.pages.inbox_people import BIA, MARIAS, choose, field_of, log_of, row_of
from tests.pages.stage import NARROW, WIDE
from tests.pages.test_reading import full

from gendei.clinic import Contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import put
from gendei.messages.keys import ConversationKey

pytestmark = pytest.mark.slow

NAMES = ("Ana Beatriz Souza", "José Pereira", "Rita", "Paulo Henrique Albuquerque de Oliveira Cavalcanti", "Lu")
ASKED = "bom dia, queria saber se tem horário para quinta de manhã"


def conversation(number: int, now: datetime) -> Conversation:
    at, contact = now - timedelta(minutes=7 * number), Contact(f"+55119888{number:05}")
    with_person, waits = number % 6 == 0, number % 18 == 0
    return Conversation(
        BIA.clinic_id,
        contact,
        at,
        at,
        phone=contact,
        user_name=f"{NAMES[number % len(NAMES)]} {number}",
        provider="meta",
        messages=({"role": "user", "content": ASKED, "timestamp": at.isoformat()},),
        last_message_at=at,
        unread=2 * (number % 4 == 0),
        labels=("retorno", "orçamento") if number % 9 == 0 else (),
        is_human_takeover=with_person,
        waiting_for_person=waits,
        taken_over_at=at if with_person else None,
        taken_over_by="Caio" if with_person and not waits else None,
        danger_at=at if number == 30 else None,
        snoozed_until=now - timedelta(hours=2) if number == 40 else None,
        snoozed_by="Caio" if number == 40 else None,
    )


async def busy(house: House) -> None:
    key, now = ConversationKey(BIA.clinic_id, Contact("-")), house.gendei.clock()
    made = [conversation(number, now) for number in range(200)]
    await house.gendei.documents.commit([put(key.of(found.contact).path, CONVERSATION.write(found)) for found in made])


async def fits(page: Page) -> bool:
    fitting: bool = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fitting


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_busy_inbox_sticks_out_nowhere(house: House, size, dark):
    await full(house)
    await busy(house)
    name = f"inbox-busy-{size[0]}-{'dark' if dark else 'light'}"
    page = await house.visit("/inbox", BIA, size=size, dark=dark)
    names = page.get_by_role("navigation", name="Conversas").locator(".i-name")
    await expect(names.first).to_have_text("Ana Beatriz Souza 30")
    await expect(names).to_have_count(201)  # the newest, and one who has waited longer
    await house.shoot(page, f"{name}-list")
    await page.get_by_role("button", name="Marcar várias").click()
    await page.get_by_role("checkbox").nth(2).check()
    await house.shoot(page, f"{name}-several")
    assert await fits(page)
    await page.get_by_role("button", name="Marcar várias").click()
    await row_of(page, "Ana 09:00").click()
    await expect(page.get_by_role("alert").get_by_text("Sinal de perigo")).to_be_visible()
    await log_of(page).get_by_text("Por que respondeu assim").click()
    await house.shoot(page, f"{name}-danger")
    assert await fits(page)
    await choose(page, "Adiar…")
    await expect(page.get_by_role("dialog").get_by_text("A conversa sai da lista")).to_be_visible()
    await house.shoot(page, f"{name}-snooze")
    await page.goto(house.url + MARIAS)
    await field_of(page).press_sequentially("/")
    await expect(page.get_by_role("option")).to_have_count(5)
    await house.shoot(page, f"{name}-slash")
    assert await fits(page)

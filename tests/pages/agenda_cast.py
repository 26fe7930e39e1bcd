"""Who works the agenda in the tests of its page, and what they look at."""

from datetime import date, datetime, timedelta

from playwright.async_api import Locator, Page, expect
from tests.pages.house import BOA_VIDA, NOW, House, heard, staff
from tests.pages.stage import WIDE

from gendei.booking.appointment import Appointment
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic
from gendei.staff.access.users import User
from gendei.staff.actors import RIGHTS, Actor, Role

ANA = staff("Ana")
"""Who sits in front of the browser: a gestora."""
LUCIA = Actor(BOA_VIDA, "lucia@boa-vida.test", "Lúcia", RIGHTS[Role.GESTOR])
"""A colleague, who works somewhere else at the same time."""
MARIA, JOAO = "+5511999990001", "+5511999990002"
TUESDAY = date(2026, 11, 24)
MINUTE = 1.7
"""How high the page draws one, in pixels."""


def at(hour: int, minute: int = 0, day: int = 24) -> datetime:
    """A moment of November at the clinic."""
    return NOW.replace(day=day, hour=hour, minute=minute)


async def booked(
    house: House, start: datetime, name: str = "Maria Silva", *, who: str = "ana", phone: str = MARIA
) -> Appointment:
    """A visit of half an hour, booked by the colleague."""
    booking = BookingRequest("consulta", who, start, name, phone)
    return (await house.gendei.agenda_desk.agenda.book(LUCIA, booking)).appointment


async def all_booked(house: House, actor: Actor = LUCIA) -> list[Appointment]:
    """Everything that was stored for Tuesday."""
    view = await house.gendei.agenda_desk.agenda.view(actor, TUESDAY - timedelta(days=1), 7)
    return [appointment for column in view.columns for day in column.days for appointment in day.appointments]


async def stored(house: House, one: Appointment) -> Appointment:
    return await house.gendei.agenda_desk.agenda.appointment(LUCIA, one.id)


async def audited(house: House, subject: str) -> list[tuple[str, str]]:
    """(name, action) of what was done, the newest first."""
    return [(entry.name, entry.action) for entry in await house.gendei.staff.audit.search(LUCIA, subject=subject)]


async def clinic_of(house: House) -> Clinic:
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    return clinic


async def open_agenda(
    house: House, user: User = ANA, *, view: str = "day", size: tuple[int, int] = WIDE, dark: bool = False
) -> Page:
    """Tuesday's agenda, ready to be worked."""
    page = await house.visit(f"/agenda?day={TUESDAY}&view={view}", user, size=size, dark=dark)
    await expect(page.locator(".a-lane").first).to_be_attached()
    await heard(page)
    return page


def card(page: Page, name: str = "Maria Silva") -> Locator:
    return page.locator(".a-card", has_text=name)


async def choose(page: Page, label: str, option: str) -> None:
    """Choose in a drop-down list."""
    await page.get_by_role("dialog").get_by_label(label, exact=True).click()
    await page.get_by_role("option", name=option).click()


async def drag(page: Page, what: Locator, *, minutes: int, to: Locator | None = None) -> None:
    """Take a card by its upper part and drop it `minutes` later, in the lane `to` where it goes to another one."""
    await what.scroll_into_view_if_needed()
    box = await what.bounding_box()
    lane = await to.bounding_box() if to else box
    assert box is not None
    assert lane is not None
    x, y = box["x"] + 30, box["y"] + 10
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 10, y + 10)
    await page.mouse.move(lane["x"] + 30, y + minutes * MINUTE, steps=4)
    await page.mouse.up()

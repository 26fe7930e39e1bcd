"""A clinic with twelve professionals and full days."""

from dataclasses import replace
from datetime import timedelta

from tests.pages.agenda_cast import at
from tests.pages.house import BOA_VIDA, House

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.desk import StaffAct
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, Contact, Professional, Service, TimeRange

NAMES = {
    "ana": "Dra. Ana Souza",
    "bruno": "Dr. Bruno Carvalho",
    "carla": "Dra. Carla Menezes",
    "danilo": "Dr. Danilo Freitas",
    "elisa": "Dra. Elisa Prado",
    "fabio": "Dr. Fábio Nogueira",
    "gabriela": "Dra. Gabriela Antunes",
    "heitor": "Dr. Heitor Vasconcelos",
    "isadora": "Dra. Isadora Mello",
    "julio": "Dr. Júlio Bittencourt",
    "karina": "Dra. Karina Toledo",
    "leonardo": "Dr. Leonardo Albuquerque",
}
PEOPLE = ("Maria Silva", "João Pereira", "Beatriz Lima", "Carlos Eduardo Dias", "Ana Prado", "Marcos Reis", "Lia Sá")
SHORT = Service("retirada", "Retirada de pontos", 15, price_cents=8000)
DAY = (TimeRange(8 * 60, 12 * 60), TimeRange(13 * 60, 18 * 60))
LUCIA = StaffAct("Lúcia")
GAP = 7
"""Each so manieth place of a day stays free."""


async def twelve(house: House) -> Clinic:
    """Boa Vida with twelve professionals who work each weekday, and a service of 15 minutes."""
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    services = (*clinic.services, SHORT)
    able = tuple(service.id for service in services)
    people = tuple(Professional(key, name, able, dict.fromkeys(range(5), DAY)) for key, name in NAMES.items())
    large = replace(clinic, services=services, professionals=people)
    await house.gendei.directory.import_clinic(large)
    return large


async def fill_day(house: House, clinic: Clinic, day: int = 24) -> list[Appointment]:
    """Everybody's day of November with a gap here and there, in services of every length; each fifth patient has
    confirmed."""
    desk, found, count = house.gendei.desk, list[Appointment](), 0
    for number, professional in enumerate(clinic.professionals):
        for begins, ends in ((8, 12), (13, 18)):
            start = at(begins, day=day)
            while True:
                service = clinic.services[(number + count) % len(clinic.services)]
                end = start + timedelta(minutes=service.duration_minutes)
                if end > at(ends, day=day):
                    break
                count += 1
                if count % GAP:
                    name, contact = PEOPLE[count % len(PEOPLE)], Contact(f"+551199990{1000 + count}")
                    wish = BookingRequest(service.id, professional.id, start, name, channel="staff")
                    found.append(await desk.book(clinic, contact, wish, act=LUCIA))
                start = end
    for appointment in found[::5]:
        await desk.set_status(clinic, appointment.id, AppointmentStatus.CONFIRMED_PRESENCE, LUCIA)
    return found

"""Facts as the patient reads them: money, hours, times, appointments. Every sentence comes from the phrases."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from urllib.parse import quote

from gendei.booking.appointment import Appointment
from gendei.booking.charges import plan_of
from gendei.booking.dates import describe
from gendei.booking.dates.rendering import plain_clock
from gendei.booking.wallclock import showing
from gendei.clinic import DAY_MINUTES, Clinic, Professional, Service, TimeRange, money
from gendei.health_plan import PRIVATE, PlanTerms
from gendei.messages.replies import MAPS
from gendei.messages.turns import DepositDue
from gendei.receptionist.asked_data import question
from gendei.receptionist.offers.deposit_texts import after_cancelling, reserved_text, to_pay
from gendei.receptionist.runtime import Change, Runtime

WEEKDAYS = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
SHORT_WEEKDAYS = ("seg", "ter", "qua", "qui", "sex", "sáb", "dom")
_ARTICLES = {"dra": "a", "doutora": "a", "profa": "a", "sra": "a", "dr": "o", "doutor": "o", "prof": "o", "sr": "o"}
"""By the title that a name begins with."""


def map_address(clinic: Clinic) -> str:
    """Of a map that looks for the clinic by its name and address."""
    return MAPS + quote(f"{clinic.name}, {clinic.address}")


def slot_title(start: datetime) -> str:
    """At most 20 characters, so that it fits a button: "ter 24/11 14h30", and "dom 01/11 1h30 (2ª)" where the clock
    shows that twice."""
    nth = f" ({again}ª)" if (again := showing(start)) else ""
    return f"{SHORT_WEEKDAYS[start.weekday()]} {start:%d/%m} {plain_clock(start.time())}{nth}"


def _range(span: TimeRange) -> str:
    return " às ".join(f"{minutes // 60}h{minutes % 60:02d}".removesuffix("00") for minutes in (span.start, span.end))


def opening_hours(hours: Mapping[int, tuple[TimeRange, ...]]) -> str:
    """One line for each run of weekdays with the same hours: "segunda a sexta: 8h às 12h e 13h às 18h"."""
    lines: list[str] = []
    day = 0
    while day < 7:
        last = day
        while last < 6 and hours.get(last + 1) == hours.get(day):
            last += 1
        if hours.get(day):
            name = (
                WEEKDAYS[day] if last == day else f"{WEEKDAYS[day]} {'a' if last > day + 1 else 'e'} {WEEKDAYS[last]}"
            )
            lines.append(f"{name}: {day_hours(hours[day])}")
        day = last + 1
    return "\n".join(lines)


def price(service: Service, runtime: Runtime) -> str:
    if service.price_cents is None:
        return runtime.say("price_on_request")
    if service.price_cents == 0:
        return runtime.say("price_free")
    text = money(service.price_cents)
    if service.deposit_cents and runtime.vertical.deposit:
        text += " " + runtime.say("price_deposit", deposit=money(service.deposit_cents))
    return text


def professional_name(clinic: Clinic, professional_id: str) -> str:
    professional: Professional | None = clinic.professional(professional_id)
    return professional.name if professional else professional_id


def titled(name: str) -> str:
    """The name with the article of its title: "a Dra. Ana Souza", "Bianca Duarte"."""
    return f"{_article(name)} {name}".strip()


def pronoun(name: str) -> str:
    """ "ela" for "Dra. Ana Souza", "ele" for "Dr. Bruno Lima", "" for a name that does not tell."""
    return {"a": "ela", "o": "ele"}.get(_article(name), "")


def _article(name: str) -> str:
    return _ARTICLES.get(name.split(maxsplit=1)[0].rstrip(".").lower(), "")


def day_hours(ranges: Sequence[TimeRange]) -> str:
    """ "8h às 12h e 13h às 18h"."""
    return " e ".join(_range(span) for span in ranges)


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def and_then(parts: Sequence[str]) -> str:
    """ "9h, 10h e 11h"."""
    return " e ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def lasting(minutes: int) -> str:
    """ "2 horas", "1 dia", "30 minutos"."""
    for unit, name in ((DAY_MINUTES, "dia"), (60, "hora"), (1, "minuto")):
        if minutes >= unit and minutes % unit == 0:
            return f"{minutes // unit} {name}{'s' if minutes > unit else ''}"
    return f"{minutes} minutos"


def on(when: str) -> str:
    """A spoken day with what stands before it in a sentence: "na segunda-feira, 23/11", "no sábado, 28/11"; what begins
    with another word needs nothing."""
    weekday = when.partition(",")[0]
    return f"na {when}" if weekday.endswith("-feira") else f"no {when}" if weekday in WEEKDAYS else when


def named_day(day: date, runtime: Runtime) -> str:
    """A day in the middle of a sentence: "hoje", "amanhã (24/11)", "na quarta (25/11)", "no sábado (28/11)"."""
    ahead = (day - runtime.now.date()).days
    if ahead == 0:
        return "hoje"
    name = WEEKDAYS[day.weekday()]
    near = "amanhã" if ahead == 1 else f"{'no' if name in ('sábado', 'domingo') else 'na'} {name}"
    return f"{near} ({day:%d/%m})"


def slot_line(start: datetime, professional: str) -> str:
    """A slot as text, for a message whose buttons have no room to say with whom."""
    return f"• {slot_title(start)} — {professional}"


def spoken_day(day: date, runtime: Runtime) -> str:
    """A day with its weekday, as every date is echoed to the patient: "amanhã, terça-feira, 24/11"."""
    return describe(day, runtime.now)


def appointment_values(appointment: Appointment, runtime: Runtime) -> dict[str, str]:
    """The placeholders of every phrase about one appointment."""
    start = runtime.clinic.local(appointment.start)
    return {
        "service": appointment.service_name,
        "professional_name": appointment.professional_name,
        "weekday_date": spoken_day(start.date(), runtime),
        "time": plain_clock(start),
        "patient": appointment.patient_name,
    }


def change_text(change: Change, appointment: Appointment, runtime: Runtime, *, goes_on: bool = False) -> str:
    """The one text that may tell a patient that something is booked, moved or cancelled: made of the committed
    appointment and nothing else (promise 5). goes_on: what else is wished follows at once."""
    values = appointment_values(appointment, runtime)
    reserved = change is Change.BOOKED and appointment.awaits_deposit
    phrase = "booking_cancelled_first" if goes_on and change is Change.CANCELLED else change
    lines = [runtime.say("booking_reserved" if reserved else phrase, **values).strip()]
    if money_line := _of_charge(change, appointment, runtime):
        lines.append(money_line)
    if reserved:
        return "\n".join(lines)
    if change is not Change.CANCELLED:
        lines += _before_you_come(appointment, runtime)
    if change is Change.BOOKED and _deposit_of(appointment, runtime):
        lines.append(runtime.say("details_deposit", deposit=money(appointment.deposit_cents)))
    if change is Change.BOOKED:
        lines += question(runtime, appointment)
    return "\n".join(lines)


def _of_charge(change: Change, appointment: Appointment, runtime: Runtime) -> str:
    """What a change means for the deposit, as the charge that was committed with it says; "" for nothing."""
    charge = runtime.charges.get(appointment.charge_id)
    if charge is None or change is Change.PRESENCE:
        return ""
    if change is Change.CANCELLED:
        return after_cancelling(charge, runtime)
    if not appointment.awaits_deposit:
        return ""
    return reserved_text(charge, runtime) if change is Change.BOOKED else to_pay(charge, runtime)


def _deposit_of(appointment: Appointment, runtime: Runtime) -> int:
    """In centavos, where staff send how to pay; 0 where none is announced, or it is asked by a code."""
    return appointment.deposit_cents if runtime.vertical.deposit and not appointment.charge_id else 0


def deposits_due(runtime: Runtime) -> tuple[DepositDue, ...]:
    """What staff are to do about deposits: send how to pay, or look whether one came."""
    return (
        *runtime.says_paid,
        *_announced(runtime),
    )


def _announced(runtime: Runtime) -> tuple[DepositDue, ...]:
    """The deposits that were announced in this turn, and that staff send how to pay."""
    return tuple(
        DepositDue(appointment.id, runtime.say("deposit_told", line=line, deposit=money(appointment.deposit_cents)))
        for change, appointment in runtime.changes
        if change is Change.BOOKED and _deposit_of(appointment, runtime)
        for line in [line_for_staff(appointment, runtime)]
    )


def charges_begun(runtime: Runtime) -> tuple[str, ...]:
    """The ids of the charges that were begun in this turn."""
    return tuple(made.charge_id for change, made in runtime.changes if change is Change.BOOKED and made.charge_id)


def line_for_staff(appointment: Appointment, runtime: Runtime) -> str:
    """The appointment in a line that may be read on another day."""
    values = appointment_values(appointment, runtime)
    day = ", ".join(values["weekday_date"].split(", ")[-2:])
    return runtime.say("appointment_line", **values | {"weekday_date": day})


def _before_you_come(appointment: Appointment, runtime: Runtime) -> list[str]:
    clinic, vertical = runtime.clinic, runtime.vertical
    service = clinic.service(appointment.service_id)
    online, lines = _is_online(service, runtime), where_to_come(appointment.service_id, runtime)
    if vertical.what_to_bring:
        things = ", ".join(vertical.what_to_bring)
        lines.append(runtime.say("details_at_hand" if online else "details_bring", things=things))
    if service is not None and service.preparation:
        lines.append(runtime.say("details_preparation", preparation=service.preparation))
    return [*lines, *plan_lines(appointment, runtime)]


def _is_online(service: Service | None, runtime: Runtime) -> bool:
    return service is not None and service.telemedicine and runtime.vertical.telemedicine


def where_to_come(service_id: str, runtime: Runtime) -> list[str]:
    """Where to come for it, and how long before; or that it is by video."""
    if _is_online(runtime.clinic.service(service_id), runtime):
        return [runtime.say("details_online")]
    address, minutes = runtime.clinic.address, runtime.vertical.arrive_minutes_early
    lines = [runtime.say("details_address", address=address)] if address else []
    return [*lines, runtime.say("details_arrive", minutes=str(minutes))] if minutes else lines


def plan_lines(appointment: Appointment, runtime: Runtime) -> list[str]:
    """By which plan they come, what that costs, and what the plan asks for."""
    plan = plan_of(runtime.clinic, appointment.plan)
    if appointment.plan in {"", PRIVATE}:
        return []
    cents = appointment.price_cents
    costs = runtime.say("plan_covered") if appointment.covered else money(cents) if cents is not None else ""
    lines = [runtime.say("details_plan" if costs else "details_plan_only", plan=appointment.plan, value=costs)]
    terms = plan.terms_for(appointment.service_id, appointment.professional_id) if plan else None
    return lines + plan_notes(terms, runtime)


def plan_notes(terms: PlanTerms | None, runtime: Runtime, *, for_all: bool = False) -> list[str]:
    """What a plan asks for beside money; for_all: whatever this patient told already."""
    if terms is None:
        return []
    notes = [runtime.say("plan_authorization")] if terms.authorization else []
    if terms.card_number:
        told = runtime.state.plan_card is not None and not for_all
        notes.append(runtime.say("plan_card_known" if told else "plan_card_needed"))
    return notes + ([runtime.say("plan_waiting_line", days=str(terms.waiting_days))] if terms.waiting_days else [])


def appointment_line(appointment: Appointment, runtime: Runtime) -> str:
    plan = "" if appointment.plan in {"", PRIVATE} else f", {appointment.plan}"
    waits = runtime.say("line_awaits_deposit") if appointment.awaits_deposit else ""
    return "• " + runtime.say("appointment_line", **appointment_values(appointment, runtime)) + plan + waits

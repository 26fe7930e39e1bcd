"""What a clinic file may say, and probably does not mean: amounts in which centavos were forgotten, or counted twice.
Nothing of it is refused."""

from collections.abc import Iterator
from statistics import median_high, median_low
from typing import Any

from gendei.clinic import money
from gendei.datafile import DataFile, Location
from gendei.errors import ConfigurationError

LITTLE = 10_00
"""Centavos below which hardly anything is sold or asked for as a deposit."""
MUCH = 50_000_00
APART, FEWEST = 50, 2
"""How many times more or less than the clinic's other prices one may be, before it is asked about; and how many others
there must be."""


def likely_slips(file: DataFile) -> Iterator[ConfigurationError]:
    """Of prices and deposits, also those of health plans, that are whole numbers; what is wrong with the others is
    told elsewhere."""
    found = file.data.get("services")
    services = [service for service in found if isinstance(service, dict)] if isinstance(found, list) else []
    prices = {index: price for index, service in enumerate(services) if (price := _cents(service, "price_cents"))}
    for index, service in enumerate(services):
        at, price, deposit = ("services", index), prices.get(index), _cents(service, "deposit_cents")
        others = [other for place, other in prices.items() if place != index]
        low, high = (median_low(others), median_high(others)) if len(others) >= FEWEST else (0, 0)
        if price and price < LITTLE:
            yield file.error((*at, "price_cents"), f"is only {money(price)}.", _instead(price, 100))
        elif price and price * APART <= low:
            yield file.error((*at, "price_cents"), f"is {money(price)}, far less than is usual.", _instead(price, 100))
        elif price and (price >= MUCH or (high and price >= high * APART)):
            yield file.error((*at, "price_cents"), f"is {money(price)}, far more than is usual.", _instead(price, 0.01))
        if deposit and deposit < LITTLE:
            yield file.error((*at, "deposit_cents"), f"is only {money(deposit)}.", _instead(deposit, 100))
    for at_price, cents in _plan_prices(file):
        if cents < LITTLE:
            yield file.error(at_price, f"is only {money(cents)}.", _instead(cents, 100))


def _plan_prices(file: DataFile) -> Iterator[tuple[Location, int]]:
    """Where prices of health plans stand, and what they are."""
    plans = file.data.get("insurance")
    for index, plan in enumerate(plans if isinstance(plans, list) else ()):
        for at, entry in ((("insurance", index), plan), *_of_services(("insurance", index), plan)):
            if isinstance(entry, dict) and (price := _cents(entry, "price_cents")):
                yield (*at, "price_cents"), price


def _of_services(at: Location, plan: object) -> list[tuple[Location, object]]:
    services = plan.get("services") if isinstance(plan, dict) else None
    return [
        ((*at, "services", place), entry) for place, entry in enumerate(services if isinstance(services, list) else ())
    ]


def _cents(service: dict[str, Any], name: str) -> int | None:
    value = service.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _instead(cents: int, times: float) -> str:
    meant = round(cents * times)
    return f"If {money(meant)} is meant, write {meant}."

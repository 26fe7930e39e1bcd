"""A town in which Aurora asks for deposits at a bank's stand-in, with a clock that is put forward."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.journeys import town as towns
from tests.journeys.town import AURORA, NOW, SECRET_KEY, Town, open_town
from tests.payments.paying_clinics import sections

from gendei.clinic_initiatives import WaitingListPolicy
from gendei.clinics.deposits import DepositsSection
from gendei.clock import MovableClock, clock_from
from gendei.documents import Query
from gendei.payments.pix_charge import CHARGE, PixCharge
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.pix_bank import PixBank
from gendei.providers.stand_in.pix_faces import PixApiFace
from gendei.secrets import SecretBox

CENTS = 20000
"""Of a root canal."""


@dataclass
class PayingTown:
    town: Town
    bank: PixBank
    clock: MovableClock

    async def idle(self) -> None:
        """Until the turns, the charges and what follows from both are done."""
        for _ in range(3):
            await self.town.idle()
            await self.town.gendei.payments.work.idle()
        await self.town.idle()

    async def after(self, **time: float) -> None:
        self.clock.move_to(self.clock() + timedelta(**time))
        await self.town.gendei.payments.work.sweep()
        await self.idle()

    async def charges(self) -> list[PixCharge]:
        """Of Aurora, the oldest first."""
        found = await self.town.gendei.documents.query(Query(f"gendei_clinics/{AURORA}/charges"))
        read = [CHARGE.read(each.data, id=each.id, clinic_id=AURORA) for each in found]
        return sorted(read, key=lambda charge: charge.created_at)

    async def charge(self) -> PixCharge:
        return (await self.charges())[-1]


@asynccontextmanager
async def paying_town(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    takes_orders: bool = False,
    waiting_list: WaitingListPolicy | None = None,
    **options: object,
) -> AsyncIterator[PayingTown]:
    """takes_orders: Aurora's number shows payments. options: of open_town, and more of the clinic's `deposits`
    ("rules")."""
    clock = MovableClock(clock_from(NOW))
    bank = PixBank(clock)
    async with serve(PixApiFace(bank).app) as url:
        told = sections(url) | dict(options.pop("rules", {}))  # type: ignore[call-overload]
        aurora, bromelia = towns.clinics()
        rules = DepositsSection.model_validate(told).rules(AURORA, SecretBox(SECRET_KEY))
        [number] = aurora.channels
        shows = replace(number, settings={**number.settings, "order_details": "true" if takes_orders else "false"})
        paying = replace(aurora, deposits=rules, channels=(shows,), waiting_list=waiting_list)
        monkeypatch.setattr(towns, "clinics", lambda: (paying, bromelia))
        async with open_town(folder, clock=clock, **options) as town:
            yield PayingTown(town, bank, clock)

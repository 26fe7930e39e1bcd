"""What the staff of the day do, over the API: take, answer, hand back, put off, close."""

import random
from datetime import timedelta
from typing import Any

from tests.clinic_day.clinic import ClinicOfTheDay
from tests.clinic_day.people import MONDAY
from tests.clinic_day.schedule import Schedule

BEGIN, END = MONDAY + timedelta(days=1, hours=8), MONDAY + timedelta(days=1, hours=18)
OPENINGS = ("Oi, aqui é {name} da recepção", "Olá! {name} falando", "Boa! Aqui quem responde é {name}")
ANSWERS = ("vou ver isso agora", "já estou olhando o seu caso", "pode deixar comigo")
AFTER = ("Qualquer coisa, escreva por aqui.", "Combinado!", "Por nada, um bom dia!", "Fico à disposição.")


class Colleague:
    """Looks at the inbox every few minutes. The same seed does the same."""

    def __init__(self, clinic: ClinicOfTheDay, schedule: Schedule, name: str, seed: int) -> None:
        self._clinic, self._schedule, self.name = clinic, schedule, name
        self._chance = random.Random(f"{name}/{seed}")
        self.did: set[str] = set()

    async def work(self) -> None:
        await self._schedule.until(BEGIN + timedelta(minutes=self._chance.randint(0, 9)))
        while self._schedule.now < END:
            await self._look_around()
            await self._schedule.pause(self._chance.randint(5, 14))

    async def _look_around(self) -> None:
        for row in await self._rows(state="person"):
            if row["takenOverBy"] == self.name:
                await self._go_on(row["contact"])
        waiting = await self._rows(state="waiting")
        for row in waiting[: self._chance.randint(1, 2)]:
            await self._take(row["contact"], in_danger=row["dangerSince"] is not None)

    async def _rows(self, **asked: str) -> list[dict[str, Any]]:
        found = await self._api("GET", "/conversations", params=asked | {"limit": 50})
        rows: list[dict[str, Any]] = found["items"]
        return rows

    async def _take(self, contact: str, *, in_danger: bool) -> None:
        """Some take a conversation over first and write later; who is in danger is written to at once."""
        if not in_danger and self._chance.random() < 0.3:
            await self._do("take over", "POST", f"/conversations/{contact}/take-over", json={})
            return
        text = "Você já ligou para o SAMU, no 192? Estamos aqui." if in_danger else self._chance.choice(ANSWERS)
        await self._answer(contact, f"{self._chance.choice(OPENINGS).format(name=self.name)}: {text}")

    async def _go_on(self, contact: str) -> None:
        """Answer who wrote last; be done with who was answered."""
        last = await self._last(contact)
        if last["who"] != "person":
            await self._answer(contact, f"{self._chance.choice(AFTER)} ({self.name}, {self._clinic.now:%Hh%M})")
        elif self._schedule.now >= END - timedelta(minutes=20):
            await self._do("hand back", "POST", f"/conversations/{contact}/hand-back", json={"toDo": "Ver amanhã cedo"})
        else:
            await self._be_done(contact)

    async def _be_done(self, contact: str) -> None:
        match self._chance.choice(("wait", "hand back", "owe", "put off", "close")):
            case "hand back":
                await self._do("hand back", "POST", f"/conversations/{contact}/hand-back", json={})
            case "owe":
                owed = {"note": "A equipe retorna amanhã.", "toDo": "Ligar para o paciente"}
                await self._do("hand back", "POST", f"/conversations/{contact}/hand-back", json=owed)
            case "put off":
                until = (self._schedule.now + timedelta(minutes=40)).isoformat()
                await self._do("put off", "POST", f"/conversations/{contact}/snooze", json={"until": until})
            case "close":
                await self._do("close", "POST", "/conversations/close", json={"contacts": [contact]})

    async def _last(self, contact: str) -> dict[str, Any]:
        """What a patient, the bot or a person wrote last."""
        page = await self._api("GET", f"/conversations/{contact}/messages", params={"limit": 20})
        said: list[dict[str, Any]] = [item for item in page["items"] if item["kind"] == "message"]
        return max(said, key=lambda item: item["at"])

    async def _answer(self, contact: str, text: str) -> None:
        self.did.add("answer")
        await self._clinic.reply(self.name, contact, text)

    async def _do(self, what: str, method: str, path: str, **given: Any) -> None:
        self.did.add(what)
        await self._api(method, path, **given)
        await self._clinic.settle()

    async def _api(self, method: str, path: str, **given: Any) -> Any:
        return await self._clinic.api(self._clinic.staff[self.name], method, path, **given)

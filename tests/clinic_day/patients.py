"""What the patients of the day do."""

import random
from collections.abc import Sequence

from tests.clinic_day.clinic import ClinicOfTheDay
from tests.clinic_day.people import Part, Person
from tests.clinic_day.schedule import Schedule
from tests.clinic_day.transcript import By
from tests.voice.studio import ogg, tone

from gendei.evaluation.patients import Say, ScriptedPatient
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.phone import SharedFile

PATIENCE = 30
"""How often a patient who waits for a person looks at the phone, with LOOKS minutes between."""
LOOKS = 4
THANKS = ("Obrigada pela atenção", "Tá bom, obrigado", "Certo, agradeço")


class Patient:
    """Plays one person's parts. The same seed says the same."""

    def __init__(self, clinic: ClinicOfTheDay, schedule: Schedule, person: Person, seed: int) -> None:
        self._clinic, self._schedule, self._person = clinic, schedule, person
        self._chance = random.Random(f"{person.name}/{seed}")
        self._seed = seed
        self._shown: Sequence[Sent] = ()

    async def play(self) -> None:
        for part in self._person.parts:
            if part.begins:
                await self._schedule.until(part.begins)
            else:
                await self._think()
            await self._play(part)
            if part.thanks:
                await self._thank()

    async def _play(self, part: Part) -> None:
        if part.task:
            await self._errand(part)
        if part.sends:
            self._shown = await self._clinic.send_file(self._person, _FILES[part.sends](), part.caption)
        if part.taps:
            sent = self._clinic.graph.sent_to(self._clinic.phone(self._person))[-1]
            [index] = [place for place, (_, title) in enumerate(sent.options) if title.startswith(part.taps)]
            self._shown = await self._clinic.tap(self._person, sent, index)
        for number, text in enumerate(part.says):
            if number:
                await self._think()
            self._shown = await self._clinic.write(self._person, [text])

    async def _errand(self, part: Part) -> None:
        patient = ScriptedPatient(self._person.case(part), self._clinic.clinic, self._seed)
        move = await patient.begin()
        while move is not None:
            if isinstance(move, Say):
                new = await self._clinic.write(self._person, move.messages)
            else:
                new = await self._clinic.tap(self._person, move.sent, move.index)
            self._shown = new
            await self._think()
            move = await patient.reply(new)

    async def _thank(self) -> None:
        """Wait until a person has written, and thank; who waits for too long asks again, once."""
        contact, asked = self._clinic.phone(self._person), len(self._clinic.day.lines)
        for look in range(PATIENCE):
            await self._schedule.pause(LOOKS)
            since = self._clinic.day.lines[asked:]
            if any(line.contact == contact and line.by is By.PERSON for line in since):
                await self._clinic.write(self._person, [self._chance.choice(THANKS)])
                return
            if look == PATIENCE // 2:
                await self._clinic.write(self._person, ["alguém pode me responder?"])

    async def _think(self) -> None:
        await self._schedule.pause(self._chance.randint(1, 3))


_FILES = {
    "voice": lambda: SharedFile(ogg(tone(2)), "audio/ogg; codecs=opus"),
    "picture": lambda: SharedFile(b"\xff\xd8\xff\xe0" + bytes(range(256)), "image/jpeg"),
    "document": lambda: SharedFile(b"%PDF-1.7\n1 0 obj\n", "application/pdf", "guia.pdf"),
}

"""A patient's phone: what is typed and tapped goes in as signed webhooks, what it shows came over the Graph API."""

from dataclasses import dataclass

from tests.journeys.town import AURORA, Town

from gendei.clinic import ClinicId
from gendei.providers.stand_in.graph import Sent


@dataclass(frozen=True)
class Phone:
    """`number`: "+55...", or a user id ("BR.1349") of somebody who shows no phone."""

    town: Town
    number: str
    name: str
    clinic_id: ClinicId = AURORA

    @property
    def messages(self) -> list[Sent]:
        """What arrived, oldest first."""
        return self.town.sent_to(self.number)

    @property
    def last(self) -> Sent:
        return self.messages[-1]

    @property
    def options(self) -> list[str]:
        """The titles that can be tapped below the last message."""
        return [title for _, title in self.last.options]

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]

    async def write(self, text: str, *, message_id: str | None = None) -> int:
        """Send a text and wait for nothing; the HTTP status."""
        maker = self.town.maker(self.clinic_id)
        return await self.town.post(maker.text(self.number, text, name=self.name, message_id=message_id))

    async def say(self, text: str) -> str:
        """Send a text; the last message there is once everything was answered."""
        assert await self.write(text) == 200
        await self.town.idle()
        return self.last.text

    async def press(self, option_id: str, title: str = "Opção") -> int:
        """Tap an option by its id, shown or not, and wait for nothing."""
        kind = "button_reply" if len(title) <= 20 else "list_reply"
        tapped = self.town.maker(self.clinic_id).tap(self.number, option_id, title, kind, name=self.name)
        return await self.town.post(tapped)

    async def forge(self, option_id: str) -> str:
        """Tap an option that may never have been shown; the last message after it."""
        assert await self.press(option_id) == 200
        await self.town.idle()
        return self.last.text

    async def tap(self, title: str) -> str:
        """Tap what the last message shows under `title`, or under a title that begins so."""
        option_id, shown = next(option for option in self.last.options if option[1].startswith(title))
        assert await self.press(option_id, shown) == 200
        await self.town.idle()
        return self.last.text

"""The clinic's own web site as a channel. There is nobody to post to: the page reads the history (see
gendei.conversation.site.web_channel), which shows a message once the outbox has let it go."""

from gendei.clinic import Channel
from gendei.messages.channels import Accepted, Outcome
from gendei.messages.message import IncomingMessage, OutgoingMessage


class WebProvider:
    """Implements `messages.channels.Provider`."""

    async def send(self, _channel: Channel, message: OutgoingMessage) -> Outcome:
        """Taken at once: from here on whoever reads the history sees it. A spoken answer is read; a file comes from the
        media store when it is asked for."""
        return Accepted(message.reference)

    async def mark_read(self, _channel: Channel, _message: IncomingMessage, *, typing: bool) -> None:
        """The page that posted a message knows that it arrived, and shows by itself that an answer is coming."""

    async def close(self) -> None:
        return

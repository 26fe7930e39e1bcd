"""The provider's office for templates: what a clinic's templates are made and looked up with."""

from typing import Protocol

from gendei.clinic import Channel
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.errors import GendeiError
from gendei.staff.templates.wording import Draft


class OfficeUnavailable(GendeiError):
    """The provider told nothing of its templates. The reason stands before; try again, or renew the access token."""


class NoAccount(OfficeUnavailable):
    """The number's account is not known, and templates are an account's."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(
            f"the number {channel.external_id} has no waba_id in its clinic file. "
            "Add the WhatsApp Business account's id to the channel, and import the file."
        )


class CreationRefused(GendeiError):
    """The provider did not take the template. Change its text or name as the reason says."""


class NameTaken(GendeiError):
    """The account has a template of this name and language, or had one that was deleted within 30 days."""


class TooManyCreations(GendeiError):
    """The provider takes no more templates now. Try again in an hour."""


class TemplateOffice(Protocol):
    """Both raise OfficeUnavailable, and SecretUnreadable."""

    async def of(self, channel: Channel) -> list[ApprovedTemplate]:
        """Every template of the channel's account, whatever its status."""
        ...

    async def create(self, channel: Channel, draft: Draft) -> ApprovedTemplate:
        """Ask for a new one. Raises CreationRefused, NameTaken and TooManyCreations."""
        ...

"""What patients and staff read of campaigns, and the words by which patients take or refuse marketing."""

from datetime import datetime
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from gendei.campaigns.campaign import Campaign, Halt
from gendei.conversation.stored.follow_ups import StoredTask
from gendei.datafile import Text
from gendei.messages.replies import Option
from gendei.receptionist.offers.choices import Action, Kind, choice
from gendei.texts import Catalogue, Each, Holds, fill, read_texts

BY = "Campanhas"
"""Who begins these tasks."""
STOP = "marketing|stop"
"""What the second button carries."""


class CampaignFault(StrEnum):
    """Why a campaign was not begun, or not changed."""

    NO_NUMBER = "no_number"
    NO_TEMPLATE = "no_template"
    TEMPLATE_UNFIT = "template_unfit"
    NO_MARKETING_TEMPLATE = "no_marketing_template"
    NO_WAY_OUT = "no_way_out"
    NOBODY = "nobody"
    MORE_THAN_SEEN = "more_than_seen"
    NAME_TAKEN = "name_taken"
    UNKNOWN_SERVICE = "unknown_service"
    OVER = "over"
    NO_SUCH_PATIENT = "no_such_patient"


class CampaignTexts(Catalogue):
    """`button_book`, `button_stop`: the titles of the template's two buttons. `says_no`, `says_yes`: expressions, as
    those of intents."""

    file_name = "campaigns.yaml"
    button_book: Text
    button_stop: Text
    stopped: Annotated[Text, Holds(("clinic_name",))]
    agreed: Annotated[Text, Holds(("clinic_name",))]
    says_no: list[Text]
    says_yes: list[Text]
    refusals: Annotated[dict[str, Text], Each(CampaignFault), Holds(("template", "count"))]
    halt_title: Annotated[Text, Holds(("name",))]
    halts: Annotated[dict[str, Text], Each(Halt), Holds(("template",))]

    @property
    def options(self) -> tuple[Option, Option]:
        """What the buttons carry: the first begins a booking, as everywhere; the second ends marketing."""
        book = Option(choice(Kind.ACTION, Action.BOOK), self.button_book)
        return book, Option(STOP, self.button_stop)

    def halted(self, campaign: Campaign, halt: Halt) -> str:
        """Why it was halted, and what to do."""
        return fill(self.halts[halt], {"template": campaign.template[0]})

    def task(self, campaign: Campaign, halt: Halt, now: datetime) -> StoredTask:
        title = fill(self.halt_title, {"name": campaign.name})
        return StoredTask(now, now, title, self.halted(campaign, halt), created_by=BY)

    def refusal(self, fault: CampaignFault, **values: str) -> str:
        return fill(self.refusals[fault], {"template": "", "count": "", **values})


@cache
def campaign_texts() -> CampaignTexts:
    """Those that come with the product."""
    return read_texts(Path(__file__).with_name(CampaignTexts.file_name), CampaignTexts)

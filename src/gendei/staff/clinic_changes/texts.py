"""The sentences that staff read of changes of their clinic's data, from `prompts/clinic_changes.yaml`."""

from enum import StrEnum
from typing import Annotated

from gendei.datafile import StrictModel, Text
from gendei.texts import Catalogue, Each, Holds


class ChangeFault(StrEnum):
    """Why nothing was changed."""

    INVALID = "invalid_clinic"
    EDITED = "edited_meanwhile"
    UNKNOWN_SINCE = "unknown_since"
    KEPT_IN_FILE = "kept_in_file"
    CHANGED_SINCE = "changed_since"
    NOT_KEPT = "not_kept_in_history"
    FIRST = "first_version"
    FACTOR_MISSING = "second_factor_missing"
    FACTOR_NEEDED = "second_factor_needed"


class EffectKind(StrEnum):
    """What a change means for what stands; nothing of it is changed."""

    OUTSIDE_HOURS = "outside_hours"
    PROFESSIONAL_GONE = "professional_gone"
    SERVICE_GONE = "service_gone"
    NOT_PERFORMED = "not_performed"
    PRICE_KEPT = "price_kept"
    DURATION_KEPT = "duration_kept"
    PLAN_GONE = "plan_gone"
    NUMBER_GONE = "number_gone"
    TEMPLATE_GONE = "template_gone"


class EffectText(StrictModel):
    """Of one such thing, and of several."""

    one: Text
    several: Annotated[Text, Holds(("count",), needs=("count",))]


class ChangeTexts(Catalogue):
    """Sentences by ChangeFault and EffectKind. `appointment`: an example of what an effect is about."""

    file_name = "clinic_changes.yaml"
    refusals: Annotated[dict[str, Text], Each(ChangeFault)]
    effects: Annotated[dict[str, EffectText], Each(EffectKind)]
    appointment: Annotated[Text, Holds(("day", "time", "patient", "service", "professional"))]

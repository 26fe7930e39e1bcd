"""The clinic file's `language_model`, and what of it stands in the store: an API of the clinic's own, its key
sealed."""

from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from gendei.clinic import ClinicId
from gendei.clinic_services import LanguageModel
from gendei.clinics.voice import ServiceAddress
from gendei.datafile import StrictModel, refusal
from gendei.secrets import SecretBox, channel_purpose


class LanguageModelSection(StrictModel):
    """As it is written in the file."""

    api_key: SecretStr | None = None
    base_url: ServiceAddress = ""
    model: str = ""
    daily_budget_usd: Annotated[float | None, Field(ge=0, allow_inf_nan=False)] = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.api_key is None and (self.base_url or self.model):
            raise refusal("has no api_key.", "Write api_key too: the deployment's goes to no other address or model.")
        if self.base_url and not self.model:
            raise refusal("has a base_url and no model.", "Write the name that this API has for its model.")
        return self

    def sealed(self, clinic_id: ClinicId, box: SecretBox) -> LanguageModel | None:
        """With the key sealed by `box`, for this clinic and this address; None where nothing is written."""
        if self == LanguageModelSection():
            return None
        key = self.api_key.get_secret_value() if self.api_key else ""
        sealed = box.seal(key, model_purpose(clinic_id, self.base_url)) if key else ""
        return LanguageModel(self.base_url, self.model, sealed, self.daily_budget_usd)


def model_purpose(clinic_id: ClinicId, base_url: str) -> str:
    """What a language model's key is sealed for: one clinic, at one address."""
    return channel_purpose(clinic_id, "language_model", base_url, "api_key")

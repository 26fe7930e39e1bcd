"""Whose API answers a clinic: its own, where it has a key of its own, else the deployment's."""

import logging
from dataclasses import dataclass, field, replace

from gendei.clinic import Clinic, ClinicId
from gendei.clinic_services import LanguageModel
from gendei.clinics.language_model import model_purpose
from gendei.errors import SecretUnreadable
from gendei.receptionist.llm.known_models import KnownWays
from gendei.receptionist.llm.models import ApiModels, ModelLimits, api_models
from gendei.secrets import SecretBox

_log = logging.getLogger(__name__)


@dataclass
class ClinicModels:
    """`deployment`: None where guided answers every clinic without a key. limits: of every API, but for the budget.
    Each clinic's API has a breaker of its own."""

    deployment: ApiModels | None
    secrets: SecretBox
    limits: ModelLimits = field(default_factory=ModelLimits)
    ways: KnownWays | None = None
    _made: dict[ClinicId, tuple[LanguageModel, ApiModels | None]] = field(default_factory=dict)
    _own: list[ApiModels] = field(default_factory=list)

    def of(self, clinic: Clinic) -> ApiModels | None:
        """None where guided answers: there is no API, or the clinic's key cannot be opened. The deployment's key pays
        for no clinic that has one of its own."""
        wanted = clinic.language_model
        if wanted is None:
            return self.deployment
        made = self._made.get(clinic.id)
        if made is None or made[0] != wanted:
            made = self._made[clinic.id] = wanted, self._make(clinic.id, wanted)
        return made[1]

    async def close(self) -> None:
        """Close the connections of the clinics' own APIs."""
        for models in self._own:
            await models.close()

    def _make(self, clinic_id: ClinicId, wanted: LanguageModel) -> ApiModels | None:
        limits = replace(self.limits, daily_budget_usd=wanted.daily_budget_usd)
        if not wanted.sealed_key:
            return replace(self.deployment, limits=limits) if self.deployment else None
        try:
            key = self.secrets.unseal(wanted.sealed_key, model_purpose(clinic_id, wanted.base_url))
        except SecretUnreadable:
            _log.error("the language model's key of clinic %s cannot be opened, guided answers", clinic_id)
            return None
        own = api_models(key, wanted.base_url or None, wanted.model or None, limits=limits, ways=self.ways)
        self._own.append(own)
        return replace(own, figures=self.deployment.figures, calls=self.deployment.calls) if self.deployment else own

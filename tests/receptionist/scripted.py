"""The team on a scripted model: what a test lets the model answer, call by call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents import Model, ModelProvider
from agents.testing import ScriptedModel, assistant_message, function_call
from tests.receptionist.front_desk import FrontDesk, Visitor

from gendei.messages.turns import TurnOutcome
from gendei.receptionist.llm.models import ApiModels

UNDERSTOOD = "Entendi."
"""What the model says after a tool that was refused."""

MAP = "https://maps.example.com/?q=sorriso"
"""The one address that the clinic's own data name."""


class OneModel(ModelProvider):
    """Gives the same model under every name."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def get_model(self, model_name: str | None) -> Model:
        return self.model


def call(number: int, name: str, **arguments: Any) -> list[Any]:
    return [function_call(name, arguments, call_id=f"call-{number}")]


def scripted(front_desk: FrontDesk, steps: Sequence[Any], **who: Any) -> tuple[Visitor, ScriptedModel]:
    model = ScriptedModel(steps)
    front_desk.models = ApiModels(OneModel(model))
    visitor = front_desk.visitor("sorriso", **who)
    visitor.clinic = replace(visitor.clinic, notes=f"{visitor.clinic.notes} Mapa: {MAP}")
    return visitor, model


async def outcome_of(front_desk: FrontDesk, tool: str, *, refused: bool = False, **arguments: Any) -> TurnOutcome:
    """What comes of one tool call of a model that has the booking agent's tools."""
    after = [[assistant_message(UNDERSTOOD)]] if refused else []
    steps = [call(1, "transfer_to_sales_closer"), call(2, tool, **arguments), *after]
    visitor, model = scripted(front_desk, steps)
    outcome = await visitor.say("oi")
    model.assert_complete()
    return outcome

"""What one turn on an API leaves beside its answer: what it cost, what the tools said, and the booking draft."""

from agents import Agent, ModelResponse, RunContextWrapper, RunHooks, Tool
from agents.tool_context import ToolContext

from gendei.model_data import Prices
from gendei.receptionist.drafting import note
from gendei.receptionist.models import ApiModels
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.usage import Spent, spent_by


class TurnHooks(RunHooks[Runtime]):
    """Follows the runs of one turn. `spent`: what their answered calls cost, also where the run failed in the end.
    `outputs`: what our own tools returned, as JSON text, in order."""

    def __init__(self, models: ApiModels, prices: Prices) -> None:
        self._models = models
        self._prices = prices
        self.spent = Spent()
        self.outputs: list[str] = []

    async def on_llm_end(
        self, context: RunContextWrapper[Runtime], agent: Agent[Runtime], response: ModelResponse
    ) -> None:
        name = self._models.name_of(agent.model if isinstance(agent.model, str) else "")
        self.spent += spent_by(response.usage, self._prices.of(name))

    async def on_tool_end(
        self, context: RunContextWrapper[Runtime], agent: Agent[Runtime], tool: Tool, result: object
    ) -> None:
        if tool.name in context.context.attached_names:
            return
        self.outputs.append(str(result))
        if isinstance(context, ToolContext):
            note(context.context, agent.name, tool.name, context.tool_arguments, str(result))

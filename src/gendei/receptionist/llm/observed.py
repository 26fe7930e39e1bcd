"""What one turn on an API leaves beside its answer: what it cost, what the tools said, and the booking draft."""

from agents import Agent, RunContextWrapper, Tool
from agents.tool_context import ToolContext

from gendei.model_data import Prices
from gendei.receptionist.llm.cost_hooks import CostHooks
from gendei.receptionist.llm.drafting import note
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.runtime import Runtime


class TurnHooks(CostHooks[Runtime]):
    """Follows the runs of a patient's turn. `outputs`: what our own tools returned, as JSON text, in order."""

    def __init__(self, models: ApiModels, prices: Prices) -> None:
        super().__init__(models, prices)
        self.outputs: list[str] = []

    async def on_tool_end(
        self, context: RunContextWrapper[Runtime], agent: Agent[Runtime], tool: Tool, result: object
    ) -> None:
        if tool.name in context.context.attached_names:
            return
        self.outputs.append(str(result))
        if isinstance(context, ToolContext):
            note(context.context, agent.name, tool.name, context.tool_arguments, str(result))

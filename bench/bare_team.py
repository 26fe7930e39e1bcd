"""The yardstick of a turn: the SDK alone, with agents and tools of the same names, numbers and texts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents import Agent, FunctionTool, RunConfig, Runner, Tool, function_tool, handoff
from agents.testing import ModelCall, ScriptedModel

from gendei.receptionist.answering import TeamReceptionist

BareTeam = Mapping[str, Agent[Any]]


def bare_team(ours: TeamReceptionist, seen: tuple[ModelCall, ...]) -> BareTeam:
    """The agents of `ours` without anything of ours. `seen` is what the model was given in one turn (triage, then
    sales_closer, then the same with the tool's answer): its instructions and that answer become fixed texts here.

    Names, descriptions, schemas and hand-offs are those of ours; nothing is rendered, checked, recorded or limited.
    """
    triage, specialist, last = seen
    instructions = {"triage": triage.system_instructions, "sales_closer": specialist.system_instructions}
    services = str(last.input[-1]["output"])

    @function_tool
    async def answer() -> str:
        """Answer with what is known."""
        return services

    team: dict[str, Agent[Any]] = {
        prompt.name: Agent(
            name=prompt.name,
            handoff_description=prompt.description,
            instructions=instructions.get(prompt.name),
            tools=[_bare(answer, tool) for tool in ours.team[prompt.name].tools],
        )
        for prompt in ours.prompts
    }
    for prompt in ours.prompts:
        team[prompt.name].handoffs.extend(
            handoff(team[name], tool_name_override=f"transfer_to_{name}") for name in prompt.handoffs
        )
    return team


def smallest_team(team: BareTeam) -> BareTeam:
    """Of a bare team only what the script needs: two agents, one hand-off and one tool."""
    [services] = [tool for tool in team["sales_closer"].tools if tool.name == "get_services"]
    closer = replace(team["sales_closer"], tools=[services], handoffs=[])
    return {"triage": replace(team["triage"], handoffs=[handoff(closer)]), "sales_closer": closer}


def _bare(answer: FunctionTool, tool: Tool) -> FunctionTool:
    """`answer` under the name and with the schema of a tool of ours."""
    if not isinstance(tool, FunctionTool):
        raise TypeError(f"{tool.name} is no function tool")
    return replace(answer, name=tool.name, description=tool.description, params_json_schema=tool.params_json_schema)


async def bare_turn(team: BareTeam, model: ScriptedModel, text: str) -> str:
    """One run, as short as the SDK allows; what the agents said."""
    config = RunConfig(model=model, tracing_disabled=True)
    result = await Runner.run(team["triage"], [{"role": "user", "content": text}], run_config=config)
    return str(result.final_output)

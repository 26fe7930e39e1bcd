"""The six agents as SDK agents with real hand-offs, built once from the prompts, and the facts that fill these."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from agents import (
    Agent,
    FunctionTool,
    FunctionToolResult,
    Handoff,
    ModelSettings,
    RunContextWrapper,
    Tool,
    ToolsToFinalOutputResult,
    handoff,
)

from gendei.booking.appointment import Appointment
from gendei.prompts import AgentPrompt, PromptSet
from gendei.receptionist.llm.keyed_model import AGENT
from gendei.receptionist.offers.costs import list_price, plan_facts
from gendei.receptionist.offers.rendering import WEEKDAYS, appointment_line, opening_hours
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.staff_answers import thread
from gendei.receptionist.tools.messaging import TERMINAL
from gendei.receptionist.tools.registry import TOOL_SECONDS
from gendei.receptionist.tools.repeats import handed_off

Team = Mapping[str, Agent[Runtime]]
HANDOFF = "transfer_to_"
"""Before the agent's name, in the tools that hand off."""


def build_team(prompts: PromptSet, tools: Mapping[str, FunctionTool], tool_seconds: float = TOOL_SECONDS) -> Team:
    """Every agent with its tools, each of which has `tool_seconds` for a call, and with the hand-offs that its prompt
    names."""
    tools = {name: replace(tool, timeout_seconds=tool_seconds) for name, tool in tools.items()}
    team = {prompt.name: _agent(prompt, tools) for prompt in prompts}
    for prompt in prompts:
        team[prompt.name].handoffs.extend(_handoff(team[name]) for name in prompt.handoffs)
    return team


class _TeamAgent(Agent[Runtime]):
    """An agent that also has what the turn brings: the tools of the clinic's own servers."""

    async def get_all_tools(self, run_context: RunContextWrapper[Runtime]) -> list[Tool]:
        """Without the SDK's question to each tool whether it is enabled, a task each: ours always are."""
        return [*self.tools, *run_context.context.attached.get(self.name, ())]

    async def get_system_prompt(self, run_context: RunContextWrapper[Runtime]) -> str | None:
        """Without the SDK's look at the signature of `instructions`, which is _agent's."""
        instructions = cast("Callable[[RunContextWrapper[Runtime], Agent[Runtime]], str]", self.instructions)
        return instructions(run_context, self)


def _agent(prompt: AgentPrompt, tools: Mapping[str, FunctionTool]) -> Agent[Runtime]:
    def instructions(context: RunContextWrapper[Runtime], _: Agent[Runtime]) -> str:
        runtime = context.context
        if runtime.appointments is None:
            return ""
        if not runtime.known:  # once a turn: what comes after it stays behind the same beginning
            runtime.known = facts(runtime, runtime.appointments)
        told = f"{prompt.render(runtime.known)}{_own_words(runtime)}"
        return f"{runtime.say('strict_rules')}\n{told}" if runtime.strict is not None and prompt.tools else told

    return _TeamAgent(
        name=prompt.name,
        handoff_description=prompt.description,
        instructions=instructions,
        tools=[tools[name] for name in prompt.tools],
        model=prompt.model,
        model_settings=ModelSettings(
            temperature=prompt.temperature,
            tool_choice=None if prompt.tools else "required",  # it only passes on, and so has to
            parallel_tool_calls=False,
            extra_args={AGENT: prompt.name},
        ),
        tool_use_behavior=_stop_when_all_is_said,
    )


def _own_words(runtime: Runtime) -> str:
    """How the clinic wants its assistant to speak; "" where it says nothing of it."""
    said = runtime.clinic.words
    if said is None:
        return ""
    lines = [
        runtime.say("own_assistant", assistant=said.assistant) if said.assistant else "",
        runtime.say(f"own_tone_{said.tone}") if said.tone else "",
        runtime.say("own_greeting", value=runtime.say("greeting")) if said.greeting else "",
        runtime.say("own_sign_off", value=runtime.say("goodbye")) if said.sign_off else "",
    ]
    told = "\n".join(filter(None, lines))
    return f"\n\n{runtime.say('own_words', lines=told)}" if told else ""


def _handoff(agent: Agent[Runtime]) -> Handoff[Runtime, Agent[Runtime]]:
    """A copy, which lacks the SDK's own reference to the agent: along those references every run would compare all
    agents of the team, to tell namesakes apart, and that takes a third of a turn. Ours have a name each."""
    tool = f"{HANDOFF}{agent.name}"

    def count(context: RunContextWrapper[Runtime]) -> None:
        handed_off(context.context, tool)

    told = agent.handoff_description
    return replace(handoff(agent, tool_name_override=tool, tool_description_override=told, on_handoff=count))


def _stop_when_all_is_said(
    context: RunContextWrapper[Runtime], results: list[FunctionToolResult]
) -> ToolsToFinalOutputResult:
    """A message with options, what the system says itself, or a hand-over by whatever tool, ends the run; one that was
    refused goes back to the model."""
    steps = context.context.steps
    said = any(result.tool.name in TERMINAL for result in results) and bool(steps) and steps[-1].error is None
    said = said or context.context.all_said or context.context.takeover_reason is not None
    return ToolsToFinalOutputResult(is_final_output=said, final_output="")


def facts(runtime: Runtime, appointments: list[Appointment]) -> dict[str, str]:
    """A value for every placeholder that prompts.FACTS names, and the vertical's words below them."""
    clinic, vertical, now = runtime.clinic, runtime.vertical, runtime.now
    unknown = runtime.say("fact_unknown")
    services = [
        f"- {service.name} (service_id {service.id}): {service.duration_minutes} min, {list_price(service, runtime)}"
        for service in clinic.services
    ]
    professionals = [
        f"- {professional.name} (professional_id {professional.id})"
        + (f", {professional.specialty}" if professional.specialty else "")
        for professional in clinic.professionals
    ]
    return {
        **vertical.words(),
        "vertical_name": vertical.name,
        "clinic_name": clinic.name,
        "clinic_address": clinic.address or unknown,
        "services": "\n".join(services),
        "professionals": "\n".join(professionals),
        "operating_hours": opening_hours(clinic.hours),
        "insurance": "\n".join([", ".join(clinic.insurance), *(f"- {told}" for told in plan_facts(runtime))])
        if vertical.convenio and clinic.insurance
        else runtime.say("info_private_only"),
        "payment_methods": ", ".join(clinic.payment_methods) or unknown,
        "cancellation_policy": clinic.cancellation_policy or unknown,
        "notes": clinic.notes or unknown,
        "now": f"{WEEKDAYS[now.weekday()]}, {now:%Y-%m-%d %H:%M} ({clinic.timezone.key})",
        "patient_name": runtime.user_name or unknown,
        "appointment_count": str(len(appointments)),
        "patient_appointments": "\n".join(
            f"{appointment_line(appointment, runtime)} [{appointment.id}]" for appointment in appointments
        )
        or runtime.say("fact_none"),
        "booking_draft": _draft(runtime) or runtime.say("fact_none"),
        "left_open": runtime.state.recap or runtime.say("fact_none"),
        "thread": thread(runtime) or runtime.say("fact_none"),
        "arrive_early": runtime.say("details_arrive", minutes=str(vertical.arrive_minutes_early))
        if vertical.arrive_minutes_early
        else unknown,
        "what_to_bring": ", ".join(vertical.what_to_bring) or unknown,
    }


def _draft(runtime: Runtime) -> str:
    """What is chosen so far, as "field: value", for the model."""
    state = runtime.state
    if not state.in_progress:
        return ""
    fields = {
        "goal": str(state.goal),
        "state": str(state.state),
        "appointment_id": state.appointment_id,
        "service_id": state.selected_service_id,
        "professional_id": state.selected_professional_id,
        "date": state.selected_date,
        "time": state.selected_time,
        "patient_name": state.patient_name,
        "plan": state.plan,
    }
    return "; ".join(f"{name}: {value}" for name, value in fields.items() if value)

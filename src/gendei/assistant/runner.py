"""One message answered: by a language model where there is one, else, and when it fails, by guided."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents import Agent, ModelSettings, RunContextWrapper, Runner, RunResult
from agents.items import TResponseInputItem

from gendei.assistant.guided.dialogue import SUBJECT, converse
from gendei.assistant.guided.guide import Guide, Order
from gendei.assistant.phrases import Phrase
from gendei.assistant.requests import Said
from gendei.assistant.texts import AssistantTexts
from gendei.assistant.turn import AssistantTurn, ends_when_put_down, sdk_tool
from gendei.booking.dates import describe
from gendei.clinic import Clinic
from gendei.commands.command import Call, Desks
from gendei.commands.running import COMMANDS, CommandRunner
from gendei.conversation.turns.turn import describe as describe_error
from gendei.costs.model_costs import Prices, Spent, UsageLedger
from gendei.messages.limits import fit
from gendei.prompts import AgentPrompt
from gendei.receptionist.guided.carrying_out import carry_out
from gendei.receptionist.llm.api_errors import SaidNothing, SaidUntrue
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.llm.spending import ApiUse, CostHooks
from gendei.staff.actors import Actor
from gendei.verticals import Vertical

log = logging.getLogger(__name__)
CHANNEL = "assistant"
GUIDED_SECONDS = 12.0
GUIDED_STEPS = 30
MISSED = "missed"
"""Of a question: how many messages in a row were not understood."""
MOST_ANSWER = 4000
"""Characters of a model's answer."""


@dataclass(frozen=True)
class AssistantRunner:
    """What answers. `models_for`: a clinic's models; where there are none, guided does. `tool_seconds`: how long a tool
    may take."""

    desks: Desks
    texts: AssistantTexts
    prompt: AgentPrompt
    prices: Prices
    verticals: Mapping[str, Vertical]
    models_for: Callable[[Clinic], ApiModels | None] = lambda _: None
    ledger: UsageLedger | None = None
    tool_seconds: float = 10.0
    _agents: dict[frozenset[str], Agent[AssistantTurn]] = field(default_factory=dict)

    @cached_property
    def for_people(self) -> CommandRunner:
        """Runs tools whose refusals people read."""
        return CommandRunner(self.desks, self.texts.for_people, CHANNEL)

    @cached_property
    def _for_models(self) -> CommandRunner:
        return CommandRunner(self.desks, self.texts.of_tools, CHANNEL)

    async def answer(
        self, actor: Actor, call: Call, text: str, history: Sequence[Said], question: Mapping[str, Any] | None
    ) -> tuple[str, AssistantTurn]:
        """The answer's words, and what the tools gathered. `question`: what guided had asked."""
        models = self.models_for(call.clinic)
        if models is not None:
            use = ApiUse(models, self.ledger, actor.clinic_id, call.now.date())
            if (why := await use.rests()) is not None:
                use.rested(why)
            else:
                answered = await self._on_api(actor, call, models, use, [*history, Said("user", text)])
                if answered is not None:
                    return answered
        return await self._on_guided(actor, call, text, question)

    async def _on_api(
        self, actor: Actor, call: Call, models: ApiModels, use: ApiUse, said: Sequence[Said]
    ) -> tuple[str, AssistantTurn] | None:
        """None where the model failed; nothing was changed by then, as no tool of a turn changes anything."""
        turn = AssistantTurn(actor, call, self._for_models, self.texts)
        hooks = CostHooks[AssistantTurn](models, self.prices)
        read = said[-models.limits.messages - 1 :]
        items: list[TResponseInputItem] = [{"role": earlier.role, "content": earlier.content} for earlier in read]
        try:
            async with asyncio.timeout(models.limits.turn_seconds):
                result, text = await self._run(turn, models, hooks, items)
                if not turn.planned and self.texts.claims_done(text):
                    models.figures.corrections["claim"] += 1
                    told: TResponseInputItem = {"role": "system", "content": self.texts.correction}
                    _, text = await self._run(turn, models, hooks, [*result.to_input_list(), told])
                    if not turn.planned and self.texts.claims_done(text):
                        raise SaidUntrue
            if not text and not turn.planned:
                raise SaidNothing
        except Exception as error:  # noqa: BLE001  # any failure of an API means the same: guided answers
            use.failed(error, hooks.spent)
            return None
        use.count(hooks.spent + Spent(turns=1))
        return fit(text, MOST_ANSWER), turn

    async def _run(
        self, turn: AssistantTurn, models: ApiModels, hooks: CostHooks[AssistantTurn], items: list[TResponseInputItem]
    ) -> tuple[RunResult, str]:
        result = await Runner.run(
            self._agent(turn.actor),
            items,
            context=turn,
            max_turns=models.limits.steps,
            hooks=hooks,
            run_config=models.run_config,
        )
        return result, str(result.final_output or "").strip()

    async def _on_guided(
        self, actor: Actor, call: Call, text: str, question: Mapping[str, Any] | None
    ) -> tuple[str, AssistantTurn]:
        missed = int((question or {}).get(MISSED, 0))
        turn = AssistantTurn(actor, call, self.for_people, self.texts, one_look=False, missed=missed)
        dialogue = converse(self.guide(turn, text), question)
        try:
            async with asyncio.timeout(GUIDED_SECONDS):
                agent = self._with_tools(frozenset(COMMANDS))
                _, said = await carry_out(dialogue, agent, turn, characters=len(text), most=GUIDED_STEPS)
        except Exception as error:  # noqa: BLE001  # nothing was changed, and who asked is told so
            log.error("the assistant failed for clinic %s: %s", actor.clinic_id, describe_error(error))
            return self.texts.say(Phrase.BROKEN), AssistantTurn(actor, call, self.for_people, self.texts)
        if turn.subject and turn.question is None and not turn.planned:
            turn.question = {SUBJECT: list(turn.subject)}
        if turn.missed > missed:
            turn.question = {**(turn.question or {}), MISSED: turn.missed}
        return said.strip(), turn

    def guide(self, turn: AssistantTurn, text: str) -> Guide:
        clinic = turn.call.clinic
        return Guide(turn, clinic, self.verticals[clinic.vertical].for_clinic(clinic), turn.call.now, Order(text))

    def _agent(self, actor: Actor) -> Agent[AssistantTurn]:
        """With the tools of the prompt that `actor` may use."""
        may = (name for name in self.prompt.tools if all(actor.may(right) for right in COMMANDS[name].rights))
        return self._with_tools(frozenset(may))

    def _with_tools(self, names: frozenset[str]) -> Agent[AssistantTurn]:
        if names not in self._agents:
            self._agents[names] = Agent[AssistantTurn](
                name=self.prompt.name,
                instructions=self._instructions,
                tools=[sdk_tool(tool, self.tool_seconds) for tool in COMMANDS.values() if tool.name in names],
                model=self.prompt.model,
                model_settings=ModelSettings(temperature=self.prompt.temperature),
                tool_use_behavior=ends_when_put_down,
            )
        return self._agents[names]

    def _instructions(self, context: RunContextWrapper[AssistantTurn], _: Agent[AssistantTurn]) -> str:
        return self.prompt.render(facts_of(context.context.call, context.context.actor))


def facts_of(call: Call, actor: Actor) -> dict[str, str]:
    """What the prompt says of the present: its placeholders."""
    return {"clinic_name": call.clinic.name, "now": describe(call.now, call.now), "user_name": actor.name}

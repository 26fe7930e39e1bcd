"""Questions about the clinic, answered in strict mode by our own code: the model chooses what is answered."""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

from agents import RunContextWrapper
from pydantic import Field

from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.information import told, tools_for, topics_of
from gendei.receptionist.offers.costs import plan_keyed
from gendei.receptionist.runtime import Context, Runtime, ToolResult, failed
from gendei.receptionist.tools import information
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.plan_names import NamedPlans

MOST_TOPICS = 6
_PLAN_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,3}")
"""One to four words of letters alone."""
_TOOLS = {tool.__name__: tool for tool in information.TOOLS}


class Topic(StrEnum):
    """What can be answered. The values are guided's intents."""

    SERVICES = "services"
    ABOUT = "about"
    PRICE = "price"
    DURATION = "duration"
    PREPARATION = "preparation"
    ONLINE = "online"
    PROFESSIONALS = "professionals"
    ATTENDS = "attends"
    HOURS = "hours"
    ADDRESS = "address"
    PHONE = "phone"
    INSURANCE = "insurance"
    PAYMENT = "payment"
    POLICY = "policy"
    PARKING = "parking"
    CHILDREN = "children"
    COMPANION = "companion"
    ACCESS = "access"
    DISCOUNT = "discount"
    HOME = "home"
    WIFI = "wifi"


async def tell_about(
    context: Context,
    topics: Annotated[list[Topic], Field(json_schema_extra={"minItems": 1, "maxItems": MOST_TOPICS})],
    service_id: str | None = None,
    professional_id: str | None = None,
    plan: str | None = None,
    goes_on: bool = False,
) -> ToolResult:
    """Answer the patient's question about the clinic from its data, which ends the turn unless the model goes on. The
    system writes the answer."""
    runtime = context.context
    if runtime.strict is None or runtime.heard is None or not topics:
        return failed(ToolRefusal.NOT_FOUND, runtime.say("refusal_not_found"))
    heard = replace(runtime.heard, intents=frozenset(map(str, topics[:MOST_TOPICS])))
    if (service := runtime.clinic.service(service_id or "")) is not None:
        heard = replace(heard, services=(service,), mentioned=(service,))
    if (professional := runtime.clinic.professional(professional_id or "")) is not None:
        heard = replace(heard, professional=professional)
    if heard.professional is None and "attends" in heard.intents:
        heard = replace(heard, intents=heard.intents - {"attends"} | {"professionals"})
    if plan:
        heard = replace(heard, plans=_named(plan, runtime))
    text = await answer_about(runtime, heard)
    if all(reply.text != text for reply in runtime.rendered):
        runtime.tell_own_first(text)
    runtime.all_said = runtime.all_said or not goes_on
    return ToolResult(True, {"told": text})


async def answer_about(runtime: Runtime, heard: Understanding) -> str:
    """What our own code answers to the questions about the clinic in `heard`, in strict mode."""
    if (strict := runtime.strict) is None:
        return ""
    turn = GuidedTurn(runtime, strict.ear, {}, runtime.agent)
    topics = topics_of(turn, heard)
    facts = {tool: (await _TOOLS[tool](RunContextWrapper(runtime))).data for tool in tools_for(topics)}
    strict.answered = True
    return told(turn, heard, topics, facts) or runtime.say("info_unknown")


def _named(plan: str, runtime: Runtime) -> NamedPlans:
    """The plan that is asked about: one of the clinic's, or another that the patient named in these words."""
    if (taken := plan_keyed(runtime, plan)) is not None:
        return NamedPlans(taken=(taken,), asks=True)
    written = {word for message in runtime.inputs for word in words(message.text)}
    named = _PLAN_NAME.fullmatch(plan.strip()) is not None and written.issuperset(words(plan))
    heard = runtime.heard.plans if runtime.heard else NamedPlans()
    return NamedPlans(other=" ".join(plan.split()), asks=True) if named else heard


TOOLS = (tell_about,)

"""Saying something: plain text, options to tap, and calling a person."""

from collections.abc import Sequence

from agents import RunContextWrapper
from pydantic import BaseModel

from gendei.receptionist.options import option_for
from gendei.receptionist.replies import MAX_BUTTONS, MAX_OPTIONS, Option, Reply
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.tools.registry import Registry

Context = RunContextWrapper[Runtime]


class Item(BaseModel):
    """One row of a list. titulo: what to show, or the `choice` of a slot, which is then shown as the system has it."""

    titulo: str
    descricao: str | None = None


class Section(BaseModel):
    """Rows under one heading."""

    titulo: str
    itens: list[Item]


async def send_text_message(context: Context, text: str) -> ToolResult:
    """Send a WhatsApp text message to the user. Prefer a single message, and not this tool for your final answer.

    Args:
        text: The message text to send.
    """
    if not text.strip():
        return failed("the text is empty: write what the patient should read")
    context.context.replies.append(Reply(text.strip()))
    return ToolResult(True, {"queued": True})


async def enviar_opcoes(context: Context, texto: str, opcoes: list[str]) -> ToolResult:
    """Send one message with 1 to 3 reply buttons. It ends your turn: say everything in `texto`.

    Args:
        texto: The text above the buttons.
        opcoes: 1 to 3 options of at most 20 characters each: a `choice` that a tool returned, or plain words.
    """
    if not 1 <= len(opcoes) <= MAX_BUTTONS:
        return failed(f"{len(opcoes)} options: buttons take 1 to {MAX_BUTTONS}; use enviar_lista for more")
    return _queue(context.context, texto, [option_for(one, context.context) for one in opcoes], None)


async def enviar_lista(context: Context, texto: str, button_text: str, secoes: list[Section]) -> ToolResult:
    """Send one message with a list of up to 10 items in sections. It ends your turn: say everything in `texto`.

    Args:
        texto: The text above the list.
        button_text: The button that opens the list, at most 20 characters ("Ver horários").
        secoes: Sections of items; 10 items in all. An item's titulo may be a `choice` that a tool returned.
    """
    options = [_row(item, section.titulo, context.context) for section in secoes for item in section.itens]
    if not 1 <= len(options) <= MAX_OPTIONS:
        return failed(f"{len(options)} items: a list takes 1 to {MAX_OPTIONS} in all its sections together")
    return _queue(context.context, texto, options, button_text)


async def enable_human_takeover(context: Context, reason: str) -> ToolResult:
    """Escalate the conversation to human staff. It ends your turn; the system tells the patient.

    Args:
        reason: Why human assistance is needed, for the staff: what it is about and what the patient wants.
    """
    context.context.takeover_reason = reason.strip()[:500] or context.context.say("reason_asked_for_person")
    return ToolResult(True, {"handed_over": True})


def _row(item: Item, section: str, runtime: Runtime) -> Option:
    made = option_for(item.titulo, runtime)
    return Option(made.id, made.title, made.description or item.descricao or "", section)


def _queue(runtime: Runtime, text: str, options: Sequence[Option], label: str | None) -> ToolResult:
    if not text.strip():
        return failed("texto is empty: write what the patient should read above the options")
    if len({one.id for one in options}) != len(options) or any(not one.id.strip() for one in options):
        return failed("every option needs a different, non-empty text")
    runtime.replies.append(
        Reply(text.strip(), tuple(options), (label or "").strip() or runtime.say("list_label_options"))
    )
    runtime.state.shown = [[one.id, one.title] for one in options]
    return ToolResult(True, {"queued": True})


TERMINAL = frozenset({"enviar_opcoes", "enviar_lista", "enable_human_takeover"})
"""Tools after which an agent has nothing left to say."""


def register(registry: Registry) -> None:
    registry.tool("messaging")(send_text_message)
    registry.tool("interactive")(enviar_opcoes)
    registry.tool("interactive")(enviar_lista)
    registry.tool("handover")(enable_human_takeover)

"""Saying something: plain text, options to tap, a link, where the clinic is, and calling a person.

WhatsApp's limits are kept here, so that a model hears of them: too many of something is refused, too long a text is
cut at a word.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, Field

from gendei.health_plan import PRIVATE
from gendei.messages.called_for import CalledFor
from gendei.messages.limits import (
    ELLIPSIS,
    MAX_BUTTON_BODY,
    MAX_BUTTON_TITLE,
    MAX_LIST_BODY,
    MAX_LIST_LABEL,
    MAX_ROW_DESCRIPTION,
    MAX_ROW_TITLE,
    MAX_SECTION_TITLE,
    MAX_TEXT,
    MAX_URL,
    distinct_titles,
    fit,
    one_line,
    units,
)
from gendei.messages.replies import MAX_BUTTONS, MAX_OPTIONS, Link, Option, Pin, Reply
from gendei.receptionist.offers.choices import parse_choice
from gendei.receptionist.offers.headings import above
from gendei.receptionist.offers.options import option_for, told_apart, usable
from gendei.receptionist.offers.rendering import map_address
from gendei.receptionist.runtime import Context, Runtime, ToolResult, failed
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.understanding.plan_names import plans_taken

WhyCalled = Literal[
    "asked",
    "unknown",
    "cannot",
    "rules",
    "tool_failed",
    "not_understood",
    "danger",
    "money",
    "complaint",
    "arrived",
]
"""What of CalledFor the bot may say: all but that nobody was called."""


def _items(most: int) -> Any:
    """Limits that a schema tells: too many are refused by the tool itself, which says what to do."""
    return Field(json_schema_extra={"minItems": 1, "maxItems": most})


class Item(BaseModel):
    """One row of a list. titulo: what to show, or a choice, which is then shown as the system has it."""

    titulo: str
    descricao: str | None = None


class Section(BaseModel):
    """Rows under one heading."""

    titulo: str
    itens: Annotated[list[Item], _items(MAX_OPTIONS)]


async def send_text_message(context: Context, text: str) -> ToolResult:
    """Send a text message before the answer."""
    if not text.strip():
        return failed(ToolRefusal.UNSENDABLE, context.context.say("unsendable_empty"))
    context.context.replies.append(Reply(fit(text.strip(), MAX_TEXT)))
    return ToolResult(True, {"queued": True})


async def enviar_opcoes(context: Context, texto: str, opcoes: Annotated[list[str], _items(MAX_BUTTONS)]) -> ToolResult:
    """Send one message with 1 to 3 reply buttons, which ends the turn."""
    if not 1 <= len(opcoes) <= MAX_BUTTONS:
        return failed(ToolRefusal.UNSENDABLE, context.context.say("unsendable_buttons", value=str(len(opcoes))))
    rows = [_Row(title, "", "") for title in opcoes]
    return _show(context.context, fit(texto.strip(), MAX_BUTTON_BODY), rows, None, MAX_BUTTON_TITLE)


async def enviar_lista(
    context: Context, texto: str, button_text: str, secoes: Annotated[list[Section], _items(MAX_OPTIONS)]
) -> ToolResult:
    """Send one message with a list of up to 10 items in sections, which ends the turn."""
    rows = [_Row(item.titulo, item.descricao or "", section.titulo) for section in secoes for item in section.itens]
    if not 1 <= len(rows) <= MAX_OPTIONS:
        return failed(ToolRefusal.UNSENDABLE, context.context.say("unsendable_list", value=str(len(rows))))
    return _show(context.context, fit(texto.strip(), MAX_LIST_BODY), rows, button_text, MAX_ROW_TITLE)


async def enviar_cta(context: Context, texto: str, url: str, label: str) -> ToolResult:
    """Send one message with a button that opens a link, which ends the turn."""
    if not texto.strip() or not label.strip():
        return failed(ToolRefusal.UNSENDABLE, context.context.say("unsendable_empty"))
    if not _is_https(url.strip()):
        return failed(ToolRefusal.UNSENDABLE, context.context.say("unsendable_link"))
    if context.context.strict is not None:
        return _own_link(context.context, url.strip())
    link = Link(fit(one_line(label), MAX_BUTTON_TITLE), url.strip())
    context.context.replies.append(Reply(fit(texto.strip(), MAX_BUTTON_BODY), link=link))
    return ToolResult(True, {"queued": True})


async def enviar_localizacao(context: Context) -> ToolResult:
    """Send the clinic's own place as a pin on the map, with its name and address, which ends the turn."""
    clinic = context.context.clinic
    if not clinic.address:
        return failed(ToolRefusal.NO_PLACE, context.context.say("place_unknown"))
    if clinic.location is None:
        return failed(ToolRefusal.NO_PLACE, context.context.say("place_by_map"), {"url": map_address(clinic)})
    address = one_line(clinic.address)
    pin = Pin(clinic.location.latitude, clinic.location.longitude, one_line(clinic.name), address)
    told = Reply(context.context.say("info_address", value=address), pin=pin)
    context.context.replies.append(told)
    if context.context.strict is not None:
        context.context.rendered.append(told)
    return ToolResult(True, {"queued": True})


async def enable_human_takeover(
    context: Context, reason: str, kind: WhyCalled = "asked", urgent: bool = False
) -> ToolResult:
    """Escalate the conversation to human staff, which ends the turn; the system tells the patient."""
    context.context.urgent = urgent
    context.context.called_for = CalledFor.DANGER if urgent else CalledFor(kind)
    context.context.takeover_reason = reason.strip()[:500] or context.context.say("reason_asked_for_person")
    return ToolResult(True, {"handed_over": True})


def show_choices(runtime: Runtime, text: str, choices: Sequence[str], label: str | None = None) -> None:
    """Queue a text of ours with these choices, as the answer of the turn: up to three as buttons, more as a list."""
    rows = [_Row(id_, "", option_for(id_, runtime).section) for id_ in choices[:MAX_OPTIONS]]
    if len(rows) > MAX_BUTTONS:
        shown = _queue(runtime, fit(text, MAX_LIST_BODY), rows, label, MAX_ROW_TITLE)
    else:
        rows = [_Row(row.words, "", "") for row in rows]
        shown = _queue(runtime, fit(text, MAX_BUTTON_BODY), rows, None, MAX_BUTTON_TITLE)
    if shown.success:
        runtime.rendered.append(runtime.replies[-1])
        runtime.all_said = True


def _own_link(runtime: Runtime, url: str) -> ToolResult:
    """A link that the clinic's own data have, with what they say of it. It ends the turn."""
    clinic = runtime.clinic
    texts = f"{clinic.notes}\n{clinic.cancellation_policy}".splitlines()
    told = runtime.say("info_address", value=clinic.address) if url == map_address(clinic) else ""
    told = told or next((line.strip() for line in texts if url in line.split()), "")
    if not told:
        return failed(ToolRefusal.UNSENDABLE, runtime.say("unsendable_strict"))
    label = runtime.say("button_map" if url == map_address(clinic) else "button_link")
    runtime.tell_own(Reply(fit(told, MAX_BUTTON_BODY), link=Link(label, url)))
    return ToolResult(True, {"queued": True})


class _Row(NamedTuple):
    """An option as a model names it."""

    words: str
    description: str
    section: str


def _show(runtime: Runtime, text: str, rows: list[_Row], label: str | None, title_limit: int) -> ToolResult:
    """What a model shows. In strict mode under words of ours, with what may be read of its own before them, and without
    what is neither a choice of ours nor may stand on a button."""
    strict = runtime.strict
    if strict is None:
        return _queue(runtime, text, rows, label, title_limit)
    named = {plan.name for plan in plans_taken(runtime.clinic, runtime.vertical)} | {PRIVATE}
    rows = [
        _Row(row.words, "", option_for(row.words, runtime).section if row.section else "")
        for row in rows
        if parse_choice(row.words) or row.words in named or strict.words.names_a_button(row.words)
    ]
    if not rows:
        return failed(ToolRefusal.UNSENDABLE, runtime.say("unsendable_strict"))
    label = label if label and strict.words.names_a_button(label) else None
    kept, before = strict.kept(text), len(runtime.replies)
    chosen = [each for row in rows if (each := parse_choice(usable(row.words, runtime)))]
    ours = above(chosen, runtime)
    own = [*kept.statements, *([] if ours else kept.questions)]
    text = ours or " ".join(own) or runtime.say("strict_choose")
    shown = _queue(runtime, text, rows, label, title_limit)
    if shown.success and (ours or not own):
        runtime.rendered.append(runtime.replies[-1])
    if shown.success and ours and own:
        runtime.replies.insert(before, Reply(" ".join(own)))
    return shown


def _queue(runtime: Runtime, text: str, rows: Sequence[_Row], label: str | None, title_limit: int) -> ToolResult:
    if not text:
        return failed(ToolRefusal.UNSENDABLE, runtime.say("unsendable_empty"))
    whole = told_apart([_option(row, runtime) for row in rows], runtime)
    if len({option.id for option in whole}) != len(whole) or any(not option.id.strip() for option in whole):
        return failed(ToolRefusal.UNSENDABLE, runtime.say("unsendable_alike"))
    titles = distinct_titles((option.title for option in whole), title_limit)
    opener = fit(one_line(label or ""), MAX_LIST_LABEL) or runtime.say("list_label_options")
    runtime.replies.append(Reply(text, tuple(map(_within, whole, titles)), opener))
    runtime.state.shown = [{"id": option.id, "title": option.title} for option in whole]
    return ToolResult(True, {"queued": True})


def _option(row: _Row, runtime: Runtime) -> Option:
    """The option as the clinic's data have it."""
    made = option_for(usable(row.words, runtime), runtime)
    return Option(
        made.id, made.title, made.description or row.description, fit(one_line(row.section), MAX_SECTION_TITLE)
    )


def _within(option: Option, title: str) -> Option:
    """The option within WhatsApp's limits, under `title`. A name that had to be cut stands whole below it."""
    whole, section, below = one_line(option.title), option.section, one_line(option.description)
    if section and below.startswith(section.removesuffix(ELLIPSIS)):
        below = ""  # the heading says already with whom it is
    if title != whole:
        below = f"{whole} · {below}" if below else whole
    return Option(option.id, title, fit(below, MAX_ROW_DESCRIPTION), section)


def _is_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    plain = url.isprintable() and " " not in url and units(url) <= MAX_URL
    return plain and parts.scheme == "https" and url.startswith("https://") and bool(host) and "@" not in parts.netloc


TERMINAL = frozenset({"enviar_opcoes", "enviar_lista", "enviar_cta", "enviar_localizacao", "enable_human_takeover"})
"""Tools after which an agent has nothing left to say."""


TOOLS = (send_text_message, enviar_opcoes, enviar_lista, enviar_cta, enviar_localizacao, enable_human_takeover)

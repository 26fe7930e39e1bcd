"""Prompts (`prompts/*.md`) and phrases (`prompts/phrases.yaml`): everything that is said, as checked data.

Both may hold `{placeholders}`; a brace itself is written twice. A placeholder, tool, agent or field that does not
exist stops the start with the file and the line.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, RootModel

from gendei.clinic import Clinic
from gendei.datafile import DataFile, Problems, StrictModel, Text, nearest, read_markdown, read_plain
from gendei.errors import ConfigurationError
from gendei.texts import Catalogue, faults, fill, placeholders, read_completed

AGENTS = ("triage", "greeter", "sales_closer", "product_info", "payment", "support")
"""The agents that must have a prompt; `triage` is where a conversation begins."""

FACTS = frozenset(
    """
    appointment_count arrive_early booking_draft cancellation_policy clinic_address clinic_name insurance left_open
    notes now operating_hours patient_appointments patient_name payment_methods professionals services thread
    vertical_name what_to_bring
    """.split()
)
"""The placeholders that a prompt may hold besides the vertical's words; `{rules}` is filled at load.
`professionals` is the list of them here, and the word in phrases: `{professional_terms}` is the word in both."""

INTENTS = frozenset(
    """
    about access acknowledges address all also another any_professional any_time appointments arrived attends book
    booked_at booked_for booked_where booked_with broken bye cancel changes children companion correction courtesy
    crisis describes directions discount duration earlier earliest
    english free_from free_until give_up gives_time greeting harmless home hours how_it_works indignant insurance job
    keeps late later later_time latest medicine mishap move myself nearest no no_service offers online opt_in opt_out
    other_day other_professional other_time others_data paid pain papers parking past_appointments payment person
    phone points policy preparation price professionals question repents robot same_day same_time sends services
    someone_else spanish speak specialist staff_matter thanks this_one undoes unsure urgent wait wifi wishes yes
    join_waiting leave_waiting money_matter pay_until pix_code see_waiting unmeant violence with_man with_woman
    """.split()
)
"""What the guided receptionist listens for; `prompts/intents.yaml` says in which words."""

STAFF_PROMPT = "staff/assistant.md"
"""The prompt of the staff's assistant, which is none of the team's."""
STAFF_FACTS = frozenset({"clinic_name", "now", "user_name"})
"""The placeholders that it may hold."""

GREETINGS = ("greeting", "greeting_named")
INTRODUCING = (*GREETINGS, "i_am_assistant")
"""Phrases in which the assistant says what it is; each has another one that ends in _by_name."""
SIGN_OFF = "goodbye"

_RULES_FILE = "_rules.md"
_INTENTS_FILE = "intents.yaml"
_PHRASES_FILE = "phrases.yaml"


@dataclass(frozen=True, slots=True)
class AgentPrompt:
    """What one agent is: its model, what it may call, whom it may hand over to, and its instructions. `tools` are
    names of tools; a category that the file names stands here as its tools."""

    name: str
    description: str
    model: str
    temperature: float
    tools: tuple[str, ...]
    handoffs: tuple[str, ...]
    text: str

    def render(self, values: Mapping[str, str]) -> str:
        """The instructions with every placeholder filled, once: braces inside a value stay as they are.

        `values` needs FACTS and `Vertical.words()`, facts winning; raises KeyError for a missing one.
        """
        return fill(self.text, values)


@dataclass(frozen=True, slots=True)
class PromptSet:
    """All agents by name."""

    agents: Mapping[str, AgentPrompt]

    def __getitem__(self, name: str) -> AgentPrompt:
        return self.agents[name]

    def __iter__(self) -> Iterator[AgentPrompt]:
        return iter(self.agents.values())


@dataclass(frozen=True, slots=True)
class Phrases:
    """What our own code says to patients. `texts`: the variants of each phrase. `examples`: what each placeholder
    that the code fills may look like. `own`: those that a clinic may say in words of its own."""

    texts: Mapping[str, tuple[str, ...]]
    examples: Mapping[str, str]
    own: frozenset[str] = frozenset()

    def of(self, clinic: Clinic) -> "Phrases":
        """The same in the words of a clinic."""
        said = clinic.words
        if said is None:
            return self
        texts = dict(self.texts)
        if said.assistant:
            texts |= {key: self._introduced(f"{key}_by_name", said.assistant) for key in INTRODUCING}
        if said.greeting:
            texts |= {key: (said.greeting, *texts[key][1:]) for key in GREETINGS}
        if said.sign_off:
            texts[SIGN_OFF] = (said.sign_off,)
        return replace(self, texts=texts | {key: (text,) for key, text in said.phrases.items() if key in texts})

    def _introduced(self, key: str, assistant: str) -> tuple[str, ...]:
        return tuple(text.replace("{assistant}", assistant) for text in self.texts[key])

    def say(self, key: str, /, variant: int = 0, **values: str) -> str:
        """The phrase `key` with its placeholders filled; `variant` chooses among its wordings, round and round.

        Values that the phrase does not use are ignored. Raises KeyError for an unknown phrase or a missing value.
        """
        return self.wordings(key, **values)[variant % len(self.texts[key])]

    def wordings(self, key: str, /, **values: str) -> list[str]:
        """Every wording of the phrase `key`; otherwise as `say`."""
        return [fill(variant, values) for variant in self.texts[key]]


_Words = Annotated[list[Text], Field(min_length=1)]


class GuardrailWords(Catalogue):
    """Words that an answer of a model must not hold. Expressions, as words one after the other; accents and capitals do
    not matter."""

    file_name = "guardrails.yaml"
    person: _Words
    assistant: _Words
    medicines: _Words
    taking: _Words
    conditions: _Words
    diagnosing: _Words
    reassuring: _Words
    declining: _Words
    free: _Words
    ordinary: _Words
    portuguese: frozenset[str] = Field(default=frozenset(), strict=False)
    english: frozenset[str] = Field(default=frozenset(), strict=False)
    spanish: frozenset[str] = Field(default=frozenset(), strict=False)


class _StaffMatter(StrictModel):
    description: Text
    model: Text
    temperature: Annotated[float, Field(ge=0, le=2)]
    tools: list[str]


class _FrontMatter(_StaffMatter):
    handoffs: list[str]


class _PhraseFile(StrictModel):
    values: dict[str, Text]
    own: Annotated[list[str], Field(default_factory=list)]
    phrases: dict[
        str,
        Annotated[
            list[Text], BeforeValidator(lambda text: [text] if isinstance(text, str) else text), Field(min_length=1)
        ],
    ]


class _IntentFile(RootModel[dict[str, Annotated[list[Text], Field(min_length=1)]]]):
    """Intent to its expressions."""


def load_prompts(
    folder: Path,
    known_tools: Collection[str],
    term_forms: Collection[str],
    categories: Mapping[str, Sequence[str]] | None = None,
) -> PromptSet:
    """Every prompt of `folder`, with the shared rules in place; files that begin with "_" are no agents.

    term_forms: the placeholders that the vertical fills (verticals.TERM_FORMS). categories: names that stand for
    several tools at once. Raises ConfigurationError with all that is wrong: an agent that is missing, an unknown
    tool, hand-off, placeholder or field, a tool that is listed twice, also through its category.
    """
    kinds = categories or {}
    problems = Problems()
    placeholders = FACTS | frozenset(term_forms)
    rules = _read_rules(folder / _RULES_FILE, placeholders, problems)
    names = sorted(path.stem for path in folder.glob("*.md") if not path.stem.startswith("_"))
    for missing in sorted(set(AGENTS) - set(names)):
        path = str(folder / f"{missing}.md")
        problems.found.append(ConfigurationError(path, "", "this agent has no prompt.", "Write the file."))
    agents = {}
    for name in names:
        with problems.gather():
            file = read_markdown(folder / f"{name}.md")
            header = file.into(_FrontMatter)
            problems.found.extend(_unknown_names(file, "tools", header.tools, {*known_tools, *kinds}))
            tools = [name for listed in header.tools for name in kinds.get(listed, (listed,))]
            problems.found.extend(_twice_by_category(file, header.tools, tools, kinds))
            problems.found.extend(_unknown_names(file, "handoffs", header.handoffs, set(names) - {name}))
            problems.found.extend(_body_faults(file, placeholders | {"rules"}))
            text = file.body.strip().replace("{rules}", rules)
            lists = {"tools": tuple(tools), "handoffs": tuple(header.handoffs)}
            agents[name] = AgentPrompt(name, header.description, header.model, header.temperature, text=text, **lists)
    problems.raise_any()
    return PromptSet(agents)


def load_staff_prompt(folder: Path, known_tools: Collection[str]) -> AgentPrompt:
    """The prompt of the staff's assistant. Raises ConfigurationError for an unknown tool, placeholder or field, and for
    hand-offs, of which it has none."""
    file, problems = read_markdown(folder / STAFF_PROMPT), Problems()
    header = file.into(_StaffMatter)
    problems.found.extend(_unknown_names(file, "tools", header.tools, known_tools))
    problems.found.extend(_body_faults(file, STAFF_FACTS))
    problems.raise_any()
    text, tools = file.body.strip(), tuple(header.tools)
    return AgentPrompt("assistant", header.description, header.model, header.temperature, tools, (), text)


def load_phrases(folder: Path, term_forms: Collection[str]) -> Phrases:
    """The phrases of `folder`. Raises ConfigurationError for a placeholder that neither `values` nor the vertical
    has, for a value of its own that no phrase uses, and for a value that is called like one of the vertical's words."""
    file = read_completed(folder / _PHRASES_FILE)
    content = file.into(_PhraseFile)
    problems = Problems()
    used: set[str] = set()
    known = set(content.values) | set(term_forms)
    for key, variants in content.phrases.items():
        for text in variants:
            for _, problem, remedy in faults(text, known):
                problems.found.append(file.error(("phrases", key), problem, remedy))
            used |= placeholders(text)
    for name in content.values:
        if name in term_forms:
            problem = "is one of the vertical's words already."
            problems.found.append(file.error(("values", name), problem, "Choose another name."))
        elif name not in used and file.has(("values", name)):
            problems.found.append(file.error(("values", name), "no phrase uses this value.", "Remove it."))
    problems.found.extend(_unknown_names(file, "own", content.own, content.phrases))
    problems.raise_any()
    texts = {key: tuple(variants) for key, variants in content.phrases.items()}
    return Phrases(texts, content.values, frozenset(content.own))


def load_intents(folder: Path) -> dict[str, tuple[str, ...]]:
    """The expressions of every intent. Raises ConfigurationError for an intent that is unknown or empty, and for an
    expression that nobody's words can be."""
    file = read_completed(folder / _INTENTS_FILE)
    content = file.into(_IntentFile).root
    problems = Problems()
    for name in content.keys() - INTENTS:
        problems.found.append(file.error((name,), "there is no such intent.", nearest(name, INTENTS)))
    for name, expressions in content.items():
        faults = ((index, expression_fault(expression)) for index, expression in enumerate(expressions))
        problems.found.extend(file.error((name, index), *fault) for index, fault in faults if fault)
    problems.raise_any()
    return {name: tuple(expressions) for name, expressions in content.items()}


def expression_fault(expression: str) -> tuple[str, str] | None:
    """Why no patient's words can be this expression of an intent, and what to write instead; None where they can."""
    parts = expression.split()
    if "..." in (parts[0], parts[-1]):
        return f'"{expression}" begins or ends with a gap.', 'Write "..." only between two words.'
    if any(not word.strip("*") for part in parts for word in part.split("|")):
        return f'"{expression}" has an empty word.', "Write a word on either side of |, and before *."
    if any("..." in part and part != "..." for part in parts):
        return f'"{expression}" has a gap that touches a word.', 'Leave a blank on either side of "...".'
    return None


def _read_rules(path: Path, placeholders: Collection[str], problems: Problems) -> str:
    try:
        file = read_plain(path)
    except ConfigurationError as error:
        problems.found.append(error)
        return ""
    problems.found.extend(_body_faults(file, placeholders))
    return file.body.strip()


def _unknown_names(
    file: DataFile, field: str, names: list[str], known: Collection[str]
) -> Iterator[ConfigurationError]:
    for index, name in enumerate(names):
        if name not in known:
            yield file.error((field, index), f'there is no "{name}" for it.', nearest(name, known))
        elif name in names[:index]:
            yield file.error((field, index), f'"{name}" is listed twice.', "Remove one.")


def _twice_by_category(
    file: DataFile, listed: Sequence[str], tools: Sequence[str], categories: Mapping[str, Sequence[str]]
) -> Iterator[ConfigurationError]:
    """Tools that are named beside their category."""
    for index, name in enumerate(listed):
        if name not in categories and tools.count(name) > listed.count(name):
            yield file.error(("tools", index), f'"{name}" is in a category that is listed too.', "Remove one.")


def _body_faults(file: DataFile, placeholders: Collection[str]) -> Iterator[ConfigurationError]:
    if not file.body.strip():
        yield file.line_error(file.body_line, "the text is empty.", "Write it below the front matter.")
    for offset, problem, remedy in faults(file.body, placeholders):
        yield file.line_error(file.body_line + file.body.count("\n", 0, offset), problem, remedy)

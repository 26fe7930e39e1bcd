import re
import shutil
from pathlib import Path

import pytest

from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.prompts import AGENTS, FACTS, Phrases, PromptSet, load_phrases, load_prompts
from gendei.verticals import TERM_FORMS, Vertical, load_verticals

TOOLS = {
    "send_text_message",
    "get_clinic_info",
    "get_professionals",
    "get_services",
    "search_knowledge",
    "get_available_slots",
    "hold_slot",
    "release_slot",
    "create_appointment",
    "send_appointment_confirmation",
    "get_patient_appointments",
    "cancel_appointment",
    "reschedule_appointment",
    "confirm_presence",
    "note_health_plan",
    "check_deposit",
    "note_late",
    "join_waiting_list",
    "get_waiting_list",
    "leave_waiting_list",
    "answer_waiting_offer",
    "enable_human_takeover",
    "enviar_opcoes",
    "enviar_lista",
    "enviar_cta",
    "enviar_localizacao",
}
CATEGORIES = {
    "interactive": ["enviar_opcoes", "enviar_lista", "enviar_cta", "enviar_localizacao"],
    "waiting": ["join_waiting_list", "get_waiting_list", "leave_waiting_list", "answer_waiting_offer"],
}
PROMPTS = data_dir("prompts")
VERTICALS = load_verticals(data_dir("verticals"))


@pytest.fixture(scope="module")
def prompts() -> PromptSet:
    return load_prompts(PROMPTS, TOOLS, TERM_FORMS, CATEGORIES)


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    return load_phrases(PROMPTS, TERM_FORMS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the prompts that a test may spoil."""
    return shutil.copytree(PROMPTS, tmp_path / "prompts")


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def problem_of(folder: Path) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        load_prompts(folder, TOOLS, TERM_FORMS, CATEGORIES)
    (problem,) = caught.value.problems
    return problem


def values(vertical: Vertical) -> dict[str, str]:
    return {**vertical.words(), **{fact: f"<{fact}>" for fact in FACTS}}


def test_the_six_agents_of_the_seed_have_their_models_and_its_temperatures(prompts: PromptSet):
    strong = {"sales_closer", "payment"}
    expected = {
        name: ("gpt-6.1-terra" if name in strong else "gpt-6-luna", 0.3 if name == "triage" else 0.7) for name in AGENTS
    }
    assert {agent.name: (agent.model, agent.temperature) for agent in prompts} == expected


def test_triage_only_hands_over_to_all_the_others(prompts: PromptSet):
    assert (prompts["triage"].tools, set(prompts["triage"].handoffs)) == ((), set(AGENTS) - {"triage"})


def test_a_category_stands_for_its_tools(prompts: PromptSet):
    assert prompts["greeter"].tools == ("send_text_message", *CATEGORIES["interactive"], "enable_human_takeover")


def test_every_specialist_can_call_a_person(prompts: PromptSet):
    assert {agent.name for agent in prompts if "enable_human_takeover" not in agent.tools} == {"triage"}


def test_every_prompt_renders_whole_in_every_vertical(prompts: PromptSet):
    texts = [agent.render(values(vertical)) for agent in prompts for vertical in VERTICALS.values()]
    assert [text for text in texts if re.search(r"[{}]", text) or not text] == []


def test_every_specialist_carries_the_shared_rules(prompts: PromptSet):
    text = {agent.name: agent.render(values(VERTICALS["med"])) for agent in prompts}
    assert {name for name in AGENTS if "SAMU, 192" not in text[name]} == {"triage"}


def test_a_prompt_speaks_the_words_of_the_vertical(prompts: PromptSet):
    assert "Você marca sessões na <clinic_name>" in prompts["sales_closer"].render(values(VERTICALS["psi"]))


def test_braces_inside_a_value_are_not_filled_again(prompts: PromptSet):
    text = prompts["greeter"].render({**values(VERTICALS["med"]), "patient_name": "{clinic_name}"})
    assert "Quem escreve: {clinic_name}" in text


def test_rendering_without_a_value_names_it(prompts: PromptSet):
    with pytest.raises(KeyError, match="clinic_name"):
        prompts["greeter"].render({})


def test_an_unknown_placeholder_stops_with_file_and_line(folder: Path):
    spoil(folder / "support.md", "{clinic_name}", "{clinic_nam}")
    problem = problem_of(folder)
    assert (problem.source, problem.where, problem.remedy) == (
        str(folder / "support.md"),
        "line 8",
        'Did you mean "clinic_name"?',
    )


def test_an_unknown_placeholder_in_the_rules_is_found_in_their_file(folder: Path):
    spoil(folder / "_rules.md", "{clinic_name}", "{clinica}")
    assert problem_of(folder).source == str(folder / "_rules.md")


@pytest.mark.parametrize("brace", ["{", "}", "{a b}", "{clinic_name!r}"])
def test_a_brace_that_is_no_placeholder_stops(folder: Path, brace: str):
    spoil(folder / "support.md", "## O que fazer", brace)
    with pytest.raises(ConfigurationError, match=r"line 10: a .* stands alone"):
        load_prompts(folder, TOOLS, TERM_FORMS, CATEGORIES)


@pytest.mark.parametrize(
    ("old", "new", "where", "problem"),
    [
        ("tools: [enable", "tools: [enabel", "line 5, tools[0]", 'there is no "enabel_human_takeover" for it.'),
        ("handoffs: [sales", "handoffs: [sale", "line 6, handoffs[0]", 'there is no "sale_closer" for it.'),
        ("handoffs: [sales_closer", "handoffs: [support", "line 6, handoffs[0]", 'there is no "support" for it.'),
        ("handoffs: [sales_closer", "handoffs: [payment", "line 6, handoffs[2]", '"payment" is listed twice.'),
        ("interactive", "interativo", "line 5, tools[2]", 'there is no "interativo" for it.'),
        (
            "interactive",
            "interactive, enviar_cta",
            "line 5, tools[3]",
            '"enviar_cta" is in a category that is listed too.',
        ),
        ("model:", "modelo:", "line 3, modelo", "there is no such field."),
    ],
)
def test_a_wrong_header_stops_with_line_and_field(folder: Path, old: str, new: str, where: str, problem: str):
    spoil(folder / "support.md", old, new)
    with pytest.raises(ConfigurationError) as caught:
        load_prompts(folder, TOOLS, TERM_FORMS, CATEGORIES)
    assert (where, problem) in [(item.where, item.problem) for item in caught.value.problems]


def test_an_agent_without_a_prompt_stops(folder: Path):
    (folder / "payment.md").unlink()
    with pytest.raises(ConfigurationError) as caught:
        load_prompts(folder, TOOLS, TERM_FORMS, CATEGORIES)
    assert (str(folder / "payment.md"), "this agent has no prompt.") in [
        (problem.source, problem.problem) for problem in caught.value.problems
    ]


def test_missing_rules_stop(folder: Path):
    (folder / "_rules.md").unlink()
    assert problem_of(folder).source == str(folder / "_rules.md")


def test_every_wording_of_every_phrase_renders_in_every_vertical(phrases: Phrases):
    texts = [
        phrases.say(key, variant, **vertical.words(), **phrases.examples)
        for key, variants in phrases.texts.items()
        for variant in range(len(variants))
        for vertical in VERTICALS.values()
    ]
    assert [text for text in texts if re.search(r"[{}]", text) or not text] == []


def test_only_phrases_about_a_committed_appointment_say_confirmado(phrases: Phrases):
    saying = {key for key, variants in phrases.texts.items() if "confirmad" in " ".join(variants).lower()}
    assert {key for key in saying if not key.startswith(("booking_confirmed", "presence_confirmed"))} == set()


def test_the_confirmation_is_written_with_the_words_of_the_vertical(phrases: Phrases):
    text = phrases.say("booking_confirmed", **VERTICALS["geral"].words(), **phrases.examples)
    assert text.startswith("✅ Seu atendimento está confirmado!")


def load_catalogue(folder: Path, text: str) -> Phrases:
    (folder / "phrases.yaml").write_text(text, encoding="utf-8")
    return load_phrases(folder, TERM_FORMS)


def test_wordings_are_chosen_round_and_round(tmp_path: Path):
    phrases = load_catalogue(tmp_path, "values: {}\nphrases:\n  hello: [Oi, Olá]")
    assert [phrases.say("hello", variant) for variant in (0, 1, 2)] == ["Oi", "Olá", "Oi"]


def test_a_phrase_is_filled_once_and_ignores_what_it_does_not_use(tmp_path: Path):
    phrases = load_catalogue(tmp_path, "values: {patient: Maria}\nphrases:\n  hello: Oi, {patient}!")
    assert phrases.say("hello", patient="{x}", other="y") == "Oi, {x}!"


def test_an_unknown_phrase_or_a_missing_value_raises(tmp_path: Path):
    phrases = load_catalogue(tmp_path, "values: {patient: Maria}\nphrases:\n  hello: Oi, {patient}!")
    with pytest.raises(KeyError, match="bye"):
        phrases.say("bye")
    with pytest.raises(KeyError, match="patient"):
        phrases.say("hello")


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        (
            "values: {patient: M}\nphrases:\n  hello: [Oi, '{patiente}, {patient}']",
            "line 3, phrases.hello",
            "there is no placeholder {patiente}.",
        ),
        ("values: {colour: M}\nphrases:\n  hello: Oi", "line 1, values.colour", "no phrase uses this value."),
        (
            "values:\n  client: M\nphrases:\n  hello: '{client}'",
            "line 2, values.client",
            "is one of the vertical's words already.",
        ),
        ("values: {}\nphrases:\n  hello: ''", "line 3, phrases.hello[0]", "must not be empty."),
    ],
)
def test_a_wrong_catalogue_stops_with_line_and_phrase(tmp_path: Path, text: str, where: str, problem: str):
    with pytest.raises(ConfigurationError) as caught:
        load_catalogue(tmp_path, text)
    assert (caught.value.where, caught.value.problem) == (where, problem)


def test_every_phrase_that_the_code_says_is_in_the_catalogue(phrases: Phrases):
    source = Path(__file__).parents[1] / "src" / "gendei"
    said = {
        key
        for path in source.rglob("*.py")
        for key in re.findall(r"\bsay\(\s*\"([a-z_]+)\"", path.read_text(encoding="utf-8"))
    }
    assert said - phrases.texts.keys() == set()

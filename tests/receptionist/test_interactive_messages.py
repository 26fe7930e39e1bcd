"""The interactive tools as a model calls them, and what each kind of channel makes of them."""

from typing import Any

import pytest
from agents.testing import assistant_message
from tests.receptionist.front_desk import FrontDesk
from tests.receptionist.scripted import MAP, UNDERSTOOD, call, outcome_of, scripted

from gendei.messages.limits import units
from gendei.messages.message import OutgoingMessage
from gendei.messages.replies import Link
from gendei.messages.turns import TurnOutcome
from gendei.providers.meta_payload import compose
from gendei.providers.numbered import numbered_text
from gendei.receptionist.tools.registry import all_tools

TEXTO = "Qual horário prefere?"
LONG = " ".join(("Vou ver", *(f"palavra{number}" for number in range(600))))
INTERACTIVE = ["enviar_opcoes", "enviar_lista", "enviar_cta", "enviar_localizacao"]


def on_meta(outcome: TurnOutcome) -> dict[str, Any]:
    """The `interactive` object that goes to Meta."""
    [reply] = outcome.replies
    payload = compose(OutgoingMessage("+5511999990001", None, reply, "ref-1"))
    assert payload["type"] == "interactive"
    return dict(payload["interactive"])


def as_text(outcome: TurnOutcome) -> str:
    """What goes where nothing can be tapped."""
    [reply] = outcome.replies
    return numbered_text(reply)


def rows(outcome: TurnOutcome) -> dict[str, list[str]]:
    return {item["title"]: [row["title"] for row in item["rows"]] for item in on_meta(outcome)["action"]["sections"]}


def section(title: str, *items: str) -> dict[str, Any]:
    return {"titulo": title, "itens": [{"titulo": item, "descricao": None} for item in items]}


@pytest.mark.parametrize("count", [1, 2, 3])
async def test_enviar_opcoes_with_1_2_and_3_botoes(front_desk: FrontDesk, count: int):
    words = ["Manhã", "Tarde", "Tanto faz"][:count]
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=words)
    assert [button["reply"]["title"] for button in on_meta(outcome)["action"]["buttons"]] == words


@pytest.mark.parametrize("words", [[], ["1", "2", "3", "4"]])
async def test_enviar_opcoes_valida_maximo(front_desk: FrontDesk, words: list[str]):
    outcome = await outcome_of(front_desk, "enviar_opcoes", refused=True, texto=TEXTO, opcoes=words)
    assert "use enviar_lista" in (outcome.steps[0].error or "")
    assert outcome.replies[0].text == UNDERSTOOD


async def test_enviar_opcoes_valida_tamanho_cutting_at_a_word(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=["Prefiro na quinta cedo, se der"])
    [option] = outcome.replies[0].options
    assert (option.title, option.description) == ("Prefiro na quinta…", "Prefiro na quinta cedo, se der")


async def test_a_title_of_which_too_little_would_be_left_is_cut_inside_a_word(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=["Consulta com cardiologista"])
    [option] = outcome.replies[0].options
    assert (option.title, option.description) == ("Consulta com cardio…", "Consulta com cardiologista")


async def test_enviar_opcoes_counts_utf_16_units(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=["👍🏽" * 8])
    assert units(outcome.replies[0].options[0].title) <= 20


async def test_enviar_opcoes_cuts_a_body_over_1024(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=LONG, opcoes=["Sim"])
    text = outcome.replies[0].text
    assert (units(text) <= 1024, text[-1], text[:-1].split()[-1] in LONG.split()) == (True, "…", True)


async def test_enviar_opcoes_fallback_texto(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=["Manhã", "Tarde"])
    assert as_text(outcome).splitlines() == [TEXTO, "", "1. Manhã", "2. Tarde"]


async def test_enviar_lista_1_secao(front_desk: FrontDesk):
    secoes = [section("Períodos", "Manhã", "Tarde", "Noite", "Tanto faz")]
    outcome = await outcome_of(front_desk, "enviar_lista", texto=TEXTO, button_text="Ver períodos", secoes=secoes)
    assert rows(outcome) == {"Períodos": ["Manhã", "Tarde", "Noite", "Tanto faz"]}


async def test_enviar_lista_multiplas_secoes(front_desk: FrontDesk):
    secoes = [section("Segunda", "Cedo", "Antes do almoço"), section("Terça", "Manhã"), section("Quarta", "Tarde")]
    outcome = await outcome_of(front_desk, "enviar_lista", texto=TEXTO, button_text="Ver horários", secoes=secoes)
    assert rows(outcome) == {"Segunda": ["Cedo", "Antes do almoço"], "Terça": ["Manhã"], "Quarta": ["Tarde"]}


@pytest.mark.parametrize("sizes", [(), (11,), (6, 5)])
async def test_enviar_lista_valida_maximo_itens(front_desk: FrontDesk, sizes: tuple[int, ...]):
    secoes = [section(str(value), *(f"{value}-{row}" for row in range(size))) for value, size in enumerate(sizes)]
    arguments = {"texto": TEXTO, "button_text": "Ver", "secoes": secoes}
    outcome = await outcome_of(front_desk, "enviar_lista", refused=True, **arguments)
    assert "uma lista leva de 1 a 10" in (outcome.steps[0].error or "")


async def test_enviar_lista_keeps_every_limit(front_desk: FrontDesk):
    item = {"titulo": "Um título que passa de longe do limite", "descricao": LONG[:140]}
    secoes = [{"titulo": "Uma seção de título comprido demais", "itens": [item]}]
    arguments = {"texto": LONG, "button_text": "Ver todos os horários livres", "secoes": secoes}
    [reply] = (await outcome_of(front_desk, "enviar_lista", **arguments)).replies
    [option] = reply.options
    parts = (reply.text, reply.list_label, option.section, option.title, option.description)
    assert [units(part) <= most for part, most in zip(parts, (4096, 20, 24, 24, 72), strict=True)] == [True] * 5


async def test_enviar_lista_fallback_texto(front_desk: FrontDesk):
    secoes = [section("Segunda", "Cedo"), section("Terça", "Tarde")]
    outcome = await outcome_of(front_desk, "enviar_lista", texto=TEXTO, button_text="Ver horários", secoes=secoes)
    lines = [line for line in as_text(outcome).splitlines() if line]
    assert lines == [TEXTO, "*Segunda*", "1. Cedo", "*Terça*", "2. Tarde"]


CTA = {"texto": "Veja como chegar:", "url": MAP, "label": "Ver no mapa"}


async def test_enviar_cta_sucesso(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_cta", **CTA)
    assert outcome.replies[0].link == Link("Ver no mapa", MAP)
    assert on_meta(outcome)["type"] == "cta_url"


async def test_enviar_cta_cuts_a_label_over_20(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_cta", **{**CTA, "label": "Ver a clínica inteira no mapa"})
    assert outcome.replies[0].link == Link("Ver a clínica…", CTA["url"])


@pytest.mark.parametrize(
    "url",
    [
        "http://x.com",
        "x.com",
        "javascript:alert(1)",
        "https://",
        "https://a b.com",
        "https://x.com@evil.com",
        "https://[x",
    ],
)
async def test_enviar_cta_url_invalida(front_desk: FrontDesk, url: str):
    outcome = await outcome_of(front_desk, "enviar_cta", refused=True, **{**CTA, "url": url})
    assert "https://" in (outcome.steps[0].error or "")
    assert [reply.link for reply in outcome.replies] == [None]


async def test_enviar_cta_fallback_texto(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_cta", **CTA)
    assert as_text(outcome) == f"Veja como chegar:\n\nVer no mapa: {MAP}"


async def test_text_before_a_link_goes_in_the_same_message(front_desk: FrontDesk):
    steps = [
        call(1, "transfer_to_sales_closer"),
        call(2, "send_text_message", text="Estamos no Recife."),
        call(3, "enviar_cta", **CTA),
    ]
    maria, model = scripted(front_desk, steps)
    outcome = await maria.say("onde fica?")
    model.assert_complete()
    assert [(reply.text, reply.link is None) for reply in outcome.replies] == [
        ("Estamos no Recife.\n\nVeja como chegar:", False)
    ]


async def test_payload_meta_format_buttons(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", texto=TEXTO, opcoes=["do|book"])
    assert on_meta(outcome) == {
        "type": "button",
        "body": {"text": TEXTO},
        "action": {"buttons": [{"type": "reply", "reply": {"id": "do|book", "title": "Marcar horário"}}]},
    }


async def test_payload_meta_format_list(front_desk: FrontDesk):
    titles = {"service|profilaxia": "Profilaxia (limpeza)", "A": "A", "B": "B", "C": "C"}
    secoes = [section("Serviços", *titles)]
    outcome = await outcome_of(front_desk, "enviar_lista", texto=TEXTO, button_text="Ver serviços", secoes=secoes)
    rows_of_it = [{"id": id_, "title": title} for id_, title in titles.items()]
    rows_of_it[0]["description"] = "R$ 180,00"
    assert on_meta(outcome) == {
        "type": "list",
        "body": {"text": TEXTO},
        "action": {"button": "Ver serviços", "sections": [{"title": "Serviços", "rows": rows_of_it}]},
    }


@pytest.mark.parametrize(
    "option", ["slot|profilaxia|livia|2026-11-24T14:00", "book|profilaxia|livia|2026-11-24T14:00", "slot|x", "a|b|c"]
)
async def test_a_time_that_no_tool_returned_is_not_offered(front_desk: FrontDesk, option: str):
    outcome = await outcome_of(front_desk, "enviar_opcoes", refused=True, texto=TEXTO, opcoes=[option])
    assert outcome.steps[0].error is not None
    assert outcome.replies[0].options == ()


async def test_two_options_of_the_same_words_are_refused(front_desk: FrontDesk):
    outcome = await outcome_of(front_desk, "enviar_opcoes", refused=True, texto=TEXTO, opcoes=["Sim", "Sim"])
    assert "um texto diferente" in (outcome.steps[0].error or "")


def test_registry_inclui_interactive_tools():
    found = [entry.name for entry in all_tools().entries() if entry.category == "interactive"]
    assert found == sorted(INTERACTIVE)


async def test_tools_disponiveis_no_prompt(front_desk: FrontDesk):
    maria, model = scripted(front_desk, [call(1, "transfer_to_sales_closer"), [assistant_message("Oi!")]])
    await maria.say("oi")
    model.assert_complete()
    assert [tool.name for tool in model.last_call.tools if tool.name in INTERACTIVE] == INTERACTIVE
    assert "enviar_cta" in (model.last_call.system_instructions or "")

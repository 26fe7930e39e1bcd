"""Which questions are kept for staff because nothing answered them, and questions beside thanks."""

from dataclasses import replace

import pytest
from tests.receptionist.front_desk import FrontDesk, Visitor, options, text

from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase

NOT_KNOWN = "Essa informação eu não tenho aqui"
CONFIRMING = "limpeza amanhã às 14h"
DOGS = "Cães-guia podem entrar; outros animais, não."


def knowing(front_desk: FrontDesk, clinic: str) -> tuple[Visitor, KnowledgeBase]:
    visitor = front_desk.visitor(clinic)
    base = KnowledgeBase(front_desk.documents, lambda: visitor.now, look_seconds=0)
    visitor.receptionist = replace(visitor.receptionist, knowledge=base)
    return visitor, base


async def kept(base: KnowledgeBase, clinic: str) -> list[str]:
    return [question for gap in await base.gaps(clinic) for question in gap.questions]


async def approve_dogs(visitor: Visitor, base: KnowledgeBase) -> None:
    await base.write(visitor.clinic, "cachorro", EntryDraft(("posso levar meu cachorro?",), DOGS), "Carla")
    await base.approve(visitor.clinic, "cachorro", 1, "Carla")


@pytest.mark.parametrize(
    ("clinic", "before", "question"),
    [
        ("boa-vida", (), "tem desconto a vista?"),
        ("sorriso", (), "posso levar meu neto junto? ele tem 2 anos"),
        ("sorriso", (), "e se eu atrasar uns 10 min?"),
        ("sorriso", (), "qual a tolerância?"),
        ("sorriso", (), "o clareamento dói?"),
        ("sorriso", (CONFIRMING,), "tem wifi?"),
        ("sorriso", (CONFIRMING,), "o clareamento dói?"),
        ("sorriso", (CONFIRMING,), "posso levar meu cachorro?"),
    ],
)
async def test_every_question_that_is_said_not_to_be_known_is_a_gap(
    front_desk: FrontDesk, clinic: str, before: tuple[str, ...], question: str
):
    visitor, base = knowing(front_desk, clinic)
    for said in before:
        await visitor.say(said)
    assert NOT_KNOWN in text(await visitor.say(question))
    assert await kept(base, clinic) == [question]


@pytest.mark.parametrize("words", ["sério?", "é mesmo?", "como assim?", "jura?"])
async def test_who_only_wonders_at_a_confirmation_asks_nothing(front_desk: FrontDesk, words: str):
    visitor, base = knowing(front_desk, "sorriso")
    await visitor.say(CONFIRMING)
    told = await visitor.say(words)
    assert (NOT_KNOWN in text(told), "Confirmar" in options(told)) == (False, True)
    assert await kept(base, "sorriso") == []


async def test_in_a_booking_the_knowledge_answers_what_the_clinics_data_do_not(front_desk: FrontDesk):
    visitor, base = knowing(front_desk, "sorriso")
    await base.write(visitor.clinic, "wifi", EntryDraft(("tem wifi?",), "A senha está na recepção."), "Carla")
    await base.approve(visitor.clinic, "wifi", 1, "Carla")
    await visitor.say(CONFIRMING)
    told = await visitor.say("tem wifi?")
    assert text(told).startswith("A senha está na recepção.")
    assert ("Confirmar" in options(told), await kept(base, "sorriso")) == (True, [])


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("obrigada viu. ela toma marevan, precisa parar?", "ela toma marevan, precisa parar?"),
        ("obrigada. tomo losartana, preciso parar antes?", "tomo losartana, preciso parar antes?"),
        ("valeu! posso levar meu cachorro?", "posso levar meu cachorro?"),
        ("posso levar meu cachorro? obrigada", "posso levar meu cachorro?"),
        ("obrigada! tem wifi?", "tem wifi?"),
    ],
)
async def test_a_question_beside_thanks_is_a_question(front_desk: FrontDesk, words: str, question: str):
    visitor, base = knowing(front_desk, "boa-vida")
    for said in ("consulta geral amanhã 8h com a Ana", "sim"):
        await visitor.say(said)
    told = await visitor.say(words)
    assert (NOT_KNOWN in text(told), "Falar com a equipe" in options(told)) == (True, True)
    assert await kept(base, "boa-vida") == [question]


async def test_a_question_beside_thanks_is_answered(front_desk: FrontDesk):
    visitor, base = knowing(front_desk, "boa-vida")
    await approve_dogs(visitor, base)
    assert text(await visitor.say("valeu! posso levar meu cachorro?")) == DOGS
    assert "R$ 250,00" in text(await visitor.say("obrigada! quanto custa a consulta geral?"))
    await visitor.say("consulta geral amanhã 8h com a Ana")
    told = await visitor.say("obrigada! posso levar meu cachorro?")
    assert text(told).startswith(DOGS)
    assert "Confirmar" in options(told)


@pytest.mark.parametrize(
    "words",
    [
        *("muito obrigada, viu?", "obrigada, tudo bem com você?", "obrigada! até amanhã, tá?", "valeu, combinado?"),
        *("obrigada pela atenção, vocês são ótimos", "ok obrigada", "brigada, é isso então"),
    ],
)
async def test_thanks_that_ask_nothing_are_thanks(front_desk: FrontDesk, words: str):
    visitor, base = knowing(front_desk, "boa-vida")
    for said in ("consulta geral amanhã 8h com a Ana", "sim"):
        await visitor.say(said)
    told = text(await visitor.say(words))
    assert told.startswith(("Por nada!", "Imagina!", "Combinado!"))
    assert await kept(base, "boa-vida") == []

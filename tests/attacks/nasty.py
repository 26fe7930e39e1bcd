"""Texts that strangers send to make a program work: one piece again and again."""

from functools import cache

from tests.receptionist.front_desk import ROOT, demo_clinic

from gendei.booking.dates import words as date_words
from gendei.prompts import load_intents

SIGNS = (
    *"0159aeAZé.,;:?!/()[]{}\"'`^~*_-–+=|\\@#$%&<>ºª°•ß١五한ﬁ\ufdfa",
    *"\n\r\t \x0b\x85\xa0\u2028\u200b\u200d\u0301\u0316\ufe0f\u20e3",
    *("😀", "👍🏽", "👩\u200d👩\u200d👧", "🇧🇷"),
)
PAIRS = (
    "1 ", "1:1 ", "1:1", "+55", "+55 ", "um ", "ate ate ", "ate ate as ", "de ", "às ", "e ", "e eu ", "dia ", "@ ",
    "a@", "a.a", "a@a.", "a-", "a+", "a,", "1-", "1/1 ", "1/1", "1.1", "1,1 ", "111.", "111.111", "12345-678", "1h ",
    "1h-1h ", "R$ ", "R$1", "24/7 ", "1/3 da ", "tomo 1/2 ", "pressao 1/1 ", "às 15.30 ", "2026-11-24 ", "24/11 ",
    "de 2027 ", "1 e ", "1, ", "dia 1 ", "dia 1 e ", "1 de ", "das 1 as ", "de 1 a ", "de segunda a sexta ",
    "vinte e ", "vinte e um ", "99º dia útil do ano ", "15h ou ", "15h ", "sexta ou 15h ", "sexta ", "não sexta ",
    "sexta não ", "menos sexta ", "sexta? se não der, ", "sexta, ", "sexta ou ", "sexta sem ser essa ", "a outra ",
    "semana que vem ", "do ano ", "fim do mês ", "mês que vem ", "natal ", "feriado ", "véspera de ",
    "obrigada, até amanhã ", "tchau ", "bom dia ", "rua 7 de setembro ", "de 8 em 8 horas ", "há 3 dias ",
    "daqui a 2 horas ", "meio-dia ", "quinze pras ", "seg ", "ter ", "3ª ", "1º ", "hoje às 8 ", "da tarde ", "p/ ",
    "para ", "para Ana e ", "para sexta ", "Ana ", "Ana e ", "eu e mim, ", "Minha Mãe ", "minha mãe ",
    "minha mãe Ana ", "2 limpezas ", "limpeza e ", "quero marcar ", "meu nome é Ana ", "em nome ", "com dra ", "sim ",
    "sim, x ", "não, ", "oi ", "kk ", "cancela a Ana e ", "remarca Ana para ", "e avisa ", "anota: ", "porque ",
    "dizendo que ", "agora ", "A. ", "; ", "jejum de 1h ", "1h antes ", "1 mg ", "samu 1", "R. ", "Dr. ", "*a ",
    "_a_", "```a", "[1] ", "1. ", "1) ", "janeiro de mil ", "seg a ", "(a)", "www.", "www.a.", "http://",
    "https://a ", "TEL:1\n", "item1.TEL;waid=1:1\n", "a\n", "\n ", "a\u0301", "a\u0301\u0316", "{{1}}", "<br>",
    "x" * 40 + " ",
)  # fmt: skip


@cache
def vocabulary() -> tuple[str, ...]:
    """Every word and phrase that is listened for: of dates, of intents, of a clinic's services and people."""
    found: dict[str, None] = {}
    for table in vars(date_words).values():
        if isinstance(table, dict | frozenset):
            found |= dict.fromkeys(" ".join(value) if isinstance(value, tuple) else str(value) for value in table)
    for lines in load_intents(ROOT / "prompts").values():
        found |= dict.fromkeys(line.replace("*", "").replace("...", "x").partition("|")[0] for line in lines)
    clinic = demo_clinic("sorriso")
    found |= dict.fromkeys(name for service in clinic.services for name in (service.name, *service.aliases))
    found |= dict.fromkeys(professional.name for professional in clinic.professionals)
    return tuple(text for text in found if text.strip())


def repeated(piece: str, size: int) -> str:
    """`piece` again and again, `size` characters in all."""
    return (piece * (size // len(piece) + 1))[:size]

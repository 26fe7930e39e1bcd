"""Make `src/gendei/cases/words.txt`, the words that a clinic's case may keep: those that many patients use and that are
nobody's name.

    python -m training.case_words
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).parent.parent
OUT = ROOT / "src/gendei/cases/words.txt"
FEWEST = 3
"""Texts that a word stands in."""
MOST_CAPITAL = 0.2
"""Share of its places inside of a sentence at which it has a capital: more, and it is a name."""
_WORD = re.compile(r"[^\W\d_]+")
_STARTS = re.compile(r"(?:^|[.!?…:\n*\"“(-])\s*$")
NAMES = frozenset(
    """
    abreu adriana afonso albuquerque alessandra alexandre alice aline almeida alves amanda amaral amelia ana
    anderson andre andrade andrea angela antonia antonio aparecida araujo arthur artur augusto azevedo barbara
    barbosa barros batista beatriz benedita benedito bento bernardo bezerra bia borges braga brito bruna bruno
    caetano caio camila campos cardoso carla carlos carmem carmen carolina carvalho castro catarina cauã cecilia
    celia celso cesar chaves clara claudia claudio conceicao correia costa cristiane cristina cruz cunha daniel
    daniela danilo davi david debora denise diego diogo domingos douglas duarte eduarda eduardo elaine eliane
    elias elisa elza emanuel enzo erica esteves estela ester eva fabiana fabio farias fatima felipe fernanda
    fernandes fernando ferraz ferreira flavia flavio flora fonseca francisca francisco franco freitas gabriel
    gabriela galvao garcia geraldo gilberto giovana gisele gomes goncalves gloria guedes guilherme guimaraes
    gustavo heitor helena helio henrique hugo humberto igor ines irene isabel isabela isadora ivan ivone
    jaqueline jesus joana joao joaquim jonas jorge jose joyce juliana julia julio jussara karina katia kelly
    lacerda larissa laura leandro leila leite leonardo leonor leticia lia lidia lima livia lorena lourdes lucas
    lucia luciana luis luisa luiz luiza luana luz macedo machado magalhaes maia manoel manuela marcela marcelo
    marcia marcio marco marcos margarida maria mariana marilia marina mario marisa marlene marques marta martins
    mateus matheus matos maura mauricio mauro medeiros meireles melo mendes menezes miguel milena miranda miriam
    monica monteiro moraes morais moreira moura murilo nadia nascimento natalia nayara neves nicolas nina
    nogueira norma novaes nunes olga olivia oliveira orlando oscar osvaldo otavio pacheco paiva paloma patricia
    paula paulo pedro peixoto pereira pires pinheiro pinto prado priscila queiroz rafael rafaela raimunda
    raimundo ramos raquel raul rebeca regina reinaldo reis renan renata renato ribeiro ricardo rita roberta
    roberto rocha rodrigo rodrigues rogerio romero ronaldo rosa rosana rosangela rosario rubens ruth sabrina
    salles samuel sandra santana santiago santos sebastiana sebastiao sergio serra silva silvana silveira silvia
    silvio simone soares sofia solange sonia sousa souza suelen suzana tania tatiana tavares teixeira telma
    teresa terezinha thais thiago tiago ubirajara valdir valentina valeria vanessa vargas vera veronica vicente
    victor vieira vinicius vitor vitoria viviane wagner walter wanda wellington wesley william xavier yago yara
    yasmin zelia zilda
    """.split()
)
"""First names and surnames that are words too, or that patients write without a capital."""


def folded(text: str) -> str:
    """Small letters without accents."""
    decomposed = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def texts() -> Iterator[str]:
    """All that is written in the project as patients write, and what clinics and the service answer."""
    for path in sorted((ROOT / "training" / "messages").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            yield json.loads(line)["t"]
    for folder in ("prompts", "verticals"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            yield from path.read_text().splitlines()


def words() -> list[str]:
    """The words, in order."""
    found, inside, capital = Counter[str](), Counter[str](), Counter[str]()
    for text in texts():
        found.update({folded(word[0]) for word in _WORD.finditer(text)})
        for word in _WORD.finditer(text):
            if not _STARTS.search(text[: word.start()]) and not word[0].isupper():
                inside[folded(word[0])] += 1
                capital[folded(word[0])] += word[0][0].isupper()
    names = {folded(name) for name in NAMES}
    return sorted(
        word
        for word, count in found.items()
        if count >= FEWEST
        and word.isascii()
        and word not in names
        and inside[word]
        and capital[word] <= MOST_CAPITAL * inside[word]
    )


if __name__ == "__main__":
    OUT.write_text("\n".join(wrap(" ".join(words()), 118)) + "\n")

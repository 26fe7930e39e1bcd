"""Words of questions and answers as the search compares them: folded, stemmed, and by what they mean.

A text becomes terms. A word is a term by its stem; `=name` stands for a group of words that say one thing, `~name` for
words that speak of one matter (related.yaml)."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import snowballstemmer
import yaml

MOST_CHARACTERS = 1000
"""A question is read up to here; a longer text is an answer, or not one question."""
_WORD = re.compile(r"[a-z0-9]+")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_MARKS = re.compile("[\u0300-\u036f]")
_SMALL = re.compile(r"([a-z]{3,}?)(?:zinh|inh)(os|as|o|a)")
_SPELT = {
    "vc": "voce", "vcs": "voces", "pra": "para", "pro": "para", "pras": "para", "pros": "para", "ta": "esta",
    "tao": "estao", "to": "estou", "q": "que", "oq": "o que", "pq": "porque", "tbm": "tambem", "tb": "tambem",
    "n": "nao", "num": "nao", "dr": "doutor", "dra": "doutora", "hj": "hoje", "qto": "quanto", "qnto": "quanto",
    "qd": "quando", "qdo": "quando", "cmg": "comigo", "wpp": "whatsapp", "zap": "whatsapp", "consul": "consulta",
    "convenios": "convenio", "ultra": "ultrassom", "usg": "ultrassom", "eco": "ecografia", "rx": "raiox",
    "ecg": "eletrocardiograma", "psico": "psicologo", "fisio": "fisioterapia", "nutri": "nutricionista",
    "fono": "fonoaudiologo", "odonto": "odontologia", "dentistas": "dentista", "gineco": "ginecologista",
    "mamo": "mamografia", "insta": "instagram", "bike": "bicicleta", "vo": "avo", "mae": "mae", "msg": "mensagem",
    "nf": "nota fiscal", "nfe": "nota fiscal", "ir": "ir", "tel": "telefone", "cel": "celular", "end": "endereco",
    "min": "minutos", "hrs": "horas", "hr": "hora", "h": "horas", "qts": "quantos", "qtas": "quantas",
    "preco": "preco", "1a": "primeira", "2a": "segunda", "wi": "wi", "blz": "", "obg": "", "pfv": "", "pfvr": "",
}  # fmt: skip
_SILENT = frozenset(
    """
    a o as os um uma uns umas de do da dos das em no na nos nas por para com sem ao aos e ou que se me te lhe eu tu ele
    ela eles elas nos voce voces seu sua seus suas meu minha meus minhas este esta esse essa isso isto aquilo aquele
    aquela la ai aqui ali ja ainda mais muito muita mas como qual quais quem ser estar e era sao sou esta estou estao
    foi tem tenho temos tinha ter ha haver vai vou vamos ir pode posso podem consigo consegue conseguem da dao dar deu
    faz fazem fazer faco feito quero queria gostaria preciso precisa precisam sobre tambem so porque pois entao assim
    algum alguma alguns algo nem ate bem oi ola bom boa dia tarde obrigado obrigada favor gente agora hoje coisa tipo
    saber informar informacao duvida pergunta gentileza por_favor mim comigo pelo pela pelos pelas num numa dele dela
    todo toda todos todas outro outra cada mesmo mesma isso ne eh ah ok la vc vcs quando onde clinica
    esta estava tava ver vem vir fica ficam ficar sera seria possivel existe existem caso apenas deve devo deles
    """.split()
)
"""Words that say little of what a question is about; their groups still count (`onde`: the address)."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text's words, in order, as stems, with the groups of each; `silent`: which say little by themselves."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    meanings: tuple[frozenset[str], ...]
    matters: tuple[frozenset[str], ...]
    silent: tuple[bool, ...]


@cache
def _stemmer() -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer("portuguese")


def folded(text: str) -> str:
    """Lower case without accents, letters that are drawn out once, and abbreviations written out."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", text.lower()))
    said = _WORD.findall(_STRETCHED.sub(r"\1", bare))
    return " ".join(filter(None, (_SPELT.get(word, word) for word in said)))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a folded word; a diminutive has that of its word."""
    small = _SMALL.fullmatch(word)
    if small is not None and len(small[1]) > 3:
        word = small[1] + small[2]
    return str(_stemmer().stemWord(word)) if len(word) > 3 else word.removesuffix("s")


def heading(question: str) -> str:
    """What a question is about, in few of its own words: "jejum exame sangue"."""
    written = re.findall(r"[^\W_]+(?:-[^\W_]+)*", question)
    telling = [word for word in written if (plain := folded(word)) and plain not in _SILENT]
    return " ".join(telling or written).capitalize()


@dataclass(frozen=True, slots=True)
class Related:
    """The groups of related.yaml. `words`: stem to its groups; `phrases`: the first stem to (stems, group)."""

    same: Mapping[str, frozenset[str]]
    around: Mapping[str, frozenset[str]]
    listed: frozenset[str]
    light: frozenset[str]
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]


@cache
def related() -> Related:
    """Everyday words by what they mean, read once."""
    data = yaml.safe_load((files("gendei.knowledge") / "related.yaml").read_text("utf-8"))
    same: dict[str, set[str]] = {}
    around: dict[str, set[str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    listed: set[str] = set()
    for kind, words in ((same, data["same"]), (same, data["asked"]), (around, data["around"])):
        for group, line in words.items():
            for expression in str(line).split():
                said = folded(expression.replace("_", " ")).split()
                stems = tuple(map(stem, said))
                if len(stems) == 1:
                    listed.add(said[0])
                    kind.setdefault(stems[0], set()).add(group)
                elif stems and kind is same:
                    phrases.setdefault(stems[0], []).append((stems, group))
    return Related(
        {word: frozenset(groups) for word, groups in same.items()},
        {word: frozenset(groups) for word, groups in around.items()},
        frozenset(listed),
        frozenset(map(stem, folded(data["light"]).split())) | {"?" + group for group in data["asked"]},
        phrases,
    )


def analysed(text: str) -> Said:
    """The words of a text with what they mean."""
    words = tuple(folded(text[:MOST_CHARACTERS]).split())
    stems, known = tuple(map(stem, words)), related()
    counts = [word not in _SILENT or word in known.listed for word in words]
    meanings = [
        set(known.same.get(each, ())) if counted else set() for each, counted in zip(stems, counts, strict=True)
    ]
    for place, length, group in _phrases(stems, known):
        for step in range(length):
            meanings[place + step].add(group)
    return Said(
        words,
        stems,
        tuple(map(frozenset, meanings)),
        tuple(
            known.around.get(each, frozenset()) if counted else frozenset()
            for each, counted in zip(stems, counts, strict=True)
        ),
        tuple(word in _SILENT for word in words),
    )


def _phrases(stems: Sequence[str], known: Related) -> Iterator[tuple[int, int, str]]:
    for place, first in enumerate(stems):
        for expression, group in known.phrases.get(first, ()):
            if stems[place : place + len(expression)] == expression:
                yield place, len(expression), group


ASKING = frozenset("onde quanto quanta quantos quantas quando como quem por".split())


def bare(text: str) -> frozenset[str]:
    """The stems that say what a question is about, and how it asks: two questions with the same ask the same."""
    words = folded(text[:MOST_CHARACTERS]).split()
    about = frozenset(stem(word) for word in words if word not in _SILENT)
    return about | {f"?{word}" for word in words if word in ASKING} if about else frozenset()


def telling_stems(text: str) -> list[str]:
    """The stems of the words that say what a text is about, in order."""
    words = folded(text[:MOST_CHARACTERS]).split()
    return [found for word in words if word not in _SILENT and (found := stem(word))]

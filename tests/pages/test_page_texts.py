"""The sentences of the pages: what the code asks for stands in the files."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import gendei.web.pages
from gendei.clinic import TEMPLATE_PURPOSES
from gendei.texts import placeholders
from gendei.web.pages.page_texts import page_texts

PAGES = Path(gendei.web.pages.__file__).parent
MODULES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PAGES.rglob("*.py"))}


def made(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an assignment gives to catalogues, with the catalogues' own."""
    if isinstance(node, ast.Assign):
        targets, values = [
            list(part.elts) if isinstance(part, ast.Tuple) else [part] for part in (node.targets[0], node.value)
        ]
        for target, value in zip(targets, values, strict=False):
            match target, value:
                case ast.Name(name), ast.Call(ast.Name("page_texts"), [ast.Constant(page)]):
                    yield name, page


def catalogues(path: Path) -> dict[str, str]:
    """The catalogues of a module by the names that it has for them, its own and those of other pages' modules."""
    known = dict(pair for node in MODULES[path].body for pair in made(node))
    for node in MODULES[path].body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gendei.web.pages."):
            other = PAGES / Path(*node.module.split(".")[3:]).with_suffix(".py")
            theirs = dict(pair for node in MODULES[other].body for pair in made(node)) if other in MODULES else {}
            known |= {name.asname or name.name: theirs[name.name] for name in node.names if name.name in theirs}
    return known


def asked(path: Path) -> Iterator[tuple[str, str, frozenset[str]]]:
    """(catalogue, key, values) of each sentence that a module asks for by a key that stands there."""
    known = catalogues(path)
    for node in ast.walk(MODULES[path]):
        match node:
            case ast.Subscript(ast.Name(name), ast.Constant(str(key))) if name in known:
                yield known[name], key, frozenset()
            case ast.Call(ast.Name(name), [ast.Constant(str(key))], values) if name in known:
                yield known[name], key, frozenset(value.arg or "" for value in values)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PAGES)))
def test_every_sentence_that_a_page_asks_for_is_there_with_the_placeholders_that_it_fills(path: Path) -> None:
    for page, key, values in asked(path):
        assert key in page_texts(page), f"{page}.yaml has no {key}"
        if values:
            assert placeholders(page_texts(page)[key]) <= values, f"{page}.yaml: {key}"


def test_most_sentences_are_asked_for_by_a_key_that_can_be_searched() -> None:
    assert sum(1 for path in MODULES for _ in asked(path)) > 400


def test_a_sentence_is_filled_once_so_that_braces_in_a_value_stay() -> None:
    assert "{phone}" in page_texts("people")("make_gestor_question", name="{phone}")


@pytest.mark.parametrize(
    ("page", "begins"), [("templates", "purpose"), ("settings", "choice"), ("operator", "purpose")]
)
def test_every_purpose_of_a_template_has_a_name(page: str, begins: str):
    named = page_texts(page)
    assert [purpose for purpose in TEMPLATE_PURPOSES if not named.get(f"{begins}_{purpose}")] == []

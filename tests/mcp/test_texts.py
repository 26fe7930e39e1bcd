"""The texts of `prompts/mcp.yaml` are checked before anything starts."""

import shutil
from pathlib import Path

import pytest

from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.mcp.texts import McpTexts


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("Seja breve", "Seja {breve}", "no placeholder {breve}"),
        ("  agenda_title: Agenda", "  agenda_titel: Agenda", "line"),
        ("title: Quem faltou", "title:", "errands[2].title"),
    ],
)
def test_a_bad_text_is_named_with_its_place(tmp_path: Path, good: str, bad: str, said: str) -> None:
    folder = Path(shutil.copytree(data_dir("prompts"), tmp_path / "prompts"))
    text = (folder / McpTexts.file_name).read_text(encoding="utf-8")
    assert good in text
    (folder / McpTexts.file_name).write_text(text.replace(good, bad, 1), encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        McpTexts.load(folder)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("errand", "given", "begins"),
    [
        ("meu_dia", {}, "Faça um resumo do meu dia na clínica (hoje). Veja"),
        ("meu_dia", {"dia": "sexta"}, "Faça um resumo do meu dia na clínica (sexta). Veja"),
        ("faltas", {"dia": " "}, "Veja quem faltou (hoje). Mostre"),
        ("remarcar", {"paciente": "Maria"}, "Quero remarcar a próxima consulta de Maria (o quanto antes). Procure"),
    ],
)
def test_an_argument_that_was_left_out_has_what_holds_then(errand: str, given: dict[str, str], begins: str) -> None:
    (found,) = [prompt for prompt in McpTexts.load(data_dir("prompts")).errands if prompt.name == errand]
    assert found.filled(given).startswith(begins)

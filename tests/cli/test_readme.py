"""What the documents tell operators to type works, one command after the other."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_first_user_of_the_readme_belongs_to_the_example_clinic(gendei, tmp_path, monkeypatch):
    monkeypatch.setenv("META_TOKEN", "none")
    example = re.search(r"```yaml\n(id: .+?)```", (ROOT / "docs/clinics.md").read_text(encoding="utf-8"), re.S)
    commands = re.findall(r"^    \.venv/bin/gendei (users add .+)$", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert (example is not None, len(commands)) == (True, 1)
    file = tmp_path / "my-clinic.yaml"
    file.write_text(example[1], encoding="utf-8")
    assert (gendei("check", file).exit_code, gendei("clinics", "import", file).exit_code) == (0, 0)
    added = gendei(*shlex.split(commands[0]), "--password-stdin", script="girassol na janela\n")
    assert (added.exit_code, added.stdout) == (0, "ana@movimento.example: Ana Lima, gestor, movimento\n"), added.stderr

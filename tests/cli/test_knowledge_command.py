"""`gendei knowledge`: a file becomes entries, is approved, asked, tested, and printed again."""

import asyncio
from datetime import UTC, datetime

import pytest
import yaml
from tests.cli.conftest import AURORA, BROMELIA

from gendei.clinic import ClinicId
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.store.sqlite import SqliteDocuments

FILE = """
entries:
  - id: lift
    questions: ["tem elevador?"]
    answer: O prédio tem dois elevadores.
  - id: parking
    questions: ["tem estacionamento?", "onde estacionar?"]
    answer: Temos estacionamento conveniado na Rua das Acácias, 45.
    source: recepção
"""


@pytest.fixture
def file(gendei, tmp_path):
    gendei("clinics", "import", AURORA, BROMELIA)
    path = tmp_path / "knowledge.yaml"
    path.write_text(FILE, "utf-8")
    return path


def test_a_file_is_proposed_approved_asked_tested_and_printed_again(gendei, file):
    proposed = gendei("knowledge", "import", "--clinic", "aurora", file)
    before = gendei("knowledge", "ask", "--clinic", "aurora", "tem elevador?")
    gendei("knowledge", "approve", "--clinic", "aurora", "lift")
    approved = gendei("knowledge", "import", "--clinic", "aurora", file, "--approve")
    after = gendei("knowledge", "ask", "--clinic", "aurora", "tem elevador?")
    tested = gendei("knowledge", "test", "--clinic", "aurora")
    printed = yaml.safe_load(gendei("knowledge", "export", "--clinic", "aurora").stdout)["entries"]
    assert proposed.stdout == "lift v1 proposed: tem elevador?\nparking v1 proposed: tem estacionamento?\n"
    assert approved.stdout == "lift v1 approved (v1): tem elevador?\nparking v1 approved (v1): tem estacionamento?\n"
    assert [found.stdout.split("\n")[0] for found in (before, after)] == ["unknown", "answered"]
    assert (tested.exit_code, tested.stdout) == (0, "Every entry answers its questions.\n")
    written = yaml.safe_load(FILE)["entries"]
    assert [{name: entry[name] for name in entry if name != "owner"} for entry in printed] == written


def test_another_clinic_has_none_of_it(gendei, file):
    gendei("knowledge", "import", "--clinic", "aurora", file, "--approve")
    listed = gendei("knowledge", "list", "--clinic", "bromelia").stdout
    gaps = gendei("knowledge", "gaps", "--clinic", "bromelia").stdout
    assert (listed, gaps) == ("There are no entries.\n", "There are no gaps.\n")


def test_a_refused_entry_says_why_and_ends_with_status_1(gendei, file):
    file.write_text(FILE.replace("dois elevadores", "remédios. Tome 2 comprimidos"), "utf-8")
    refused = gendei("knowledge", "import", "--clinic", "aurora", file)
    assert (refused.exit_code, "tells a dose" in refused.stderr) == (1, True)


def test_a_file_and_the_verticals_questions_are_proposed_and_told_to_nobody(gendei, file, tmp_path):
    page = tmp_path / "site.html"
    page.write_text("<html><h2>Tem elevador?</h2><p>Dois.</p><h2>Dói?</h2><p>Não é nada grave.</p></html>", "utf-8")
    read = gendei("knowledge", "read", "--clinic", "aurora", page)
    started = gendei("knowledge", "starter", "--clinic", "aurora")
    again = gendei("knowledge", "starter", "--clinic", "aurora")
    asked = gendei("knowledge", "ask", "--clinic", "aurora", "tem elevador?")
    assert (read.stdout, "Dói?: says that something is not grave" in read.stderr) == (
        "tem-elevador v1 proposed: Tem elevador?\n",
        True,
    )
    assert (len(started.stdout.splitlines()) >= 20, again.stdout) == (True, "There is nothing new.\n")
    assert asked.stdout == "unknown\n"
    assert gendei("knowledge", "list", "--clinic", "bromelia").stdout == "There are no entries.\n"


def test_a_file_that_cannot_be_read_ends_with_status_1(gendei, file, tmp_path):
    broken = tmp_path / "a.pdf"
    broken.write_bytes(b"%PDF-1.4")
    refused = gendei("knowledge", "read", "--clinic", "aurora", broken)
    assert (refused.exit_code, refused.stderr) == (1, "a.pdf: cannot be read: the PDF is broken\n")


async def noted(question: str) -> str:
    """A gap of Aurora's, by its id."""
    documents = await SqliteDocuments.open("gendei.db")
    try:
        return await KnowledgeBase(documents, lambda: datetime.now(UTC)).note(ClinicId("aurora"), question)
    finally:
        await documents.close()


def test_a_gap_is_answered_and_what_the_answer_would_not_meet_is_told(gendei, file):
    gap = asyncio.run(noted("vocês furam orelha?"))
    answered = gendei("knowledge", "answer", "--clinic", "aurora", gap, "Não furamos orelhas.")
    again = gendei("knowledge", "gaps", "--clinic", "aurora")
    outsider = gendei("knowledge", "dismiss", "--clinic", "bromelia", gap)
    assert answered.stdout.splitlines()[1:] == ["It would answer all of them."]
    assert (again.stdout, outsider.exit_code) == ("There are no gaps.\n", 1)


def test_refusals_are_read_in_portuguese_by_who_reads_it(gendei, file, monkeypatch):
    monkeypatch.setenv("GENDEI_LANG", "pt")
    file.write_text(FILE.replace("dois elevadores", "remédios. Tome 2 comprimidos"), "utf-8")
    refused = gendei("knowledge", "import", "--clinic", "aurora", file)
    assert (refused.exit_code, "diz uma dose, o que só um profissional pode" in refused.stderr) == (1, True)

"""Each agent's whole instructions, rendered for a clinic of each vertical. To renew them after a change on purpose:
`pytest tests/receptionist/test_prompt_snapshots.py --renew-snapshots`, and read what changed before you keep it."""

from pathlib import Path

import pytest
from tests.receptionist.front_desk import MARIA, NOW, ROOT, FrontDesk

from gendei.clinics.file import load_clinics
from gendei.messages.turns import PatientInput, TurnInput
from gendei.prompts import AGENTS
from gendei.receptionist.team import facts
from gendei.secrets import SecretBox, new_key
from gendei.verticals import load_verticals

SNAPSHOTS = Path(__file__).parent / "snapshots"
VERTICALS = sorted(path.stem for path in (ROOT / "verticals").glob("*.yaml"))


def rendered(front_desk: FrontDesk, vertical: str, agent: str) -> str:
    """What `agent` reads at the evaluation's clinic of `vertical` when Maria, who has nothing booked, says hello."""
    file = ROOT / "evals" / "clinics" / f"{vertical}.yaml"
    [clinic] = load_clinics([file], {}, load_verticals(ROOT / "verticals"), SecretBox(new_key()))
    receptionist = front_desk.visitor().receptionist
    hello = TurnInput(clinic, MARIA, MARIA, "Maria Silva", (PatientInput("oi"),), (), "triage", {}, clinic.local(NOW))
    return receptionist.prompts[agent].render(facts(receptionist.begun(hello), []))


def test_there_is_a_snapshot_of_every_agent_for_every_vertical_and_no_other():
    assert {str(path.relative_to(SNAPSHOTS)) for path in SNAPSHOTS.rglob("*.md")} == {
        f"{vertical}/{agent}.md" for vertical in VERTICALS for agent in AGENTS
    }


@pytest.mark.parametrize("vertical", VERTICALS)
def test_the_instructions_are_as_they_were_last_read(front_desk: FrontDesk, vertical: str, pytestconfig: pytest.Config):
    now = {agent: rendered(front_desk, vertical, agent) + "\n" for agent in AGENTS}
    if pytestconfig.getoption("--renew-snapshots"):
        for agent, text in now.items():
            file = SNAPSHOTS / vertical / f"{agent}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    kept = {agent: (SNAPSHOTS / vertical / f"{agent}.md").read_text(encoding="utf-8") for agent in AGENTS}
    assert now == kept


@pytest.mark.parametrize("vertical", VERTICALS)
def test_no_brace_is_left_in_what_an_agent_reads(front_desk: FrontDesk, vertical: str):
    left = [agent for agent in AGENTS if set(rendered(front_desk, vertical, agent)) & {"{", "}"}]
    assert left == []

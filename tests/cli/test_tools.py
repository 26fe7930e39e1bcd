"""gendei tools, gendei speech."""

import json

from tests.cli.conftest import AURORA


def test_tools_lists_every_tool_with_its_limits(gendei):
    rows = json.loads(gendei("tools", "--json").stdout)
    booking = next(one for one in rows if one["name"] == "create_appointment")
    assert (booking["category"], booking["status"], booking["timeoutSeconds"], booking["retries"]) == (
        "scheduling",
        "available",
        10.0,
        0,
    )
    assert "service_id" in booking["parameters"]["properties"]


def test_tools_reads_well_in_a_terminal(gendei):
    lines = gendei("tools").stdout.splitlines()
    assert any("get_available_slots" in one and "10 s, 1 retries" in one for one in lines)


def test_speech_of_a_clinic_that_spent_nothing_is_empty(gendei):
    gendei("clinics", "import", str(AURORA))
    assert json.loads(gendei("speech", "--clinic", "aurora", "--json").stdout) == []


def test_speech_of_no_clinic_says_so(gendei):
    result = gendei("speech", "--clinic", "nenhuma")
    assert (result.exit_code, "there is no clinic nenhuma" in result.stderr) == (1, True)

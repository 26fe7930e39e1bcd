"""Templates, guards and channel options in a clinic file."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from tests.clinics.test_file import EXAMPLE, ZONE, load, problems

from gendei.clinic import MessageTemplate, ProactivePolicy, TakeoverPolicy
from gendei.clinics.stored import clinic_data, clinic_from, parts_data

TEMPLATES = """
templates:
  reminder: {name: lembrete, language: pt_BR, parameters: [patient, time], quick_replies: 3}
  follow_up: {name: volte}
proactive: {quiet_hours: "21:30-07:15", per_day: 1}
"""


def test_templates_and_guards_are_read_and_come_back_from_the_store(tmp_path: Path):
    clinic = load(tmp_path, EXAMPLE + TEMPLATES)
    assert clinic.templates == {
        "reminder": MessageTemplate("lembrete", "pt_BR", ("patient", "time"), 3),
        "follow_up": MessageTemplate("volte"),
    }
    assert clinic.proactive == ProactivePolicy(21 * 60 + 30, 7 * 60 + 15, 1)
    parts = [data for _, data in parts_data(clinic, 1)]
    assert clinic_from(clinic.id, clinic_data(clinic, 1), parts) == clinic


def test_a_clinic_that_was_stored_before_there_were_guards_gets_the_defaults(tmp_path: Path):
    clinic = load(tmp_path)
    old = {
        name: value
        for name, value in clinic_data(clinic, 1).items()
        if name not in {"templates", "proactive", "takeover"}
    }
    assert clinic_from(clinic.id, old, [data for _, data in parts_data(clinic, 1)]) == clinic
    assert (clinic.templates, clinic.proactive) == ({}, ProactivePolicy(1200, 480, 2))


def test_what_becomes_of_who_waits_is_read_and_comes_back_from_the_store(tmp_path: Path):
    more = "takeover: {answer_within_minutes: 20, staff_phone: '+55 11 99999-8888'}\n"
    clinic = load(tmp_path, EXAMPLE + more)
    assert clinic.takeover == TakeoverPolicy(720, 20, "+5511999998888")
    parts = [data for _, data in parts_data(clinic, 1)]
    assert clinic_from(clinic.id, clinic_data(clinic, 1), parts) == clinic
    assert (load(tmp_path).takeover, "answerWithinMinutes" in clinic_data(load(tmp_path), 1)["takeover"]) == (
        TakeoverPolicy(720, 30, ""),
        False,
    )


def test_what_a_channel_may_say_besides_is_kept_in_the_clear(tmp_path: Path):
    more = EXAMPLE.replace("access_token:", 'waba_id: "5550001", messages_per_second: "20", access_token:')
    [channel] = load(tmp_path, more).channels
    assert (channel.settings["waba_id"], channel.settings["messages_per_second"]) == ("5550001", "20")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "takeover: {staff_phone: '11 99999-8888'}",
            ("takeover.staff_phone", "is no phone.", 'Write it with its country, as "+55 11 99999-8888", in quotes.'),
        ),
        (
            "takeover: {staff_phone: '+55 11 1'}",
            (
                "takeover.staff_phone",
                "there is no such phone.",
                'Write it with its country, as "+55 11 99999-8888", in quotes.',
            ),
        ),
        (
            "takeover: {answer_within_minutes: -1}",
            ("takeover.answer_within_minutes", "must not be less than 0.", "Write 0 or more."),
        ),
        (
            "templates: {remindr: {name: a}}",
            ("templates.remindr", "there is no such purpose.", 'Did you mean "reminder"?'),
        ),
        (
            "templates: {reminder: {name: a, parameters: [pacient]}}",
            ("templates.reminder.parameters[0]", "nothing fills this parameter.", 'Did you mean "patient"?'),
        ),
        (
            'proactive: {quiet_hours: "25:00-08:00"}',
            ("proactive.quiet_hours", "must be two times of the day.", 'Write it as "20:00-08:00", in quotes.'),
        ),
        (
            "templates: {reminder: {name: Lembrete!}}",
            (
                "templates.reminder.name",
                "is no name that a template can have.",
                "Copy it from Meta: a-z, 0-9 and _ alone.",
            ),
        ),
        (
            "templates: {reminder: {name: a, language: pt-br}}",
            (
                "templates.reminder.language",
                "is no language as Meta writes it.",
                'Write "pt_BR" for Brazilian Portuguese, "en" for English.',
            ),
        ),
    ],
)
def test_a_mistake_is_named_with_what_to_write(tmp_path: Path, line: str, said: tuple[str, str, str]):
    [(where, problem, remedy)] = problems(tmp_path, f"{EXAMPLE}{line}\n")
    assert (where.partition(", ")[2], problem, remedy) == said


@pytest.mark.parametrize(
    ("template", "most", "write"),
    [
        ("reminder: {name: a, quick_replies: 4}", 3, "Write 3 or less, "),
        ("booked: {name: a, quick_replies: 1}", 0, "Leave it out, "),
        ("staff_message: {name: a, quick_replies: 1}", 0, "Leave it out, "),
    ],
)
def test_a_template_has_no_more_quick_replies_than_its_message_has_options(
    tmp_path: Path, template: str, most: int, write: str
):
    [(_, problem, remedy)] = problems(tmp_path, f"{EXAMPLE}templates: {{{template}}}\n")
    assert (problem.startswith(f"must not be more than {most}:"), remedy.startswith(write)) == (True, True)


@pytest.mark.parametrize("bad", ['waba_id: "x"', 'messages_per_second: "0"', 'messages_per_second: "2.5"'])
def test_a_channels_option_in_another_form_is_a_mistake(tmp_path: Path, bad: str):
    [(where, _, _)] = problems(tmp_path, EXAMPLE.replace("access_token:", f"{bad}, access_token:"))
    assert where.endswith(bad.partition(":")[0])


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("02 19:59", "02 19:59"),
        ("02 20:00", "03 08:00"),
        ("02 23:59", "03 08:00"),
        ("03 00:00", "03 08:00"),
        ("03 07:59", "03 08:00"),
        ("03 08:00", "03 08:00"),
    ],
)
def test_quiet_hours_end_in_the_morning(now: str, then: str):
    assert ProactivePolicy().not_before(moment(now)) == moment(then)


@pytest.mark.parametrize(
    ("now", "then"), [("02 12:59", "02 14:00"), ("02 14:00", "02 14:00"), ("02 11:59", "02 11:59")]
)
def test_quiet_hours_may_lie_within_a_day(now: str, then: str):
    assert ProactivePolicy(12 * 60, 14 * 60).not_before(moment(now)) == moment(then)


def test_no_quiet_hours_are_two_equal_times():
    assert ProactivePolicy(0, 0).not_before(moment("02 00:00")) == moment("02 00:00")


def test_quiet_hours_beyond_a_day_are_refused():
    with pytest.raises(ValueError, match="within one day"):
        replace(ProactivePolicy(), quiet_end=24 * 60)


def moment(text: str) -> datetime:
    return datetime.strptime(f"2026-03-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=ZONE)

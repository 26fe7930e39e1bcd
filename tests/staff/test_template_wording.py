"""What Meta asks of a template, held for the product's own set and for what a clinic writes."""

from dataclasses import replace

import pytest

from gendei.clinic import TEMPLATE_PURPOSES
from gendei.clinics.cross_checks import QUICK_REPLIES
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.staff.templates.standard import StandardTemplates
from gendei.staff.templates.wording import Fault

STANDARD = StandardTemplates.load(data_dir("prompts"))


def test_each_purpose_has_a_template_with_the_buttons_of_its_messages():
    """A new purpose is one entry in prompts/templates.yaml."""
    buttons = {purpose: len(STANDARD.draft(purpose).buttons) for purpose in STANDARD.templates}
    assert buttons == {purpose: QUICK_REPLIES.get(purpose, 0) for purpose in TEMPLATE_PURPOSES}


def test_the_own_set_is_utility_and_text_and_examples_agree():
    drafts = [STANDARD.draft(purpose) for purpose in STANDARD.templates]
    assert {draft.purpose for draft in drafts if draft.category != "UTILITY"} == {"follow_up"}
    assert all(len(draft.example) == len(draft.parameters) for draft in drafts)
    assert STANDARD.draft("staff_message").text.startswith("Olá, {{1}}! A equipe da {{2}} precisa")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("  ", Fault.BODY_BLANK),
        ("Olá! " * 300, Fault.BODY_TOO_LONG),
        ("{patient}, seu horário é amanhã cedo.", Fault.BEGINS_WITH_VALUE),
        ("Seu horário na clínica é às {time}.", Fault.ENDS_WITH_VALUE),
        ("Olá, seu horário é {weekday_date} {time} na clínica de sempre.", Fault.VALUES_TOUCH),
        ("Olá {patient} às {time} ok", Fault.TOO_FEW_WORDS),
        ("Olá, {doctor} espera por você amanhã cedo.", Fault.UNKNOWN_VALUE),
        ("Olá, {{1}} espera por você amanhã cedo.", Fault.UNKNOWN_VALUE),
        ("Olá, {patient}!\n\n\nSeu horário é amanhã cedo.", Fault.BLANK_LINES),
        ("Olá, {patient}! Aproveite: seu horário é amanhã.", Fault.ADVERTISING),
        ("Olá, {patient}! Confirme a PROMOÇÃO de amanhã na clínica.", Fault.ADVERTISING),
    ],
)
def test_what_meta_would_refuse_or_charge_as_marketing_is_named(body: str, fault: Fault):
    assert STANDARD.faults_of(replace(STANDARD.draft("reminder"), body=body)) == [fault]


def test_a_value_that_the_messages_of_a_purpose_do_not_have_is_named():
    told = replace(STANDARD.draft("staff_message"), body="Olá! Sobre {service} na clínica, responda a esta mensagem.")
    assert STANDARD.faults_of(told) == [Fault.NO_SUCH_VALUE_HERE]


def test_an_own_set_that_would_not_pass_is_refused_when_it_is_loaded(tmp_path):
    shipped = (data_dir("prompts") / "templates.yaml").read_text(encoding="utf-8")
    own = shipped.replace("Olá, {patient}! Este é um lembrete", "{patient}, este é um lembrete")
    (tmp_path / "templates.yaml").write_text(own, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="begins_with_value"):
        StandardTemplates.load(tmp_path)

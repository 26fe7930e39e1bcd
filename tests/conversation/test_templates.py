"""What is known of the clinic's templates."""

from dataclasses import replace

from tests.conversation.cast import BOA_VIDA, SORRISO, Watchmaker, clinic
from tests.conversation.openings import TEMPLATE, with_template

from gendei.conversation.outbound.templates import ApprovedTemplate, Templates, template_path
from gendei.documents import Documents
from gendei.messages.account_notices import TemplateNotice

APPROVED = ApprovedTemplate(TEMPLATE.name, "pt_BR", "APPROVED", "UTILITY", "GREEN", parameters=4, quick_replies=3)
OTHER = ApprovedTemplate("promo", "pt_BR", "APPROVED", "MARKETING", "UNKNOWN")


async def test_before_the_first_look_a_template_is_reported_as_unknown(documents: Documents) -> None:
    [report] = await Templates(documents, Watchmaker()).report(with_template())

    assert (report.purpose, report.found, report.problem) == ("reminder", None, "was not looked up yet")


async def test_what_is_approved_is_ready_and_stored_with_quality_and_category(documents: Documents) -> None:
    [report] = await Templates(documents, Watchmaker()).sync(with_template(), [APPROVED, OTHER])

    stored = (await documents.get(template_path(BOA_VIDA, TEMPLATE.name, "pt_BR"))).data or {}
    assert (report.found, report.problem) == (APPROVED, "")
    assert (stored["status"], stored["category"], stored["quality"]) == ("APPROVED", "UTILITY", "GREEN")


async def test_one_that_the_account_does_not_have_is_reported_as_missing(documents: Documents) -> None:
    [report] = await Templates(documents, Watchmaker()).sync(with_template(), [OTHER])

    assert report.problem == "is MISSING"


async def test_another_language_is_another_template(documents: Documents) -> None:
    [report] = await Templates(documents, Watchmaker()).sync(with_template(), [replace(APPROVED, language="en_US")])

    assert report.problem == "is MISSING"


async def test_what_is_gone_from_the_account_is_forgotten(documents: Documents) -> None:
    templates = Templates(documents, Watchmaker())
    await templates.sync(with_template(), [APPROVED, OTHER])
    await templates.sync(with_template(), [APPROVED])

    assert not (await documents.get(template_path(BOA_VIDA, OTHER.name, "pt_BR"))).exists


async def test_a_template_that_was_refused_is_good_again_after_the_next_look(documents: Documents) -> None:
    templates = Templates(documents, Watchmaker())
    await templates.refused(with_template(), APPROVED.key, "132001")
    refused = [problem.problem for problem in await templates.report(with_template())]
    looked = [problem.problem for problem in await templates.sync(with_template(), [APPROVED])]

    assert (refused, looked) == (["is MISSING"], [""])


async def test_one_that_was_missing_and_is_approved_again_is_used_before_the_next_look(documents: Documents) -> None:
    templates, clinic = Templates(documents, Watchmaker()), with_template()
    await templates.sync(clinic, [])
    notice = TemplateNotice("555", Watchmaker()(), TEMPLATE.name, "pt_BR", status="APPROVED")
    again = await templates.heard(clinic, notice)

    [report] = await templates.report(clinic)
    assert (again, report.found and report.found.misfit(TEMPLATE), report.problem) == (
        True,
        "",
        "was not looked up yet",
    )


async def test_another_clinic_knows_nothing_of_it(documents: Documents) -> None:
    templates = Templates(documents, Watchmaker())
    await templates.sync(with_template(), [APPROVED])
    outsider = replace(clinic(SORRISO), templates={"reminder": TEMPLATE})

    assert [problem.problem for problem in await templates.report(outsider)] == ["was not looked up yet"]
    assert not await templates.is_marketing(outsider, "reminder")

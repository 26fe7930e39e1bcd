"""/account/team: who works at the clinic, for who manages it."""

from gendei.staff.actors import Right
from gendei.web.pages.account_page import SUBPAGES
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.panels import office, subpages
from gendei.web.pages.people import show_people
from gendei.web.pages.texts import page_texts


@staff_page("/account/team", title="own_account", right=Right.MANAGE)
async def team(visit: Visit) -> None:
    with office(page_texts("account")["title"]):
        subpages(visit.actor, "/account/team", SUBPAGES, "account")
        await show_people(visit)

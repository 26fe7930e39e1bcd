"""/operator/users: everybody's accounts, or those of the clinic that one acts for."""

from gendei.staff.actors import Right
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.operators.page import SUBPAGES
from gendei.web.pages.panels import office, subpages
from gendei.web.pages.people import show_people
from gendei.web.pages.texts import page_texts


@staff_page("/operator/users", title="operator", right=Right.OPERATE)
async def users(visit: Visit) -> None:
    with office(page_texts("operator")["title"]):
        subpages(visit.actor, "/operator/users", SUBPAGES, "operator")
        await show_people(visit)

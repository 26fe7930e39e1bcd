"""The demo clinics' templates, approved by the stand-in of Meta, which knows nothing when it is started."""

from gendei.app import Gendei
from gendei.clinic import Clinic
from gendei.conversation.outbound.account_notices import accounts_of
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.staff.actors import terminal


async def approve_templates(gendei: Gendei, graph: GraphSimulator) -> None:
    """Have the standard template of each purpose approved, but where a clinic has one of its own: then whatever the
    clinic begins reaches patients who have not written for a day, too. What staff make is approved at once."""
    graph.office.approves = True
    for clinic in gendei.directory.all():
        standard = [purpose for purpose, name in _names(gendei).items() if _serves(clinic, purpose, name)]
        if accounts_of(clinic) and standard:
            await gendei.desks.templates.set_up(terminal(clinic.id), standard)


def _names(gendei: Gendei) -> dict[str, str]:
    standard = gendei.desks.templates.standard
    return {purpose: standard.draft(purpose).name for purpose in standard.templates}


def _serves(clinic: Clinic, purpose: str, name: str) -> bool:
    used = clinic.templates.get(purpose)
    return used is None or used.name == name

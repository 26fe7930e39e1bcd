"""A clinic that is prepared, by an operator or by who was invited: nothing is lost, and no half of it is ever there."""

from datetime import timedelta

import pytest
from tests.journeys.mortal import Killed, Mortal
from tests.journeys.quay import APP_ID, BROMELIA, CONFIG, open_harbour
from tests.journeys.town import NOW

from gendei.clinic import ClinicId
from gendei.errors import NotFound
from gendei.staff.actors import NO_CLINIC, RIGHTS, Actor, Forbidden, Role, terminal
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_drafts.drafts import DraftFault, DraftRefused
from gendei.staff.clinic_drafts.invitations import Newcomer
from gendei.store.sqlite import SqliteDocuments

IPE = ClinicId("clinica-ipe")
OPERATOR = Actor(NO_CLINIC, "ope", "Ope", RIGHTS[Role.OPERADOR])
FORM = {"clinic": "Clínica Ipê", "vertical": "dental", "name": "Íris", "email": "iris@ipe.test"}
FORM |= {"password": "girassol-verde-nuvem"}


@pytest.fixture
async def harbour():
    async with open_harbour() as opened:
        yield opened


async def go_on(drafts) -> None:
    """What a person does next, from wherever it stands."""
    draft = await drafts.found(IPE)
    if draft is None:
        await drafts.begin(OPERATOR, "dental", "Clínica Ipê")
    elif not draft.content["professionals"]:
        paula = {"id": "paula", "name": "Dra. Paula", "services": list(draft.tree["services"])}
        await drafts.fill_in(OPERATOR, IPE, [Edit("professionals[paula]", paula), Edit("address", "Rua do Ipê, 1")])
    else:
        await drafts.create(OPERATOR, IPE)


async def test_killed_before_and_after_each_commit_the_draft_goes_on_and_becomes_one_whole_clinic(harbour, tmp_path):
    path, seen = str(tmp_path / "town.db"), []
    for process in range(20):
        store = Mortal(await SqliteDocuments.open(path))
        async with harbour.opened(tmp_path, documents=store, now=NOW + timedelta(minutes=process)) as quay:
            clinic = await quay.gendei.directory.get(IPE)
            seen.append(None if clinic is None else (clinic.address, len(clinic.professionals)))
            if clinic is not None:
                break
            store.dies = "before" if process % 2 else "after"
            with pytest.raises(Killed):
                await go_on(quay.gendei.drafts)
    assert seen == [*[None] * (len(seen) - 1), ("Rua do Ipê, 1", 1)]
    assert len(seen) > 4
    async with harbour.opened(tmp_path) as quay:
        drafts = quay.gendei.drafts
        assert await drafts.found(IPE) is None
        [change] = await quay.gendei.desks.clinic_changes.history(terminal(IPE))
        assert (change.name, change.first) == ("Ope", True)
        with pytest.raises(NotFound):
            await drafts.create(OPERATOR, IPE)
        again = await drafts.begin(OPERATOR, "dental", "Clínica Ipê")
        assert again.id == "clinica-ipe-2"
        with pytest.raises(DraftRefused) as refused:
            await drafts.create(OPERATOR, again.id)
        assert refused.value.fault is DraftFault.UNFIT


async def test_a_link_is_good_once_and_its_clinic_is_the_invited_persons_alone(harbour, tmp_path):
    async with harbour.opened(tmp_path, sign_up_by_invitation=True) as quay:
        drafts = quay.gendei.drafts
        token = await quay.gendei.invitations.invite(OPERATOR)
        own = {"Origin": quay.url, "Host": quay.url.removeprefix("http://")}

        async def post(given: dict, headers: dict = own) -> int:
            return (await quay.client.post("/signup", data={"invitation": token} | given, headers=headers)).status_code

        assert (await quay.client.get("/signup", params={"invitation": token})).status_code == 200
        assert (await quay.client.get("/signup", params={"invitation": "x" * 43})).status_code == 410
        assert await post(FORM, {"Origin": "https://evil.test"}) == 403
        assert await post(FORM | {"password": "curta"}) == 400
        assert await drafts.all(OPERATOR) == []
        assert await post(FORM) == 303
        assert await post(FORM | {"email": "outra@ipe.test"}) == 410
        [draft] = await drafts.all(OPERATOR)
        assert (draft.id, draft.name) == (IPE, "Íris")
        [user] = await quay.gendei.staff.accounts.list(terminal(IPE))
        assert (user.address, user.role) == ("iris@ipe.test", Role.GESTOR)
        mine, outsider = user.actor(), Actor(BROMELIA, "otto", "Otto", RIGHTS[Role.GESTOR])
        assert [each.id for each in await drafts.all(mine)] == [IPE]
        assert await drafts.all(outsider) == []
        for act in (drafts.get(outsider, IPE), drafts.fill_in(outsider, IPE, []), drafts.create(outsider, IPE)):
            with pytest.raises(Forbidden):
                await act
        late = await quay.gendei.invitations.invite(OPERATOR)
    async with harbour.opened(tmp_path, sign_up_by_invitation=True, now=NOW + timedelta(days=15)) as quay:
        assert (await quay.client.get("/signup", params={"invitation": late})).status_code == 410
    async with harbour.opened(tmp_path, meta_app_id=APP_ID, meta_signup_config=CONFIG) as quay:
        assert (await quay.client.get("/signup", params={"invitation": late})).status_code == 404


async def test_killed_between_draft_and_user_the_same_link_goes_on_with_the_same_draft(harbour, tmp_path):
    path = str(tmp_path / "town.db")
    store = Mortal(await SqliteDocuments.open(path))
    async with harbour.opened(tmp_path, documents=store, sign_up_by_invitation=True) as quay:
        invitations = quay.gendei.invitations
        token = await invitations.invite(OPERATOR)
        store.dies = "after"
        newcomer = Newcomer(*(FORM[name] for name in ("clinic", "vertical", "name", "email", "password")))
        with pytest.raises(Killed):
            await invitations.accept(token, newcomer)
    async with harbour.opened(tmp_path, sign_up_by_invitation=True) as quay:
        drafts = quay.gendei.drafts
        assert await quay.gendei.invitations.accept(token, newcomer) == IPE
        assert [each.id for each in await drafts.all(OPERATOR)] == [IPE]
        assert len(await quay.gendei.staff.accounts.list(terminal(IPE))) == 1

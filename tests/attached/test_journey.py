"""The whole service with a clinic's own server: a webhook in, the server called by a model, the answer on the phone."""

from dataclasses import replace

from tests.attached.records import TOKEN, Records
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, SECRET_KEY, Town, open_town
from tests.receptionist.openai_server import Say, call, openai_server

from gendei.clinic_services import McpServer, ToldFact
from gendei.clinics.servers import server_purpose
from gendei.secrets import SecretBox

LOOK = call("prontuario_ver_exame", exame="hemograma")
READY = "O hemograma ficou pronto."


async def attach(town: Town, url: str) -> None:
    """A records system to Aurora, and none to Bromélia."""
    box, purpose = SecretBox(SECRET_KEY), server_purpose(AURORA, "prontuario", url, "Authorization")
    sealed = {"Authorization": box.seal(f"Bearer {TOKEN}", purpose)}
    tells = (ToldFact.CLINIC_ID, ToldFact.PATIENT_PHONE)
    server = McpServer("prontuario", url, ("triage",), ("ver_exame",), sealed, tells=tells)
    await town.gendei.directory.import_clinic(replace(await town.clinic(), mcp_servers=(server,)))
    await town.gendei.attached.refresh()


async def test_a_patient_is_told_what_the_clinics_own_server_knows(tmp_path, records: Records):
    async with openai_server() as model:
        api = {
            "model": "api",
            "OPENAI_API_KEY": "key",
            "OPENAI_BASE_URL": model.url,
            "api_model": "m",
            "api_retries": 0,
        }
        async with open_town(tmp_path, mcp_private_networks="127.0.0.0/8", **api) as town:
            await attach(town, records.url)
            maria = Phone(town, "+5511999990001", "Maria Silva")
            stranger = Phone(town, "+5511999990002", "João Souza", BROMELIA)
            model.will(LOOK, Say(READY))
            assert await maria.say("meu hemograma está pronto?") == READY
            meta = {"gendei/clinic_id": AURORA, "gendei/patient_phone": maria.number}
            assert records.calls == [("ver_exame", {"exame": "hemograma"}, meta)]
            model.will(LOOK, Say("Não sei dizer."))
            assert await stranger.say("meu hemograma está pronto?") == "Não sei dizer."
            assert (len(records.calls), records.authorizations) == (1, {f"Bearer {TOKEN}"})


async def test_guided_connects_to_no_server(tmp_path, records: Records):
    async with open_town(tmp_path, mcp_private_networks="127.0.0.0/8", outsiders=False) as town:
        await attach(town, records.url)
        assert "hemograma" not in await Phone(town, "+5511999990001", "Maria Silva").say("oi")
        assert (town.gendei.attached.report(), records.listings) == ((), 0)

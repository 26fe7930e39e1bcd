import pytest
from tests.store.bucket import Bucket

from gendei.clinic import ClinicId
from gendei.conversation.files.media import MediaName
from gendei.errors import ConfigurationError
from gendei.providers.stand_in.local_server import serve
from gendei.settings import Settings
from gendei.store.media_bucket import parse_place
from gendei.store.opening import open_media


@pytest.mark.parametrize(
    "place", ["s3://bucket", "file:///srv/media", "gs://", "gs://B", "gs://bucket/../x", "gs://b u"]
)
def test_a_media_store_that_is_no_folder_and_no_bucket_stops_the_start(place: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^GENDEI_MEDIA: is no folder and no bucket"):
        open_media(Settings.load(_env_file=None, media=place))


def test_a_bucket_without_credentials_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json")
    monkeypatch.delenv("STORAGE_EMULATOR_HOST", raising=False)
    with pytest.raises(ConfigurationError, match=r"^GENDEI_MEDIA: cannot be used: there are no credentials"):
        open_media(Settings.load(_env_file=None, media="gs://clinic-files"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("gs://clinic-files", ("clinic-files", "")),
        ("gs://clinic-files/", ("clinic-files", "")),
        ("gs://clinic.example.org/a/b", ("clinic.example.org", "a/b")),
    ],
)
def test_a_place_is_a_bucket_and_a_prefix(text: str, place: tuple[str, str]) -> None:
    assert parse_place(text) == place


@pytest.mark.parametrize("scheme", ["", "http://"])
async def test_an_emulator_is_used_where_one_is_named(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    stand_in = Bucket()
    async with serve(stand_in.app) as url:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", scheme + url.removeprefix("http://"))
        store = open_media(Settings.load(_env_file=None, media="gs://files/x"))
        async with store.writing(MediaName(ClinicId("aurora"), "a", "b")) as writer:
            await writer.write(b"photo")
        await store.close()
    assert stand_in.objects == {"x/aurora/a/b": b"photo"}
